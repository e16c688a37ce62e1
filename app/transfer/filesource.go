package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
)

// openFile is the file that was read last. An import of a directory reads its files one after the
// other, and reopens those with parts of other entries.
type openFile struct {
	name string
	file *os.File
}

func (o *openFile) close() {
	if o.file != nil {
		o.file.Close()
		o.file, o.name = nil, ""
	}
}

// fileReader reads a file that is opened when it is needed.
type fileReader struct {
	open *openFile
	name string
}

func (r fileReader) ReadAt(p []byte, offset int64) (int, error) {
	if r.open.name != r.name || r.open.file == nil {
		r.open.close()
		f, err := os.Open(r.name)
		if err != nil {
			return 0, err
		}
		r.open.file, r.open.name = f, r.name
	}
	return r.open.file.ReadAt(p, offset)
}

// ReadPath reads a file, or the .ics files of a directory. Each subdirectory is a
// calendar.
func (s *Sources) ReadPath(ctx context.Context, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return s.readFile(name, calendar.ImportSource{})
	}
	exported, err := exportedCalendars(name)
	if err != nil {
		return err
	}
	return filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(file), ".ics") {
			return err
		}
		dir := filepath.Dir(file)
		src, found := exported[dir]
		if !found {
			src = vdirCalendar(dir)
			if src.Name == "" && dir != filepath.Clean(name) {
				src.Name = filepath.Base(dir)
			}
		}
		return s.readFile(file, src)
	})
}

// vdirCalendar returns the calendar of a vdir directory, which has its properties in files.
func vdirCalendar(dir string) (src calendar.ImportSource) {
	for name, into := range map[string]*string{"displayname": &src.Name, "color": &src.Color, "description": &src.Description} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			*into = strings.TrimSpace(string(text))
		}
	}
	src.Name, _, _ = strings.Cut(src.Name, "\n")
	return src
}

// exportedCalendars returns the calendars of an export of [Exporter.WriteFiles] by their
// directories; none if dir is not such an export.
func exportedCalendars(dir string) (map[string]calendar.ImportSource, error) {
	text, err := os.ReadFile(filepath.Join(dir, memberFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var export exportedMember
	if err == nil {
		err = json.Unmarshal(text, &export)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, memberFile), err)
	}
	list := make(map[string]calendar.ImportSource)
	for _, item := range export.Calendars {
		c := item.Calendar
		list[calendarDir(dir, c.ID)] = calendar.ImportSource{
			CalendarInfo: ics.CalendarInfo{Name: c.Name, Description: c.Description, Color: c.Color, Timezone: c.Timezone},
			Components:   c.Components,
		}
	}
	return list, nil
}

// readFile reads one file. The properties of src, unless they are empty, override those in the
// file.
func (s *Sources) readFile(name string, src calendar.ImportSource) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	stream, err := ics.ReadStream(fileReader{&s.files, name}, info.Size(), s.Progress("Reading "+filepath.Base(name)))
	if invalid, ok := errors.AsType[*ics.Error](err); ok { // other files of a directory may be valid
		s.report.RefuseSource(name, invalid)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	src.Name = cmp.Or(src.Name, stream.Name)
	src.Description = cmp.Or(src.Description, stream.Description)
	src.Color = cmp.Or(src.Color, stream.Color)
	src.Timezone = cmp.Or(src.Timezone, stream.Timezone)
	s.Add(&s.target(src).entries, name, stream)
	return nil
}
