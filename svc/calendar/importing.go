package calendar

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/words"
)

// ImportEntry is an entry to import.
type ImportEntry struct {
	entry    ics.Entry
	prepared *object.Prepared // nil if the entry is refused
	refusal  refusal          // why it is refused
	zones    []string         // unknown TZIDs of its times
	floating bool             // whether it has a time of day without a time zone

	// Set by ResolveImport.
	base     object.Presence  // the object that the calendar or the trash has
	resolved bool             // whether the following fields were computed for base
	update   *object.Prepared // nil if the object stays as it is
	conflict refusal          // why there is no update
	restored string           // dead properties of an object in the trash
}

// PrepareEntry computes what the import of an entry needs, so that Import only stores it. It takes
// the steps from work and returns the error of work or of the source.
func PrepareEntry(work svc.Work, e ics.Entry, now time.Time) (in ImportEntry, err error) {
	o := e.Object
	in.entry = e
	in.entry.Object = nil
	if invalid, ok := errors.AsType[*ics.Error](e.Err); ok {
		in.refusal = newRefusal(invalid)
		return in, work.Take(0)
	}
	if e.Err != nil || o == nil {
		return in, e.Err
	}
	in.zones = o.UnknownTZIDs()
	in.floating = slices.ContainsFunc(o.Components(), func(c *ics.Component) bool {
		return c.Time("DTSTART").IsFloating() || c.Time("DUE").IsFloating()
	})
	in.prepared, err = object.PrepareCounted(work, o, now)
	return in, err
}

// Size returns the number of octets that the entry occupies in memory.
func (e ImportEntry) Size() int {
	if e.prepared == nil {
		return 0
	}
	return len(e.prepared.Object.Raw)
}

// Limits of one write of Import.
const (
	maxImportEntries = 100  // take about 25 milliseconds
	maxImportRows    = 2300 // that are added, changed or deleted
)

// Rows of an object in a write, without its occurrences and properties. Triggers change half of
// them: the size of the calendar and of the trash, and the storage of the owner.
const (
	rowsOfAdded   = 5
	rowsOfChanged = 10 // of a replaced or restored object
)

// ImportResult is the outcome of one write of Import.
type ImportResult struct {
	Report     ImportReport
	Unresolved []ImportEntry // for ResolveImport: the calendar or the trash has an object with their UID
	Rest       []ImportEntry // entries beyond the limits of the write
}

// Import stores the first entries of list in a calendar of v, as many as one write may store.
func (s *Service) Import(tx *store.Tx, v svc.Viewer, calendarID string, list []ImportEntry) (done ImportResult, err error) {
	c, err := s.objects.WritableCalendar(tx, v.Member(), calendarID)
	if err != nil {
		return done, err
	}
	i := importing{viewer: v, calendar: c, result: &done}
	if err := i.find(tx, s.objects, list[:min(len(list), maxImportEntries)]); err != nil {
		return done, err
	}
	rows := 0
	for n, e := range list {
		if rows += i.weight(e); n == maxImportEntries || n > 0 && rows > maxImportRows {
			done.Rest = list[n:]
			break
		}
		i.add(e)
	}
	return done, s.objects.Apply(tx, c, i.changes)
}

// importing is one write of an import.
type importing struct {
	viewer   svc.Viewer
	calendar object.Calendar
	result   *ImportResult
	present  map[string][]object.Presence // by UID, the one that decides first
	added    map[string]bool              // UIDs that the write adds
	changes  object.Changes
}

// find reads the objects that entries meet.
func (i *importing) find(tx *store.Tx, objects *object.Store, list []ImportEntry) error {
	i.present, i.added = make(map[string][]object.Presence), make(map[string]bool)
	var uids []string
	for _, e := range list {
		if e.prepared != nil {
			uids = append(uids, e.prepared.Object.UID)
		}
	}
	found, err := objects.Presences(tx, i.viewer.Member(), i.calendar, uids)
	slices.SortStableFunc(found, func(a, b object.Presence) int { return cmp.Compare(i.rank(a), i.rank(b)) })
	for _, p := range found {
		i.present[p.UID] = append(i.present[p.UID], p)
	}
	return err
}

// rank orders the objects with one UID: that of the calendar, mirrors, the trash, and those of
// other calendars.
func (i *importing) rank(p object.Presence) int {
	isHere := p.CalendarID == i.calendar.ID
	switch {
	case isHere && !p.IsTrashed:
		return 0
	case p.IsMirror:
		return 1
	case isHere:
		return 2
	case p.IsTrashed:
		return 3
	}
	return 4
}

// first returns the object that decides what happens to an entry.
func (i *importing) first(e ImportEntry) (p object.Presence, found bool) {
	if e.prepared != nil {
		if list := i.present[e.prepared.Object.UID]; len(list) > 0 {
			return list[0], true
		}
	}
	return p, false
}

// weight returns the number of rows that the import of an entry can change.
func (i *importing) weight(e ImportEntry) int {
	if e.prepared == nil {
		return 0
	}
	p, found := i.first(e)
	switch {
	case found && e.appliesTo(p) && e.update != nil:
		return rowsOfChanged + p.Weight + e.update.Occurrences()
	case found && !p.IsTrashed && (p.CalendarID == i.calendar.ID || p.IsMirror):
		return 0
	}
	return rowsOfAdded + e.prepared.Occurrences()
}

// appliesTo reports whether the entry was resolved for the current state of an object.
func (e ImportEntry) appliesTo(p object.Presence) bool {
	return e.resolved && e.base.ID == p.ID && e.base.ETag == p.ETag && e.base.IsTrashed == p.IsTrashed
}

// add decides what happens to an entry, and counts it.
func (i *importing) add(e ImportEntry) {
	report := &i.result.Report
	p, found := i.first(e)
	isHere := found && p.CalendarID == i.calendar.ID && !p.IsTrashed
	why := i.refusal(e, p, isHere)
	switch {
	case why.code != "":
		report.refuse(e, why)
		return
	case e.entry.IsRepeated:
		report.Merged++
	case found && p.IsMirror:
		report.Present++
		report.note(NoteBelongsToEvent, e, "")
	case isHere && (p.ETag == e.prepared.ETag || e.appliesTo(p) && e.update == nil):
		report.Present++
	case isHere && e.appliesTo(p):
		report.Changed++
		report.noteTimes(e, i.calendar)
		i.changes.Replaced = append(i.changes.Replaced, object.Replacement{Presence: p, Prepared: e.update})
	case isHere, found && p.IsTrashed && p.Component == e.prepared.Object.Component && !e.appliesTo(p):
		i.result.Unresolved = append(i.result.Unresolved, e)
		return
	default:
		i.store(e, p)
	}
	report.Merged += e.entry.Joined
}

// refusal returns why an entry is refused, the zero refusal if it is not. isHere reports whether
// the calendar has the object p with its UID.
func (i *importing) refusal(e ImportEntry, p object.Presence, isHere bool) refusal {
	if e.prepared == nil {
		return e.refusal
	}
	component := e.prepared.Object.Component
	switch {
	case !i.calendar.Accepts(component):
		return refusal{code: RefusedNotAccepted, text: i.calendar.Refusal(component)}
	case i.added[e.prepared.Object.UID] && !e.entry.IsRepeated, isHere && !p.IsMirror && p.Component != component:
		return refusal{code: RefusedOtherType, text: words.Textf("The calendar has an entry of another type with this UID.")}
	case isHere && e.appliesTo(p):
		return e.conflict
	}
	return refusal{}
}

// store adds an object to the calendar, or restores the one p of the trash.
func (i *importing) store(e ImportEntry, p object.Presence) {
	report := &i.result.Report
	report.Imported++
	report.noteTimes(e, i.calendar)
	i.added[e.prepared.Object.UID] = true
	for _, other := range i.present[e.prepared.Object.UID] {
		if !other.IsTrashed {
			report.note(NoteInOtherCalendar, e, other.CalendarName)
		}
	}
	if p.IsTrashed && e.appliesTo(p) && e.update != nil {
		report.note(NoteRestored, e, "")
		i.changes.Restored = append(i.changes.Restored, object.Restoration{Presence: p, Properties: e.restored, Prepared: e.update})
		return
	}
	i.changes.Added = append(i.changes.Added, e.prepared)
}

// ResolveImport compares entries of [ImportResult.Unresolved] with the objects that the calendar or
// the trash has. It sets the results in list, for at least one entry, and for no more than fit into
// memory.
func (s *Service) ResolveImport(tx *store.Tx, v svc.Viewer, calendarID string, list []ImportEntry) error {
	c, err := s.objects.WritableCalendar(tx, v.Member(), calendarID)
	if err != nil {
		return err
	}
	i := importing{viewer: v, calendar: c}
	if err := i.find(tx, s.objects, list); err != nil {
		return err
	}
	var stored, trashed []*ImportEntry
	var storedRefs, trashedRefs []object.Ref
	octets := 0
	for n := range list {
		e := &list[n]
		p, found := i.first(*e)
		if !found || e.appliesTo(p) {
			continue
		}
		if octets += p.Size; octets > maxResolvedOctets && len(stored)+len(trashed) > 0 {
			break
		}
		e.base, e.resolved = p, true
		if p.IsTrashed {
			trashed, trashedRefs = append(trashed, e), append(trashedRefs, p.Ref)
		} else {
			stored, storedRefs = append(stored, e), append(storedRefs, p.Ref)
		}
	}
	if err := s.objects.Each(tx, storedRefs, func(n int, text []byte) error { return stored[n].resolve(tx, text) }); err != nil {
		return err
	}
	return s.objects.EachTrashed(tx, trashedRefs, func(n int, o object.TrashedObject) error {
		trashed[n].restored = o.Properties
		return trashed[n].resolve(tx, o.Data)
	})
}

// maxResolvedOctets limits the texts that one call of ResolveImport compares.
const maxResolvedOctets = 1 << 20

// resolve computes the update of the object with a text.
func (e *ImportEntry) resolve(tx *store.Tx, text []byte) error {
	work := svc.WorkOf(tx.Context())
	e.update, e.conflict = nil, refusal{}
	o, err := ics.ParseCounted(work, text)
	if err == nil {
		if updated := o.Update(e.prepared.Object); updated != nil {
			o, err = ics.ParseCounted(work, updated)
		} else if !e.base.IsTrashed {
			return nil
		}
	}
	if invalid, ok := errors.AsType[*ics.Error](err); ok {
		e.conflict = newRefusal(invalid)
		return nil
	}
	if err != nil {
		return err
	}
	e.update, err = object.PrepareCounted(work, o, tx.Now())
	return err
}
