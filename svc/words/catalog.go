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
// tag. That of English has no texts of the server and no names of months and days, which are in
// the source.
type Catalog struct {
	Name    string            `json:"name"`    // of the language, in this language
	Formats Formats           `json:"formats"` // of the language without a region
	Regions map[string]Region `json:"regions"` // by the ISO 3166 code

	// Server has the texts of the server by their English ones.
	Server map[string]string `json:"server"`

	// App has the messages of the web app by area and key. assets/web/words/message.js has their syntax.
	App map[string]map[string]string `json:"app"`

	formatters []formatter      // of the language, and then of its regions
	regions    map[string]uint8 // indexes of formatters, 0 if the formats are those of the language
}

// catalogs are the catalogs, and Tags the BCP 47 tags of their languages, by Language.catalog.
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
		c.addFormatters()
		list = append(list, c)
		tags = append(tags, language.MustParse(strings.TrimSuffix(path.Base(name), ".json")))
	}
	return list, tags
}

// Languages returns the languages with a catalog, without a region.
func Languages() (list []Language) {
	for i := range catalogs {
		list = append(list, Language{catalog: uint8(i)})
	}
	return list
}

// Catalog returns the catalog of the language l. Callers must not change it.
func (l Language) Catalog() *Catalog { return catalogs[l.catalog] }

// Tag returns the BCP 47 tag of the catalog of the language l.
func (l Language) Tag() language.Tag { return Tags[l.catalog] }

// WithoutRegion returns the language l with the formats of the language alone.
func (l Language) WithoutRegion() Language { return Language{catalog: l.catalog} }

// AppFiles returns the messages of the web app as files in JSON, by names such as
// de/social.json.
func AppFiles() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, l := range Languages() {
		for area, messages := range l.Catalog().App {
			text, err := json.Marshal(messages)
			if err != nil {
				return nil, err
			}
			files[l.Tag().String()+"/"+area+".json"] = text
		}
	}
	return files, nil
}
