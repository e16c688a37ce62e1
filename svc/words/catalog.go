package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"appliance/assets"
)

// Catalog has the texts of a language. assets/words has a file for each of them, by its BCP 47
// tag. That of English has no texts of the server, which are in the source, and no formats.
type Catalog struct {
	Name    string            `json:"name"`    // of the language, in this language
	Regions map[string]string `json:"regions"` // names with examples of dates and numbers, by the region of their format
	Formats Formats           `json:"formats"`

	// Server has the texts of the server by their English ones.
	Server map[string]string `json:"server"`

	// App has the messages of the web app by area and key. assets/web/words/message.js has their syntax.
	App map[string]map[string]string `json:"app"`

	names *strings.Replacer // see Formats.names
}

// Formats are the formats of the server in a language. The fields of English are empty.
type Formats struct {
	Decimal       string   `json:"decimal"`        // separator, such as ","
	Day           string   `json:"day"`            // the layout "2 Jan" in this language, such as "2. Jan"
	Months        []string `json:"months"`         // from January
	MonthsShort   []string `json:"months_short"`   // from January
	Weekdays      []string `json:"weekdays"`       // from Sunday
	WeekdaysShort []string `json:"weekdays_short"` // from Sunday
}

// catalogs are the catalogs, and Tags the BCP 47 tags of their languages, by Language.
var catalogs, Tags = loadCatalogs()

var matcher = language.NewMatcher(Tags)

// loadCatalogs returns the catalogs and their tags. English comes first, because it replaces
// other languages.
func loadCatalogs() (list []*Catalog, tags []language.Tag) {
	names, err := fs.Glob(assets.Files, "words/*.json")
	if err != nil {
		panic(err) // the pattern is constant
	}
	const english = "words/en.json"
	names = slices.Insert(slices.DeleteFunc(names, func(name string) bool { return name == english }), 0, english)
	for _, name := range names {
		data, err := fs.ReadFile(assets.Files, name)
		c := new(Catalog)
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(data))
			d.DisallowUnknownFields()
			err = d.Decode(c)
		}
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // the file is embedded in the program
		}
		c.names = c.Formats.names()
		list = append(list, c)
		tags = append(tags, language.MustParse(strings.TrimSuffix(path.Base(name), ".json")))
	}
	return list, tags
}

// Catalog returns the catalog of the language l. Callers must not change it.
func (l Language) Catalog() *Catalog { return catalogs[l] }

// AppFiles returns the messages of the web app as files in JSON, by names such as
// de/social.json.
func AppFiles() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for l, c := range catalogs {
		for area, messages := range c.App {
			text, err := json.Marshal(messages)
			if err != nil {
				return nil, err
			}
			files[Tags[l].String()+"/"+area+".json"] = text
		}
	}
	return files, nil
}
