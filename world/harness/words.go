package harness

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// screenWords may stand in no key, no machine word and no address of the
// canonical dataset (B-78).
var screenWords = []string{
	"html", "css", "dom", "panel", "surface", "stack", "rail", "dock", "renderer", "viewport", "slot", "marker", "card", "mesh",
}

// screenWord returns the word of screens in a name, "" if there is none. Names
// are split at what is neither letter nor digit, and where a capital begins.
func screenWord(name string) string {
	var words []string
	begin, before := 0, rune(0)
	for i, r := range name + "_" {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.IsUpper(r) && unicode.IsLower(before) {
			words = append(words, strings.ToLower(name[begin:i]))
			begin = i
			if !unicode.IsUpper(r) {
				begin += len(string(r))
			}
			begin = min(begin, len(name))
		}
		before = r
	}
	for _, word := range words {
		for _, w := range screenWords {
			if word == w || word == w+"s" || word == w+"es" {
				return w
			}
		}
	}
	return ""
}

// machineKey tells keys whose strings are words between machines. All others
// may hold what a member wrote.
var machineKey = regexp.MustCompile(`^(id|kind|type|state|status|area|reason|section|service|availability|method|capability|encodings|url|.+_(id|ids|type|kind|state|status|service|url|fields))$`)

// foreignKeys look like those, and hold what others have made up.
var foreignKeys = []string{"resource_id", "source_id", "finding_id", "source_url", "primary_url"}

func isMachine(key string) bool {
	return machineKey.MatchString(key) && !slices.Contains(foreignKeys, key)
}

// markup begins a tag of HTML.
var markup = regexp.MustCompile(`<[A-Za-z!/][^>]{0,40}`)

// systemKey tells keys whose strings the system wrote for people. Labels may
// quote a member.
func isSystem(key string) bool { return isMachine(key) || key == "message" || key == "label" }

// secretKey tells keys that have no business in a dataset.
var secretKey = regexp.MustCompile(`(?i)(^|_)(token|tokens|password|passwords|passwd|secret|secrets|cookie|cookies|hash|credential|credentials|api_?key|authorization)($|_)`)

// moment is what looks like a time of day.
var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d`)

// isUTC reports whether it is RFC 3339 in UTC, written with Z.
func isUTC(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil && strings.HasSuffix(text, "Z")
}

// isLocal reports whether it is a wall clock's time, without an offset.
func isLocal(text string) bool {
	_, err := time.Parse("2006-01-02T15:04:05", text)
	return err == nil
}

// writtenKeys hold what members write, or suggest them to write: a time there
// is text.
var writtenKeys = []string{"title", "summary", "label", "body", "description", "note", "default", "value", "display_name", "name", "bio", "message", "query", "uid"}

// times checks every time of a document (PT-43): in UTC, or local with the time
// zone in the same record or one around it. A time zone that is null is said,
// too: the time is that of the clock on the wall, wherever that is.
func times(f *findings, about string, v value) { timesIn(f, about, "", v, false) }

func timesIn(f *findings, about, key string, v value, zone bool) {
	zone = zone || v.has("timezone")
	text := v.str()
	switch {
	case isText(key):
		return
	case moment.MatchString(text):
		if !isUTC(text) && !(isLocal(text) && zone) {
			f.add("%s: %s is %q, neither RFC 3339 with Z nor local with a time zone beside it", about, v.path, text)
		}
	case strings.HasSuffix(key, "_at") && !v.is("null") && !v.is("object") && !v.is("array"):
		f.add("%s: %s is %v, not a time", about, v.path, v)
	}
	for k, part := range v.fields() {
		timesIn(f, about, k, part, zone)
	}
	for _, item := range v.list() {
		timesIn(f, about, key, item, zone)
	}
}

// internalPath is an address of a service behind World.
var internalPath = regexp.MustCompile(`^/(messages|objects|social|runtime|surfaces?|find|maps|identity|events|tasks|integrations|admin)([/?]|$)`)

// isWorldURL reports whether an address is one of World: a path below /world/
// without host, as every runtime may send it.
func isWorldURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && u.Fragment == "" && strings.HasPrefix(address, "/world/") &&
		!strings.Contains(u.Path, "/../") && !strings.Contains(u.Path, "//")
}

// isAddress reports whether a text leads somewhere.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "http:") || strings.HasPrefix(text, "https:")
}

// published is an address that a document tells runtimes of, with how it is to
// be used.
type published struct {
	url    value
	method string // "" if only a write
	kind   string // of what is done there
	form   value  // the record with fixed fields and controls, if there is one
}

// publications finds every address in a document that a runtime may use:
// complete requests, addresses by name, links, navigation.
func publications(doc value) (list []published) {
	for _, v := range doc.each() {
		if v.at("url").is("text") && v.at("method").is("text") {
			list = append(list, published{v.at("url"), v.at("method").str(), v.at("type").str(), v})
		}
		for key, part := range v.fields() {
			switch key {
			case "nav":
				for _, item := range part.list() {
					if item.at("action").is("text") {
						list = append(list, published{url: item.at("action"), method: "GET", kind: key})
					}
				}
			case "content_source":
				if part.is("text") {
					list = append(list, published{url: part, method: "GET", kind: key})
				} else if part.at("kind").str() == "runtime_panel" {
					list = append(list, published{url: part.at("url"), method: "GET", kind: key})
				}
			case "actions", "links", "commands", "navigation":
				list = append(list, named(key, part)...)
			}
		}
	}
	return list
}

// named returns the addresses of an object that has them by name. Those of
// open_… and links are for GET, others for a write; templates are made
// into addresses by runtimes, and stand ready beside them.
func named(key string, v value) (list []published) {
	for name, url := range v.fields() {
		if !url.is("text") || strings.Contains(url.str(), "{") {
			continue
		}
		method := ""
		switch {
		case key == "links" || key == "navigation" || strings.HasPrefix(name, "open_") && key == "actions":
			method = "GET"
		case key == "commands":
			method = "POST"
		}
		list = append(list, published{url: url, method: method, kind: key + "." + name})
	}
	return list
}
