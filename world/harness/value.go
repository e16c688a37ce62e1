package harness

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// value is a JSON value and its path, which begins with the request that
// returned it: "GET /world/runtime: objects[0].title". An absent value is nil
// and has no parts.
type value struct {
	v    any
	path string
}

// at returns the part at a path of keys, and v itself for an empty path.
func (v value) at(path string) value {
	if path == "" {
		return v
	}
	for key := range strings.SplitSeq(path, ".") {
		v = v.key(key)
	}
	return v
}

// key returns the part with a key, which may contain dots.
func (v value) key(key string) value {
	object, _ := v.v.(map[string]any)
	return value{object[key], join(v.path, key)}
}

// join appends a key to a path.
func join(path, key string) string {
	switch {
	case path == "":
		return key
	case strings.HasSuffix(path, ":"):
		return path + " " + key
	}
	return path + "." + key
}

// has reports whether an object has a key.
func (v value) has(key string) bool {
	object, _ := v.v.(map[string]any)
	_, ok := object[key]
	return ok
}

// str returns a string, and "" for any other value.
func (v value) str() string {
	s, _ := v.v.(string)
	return s
}

// list returns the items of an array, and none for any other value.
func (v value) list() []value {
	array, _ := v.v.([]any)
	list := make([]value, len(array))
	for i, item := range array {
		list[i] = value{item, v.path + "[" + strconv.Itoa(i) + "]"}
	}
	return list
}

// strings returns the strings of an array.
func (v value) strings() (list []string) {
	for _, item := range v.list() {
		if s, ok := item.v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// keys returns the keys of an object in order.
func (v value) keys() []string {
	object, _ := v.v.(map[string]any)
	keys := slices.AppendSeq(make([]string, 0, len(object)), maps.Keys(object))
	slices.Sort(keys)
	return keys
}

// fields yields the keys and values of an object, sorted by key.
func (v value) fields() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		for _, key := range v.keys() {
			if !yield(key, v.key(key)) {
				return
			}
		}
	}
}

// number returns the value of a JSON number. ok is false for any other value.
func (v value) number() (n float64, ok bool) {
	number, _ := v.v.(json.Number)
	n, err := number.Float64()
	return n, err == nil
}

// integer returns an integer, and -1 for any other value.
func (v value) integer() int {
	n, ok := v.number()
	if !ok || !v.is("integer") {
		return -1
	}
	return int(n)
}

// isTrue reports whether v is true.
func (v value) isTrue() bool { return v.v == true }

// is reports whether v has a JSON type. In addition to the JSON types, there is
// "integer", a number without a fraction, and "text", a string that is not
// blank.
func (v value) is(kind string) bool {
	switch x := v.v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string" || kind == "text" && strings.TrimSpace(x) != ""
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	case json.Number:
		if kind == "integer" {
			// big.Float parses an exponent of a thousand digits without expanding it.
			r, ok := new(big.Float).SetString(x.String())
			return ok && r.IsInt()
		}
		return kind == "number"
	}
	return false
}

// String returns the JSON text, truncated for a report.
func (v value) String() string {
	encoded, err := json.Marshal(v.v)
	if err != nil {
		return fmt.Sprint(v.v)
	}
	return truncate(string(encoded), 80)
}

// equalJSON reports whether two values are the same JSON.
func equalJSON(a, b value) bool {
	x, errX := json.Marshal(a.v)
	y, errY := json.Marshal(b.v)
	return errX == nil && errY == nil && string(x) == string(y)
}

// all yields v and every value within it, with its key. The items of an array
// have the key of the array.
func (v value) all() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) { v.walk("", yield) }
}

func (v value) walk(key string, yield func(string, value) bool) bool {
	if !yield(key, v) {
		return false
	}
	for k, part := range v.fields() {
		if !part.walk(k, yield) {
			return false
		}
	}
	for _, item := range v.list() {
		if !item.walk(key, yield) {
			return false
		}
	}
	return true
}

// without returns a copy of v that lacks the keys at every depth.
func (v value) without(keys ...string) value {
	switch x := v.v.(type) {
	case map[string]any:
		object := make(map[string]any, len(x))
		for key, part := range x {
			if !slices.Contains(keys, key) {
				object[key] = value{part, ""}.without(keys...).v
			}
		}
		return value{object, v.path}
	case []any:
		array := make([]any, len(x))
		for i, item := range x {
			array[i] = value{item, ""}.without(keys...).v
		}
		return value{array, v.path}
	}
	return v
}

// byID returns the records of a list by the strings of a key.
func byID(list value, key string) map[string]value {
	records := make(map[string]value)
	for _, v := range list.list() {
		records[v.at(key).str()] = v
	}
	return records
}

// sortedIDs returns the strings of a key in a list of records, sorted.
func sortedIDs(v value, list, key string) (ids []string) {
	for _, item := range v.at(list).list() {
		ids = append(ids, item.at(key).str())
	}
	slices.Sort(ids)
	return ids
}

// truncate shortens a text for a report and makes it one line of printable
// characters: the text may come from another server and must not control a
// terminal.
func truncate(text string, limit int) string {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return '?'
	}
	text = strings.Join(strings.Fields(strings.Map(printable, strings.ToValidUTF8(text, "?"))), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
