package transfer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
)

// WriteFiles writes everything stored about a member into dir, which must be
// empty: each entry as an iCalendar file, each list as a JSON file, and the rest
// as member.json. It returns the number of files.
func (x *Exporter) WriteFiles(tx *store.Tx, id svc.MemberID, dir string) (files int, err error) {
	if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
		return 0, svc.Errorf(svc.AlreadyExists, "%s is not empty. Choose an empty or new directory.", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	put := func(name, text string) error {
		files++
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o600)
	}
	var all struct {
		memberPart
		exportedMember
	}
	if all.memberPart, err = x.memberPart(tx, id); err != nil {
		return 0, err
	}
	entries, entryDir := 0, ""
	err = x.Calendar.Export(tx, id, func(c calendar.Calendar) error {
		all.Calendars = append(all.Calendars, exportedCalendar{c})
		entryDir, entries = calendarDir(dir, c.ID), 0
		return nil
	}, func(entry calendar.ExportedObject) error {
		entries++
		return put(filepath.Join(entryDir, fmt.Sprintf("%05d.ics", entries)), entry.Data)
	})
	if err != nil {
		return files, err
	}
	for _, l := range x.lists(tx, id) {
		files++
		if err := writeList(filepath.Join(dir, l.name+".json"), l); err != nil {
			return files, err
		}
	}
	text, err := svc.EncodeJSON(all)
	if err != nil {
		return files, err
	}
	return files, put(filepath.Join(dir, memberFile), string(text))
}

// memberFile is the name of the file of an export without a list of its own.
const memberFile = "member.json"

// exportedMember is the part of memberFile with the calendars.
type exportedMember struct {
	Calendars []exportedCalendar `json:"calendars"`
}

type exportedCalendar struct {
	Calendar calendar.Calendar `json:"calendar"`
}

// calendarDir returns the directory with the entries of a calendar in an export.
func calendarDir(dir, calendarID string) string { return filepath.Join(dir, "calendars", calendarID) }

// writeList writes one list of an export to a file.
func writeList(name string, l list) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := jsonWriter{w: f}
	out.text("[")
	if err := out.list(l.each); err != nil {
		return err
	}
	out.text("]\n")
	return out.err
}

// WriteCalendars writes each calendar of v into a file in dir that is named after
// the calendar, and returns the names of the files. Existing files are replaced.
func WriteCalendars(tx *store.Tx, s *calendar.Service, v svc.Viewer, dir string) (files []string, err error) {
	list, err := s.Calendars(tx, v)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		name := FileName(c.Name) + ".ics"
		for n := 2; slices.Contains(files, name); n++ {
			name = fmt.Sprintf("%s %d.ics", FileName(c.Name), n)
		}
		files = append(files, name)
		err = errors.Join(err, writeCalendar(tx, s, v, c.ID, filepath.Join(dir, name)))
	}
	return files, err
}

// writeCalendar writes a calendar to a temporary file and renames it when it is
// complete.
func writeCalendar(tx *store.Tx, s *calendar.Service, v svc.Viewer, id, name string) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(s.WriteStream(tx, v, id, "", f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
