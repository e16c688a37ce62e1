package transfer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
)

// newSources returns a Sources that imports into the calendars of v and reports no
// progress.
func newSources(f *calendartest.Fixture, v svc.Viewer) *Sources {
	s := &Sources{
		Importer: NewImporter(f.DB, f.Calendar, v),
		Dir:      f.T.TempDir(),
		Progress: func(string) func(done, total int64) { return nil },
		Log:      func(string, ...any) {},
	}
	f.T.Cleanup(func() { s.Close() })
	return s
}

// importPath imports a file or a directory.
func importPath(ctx context.Context, s *Sources, name string) error {
	if err := s.ReadPath(ctx, name); err != nil {
		return err
	}
	return s.Import(ctx)
}

// calendars returns the name, color and number of entries of each calendar of v.
func calendars(f *calendartest.Fixture, v svc.Viewer) (text string) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		list, err := f.Calendar.Calendars(tx, v)
		for _, c := range list {
			var b strings.Builder
			err = errors.Join(err, f.Calendar.WriteStream(tx, v, c.ID, "", &b))
			text += fmt.Sprintf("%s %s %d; ", c.Name, c.Color, strings.Count(b.String(), "\r\nUID:"))
		}
		return err
	})
	return text
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func event(uid string) string {
	return icstest.Event(uid, "DTSTART:20261201T100000Z", "SUMMARY:"+uid)
}

func TestDirectoryIsImportedIntoCalendarsByName(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	dir := t.TempDir()
	named := strings.Replace(event("1"), "VERSION:2.0\r\n", "VERSION:2.0\r\nX-WR-CALNAME:Choir\r\nX-APPLE-CALENDAR-COLOR:#AA0000FF\r\n", 1)
	writeFile(t, filepath.Join(dir, "named.ics"), named)
	writeFile(t, filepath.Join(dir, "plain.ICS"), event("2"))
	writeFile(t, filepath.Join(dir, "sub", "3.ics"), event("3"))
	writeFile(t, filepath.Join(dir, "vdir", "displayname"), "Work\n")
	writeFile(t, filepath.Join(dir, "vdir", "color"), "#00aa00\n")
	writeFile(t, filepath.Join(dir, "vdir", "4.ics"), event("4"))
	writeFile(t, filepath.Join(dir, "vdir", "notes.txt"), "not a calendar")
	const want = "Calendar #4e7cfe 1; Choir #aa0000 1; sub #b18216 1; Work #00aa00 1; "
	for i, report := range []string{"Imported: 4.", "Imported: 0. Already present: 4."} {
		s := newSources(f, ann)
		if err := importPath(t.Context(), s, dir); err != nil {
			t.Fatal(err)
		}
		if got := s.Report().String(); got != report {
			t.Errorf("import %d: got %q, want %q", i+1, got, report)
		}
		if got := sortedItems(calendars(f, ann)); got != sortedItems(want) {
			t.Errorf("import %d: got %s, want %s", i+1, got, want)
		}
	}
}

func sortedItems(text string) string {
	list := strings.Split(text, "; ")
	slices.Sort(list)
	return strings.Join(list, "; ")
}

func TestIntoDirectsAllSourcesIntoOneCalendar(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a", "1.ics"), event("1"))
	writeFile(t, filepath.Join(dir, "b", "2.ics"), event("2"))
	s := newSources(f, ann)
	s.Into = "  Everything "
	if err := importPath(t.Context(), s, dir); err != nil {
		t.Fatal(err)
	}
	if got, want := calendars(f, ann), "Calendar #4e7cfe 0; Everything #b18216 2; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := s.Names(), []string{"Everything"}; !slices.Equal(got, want) {
		t.Errorf("names: got %q, want %q", got, want)
	}
}

func TestLongCalendarNameIsCut(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	file := filepath.Join(t.TempDir(), "1.ics")
	writeFile(t, file, event("1"))
	s := newSources(f, ann)
	s.Into = strings.Repeat("é", svc.MaxName+1)
	if err := importPath(t.Context(), s, file); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Names(), []string{strings.Repeat("é", svc.MaxName)}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestInvalidFilesDoNotStopAnImport(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "1.ics"), event("1"))
	writeFile(t, filepath.Join(dir, "2.ics"), "not a calendar")
	writeFile(t, filepath.Join(dir, "3.ics"), strings.Replace(event("3"), "DTSTART:20261201T100000Z", "DTSTART:soon", 1))
	writeFile(t, filepath.Join(dir, "4.ics"), event("4"))
	s := newSources(f, ann)
	if err := importPath(t.Context(), s, dir); err != nil {
		t.Fatal(err)
	}
	report := s.Report()
	if report.Imported != 2 || report.RefusedCount != 2 || len(report.Refused) != 2 {
		t.Fatalf("got %+v, want 2 imported and 2 refused", report)
	}
	for i, want := range []string{"2.ics", "3.ics"} {
		if got := report.Refused[i]; filepath.Base(got.Source) != want || got.Reason == "" {
			t.Errorf("refused %d: got %+v, want a reason for %s", i, got, want)
		}
	}
	if err := importPath(t.Context(), s, filepath.Join(dir, "missing.ics")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: got %v, want ErrNotExist", err)
	}
}

// The components of one entry meet, whatever file they are in; an override without a calendar of its
// own goes to its series. Every entry counts once, also in files that are cut. Covers B-118.
func TestPartsOfAnEntryMeetFromSeveralFiles(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	dir := t.TempDir()
	named := func(text string) string {
		return strings.Replace(text, "VERSION:2.0\r\n", "VERSION:2.0\r\nX-WR-CALNAME:Choir\r\n", 1)
	}
	const start = "DTSTART;TZID=Europe/Berlin:20261124T190000"
	override := func(day string) string {
		return icstest.Event("series", "RECURRENCE-ID;TZID=Europe/Berlin:202612"+day+"T190000", "DTSTART:202612"+day+"T190000Z", "SUMMARY:moved")
	}
	writeFile(t, filepath.Join(dir, "1.ics"), override("01"))
	writeFile(t, filepath.Join(dir, "2.ics"), named(icstest.Event("series", start, "RRULE:FREQ=WEEKLY", "SUMMARY:weekly")))
	writeFile(t, filepath.Join(dir, "3.ics"), named(override("08")+override("08")))
	writeFile(t, filepath.Join(dir, "4.ics"), icstest.Event("other", "RECURRENCE-ID:20261201T190000Z", start))
	cut := named(icstest.Event("series", start, "RRULE:FREQ=WEEKLY", "SEQUENCE:1", "SUMMARY:each week"))
	writeFile(t, filepath.Join(dir, "5.ics"), strings.Replace(cut, "END:VCALENDAR\r\n", "BEGIN:VEVENT\r\nUID:cut\r\nDTSTA", 1))
	writeFile(t, filepath.Join(dir, "6.ics"), "not a calendar")
	s := newSources(f, ann)
	if err := importPath(t.Context(), s, dir); err != nil {
		t.Fatal(err)
	}
	r := s.Report()
	if got, want := r.String(), "Imported: 2. Merged with these: 4. Not imported: 2."; got != want || r.Entries != 8 {
		t.Errorf("got %q and %d entries with %v, want %q and 8", got, r.Entries, r.Refused, want)
	}
	if got, want := calendars(f, ann), "Calendar #4e7cfe 1; Choir #b18216 3; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	again := newSources(f, ann)
	if err := importPath(t.Context(), again, dir); err != nil {
		t.Fatal(err)
	}
	if got, want := again.Report().String(), "Imported: 0. Already present: 2. Merged with these: 4. Not imported: 2."; got != want {
		t.Errorf("again: got %q, want %q", got, want)
	}
}

// An import stores entries in batches. What was stored before an interruption stays, and a repetition
// adds the rest.
func TestInterruptedImportCanBeRepeated(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	file := filepath.Join(t.TempDir(), "a.ics")
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
	const entries = 3*batchEntries + 1
	for i := range entries {
		text += fmt.Sprintf("BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:20261201T100000Z\r\nEND:VEVENT\r\n", i)
	}
	writeFile(t, file, text+"END:VCALENDAR\r\n")
	ctx, cancel := context.WithCancel(t.Context())
	s := newSources(f, ann)
	s.Progress = func(step string) func(done, total int64) {
		return func(done, total int64) {
			if strings.HasPrefix(step, "Importing") {
				cancel()
			}
		}
	}
	if err := importPath(ctx, s, file); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the interruption", err)
	}
	if got := s.Report(); got.Imported != batchEntries || got.Entries != entries {
		t.Errorf("got %d of %d entries, want %d of %d", got.Imported, got.Entries, batchEntries, entries)
	}
	again := newSources(f, ann)
	if err := importPath(t.Context(), again, file); err != nil {
		t.Fatal(err)
	}
	if got, want := again.Report().String(), fmt.Sprintf("Imported: %d. Already present: %d.", entries-batchEntries, batchEntries); got != want {
		t.Errorf("again: got %q, want %q", got, want)
	}
}

// Two imports of one file at the same time store each entry once.
func TestConcurrentImportsStoreEachEntryOnce(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	dir := t.TempDir()
	for i := range 150 {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("%d.ics", i)), icstest.Event(fmt.Sprint(i%140), "DTSTART:20261201T100000Z", fmt.Sprintf("SEQUENCE:%d", i/140)))
	}
	errs := make(chan error, 2)
	sources := []*Sources{newSources(f, ann), newSources(f, ann)}
	for _, s := range sources {
		s.Into = "Choir"
		go func() { errs <- importPath(t.Context(), s, dir) }()
	}
	if err := errors.Join(<-errs, <-errs); err != nil {
		t.Fatal(err)
	}
	imported := 0
	for _, s := range sources {
		r := s.Report()
		imported += r.Imported
		if got := r.Imported + r.Changed + r.Present + r.Merged + r.RefusedCount; got != 150 || r.Merged != 10 || r.Changed != 0 {
			t.Errorf("got %s, want 150 entries, 10 of them merged and none changed", r)
		}
	}
	if got, want := calendars(f, ann), "Calendar #4e7cfe 0; Choir #b18216 140; "; got != want || imported != 140 {
		t.Errorf("got %s and %d imported, want %s and 140", got, imported, want)
	}
}

func TestFileNameIsSafeAndShort(t *testing.T) {
	for title, want := range map[string]string{
		"Choir": "Choir", "../Work/life": "Work-life", " .hidden. ": "hidden", "a\x00b\nc": "a-b-c", `C:\x*?"<>|`: "C--x",
		"": "calendar", "...": "calendar", strings.Repeat("é", 60): strings.Repeat("é", 50),
	} {
		if got := FileName(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}

func TestCalendarsWithOneNameAreExportedIntoSeveralFiles(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "1.ics", event("1"))
	f.AddCalendar(ann, defaultCal.Name)
	dir := t.TempDir()
	var files []string
	f.Read(func(tx *store.Tx) (err error) {
		files, err = WriteCalendars(tx, f.Calendar, ann, dir)
		return err
	})
	if want := []string{"Calendar.ics", "Calendar 2.ics"}; !slices.Equal(files, want) {
		t.Fatalf("got %q, want %q", files, want)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 2 {
		t.Errorf("got %v, %v, want the two files and no temporary ones", list, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "Calendar.ics"))
	if err != nil || strings.Count(string(text), "UID:1\r\n") != 1 {
		t.Errorf("got %s, %v, want the entry 1", text, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "Calendar.ics")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info, err)
	}
}

// davServer starts a CalDAV server with a principal at /dav/. Its
// /.well-known/caldav redirects to wellKnown, unless that is empty.
func davServer(t *testing.T, wellKnown string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		multistatus := func(property string) {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusMultiStatus)
			fmt.Fprintf(w, `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>%s</href><propstat><prop>%s</prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`,
				r.URL.Path, property)
		}
		_, password, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/.well-known/caldav" && wellKnown != "":
			http.Redirect(w, r, wellKnown, http.StatusMovedPermanently)
		case password != "secret":
			http.Error(w, "no", http.StatusUnauthorized)
		case r.URL.Path == "/dav/":
			multistatus(`<current-user-principal><href>/dav/ann/</href></current-user-principal>`)
		case r.URL.Path == "/dav/ann/":
			multistatus(`<C:calendar-home-set><href>/dav/ann/calendars/</href></C:calendar-home-set>`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func discover(ctx context.Context, address, password string) (*DAVClient, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return Discover(ctx, at, "ann", password, func(string, ...any) {})
}

// Covers RFC 6764 §6.
func TestDiscoveryFollowsWellKnown(t *testing.T) {
	server := davServer(t, "/dav/")
	for _, path := range []string{"/dav/", "", "/some/page"} {
		d, err := discover(t.Context(), server.URL+path, "secret")
		if err != nil {
			t.Errorf("%q: %v, want no error", path, err)
		} else if d.principal != "/dav/ann/" || d.home != "/dav/ann/calendars/" {
			t.Errorf("%q: got principal %s and home %s, want /dav/ann/ and /dav/ann/calendars/", path, d.principal, d.home)
		}
	}
	for address, want := range map[string]string{
		server.URL + "/dav/":    "does not name a principal", // the test sends a wrong password
		davServer(t, "").URL:    "not with a redirect",
		"http://127.0.0.1:1/x/": "does not name a principal",
	} {
		if _, err := discover(t.Context(), address, "wrong"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", address, err, want)
		}
	}
}

// Discovery would send the password to the target of a redirect, so it rejects
// targets on another host without HTTPS.
func TestDiscoveryDoesNotSendThePasswordToAnotherHostWithoutHTTPS(t *testing.T) {
	requested := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requested = true }))
	defer other.Close()
	_, err := discover(t.Context(), davServer(t, other.URL+"/dav/").URL, "secret")
	if err == nil || !strings.Contains(err.Error(), "redirects to another host without HTTPS") || requested {
		t.Errorf("got %v, requested the other host: %t, want an error and no request", err, requested)
	}
}
