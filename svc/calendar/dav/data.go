package dav

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"appliance/svc/calendar/ics"
)

// dataSpec is what is wanted of the data of objects (RFC 4791 §9.6).
type dataSpec struct {
	expand, recurrences, busy *ics.TimeRange
	selection                 *ics.Selection
	omitTimeZones             bool // RFC 7809 §7.1
}

// readDataSpec reads the CALDAV:calendar-data of a report.
func (q *request) readDataSpec(e *element) (*dataSpec, error) {
	media, _ := e.attr("content-type")
	version, _ := e.attr("version")
	if media != "" && media != "text/calendar" || version != "" && version != "2.0" {
		return nil, forbidden(calName("supported-calendar-data"), "Calendar data comes as text/calendar 2.0 only.")
	}
	s := &dataSpec{omitTimeZones: q.omitTimeZones()}
	for _, c := range e.children {
		var err error
		switch c.name {
		case calName("comp"):
			var parts ics.Selection
			parts, err = readComp(c)
			s.selection = &parts
		case calName("expand"):
			s.expand, err = readBoundedRange(c)
		case calName("limit-recurrence-set"):
			s.recurrences, err = readBoundedRange(c)
		case calName("limit-freebusy-set"):
			s.busy, err = readBoundedRange(c)
		}
		if err != nil {
			return nil, err
		}
	}
	if s.expand != nil && s.recurrences != nil {
		return nil, invalidFilter("CALDAV:calendar-data has a CALDAV:expand or a CALDAV:limit-recurrence-set, not both.")
	}
	return s, nil
}

// omitTimeZones reports whether the client knows the time zones of the IANA
// (RFC 7809 §7.1).
func (q *request) omitTimeZones() bool { return q.Header.Get("CalDAV-Timezones") == "F" }

// readBoundedRange reads an element with a start and an end (RFC 4791 §9.6.5).
func readBoundedRange(e *element) (*ics.TimeRange, error) {
	r, err := readTimeRange(e, "VEVENT", rangeComponents)
	if err == nil && (r.Start.IsZero() || r.End.IsZero()) {
		err = invalidFilter("CALDAV:%s has a start and an end.", e.name.Local)
	}
	return r, err
}

// readComp reads a CALDAV:comp (RFC 4791 §9.6.1). How deep it is, and how much
// there is of it, is bounded with the body.
func readComp(e *element) (s ics.Selection, err error) {
	s.Name, _ = e.attr("name")
	if s.Name == "" {
		return s, invalidFilter("CALDAV:comp has a name.")
	}
	for _, c := range e.children {
		switch c.name {
		case calName("allprop"):
			s.AllProps = true
		case calName("allcomp"):
			s.AllComps = true
		case calName("prop"):
			name, _ := c.attr("name")
			novalue, _ := c.attr("novalue")
			if name == "" || novalue != "" && novalue != "yes" && novalue != "no" || len(s.Props) == maxProps {
				return s, invalidFilter(`CALDAV:prop has a name, and as novalue "yes" or "no"; there are up to %d of them.`, maxProps)
			}
			s.Props = append(s.Props, ics.SelectedProp{Name: name, NoValue: novalue == "yes"})
		case calName("comp"):
			if len(s.Comps) == maxFilters {
				return s, invalidFilter("A CALDAV:comp has up to %d others in it.", maxFilters)
			}
			var inner ics.Selection
			if inner, err = readComp(c); err != nil {
				return s, err
			}
			s.Comps = append(s.Comps, inner)
		}
	}
	return s, nil
}

// isIdentity reports whether the data is wanted as it is.
func (s *dataSpec) isIdentity() bool {
	return s.expand == nil && s.recurrences == nil && s.busy == nil && s.selection == nil && !s.omitTimeZones
}

// maxExpandedInstances is how many instances of one object are written at most.
const maxExpandedInstances = 10_000

// batchOctets is about how many octets of shaped data wait to be written.
const batchOctets = 256 << 10

// transformBatch applies s to the data of the first of the objects, with all processors,
// until there is something to write. It returns those, and of each whether it
// would be too much.
func (s *dataSpec) transformBatch(list []Object, zone *time.Location) (done []Object, cut []bool) {
	var next, octets atomic.Int64
	var fault atomic.Value
	cut = make([]bool, len(list))
	work := func() {
		defer func() {
			if v := recover(); v != nil { // who recovers for the request is elsewhere
				fault.Store(fmt.Sprintf("%v\n%s", v, debug.Stack()))
			}
		}()
		for octets.Load() < batchOctets {
			i := int(next.Add(1)) - 1
			if i >= len(list) {
				return
			}
			data, ok := s.transform(list[i].Data, zone)
			list[i].Data, cut[i] = data, !ok
			octets.Add(int64(len(data)))
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if v := fault.Load(); v != nil {
		panic(v)
	}
	n := min(int(next.Load()), len(list))
	return list[:n], cut[:n]
}

// transform returns what is wanted of the data. Floating times are read in zone. ok
// is false if it would be too much. What cannot be read is returned as it is.
func (s *dataSpec) transform(raw []byte, zone *time.Location) (data []byte, ok bool) {
	if s.expand != nil || s.recurrences != nil || s.busy != nil {
		o, err := ics.Parse(raw)
		if err != nil {
			return raw, true
		}
		switch {
		case s.expand != nil:
			var cut bool
			if raw, cut = o.Expand(s.expand.Start, s.expand.End, zone, maxExpandedInstances); cut {
				return nil, false
			}
		case s.recurrences != nil:
			raw = o.LimitRecurrences(s.recurrences.Start, s.recurrences.End, zone)
		}
		if s.busy != nil && o.Component == "VFREEBUSY" {
			raw = o.LimitFreeBusy(s.busy.Start, s.busy.End)
		}
	}
	if s.omitTimeZones {
		raw = ics.OmitIANATimeZones(raw)
	}
	if s.selection != nil {
		raw = s.selection.Apply(raw)
	}
	return raw, true
}
