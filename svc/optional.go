package svc

import (
	"bytes"
	"encoding/json"
)

// Optional is a field of a change: absent leaves things as they are, null
// clears, a value sets.
type Optional[T any] struct {
	Value T
	Set   bool // it was there
	Null  bool // it was there as null
}

// Some returns an Optional that sets v.
func Some[T any](v T) Optional[T] { return Optional[T]{Value: v, Set: true} }

// UnmarshalJSON notes that the field is there. It is not called if it is not.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	*o = Optional[T]{Set: true, Null: bytes.Equal(text, []byte("null"))}
	if o.Null {
		return nil
	}
	return json.Unmarshal(text, &o.Value)
}
