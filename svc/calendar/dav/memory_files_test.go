package dav

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	pathpkg "path"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// This file contains the methods of memory for files, copies and dead
// properties.

func (m *memory) checkParent(name string) error {
	if parent := pathpkg.Dir(name); parent != "." && (m.files[parent] == nil || !m.files[parent].Collection) {
		return ErrNoParent
	}
	return nil
}

func (m *memory) PutFile(ctx context.Context, v svc.Viewer, at Ref, f File, precondition Precondition) (PutResult, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	existing := m.files[at.Path()]
	current := ""
	if existing != nil {
		current = existing.ETag
	}
	if err := precondition(current, memorySnapshot{m, v}); err != nil {
		return PutResult{}, err
	}
	if existing != nil && existing.Collection {
		return PutResult{}, svc.Errorf(svc.MethodNotAllowed, "The resource is a folder.")
	}
	if err := m.checkParent(at.Path()); err != nil {
		return PutResult{}, err
	}
	if len(f.Data) > 1000 {
		return PutResult{}, svc.Errorf(svc.QuotaExceeded, "The quota is exceeded.")
	}
	f.Path, f.Size, f.ETag = at.Path(), len(f.Data), fmt.Sprintf(`"%x"`, sha256.Sum256(f.Data))[:33]+`"`
	f.Created = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	f.Modified = f.Created
	m.files[f.Path] = &f
	return PutResult{ETag: f.ETag, Created: existing == nil}, nil
}

func (m *memory) MakeCollection(ctx context.Context, v svc.Viewer, at Ref, set PropertyUpdate, precondition Precondition) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := precondition("", memorySnapshot{m, v}); err != nil {
		return err
	}
	if _, err := m.find(v, at.Path()); err == nil || m.files[at.Path()] != nil {
		return svc.Errorf(svc.AlreadyExists, "A resource with this URL already exists.")
	}
	if err := m.checkParent(at.Path()); err != nil {
		return err
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	m.files[at.Path()] = &File{Path: at.Path(), Collection: true, Created: now, Modified: now}
	m.patch(at, set.Dead)
	return nil
}

func (m *memory) deleteFile(v svc.Viewer, at Ref, precondition Precondition) error {
	f := m.files[at.Path()]
	if f == nil {
		return svc.Errorf(svc.NotFound, "The file does not exist.")
	}
	if err := precondition(f.ETag, memorySnapshot{m, v}); err != nil {
		return err
	}
	m.removeTree(at.Path())
	return nil
}

func (m *memory) removeTree(root string) {
	inside := func(p string) bool { return p == root || strings.HasPrefix(p, root+"/") }
	maps.DeleteFunc(m.files, func(p string, _ *File) bool { return inside(p) })
	maps.DeleteFunc(m.dead, func(r Ref, _ []DeadProperty) bool { return inside(r.Path()) })
}

func (m *memory) Copy(ctx context.Context, v svc.Viewer, c CopyRequest, precondition Precondition) (created bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.From.File {
		return m.copyFile(v, c, precondition)
	}
	from, err := m.find(v, c.From.Segment)
	if err != nil {
		return false, err
	}
	if c.From.Name == "" {
		return m.copyCalendar(v, from, c, precondition)
	}
	o := from.objects[c.From.Name]
	if o == nil {
		return false, svc.Errorf(svc.NotFound, "The object does not exist.")
	}
	if err := precondition(o.ETag, memorySnapshot{m, v}); err != nil {
		return false, err
	}
	to, err := m.find(v, c.To.Segment)
	if err != nil {
		return false, ErrNoParent
	}
	existing := to.objects[c.To.Name]
	switch {
	case to.ReadOnly || c.Move && from.ReadOnly:
		return false, svc.Errorf(svc.PermissionDenied, "This calendar is read-only.")
	case existing != nil && !c.Replace:
		return false, svc.Errorf(svc.VersionConflict, "A resource with this URL already exists.")
	case !slices.Contains(to.Components, o.Component):
		return false, UnsupportedComponent(o.Component)
	}
	for name, other := range to.objects {
		same := c.Move && to == from && name == c.From.Name
		if other.uid == o.uid && !same && name != c.To.Name || name == c.To.Name && other.uid != o.uid {
			return false, UIDConflict(to.Segment, name)
		}
	}
	if c.Move {
		from.seq++
		delete(from.objects, c.From.Name)
		from.deleted[c.From.Name] = from.seq
	}
	to.seq++
	copied := *o
	copied.Name, copied.seq = c.To.Name, to.seq
	to.objects[c.To.Name] = &copied
	delete(to.deleted, c.To.Name)
	m.copyDead(c, c.From, c.To)
	return existing == nil, nil
}

func (m *memory) copyCalendar(v svc.Viewer, from *memoryCalendar, c CopyRequest, precondition Precondition) (created bool, err error) {
	if err := precondition("", memorySnapshot{m, v}); err != nil {
		return false, err
	}
	existing, err := m.find(v, c.To.Segment)
	switch {
	case err == nil && !c.Replace:
		return false, svc.Errorf(svc.VersionConflict, "A resource with this URL already exists.")
	case err == nil:
		m.calendars = slices.DeleteFunc(m.calendars, func(o *memoryCalendar) bool { return o == existing })
	}
	m.copyDead(c, Ref{Segment: c.From.Segment}, Ref{Segment: c.To.Segment})
	if c.Move {
		from.Segment = c.To.Segment
		return existing == nil, nil
	}
	copied := m.add(v.Member(), from.Calendar)
	copied.Segment, copied.ReadOnly = c.To.Segment, false
	if !c.Shallow {
		copied.objects, copied.seq = maps.Clone(from.objects), from.seq
	}
	return existing == nil, nil
}

func (m *memory) copyDead(c CopyRequest, from, to Ref) {
	delete(m.dead, to)
	if list := m.dead[from]; list != nil {
		m.dead[to] = slices.Clone(list)
	}
	if c.Move {
		delete(m.dead, from)
	}
}

func (m *memory) copyFile(v svc.Viewer, c CopyRequest, precondition Precondition) (created bool, err error) {
	f, existing := m.files[c.From.Path()], m.files[c.To.Path()]
	if f == nil {
		return false, svc.Errorf(svc.NotFound, "The file does not exist.")
	}
	if err := precondition(f.ETag, memorySnapshot{m, v}); err != nil {
		return false, err
	}
	if err := m.checkParent(c.To.Path()); err != nil {
		return false, err
	}
	if existing != nil && !c.Replace {
		return false, svc.Errorf(svc.VersionConflict, "A resource with this URL already exists.")
	}
	m.removeTree(c.To.Path())
	for _, p := range slices.Sorted(maps.Keys(m.files)) {
		rest, inside := strings.CutPrefix(p+"/", c.From.Path()+"/")
		if !inside || c.Shallow && rest != "" {
			continue
		}
		copied := *m.files[p]
		copied.Path = strings.TrimSuffix(c.To.Path()+"/"+rest, "/")
		m.files[copied.Path] = &copied
		m.copyDead(c, fileRef(p), fileRef(copied.Path))
	}
	if c.Move {
		m.removeTree(c.From.Path())
	}
	return existing == nil, nil
}

func fileRef(p string) Ref {
	segment, name, _ := strings.Cut(p, "/")
	return Ref{Segment: segment, Name: name, File: true}
}

func (m *memory) patch(at Ref, set []DeadProperty) {
	for _, d := range set {
		m.dead[at] = slices.DeleteFunc(m.dead[at], func(old DeadProperty) bool { return old.Name == d.Name })
		if d.Element != "" {
			m.dead[at] = append(m.dead[at], d)
		}
	}
}

func (s memorySnapshot) Home() (Home, error) {
	h := Home{Available: 1000, SyncToken: "urn:appliance:sync:home-of-1:e1:0"}
	for _, f := range s.m.files {
		h.Used += int64(f.Size)
	}
	return h, nil
}

// FreeBusy evaluates each object of the calendar.
func (s memorySnapshot) FreeBusy(segment string, in ics.TimeRange, zone *time.Location, limit int) (list []ics.Period, err error) {
	c, err := s.m.find(s.v, segment)
	if err != nil {
		return nil, err
	}
	for _, o := range c.objects {
		parsed, err := ics.Parse(o.Data)
		if err != nil {
			return nil, err
		}
		periods, _ := parsed.FreeBusy(in.Start, in.End, zone, limit)
		list = append(list, periods...)
	}
	return list, nil
}

// HomeChanges does not use recorded changes: the initial synchronization
// returns all calendars, and a later one returns a single deletion.
func (s memorySnapshot) HomeChanges(since string, limit int) (HomeChanges, error) {
	home, _ := s.Home()
	c := HomeChanges{Token: home.SyncToken}
	if since == c.Token {
		c.Deleted = []string{"gone"}
		return c, nil
	}
	if since != "" {
		return c, ErrInvalidSyncToken
	}
	for _, calendar := range s.m.calendars {
		if c.Truncated = limit > 0 && len(c.Changed) == limit; c.Truncated {
			break
		}
		if calendar.owner == s.v.Member() {
			c.Changed = append(c.Changed, calendar.Segment)
		}
	}
	return c, nil
}

func (s memorySnapshot) File(name string, data bool) (File, error) {
	f := s.m.files[name]
	if f == nil || s.v.Member() != 1 {
		return File{}, svc.Errorf(svc.NotFound, "The file does not exist.")
	}
	return *f, nil
}

func (s memorySnapshot) Files(parent string) ([]File, error) {
	var list []File
	if parent == "" {
		parent = "."
	}
	for _, p := range slices.Sorted(maps.Keys(s.m.files)) {
		if pathpkg.Dir(p) == parent && s.v.Member() == 1 {
			list = append(list, *s.m.files[p])
		}
	}
	return list, nil
}

// ResourceID changes with a MOVE, unlike that of a real backend.
func (s memorySnapshot) ResourceID(at Ref) (string, error) { return "urn:x:" + at.Path(), nil }

func (s memorySnapshot) DeadProperties(at Ref) ([]DeadProperty, error) { return s.m.dead[at], nil }

func (s memorySnapshot) MemberDeadProperties(at Ref) (map[string][]DeadProperty, error) {
	found := make(map[string][]DeadProperty)
	for r, list := range s.m.dead {
		if parent, name := pathpkg.Split(r.Path()); parent == at.Path()+"/" || at.Segment == "" && parent == "" {
			found[name] = list
		}
	}
	return found, nil
}
