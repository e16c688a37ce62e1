package svc

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

type embeddedSet struct {
	Color Color `json:"color"`
}

// setRequest has a field of each kind that requests have.
type setRequest struct {
	embeddedSet
	Plain    Response           `json:"plain"`
	Optional Optional[Response] `json:"optional"`
	Pointer  *Response          `json:"pointer"`
	List     []Attendee         `json:"list"`
	Names    List[Response]     `json:"names"`
	Nested   struct {
		Role AttendeeRole `json:"role"`
	} `json:"nested"`
	Free   Map      `json:"free"`
	Text   string   `json:"text"`
	Hidden Response `json:"-"`
}

// Covers B-02.
func TestValuesOutsideOfSetsAreFound(t *testing.T) {
	for body, want := range map[string][]string{
		`{}`: nil,
		`{"color": "", "plain": "", "optional": null, "pointer": null, "list": [{}], "nested": {}, "text": "x", "free": {"plain": "x"}}`:                     nil,
		`{"color": "sea", "plain": "going", "optional": "maybe", "pointer": "none", "list": [{"rsvp": "declined", "role": "host"}], "names": ["going", ""]}`: nil,
		`{"color": "red"}`: {"color"},
		`{"plain": "Going", "optional": "go", "pointer": " going"}`:                  {"plain", "optional", "pointer"},
		`{"list": [{"role": "guest"}, {"rsvp": "x", "role": "y"}], "names": ["no"]}`: {"list.1.rsvp", "list.1.role", "names.0"},
		`{"nested": {"role": "owner"}}`:                                              {"nested.role"},
	} {
		var in setRequest
		in.Hidden = "unchecked"
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			t.Fatal(err)
		}
		var got []string
		err := CheckSets(&in)
		if e, ok := errors.AsType[*Error](err); ok {
			for _, f := range e.Fields {
				got = append(got, f.Name)
			}
		}
		if !slices.Equal(got, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: got the fields %q, %v, want %q", body, got, err, want)
		}
	}
	if err := CheckParameter("answer", Response("x")); KindOf(err) != Malformed || err.Error() != "invalid_parameter: Answer must be one of going, maybe, declined, none." {
		t.Errorf("a parameter: got %v, want an invalid parameter with the set", err)
	}
	if err := errors.Join(CheckParameter("answer", Going), CheckParameter("answer", Response("")), CheckParameter("answer", "x")); err != nil {
		t.Errorf("other parameters: got %v, want no error", err)
	}
	if err := CheckChosen("answer", Response("")); KindOf(err) != Malformed {
		t.Errorf("no answer: got %v, want it required", err)
	}
}
