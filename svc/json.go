package svc

import (
	"bytes"
	"encoding/json"
)

// List is a list in JSON: [] when it is empty, never null.
type List[T any] []T

// MarshalJSON implements [json.Marshaler].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return EncodeJSON([]T(l))
}

// Dict is an object in JSON: {} when it is empty, never null.
type Dict[T any] map[string]T

// MarshalJSON implements [json.Marshaler].
func (d Dict[T]) MarshalJSON() ([]byte, error) {
	if d == nil {
		return []byte("{}"), nil
	}
	return EncodeJSON(map[string]T(d))
}

// Map is an object of anything.
type Map = Dict[any]

// EncodeJSON returns v as JSON text. Unlike [json.Marshal] it leaves <, > and
// & as they are: the answers are not for embedding into pages.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
