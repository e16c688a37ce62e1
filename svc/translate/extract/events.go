package extract

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/svc/translate/schemaorg"
)

// maxEvents is the maximum number of events of a part.
const maxEvents = 50

// datedEvent is an Event node with its parsed times.
type datedEvent struct {
	node       *schemaorg.Node
	start, end moment
	hasEnd     bool
	repeats    string // Event.Repeats
}

// events returns a part of the events of the page that are not over, by start.
func events(in *pageInput) []Extracted {
	var future []datedEvent
	seen := make(map[string]bool)
	schedules := 0
	for _, n := range in.Graph.Nodes {
		if !n.Is("Event") {
			continue
		}
		o, ok := newDatedEvent(n)
		if s := nodeOf(n, "eventSchedule"); ok && s != nil && schedules < maxSchedules {
			schedules++
			ok = o.repeat(s, in.Now)
		}
		if !ok || o.endTime().Before(in.Now) {
			continue
		}
		if key := o.start.String() + " " + textKey(plain(textOf(n, "name"), maxLine)); !seen[key] {
			seen[key] = true
			future = append(future, o)
		}
	}
	slices.SortStableFunc(future, func(a, b datedEvent) int { return a.start.Compare(b.start.Time) })
	r := newReader(in)
	content := &Events{Events: []Event{}}
	var shown []*schemaorg.Node
	for _, o := range future {
		if len(content.Events) == maxEvents {
			break
		}
		if event, ok := r.event(o); ok {
			content.Events = append(content.Events, event)
			shown = append(shown, o.node)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	e := r.finish(eventsPart(in, content), nil)
	e.SchemaTypes = typeNames(mergeNodes(shown...))
	if len(shown) == 1 && content.Events[0].URL != "" {
		e.URL = content.Events[0].URL
	}
	if len(future) > len(shown) && !r.isExhausted() {
		e.Warnings = append(e.Warnings, fmt.Sprintf("The page lists %d events; the next %d are shown.", len(future), len(shown)))
	}
	return []Extracted{e}
}

// eventsPart returns the part of events with its texts.
func eventsPart(in *pageInput, content *Events) Extracted {
	next := content.Events[0]
	e := Extracted{Kind: "events", Title: next.Name, Content: content}
	if len(content.Events) > 1 {
		e.Title = joinTitle("Events", firstOf(in.site, pageName(in)))
	}
	e.Summary = join(", ", next.Name, next.when, next.Location.line())
	label := "Next event"
	if len(content.Events) == 1 {
		label = "Event"
	}
	e.Details = details([2]string{label, next.Name}, [2]string{"Start", next.when}, [2]string{"Place", next.Location.line()}, [2]string{"Status", statusNames[next.Status]})
	if len(next.Offers) > 0 {
		e.Details = append(e.Details, details([2]string{"Price", next.Offers[0].line()})...)
	}
	if n := len(content.Events); n > 1 {
		e.Details = append(e.Details, [2]string{"Events", fmt.Sprint(n)})
	}
	for _, event := range content.Events {
		if event.Image != nil && !slices.Contains(e.Images, event.Image) {
			e.Images = append(e.Images, event.Image)
		}
	}
	return e
}

// statusNames contains the labels of the states that differ from the normal one.
var statusNames = map[string]string{"cancelled": "Cancelled", "postponed": "Postponed", "rescheduled": "Rescheduled", "moved_online": "Moved online"}

// line returns a location on one line, "" for nil.
func (l *Location) line() string {
	if l == nil {
		return ""
	}
	name := l.Name
	if name == "" && l.Virtual {
		name = "Online"
	}
	if a := l.Address.line(); !strings.HasPrefix(a, name) || name == "" {
		return join(", ", name, a)
	}
	return l.Address.Text
}

// newDatedEvent parses the times of an event, or of its schedule if the event has no
// start. ok is false if neither has a start.
func newDatedEvent(n *schemaorg.Node) (o datedEvent, ok bool) {
	o.node = n
	start, end, zone := textOf(n, "startDate"), textOf(n, "endDate"), ""
	if s := nodeOf(n, "eventSchedule"); s != nil {
		zone = strings.TrimSpace(textOf(s, "scheduleTimezone"))
		if start == "" {
			start = join("T", textOf(s, "startDate"), textOf(s, "startTime"))
			end = join("T", textOf(s, "endDate"), textOf(s, "endTime"))
		}
	}
	if o.start, ok = parseMoment(plain(start, maxLine)); !ok {
		return o, false
	}
	if o.end, o.hasEnd = parseMoment(plain(end, maxLine)); o.hasEnd && !o.end.hasZone && o.start.hasZone {
		o.end = moment{inZone(o.end.Time, o.start.Location()), o.end.hasTime, true}
	}
	o.start, o.end = o.start.in(zone), o.end.in(zone)
	if o.hasEnd && o.end.end().Before(o.start.Time) {
		o.hasEnd = false
	}
	return o, true
}

// endTime returns the end of the event or, if it is unknown, of its start.
func (o datedEvent) endTime() time.Time {
	if o.hasEnd {
		return o.end.end()
	}
	return o.start.end()
}

// event returns the content of an event. ok is false if it has no name.
func (r *reader) event(o datedEvent) (e Event, ok bool) {
	n := o.node
	e = Event{Name: r.name(n, "name"), Start: r.limitText(o.start.utcString()), AllDay: !o.start.hasTime, Repeats: o.repeats, when: o.start.inWords()}
	if o.start.hasTime && o.start.hasZone {
		e.UTCOffset = o.start.Format("-07:00")
	}
	if e.Name == "" || e.Start == "" {
		return e, false
	}
	if o.hasEnd {
		e.End = r.limitText(o.end.utcString())
	}
	e.Location = r.location(n)
	e.Offers = r.prices(n, "offers")
	e.Status = status(n)
	e.Performers = r.names(n, "performer")
	if len(e.Performers) == 0 {
		e.Performers = r.names(n, "performers")
	}
	e.Organizer = r.name(n, "organizer")
	for _, v := range slices.Concat(valuesOf(n, "image"), valuesOf(n, "photo")) {
		if e.Image = r.image(v); e.Image != nil {
			break
		}
	}
	e.URL = r.url(n, "url", "mainEntityOfPage")
	return e, true
}

// status returns the state of an event, "" if the page does not state it.
func status(n *schemaorg.Node) string {
	for _, v := range valuesOf(n, "eventStatus") {
		switch strings.ToLower(enumMember(v)) {
		case "eventscheduled", "scheduled":
			return "scheduled"
		case "eventcancelled", "eventcanceled", "cancelled", "canceled":
			return "cancelled"
		case "eventpostponed", "postponed":
			return "postponed"
		case "eventrescheduled", "rescheduled":
			return "rescheduled"
		case "eventmovedonline", "movedonline":
			return "moved_online"
		}
	}
	return ""
}

// location returns the location of an event: a place, an online address or both. A
// sub-event without a location has that of its super-event. It returns nil if the page
// states none.
func (r *reader) location(n *schemaorg.Node) *Location {
	if len(n.Properties["location"]) == 0 {
		for _, o := range n.Owners {
			if (o.Property == "subEvent" || o.Property == "subEvents") && len(o.Node.Properties["location"]) > 0 {
				n = o.Node
				break
			}
		}
	}
	var l Location
	for _, v := range valuesOf(n, "attendanceMode") {
		l.Virtual = strings.HasPrefix(enumMember(v), "Online")
	}
	for _, v := range valuesOf(n, "eventAttendanceMode") {
		l.Virtual = strings.HasPrefix(enumMember(v), "Online")
	}
	for _, v := range valuesOf(n, "location") {
		r.addPlace(&l, v)
	}
	if l == (Location{}) {
		return nil
	}
	return &l
}

// addPlace adds a value of the property location.
func (r *reader) addPlace(l *Location, v schemaorg.Value) {
	switch p := v.Node; {
	case p == nil && isURL(strings.TrimSpace(v.Text)):
		if l.URL == "" {
			l.URL, l.Virtual = r.limitText(r.resolve(v.Text)), true
		}
	case p == nil:
		if l.Name == "" {
			l.Name = r.limitText(plain(v.Text, maxLine))
		}
	case p.Is("VirtualLocation"):
		if l.Virtual = true; l.URL == "" {
			l.URL = r.url(p, "url")
		}
		if l.Name == "" {
			l.Name = r.name(p, "name")
		}
	case l.Address == nil && l.Geo == nil:
		if l.Name == "" {
			l.Name = r.name(p, "name")
		}
		l.Geo = geo(p)
		if l.Address = r.address(p, "address"); l.Address == nil && p.Is("PostalAddress") {
			l.Address = r.addressOf(v)
		}
	}
}
