package extract

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/svc/translate/schemaorg"
)

// maxEvents is the maximum number of events of a surface.
const maxEvents = 50

// occasion is an event that is not over.
type occasion struct {
	node       *schemaorg.Node
	start, end moment
	hasEnd     bool
}

// events returns a surface of the events of the page that are not over, by start.
func events(in *source) []Extracted {
	var future []occasion
	seen := make(map[string]bool)
	for _, n := range in.Graph.Nodes {
		if !n.Is("Event") {
			continue
		}
		o, ok := newOccasion(n)
		if !ok || o.over().Before(in.Now) {
			continue
		}
		if key := o.start.String() + " " + textKey(plain(textOf(n, "name"), maxLine)); !seen[key] {
			seen[key] = true
			future = append(future, o)
		}
	}
	slices.SortStableFunc(future, func(a, b occasion) int { return a.start.Compare(b.start.Time) })
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
	e := r.finish(eventsSurface(in, content), nil)
	e.SchemaTypes = typeNames(merged(shown...))
	if len(shown) == 1 && content.Events[0].URL != "" {
		e.URL = content.Events[0].URL
	}
	if len(future) > len(shown) && !r.exhausted() {
		e.Warnings = append(e.Warnings, fmt.Sprintf("The page lists %d events; the next %d are shown.", len(future), len(shown)))
	}
	return []Extracted{e}
}

// eventsSurface returns the surface of events with its texts.
func eventsSurface(in *source, content *Events) Extracted {
	next := content.Events[0]
	e := Extracted{Kind: "events", Title: next.Name, Content: content}
	if len(content.Events) > 1 {
		e.Title = titled("Events", firstOf(in.site, pageName(in)))
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

// statusNames contains the states that a person must know.
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

// newOccasion reads the times of an event, from its schedule if it has no start itself.
// ok is false if it has no start.
func newOccasion(n *schemaorg.Node) (o occasion, ok bool) {
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

// over returns when the event is over: at its end, else at its start.
func (o occasion) over() time.Time {
	if o.hasEnd {
		return o.end.end()
	}
	return o.start.end()
}

// event returns the content of an event. ok is false if it has no name.
func (r *reader) event(o occasion) (e Event, ok bool) {
	n := o.node
	e = Event{Name: r.name(n, "name"), Start: r.charge(o.start.published()), AllDay: !o.start.hasTime, when: o.start.inWords()}
	if o.start.hasTime && o.start.hasZone {
		e.UTCOffset = o.start.Format("-07:00")
	}
	if e.Name == "" || e.Start == "" {
		return e, false
	}
	if o.hasEnd {
		e.End = r.charge(o.end.published())
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

// location returns where an event takes place: a place, an online address or both; for
// a part of an event without a location, it is that of the whole. It returns nil if the
// page does not state it.
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
			l.URL, l.Virtual = r.charge(r.resolve(v.Text)), true
		}
	case p == nil:
		if l.Name == "" {
			l.Name = r.charge(plain(v.Text, maxLine))
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
