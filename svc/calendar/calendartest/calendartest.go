package calendartest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
	"appliance/svc/storage"
)

// Fixture is the calendar service with all its packages.
type Fixture struct {
	T           testing.TB
	DB          *store.DB
	Clock       *storetest.Clock
	Storage     *storage.Limiter // without a limit
	Objects     *object.Store
	Calendar    *calendar.Service
	Index       *index.Index
	Collections *collection.Service
	Mirrors     *mirror.Service

	members []string // user names
}

// New returns a Fixture on a new database.
func New(t testing.TB) *Fixture {
	t.Helper()
	f := &Fixture{T: t, Storage: storage.New(0)}
	f.Objects = object.New(f.Storage)
	f.DB, f.Clock = storetest.Open(t)
	f.Calendar = calendar.New(f.Objects, func(*store.Tx, svc.MemberID) (string, error) { return "Europe/Berlin", nil })
	f.Index = index.New(f.Calendar, f.Objects, func(_ *store.Tx, id svc.MemberID) (string, error) {
		return f.members[id-1] + "@example.org", nil
	})
	f.Collections = collection.New(f.Objects, f.Storage)
	f.Mirrors = mirror.New(f.Objects)
	return f
}

// Member adds a member with a default calendar in Europe/Berlin.
func (f *Fixture) Member(name string) svc.Viewer {
	f.T.Helper()
	storetest.AddMembers(f.T, f.DB, name)
	f.members = append(f.members, name)
	id := svc.MemberID(len(f.members))
	f.Write(func(tx *store.Tx) error { return f.Calendar.MemberCreated(tx, id, "en") })
	return svc.Trust(id)
}

// Read runs fn in a read transaction. The test fails if fn returns an error.
func (f *Fixture) Read(fn func(*store.Tx) error) {
	f.T.Helper()
	if err := f.DB.Read(f.T.Context(), fn); err != nil {
		f.T.Fatal(err)
	}
}

// Write runs fn in a write transaction. The test fails if fn returns an error.
func (f *Fixture) Write(fn func(*store.Tx) error) {
	f.T.Helper()
	if err := f.TryWrite(fn); err != nil {
		f.T.Fatal(err)
	}
}

// Fill is like Write, for the preparation of a test (see [storetest.Fill]).
func (f *Fixture) Fill(fn func(*store.Tx) error) {
	f.T.Helper()
	if err := f.DB.Write(storetest.Fill(f.T.Context()), fn); err != nil {
		f.T.Fatal(err)
	}
}

// TryWrite runs fn in a write transaction and returns its error.
func (f *Fixture) TryWrite(fn func(*store.Tx) error) error { return f.DB.Write(f.T.Context(), fn) }

// DefaultCalendar returns the default calendar of v.
func (f *Fixture) DefaultCalendar(v svc.Viewer) (c calendar.Calendar) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		list, err := f.Calendar.Calendars(tx, v)
		if i := slices.IndexFunc(list, func(c calendar.Calendar) bool { return c.IsDefault }); err == nil && i >= 0 {
			c = list[i]
		}
		return err
	})
	return c
}

// AddCalendar creates a calendar of v.
func (f *Fixture) AddCalendar(v svc.Viewer, name string) (c calendar.Calendar) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) (err error) {
		c, err = f.Calendar.CreateCalendar(tx, v, calendar.NewCalendar{Name: name})
		return err
	})
	return c
}

// DeleteCalendar deletes a calendar, in as many writes as necessary, and returns the number of
// objects that moved to another calendar.
func (f *Fixture) DeleteCalendar(v svc.Viewer, id, moveTo string) (moved int, err error) {
	for {
		var d calendar.Deletion
		err := f.TryWrite(func(tx *store.Tx) (err error) {
			d, err = f.Calendar.DeleteCalendar(tx, v, id, moveTo)
			return err
		})
		if err != nil || !d.More {
			return d.Moved, errors.Join(err, d.Failed)
		}
	}
}

// CopyCalendar copies a calendar to a segment, in as many writes as necessary.
func (f *Fixture) CopyCalendar(v svc.Viewer, id, segment string, shallow bool) error {
	var copied calendar.Copy
	err := f.TryWrite(func(tx *store.Tx) (err error) {
		copied, err = f.Calendar.StageCopy(tx, v, id)
		return err
	})
	var list []object.CopySource
	if err == nil && !shallow {
		err = f.DB.Read(f.T.Context(), func(tx *store.Tx) (err error) {
			list, err = f.Calendar.CopyObjects(tx, v, copied)
			return err
		})
	}
	for err == nil && len(list) > 0 {
		n := 0
		err = f.TryWrite(func(tx *store.Tx) (err error) {
			n, err = f.Calendar.CopyNext(tx, copied, list)
			return err
		})
		list = list[n:]
	}
	if err == nil {
		err = f.TryWrite(func(tx *store.Tx) error { return f.Calendar.PublishCopy(tx, v, copied, segment) })
	}
	if err != nil {
		f.Write(func(tx *store.Tx) error { return f.Calendar.AbandonCopy(tx, copied) })
	}
	return err
}

// NoPrecondition is a precondition that is always met.
func NoPrecondition(string) error { return nil }

// TryPut stores an object, as a PUT does, and returns the error.
func (f *Fixture) TryPut(v svc.Viewer, c calendar.Calendar, segment, text string) error {
	f.T.Helper()
	o, err := ics.Parse([]byte(text))
	if err != nil {
		f.T.Fatalf("ics.Parse: %v\n%s", err, text)
	}
	return f.TryWrite(func(tx *store.Tx) error {
		_, _, err := f.Collections.Put(tx, v, c.Segment, segment, object.Prepare(o, tx.Now()), NoPrecondition)
		return err
	})
}

// Put stores an object, as a PUT does. The test fails if the write is rejected.
func (f *Fixture) Put(v svc.Viewer, c calendar.Calendar, segment, text string) {
	f.T.Helper()
	if err := f.TryPut(v, c, segment, text); err != nil {
		f.T.Fatalf("put %s: %v", segment, err)
	}
}

// Text returns the text of the object at a segment, "" if there is none.
func (f *Fixture) Text(v svc.Viewer, c calendar.Calendar, segment string) (text string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		list, err := f.Collections.ResourcesByName(tx, v, c.Segment, []string{segment}, true)
		for _, r := range list {
			text = string(r.Data)
		}
		return err
	})
	return text
}

// Segments returns the segments of the objects in a calendar, sorted.
func (f *Fixture) Segments(v svc.Viewer, c calendar.Calendar) (list []string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		resources, err := f.Collections.Resources(tx, v, c.Segment, true)
		for _, r := range resources {
			list = append(list, r.Segment)
		}
		return err
	})
	slices.Sort(list)
	return list
}

// Object returns the object of v with an id.
func (f *Fixture) Object(v svc.Viewer, id string) (o view.Object) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		o, err = f.Calendar.Object(tx, v, id)
		return err
	})
	return o
}

// TryCreate creates an object from JSON, as clients send it, and returns the
// error.
func (f *Fixture) TryCreate(v svc.Viewer, body string) (o view.Object, err error) {
	f.T.Helper()
	in := decode[calendar.NewObject](f, body)
	err = f.TryWrite(func(tx *store.Tx) error {
		w, err := f.Calendar.Create(tx, v, in)
		o = w.Object
		return err
	})
	return o, err
}

// Create creates an object from JSON. The test fails if the write is rejected.
func (f *Fixture) Create(v svc.Viewer, body string) view.Object {
	f.T.Helper()
	o, err := f.TryCreate(v, body)
	if err != nil {
		f.T.Fatalf("create %s: %v", body, err)
	}
	return o
}

// TryPatch applies a change in JSON to an object and returns the error.
func (f *Fixture) TryPatch(v svc.Viewer, id, body string) (o view.Object, err error) {
	f.T.Helper()
	in := decode[edit.ObjectChange](f, body)
	err = f.TryWrite(func(tx *store.Tx) error {
		w, err := f.Calendar.Patch(tx, v, id, in, nil)
		o = w.Object
		return err
	})
	return o, err
}

// Patch applies a change in JSON to an object. The test fails if the write is rejected.
func (f *Fixture) Patch(v svc.Viewer, id, body string) view.Object {
	f.T.Helper()
	o, err := f.TryPatch(v, id, body)
	if err != nil {
		f.T.Fatalf("patch %s: %v", body, err)
	}
	return o
}

// TryDelete deletes an object, or some of its occurrences, and returns the
// error.
func (f *Fixture) TryDelete(v svc.Viewer, id string, in edit.Deletion) error {
	f.T.Helper()
	return f.TryWrite(func(tx *store.Tx) error { return f.Calendar.Delete(tx, v, id, in, nil) })
}

// Delete deletes an object. The test fails if the write is rejected.
func (f *Fixture) Delete(v svc.Viewer, id string) {
	f.T.Helper()
	if err := f.TryDelete(v, id, edit.Deletion{}); err != nil {
		f.T.Fatalf("delete %s: %v", id, err)
	}
}

func decode[T any](f *Fixture, body string) (v T) {
	f.T.Helper()
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		f.T.Fatalf("decode %s: %v", body, err)
	}
	return v
}

// Reindex recomputes the columns of the objects that next returns, as the
// background job does, and returns their number.
func (f *Fixture) Reindex(next func(*store.Tx, int64) (object.Batch, error)) (n int) {
	f.T.Helper()
	var b object.Batch
	for {
		f.Read(func(tx *store.Tx) (err error) {
			b, err = next(tx, b.Last)
			return err
		})
		for list := range b.Prepare(f.Clock.Now()) {
			f.Write(func(tx *store.Tx) error { return f.Objects.Reindex(tx, list) })
			n += len(list)
		}
		if b.Last == 0 {
			return n
		}
	}
}

// IDAt returns the id of the object at a segment.
func (f *Fixture) IDAt(c calendar.Calendar, segment string) (id string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		r, found, err := f.Objects.At(tx, c.ID, segment)
		if err == nil && !found {
			f.T.Fatalf("there is no object at %s", segment)
		}
		id = r.ID
		return err
	})
	return id
}

// TrashTitles returns the titles in the trash of v, the latest deletion first.
func (f *Fixture) TrashTitles(v svc.Viewer) (titles []string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		page, err := f.Calendar.Trash(tx, v, 0, "")
		for _, t := range page.Trash {
			titles = append(titles, t.Title)
		}
		return err
	})
	return titles
}

// WantError fails the test unless err has a code and names exactly these
// fields.
func WantError(t testing.TB, err error, code svc.Code, fields ...string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got error %v, want code %s", err, code.Name)
		return
	}
	var got []string
	for _, field := range e.Fields {
		got = append(got, field.Name)
	}
	if !slices.Equal(got, fields) {
		t.Errorf("got fields %q, want %q", got, fields)
	}
}

// WantCounts fails the test unless the counters of calendars and trash agree with
// their contents.
func (f *Fixture) WantCounts() {
	f.T.Helper()
	wrong := storetest.Rows(f.T, f.DB, `
		SELECT 'calendar', id FROM calendar_calendar AS c
		 WHERE objects <> (SELECT count(*) FROM calendar_object WHERE calendar_id = c.id)
		    OR octets <> (SELECT total(length(data)) FROM calendar_data JOIN calendar_object USING (n) WHERE calendar_id = c.id)
		UNION ALL
		SELECT 'trash', n FROM calendar_trash AS t
		 WHERE objects <> (SELECT count(*) FROM calendar_trashed WHERE trash = t.n AND component <> '')
		    OR octets <> (SELECT total(length(data)) FROM calendar_trashed WHERE trash = t.n)`)
	if len(wrong) > 0 {
		f.T.Errorf("wrong counts: %q", wrong)
	}
}
