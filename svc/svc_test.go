package svc

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestThePublicMustSignIn(t *testing.T) {
	if _, err := (Viewer{}).Require(); KindOf(err) != Anonymous {
		t.Errorf("got %v", err)
	}
	if id, err := Trust(7).Require(); err != nil || id != 7 {
		t.Errorf("got %v, %v", id, err)
	}
}

func TestCodesAreListedOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range Codes {
		if seen[c.Name] || !regexp.MustCompile(`^[a-z_]+$`).MatchString(c.Name) {
			t.Errorf("code %q", c.Name)
		}
		seen[c.Name] = true
	}
}

func TestKindOf(t *testing.T) {
	wrapped := fmt.Errorf("reading: %w", Errorf(NotFound, "There is no such thing."))
	if KindOf(wrapped) != Missing {
		t.Error("a wrapped error lost its kind")
	}
	if KindOf(errors.New("disk on fire")) != Internal {
		t.Error("a foreign error is not internal")
	}
}

func TestJoinKeepsEachField(t *testing.T) {
	if err := Join(nil, nil); err != nil {
		t.Errorf("nothing joined is %v", err)
	}
	first := Required("a")
	err := Join(nil, first, Required("b"))
	var e *Error
	if !errors.As(err, &e) || e.Code != FieldRequired || len(e.Fields) != 2 || len(first.Fields) != 1 {
		t.Errorf("got %+v", err)
	}
	if disk := errors.New("disk"); Join(first, disk) != disk {
		t.Error("a failure of ours was hidden behind a mistake of the member")
	}
}

func TestText(t *testing.T) {
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

func TestIDs(t *testing.T) {
	a, b := NewID("cal"), NewID("cal")
	if !regexp.MustCompile(`^cal_[0-9a-z]{26}$`).MatchString(a) || a >= b {
		t.Errorf("ids %s, %s", a, b)
	}
	if s := NewSecret("svc_"); len(s) != 4+43 || s == NewSecret("svc_") {
		t.Errorf("secret of %d characters", len(s))
	}
}

func TestZonesHaveNames(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "UTC", "America/Argentina/Salta"} {
		if loc, ok := Zone(name); !ok || loc.String() != name {
			t.Errorf("%s is %v, %v", name, loc, ok)
		}
	}
	for _, name := range []string{"", "Local", "europe/berlin", "../etc/passwd", "Europe/../UTC", "zone.tab", "Europe", "/Europe/Berlin", "A\x00", strings.Repeat("A", 100)} {
		if loc, ok := Zone(name); ok {
			t.Errorf("%q is %v", name, loc)
		}
	}
	if loc := StoredZone("Atlantis/Capital"); loc != time.UTC {
		t.Errorf("a zone that is no more is %v", loc)
	}
}
