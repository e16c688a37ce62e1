package calendar

import (
	"fmt"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// For the replay of a long response only the id of its object is stored, and
// the stored responses of a member are limited in number. Covers B-88.
func TestStoredResponsesAreLimited(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	path := putEntry(ann, "large", largeSeries("large", "RRULE:FREQ=DAILY"))
	keyed := ann.With("Idempotency-Key", "once")
	first := keyed.Do("PATCH", path, `{"title": "Once"}`).Want(200)
	ann.Do("PATCH", path, `{"title": "Twice"}`).Want(200)
	replayed := keyed.Do("PATCH", path, `{"title": "Once"}`).Want(200)
	if len(replayed.List("refresh.sections")) == 0 || replayed.Str("object.id") != first.Str("object.id") {
		t.Errorf("got replay %s, want the object %s and sections to refresh", replayed.Body, first.Str("object.id"))
	}
	if got := ann.Do("GET", path).Want(200).Str("object.title"); got != "Twice" {
		t.Errorf("after the replay got title %q, want Twice", got)
	}
	if got := h.QueryInt("SELECT total(length(response)) FROM world_idempotency"); got > 1000 {
		t.Errorf("got %d octets of stored responses, want at most 1000", got)
	}
	calendar := "/world/calendars/" + ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	for i := range 1010 {
		h.Clock.Advance(time.Millisecond)
		ann.With("Idempotency-Key", fmt.Sprint(i)).Do("PATCH", calendar, `{}`).Want(200)
	}
	if got := h.QueryInt("SELECT count(*) FROM world_idempotency"); got != 1000 {
		t.Errorf("got %d stored responses, want 1000", got)
	}
}
