package transfer

import (
	"cmp"
	"context"
	"math"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
)

// Sources imports calendars from files, directories and other CalDAV servers. First all sources
// are read, so that the components of an entry meet whatever source they are in; then Import
// stores the entries. Each source with a name goes into the calendar of that name, which is created
// if it does not exist; a source without a name goes into the default calendar.
type Sources struct {
	*Importer

	// Into is the name of the calendar for all sources. If it is empty, the
	// name of each source selects its calendar.
	Into string

	// Dir is the directory of temporary files.
	Dir string

	// Progress returns a function that reports the progress of one step, or
	// nil. Log receives a line for each step of the discovery of a server.
	Progress func(step string) func(done, total int64)
	Log      func(format string, args ...any)

	targets []*target // in the order of the first sources
	files   openFile
	fetched svc.Spool
}

// target is a calendar into which entries are imported.
type target struct {
	calendar.ImportSource
	entries ics.Assembly
}

// Close releases the resources of the sources.
func (s *Sources) Close() error {
	s.files.close()
	return s.fetched.Close()
}

// Names returns the names of the calendars that the sources selected, "" for the default calendar.
func (s *Sources) Names() []string {
	names := make([]string, len(s.targets))
	for i, t := range s.targets {
		names[i] = t.Name
	}
	slices.Sort(names)
	return names
}

// target returns the calendar for a source. Of several sources with one name, the first one with a
// property determines it.
func (s *Sources) target(src calendar.ImportSource) *target {
	src.Name = cmp.Or(calendar.ImportName(s.Into), calendar.ImportName(src.Name))
	i := slices.IndexFunc(s.targets, func(t *target) bool { return t.Name == src.Name })
	if i < 0 {
		i = len(s.targets)
		s.targets = append(s.targets, &target{ImportSource: src})
	}
	t := s.targets[i]
	t.Description = cmp.Or(t.Description, src.Description)
	t.Color = cmp.Or(t.Color, src.Color)
	t.Timezone = cmp.Or(t.Timezone, src.Timezone)
	return t
}

// Import stores the entries of all sources. Overrides from sources without a name go to their
// series.
func (s *Sources) Import(ctx context.Context) error {
	ctx = svc.WithWork(ctx, math.MaxInt64, nil) // the limit is for requests
	for _, unnamed := range s.targets {
		if unnamed.Name != "" {
			continue
		}
		for _, t := range s.targets {
			if t != unnamed {
				unnamed.entries.MoveOverrides(&t.entries)
			}
		}
	}
	for _, t := range s.targets {
		if t.entries.Len() == 0 {
			continue
		}
		var id string
		var found calendar.ImportReport
		err := s.db.Write(ctx, func(tx *store.Tx) error {
			c, report, err := s.calendar.ImportTarget(tx, s.viewer, t.ImportSource)
			id, found = c.ID, report
			return err
		})
		if err != nil {
			return err
		}
		s.report.Add(found)
		if err := s.Importer.Import(ctx, id, &t.entries, s.Progress("Importing "+t.Name)); err != nil {
			return err
		}
	}
	return nil
}
