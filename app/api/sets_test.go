package api_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/words"
)

// setField is a field of a request whose values are a closed set.
type setField struct {
	name    string // such as context.kind; items of lists have the index 0
	isQuery bool
	values  []string
}

// setFields returns the fields of a request type, and of the types in it, whose values are a
// closed set. prefix is the name of the field with the type.
func setFields(t reflect.Type, prefix string) (list []setField) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || strings.HasPrefix(t.Name(), "Optional[") {
		switch {
		case t.Kind() == reflect.Struct:
			t = t.Field(0).Type
		case t.Kind() == reflect.Slice:
			t, prefix = t.Elem(), prefix+".0"
		default:
			t = t.Elem()
		}
	}
	if set, ok := reflect.Zero(t).Interface().(svc.Set); ok {
		return []setField{{name: prefix, values: set.Values()}}
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch set, isSet := reflect.Zero(f.Type).Interface().(svc.Set); {
		case f.Anonymous && name == "":
			list = append(list, setFields(f.Type, prefix)...)
		case isSet && f.Tag.Get("query") != "":
			list = append(list, setField{f.Tag.Get("query"), true, set.Values()})
		case f.IsExported() && name != "-":
			list = append(list, setFields(f.Type, strings.TrimPrefix(prefix+"."+name, "."))...)
		}
	}
	return list
}

// nestedValue returns a JSON value in which the field with a name has a value.
func nestedValue(name string, value any) any {
	keys := strings.Split(name, ".")
	for _, key := range slices.Backward(keys) {
		if key == "0" {
			value = []any{value}
		} else {
			value = map[string]any{key: value}
		}
	}
	return value
}

// dump returns the rows of all tables.
func dump(t *testing.T, s *apptest.Server) map[string][]string {
	tables := make(map[string][]string)
	for _, name := range storetest.Rows(t, s.DB, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
		tables[name] = storetest.Rows(t, s.DB, "SELECT * FROM "+name)
	}
	return tables
}

// Each operation refuses a value outside of the closed set of a field with 422, or with 400 in
// a query parameter, names the field and the set, and changes nothing. Covers B-02.
func TestValuesOutsideOfClosedSetsAreRefused(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	op, bea := s.Member("op").AsRuntime(), s.Member("bea").AsRuntime()
	bea.Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200)
	before, sets := dump(t, s), 0
	refuse := func(c *apptest.Client, method, path string, f setField, label, format string) {
		t.Helper()
		var a *apptest.Answer
		if f.isQuery {
			a = c.Do(method, path+"?"+f.name+"=nonsense").WantError(400, "invalid_parameter")
		} else {
			a = c.Do(method, path, nestedValue(f.name, "nonsense")).WantError(422, "invalid_value")
		}
		a.WantFields(f.name)
		if want := fmt.Sprintf(format, label, strings.Join(f.values, ", ")); a.Str("error.message") != want {
			t.Errorf("%s %s: got the message %q, want %q", method, path, a.Str("error.message"), want)
		}
	}
	for _, o := range s.App.API.Inputs() {
		method, path, _ := strings.Cut(o.Pattern, " ")
		path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "1")
		client := op
		if o.NeedsServiceKey {
			client = op.AsService()
		}
		for _, f := range setFields(o.Type, "") {
			sets++
			refuse(client, method, path, f, words.Label(f.name), "%s must be one of %s.")
		}
	}
	visibility := setField{"visibility", false, []string{"circle", "members", "public"}}
	refuse(bea, "PATCH", "/world/social/profile", visibility, "Sichtbarkeit", "%s muss eines von %s sein.")
	if after := dump(t, s); !reflect.DeepEqual(after, before) {
		for name := range after {
			if !slices.Equal(after[name], before[name]) {
				t.Errorf("got a change of %s: %q, want none: %q", name, after[name], before[name])
			}
		}
	}
	if sets < 40 {
		t.Errorf("got %d fields with a closed set, want more", sets)
	}
}
