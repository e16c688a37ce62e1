package dataset_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/social"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// Covers B-84.
func TestETagIsValidUntilTheDatasetChanges(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann) // stores the defaults of the workspace
	first, _ := worldtest.Respond(t, f.World, f.ann, request(t, ""))
	revalidate := func(v svc.Viewer, header, query, match string) dataset.Response {
		t.Helper()
		r := requestOf(t, header, query)
		r.IfNoneMatch = match
		response, _ := worldtest.Respond(t, f.World, v, r)
		return response
	}
	for _, match := range []string{first.ETag, `"other", ` + first.ETag, strings.TrimPrefix(first.ETag, "W/")} {
		if got := revalidate(f.ann, "test/1.0", "", match); !got.NotModified || got.ETag != first.ETag {
			t.Errorf("If-None-Match %s: got %+v, want not modified with %s", match, got, first.ETag)
		}
	}
	for _, match := range []string{"", `W/"abc.99999999999999"`, first.ETag[:strings.IndexByte(first.ETag, '.')] + `."`} {
		if got := revalidate(f.ann, "test/1.0", "", match); got.NotModified || got.ETag != first.ETag {
			t.Errorf("If-None-Match %s: got %+v, want a dataset with %s", match, got, first.ETag)
		}
	}
	for name, got := range map[string]dataset.Response{
		"another member":     revalidate(f.bea, "test/1.0", "", first.ETag),
		"another runtime":    revalidate(f.ann, "test/2.0", "", first.ETag),
		"another position":   revalidate(f.ann, "test/1.0", "lat=1&lon=2", first.ETag),
		"other capabilities": revalidate(f.ann, "test/1.0", "caps=objects", first.ETag),
		"another program":    respondWithOtherBuild(t, f, first.ETag),
	} {
		if got.NotModified || got.ETag == first.ETag {
			t.Errorf("%s: got not modified %v with %s, want a dataset with another ETag", name, got.NotModified, got.ETag)
		}
	}
}

// respondWithOtherBuild returns the response of another version of the program to a request
// with an ETag.
func respondWithOtherBuild(t *testing.T, f *fixture, etag string) dataset.Response {
	t.Helper()
	c := dataset.New(f.DB, f.Services, func(name string) svc.HostedService { return f.Hosted(name) }, "other")
	r := request(t, "")
	r.IfNoneMatch = etag
	response, err := c.Read(t.Context(), f.ann, r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func TestETagChangesWithWritesThatTheMemberSees(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann)
	for _, c := range []struct {
		name        string
		write       func()
		wantChanged bool // whether the dataset of ann changes
	}{
		{"own task", func() { f.CreateTask(f.ann, "Cook") }, true},
		{"task of bea", func() { f.CreateTask(f.bea, "Cook") }, false},
		{"message to ann", func() { f.SendMessage(f.bea, f.ann, "Well?") }, true},
		{"message between others", func() { f.SendMessage(f.bea, f.cem, "Well?") }, false},
		{"open conversation", func() { f.StartConversation(f.cem, "Bus") }, true},
		{"workspace of bea", func() { f.ReplaceFindings(f.bea, worldtest.Place(1)) }, false},
		{"rejected write", func() {
			_ = f.DB.Write(t.Context(), func(tx *store.Tx) error {
				_, err := f.Calendar.CreateCalendar(tx, f.ann, calendar.NewCalendar{})
				return err
			})
		}, false},
		{"display name of bea", func() {
			f.Write(func(tx *store.Tx) error { return f.Identity.Rename(tx, f.bea, "Beatrice") })
		}, true},
	} {
		r := request(t, "")
		before, _ := worldtest.Respond(t, f.World, f.ann, r)
		c.write()
		r.IfNoneMatch = before.ETag
		after, _ := worldtest.Respond(t, f.World, f.ann, r)
		if got := !after.NotModified; got != c.wantChanged {
			t.Errorf("%s: got a changed dataset %v, want %v", c.name, got, c.wantChanged)
		}
	}
}

// An event that ends and a presence that expires change the dataset without a
// write.
func TestETagExpires(t *testing.T) {
	f := newFixture(t)
	f.CreateAppointment(f.ann, "Tea", "2026-11-21T08:30:00") // until 09:30
	f.read(f.ann)
	for _, c := range []struct {
		name string
		wait time.Duration
		set  func()
	}{
		{"a calendar event ends", 31 * time.Minute, func() {}},
		{"a presence expires", 61 * time.Second, func() {
			f.Write(func(tx *store.Tx) error {
				_, err := f.Social.SetPresence(tx, f.bea, social.NewPresence{State: "online", VisibleTo: "members", TTL: new(60)})
				return err
			})
		}},
	} {
		c.set()
		r := request(t, "")
		before, _ := worldtest.Respond(t, f.World, f.ann, r)
		r.IfNoneMatch = before.ETag
		if got, _ := worldtest.Respond(t, f.World, f.ann, r); !got.NotModified {
			t.Errorf("before %s: got a dataset, want not modified", c.name)
		}
		f.Clock.Advance(c.wait)
		if got, _ := worldtest.Respond(t, f.World, f.ann, r); got.NotModified {
			t.Errorf("after %s: got not modified, want a dataset", c.name)
		}
	}
}

// Covers W-29 and PT-06.
func TestDatasetIsTheSameFromAnEmptyCache(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann)
	first, a := worldtest.Respond(t, f.World, f.ann, request(t, ""))
	second, b := worldtest.Respond(t, f.World, f.ann, request(t, ""))
	third, c := worldtest.Respond(t, f.NewWorld(), f.ann, request(t, ""))
	if !bytes.Equal(a, b) || !bytes.Equal(a, c) || first.ETag != second.ETag || first.ETag != third.ETag {
		t.Errorf("got ETags %s, %s, %s and equal bodies %v, %v", first.ETag, second.ETag, third.ETag, bytes.Equal(a, b), bytes.Equal(a, c))
	}
}

func TestReadOfAnUnknownMemberFails(t *testing.T) {
	f := newFixture(t)
	_, err := f.World.Read(t.Context(), svc.Viewer{}, request(t, ""))
	worldtest.WantError(t, "no member", err, svc.Unauthenticated)
}
