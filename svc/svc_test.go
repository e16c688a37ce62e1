package svc

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestRequireRejectsUnauthenticatedViewers(t *testing.T) {
	if _, err := (Viewer{}).Require(); KindOf(err) != Anonymous {
		t.Errorf("got %v, want an error of kind Anonymous", err)
	}
	if id, err := Trust(7).Require(); err != nil || id != 7 {
		t.Errorf("got %v (%v), want 7", id, err)
	}
}

func TestCodesAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range Codes {
		if seen[c.Name] || !regexp.MustCompile(`^[a-z_]+$`).MatchString(c.Name) {
			t.Errorf("got the code %q, want a different one in snake case", c.Name)
		}
		seen[c.Name] = true
	}
}

func TestKindOfWrappedErrors(t *testing.T) {
	wrapped := fmt.Errorf("reading: %w", Errorf(NotFound, "This object does not exist."))
	if KindOf(wrapped) != Missing {
		t.Errorf("wrapped error: got kind %v, want Missing", KindOf(wrapped))
	}
	if KindOf(errors.New("disk on fire")) != Internal {
		t.Error("other error: got another kind, want Internal")
	}
}

func TestJoinKeepsAllFields(t *testing.T) {
	if err := Join(nil, nil); err != nil {
		t.Errorf("joined nils: got %v, want nil", err)
	}
	first := Required("a")
	err := Join(nil, first, Required("b"))
	var e *Error
	if !errors.As(err, &e) || e.Code != FieldRequired || len(e.Fields) != 2 || len(first.Fields) != 1 {
		t.Errorf("got %+v, want field_required with two fields", err)
	}
	if disk := errors.New("disk"); Join(first, disk) != disk {
		t.Error("got a field error, want the internal error")
	}
}

func TestTextValidation(t *testing.T) {
	for _, c := range []struct {
		err  error
		code Code
	}{
		{CheckLine("title", "Dentist", 7), Code{}},
		{CheckLine("title", "Zahnärzt", 8), Code{}},
		{CheckLine("title", " \t", 7), FieldRequired},
		{CheckLine("title", "a\nb", 7), InvalidValue},
		{CheckLine("title", "a\x1bb", 7), InvalidValue},
		{CheckLine("title", "Dentists", 7), TooLong},
		{CheckLine("title", "a\u2028b", 7), InvalidValue},
		{CheckLine("title", "\u2067שלום\u2069", 7), Code{}},
		{CheckName("name", "Ann-Sophie Müller 🌻"), Code{}},
		{CheckName("name", "שלום\u200f"), Code{}},
		{CheckName("name", "نیم\u200cفاصله"), Code{}},
		{CheckName("name", "👩\u200d👧"), Code{}},
		{CheckName("name", " "), FieldRequired},
		{CheckName("name", "\u200b\u00ad"), FieldRequired},
		{CheckName("name", "\u3164\u2800\ufe0f"), FieldRequired},
		{CheckName("name", "Ann\u202ecod"), InvalidValue},
		{CheckName("name", "\u2066Ann"), InvalidValue},
		{CheckTitle("title", "Ann\u202ecod", MaxTitle), InvalidValue},
		{CheckTitle("title", "\u200b", MaxTitle), FieldRequired},
		{CheckTitle("title", "Choir\u2028practice", MaxTitle), InvalidValue},
		{CheckTitle("title", "שלום\u200f", MaxTitle), Code{}},
		{CheckName("name", "Ann\u2029"), InvalidValue},
		{CheckName("name", strings.Repeat("é", MaxName+1)), TooLong},
		{CheckText("body", "", 3), Code{}},
		{CheckText("body", "a\nb", 3), Code{}},
		{CheckText("body", "a\x00b", 3), InvalidValue},
		{CheckText("body", "\xff", 3), InvalidValue},
		{CheckText("body", strings.Repeat("é", 4), 3), TooLong},
	} {
		var e *Error
		errors.As(c.err, &e)
		if e == nil && c.code != (Code{}) || e != nil && e.Code != c.code {
			t.Errorf("got %v, want %v", c.err, c.code.Name)
		}
	}
}

func TestIDsSortByTime(t *testing.T) {
	a, b := NewID("cal"), NewID("cal")
	if !regexp.MustCompile(`^cal_[0-9a-z]{26}$`).MatchString(a) || a >= b {
		t.Errorf("got ids %s and %s, want cal_ and a ULID in ascending order", a, b)
	}
	if s := NewSecret("svc_"); len(s) != 4+43 || s == NewSecret("svc_") {
		t.Errorf("got a secret of %d characters, want 47 that differ each time", len(s))
	}
}

func TestZoneAcceptsIANANamesOnly(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "UTC", "America/Argentina/Salta"} {
		if loc, ok := Zone(name); !ok || loc.String() != name {
			t.Errorf("%s: got %v, %v, want the time zone", name, loc, ok)
		}
	}
	for _, name := range []string{"", "Local", "europe/berlin", "../etc/passwd", "Europe/../UTC", "zone.tab", "Europe", "/Europe/Berlin", "A\x00", strings.Repeat("A", 100)} {
		if loc, ok := Zone(name); ok {
			t.Errorf("%q: got %v, want it rejected", name, loc)
		}
	}
	if loc := StoredZone("Atlantis/Capital"); loc != time.UTC {
		t.Errorf("unknown stored zone: got %v, want UTC", loc)
	}
}
