package svc

import (
	"bytes"
	"sync"
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

// neverNull marks the types that [AppendJSON] encodes as empty instead of null.
func (List[T]) neverNull() {}
func (Dict[T]) neverNull() {}

// jsonBuffers contains buffers for EncodeJSON.
var jsonBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxJSONBuffer is the capacity of the largest buffer that is kept, in bytes.
const maxJSONBuffer = 4 << 20

// EncodeJSON returns v as JSON with a line feed. Unlike [json.Marshal] it does not
// escape <, > and &, because responses are not embedded in pages.
func EncodeJSON(v any) ([]byte, error) {
	buffer := jsonBuffers.Get().(*[]byte)
	text, err := AppendJSON((*buffer)[:0], v)
	if cap(text) <= maxJSONBuffer {
		*buffer = text
		defer jsonBuffers.Put(buffer)
	}
	if err != nil {
		return nil, err
	}
	return bytes.Clone(append(text, '\n')), nil
}
