package svc

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// appendFunc appends the JSON of a value.
type appendFunc func(b []byte, v reflect.Value) ([]byte, error)

// AppendJSON appends v as JSON, as [json.Encoder] writes it without SetEscapeHTML. It
// does not call the MarshalJSON of [List] and [Dict]: encoding/json would check and copy
// their text once for each level of nesting, which takes most of the time of a
// response. v must not contain itself.
func AppendJSON(b []byte, v any) ([]byte, error) {
	if v == nil {
		return append(b, "null"...), nil
	}
	r := reflect.ValueOf(v)
	return appendFuncOf(r.Type())(b, r)
}

var appendFuncs sync.Map // reflect.Type → appendFunc

// appendFuncOf returns the function for values of a type.
func appendFuncOf(t reflect.Type) appendFunc {
	if f, ok := appendFuncs.Load(t); ok {
		return f.(appendFunc)
	}
	f := newAppendFunc(t)
	appendFuncs.Store(t, f)
	return f
}

var (
	marshalerType     = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	notNullType       = reflect.TypeFor[interface{ neverNull() }]()
)

// isMarshaler reports whether values of a type, or pointers to them, encode themselves.
func isMarshaler(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(marshalerType) || p.Implements(textMarshalerType)
}

func newAppendFunc(t reflect.Type) appendFunc {
	notNull := t.Implements(notNullType) && t.Kind() != reflect.Struct
	if isMarshaler(t) && !notNull || t == reflect.TypeFor[json.Number]() {
		return appendStandard
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendUint(b, v.Uint(), 10), nil }
	case reflect.String:
		return func(b []byte, v reflect.Value) ([]byte, error) { return appendJSONString(b, v.String()), nil }
	case reflect.Interface, reflect.Pointer:
		return appendElement
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return func(b []byte, v reflect.Value) ([]byte, error) { return appendList(b, v, notNull) }
		}
	case reflect.Map:
		if t.Key() == reflect.TypeFor[string]() {
			return func(b []byte, v reflect.Value) ([]byte, error) { return appendMap(b, v, notNull) }
		}
	case reflect.Struct:
		if fields, ok := jsonFields(t, nil, nil); ok {
			return func(b []byte, v reflect.Value) ([]byte, error) { return appendStruct(b, v, fields) }
		}
	}
	return appendStandard
}

// appendStandard encodes v with encoding/json.
func appendStandard(b []byte, v reflect.Value) ([]byte, error) {
	if v.CanAddr() {
		v = v.Addr() // MarshalJSON may have a pointer receiver
	}
	w := bytes.NewBuffer(b)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		return b, err
	}
	return w.Bytes()[:w.Len()-1], nil // without the line feed
}

// appendElement encodes the value in an interface, or to which a pointer points.
func appendElement(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	v = v.Elem()
	return appendFuncOf(v.Type())(b, v)
}

func appendList(b []byte, v reflect.Value, notNull bool) (_ []byte, err error) {
	if v.IsNil() && !notNull {
		return append(b, "null"...), nil
	}
	element := appendFuncOf(v.Type().Elem())
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = element(b, v.Index(i)); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, v reflect.Value, notNull bool) (_ []byte, err error) {
	if v.IsNil() && !notNull {
		return append(b, "null"...), nil
	}
	keys := make([]string, 0, v.Len())
	for _, key := range v.MapKeys() {
		keys = append(keys, key.String())
	}
	slices.Sort(keys)
	value := appendFuncOf(v.Type().Elem())
	b = append(b, '{')
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSONString(b, key), ':')
		if b, err = value(b, v.MapIndex(reflect.ValueOf(key))); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// jsonField is a field of a struct, or of a struct that is embedded in it.
type jsonField struct {
	index     []int
	name      string // "name":
	omitEmpty bool
	omitZero  func(reflect.Value) bool // nil if the field is always present
	append    appendFunc
}

// jsonFields returns the fields of a struct type in the order of encoding/json. index
// is the position of the struct in the one that embeds it; names collects the names. ok
// is false if encoding/json must encode the struct, because it uses rules that are not
// implemented here.
func jsonFields(t reflect.Type, index []int, names map[string]bool) (fields []jsonField, ok bool) {
	if names == nil {
		names = make(map[string]bool)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		at := append(slices.Clone(index), i)
		if f.Anonymous && name == "" {
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			if embedded.Kind() != reflect.Struct || embedded == t {
				return nil, false
			}
			more, ok := jsonFields(embedded, at, names)
			if !ok {
				return nil, false
			}
			fields = append(fields, more...)
			continue
		}
		if name == "" {
			name = f.Name
		}
		field := jsonField{index: at, name: string(appendJSONString(nil, name)) + ":", append: appendFuncOf(f.Type)}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "":
			case "omitempty":
				field.omitEmpty = true
			case "omitzero":
				field.omitZero = zeroFunc(f.Type)
			default:
				return nil, false
			}
		}
		if names[name] || !f.IsExported() || field.omitZero == nil && strings.Contains(options, "omitzero") {
			return nil, false
		}
		names[name] = true
		fields = append(fields, field)
	}
	return fields, true
}

type isZeroer interface{ IsZero() bool }

// zeroFunc returns the function that reports whether a value of a type is omitted by
// omitzero; nil if it depends on more than the type.
func zeroFunc(t reflect.Type) func(reflect.Value) bool {
	zeroer := reflect.TypeFor[isZeroer]()
	switch {
	case t.Implements(zeroer) && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface:
		return func(v reflect.Value) bool { return v.Interface().(isZeroer).IsZero() }
	case t.Implements(zeroer) && t.Kind() == reflect.Pointer:
		return func(v reflect.Value) bool { return v.IsNil() || v.Interface().(isZeroer).IsZero() }
	case t.Implements(zeroer) || reflect.PointerTo(t).Implements(zeroer):
		return nil
	}
	return reflect.Value.IsZero
}

// isEmpty reports whether omitempty omits v.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func appendStruct(b []byte, v reflect.Value, fields []jsonField) (_ []byte, err error) {
	b = append(b, '{')
	isFirst := true
fields:
	for i := range fields {
		f, value := &fields[i], v
		for depth, n := range f.index {
			if depth > 0 && value.Kind() == reflect.Pointer {
				if value.IsNil() {
					continue fields // of an embedded struct that is absent
				}
				value = value.Elem()
			}
			value = value.Field(n)
		}
		if f.omitEmpty && isEmpty(value) || f.omitZero != nil && f.omitZero(value) {
			continue
		}
		if !isFirst {
			b = append(b, ',')
		}
		isFirst = false
		b = append(b, f.name...)
		if b, err = f.append(b, value); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

const hexDigits = "0123456789abcdef"

// appendJSONString appends a string with the escapes of encoding/json: control
// characters, quotes, backslashes, line separators and invalid UTF-8.
func appendJSONString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			b = append(b, s[start:i]...)
			if short := strings.IndexByte("\"\\\b\f\n\r\t", c); short >= 0 {
				b = append(b, '\\', `"\bfnrt`[short])
			} else {
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			b = append(b, s[start:i]...)
			b = append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			start = i + size
		}
		i += size
	}
	return append(append(b, s[start:]...), '"')
}
