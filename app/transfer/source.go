package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-webdav"
)

// Sources imports calendars from files, directories and other CalDAV servers.
// Each source with a name goes into the calendar of that name, which is created
// if it does not exist; a source without a name goes into the default calendar.
type Sources struct {
	*Importer

	// Into is the name of the calendar for all sources. If it is empty, the
	// name of each source selects its calendar.
	Into string

	// Progress returns a function that reports the progress of one step, or
	// nil. Log receives a line for each step of the discovery of a server.
	Progress func(step string) func(done, total int64)
	Log      func(format string, args ...any)

	calendars map[string]string // ids by name; "" is the default calendar
}

// Names returns the names of the calendars that the sources selected.
func (s *Sources) Names() []string { return slices.Sorted(maps.Keys(s.calendars)) }

// selectCalendar selects the calendar with the name for the following entries. It
// creates the calendar if it does not exist.
func (s *Sources) selectCalendar(ctx context.Context, name, color string, components []string) error {
	if s.Into != "" {
		name = s.Into
	}
	name = strings.TrimSpace(name)
	if len([]rune(name)) > svc.MaxName {
		name = string([]rune(name)[:svc.MaxName])
	}
	if id, ok := s.calendars[name]; ok {
		return s.switchTo(ctx, id)
	}
	var id string
	err := s.db.Write(ctx, func(tx *store.Tx) error {
		list, err := s.calendar.Calendars(tx, s.viewer)
		if err != nil {
			return err
		}
		n := slices.IndexFunc(list, func(c calendar.Calendar) bool { return name == "" && c.IsDefault || name != "" && c.Name == name })
		if n >= 0 {
			id = list[n].ID
			return nil
		}
		created, err := s.calendar.CreateCalendar(tx, s.viewer, calendar.NewCalendar{Name: name, Color: withoutAlpha(color), Components: components})
		id = created.ID
		return err
	})
	if err != nil {
		return err
	}
	if s.calendars == nil {
		s.calendars = make(map[string]string)
	}
	s.calendars[name] = id
	return s.switchTo(ctx, id)
}

// withoutAlpha returns a color in the form #rrggbb, or "" if it has another form.
// It removes the alpha value of Apple's form #rrggbbaa.
func withoutAlpha(color string) string {
	color = strings.TrimSpace(color)
	if len(color) == len("#rrggbbaa") {
		color = color[:len("#rrggbb")]
	}
	if len(color) != len("#rrggbb") || color[0] != '#' || strings.Trim(color[1:], "0123456789abcdefABCDEF") != "" {
		return ""
	}
	return color
}

// ImportPath imports a file, or the .ics files of a directory. Each subdirectory is a
// calendar.
func (s *Sources) ImportPath(ctx context.Context, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return s.importFile(ctx, name, "", "")
	}
	return filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(file), ".ics") {
			return err
		}
		dir, title := filepath.Dir(file), ""
		if dir != filepath.Clean(name) {
			title = filepath.Base(dir)
		}
		// A vdir directory has its title and color in files.
		return s.importFile(ctx, file, firstLine(filepath.Join(dir, "displayname"), title), firstLine(filepath.Join(dir, "color"), ""))
	})
}

// firstLine returns the first line of a file, or the fallback if it has none.
func firstLine(file, fallback string) string {
	text, err := os.ReadFile(file)
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if err != nil || line == "" {
		return fallback
	}
	return line
}

// importFile imports one file. title and color, unless empty, override the name and
// the color in the file.
func (s *Sources) importFile(ctx context.Context, name, title, color string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	collection, err := ics.ReadStream(f, info.Size(), s.Progress("Reading "+filepath.Base(name)))
	if invalid, ok := errors.AsType[*ics.Error](err); ok { // other files of a directory may be valid
		s.refuse(name, invalid.Reason)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if title == "" {
		title = collection.Name
	}
	if color == "" {
		color = collection.Color
	}
	if err := s.selectCalendar(ctx, title, color, nil); err != nil {
		return err
	}
	return s.AddAll(ctx, name, collection)
}

// ImportServer imports all calendars of a user of another CalDAV server.
func (s *Sources) ImportServer(ctx context.Context, address *url.URL, user, password string) error {
	d, err := Discover(ctx, address, user, password, s.Log)
	if err != nil {
		return err
	}
	list, err := d.Calendars(ctx)
	if err != nil {
		return fmt.Errorf("listing the calendars: %w", err)
	}
	for _, cal := range list {
		supported := slices.DeleteFunc(cal.SupportedComponentSet, func(c string) bool { return !slices.Contains(ics.ObjectComponents, c) })
		if len(supported) == 0 {
			supported = nil // the server does not list them, so the calendar accepts all components
		}
		if err := s.selectCalendar(ctx, cal.Name, "", supported); err != nil {
			return err
		}
		if err := s.importCalendar(ctx, d, cal.Path); err != nil {
			return fmt.Errorf("%s: %w", cal.Path, err)
		}
	}
	return nil
}

// concurrentFetches is the number of entries that are fetched at once.
const concurrentFetches = 8

// importCalendar imports one calendar of another server.
func (s *Sources) importCalendar(ctx context.Context, d *DAVClient, at string) error {
	list, err := d.files.ReadDir(ctx, at, false)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(f webdav.FileInfo) bool { return f.IsDir || f.Path == at })
	progress := s.Progress("Fetching " + path.Base(at))
	fetched := 0
	for part := range slices.Chunk(list, concurrentFetches) {
		texts, errs := make([][]byte, len(part)), make([]error, len(part))
		var fetching sync.WaitGroup
		for n, f := range part {
			fetching.Go(func() { texts[n], errs[n] = fetch(ctx, d, f.Path) })
		}
		fetching.Wait()
		if !slices.Contains(errs, nil) { // all requests failed: the server is unreachable or denies access
			return errors.Join(errs...)
		}
		for n, text := range texts {
			if err := s.add(ctx, part[n].Path, ics.Entry{Text: text, Err: errs[n]}); err != nil {
				return err
			}
		}
		if fetched += len(part); progress != nil {
			progress(int64(fetched), int64(len(list)))
		}
	}
	return nil
}

// fetch returns the text of an entry.
func fetch(ctx context.Context, d *DAVClient, at string) ([]byte, error) {
	body, err := d.files.Open(ctx, at)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, ics.MaxSize+1))
}
