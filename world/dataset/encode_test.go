package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func TestEncoderWritesWhatPackageJSONWrites(t *testing.T) {
	type Inner struct {
		ID string `json:"id"`
	}
	type record struct {
		Inner
		Name  string `json:"name"`
		Count *int   `json:"count"`
	}
	r := record{Inner{"1"}, "<a> & \u2028\"", nil}
	encoded, err := encode(r)
	if err != nil {
		t.Fatal(err)
	}
	var e Encoder
	e.Begin()
	e.Fields(r)
	e.EncodedField("copy", encoded)
	e.List("none")
	e.EndList()
	e.List("items")
	e.Item(1)
	e.WriteEncoded([]byte("2,"), []byte("3"))
	e.Item("four")
	e.EndList()
	e.EncodedList("encoded", withCommas([][]byte{[]byte("5"), []byte("6")}))
	e.EncodedList("empty", nil)
	e.Field("end", true)
	e.End()
	e.Newline()
	chunks, err := e.Chunks()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if n, err := chunks.WriteTo(&got); err != nil || n != int64(chunks.Len()) {
		t.Errorf("WriteTo: got %d, %v, want %d", n, err, chunks.Len())
	}
	const want = `{"id":"1","name":"<a> & \u2028\"","count":null,"copy":{"id":"1","name":"<a> & \u2028\"","count":null},` +
		`"none":[],"items":[1,2,3,"four"],"encoded":[5,6],"empty":[],"end":true}` + "\n"
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if !json.Valid(got.Bytes()) {
		t.Error("got invalid JSON")
	}
}

func TestEncoderReturnsTheFirstError(t *testing.T) {
	var e Encoder
	e.Begin()
	e.Field("a", func() {})
	e.Field("b", 1)
	e.End()
	if _, err := e.Chunks(); err == nil {
		t.Error("got no error for a function, want one")
	}
	if _, err := encodeRecords([]any{1, func() {}}, func(any) string { return "" }); err == nil {
		t.Error("got no error for a list with a function, want one")
	}
	if text, err := encode(1); err != nil || string(text) != "1" {
		t.Errorf("after an error: got %s, %v, want 1", text, err)
	}
}

// failingWriter is a writer that always returns errFailed.
type failingWriter struct{}

var errFailed = errors.New("failed")

func (failingWriter) Write([]byte) (int, error) { return 0, errFailed }

func TestWriteToReturnsTheErrorOfTheWriter(t *testing.T) {
	for _, size := range []int{10, 200 << 10} {
		if _, err := (Chunks{make([]byte, size)}).WriteTo(failingWriter{}); !errors.Is(err, errFailed) {
			t.Errorf("%d bytes: got error %v, want %v", size, err, errFailed)
		}
	}
}
