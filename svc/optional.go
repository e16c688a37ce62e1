package svc

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Optional is a field of a change. An absent field keeps the current value, null
// clears it, any other value replaces it.
type Optional[T any] struct {
	Value T    // the zero value if Null
	Set   bool // the field is present
	Null  bool // the field is present and null
}

// Some returns an Optional that sets v.
func Some[T any](v T) Optional[T] { return Optional[T]{Value: v, Set: true} }

// Apply sets *field to the value of o, or to cleared if o is null. It keeps *field if o is absent.
func (o Optional[T]) Apply(field *T, cleared T) {
	switch {
	case o.Null:
		*field = cleared
	case o.Set:
		*field = o.Value
	}
}

// UnmarshalJSON implements [json.Unmarshaler]. Package json does not call it for an
// absent field.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	*o = Optional[T]{Set: true, Null: bytes.Equal(text, []byte("null"))}
	if o.Null {
		return nil
	}
	return json.Unmarshal(text, &o.Value)
}

// CheckSets implements the interface checker of [CheckSets].
func (o Optional[T]) CheckSets(name string) error { return checkSets(name, reflect.ValueOf(o.Value)) }
