package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"

	"appliance/svc"
)

// Limits of texts of results.
const (
	maxWebAddress = 2000 // bytes
	maxAddress    = 300  // characters
	maxKind       = 80   // bytes
)

// number is a JSON number that some servers write as a string.
type number float64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *number) UnmarshalJSON(text []byte) error {
	text = trimQuotes(text)
	f, err := strconv.ParseFloat(string(text), 64)
	*n = number(f)
	return err
}

// identifier is a whole number that some servers write as a string.
type identifier int64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *identifier) UnmarshalJSON(text []byte) error {
	i, err := strconv.ParseInt(string(trimQuotes(text)), 10, 64)
	*n = identifier(i)
	return err
}

func trimQuotes(text []byte) []byte {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

// text is a JSON string; values of other types are empty.
type text string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
	}
	return nil
}

// parseItems parses the items of a list, up to limit. It leaves out items that
// have another form. It fails if no item of a list can be used.
func parseItems[Item, Result any](items []json.RawMessage, limit int, convert func(Item) (Result, bool)) ([]Result, error) {
	var list []Result
	for _, raw := range items {
		var item Item
		if json.Unmarshal(raw, &item) != nil {
			continue
		}
		if result, ok := convert(item); ok {
			if list = append(list, result); len(list) == limit {
				break
			}
		}
	}
	if len(list) == 0 && len(items) > 0 {
		return nil, fmt.Errorf("none of %d results has the expected form", len(items))
	}
	return list, nil
}

var errNotList = errors.New("the response has no list of results")

// plainText returns a text without markup, on one line, of up to limit characters.
// Servers escape the markup of a page once or twice.
func plainText(t text, limit int) string {
	s := stripTags(string(t))
	for range 2 {
		s = stripTags(html.UnescapeString(s))
	}
	return svc.SingleLine(strings.Join(strings.Fields(s), " "), limit)
}

// stripTags removes everything that begins like a tag, up to its end.
func stripTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		if c := s[i+1]; c != '/' && c != '!' && c != '?' && (c|0x20 < 'a' || c|0x20 > 'z') {
			b.WriteByte('<')
			s = s[i+1:]
			continue
		}
		b.WriteByte(' ')
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			return b.String()
		}
		s = s[i+end+1:]
	}
}

// webAddress returns an absolute address of the web, or "" if the text is none.
func webAddress(t text) string {
	address := strings.TrimSpace(string(t))
	if len(address) > maxWebAddress {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return ""
	}
	if address = u.String(); len(address) > maxWebAddress || strings.ContainsAny(address, "<>\"\\ ") {
		return ""
	}
	return address
}

// website returns the first address of a tag such as "example.org; example.com".
func website(t text) string {
	first, _, _ := strings.Cut(string(t), ";")
	first = strings.TrimSpace(first)
	if first != "" && !strings.Contains(first, "://") && !strings.HasPrefix(strings.ToLower(first), "mailto:") {
		first = "https://" + first
	}
	return webAddress(text(first))
}

// kindOf returns the kind of a place, "" if it is not a tag of OpenStreetMap.
func kindOf(key, value text) string {
	k := string(key) + "=" + string(value)
	valid := !strings.ContainsFunc(k, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-:=", r)
	})
	if key == "" || value == "" || len(k) > maxKind || !valid {
		return ""
	}
	return k
}
