package collection_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/object"
)

// paths returns the paths of the files in a collection and below it.
func paths(f *calendartest.Fixture, v svc.Viewer, path string) (list []string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		var walk func(path string) error
		walk = func(path string) error {
			files, err := f.Collections.Files(tx, v, path)
			for _, file := range files {
				list = append(list, file.Path)
				if file.Collection && err == nil {
					err = walk(file.Path)
				}
			}
			return err
		}
		return walk(path)
	})
	return list
}

func putFile(f *calendartest.Fixture, v svc.Viewer, path, data string) (etag string, err error) {
	err = f.TryWrite(func(tx *store.Tx) (err error) {
		etag, _, err = f.Collections.PutFile(tx, v, path, "text/plain", []byte(data), calendartest.NoPrecondition)
		return err
	})
	return etag, err
}

// Files and collections are stored, replaced, copied, moved and deleted with
// everything below them. Covers RFC 4918 §9.
func TestOperationsOnCollectionsIncludeTheirMembers(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	mustSucceed := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	mkcol := func(path string) error {
		return f.TryWrite(func(tx *store.Tx) error { return f.Collections.MakeCollection(tx, ann, path) })
	}
	cp := func(from, to string, in collection.CopyRequest) (created bool, err error) {
		err = f.TryWrite(func(tx *store.Tx) (err error) {
			created, err = f.Collections.CopyFile(tx, ann, from, to, in, calendartest.NoPrecondition)
			return err
		})
		return created, err
	}
	wantPaths := func(about, path string, list ...string) {
		t.Helper()
		if got := paths(f, ann, path); !slices.Equal(got, list) {
			t.Errorf("%s: got %q, want %q", about, got, list)
		}
	}
	mustSucceed(mkcol("notes"))
	mustSucceed(mkcol("notes/old"))
	etag, err := putFile(f, ann, "notes/old/list.txt", "milk")
	mustSucceed(err)
	if again, err := putFile(f, ann, "notes/old/list.txt", "milk"); err != nil || again != etag || etag != object.ETag([]byte("milk")) {
		t.Errorf("got ETag %s, %v for the same data, want %s", again, err, etag)
	}
	mustSucceed(f.TryWrite(func(tx *store.Tx) error {
		return f.Collections.SetProperties(tx, ann, collection.Place{Calendar: "notes/old", Segment: "list.txt"}, true, []collection.Property{{Space: "urn:x", Local: "mood", Element: "<mood/>"}}, 100, calendartest.NoPrecondition)
	}))
	wantPaths("after PUT", "", "notes", "notes/old", "notes/old/list.txt")
	if created, err := cp("notes", "copy", collection.CopyRequest{}); !created || err != nil {
		t.Errorf("COPY: got created %t, %v", created, err)
	}
	wantPaths("after COPY", "copy", "copy/old", "copy/old/list.txt")
	if _, err := cp("notes", "shallow", collection.CopyRequest{Shallow: true}); err != nil {
		t.Error(err)
	}
	wantPaths("after a shallow COPY", "shallow")
	f.Read(func(tx *store.Tx) error {
		file, err := f.Collections.File(tx, ann, "copy/old/list.txt", true)
		if err != nil || string(file.Data) != "milk" || file.ETag != etag || file.MediaType != "text/plain" {
			t.Errorf("got %+v, %v", file, err)
		}
		members, err := f.Collections.MemberProperties(tx, ann, collection.Place{Calendar: "copy/old"}, true)
		if len(members) != 1 || members[0].Name != "list.txt" || members[0].Local != "mood" {
			t.Errorf("got properties %+v of the copy", members)
		}
		return err
	})
	if _, err := cp("notes", "copy", collection.CopyRequest{}); svc.KindOf(err) != svc.Stale {
		t.Errorf("COPY without overwrite: got %v", err)
	}
	if created, err := cp("notes", "copy", collection.CopyRequest{Move: true, Overwrite: true}); created || err != nil {
		t.Errorf("MOVE: got created %t, %v", created, err)
	}
	wantPaths("after MOVE", "", "copy", "copy/old", "copy/old/list.txt", "shallow")
	for name, c := range map[string]struct {
		err  error
		want func(error) bool
	}{
		"a parent that does not exist": {mkcol("none/x"), func(err error) bool { return errors.Is(err, collection.ErrNoCollection) }},
		"a parent that is a file":      {mkcol("copy/old/list.txt/x"), func(err error) bool { return errors.Is(err, collection.ErrNoCollection) }},
		"an existing collection":       {mkcol("copy/old"), func(err error) bool { return errors.Is(err, object.ErrTaken) }},
		"an existing segment":          {mkcol("copy"), func(err error) bool { return errors.Is(err, object.ErrTaken) }},
		"a long path":                  {errorOf(cp("copy", strings.Repeat("x", 2040), collection.CopyRequest{})), func(err error) bool { return svc.KindOf(err) == svc.Malformed }},
		"COPY of nothing":              {errorOf(cp("none", "x", collection.CopyRequest{})), func(err error) bool { return svc.KindOf(err) == svc.Missing }},
		"PUT of a collection":          {errorOf(putFile(f, ann, "copy", "x")), func(err error) bool { return svc.KindOf(err) == svc.WrongMethod }},
	} {
		if !c.want(c.err) {
			t.Errorf("%s: got error %v", name, c.err)
		}
	}
	mustSucceed(f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Collections.DeleteFile(tx, ann, "copy/old/list.txt", calendartest.NoPrecondition)
		return err
	}))
	wantPaths("after DELETE of a file", "", "copy", "copy/old", "shallow")
	mustSucceed(f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Collections.DeleteFile(tx, ann, "copy", calendartest.NoPrecondition)
		return err
	}))
	wantPaths("after DELETE of a collection", "", "shallow")
	if err := f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Collections.DeleteFile(tx, ann, "copy", alwaysFails)
		return err
	}); svc.KindOf(err) != svc.Missing {
		t.Errorf("DELETE of nothing: got %v", err)
	}
	if err := f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Collections.DeleteFile(tx, ann, "shallow", alwaysFails)
		return err
	}); !errors.Is(err, errPrecondition) {
		t.Errorf("DELETE with a failed precondition: got %v", err)
	}
}

func errorOf[T any](_ T, err error) error { return err }

// The files of a member have a limited total size. A move needs no quota.
func TestFileQuotaIsEnforced(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	data := make([]byte, 1<<20)
	f.Fill(func(tx *store.Tx) error {
		if err := f.Collections.MakeCollection(tx, ann, "a"); err != nil {
			return err
		}
		for n := range collection.MaxFileBytes / len(data) {
			if _, _, err := f.Collections.PutFile(tx, ann, fmt.Sprint("a/", n), "x/y", data, calendartest.NoPrecondition); err != nil {
				return err
			}
		}
		return nil
	})
	if _, err := putFile(f, ann, "a/more", "x"); svc.KindOf(err) != svc.OverQuota {
		t.Errorf("PUT: got %v, want an error of kind OverQuota", err)
	}
	if _, err := putFile(f, ann, "a/0", "x"); err != nil {
		t.Errorf("PUT of a smaller file: got %v", err)
	}
	for _, move := range []bool{false, true} {
		err := f.TryWrite(func(tx *store.Tx) error {
			_, err := f.Collections.CopyFile(tx, ann, "a", "b", collection.CopyRequest{Move: move}, calendartest.NoPrecondition)
			return err
		})
		if full := svc.KindOf(err) == svc.OverQuota; full == move || move && err != nil {
			t.Errorf("move %t: got %v", move, err)
		}
	}
	f.Read(func(tx *store.Tx) error {
		used, available, err := f.Collections.StorageUsage(tx, ann)
		if want := int64(collection.MaxFileBytes - len(data) + 1); used != want || available != collection.MaxFileBytes-want {
			t.Errorf("got %d bytes used and %d available, want %d and %d", used, available, want, collection.MaxFileBytes-want)
		}
		return err
	})
}

// The number and the size of dead properties are limited, and a change that
// exceeds a limit changes nothing.
func TestDeadPropertiesAreLimited(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	f.Put(ann, f.DefaultCalendar(ann), "a.ics", event("a", "A"))
	f.Write(func(tx *store.Tx) error { return f.Collections.MakeCollection(tx, ann, "notes") })
	const maxOctets = 100
	for _, c := range []struct {
		name   string
		at     collection.Place
		isFile bool
	}{
		{"the home", collection.Place{}, false}, {"a calendar", collection.Place{Calendar: f.DefaultCalendar(ann).Segment}, false},
		{"an object", collection.Place{Calendar: f.DefaultCalendar(ann).Segment, Segment: "a.ics"}, false}, {"a collection", collection.Place{Calendar: "notes"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := func(list ...collection.Property) error {
				return f.TryWrite(func(tx *store.Tx) error {
					return f.Collections.SetProperties(tx, ann, c.at, c.isFile, list, maxOctets, calendartest.NoPrecondition)
				})
			}
			property := func(name string, size int) collection.Property {
				return collection.Property{Space: "urn:x", Local: name, Element: strings.Repeat("x", size)}
			}
			if err := set(property("a", 60), property("b", 40)); err != nil {
				t.Fatal(err)
			}
			if err := set(property("c", 1)); !errors.Is(err, collection.ErrTooManyProperties) {
				t.Errorf("got %v, want ErrTooManyProperties", err)
			}
			if err := set(property("a", 0), property("c", 50)); err != nil {
				t.Errorf("a removal and a smaller property: got %v", err)
			}
			var many []collection.Property
			for n := range collection.MaxProperties {
				many = append(many, property(fmt.Sprint("p", n), 1))
			}
			if err := set(append(many, property("b", 0), property("c", 1))...); !errors.Is(err, collection.ErrTooManyProperties) {
				t.Errorf("101 properties: got %v, want ErrTooManyProperties", err)
			}
			f.Read(func(tx *store.Tx) error {
				list, err := f.Collections.Properties(tx, ann, c.at, c.isFile)
				var got []string
				for _, p := range list {
					got = append(got, fmt.Sprint(p.Local, len(p.Element)))
				}
				if want := []string{"b40", "c50"}; !slices.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
				return err
			})
		})
	}
	f.Read(func(tx *store.Tx) error {
		members, err := f.Collections.MemberProperties(tx, ann, collection.Place{}, false)
		if len(members) != 4 {
			t.Errorf("got %d properties of the calendars and collections in the home, want 4", len(members))
		}
		objects, err2 := f.Collections.MemberProperties(tx, ann, collection.Place{Calendar: f.DefaultCalendar(ann).Segment}, false)
		if len(objects) != 2 || objects[0].Name != "a.ics" {
			t.Errorf("got properties %+v of objects, want 2", objects)
		}
		return errors.Join(err, err2)
	})
	if err := f.TryWrite(func(tx *store.Tx) error {
		return f.Collections.SetProperties(tx, ann, collection.Place{}, false, nil, 0, alwaysFails)
	}); !errors.Is(err, errPrecondition) {
		t.Errorf("got %v, want the error of the precondition", err)
	}
}

// Replaying the changes of a home, with any limits, results in its calendars and
// collections. Covers PT-28.
func TestReplayedHomeChangesYieldTheContents(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	d := icstest.NewRand(6578)
	replayed, token := make(map[string]struct{}), ""
	for range 150 {
		changeHome(f, ann, d)
		if d.OneIn(2) {
			continue
		}
		for limit := d.IntN(3); ; {
			var c collection.HomeChanges
			f.Read(func(tx *store.Tx) (err error) {
				c, err = f.Collections.HomeChanges(tx, ann, token, limit)
				return err
			})
			for _, s := range c.Deleted {
				delete(replayed, s)
			}
			for _, s := range c.Changed {
				replayed[s] = struct{}{}
			}
			if token = c.Token; !c.Truncated {
				break
			}
		}
		var want []string
		var last string
		f.Read(func(tx *store.Tx) error {
			calendars, err := f.Calendar.Calendars(tx, ann)
			if err != nil {
				return err
			}
			for _, c := range calendars {
				want = append(want, c.Segment)
			}
			files, err := f.Collections.Files(tx, ann, "")
			if err != nil {
				return err
			}
			for _, file := range files {
				want = append(want, file.Path)
			}
			last, err = f.Collections.HomeToken(tx, ann)
			return err
		})
		if len(replayed) != len(want) || slices.ContainsFunc(want, func(s string) bool { _, ok := replayed[s]; return !ok }) || token != last {
			t.Fatalf("got %v at %s, want %q at %s", replayed, token, want, last)
		}
	}
}

// changeHome makes a random change, which may be rejected.
func changeHome(f *calendartest.Fixture, v svc.Viewer, d icstest.Rand) {
	segment, other := icstest.Pick(d, "a", "b", "c", "d"), icstest.Pick(d, "a", "b", "c", "d")
	o := icstest.Parse(f.T, event("x", fmt.Sprint(d.IntN(100))))
	action := d.IntN(6)
	_ = f.TryWrite(func(tx *store.Tx) error {
		var err error
		switch action {
		case 0:
			_, err = f.Calendar.CreateCalendar(tx, v, calendar.NewCalendar{Name: segment, Segment: segment})
		case 1:
			err = f.Collections.MakeCollection(tx, v, segment)
		case 2:
			_, err = f.Collections.DeleteFile(tx, v, segment, calendartest.NoPrecondition)
		case 3:
			_, err = f.Collections.CopyFile(tx, v, segment, other, collection.CopyRequest{Move: true, Overwrite: true}, calendartest.NoPrecondition)
		case 4:
			_, _, err = f.Collections.Put(tx, v, segment, "x.ics", object.Prepare(o, tx.Now()), calendartest.NoPrecondition)
		case 5:
			var c calendar.Calendar
			if c, err = f.Calendar.CalendarAt(tx, v, segment); err == nil {
				_, err = f.Calendar.DeleteCalendar(tx, v, c.ID, "")
			}
		}
		return err
	})
}

// addTree adds a folder with a folder in it that contains n files.
func addTree(f *calendartest.Fixture, v svc.Viewer, path string, n int) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) error {
		return errors.Join(f.Collections.MakeCollection(tx, v, path), f.Collections.MakeCollection(tx, v, path+"/a"))
	})
	storetest.Exec(f.T, f.DB, `WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?2)
		INSERT INTO calendar_file (member_id, path, parent, collection, media_type, etag, size, home_seq, created_at, updated_at)
		SELECT ?3, ?1 || '/a/' || n, ?1 || '/a', 0, 'text/plain', '"x"', 1, 0, 0, 0 FROM i`, path, n, v.Member())
	storetest.Exec(f.T, f.DB, "INSERT INTO calendar_file_data (n, data) SELECT n, x'00' FROM calendar_file WHERE parent = ? || '/a'", path)
}

// A folder with many files is deleted in short writes. A folder is not deleted
// before its files. Covers B-130.
func TestLargeFolderIsDeletedInShortWrites(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	addTree(f, ann, "large", 1500)
	addTree(f, ann, "other", 1)
	storetest.Exec(t, f.DB, "INSERT INTO calendar_property (file, space, local, element) SELECT n, 'urn:x', 'a', '<a/>' FROM calendar_file")
	writes := 0
	for more := true; more; writes++ {
		f.Write(func(tx *store.Tx) (err error) {
			more, err = f.Collections.DeleteFile(tx, ann, "large", calendartest.NoPrecondition)
			return err
		})
		orphans := storetest.Rows(t, f.DB, `SELECT path FROM calendar_file AS f
			WHERE parent <> '' AND NOT EXISTS (SELECT 1 FROM calendar_file AS p WHERE p.path = f.parent)`)
		if len(orphans) > 0 {
			t.Errorf("after %d writes got files without folder: %q", writes+1, orphans)
		}
	}
	if writes < 3 {
		t.Errorf("got %d writes, want 3 or more", writes)
	}
	if got := storetest.Rows(t, f.DB, "SELECT path FROM calendar_file ORDER BY path"); !slices.Equal(got, []string{"other", "other/a", "other/a/1"}) {
		t.Errorf("got %q, want the other folder", got)
	}
}

// A folder that is too large for one write is neither copied, moved nor replaced. Covers
// B-130.
func TestLargeFolderIsNotCopied(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	addTree(f, ann, "large", 2001)
	addTree(f, ann, "medium", 600)
	addTree(f, ann, "small", 1)
	addTree(f, ann, "heavy", 9)
	storetest.Exec(t, f.DB, "UPDATE calendar_file SET size = 1 << 20 WHERE parent = 'heavy/a'")
	for _, c := range []struct {
		from, to string
		move     bool
		want     svc.Kind
	}{
		{"large", "copy", false, svc.OverQuota},
		{"large", "moved", true, svc.OverQuota},
		{"small", "large", false, svc.OverQuota},
		{"heavy", "copy", false, svc.OverQuota},
		{"heavy", "moved", true, 0},
		{"medium", "copy", false, 0},
		{"medium", "elsewhere", true, 0},
		{"small", "copy", true, 0},
	} {
		before := storetest.Rows(t, f.DB, "SELECT count(*), max(n) FROM calendar_file")
		err := f.TryWrite(func(tx *store.Tx) error {
			_, err := f.Collections.CopyFile(tx, ann, c.from, c.to, collection.CopyRequest{Move: c.move, Overwrite: true}, calendartest.NoPrecondition)
			return err
		})
		if c.want == 0 && err != nil || c.want != 0 && svc.KindOf(err) != c.want {
			t.Errorf("%+v: got error %v", c, err)
		}
		if after := storetest.Rows(t, f.DB, "SELECT count(*), max(n) FROM calendar_file"); err != nil && !slices.Equal(after, before) {
			t.Errorf("%+v: got %q, want %q unchanged", c, after, before)
		}
	}
}
