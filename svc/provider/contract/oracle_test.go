package contract_test

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"appliance/svc/provider/contract"
	"appliance/world/worldtest"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/net/html"
)

// oracle decides independently of the package whether a payload is valid: it applies
// the schema to the whole payload and reads the rules of B-77 and B-78 literally.
type oracle struct {
	schema *jsonschema.Schema
}

func newOracle(t testing.TB) oracle {
	t.Helper()
	return oracle{worldtest.Compile(t, contract.SourceContract.Name, encode(t, schemaOf(t, contract.SourceContract)))}
}

// reason returns a reason for which a payload is invalid, "" if it is valid.
func (o oracle) reason(t testing.TB, text []byte, provider string) string {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err.Error()
	}
	if err := o.schema.Validate(tree); err != nil {
		return err.Error()
	}
	if reason := oracleWalk(tree, "", ""); reason != "" {
		return reason
	}
	return oracleReferences(tree, provider)
}

var (
	capital = regexp.MustCompile(`([a-z])([A-Z])|([A-Z])([A-Z][a-z])`)
	terms   = regexp.MustCompile(`_(html|css|dom|javascript|uikit|appkit|swiftui|jetpack_compose|react|renderer|runtime|panel|dock|rail|stack|card|` +
		`marker|mesh|platform|surface|viewport|slot)(s|es)?_`)
	compounds  = regexp.MustCompile(`_(surface_runtime|field_runtime|runtime_panel)s?_`)
	control    = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{9f}]`)
	hiding     = regexp.MustCompile(`[\x{2028}-\x{202e}\x{2066}-\x{2069}]`)
	titleKeys  = regexp.MustCompile(`/(title|label)$`)
	invisible  = regexp.MustCompile(`^[\pZ\pC\x{034f}\x{115f}\x{1160}\x{2800}\x{3164}\x{fe00}-\x{fe0f}\x{ffa0}]+$`)
	serverKeys = regexp.MustCompile(`_(world_object_id|runtime_object_id|command_url)s?_`)
	endpoint   = regexp.MustCompile(`^_(endpoint|url|href|uri|path)s?_$`)
	humanKeys  = regexp.MustCompile(`/(title|summary|label|default|value|version|generated_at|href|members(/\d+)?)$`)
	freeKeys   = regexp.MustCompile(`/(metadata|data)(/|$)`)
	inAction   = regexp.MustCompile(`^/actions/items/\d+/`)
	noLetters  = regexp.MustCompile(`[^a-z]+`)
)

// words returns a name as its words in lower case, each between underscores.
func words(name string) string {
	for range 2 { // matches may overlap
		name = capital.ReplaceAllString(name, "${1}${3}_${2}${4}")
	}
	name = noLetters.ReplaceAllString(strings.ToLower(name), "_")
	return "_" + strings.ReplaceAll(name, "_", "__") + "_"
}

// matchKey is a name with a pattern for its words.
type matchKey struct {
	pattern *regexp.Regexp
	name    string
}

// matchCache contains the results of matches, because most payloads have the
// same names.
var matchCache = make(map[matchKey]bool)

func matches(pattern *regexp.Regexp, name string) bool {
	key := matchKey{pattern, name}
	result, ok := matchCache[key]
	if !ok {
		result = pattern.MatchString(strings.ReplaceAll(words(name), "__", "_")) || pattern.MatchString(words(name))
		matchCache[key] = result
	}
	return result
}

// oracleWalk applies B-78 to the value at a path. key is the last key of the path
// that is not an index.
func oracleWalk(v any, path, key string) string {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			at := path + "/" + key
			if matches(terms, key) || matches(serverKeys, key) || oracleMarkup(key) || control.MatchString(key) || inAction.MatchString(at) && matches(endpoint, key) {
				return at + ": the key"
			}
			if reason := oracleWalk(inner, at, key); reason != "" {
				return reason
			}
		}
	case []any:
		for i, inner := range v {
			if reason := oracleWalk(inner, fmt.Sprintf("%s/%d", path, i), key); reason != "" {
				return reason
			}
		}
	case string:
		free := freeKeys.MatchString(path)
		human := free && strings.ContainsAny(strings.TrimSpace(v), " \t\n") || !free && humanKeys.MatchString(path)
		start := strings.ToLower(strings.TrimSpace(v))
		switch {
		case oracleMarkup(v), control.MatchString(v), hiding.MatchString(v):
			return path + ": markup, a control character or one that hides text"
		case titleKeys.MatchString(path) && !free && invisible.MatchString(v):
			return path + ": an invisible title"
		case human && regexpAnyWord(compounds, v), !human && matches(terms, v):
			return path + ": a term"
		case start == "/world", strings.HasPrefix(start, "/world/"):
			return path + ": an address"
		case inAction.MatchString(path) && (strings.HasPrefix(start, "http://") || strings.HasPrefix(start, "https://")):
			return path + ": a URL"
		}
	}
	return ""
}

func regexpAnyWord(pattern *regexp.Regexp, text string) bool {
	for word := range strings.FieldsSeq(text) {
		if matches(pattern, word) {
			return true
		}
	}
	return false
}

// oracleMarkup reports whether the tokenizer finds anything but text.
func oracleMarkup(text string) bool {
	z := html.NewTokenizer(strings.NewReader(text + " >"))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.TextToken:
		default:
			return true
		}
	}
}

// oracleReferences checks the references of a tree that its schema accepts.
func oracleReferences(tree any, provider string) (reason string) {
	fail := func(text string) {
		if reason == "" {
			reason = text
		}
	}
	at := func(v any, keys ...string) any {
		for _, key := range keys {
			m, _ := v.(map[string]any)
			v = m[key]
		}
		return v
	}
	list := func(v any) []any { l, _ := v.([]any); return l }
	items := func(section string) []any { return list(at(tree, section, "items")) }
	once := func(what string) func(any) {
		seen := make(map[string]bool)
		return func(v any) {
			if seen[fmt.Sprint(v)] {
				fail(what + " twice")
			}
			seen[fmt.Sprint(v)] = true
		}
	}
	if at(tree, "provider", "id") != provider {
		fail("provider")
	}
	objects, actions, resources := make(map[string]bool), make(map[string]string), make(map[string]bool)
	own := func(ref any) {
		if !objects[fmt.Sprint(ref)] {
			fail("no object " + fmt.Sprint(ref))
		}
	}
	isNew := once("object")
	for _, o := range items("objects") {
		if at(o, "source", "provider") != provider {
			fail("provider of an object")
		}
		isNew(at(o, "source"))
		objects[fmt.Sprint(at(o, "source"))] = true
	}
	isNew = once("action")
	for _, a := range items("actions") {
		isNew(at(a, "id"))
		own(at(a, "target_source"))
		actions[fmt.Sprint(at(a, "id"))] = fmt.Sprint(at(a, "target_source"))
		if p := at(a, "command", "provider"); p != nil && p != provider && p != "" {
			fail("provider of a command")
		}
		control := once("control")
		for _, c := range list(at(a, "input")) {
			control(at(c, "id"))
		}
	}
	isNew = once("resource")
	for _, r := range items("resources") {
		isNew(at(r, "id"))
		resources[fmt.Sprint(at(r, "id"))] = true
		if u, err := url.Parse(fmt.Sprint(at(r, "href"))); err != nil || u.Hostname() == "" {
			fail("href")
		}
	}
	for _, o := range items("objects") {
		for _, id := range list(at(o, "actions")) {
			if actions[fmt.Sprint(id)] != fmt.Sprint(at(o, "source")) {
				fail("action of another object, or none")
			}
		}
		for _, id := range list(at(o, "resources")) {
			if !resources[fmt.Sprint(id)] {
				fail("no resource")
			}
		}
	}
	isNew = once("relationship")
	for _, r := range items("relationships") {
		isNew(at(r, "id"))
		own(at(r, "source"))
	}
	isNew = once("collection")
	for _, c := range items("collections") {
		isNew(at(c, "id"))
		item := once("item")
		for _, ref := range list(at(c, "items")) {
			own(ref)
			item(ref)
		}
	}
	isNew = once("extension")
	for _, e := range items("extensions") {
		isNew(at(e, "id"))
		if target := at(e, "target"); target != nil {
			own(target)
		}
	}
	return reason
}
