package store

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	sqlfiles "appliance/sql"
)

// Query is a named statement of sql/queries, bound by Bind.
type Query struct{ *statement }

// statement is what Bind found. It is shared by everybody.
type statement struct {
	name   string   // "calendar/put-object"
	text   string   // one statement without a semicolon
	params []string // each named parameter once
	scan   string   // why it may walk a whole table; "" if it may not
	fields sync.Map // where its columns go, by the types that they are read into
}

// Args are the named parameters of one call. Every parameter of the statement
// must be there and nothing else.
type Args map[string]any

// JSONArray returns items as the JSON array that a query passes to json_each.
// It is the only way to bind a list.
func JSONArray[T any](items []T) string {
	if len(items) == 0 {
		return "[]" // json_each would return one row for null
	}
	return JSON(items)
}

// JSON returns v as JSON text, for a column that holds JSON.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store.JSON: %v", err)) // a type that no caller has
	}
	return string(b)
}

// Bind fills the Query fields of the structs that dests point to from
// sql/queries/<file>.sql: the field tagged `sql:"put-object"` gets the
// statement named put-object. It panics if a field has no statement, or if a
// statement has no field or several: each statement has one user.
func Bind(file string, dests ...any) {
	all, err := statements(file)
	if err != nil {
		panic(err)
	}
	bound := make(map[string]bool, len(all))
	for _, dest := range dests {
		v := reflect.ValueOf(dest).Elem()
		for i := range v.NumField() {
			name := v.Type().Field(i).Tag.Get("sql")
			st := all[name]
			if st == nil {
				panic(fmt.Sprintf("store.Bind: sql/queries/%s.sql has no query %q", file, name))
			}
			if bound[name] {
				panic(fmt.Sprintf("store.Bind: query %q of sql/queries/%s.sql has several fields", name, file))
			}
			bound[name] = true
			v.Field(i).Set(reflect.ValueOf(Query{st}))
		}
	}
	for name := range all {
		if !bound[name] {
			panic(fmt.Sprintf("store.Bind: query %q of sql/queries/%s.sql has no field", name, file))
		}
	}
}

var files sync.Map // file name → map[string]*statement

// statements returns the statements of one file by name. Parsing happens once.
func statements(file string) (map[string]*statement, error) {
	if m, ok := files.Load(file); ok {
		return m.(map[string]*statement), nil
	}
	text, err := sqlfiles.Files.ReadFile("queries/" + file + ".sql")
	if err != nil {
		return nil, fmt.Errorf("store.Bind: %w", err)
	}
	m, err := parseQueries(file, string(text))
	if err != nil {
		return nil, err
	}
	first, _ := files.LoadOrStore(file, m)
	return first.(map[string]*statement), nil
}

// parseQueries splits the text of a query file at its "-- name:" lines.
func parseQueries(file, text string) (map[string]*statement, error) {
	all := make(map[string]*statement)
	parts := strings.Split("\n"+text, "\n-- name:")
	for _, part := range parts[1:] {
		name, body, _ := strings.Cut(part, "\n")
		st := &statement{name: file + "/" + strings.TrimSpace(name)}
		for line := range strings.Lines(body) {
			if why, ok := strings.CutPrefix(line, "-- scan:"); ok {
				st.scan = strings.TrimSpace(why)
			}
		}
		code, params, err := tokens(body)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", st.name, err)
		}
		if all[strings.TrimSpace(name)] != nil {
			return nil, fmt.Errorf("query %s is there twice", st.name)
		}
		st.text, st.params = code, params
		all[strings.TrimSpace(name)] = st
	}
	return all, nil
}

// tokens returns the one statement in text without comments and without its
// semicolon, and the names of its parameters. The driver would run a second
// statement too, and it keeps no statement prepared that has text after it.
func tokens(text string) (code string, params []string, err error) {
	var b strings.Builder
	seen := make(map[string]bool)
	ended := false
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 1
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "--"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			i += n
			continue
		case c == '\'' || c == '"':
			end := strings.IndexByte(rest[1:], c)
			if end < 0 {
				return "", nil, fmt.Errorf("a quote is not closed")
			}
			n = end + 2
		case c == ';':
			ended = true
			i++
			continue
		case c == ':':
			for n < len(rest) && (rest[n] == '_' || rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
				n++
			}
			if name := rest[1:n]; name != "" && !seen[name] {
				seen[name] = true
				params = append(params, name)
			}
		}
		if ended && strings.TrimSpace(rest[:n]) != "" {
			return "", nil, fmt.Errorf("there is more than one statement")
		}
		b.WriteString(rest[:n])
		i += n
	}
	code = strings.TrimSpace(b.String())
	if code == "" {
		return "", nil, fmt.Errorf("there is no statement")
	}
	return code, params, nil
}

// bind puts args in order, and refuses what the driver would let pass: missing
// and surplus arguments, and times, which it would store as Go prints them.
func (st *statement) bind(args Args) ([]driver.NamedValue, error) {
	if len(args) > len(st.params) {
		for name := range args {
			if !strings.Contains(" "+strings.Join(st.params, " ")+" ", " "+name+" ") {
				return nil, fmt.Errorf("query %s has no parameter %q", st.name, name)
			}
		}
	}
	list := make([]driver.NamedValue, len(st.params))
	for i, name := range st.params {
		v, ok := args[name]
		if !ok {
			return nil, fmt.Errorf("query %s: parameter %q is missing", st.name, name)
		}
		switch v.(type) {
		case time.Time, *time.Time, sql.NullTime, sql.Null[time.Time]:
			return nil, fmt.Errorf("query %s: parameter %q is a time.Time; use store.MillisOf", st.name, name)
		}
		value, err := driver.DefaultParameterConverter.ConvertValue(v)
		if err != nil {
			return nil, fmt.Errorf("query %s: parameter %q: %w", st.name, name, err)
		}
		list[i] = driver.NamedValue{Name: name, Ordinal: i + 1, Value: value}
	}
	return list, nil
}
