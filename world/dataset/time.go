package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/world/action"
)

// agenda is how many of the next entries the context of time names.
const agenda = 20

// maxObjects is how many calendar entries a dataset has. With the threads of
// Messages and what there is of Social it has at most 2,000 objects (B-82).
const maxObjects = 1000

// time brings in appointments and tasks.
func (c *composition) time(cal *calendar.Service, idx *index.Index) error {
	upcoming, err := idx.Upcoming(c.tx, c.viewer, c.loc)
	if err != nil {
		return err
	}
	c.ends(upcoming.Until)
	calendars, err := cal.Calendars(c.tx, c.viewer)
	if err != nil {
		return err
	}
	listed := upcoming.Entries
	cut := upcoming.Truncated || len(listed) > maxObjects
	listed = listed[:min(len(listed), maxObjects)]
	entries, short, err := c.timeEntries(idx, calendars, listed)
	if err != nil {
		return err
	}
	if cut || short {
		c.fallbacks = append(c.fallbacks, Truncated("objects", "There are more calendar entries than are shown."))
	}
	c.entries = append(c.entries, entries...)
	actions := c.builder.Time(calendars)
	if err := c.act(actions...); err != nil {
		return err
	}
	ctx := Context{ContextID: "ctx_time", Kind: "time", Label: "Time", Target: action.Workspace}
	for _, a := range actions {
		ctx.ActionIDs = append(ctx.ActionIDs, a.ActionID)
	}
	for _, e := range entries[:min(agenda, len(entries))] {
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: e.id, Label: e.label, Target: action.Object(e.id), ActionIDs: e.actionIDs,
		})
	}
	return c.context(ctx)
}

// Of all entries in a dataset, maxOctets bounds what they are encoded, and
// maxText what they are as text; atOnce is how much text is read before it is
// encoded.
const (
	maxOctets = 16 << 20
	maxText   = 64 << 20
	atOnce    = 16 << 20
)

// timeEntries returns the entries in their order, those that are kept and
// those that have to be made, as many as a dataset can hold.
func (c *composition) timeEntries(idx *index.Index, calendars []calendar.Calendar, listed []index.UpcomingEntry) (list []*entry, cut bool, err error) {
	fingerprint, options := c.calendarsPrint(calendars), action.CalendarOptions(calendars)
	key := func(e index.UpcomingEntry) entryKey { return entryKey{e.ID, e.Version, fingerprint} }
	octets, text := 0, 0
	for len(listed) > 0 && !cut {
		part, size := 0, 0
		made := make(map[string]*entry, len(listed))
		var missing []string
		var fresh []index.UpcomingEntry
		for ; part < len(listed) && (part == 0 || size+listed[part].Size <= atOnce); part++ {
			e := listed[part]
			size += e.Size // of what is kept too: twice the same question, twice the same answer
			if old := c.before.made[key(e)]; old != nil {
				made[e.ID], c.made[key(e)] = old, old
				continue
			}
			missing, fresh = append(missing, e.ID), append(fresh, e)
		}
		if text += size; text > maxText {
			return list, true, nil
		}
		short, err := c.makeEntries(idx, options, missing, made)
		if err != nil {
			return nil, false, err
		}
		for _, e := range fresh {
			if made[e.ID] != nil && !short { // what is cut is not kept
				c.made[key(e)] = made[e.ID]
			}
		}
		for _, e := range listed[:part] {
			if made[e.ID] == nil {
				continue
			}
			if octets += made[e.ID].size(); octets > maxOctets {
				return list, true, nil
			}
			list = append(list, made[e.ID])
		}
		listed, cut = listed[part:], cut || short
	}
	return list, cut, nil
}

// makeEntries adds the entries of those ids to made.
func (c *composition) makeEntries(idx *index.Index, options svc.List[action.Option], ids []string, made map[string]*entry) (cut bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	objects, cut, err := idx.Load(c.tx, c.viewer, c.loc, ids)
	if err != nil {
		return false, err
	}
	for _, o := range objects {
		if made[o.ID], err = c.timeEntry(o, options); err != nil {
			return false, err
		}
	}
	return cut, nil
}

// calendarsPrint is a hash of all that shows of an entry but the entry itself:
// its calendar, those it could be moved to, and the zone it is read in.
func (c *composition) calendarsPrint(calendars []calendar.Calendar) int64 {
	h := sha256.New()
	fmt.Fprint(h, c.loc)
	for _, cal := range calendars {
		fmt.Fprintf(h, " %q %q %t", cal.ID, cal.ETag, cal.ReadOnly)
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// timeEntry makes the object of an entry and the actions on it.
func (c *composition) timeEntry(o view.Object, calendars svc.List[action.Option]) (*entry, error) {
	source := action.Source{Kind: "service", Service: "time", ResourceType: o.ObjectType, ResourceID: o.ID}
	id := c.names.Object(source)
	object := Object{
		WorldObjectID: id, ObjectType: o.ObjectType, Source: source, Title: o.Title, Summary: o.Summary, State: o.State,
		Permissions: Permissions{CanView: o.Permissions.CanView, CanUpdate: o.Permissions.CanUpdate, CanDelete: o.Permissions.CanDelete},
	}
	e, err := c.encodeEntry(object, c.builder.TimeObject(action.Object(id), o, calendars))
	if s := o.State; err == nil && s.SourceObjectID != nil { // a mirror (W-15)
		e.tiedTo = c.names.Object(action.Source{Kind: "service", Service: *s.SourceService, ResourceType: *s.SourceObjectType, ResourceID: *s.SourceObjectID})
		object.Actions, object.Relationships = e.actionIDs, svc.List[Relationship]{{"mirror_of", action.Object(e.tiedTo)}}
		e.tied, err = beginning(object)
	}
	return e, err
}
