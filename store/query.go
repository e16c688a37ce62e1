package store

import (
	"cmp"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	sqlfiles "appliance/sql"
)

// Query is a named statement of sql/queries, bound by Bind.
type Query struct{ *statement }

// statement is a parsed query. All connections share it.
type statement struct {
	name   string   // "calendar/put-object"
	text   string   // one statement without a semicolon
	params []string // each named parameter once
	scan   string   // why the statement may scan a whole table; "" if it must not
	fields sync.Map // scan destination type → [][]int, see fieldsOf
}

// Args are the named arguments of a statement: one for each of its parameters,
// and no others.
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
		panic(fmt.Sprintf("store.JSON: %v", err)) // no caller passes such a type
	}
	return string(b)
}

// Bind fills the Query fields of the structs that dests point to from
// sql/queries/<file>.sql: the field tagged `sql:"put-object"` gets the statement
// named put-object. It panics if a field has no statement, or if a statement has
// no field or several.
func Bind(file string, dests ...any) { bind(file, "", dests) }

// BindTables is like Bind for a file that several services use, each with tables of its
// own. The names of the tables begin with {tables}, which prefix replaces.
func BindTables(file, prefix string, dests ...any) { bind(file, prefix, dests) }

func bind(file, prefix string, dests []any) {
	byName, err := statements(file, prefix)
	if err != nil {
		panic(err)
	}
	bound := make(map[string]bool, len(byName))
	for _, dest := range dests {
		v := reflect.ValueOf(dest).Elem()
		for i := range v.NumField() {
			name := v.Type().Field(i).Tag.Get("sql")
			st := byName[name]
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
	for name := range byName {
		if !bound[name] {
			panic(fmt.Sprintf("store.Bind: query %q of sql/queries/%s.sql has no field", name, file))
		}
	}
}

var parsedFiles sync.Map // file name, with the prefix of its tables → map[string]*statement

// statements returns the statements of a file by name, with the prefix in the names of
// tables. It parses each file once for each prefix.
func statements(file, prefix string) (map[string]*statement, error) {
	key := [2]string{file, prefix}
	if m, ok := parsedFiles.Load(key); ok {
		return m.(map[string]*statement), nil
	}
	text, err := sqlfiles.Files.ReadFile("queries/" + file + ".sql")
	if err != nil {
		return nil, fmt.Errorf("store.Bind: %w", err)
	}
	m, err := parseQueries(cmp.Or(prefix, file), strings.ReplaceAll(string(text), tablePrefix, prefix))
	if err != nil {
		return nil, err
	}
	first, _ := parsedFiles.LoadOrStore(key, m)
	return first.(map[string]*statement), nil
}

// tablePrefix is replaced by the prefix of BindTables.
const tablePrefix = "{tables}"

// parseQueries splits the text of a query file at its "-- name:" lines. The names of the
// statements begin with service.
func parseQueries(service, text string) (map[string]*statement, error) {
	byName := make(map[string]*statement)
	parts := strings.Split("\n"+text, "\n-- name:")
	for _, part := range parts[1:] {
		name, body, _ := strings.Cut(part, "\n")
		st := &statement{name: service + "/" + strings.TrimSpace(name)}
		for line := range strings.Lines(body) {
			if reason, ok := strings.CutPrefix(line, "-- scan:"); ok {
				st.scan = strings.TrimSpace(reason)
			}
		}
		code, params, err := parseStatement(body)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", st.name, err)
		}
		if byName[strings.TrimSpace(name)] != nil {
			return nil, fmt.Errorf("query %s is defined twice", st.name)
		}
		st.text, st.params = code, params
		byName[strings.TrimSpace(name)] = st
	}
	return byName, nil
}

// parseStatement returns the statement in text without comments and semicolon,
// and the names of its parameters. It rejects a second statement, because the
// driver would run it too. The semicolon is removed because the driver does not
// cache a statement that is followed by other text.
func parseStatement(text string) (code string, params []string, err error) {
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
				return "", nil, errors.New("unterminated quote")
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
			return "", nil, errors.New("more than one statement")
		}
		b.WriteString(rest[:n])
		i += n
	}
	code = strings.TrimSpace(b.String())
	if code == "" {
		return "", nil, errors.New("no statement")
	}
	return code, params, nil
}

// bind returns args in the order of the parameters. Unlike the driver it rejects
// missing and surplus arguments, and time.Time, which the driver would store in Go's
// text format.
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
