package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/reader/pbf"
	"appliance/svc/maps/tile"
)

// maxText limits the length of a stored name or tag, in bytes. OpenStreetMap permits
// 255 characters.
const maxText = 1020

// maxNames limits the names of one place.
const maxNames = 300

// placeOf returns a place with the kind, the name and the tags that describe it. ok
// is false if the tags make no place.
func placeOf(tags map[string]string) (p mapdata.Place, ok bool) {
	p.Name = name(tags)
	if p.Name != "" && tags["name"] == "" {
		tags["name"] = p.Name
		defer delete(tags, "name")
	}
	if p.Kind, p.Category, p.Importance = kind.Of(tags); p.Kind == "" {
		return p, false
	}
	describe(&p, tags)
	return p, true
}

// describe sets the names, the address and the tags of a place.
func describe(p *mapdata.Place, tags map[string]string) {
	p.Name, p.Names, p.Tags, p.Address = name(tags), names(tags), selectTags(tags), address(tags)
}

// name returns the name of an element in the local language. Without one, it
// returns the English or international name.
func name(tags map[string]string) string {
	for _, key := range []string{"name", "name:en", "int_name"} {
		if v := cleanText(tags[key]); v != "" {
			return v
		}
	}
	return ""
}

// labelName returns the name of an element for its label on the map: the name, or if
// it cannot be drawn, the English or international name, or the first that can be
// drawn in the order of languages.
func labelName(tags map[string]string) string {
	local := name(tags)
	if tile.CanDraw(local) {
		return local
	}
	for _, key := range []string{"name:en", "int_name"} {
		if v := cleanText(tags[key]); v != "" && tile.CanDraw(v) {
			return v
		}
	}
	best := ""
	for key := range tags {
		language, ok := strings.CutPrefix(key, "name:")
		if v := cleanText(tags[key]); ok && isLanguage(language) && v != "" && tile.CanDraw(v) && (best == "" || key < best) {
			best = key
		}
	}
	if best == "" {
		return local
	}
	return cleanText(tags[best])
}

// otherNames are the keys of names that are not names in a language.
var otherNames = []string{"alt_name", "official_name", "short_name", "old_name", "loc_name", "int_name", "reg_name", "nat_name"}

// names returns the other names of an element: by language, such as "de", and by
// their key, such as "alt_name".
func names(tags map[string]string) (names map[string]string) {
	add := func(key, value string) {
		value = cleanText(value)
		if value == "" || len(names) == maxNames {
			return
		}
		if names == nil {
			names = make(map[string]string)
		}
		names[key] = value
	}
	for key, value := range tags {
		if language, ok := strings.CutPrefix(key, "name:"); ok && isLanguage(language) {
			add(language, value)
		}
	}
	for _, key := range otherNames {
		add(key, tags[key])
	}
	return names
}

// isLanguage reports whether text can be a language tag, such as "de" or "zh-Hant".
func isLanguage(text string) bool {
	for _, r := range text {
		if r != '-' && r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return false
		}
	}
	primary, _, _ := strings.Cut(text, "-")
	return len(primary) >= 2 && len(primary) <= 3 && len(text) <= 20
}

// storedTags are the tags of a place that are stored, each with the keys it may have in
// a file, the preferred first.
var storedTags = map[string][]string{
	"website":       {"website", "contact:website", "url"},
	"phone":         {"phone", "contact:phone", "contact:mobile"},
	"email":         {"email", "contact:email"},
	"opening_hours": {"opening_hours"},
	"cuisine":       {"cuisine"},
	"brand":         {"brand"},
	"operator":      {"operator"},
	"ref":           {"ref"},
	"wikidata":      {"wikidata"},
	"wheelchair":    {"wheelchair"},
	"population":    {"population"},
}

// selectTags returns the tags of a place that are stored.
func selectTags(tags map[string]string) (stored map[string]string) {
	for key, sources := range storedTags {
		for _, source := range sources {
			value, ok := tags[source]
			if !ok {
				continue
			}
			if value = cleanText(value); value != "" {
				if stored == nil {
					stored = make(map[string]string)
				}
				stored[key] = value
				break
			}
		}
	}
	return stored
}

// address returns the address in the tags of an element.
func address(tags map[string]string) mapdata.Address {
	a := mapdata.Address{
		HouseNumber: cleanText(tags["addr:housenumber"]), Street: cleanText(tags["addr:street"]), Postcode: cleanText(tags["addr:postcode"]), City: cleanText(tags["addr:city"]),
	}
	if a.Street == "" {
		a.Street = cleanText(tags["addr:place"])
	}
	if country := cleanText(tags["addr:country"]); isCountry(country) {
		a.Country = strings.ToUpper(country)
	}
	return a
}

// isCountry reports whether code can be an ISO 3166-1 alpha-2 code.
func isCountry(code string) bool {
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
	return len(code) == 2 && letter(code[0]) && letter(code[1])
}

// cleanText returns a value as it is stored: valid UTF-8, without control characters and
// surrounding spaces, and not longer than maxText.
func cleanText(value string) string {
	plain := true
	for i := 0; i < len(value) && plain; i++ {
		plain = value[i] > ' ' && value[i] < 0x7f
	}
	if plain && len(value) <= maxText {
		return value
	}
	value = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(value, ""))
	value = strings.TrimSpace(value)
	if len(value) > maxText {
		end := maxText
		for !utf8.RuneStart(value[end]) {
			end--
		}
		value = value[:end]
	}
	return value
}

// setTags replaces the content of a map by tags.
func setTags(m map[string]string, tags []pbf.Tag) {
	clear(m)
	for _, t := range tags {
		m[t.Key] = t.Value
	}
}
