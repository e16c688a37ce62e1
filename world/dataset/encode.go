package dataset

import (
	"bufio"
	"bytes"
	"io"
	"reflect"
	"strings"
	"sync"

	"appliance/svc"
)

// Encoder writes JSON objects field by field and lists item by item. Encoded
// values are inserted as chunks, without a copy.
//
// The zero Encoder is ready for use. Values after an error are omitted;
// [Encoder.Chunks] returns the first error.
type Encoder struct {
	chunks     Chunks
	text       bytes.Buffer // JSON after chunks
	needsComma bool         // whether a comma precedes the next field or item
	err        error
}

// Begin opens an object.
func (e *Encoder) Begin() { e.openBracket('{') }

// End closes the object.
func (e *Encoder) End() { e.closeBracket('}') }

// Field writes a field of the object.
func (e *Encoder) Field(name string, value any) {
	e.writeName(name)
	e.writeValue(value)
}

// Fields writes all fields of a struct, under the names of their json tags. Tag
// options are ignored.
func (e *Encoder) Fields(of any) {
	v := reflect.ValueOf(of)
	for i, name := range fieldNames(v.Type()) {
		if name == "" { // embedded
			e.Fields(v.Field(i).Interface())
		} else {
			e.Field(name, v.Field(i).Interface())
		}
	}
}

// List opens a list as a field of the object.
func (e *Encoder) List(name string) {
	e.writeName(name)
	e.needsComma = false
	e.openBracket('[')
}

// EndList closes the list.
func (e *Encoder) EndList() { e.closeBracket(']') }

// Item writes an item of the list.
func (e *Encoder) Item(value any) {
	e.writeSeparator()
	e.writeValue(value)
}

// WriteEncoded writes encoded fields or items, with commas between them. The caller
// must not change them afterwards.
func (e *Encoder) WriteEncoded(chunks ...[]byte) {
	if len(chunks) == 0 {
		return
	}
	e.writeSeparator()
	e.flush()
	e.chunks = append(e.chunks, chunks...)
}

// EncodedField writes a field with an encoded value.
func (e *Encoder) EncodedField(name string, chunks ...[]byte) {
	e.writeName(name)
	e.needsComma = false
	e.WriteEncoded(chunks...)
	e.needsComma = true
}

// EncodedList writes a list of encoded items, with commas between them.
func (e *Encoder) EncodedList(name string, items Chunks) {
	e.List(name)
	e.WriteEncoded(items...)
	e.EndList()
}

// writeCopy writes one short encoded field or item. Unlike WriteEncoded, it copies
// the text and adds no chunk.
func (e *Encoder) writeCopy(text []byte) {
	e.writeSeparator()
	e.text.Write(text)
}

// Newline ends the text with a line feed.
func (e *Encoder) Newline() { e.text.WriteByte('\n') }

// Chunks returns the JSON written so far and the first error.
func (e *Encoder) Chunks() (Chunks, error) {
	e.flush()
	return e.chunks, e.err
}

func (e *Encoder) flush() {
	if e.text.Len() > 0 {
		e.chunks = append(e.chunks, bytes.Clone(e.text.Bytes()))
		e.text.Reset()
	}
}

func (e *Encoder) writeSeparator() {
	if e.needsComma {
		e.text.WriteByte(',')
	}
	e.needsComma = true
}

func (e *Encoder) openBracket(bracket byte) {
	if bracket == '{' {
		e.writeSeparator()
	}
	e.text.WriteByte(bracket)
	e.needsComma = false
}

func (e *Encoder) closeBracket(bracket byte) {
	e.text.WriteByte(bracket)
	e.needsComma = true // for the surrounding object or list
}

// writeName writes the name of a field. It must not need escaping.
func (e *Encoder) writeName(name string) {
	e.writeSeparator()
	e.text.WriteByte('"')
	e.text.WriteString(name)
	e.text.WriteString(`":`)
}

func (e *Encoder) writeValue(v any) {
	if e.err != nil {
		return
	}
	text, err := svc.AppendJSON(e.text.AvailableBuffer(), v)
	if e.err = err; err == nil {
		e.text.Write(text)
	}
}

// fieldNames returns the JSON names of the fields of a struct type, "" for an
// embedded struct.
func fieldNames(t reflect.Type) []string {
	if names, ok := fieldNameCache.Load(t); ok {
		return names.([]string)
	}
	names := make([]string, t.NumField())
	for i := range names {
		if f := t.Field(i); !f.Anonymous {
			names[i], _, _ = strings.Cut(f.Tag.Get("json"), ",")
		}
	}
	fieldNameCache.Store(t, names)
	return names
}

var fieldNameCache sync.Map // reflect.Type → []string

// encoderPool contains encoders for texts of one chunk.
var encoderPool = sync.Pool{New: func() any { return new(Encoder) }}

// encodeWith returns the text that write writes. write must not add chunks.
func encodeWith(write func(*Encoder)) ([]byte, error) {
	e := encoderPool.Get().(*Encoder)
	defer encoderPool.Put(e)
	e.text.Reset()
	e.needsComma, e.err = false, nil
	write(e)
	return bytes.Clone(e.text.Bytes()), e.err
}

// encode returns the text of one value.
func encode(v any) ([]byte, error) { return encodeWith(func(e *Encoder) { e.writeValue(v) }) }

// encodeFields returns the text of the fields of a struct.
func encodeFields(of any) ([]byte, error) { return encodeWith(func(e *Encoder) { e.Fields(of) }) }

// Chunks is a text in several slices. Responses share the slices, so they must
// not be changed.
type Chunks [][]byte

// WriteTo implements [io.WriterTo].
func (c Chunks) WriteTo(w io.Writer) (n int64, err error) {
	b := bufio.NewWriterSize(w, 64<<10)
	for _, chunk := range c {
		k, err := b.Write(chunk)
		n += int64(k)
		if err != nil {
			return n, err
		}
	}
	return n, b.Flush()
}

// Len returns the number of bytes.
func (c Chunks) Len() (n int) {
	for _, chunk := range c {
		n += len(chunk)
	}
	return n
}

// withCommas returns the chunks with commas between them.
func withCommas(chunks [][]byte) Chunks {
	if len(chunks) == 0 {
		return nil
	}
	list := make(Chunks, 0, 2*len(chunks)-1)
	for i, chunk := range chunks {
		if i > 0 {
			list = append(list, comma)
		}
		list = append(list, chunk)
	}
	return list
}

var comma = []byte(",")
