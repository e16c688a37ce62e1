package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"appliance/svc/translate/schemaorg"
)

// numberPattern matches a number with separators of thousands and decimals.
var numberPattern = regexp.MustCompile(`\d(?:[\d.,'’\x{a0}\x{202f}]*\d)?`)

// decimal returns the only number of a text as a decimal number with a point, such as
// "12.5" of "12,50 €" and "1234" of "$1,234". ok is false if the text has no number,
// several, or a negative one.
func decimal(text string) (value string, ok bool) {
	if text = onlyNumber(text); text == "" {
		return "", false
	}
	return normalize(text, true)
}

// onlyNumber returns the only number of a text, "" if there is none.
func onlyNumber(text string) string {
	at := numberPattern.FindAllStringIndex(text, 2)
	if len(at) != 1 || at[0][0] > 0 && text[at[0][0]-1] == '-' {
		return ""
	}
	return text[at[0][0]:at[0][1]]
}

// normalize converts a number to a decimal number with a point. If thousands is set, a
// single point or comma before three digits separates thousands, unless the number
// begins with 0.
func normalize(text string, thousands bool) (value string, ok bool) {
	text = strings.NewReplacer("'", "", "’", "", "\u00a0", "", "\u202f", "").Replace(text)
	whole, fraction := text, ""
	if last := strings.LastIndexAny(text, ".,"); last >= 0 {
		whole, fraction = text[:last], text[last+1:]
		single := !strings.ContainsAny(whole, ".,")
		if strings.Contains(whole, text[last:last+1]) || single && thousands && len(fraction) == 3 && whole != "0" {
			whole, fraction = text, ""
		}
	}
	whole = strings.TrimLeft(strings.NewReplacer(".", "", ",", "").Replace(whole), "0")
	if whole == "" {
		whole = "0"
	}
	if len(whole) > 12 || len(fraction) > 12 {
		return "", false
	}
	if strings.Trim(fraction, "0") == "" {
		return whole, true
	}
	return whole + "." + fraction, true
}

// exceeds reports whether a decimal number is larger than another.
func exceeds(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64) // decimal numbers are valid
	y, _ := strconv.ParseFloat(b, 64)
	return x > y
}

// outOfPattern matches ratings such as "4.5/5" and "4,5 von 5".
var outOfPattern = regexp.MustCompile(`^\s*(\d+(?:[.,]\d+)?)\s*(?:/|out of|of|von|sur|de)\s*(\d+(?:[.,]\d+)?)\b`)

// ratingValue returns the value of a rating, and the best possible one if the text
// states it, as in "4.5/5" and "90%".
func ratingValue(text string) (value, best string) {
	if m := outOfPattern.FindStringSubmatch(text); m != nil {
		value, ok1 := normalize(m[1], false)
		best, ok2 := normalize(m[2], false)
		if ok1 && ok2 {
			return trimRating(value), trimRating(best)
		}
	}
	one := onlyNumber(text)
	value, ok := normalize(one, false)
	switch {
	case one == "" || !ok:
		return "", ""
	case strings.HasSuffix(strings.TrimSpace(text), "%"):
		return trimRating(value), "100"
	}
	return trimRating(value), ""
}

// trimRating shortens a computed mean such as 4.666666667.
func trimRating(value string) string {
	if point := strings.IndexByte(value, '.'); point >= 0 && len(value) > point+3 {
		f, _ := strconv.ParseFloat(value, 64) // decimal numbers are valid
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	return value
}

// currencySigns contains the unambiguous currency signs.
var currencySigns = []struct{ sign, code string }{
	{"€", "EUR"}, {"£", "GBP"}, {"US$", "USD"}, {"zł", "PLN"}, {"₹", "INR"}, {"₺", "TRY"}, {"₴", "UAH"}, {"₪", "ILS"}, {"₽", "RUB"}, {"₩", "KRW"}, {"฿", "THB"}, {"₫", "VND"},
}

var currencyCode = regexp.MustCompile(`\b[A-Z]{3}\b`)

// currency returns the ISO 4217 code of a code or sign, "" if it is none.
func currency(text string) string {
	text = strings.TrimSpace(text)
	for _, c := range currencySigns {
		if c.sign == text {
			return c.code
		}
	}
	if code := strings.ToUpper(text); len(code) == 3 && currencyCode.MatchString(code) {
		return code
	}
	return ""
}

// priceCurrency returns the currency in the text of a price, "" if it has none.
func priceCurrency(text string) string {
	for _, c := range currencySigns {
		if strings.Contains(text, c.sign) {
			return c.code
		}
	}
	return currencyCode.FindString(text)
}

// currencyWords are the words next to a price that only name its currency.
var currencyWords = []string{"euro", "euros", "dollar", "dollars", "pound", "pounds", "kr", "fr", "rs", "zł", "kč", "ft", "us", "ca", "au"}

// isAmount reports whether a text with one number is only an amount: the rest is a
// currency or punctuation.
func isAmount(text string) bool {
	before, after, _ := strings.Cut(text, onlyNumber(text))
	if strings.ContainsAny(before, "-–—<>") || strings.ContainsAny(after, "%/") {
		return false
	}
	for word := range strings.FieldsFuncSeq(before+" "+after, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if !currencyCode.MatchString(word) && !slices.Contains(currencyWords, strings.ToLower(word)) {
			return false
		}
	}
	return true
}

// price parses a price. A text that is not only an amount, such as "Free – 15", becomes
// the label. code is the currency; if it is "", the currency is taken from the text.
func price(text, code string) (p Price, ok bool) {
	if text = plain(text, 80); text == "" {
		return p, false
	}
	if p.Currency = code; code == "" {
		p.Currency = priceCurrency(text)
	}
	if amount, ok := decimal(text); ok && isAmount(text) {
		p.Amount = amount
		return p, true
	}
	p.Label = text
	return p, true
}

// maxPrices is the maximum number of prices of a dish or an event.
const maxPrices = 8

// prices returns the prices of the offers in properties, with the names of the offers as
// labels.
func (r *reader) prices(n *schemaorg.Node, properties ...string) (list []Price) {
	for _, p := range properties {
		for _, v := range valuesOf(n, p) {
			if v.Node == nil {
				list = r.addPrice(list, v.Text, "", "")
			} else {
				list = r.offer(list, v.Node, 0)
			}
		}
	}
	return list
}

// offer adds the prices of an Offer, an AggregateOffer or a PriceSpecification.
func (r *reader) offer(list []Price, n *schemaorg.Node, depth int) []Price {
	if depth > 3 {
		return list
	}
	code, name := currency(plain(textOf(n, "priceCurrency"), maxLine)), plain(textOf(n, "name"), 80)
	for _, text := range textsOf(n, "price") {
		list = r.addPrice(list, text, code, name)
	}
	low, high := textOf(n, "lowPrice", "minPrice"), textOf(n, "highPrice", "maxPrice")
	switch {
	case len(textsOf(n, "price")) > 0:
		return list
	case low != "" && high != "" && low != high:
		return r.addPrice(list, low+" – "+high, code, name)
	case low != "":
		return r.addPrice(list, low, code, name)
	}
	before := len(list)
	for _, part := range nodesOf(n, "priceSpecification", "offers") {
		list = r.offer(list, part, depth+1)
	}
	if name != "" && len(list) == before+1 && list[before].Label == "" {
		list[before].Label = r.limitText(name)
	}
	return list
}

// addPrice adds a price unless it is in the list.
func (r *reader) addPrice(list []Price, text, code, name string) []Price {
	p, ok := price(text, code)
	if !ok || len(list) >= maxPrices {
		return list
	}
	if p.Label == "" {
		p.Label = name
	}
	for _, other := range list {
		if other == p {
			return list
		}
	}
	p.Amount, p.Currency, p.Label = r.limitText(p.Amount), r.limitText(p.Currency), r.limitText(p.Label)
	if p.Amount == "" && p.Label == "" {
		return list
	}
	return append(list, p)
}

// line returns a price as "12.50 EUR" or "small: 12.50 EUR".
func (p Price) line() string {
	if p.Amount == "" {
		return p.Label
	}
	return join(": ", p.Label, join(" ", p.Amount, p.Currency))
}
