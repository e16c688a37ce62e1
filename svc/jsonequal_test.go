package svc

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

// standardJSON returns v as encoding/json encodes it.
func standardJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type embeddedText struct {
	Body string `json:"body"`
	Note string `json:"note,omitempty"`
}

type EmbeddedCount struct {
	Count int       `json:"count"`
	Tree  *jsonTree `json:"tree,omitzero"`
}

type jsonTree struct {
	Name     string          `json:"name"`
	Children List[*jsonTree] `json:"children"`
}

// pointerMarshaler encodes itself only where it is addressable.
type pointerMarshaler struct{ N int }

func (p *pointerMarshaler) MarshalJSON() ([]byte, error) { return []byte(`"pointer"`), nil }

type shadowedText struct {
	embeddedText
	Body int `json:"body"`
}

type sampleKey string

type jsonSample struct {
	embeddedText
	*EmbeddedCount
	Hidden   string `json:"-"`
	private  int
	Untagged bool
	Text     string            `json:"text"`
	Small    int8              `json:"small"`
	Unsigned uint64            `json:"unsigned"`
	Float    float64           `json:"float"`
	Any      any               `json:"any"`
	Time     time.Time         `json:"time"`
	Absent   time.Time         `json:"absent,omitzero"`
	Pointer  *string           `json:"pointer"`
	Later    *time.Time        `json:"later,omitzero"`
	Slice    []int             `json:"slice"`
	Bytes    []byte            `json:"bytes"`
	Array    [2]bool           `json:"array"`
	List     List[Map]         `json:"list"`
	Omitted  List[int]         `json:"omitted,omitzero"`
	Empty    List[int]         `json:"empty,omitempty"`
	Dict     Dict[List[int]]   `json:"dict"`
	Keys     map[sampleKey]int `json:"keys"`
	Numbers  map[int]string    `json:"numbers"`
	Raw      json.RawMessage   `json:"raw"`
	Number   json.Number       `json:"number"`
	Quoted   struct {
		N int `json:"n,string"`
	} `json:"quoted"`
	Marshaler  pointerMarshaler       `json:"marshaler"`
	Marshalers List[pointerMarshaler] `json:"marshalers"`
	Shadowed   shadowedText           `json:"shadowed"`
}

// Responses are encoded as by encoding/json.
func TestEncodeJSONEqualsEncodingJSON(t *testing.T) {
	text, later := "a < b", time.Date(2026, 12, 24, 18, 0, 0, 5e6, time.UTC)
	full := jsonSample{
		embeddedText{"body", "note"}, &EmbeddedCount{3, &jsonTree{"root", List[*jsonTree]{{Name: "leaf"}, nil}}}, "hidden", 1, true, "Übung \u2028", -8, 1 << 63, 1e21,
		Map{"b": nil, "a": []any{1, "x", 2.5, true}}, later, later, &text, &later, []int{1}, []byte("bytes"), [2]bool{true, false},
		List[Map]{nil, {"k": "v"}}, List[int]{}, List[int]{1}, Dict[List[int]]{"z": nil, "a": {1, 2}}, map[sampleKey]int{"k": 1}, map[int]string{10: "a", 9: "b"},
		json.RawMessage(`{"raw" : 1}`), "1.50", struct {
			N int `json:"n,string"`
		}{4}, pointerMarshaler{1}, List[pointerMarshaler]{{2}}, shadowedText{embeddedText{Body: "text"}, 5},
	}
	for _, v := range []any{
		nil, true, -1, uint8(2), 1.5, "text", text, &text, []string(nil), List[int](nil), Dict[int](nil), map[string]int(nil), map[string]int{"b": 1, "a": 2}, (*jsonSample)(nil),
		later, &later, jsonSample{Number: "0"}, full, &full, []any{full, &full}, &pointerMarshaler{}, pointerMarshaler{}, List[List[int]]{nil, {1}}, &List[int]{1},
	} {
		got, err := EncodeJSON(v)
		if want := standardJSON(t, v); err != nil || string(got) != want {
			t.Errorf("%T: got %s (%v)\nwant %s", v, got, err, want)
		}
	}
	if got, err := EncodeJSON(Map{"a": func() {}}); err == nil {
		t.Errorf("a function: got %s, want an error", got)
	}
}
