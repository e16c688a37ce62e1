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

// Map is an object in JSON: {} when it is empty, never null.
type Map map[string]any

// MarshalJSON implements [json.Marshaler].
func (m Map) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("{}"), nil
	}
	return EncodeJSON(map[string]any(m))
}

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
