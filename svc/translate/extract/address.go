package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"appliance/svc/translate/schemaorg"
)

// address returns the first address of the properties: a PostalAddress, another node
// with the same properties, or a text. It returns nil if there is none.
func (r *reader) address(n *schemaorg.Node, properties ...string) *Address {
	for _, p := range properties {
		for _, v := range valuesOf(n, p) {
			if a := r.addressOf(v); a != nil {
				return a
			}
		}
	}
	return nil
}

func (r *reader) addressOf(v schemaorg.Value) *Address {
	if v.Node == nil {
		return r.textAddress(v.Text)
	}
	n := v.Node
	a := Address{
		Street:   r.line(n, "streetAddress"),
		Locality: r.line(n, "addressLocality"),
		Region:   r.line(n, "addressRegion"),
		Postcode: r.line(n, "postalCode"),
		Country:  r.name(n, "addressCountry"),
	}
	if box := r.line(n, "postOfficeBoxNumber"); a.Street == "" {
		a.Street = box
	}
	if a.Text = r.limitText(plain(a.format(), 4*maxLine)); a.Text != "" {
		return &a
	}
	if len(n.Types) == 0 || n.Is("PostalAddress") {
		return r.textAddress(textOf(n, "name", "@value"))
	}
	return nil
}

func (r *reader) textAddress(text string) *Address {
	text = strings.NewReplacer("\r\n", ", ", "\n", ", ").Replace(strings.TrimSpace(text))
	if text = plain(text, maxLine); strings.Trim(text, ", ") == "" || isURL(text) {
		return nil
	}
	if text = r.limitText(text); text == "" {
		return nil
	}
	return &Address{Text: text}
}

// postcodeLast lists countries that write the postcode after the locality.
var postcodeLast = []string{"US", "USA", "UNITED STATES", "CA", "CANADA", "AU", "AUSTRALIA", "GB", "UK", "UNITED KINGDOM", "IE", "IRELAND", "NZ", "NEW ZEALAND", "IN", "INDIA"}

// format returns the address on one line.
func (a Address) format() string {
	town := []string{join(" ", a.Postcode, a.Locality), a.Region}
	if slices.Contains(postcodeLast, strings.ToUpper(a.Country)) || isState(a.Region) {
		town = []string{a.Locality, join(" ", a.Region, a.Postcode)}
	}
	return join(", ", a.Street, town[0], town[1], a.Country)
}

// isState reports whether a region is a two-letter abbreviation, such as a state of the
// United States.
func isState(region string) bool {
	return len(region) == 2 && strings.ToUpper(region) == region && region[0] >= 'A'
}

// join joins the texts that are not empty.
func join(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), separator)
}

// geo returns the coordinates of a node or of its property geo, nil if it has none.
func geo(n *schemaorg.Node) *Geo {
	for _, of := range append(nodesOf(n, "geo"), n) {
		latitude, err1 := coordinate(textOf(of, "latitude"), 90)
		longitude, err2 := coordinate(textOf(of, "longitude"), 180)
		if err1 == nil && err2 == nil && (latitude != 0 || longitude != 0) {
			return &Geo{latitude, longitude}
		}
	}
	return nil
}

// coordinate parses a number of degrees between -limit and limit.
func coordinate(text string, limit float64) (float64, error) {
	value, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err == nil && !(value >= -limit && value <= limit) {
		err = strconv.ErrRange
	}
	return value, err
}

// phoneLabel matches a word before a number, such as "Tel.:".
var phoneLabel = regexp.MustCompile(`(?i)^(?:tel|telefon|telephone|phone|call|fon|ph|t|mobil|mobile)\b[.:\s]*`)

// phone returns a telephone number as the page writes it, "" if the text is not a number
// or a placeholder such as "+1-XXX-XXX-XXXX".
func phone(text string) string {
	text = strings.TrimSpace(plain(text, maxLine))
	if len(text) > 4 && strings.EqualFold(text[:4], "tel:") {
		text, _, _ = strings.Cut(strings.ReplaceAll(text[4:], "%20", " "), ";")
	}
	text = strings.TrimSpace(phoneLabel.ReplaceAllString(strings.TrimSpace(text), ""))
	digits := phoneKey(text)
	rest := strings.ToLower(strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || strings.ContainsRune("+-–.()/ \u00a0", c) {
			return -1
		}
		return c
	}, text))
	number := strings.TrimLeft(digits, "+")
	if len(number) < 5 || len(number) > 20 || len(text) > 40 || strings.Trim(number, number[:1]) == "" {
		return ""
	}
	if rest != "" && rest != "ext" && rest != "x" && rest != "extension" {
		return ""
	}
	return text
}

// phoneKey returns the digits of a telephone number, to compare numbers.
func phoneKey(text string) string {
	return strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, text)
}

// isSamePhone reports whether two telephone numbers are equal, with or without the
// country code.
func isSamePhone(a, b string) bool {
	a, b = strings.TrimLeft(phoneKey(a), "0"), strings.TrimLeft(phoneKey(b), "0")
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

var emailPattern = regexp.MustCompile(`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{2,24}$`)

// email returns an e-mail address without the prefix "mailto:", "" if the text is not an
// address.
func email(text string) string {
	text = strings.TrimSpace(plain(text, maxLine))
	if len(text) > 7 && strings.EqualFold(text[:7], "mailto:") {
		text, _, _ = strings.Cut(text[7:], "?")
	}
	if len(text) > 254 || !emailPattern.MatchString(text) {
		return ""
	}
	return text
}

// phones adds the telephone numbers of a property to a list.
func (r *reader) phones(list []string, n *schemaorg.Node, property string) []string {
	for _, text := range textsOf(n, property) {
		number := phone(text)
		if number != "" && !slices.ContainsFunc(list, func(other string) bool { return isSamePhone(other, number) }) {
			list = r.add(list, number)
		}
	}
	return list
}

// emails adds the e-mail addresses of a property to a list.
func (r *reader) emails(list []string, n *schemaorg.Node, property string) []string {
	for _, text := range textsOf(n, property) {
		list = r.add(list, email(text))
	}
	return list
}
