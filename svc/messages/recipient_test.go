package messages

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
)

// Covers M-03 and M-39: a recipient is a name or a number, alone or in a list.
func TestRecipientIsANameOrANumber(t *testing.T) {
	for text, want := range map[string][]string{
		`"bea"`: {"bea"}, `7`: {"7"}, `[7, "bea", null]`: {"7", "bea"}, `null`: nil, `[" bea ", "BEA", ""]`: {"bea"},
	} {
		var r Recipients
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got := r.distinct(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{`true`, `{"id": 7}`, `[[7]]`, `[{}]`} {
		var r Recipients
		if err := json.Unmarshal([]byte(text), &r); svc.KindOf(err) != svc.Malformed {
			t.Errorf("%s: got %v, want a malformed body", text, err)
		}
	}
}

// Covers M-13 and B-53.
func TestThreadsNeverGetAThirdMember(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	for _, names := range []Recipients{
		{"bea", "cid"}, {"bea, cid"}, {"bea;cid"}, {"2", "3"}, {"bea", "cid", "unknown"}, strings.Fields("bea a b c d e f g h i j k"),
	} {
		_, err := s.start(ann, names, "x")
		wantError(t, strings.Join(names, "|"), err, svc.ParticipantsFixed, "")
	}
	for _, text := range []string{`{"recipients": ["bea"], "body": "x"}`, `{"recipient": "bea", "participants": [3], "body": "x"}`} {
		var in StartRequest
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		wantError(t, text, in.check(), svc.ParticipantsFixed, "")
	}
	var in SendRequest
	if err := json.Unmarshal([]byte(`{"participants": ["cid"], "body": "x"}`), &in); err != nil {
		t.Fatal(err)
	}
	wantError(t, "a reply with participants", in.check(), svc.ParticipantsFixed, "")
	wantEqual(t, "messages afterwards", s.open(ann, thread).Thread.MessageCount, 1)
}

// A display name that contains commas and semicolons is not split.
func TestNameWithSeparatorsIsLookedUpAsAWhole(t *testing.T) {
	s := newServer(t)
	sent, err := s.start(ann, "Dan; Jr", "Hello")
	if err != nil || sent.Thread.Title != "Dan; Jr" {
		t.Errorf("got a thread with %q, %v, want Dan; Jr", sent.Thread.Title, err)
	}
	for _, names := range []Recipients{{"bea, Bea"}, {"bea;"}, {"bea", "2", "Bea"}} {
		if sent, err := s.start(ann, names, "Hello"); err != nil || sent.Thread.Title != "Bea" {
			t.Errorf("%q: got a thread with %q, %v, want Bea", names, sent.Thread.Title, err)
		}
	}
	_, err = s.start(ann, "unknown, bea", "x")
	wantError(t, "one of two names is unknown", err, svc.RecipientNotFound, "")
}

// The names to look up are in the JSON value, and a string is a single name.
func FuzzRecipients(f *testing.F) {
	for _, text := range []string{`"bea"`, `7`, `[7, "bea", null]`, `null`, `true`, `{"id": 7}`, `[[7]]`, `1e400`, `"a, b;c"`, `[`, `""`, ` null`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r Recipients
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return
		}
		var one string
		if json.Unmarshal([]byte(text), &one) == nil && strings.TrimSpace(text) != "null" && (len(r) != 1 || r[0] != one) {
			t.Errorf("%s: got %q, want %q", text, r, one)
		}
		for _, name := range r.distinct() {
			if !slices.ContainsFunc(r, func(sent string) bool { return strings.TrimSpace(sent) == name }) || name == "" {
				t.Errorf("%s: got the name %q, want one of %q", text, name, r)
			}
		}
	})
}

// Errors of other services do not become recipient_not_found.
func TestErrorsOfOtherServicesAreReturned(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	s.services.err = errors.New("out of order")
	_, errStart := s.start(ann, "bea, cid", "x")
	_, errSend := s.send(ann, thread, "x")
	for _, err := range []error{errStart, errSend} {
		if !errors.Is(err, s.services.err) {
			t.Errorf("got %v, want %v", err, s.services.err)
		}
	}
}
