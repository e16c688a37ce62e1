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

// value is a part of a document, and where it stands there. What is not there
// is nil and has no parts.
type value struct {
	v    any
	path string
}

// at returns the part at a path of keys, "" for the whole.
func (v value) at(path string) value {
	if path == "" {
		return v
	}
	for key := range strings.SplitSeq(path, ".") {
		object, _ := v.v.(map[string]any)
		v = value{object[key], join(v.path, key)}
	}
	return v
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// has reports whether an object has a key.
func (v value) has(key string) bool {
	object, _ := v.v.(map[string]any)
	_, ok := object[key]
	return ok
}

// str returns a string, "" for anything else.
func (v value) str() string {
	s, _ := v.v.(string)
	return s
}

// list returns the items of an array, none for anything else.
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
	return slices.Sorted(maps.Keys(object))
}

// fields yields the parts of an object in the order of their keys.
func (v value) fields() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		for _, key := range v.keys() {
			if !yield(key, v.at1(key)) {
				return
			}
		}
	}
}

// at1 is at for a key that may hold a dot.
func (v value) at1(key string) value {
	object, _ := v.v.(map[string]any)
	return value{object[key], join(v.path, key)}
}

// num returns a number.
func (v value) num() (n float64, ok bool) {
	number, _ := v.v.(json.Number)
	n, err := number.Float64()
	return n, err == nil
}

// integer returns a whole number, -1 for anything else.
func (v value) integer() int {
	n, ok := v.num()
	if !ok || !v.is("integer") {
		return -1
	}
	return int(n)
}

// is reports whether it is of a JSON type; "integer" is a number without a
// fraction, and "text" a string that is not empty.
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
			// A number of a thousand digits is a number, and costs no more than its text.
			r, ok := new(big.Float).SetString(x.String())
			return ok && r.IsInt()
		}
		return kind == "number"
	}
	return false
}

// String is the value as a report shows it.
func (v value) String() string {
	text, err := json.Marshal(v.v)
	if err != nil {
		return fmt.Sprint(v.v)
	}
	return shorten(string(text), 80)
}

// same reports whether two values are the same JSON.
func same(a, b value) bool {
	x, errX := json.Marshal(a.v)
	y, errY := json.Marshal(b.v)
	return errX == nil && errY == nil && string(x) == string(y)
}

// each yields every part of a document below v with its key: an item of an
// array has the key of the array.
func (v value) each() iter.Seq2[string, value] {
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

// without returns a copy of the document that lacks those keys, however deep.
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

// shorten cuts a text for a report, and keeps it in one line of what can be
// seen: what another server says is no command to a terminal.
func shorten(text string, limit int) string {
	visible := func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return '?'
	}
	text = strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(text, "?"))), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

// findings is what a check has to say.
type findings struct {
	wrong []string
	more  int    // that are not in wrong
	why   string // it does not apply
	note  string // what was looked at
}

// mostFindings is how many are told of one check.
const mostFindings = 4

// add says what is wrong.
func (f *findings) add(format string, args ...any) {
	if len(f.wrong) == mostFindings {
		f.more++
		return
	}
	f.wrong = append(f.wrong, shorten(fmt.Sprintf(format, args...), 240))
}

// skip says why there is nothing to check.
func (f *findings) skip(format string, args ...any) { f.why = fmt.Sprintf(format, args...) }

// saw says what a check that passes has looked at.
func (f *findings) saw(format string, args ...any) { f.note = fmt.Sprintf(format, args...) }

// items calls do for each item of a list; without any, the check does not
// apply.
func (f *findings) items(list []value, what string, do func(value)) {
	if len(list) == 0 {
		f.skip("there are no %s", what)
	}
	for _, item := range list {
		do(item)
	}
}

// equal checks a part of a document.
func (f *findings) equal(v value, want string) {
	if v.str() != want {
		f.add("%s is %v, not %q", v.path, v, want)
	}
}

// oneOf checks that it is one of a closed list.
func (f *findings) oneOf(v value, list ...string) {
	if !slices.Contains(list, v.str()) {
		f.add("%s is %v, not one of %s", v.path, v, strings.Join(list, ", "))
	}
}

// shape checks the fields of a record, each written as its name and its
// types: "title text", "position integer|null". One with a question mark may
// be absent.
func (f *findings) shape(v value, fields ...string) {
	if !v.is("object") {
		f.add("%s is %v, not an object", v.path, v)
		return
	}
	for _, field := range fields {
		name, kinds, _ := strings.Cut(field, " ")
		kinds, optional := strings.CutSuffix(kinds, "?")
		part := v.at(name)
		if !v.has(name) {
			if !optional {
				f.add("%s is absent", part.path)
			}
			continue
		}
		if !slices.ContainsFunc(strings.Split(kinds, "|"), part.is) {
			f.add("%s is %v, not %s", part.path, part, kinds)
		}
	}
}
