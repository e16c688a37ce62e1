package calendar_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/view"
)

// largeEvent returns an event of almost a megabyte; eight of them are more than one
// batch.
func largeEvent(uid string) string { return event(uid, "DESCRIPTION:"+strings.Repeat("d", 900_000)) }

// An export contains the calendars of the member with the octets of all objects,
// including hidden mirrors. Covers SH-26.
func TestExportContainsAllObjects(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	f.AddCalendar(ann, "Empty")
	f.Put(bea, f.DefaultCalendar(bea), "other.ics", event("other"))
	want := make(map[string]string)
	for i := range 9 {
		segment := fmt.Sprint(i, ".ics")
		want[segment] = largeEvent(fmt.Sprint("uid-", i))
		f.Put(ann, defaultCal, segment, want[segment])
	}
	mirrorID := addMirror(f, ann)
	want[mirrorID+".ics"] = f.Text(ann, defaultCal, mirrorID+".ics")
	f.Patch(ann, mirrorID, `{"local_visibility": "hidden"}`)
	var visited []string
	f.Read(func(tx *store.Tx) error {
		return f.Calendar.Export(tx, ann.Member(), func(c calendar.Calendar) error {
			visited = append(visited, c.Name)
			return nil
		}, func(o calendar.ExportedObject) error {
			if o.Data != want[o.Name] || o.Data == "" {
				t.Errorf("%s: got %d octets, want %d", o.Name, len(o.Data), len(want[o.Name]))
			}
			delete(want, o.Name)
			if slices.Contains(visited, "Empty") {
				t.Errorf("%s is in the empty calendar", o.Name)
			}
			return nil
		})
	})
	if len(want) != 0 || !slices.Equal(visited, []string{"Calendar", "Empty"}) {
		t.Errorf("visited %q, %d objects are missing", visited, len(want))
	}
}

// The trash is exported with the texts of its objects, including those of its
// calendars. Covers SH-26.
func TestExportContainsTheTrash(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	f.Put(ann, defaultCal, "a.ics", event("a"))
	f.Write(func(tx *store.Tx) error {
		return f.Collections.SetProperties(tx, ann, collection.Place{Calendar: defaultCal.Segment, Segment: "a.ics"}, false,
			[]collection.Property{{Space: "urn:x", Local: "mood", Element: "<mood/>"}}, 100, calendartest.NoPrecondition)
	})
	f.Delete(ann, f.IDAt(defaultCal, "a.ics"))
	f.Put(ann, work, "b.ics", event("b"))
	f.Clock.Advance(1)
	if _, err := deleteCalendar(f, ann, work.ID, ""); err != nil {
		t.Fatal(err)
	}
	export := func(v svc.Viewer) (list []string) {
		f.Read(func(tx *store.Tx) error {
			return f.Calendar.ExportTrash(tx, v.Member(), func(e calendar.ExportedTrash) error {
				list = append(list, fmt.Sprint(e.Trashed.ObjectType, " ", e.Trashed.Title, " ", e.Name, " ", strings.Contains(e.Data, "BEGIN:VEVENT"), " ", strings.Contains(string(e.Properties), "mood")))
				return nil
			})
		})
		slices.Sort(list)
		return list
	}
	want := []string{"calendar Work " + work.Segment + " false false", "calendar Work b.ics true false", view.EventType + " a a.ics true true"}
	slices.Sort(want)
	if got := export(ann); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := export(bea); len(got) != 0 {
		t.Errorf("another member gets %q", got)
	}
}

// Files are exported with their octets, and dead properties with the paths of
// their resources. Covers SH-26.
func TestExportContainsFilesAndProperties(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "a.ics", event("a"))
	f.Write(func(tx *store.Tx) error {
		if err := f.Collections.MakeCollection(tx, ann, "notes"); err != nil {
			return err
		}
		_, _, err := f.Collections.PutFile(tx, ann, "notes/x.bin", "application/x", []byte{0, 0xff}, calendartest.NoPrecondition)
		return err
	})
	for _, c := range []struct {
		at     collection.Place
		isFile bool
	}{
		{collection.Place{}, false}, {collection.Place{Calendar: defaultCal.Segment}, false},
		{collection.Place{Calendar: defaultCal.Segment, Segment: "a.ics"}, false}, {collection.Place{Calendar: "notes", Segment: "x.bin"}, true},
	} {
		f.Write(func(tx *store.Tx) error {
			return f.Collections.SetProperties(tx, ann, c.at, c.isFile, []collection.Property{{Space: "urn:x", Local: "p", Element: "<p/>"}}, 100, calendartest.NoPrecondition)
		})
	}
	for _, c := range []struct {
		v                 svc.Viewer
		files, properties []string
	}{
		{ann, []string{"notes true ", "notes/x.bin false " + base64.StdEncoding.EncodeToString([]byte{0, 0xff})},
			[]string{" <p/>", defaultCal.Segment + " <p/>", defaultCal.Segment + "/a.ics <p/>", "notes/x.bin <p/>"}},
		{bea, nil, nil},
	} {
		var files, properties []string
		f.Read(func(tx *store.Tx) error {
			if err := f.Calendar.ExportFiles(tx, c.v.Member(), func(e calendar.ExportedFile) error {
				files = append(files, fmt.Sprint(e.Path, " ", e.Collection, " ", e.Base64))
				return nil
			}); err != nil {
				return err
			}
			return f.Calendar.ExportProperties(tx, c.v.Member(), func(e calendar.ExportedProperty) error {
				properties = append(properties, e.Path+" "+e.Element)
				return nil
			})
		})
		slices.Sort(properties)
		if !slices.Equal(files, c.files) || !slices.Equal(properties, c.properties) {
			t.Errorf("member %s: got files %q and properties %q, want %q and %q", c.v, files, properties, c.files, c.properties)
		}
	}
}
