package svc

import (
	"bytes"
	"encoding/json"
)

// List is a JSON array that is [] when empty, never null.
type List[T any] []T

// MarshalJSON implements [json.Marshaler].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return EncodeJSON([]T(l))
}

// Dict is a JSON object that is {} when empty, never null.
type Dict[T any] map[string]T

// MarshalJSON implements [json.Marshaler].
func (d Dict[T]) MarshalJSON() ([]byte, error) {
	if d == nil {
		return []byte("{}"), nil
	}
	return EncodeJSON(map[string]T(d))
}

// Map is a JSON object with values of any type.
type Map = Dict[any]

// EncodeJSON returns v as JSON. Unlike [json.Marshal] it does not escape <, > and &,
// because responses are not embedded in pages.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
