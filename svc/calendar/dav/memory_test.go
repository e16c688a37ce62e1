package dav

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// memory is a Backend in memory.
type memory struct {
	mu        sync.Mutex
	members   map[svc.MemberID]Principal
	calendars []*memoryCalendar
	files     map[string]*File // of member 1, by path
	dead      map[Ref][]DeadProperty
	fail      func(call string) error // if set, returns the error of the named call

	// Arguments of the last Query.
	filter ics.Filter
	zone   *time.Location
	last   int64 // ID of the last object
}

type memoryCalendar struct {
	Calendar
	owner   svc.MemberID
	objects map[string]*memoryObject
	deleted map[string]int // seq of the deletion by name
	seq     int
}

type memoryObject struct {
	Object
	uid string
	seq int
}

// newMemory returns a backend with two members: member 1 has three calendars
// with objects, member 2 has an empty one.
func newMemory(t testing.TB) *memory {
	t.Helper()
	m := &memory{files: map[string]*File{}, dead: map[Ref][]DeadProperty{}, members: map[svc.MemberID]Principal{
		1: {Member: 1, DisplayName: "Ann & Co.", Email: "ann@example.org"},
		2: {Member: 2, DisplayName: "Bea", Email: "bea@example.org"},
	}}
	both := []string{"VEVENT", "VTODO"}
	m.add(1, Calendar{Segment: "home", Name: "Home", Description: "At <home>", Color: "#3b82f6", TimeZone: "Europe/Berlin", Now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Components: both})
	m.add(1, Calendar{Segment: "Büro 1", Name: "Work", Color: "#16a34a", Order: 1, Components: []string{"VEVENT"}})
	feasts := m.add(1, Calendar{Segment: "feasts", Name: "Feasts", Order: 2, Components: both})
	m.add(2, Calendar{Segment: "home", Name: "Home", Components: both})
	m.put(t, "home", "lunch.ics", event("lunch@example.org", "Lunch"))
	m.put(t, "home", "a b&c.ics", event("odd@example.org", "Odd"))
	m.put(t, "home", "taxes.ics", task("taxes@example.org", "Taxes"))
	m.put(t, "feasts", "easter.ics", event("easter@example.org", "Easter"))
	feasts.ReadOnly = true
	return m
}

func (m *memory) add(owner svc.MemberID, c Calendar) *memoryCalendar {
	mc := &memoryCalendar{Calendar: c, owner: owner, objects: map[string]*memoryObject{}, deleted: map[string]int{}}
	m.calendars = append(m.calendars, mc)
	return mc
}

func (m *memory) put(t testing.TB, calendar, name, raw string) {
	t.Helper()
	o, err := ics.Parse([]byte(raw))
	if err == nil {
		_, err = m.Put(t.Context(), svc.Trust(1), Ref{Segment: calendar, Name: name}, o, func(string, Snapshot) error { return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
}

func event(uid, summary string) string {
	return icalendar("BEGIN:VEVENT", "UID:"+uid, "DTSTAMP:20261101T120000Z", "DTSTART:20261201T110000Z", "DTEND:20261201T120000Z", "SUMMARY:"+summary, "END:VEVENT")
}

func task(uid, summary string) string {
	return icalendar("BEGIN:VTODO", "UID:"+uid, "DTSTAMP:20261101T120000Z", "DUE:20261231T120000Z", "SUMMARY:"+summary, "END:VTODO")
}

func icalendar(lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VCALENDAR\r\n"
}

func (m *memory) failureOf(call string) error {
	if m.fail == nil {
		return nil
	}
	return m.fail(call)
}

func (m *memory) find(v svc.Viewer, segment string) (*memoryCalendar, error) {
	for _, c := range m.calendars {
		if c.owner == v.Member() && c.Segment == segment {
			return c, nil
		}
	}
	return nil, svc.Errorf(svc.NotFound, "The calendar does not exist.")
}

func (c *memoryCalendar) toCalendar() Calendar {
	out := c.Calendar
	out.SyncToken = c.token(c.seq)
	out.ExportETag = `"` + out.SyncToken + `"`
	return out
}

func (c *memoryCalendar) token(seq int) string {
	return fmt.Sprintf("urn:appliance:sync:%s:e1:%d", c.Segment, seq)
}

func (m *memory) View(ctx context.Context, v svc.Viewer, fn func(Snapshot) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failureOf("View"); err != nil {
		return err
	}
	return fn(memorySnapshot{m, v})
}

func (m *memory) Lookup(ctx context.Context, v svc.Viewer, fn func(Snapshot) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return fn(memorySnapshot{m, v})
}

func (m *memory) Put(ctx context.Context, v svc.Viewer, at Ref, o *ics.Object, precondition Precondition) (PutResult, error) {
	calendar, name := at.Segment, at.Name
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failureOf("Put"); err != nil {
		return PutResult{}, err
	}
	c, err := m.find(v, calendar)
	if err != nil {
		return PutResult{}, err
	}
	existing := c.objects[name]
	current := ""
	if existing != nil {
		current = existing.ETag
	}
	if err := precondition(current, memorySnapshot{m, v}); err != nil {
		return PutResult{}, err
	}
	if c.ReadOnly {
		return PutResult{}, svc.Errorf(svc.PermissionDenied, "This calendar is read-only.")
	}
	if !slices.Contains(c.Components, o.Component) {
		return PutResult{}, UnsupportedComponent(o.Component)
	}
	for other, sibling := range c.objects {
		if other != name && sibling.uid == o.UID || other == name && sibling.uid != o.UID {
			return PutResult{}, UIDConflict(calendar, other)
		}
	}
	c.seq++
	delete(c.deleted, name)
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256(o.Raw))[:33] + `"`
	m.last++
	c.objects[name] = &memoryObject{uid: o.UID, seq: c.seq, Object: Object{
		ID: m.last, Name: name, Component: o.Component, ETag: tag, Size: len(o.Raw), Data: slices.Clone(o.Raw),
		Modified: time.Date(2026, 11, 21, 9, 0, c.seq, 0, time.UTC),
	}}
	return PutResult{ETag: tag, Created: existing == nil}, nil
}

func (m *memory) Delete(ctx context.Context, v svc.Viewer, at Ref, precondition Precondition) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at.File {
		return m.deleteFile(v, at, precondition)
	}
	c, err := m.find(v, at.Segment)
	if err != nil {
		return err
	}
	name := at.Name
	if name == "" {
		return m.deleteCalendar(v, c, precondition)
	}
	o := c.objects[name]
	if o == nil {
		return svc.Errorf(svc.NotFound, "The object does not exist.")
	}
	if err := precondition(o.ETag, memorySnapshot{m, v}); err != nil {
		return err
	}
	if c.ReadOnly {
		return svc.Errorf(svc.PermissionDenied, "This calendar is read-only.")
	}
	c.seq++
	delete(c.objects, name)
	c.deleted[name] = c.seq
	return nil
}

func (m *memory) MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set PropertyUpdate, precondition Precondition) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find(v, segment); err == nil {
		return svc.Errorf(svc.AlreadyExists, "The calendar already exists.")
	}
	c := &memoryCalendar{Calendar: Calendar{Segment: segment, Name: segment, Components: set.Components}}
	if c.Components == nil {
		c.Components = ics.ObjectComponents
	}
	if err := c.update(set); err != nil {
		return err
	}
	if err := precondition("", memorySnapshot{m, v}); err != nil {
		return err
	}
	m.add(v.Member(), c.Calendar)
	m.patch(Ref{Segment: segment}, set.Dead)
	return nil
}

func (m *memory) Update(ctx context.Context, v svc.Viewer, at Ref, set PropertyUpdate, precondition Precondition) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at.File || at.Segment == "" {
		etag := ""
		if f := m.files[at.Path()]; f != nil {
			etag = f.ETag
		}
		err := precondition(etag, memorySnapshot{m, v})
		if err == nil {
			m.patch(at, set.Dead)
		}
		return err
	}
	c, err := m.find(v, at.Segment)
	if err != nil {
		return err
	}
	etag := ""
	if o := c.objects[at.Name]; o != nil {
		etag = o.ETag
	}
	if err := precondition(etag, memorySnapshot{m, v}); err != nil {
		return err
	}
	m.patch(at, set.Dead)
	if c.ReadOnly {
		return svc.Errorf(svc.PermissionDenied, "This calendar is read-only.")
	}
	return c.update(set)
}

func (c *memoryCalendar) update(set PropertyUpdate) error {
	if set.Name != nil {
		if err := svc.CheckLine("name", *set.Name, svc.MaxName); err != nil {
			return err
		}
		c.Name = *set.Name
	}
	if set.Description != nil {
		c.Description = *set.Description
	}
	if set.Color != nil {
		c.Color = *set.Color
	}
	if set.Order != nil {
		c.Order = *set.Order
	}
	if set.TimeZone != nil {
		c.TimeZone = *set.TimeZone
	}
	return nil
}

func (m *memory) deleteCalendar(v svc.Viewer, c *memoryCalendar, precondition Precondition) error {
	if err := precondition("", memorySnapshot{m, v}); err != nil {
		return err
	}
	if len(m.calendars) > 0 && c == m.calendars[0] {
		return svc.Errorf(svc.DefaultCalendar, "The default calendar cannot be deleted.")
	}
	m.calendars = slices.DeleteFunc(m.calendars, func(other *memoryCalendar) bool { return other == c })
	return nil
}

// memorySnapshot is the Snapshot of one member.
type memorySnapshot struct {
	m *memory
	v svc.Viewer
}

func (s memorySnapshot) Principal() (Principal, error) { return s.m.members[s.v.Member()], nil }

func (s memorySnapshot) Calendars() ([]Calendar, error) {
	var list []Calendar
	for _, c := range s.m.calendars {
		if c.owner == s.v.Member() {
			list = append(list, c.toCalendar())
		}
	}
	return list, nil
}

func (s memorySnapshot) Calendar(segment string) (Calendar, error) {
	c, err := s.m.find(s.v, segment)
	if err != nil {
		return Calendar{}, err
	}
	return c.toCalendar(), nil
}

// list returns the objects for which keep returns true, in the order of their
// last change.
func (s memorySnapshot) list(segment string, data bool, keep func(*memoryObject) bool) ([]Object, error) {
	c, err := s.m.find(s.v, segment)
	if err != nil {
		return nil, err
	}
	var found []*memoryObject
	for _, o := range c.objects {
		if keep(o) {
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b *memoryObject) int { return cmp.Compare(a.seq, b.seq) })
	list := make([]Object, len(found))
	for i, o := range found {
		if list[i] = o.Object; !data {
			list[i].Data = nil
		}
	}
	return list, nil
}

func (s memorySnapshot) Objects(segment string, _ bool) ([]Object, error) {
	return s.list(segment, false, func(*memoryObject) bool { return true })
}

func (s memorySnapshot) Export(segment string, w io.Writer) error {
	list, err := s.list(segment, true, func(*memoryObject) bool { return true })
	if err != nil {
		return err
	}
	m, err := ics.NewMerger(w, ics.NewDocument("-//memory//EN"), 2026)
	for _, o := range list {
		err = errors.Join(err, m.Add(svc.WorkOf(context.Background()), o.Data, nil))
	}
	return errors.Join(err, m.Close())
}

func (s memorySnapshot) ObjectsByName(segment string, names []string, data bool) ([]Object, error) {
	list, err := s.list(segment, data, func(o *memoryObject) bool { return slices.Contains(names, o.Name) })
	slices.SortFunc(list, func(a, b Object) int { return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name)) })
	return list, err
}

func (s memorySnapshot) ObjectData(list []Object) ([][]byte, error) {
	if err := s.m.failureOf("Data"); err != nil {
		return nil, err
	}
	data := make([][]byte, len(list))
	for _, c := range s.m.calendars {
		for _, o := range c.objects {
			for i := range list {
				if list[i].ID == o.ID {
					data[i] = slices.Clone(o.Data)
				}
			}
		}
	}
	return data, nil
}

// Query filters by component only and records its arguments.
func (s memorySnapshot) Query(segment string, f ics.Filter, zone *time.Location) ([]Object, error) {
	s.m.filter, s.m.zone = f, zone
	return s.list(segment, false, func(o *memoryObject) bool {
		return len(f.Comp.Comps) == 0 || f.Comp.Comps[0].Name == o.Component
	})
}

func (s memorySnapshot) Changes(segment, since string, limit int, _ bool) (Changes, error) {
	c, err := s.m.find(s.v, segment)
	if err != nil {
		return Changes{}, err
	}
	after := 0
	if since != "" {
		after = -1
		for seq := range c.seq + 1 {
			if since == c.token(seq) {
				after = seq
			}
		}
		if after < 0 {
			return Changes{}, ErrInvalidSyncToken
		}
	}
	names := map[int]string{} // names by seq
	for name, o := range c.objects {
		names[o.seq] = name
	}
	for name, seq := range c.deleted {
		if since != "" {
			names[seq] = name
		}
	}
	changes := Changes{Token: c.token(c.seq)}
	n := 0
	for seq := after + 1; seq <= c.seq; seq++ {
		name, changed := names[seq]
		if !changed {
			continue
		}
		if limit > 0 && n == limit {
			changes.Truncated = true
			return changes, nil
		}
		n++
		if limit > 0 && n == limit {
			changes.Token = c.token(seq)
		}
		if o := c.objects[name]; o != nil {
			object := o.Object
			object.Data = nil
			changes.Changed = append(changes.Changed, object)
		} else {
			changes.Deleted = append(changes.Deleted, name)
		}
	}
	if !changes.Truncated {
		changes.Token = c.token(c.seq)
	}
	return changes, nil
}
