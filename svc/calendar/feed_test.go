package calendar_test

import (
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
)

// createFeed creates a feed and returns its secret.
func createFeed(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar) (secret string) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) error {
		feed, err := f.Calendar.CreateFeed(tx, v, c.ID, calendar.FeedDetails)
		secret = strings.TrimSuffix(strings.TrimPrefix(feed.Path, "/feeds/"), ".ics")
		return err
	})
	return secret
}

// wantFeed fails the test unless the secret belongs to the feed of the calendar c
// of v, or to no feed if c is the zero Calendar.
func wantFeed(f *calendartest.Fixture, secret string, v svc.Viewer, c calendar.Calendar) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		source, err := f.Calendar.FeedBySecret(tx, secret)
		if c.ID == "" {
			wantKind(f.T, "the feed", err, svc.Missing)
		} else if source.Member != v.Member() || source.CalendarID != c.ID || err != nil {
			f.T.Errorf("got calendar %s of member %d, %v, want %s of %d", source.CalendarID, source.Member, err, c.ID, v.Member())
		}
		return nil
	})
}

// A feed is found by its secret until it is replaced or deleted. The secret is
// returned once.
func TestFeedIsFoundByItsSecret(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	readFeed := func(v svc.Viewer) (got *calendar.Feed, err error) {
		err = f.DB.Read(t.Context(), func(tx *store.Tx) error {
			got, err = f.Calendar.Feed(tx, v, defaultCal.ID)
			return err
		})
		return got, err
	}
	if got, err := readFeed(ann); got != nil || err != nil {
		t.Errorf("before the first: got %+v, %v, want none", got, err)
	}
	first := createFeed(f, ann, defaultCal)
	wantFeed(f, first, ann, defaultCal)
	if got, err := readFeed(ann); err != nil || got == nil || got.CalendarID != defaultCal.ID || got.Path != "" || !got.CreatedAt.Equal(f.Clock.Now()) {
		t.Errorf("got %+v, %v, want a feed without its path", got, err)
	}
	second := createFeed(f, ann, defaultCal)
	wantFeed(f, first, ann, calendar.Calendar{})
	wantFeed(f, second, ann, defaultCal)
	wantFeed(f, "", ann, calendar.Calendar{})

	_, err := readFeed(bea)
	wantKind(t, "Feed by another member", err, svc.Missing)
	wantKind(t, "CreateFeed by another member", f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Calendar.CreateFeed(tx, bea, defaultCal.ID, calendar.FeedDetails)
		return err
	}), svc.Missing)
	deleteFeed := func(v svc.Viewer) error {
		return f.TryWrite(func(tx *store.Tx) error { return f.Calendar.DeleteFeed(tx, v, defaultCal.ID) })
	}
	wantKind(t, "DeleteFeed by another member", deleteFeed(bea), svc.Missing)
	wantFeed(f, second, ann, defaultCal)
	if err := deleteFeed(ann); err != nil {
		t.Error(err)
	}
	wantFeed(f, second, ann, calendar.Calendar{})
	wantKind(t, "DeleteFeed without a feed", deleteFeed(ann), svc.Missing)
}

// Recovering an account deletes all its feeds, and those of no other member.
func TestAccountRecoveryDeletesFeeds(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, work := createFeed(f, ann, f.DefaultCalendar(ann)), createFeed(f, ann, f.AddCalendar(ann, "Work"))
	other := createFeed(f, bea, f.DefaultCalendar(bea))
	f.Write(func(tx *store.Tx) error { return f.Calendar.AccountRecovered(tx, ann.Member()) })
	wantFeed(f, defaultCal, ann, calendar.Calendar{})
	wantFeed(f, work, ann, calendar.Calendar{})
	wantFeed(f, other, bea, f.DefaultCalendar(bea))
}

// stream returns the stream of a calendar and its ETag.
func stream(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar) (text, etag string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		now, err := f.Calendar.Calendar(tx, v, c.ID)
		if err != nil {
			return err
		}
		etag = calendar.StreamETag(tx, now, "")
		var b strings.Builder
		err = f.Calendar.WriteStream(tx, v, c.ID, "", &b)
		text = b.String()
		return err
	})
	return text, etag
}

// A stream contains the name of the calendar and all objects that are not
// hidden. Its ETag changes if and only if its contents do.
func TestStreamContainsVisibleObjects(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "a.ics", event("a"))
	f.Put(ann, defaultCal, "task.ics", icstest.Object("VTODO", "task", "SUMMARY:Taxes"))
	mirrorID := addMirror(f, ann)
	last := ""
	for _, c := range []struct {
		name          string
		change        func()
		with, without string // lines
	}{
		{"at first", func() {}, "X-WR-CALNAME:Calendar|X-WR-TIMEZONE:Europe/Berlin|UID:a|SUMMARY:Taxes|SUMMARY:Dinner", "X-WR-CALDESC"},
		{"a new object", func() { f.Put(ann, defaultCal, "b.ics", event("b")) }, "UID:a|UID:b", ""},
		{"a hidden mirror", func() { f.Patch(ann, mirrorID, `{"local_visibility": "hidden"}`) }, "UID:a", "SUMMARY:Dinner"},
		{"another name", func() {
			if _, err := update(f, ann, defaultCal.ID, calendar.CalendarChange{Name: svc.Some("Home"), Description: svc.Some("x, y")}); err != nil {
				t.Fatal(err)
			}
		}, `NAME:Home|X-WR-CALNAME:Home|X-WR-CALDESC:x\, y`, ""},
	} {
		c.change()
		text, etag := stream(f, ann, defaultCal)
		for line := range strings.SplitSeq(c.with, "|") {
			if !strings.Contains(text, "\r\n"+line+"\r\n") {
				t.Errorf("%s: got no line %s in\n%s", c.name, line, text)
			}
		}
		if c.without != "" && strings.Contains(text, c.without) {
			t.Errorf("%s: got %s in\n%s", c.name, c.without, text)
		}
		if _, again := stream(f, ann, defaultCal); etag == last || again != etag {
			t.Errorf("%s: got ETag %s after %s, and %s without a change", c.name, etag, last, again)
		}
		last = etag
	}
	f.Read(func(tx *store.Tx) error {
		wantKind(t, "another member", f.Calendar.WriteStream(tx, bea, defaultCal.ID, "", new(strings.Builder)), svc.Missing)
		return nil
	})
}
