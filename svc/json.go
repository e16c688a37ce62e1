package svc

import (
	"bytes"
	stdjson "encoding/json"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonrules "github.com/go-json-experiment/json/v1"
)

// List is a JSON array that is [] when empty, never null.
type List[T any] []T

// MarshalJSON implements the Marshaler of encoding/json.
func (l List[T]) MarshalJSON() ([]byte, error) { return AppendJSON(nil, l) }

// MarshalJSONTo implements [json.MarshalerTo], which EncodeJSON prefers: the text of
// MarshalJSON would be checked and copied once for each level of nesting.
func (l List[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if l == nil {
		return enc.WriteValue(jsontext.Value("[]"))
	}
	return json.MarshalEncode(enc, []T(l))
}

// Dict is a JSON object that is {} when empty, never null.
type Dict[T any] map[string]T

// MarshalJSON implements the Marshaler of encoding/json.
func (d Dict[T]) MarshalJSON() ([]byte, error) { return AppendJSON(nil, d) }

// MarshalJSONTo implements [json.MarshalerTo].
func (d Dict[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if d == nil {
		return enc.WriteValue(jsontext.Value("{}"))
	}
	return json.MarshalEncode(enc, map[string]T(d))
}

// Map is a JSON object with values of any type.
type Map = Dict[any]

// jsonOptions are the rules of encoding/json, except that <, > and & are not escaped,
// because responses are not embedded in pages.
var jsonOptions = json.JoinOptions(
	jsonrules.DefaultOptionsV1(), jsontext.EscapeForHTML(false), json.WithMarshalers(json.MarshalToFunc(marshalNumber)),
)

// marshalNumber encodes a number of encoding/json, which otherwise is a string.
func marshalNumber(enc *jsontext.Encoder, n stdjson.Number) error {
	if n == "" {
		n = "0"
	}
	return enc.WriteValue(jsontext.Value(n))
}

// jsonBuffers contains buffers for EncodeJSON.
var jsonBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxJSONBuffer is the capacity of the largest buffer that is kept, in bytes.
const maxJSONBuffer = 4 << 20

// EncodeJSON returns v as JSON with a line feed.
func EncodeJSON(v any) ([]byte, error) {
	b := jsonBuffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if b.Cap() <= maxJSONBuffer {
			jsonBuffers.Put(b)
		}
	}()
	if err := json.MarshalWrite(b, v, jsonOptions); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return bytes.Clone(b.Bytes()), nil
}

// AppendJSON appends v as JSON.
func AppendJSON(b []byte, v any) ([]byte, error) {
	w := bytes.NewBuffer(b)
	err := json.MarshalWrite(w, v, jsonOptions)
	return w.Bytes(), err
}
