package dataset

import (
	"crypto/sha256"
	"fmt"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
	"appliance/world/action"
)

const (
	agendaItems    = 20   // limit of entries in the context of Time
	maxTimeObjects = 1000 // limit of entries in a dataset
)

// timeParts returns the part of Time: the calendar objects.
func timeParts() []part {
	return []part{newPart(objectSections, func(r *results) **result { return &r.time }, buildTime, svc.TimeTopic)}
}

// buildTime builds the part of Time.
func buildTime(b *builder) (r result, err error) {
	upcoming, err := b.services.TimeIndex.Upcoming(b.tx, b.viewer, b.location)
	if err != nil {
		return r, err
	}
	calendars, err := b.services.Calendar.Calendars(b.tx, b.viewer)
	if err != nil {
		return r, err
	}
	r.expire(upcoming.Until)
	r.fallbacks = append(r.fallbacks, periodFallback(b.viewer.Language(), upcoming.From, upcoming.To))
	listed := upcoming.Entries[:min(len(upcoming.Entries), maxTimeObjects)]
	truncated, err := b.addEntries(&r, listed, calendars)
	if err != nil {
		return r, err
	}
	if truncated || upcoming.Truncated || len(listed) < len(upcoming.Entries) {
		r.fallbacks = append(r.fallbacks, TruncatedFallback("objects", b.viewer.Language().Text("There are more calendar entries than are shown.")))
	}
	actions := action.Time.Actions(b.actionBuilder, action.Workspace, action.NewTimeObjects{Calendars: calendars, Timezone: b.location.String()})
	if err := r.addActions(actions...); err != nil {
		return r, err
	}
	timeContext := Context{ContextID: "ctx_time", Kind: "time", Label: b.viewer.Language().Text("Calendar"), Target: action.Workspace, ActionIDs: action.IDs(actions)}
	for _, o := range agenda(r.objects) {
		timeContext.Items = append(timeContext.Items, o.item())
	}
	return r, r.addContext(timeContext)
}

// agenda returns the entries for the context of Time: the appointments in the order
// of time, then the tasks.
func agenda(objects []*object) (list []*object) {
	for _, objectType := range []string{view.EventType, view.TaskType} {
		for _, o := range objects {
			if o.objectType == objectType && len(list) < agendaItems {
				list = append(list, o)
			}
		}
	}
	return list
}

// periodFallback returns the fallback, in the language l, that names the days of the entries in a
// dataset. to is the midnight after the last day.
func periodFallback(l words.Language, from, to time.Time) Fallback {
	const day = "2 January 2006"
	message := l.Textf("Events and finished tasks from %s to %s are shown, and all open tasks. The calendar shows any day.",
		l.Date(from, day), l.Date(to.AddDate(0, 0, -1), day))
	f := newFallback(FallbackDegraded, Scope{Kind: ServiceScope, Service: "time"}, "limited", message, false)
	f.FallbackID = "fb_service_time_limited"
	return f
}

// The limits of the iCalendar data behind the entries of a dataset, in bytes.
const (
	maxText  = 64 << 20 // limit of all entries
	maxBatch = 16 << 20 // limit of the entries that are in memory at the same time
)

// addEntries adds the objects of entries, in batches.
func (b *builder) addEntries(r *result, listed []index.UpcomingEntry, calendars []calendar.Calendar) (truncated bool, err error) {
	common := b.calendarsVersion(calendars)
	options := map[string]svc.List[action.Option]{
		view.EventType: action.CalendarOptions(calendars, view.EventType),
		view.TaskType:  action.CalendarOptions(calendars, view.TaskType),
	}
	r.objects = make([]*object, 0, len(listed))
	r.versions = make(map[version]*object, len(listed))
	textSize, encodedSize := 0, 0
	for len(listed) > 0 {
		n, size := 0, 0
		for ; n < len(listed) && (n == 0 || size+listed[n].Size <= maxBatch); n++ {
			size += listed[n].Size // cached entries count too, so that the limit does not depend on the cache
		}
		if textSize += size; textSize > maxText {
			return true, nil
		}
		batch, cut, err := b.batch(listed[:n], common, options)
		if err != nil {
			return false, err
		}
		for _, e := range batch {
			if e.object == nil {
				continue
			}
			if encodedSize += e.object.size(); encodedSize > maxEncoded {
				return true, nil
			}
			r.expire(e.object.expires)
			r.objects = append(r.objects, e.object)
			if e.reused || !cut { // objects of an incomplete load are not cached; those that were cached stay cached
				r.versions[e.version] = e.object
			}
		}
		if cut {
			return true, nil
		}
		listed = listed[n:]
	}
	return false, nil
}

// entry is an entry of a batch with its object, nil if it could not be loaded.
type entry struct {
	version version
	object  *object
	reused  bool
}

// batch returns entries with their objects. cut reports whether objects are missing
// because loading them would exceed the limit of work.
func (b *builder) batch(listed []index.UpcomingEntry, common string, calendars map[string]svc.List[action.Option]) (entries []entry, cut bool, err error) {
	entries = make([]entry, len(listed))
	var missing []string
	for i, l := range listed {
		e := &entries[i]
		e.version = version{svc.Version{ID: l.ID, Version: l.Version}, common}
		if e.object = b.previous.versions[e.version]; e.object != nil && !e.object.expired(b.tx.Now()) {
			e.reused = true
		} else {
			e.object = nil
			missing = append(missing, l.ID)
		}
	}
	if len(missing) == 0 {
		return entries, false, nil
	}
	list, cut, err := b.services.TimeIndex.Load(b.tx, b.viewer, b.location, missing)
	if err != nil {
		return nil, false, err
	}
	loaded := make(map[string]*object, len(list))
	for _, o := range list {
		if loaded[o.ID], err = b.encodeTimeObject(o, calendars[o.ObjectType]); err != nil {
			return nil, false, err
		}
	}
	for i := range entries {
		if e := &entries[i]; e.object == nil {
			e.object = loaded[e.version.ID]
		}
	}
	return entries, cut, nil
}

// calendarsVersion returns the version of the data, other than the entry, that the
// object of an entry depends on: its calendar, the calendars to which it can be
// moved, and the time zone.
func (b *builder) calendarsVersion(calendars []calendar.Calendar) string {
	h := sha256.New()
	fmt.Fprint(h, b.location)
	for _, cal := range calendars {
		fmt.Fprintf(h, " %q %q %t", cal.ID, cal.ETag, cal.ReadOnly)
	}
	return string(h.Sum(nil)[:16])
}

// encodeTimeObject encodes a calendar entry.
func (b *builder) encodeTimeObject(o view.Object, calendars svc.List[action.Option]) (*object, error) {
	source := action.Source{Kind: action.ServiceSource, Service: "time", ResourceType: o.ObjectType, ResourceID: o.ID}
	id := b.actionBuilder.ObjectID(source)
	var mirrorOf []Relationship
	if s := o.State; s.SourceObjectID != nil {
		event := action.Source{Kind: action.ServiceSource, Service: *s.SourceService, ResourceType: *s.SourceObjectType, ResourceID: *s.SourceObjectID}
		mirrorOf = []Relationship{{"mirror_of", action.Object(b.actionBuilder.ObjectID(event))}}
	}
	encoded, err := b.encodeObject(ObjectData{
		WorldObjectID: id, ObjectType: o.ObjectType, Source: source, Title: o.Title, Summary: o.Summary, State: o.State,
		Permissions: Permissions{CanView: o.Permissions.CanView, CanUpdate: o.Permissions.CanUpdate, CanDelete: o.Permissions.CanDelete},
	}, action.TimeObjects.Actions(b.actionBuilder, action.Object(id), action.TimeObject{Object: o, Calendars: calendars}), mirrorOf)
	if err == nil && o.State.TaskState != nil {
		encoded.expires = o.State.DueChangesAt
	}
	return encoded, err
}
