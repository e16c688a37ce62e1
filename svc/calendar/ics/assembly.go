package ics

import (
	"errors"
	"iter"
	"slices"

	"appliance/svc"
)

// Assembly joins the components of any number of streams to entries: those with one name
// and UID form one entry, whatever stream they are in and in whatever order. At most one
// entry is in memory at a time.
type Assembly struct {
	groups []group // in the order of their first parts
	byUID  map[[2]string]int
}

// group contains the parts of one entry. Nearly all have one part.
type group struct {
	first partRef
	more  []partRef
}

// Place is the position of a component in a source.
type Place struct {
	Source string // name of the source
	Line   int    // of its BEGIN
	Date   string // RECURRENCE-ID or else DTSTART as 2006-01-02; "" unless the component was refused
	Title  string // SUMMARY; "" unless the component was refused
}

// Entry is a calendar object of an [Assembly], or a component of one that cannot be read.
type Entry struct {
	Component string // name, such as VEVENT
	UID       string // "" if the source has none
	Timezone  string // that of its stream, as written
	Place            // of its first component

	Object     *Object
	Joined     int   // further components of the entry: overrides, and earlier revisions, which are not in Object
	IsRepeated bool  // an earlier entry without UID has the same content
	Err        error // why Object is nil: an [*Error], or an error of the source or of the work
}

// Add adds the components of a stream. The name of the source is part of their places.
func (a *Assembly) Add(source string, s *Stream) {
	if a.byUID == nil {
		a.byUID = make(map[[2]string]int)
	}
	from := &assembledStream{Stream: s, name: source, headOf: -1}
	for i := range s.parts {
		a.add(group{first: partRef{from, i}})
	}
}

// add adds the parts of a group to those with the same UID.
func (a *Assembly) add(g group) {
	key, ok := g.key()
	if !ok {
		a.groups = append(a.groups, g)
	} else if i, ok := a.byUID[key]; ok {
		a.groups[i].more = append(append(a.groups[i].more, g.first), g.more...)
	} else {
		a.byUID[key] = len(a.groups)
		a.groups = append(a.groups, g)
	}
}

// key returns the name and UID that the parts have in common. It returns false for a part that
// is an entry of its own.
func (g *group) key() (key [2]string, ok bool) {
	p := g.first.part()
	return [2]string{p.component, p.uid}, p.uid != "" && p.problem == ""
}

func (g *group) parts() []partRef { return append([]partRef{g.first}, g.more...) }

// isSeries reports whether one of the parts is not an override.
func (g *group) isSeries() bool {
	return slices.ContainsFunc(g.parts(), func(r partRef) bool { return !r.part().isOverride })
}

// Len returns the number of entries, some of which may have the same UID or be invalid.
func (a *Assembly) Len() int64 { return int64(len(a.groups)) }

// MoveOverrides moves the entries that consist of overrides to another Assembly that has
// their series.
func (a *Assembly) MoveOverrides(to *Assembly) {
	groups := a.groups
	a.groups = nil
	clear(a.byUID)
	for _, g := range groups {
		key, ok := g.key()
		if i, found := to.byUID[key]; ok && found && !g.isSeries() && to.groups[i].isSeries() {
			to.add(g)
		} else {
			a.add(g)
		}
	}
}

// Entries yields the entries in the order of their first components. Each component is
// either counted in one of them or refused. The steps of parsing are taken from work.
func (a *Assembly) Entries(work svc.Work) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		derived := make(map[string]bool) // UIDs
		for i := range a.groups {
			g := &a.groups[i]
			if len(g.more) > 0 {
				if !yieldJoined(work, g.parts(), yield) {
					return
				}
				continue
			}
			e := g.first.entry(work)
			if e.Object != nil && e.UID == "" {
				e.IsRepeated = derived[e.Object.UID]
				derived[e.Object.UID] = true
			}
			if !yield(e) {
				return
			}
		}
	}
}

// newEntry returns the entry that begins with a part.
func newEntry(r partRef) Entry {
	p := r.part()
	return Entry{Component: p.component, UID: p.uid, Timezone: r.source.Timezone, Place: Place{Source: r.source.name, Line: p.line}}
}

// entry returns the entry of a part without others.
func (r partRef) entry(work svc.Work) Entry {
	e, _, err := r.parse(work)
	if err != nil {
		e.Err = err
	}
	return e
}

// yieldJoined yields the entry of several parts. Parts that cannot be read are yielded
// alone, and those of which another one is a later revision are left out.
func yieldJoined(work svc.Work, parts []partRef, yield func(Entry) bool) bool {
	e := joined(work, parts)
	if _, invalid := errors.AsType[*Error](e.Err); !invalid {
		return yield(e)
	}
	kept, refused, err := selectRevisions(work, parts)
	for _, r := range refused {
		if !yield(r) {
			return false
		}
	}
	if len(kept) == 0 && err == nil {
		return true
	}
	if err != nil {
		e.Err = err
		return yield(e)
	}
	e = joined(work, kept)
	e.Joined = len(parts) - len(refused) - 1
	return yield(e)
}

// joined returns the entry of several parts, which is invalid if some are revisions of others.
func joined(work svc.Work, parts []partRef) Entry {
	e := newEntry(parts[0])
	e.Joined = len(parts) - 1
	text, err := joinedText(parts)
	if err == nil {
		e.Object, err = ParseCounted(work, text)
	}
	e.Err = err
	return e
}
