package page

import (
	"bytes"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// isHTML reports whether the header permits HTML, and the body is not obviously
// something else, such as a picture.
func isHTML(contentType string, body []byte) bool {
	if contentType != "" {
		kind, _, err := mime.ParseMediaType(contentType)
		if err != nil && kind == "" {
			kind, _, _ = strings.Cut(contentType, ";")
			kind = strings.ToLower(strings.TrimSpace(kind))
		}
		if kind != "text/html" && kind != "application/xhtml+xml" {
			return false
		}
	}
	sniffed := http.DetectContentType(body)
	return strings.HasPrefix(sniffed, "text/") || sniffed == "application/octet-stream"
}

// looksLikeHTML reports whether a decoded document without a Content-Type is HTML or
// XHTML.
func looksLikeHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), sniffLength)])
	return strings.HasPrefix(http.DetectContentType(body), "text/html") || bytes.Contains(head, []byte("<html")) || bytes.Contains(head, []byte("<!doctype html"))
}

// sniffLength is the number of bytes in which a document declares its type and its
// encoding.
const sniffLength = 64 << 10

// Encoding declarations that the prescan of the HTML Standard does not find: a meta element
// after the first 1024 bytes, and an XML declaration.
var (
	lateMeta = regexp.MustCompile(`(?i)<meta\s[^>]*charset`)
	xmlDecl  = regexp.MustCompile(`^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)`)
)

// Decode returns the body of a response in UTF-8, without a byte order mark. Valid UTF-8
// wins over any declaration: sites that declare something else are misconfigured.
func Decode(contentType string, body []byte) []byte {
	if text, found := bytes.CutPrefix(body, []byte("\ufeff")); found {
		return bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	e := declaredEncoding(contentType, body)
	if e == nil || e == encoding.Nop {
		return bytes.ToValidUTF8(body, []byte("\ufffd"))
	}
	text, err := e.NewDecoder().Bytes(body)
	if err != nil {
		text = body
	}
	return bytes.ToValidUTF8(text, []byte("\ufffd"))
}

// declaredEncoding returns the declared encoding of a body, nil if the body is UTF-8.
func declaredEncoding(contentType string, body []byte) encoding.Encoding {
	e, name, certain := charset.DetermineEncoding(body, contentType)
	sevenBit := name == "iso-2022-jp" && bytes.IndexByte(body, 0x1b) >= 0
	sixteenBit := strings.HasPrefix(name, "utf-16") && certain && bytes.IndexByte(body, 0) >= 0
	if sevenBit || sixteenBit || bytes.HasPrefix(body, []byte{0xfe, 0xff}) || bytes.HasPrefix(body, []byte{0xff, 0xfe}) {
		return e
	}
	if isUTF8(body) {
		return nil
	}
	if certain || name != "windows-1252" {
		return e
	}
	if m := xmlDecl.FindSubmatch(body); m != nil {
		if declared, _ := charset.Lookup(string(m[1])); declared != nil {
			return declared
		}
	}
	if at := lateMeta.FindIndex(body[:min(len(body), sniffLength)]); at != nil {
		e, _, _ = charset.DetermineEncoding(body[at[0]:], "")
	}
	return e
}

// isUTF8 reports whether the body is UTF-8 with at most one invalid byte for 20
// non-ASCII characters, such as a truncated character at the end.
func isUTF8(body []byte) bool {
	if utf8.Valid(body) {
		return true
	}
	var valid, invalid int
	for len(body) > 0 {
		if body[0] < utf8.RuneSelf {
			body = body[1:]
			continue
		}
		r, size := utf8.DecodeRune(body)
		if r == utf8.RuneError && size == 1 {
			invalid++
		} else {
			valid++
		}
		body = body[size:]
	}
	return invalid*20 <= valid
}

// languageTag returns a language in the form of BCP 47 with the usual case, such as
// pt-BR; "" if it is invalid.
func languageTag(s string) string {
	s, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(s), "_", "-"), ",")
	if !language.MatchString(s) {
		return ""
	}
	parts := strings.Split(strings.ToLower(s), "-")
	for i, part := range parts[1:] {
		switch len(part) {
		case 2:
			parts[i+1] = strings.ToUpper(part)
		case 4:
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "-")
}

var language = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$`)
