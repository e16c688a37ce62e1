package page

import (
	"net/netip"
	"net/url"
	"strings"

	"appliance/svc/hostname"
)

// maxURL is the limit of a URL in bytes.
const maxURL = 2048

// withoutLineBreaks removes tabs and line breaks from references, as browsers do.
var withoutLineBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// Resolve returns a reference of the page as an absolute http or https URL without user
// name and password, of at most 2048 bytes of ASCII without the characters <, > and ";
// "" for all other references.
func (p *Page) Resolve(reference string) string {
	reference = withoutLineBreaks.Replace(strings.Trim(reference, " \t\r\n\f"))
	if reference == "" || len(reference) > maxURL || strings.ContainsFunc(reference, isControl) {
		return ""
	}
	u, err := p.Base.Parse(escapeURL(reference))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" {
		return ""
	}
	if u.Host = asciiHost(u); u.Host == "" {
		return ""
	}
	if u.Path == "" {
		u.Path = "/"
	}
	if s := u.String(); len(s) <= maxURL && !strings.ContainsAny(s, "<>\"") {
		return s
	}
	return ""
}

// escapeURL escapes characters that package url rejects or leaves as they are, as
// browsers do: invalid percent signs, spaces, <, >, " and non-ASCII characters after
// the host. Backslashes before the query are slashes.
func escapeURL(s string) string {
	var b strings.Builder
	authority := strings.HasPrefix(s, "//") || strings.Contains(s, "://") // until its third slash
	slashes, query := 0, false
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\\' && !query:
			c = '/'
		case c == '?' || c == '#':
			query = true
		}
		if c == '/' {
			slashes++
		}
		inHost := authority && slashes < 3 && !query
		switch {
		case c == '%' && !validEscape(s[i:]),
			!inHost && (c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"' || c == '`' || c == '^' || c == '{' || c == '}' || c == '|'):
			b.WriteByte('%')
			b.WriteByte("0123456789ABCDEF"[c>>4])
			b.WriteByte("0123456789ABCDEF"[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func validEscape(s string) bool {
	isHex := func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
	return len(s) >= 3 && isHex(s[1]) && isHex(s[2])
}

// asciiHost returns the host of a URL with its port, in lower case and with
// internationalized names in ASCII; "" if it is not a valid host.
func asciiHost(u *url.URL) string {
	host, port := u.Hostname(), u.Port()
	if port != "" {
		port = ":" + port
	}
	if strings.HasPrefix(u.Host, "[") {
		addr, err := netip.ParseAddr(host)
		if err != nil || addr.Zone() != "" {
			return ""
		}
		return "[" + addr.String() + "]" + port
	}
	if host = hostname.ASCII(host); host == "" {
		return ""
	}
	return host + port
}
