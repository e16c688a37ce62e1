package svc

import (
	"errors"
	"testing"
)

func TestWithCauseKeepsOriginal(t *testing.T) {
	original := Errorf(NotFound, "This object does not exist.")
	cause := errors.New("disk failure")
	if err := original.WithCause(cause); !errors.Is(err, cause) || err.Code != NotFound {
		t.Errorf("got %v, want not_found with the cause", err)
	}
	if original.Err != nil {
		t.Errorf("original error: got cause %v, want none", original.Err)
	}
}

func TestPrefixFieldsChangesACopy(t *testing.T) {
	original := FieldError(InvalidValue, "start.date", "The date is invalid.")
	var e *Error
	if !errors.As(PrefixFields("event", original), &e) || e.Fields[0].Name != "event.start.date" || e.Fields[0].Pointer != "/event/start/date" {
		t.Errorf("got %+v, want field event.start.date", e)
	}
	if original.Fields[0].Name != "start.date" {
		t.Errorf("original error: got field %s, want start.date", original.Fields[0].Name)
	}
	other := errors.New("disk failure")
	if got := PrefixFields("event", other); got != other {
		t.Errorf("other error: got %v, want it unchanged", got)
	}
}

func TestParameterErrorHasNoPointer(t *testing.T) {
	if e := ParameterError("limit", "limit must be positive."); e.Fields[0].Name != "limit" || e.Fields[0].Pointer != "" {
		t.Errorf("got %+v, want name limit and no pointer", e.Fields[0])
	}
}

func TestCheckPointAcceptsPointsOnTheGlobe(t *testing.T) {
	at := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		latitude, longitude *float64
		field               string // name in the expected error; "" if no error is expected
	}{
		{nil, nil, ""},
		{at(-90), at(180), ""},
		{at(90.1), at(0), "latitude"},
		{at(0), at(-180.1), "longitude"},
		{nil, at(0), "latitude"},
	} {
		var e *Error
		field := ""
		if errors.As(CheckPoint(c.latitude, c.longitude), &e) {
			field = e.Fields[0].Name
		}
		if field != c.field {
			t.Errorf("%v, %v: got an error of field %q, want %q", c.latitude, c.longitude, field, c.field)
		}
	}
}
