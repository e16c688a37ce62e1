package dav

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// dataSpec is the CALDAV:calendar-data of a request: it describes how calendar
// data is transformed (RFC 4791 §9.6).
type dataSpec struct {
	expand           *ics.TimeRange // CALDAV:expand
	limitRecurrences *ics.TimeRange // CALDAV:limit-recurrence-set
	limitFreeBusy    *ics.TimeRange // CALDAV:limit-freebusy-set
	selection        *ics.Selection // CALDAV:comp
	timeZones        timeZones
	work             svc.Work // of the request
}

// readDataSpec parses the CALDAV:calendar-data of a report.
func (q *request) readDataSpec(e *element) (*dataSpec, error) {
	media, _ := e.attr("content-type")
	version, _ := e.attr("version")
	if media != "" && media != "text/calendar" || version != "" && version != "2.0" {
		return nil, forbidden(calName("supported-calendar-data"), "CALDAV:calendar-data is only available as text/calendar, version 2.0.")
	}
	s := &dataSpec{timeZones: q.timeZones(), work: svc.WorkOf(q.Context())}
	for _, c := range e.children {
		var err error
		switch c.name {
		case calName("comp"):
			var selection ics.Selection
			selection, err = readComp(c)
			s.selection = &selection
		case calName("expand"):
			s.expand, err = readBoundedRange(c)
		case calName("limit-recurrence-set"):
			s.limitRecurrences, err = readBoundedRange(c)
		case calName("limit-freebusy-set"):
			s.limitFreeBusy, err = readBoundedRange(c)
		}
		if err != nil {
			return nil, err
		}
	}
	if s.expand != nil && s.limitRecurrences != nil {
		return nil, svc.Errorf(svc.MalformedBody, "CALDAV:calendar-data may contain CALDAV:expand or CALDAV:limit-recurrence-set, not both.")
	}
	return s, nil
}

// timeZones is the value of the header CalDAV-Timezones (RFC 7809 §7.1).
type timeZones string

const (
	withTimeZones    timeZones = "T"
	withoutTimeZones timeZones = "F" // only those that have no IANA name
)

// timeZones returns which VTIMEZONEs the client requests. Without the header, objects have
// those that they were stored with.
func (q *request) timeZones() timeZones { return timeZones(q.Header.Get("CalDAV-Timezones")) }

// apply returns the text of an object with the requested VTIMEZONEs. It takes the work from a
// request.
func (z timeZones) apply(work svc.Work, text []byte) ([]byte, error) {
	switch z {
	case withoutTimeZones:
		return ics.OmitIANATimeZones(text), nil
	case withTimeZones:
		text, steps := ics.IncludeTimeZones(text)
		return text, work.Take(steps)
	}
	return text, nil
}

// readBoundedRange parses an element that requires a start and an end
// (RFC 4791 §9.6.5).
func readBoundedRange(e *element) (*ics.TimeRange, error) {
	r, err := readTimeRange(e, "VEVENT", rangeComponents)
	if err == nil && (r.Start.IsZero() || r.End.IsZero()) {
		err = invalidFilter("CALDAV:%s requires the attributes start and end.", e.name.Local)
	}
	if invalid, ok := errors.AsType[*Error](err); ok { // CALDAV:valid-filter applies to CALDAV:filter only
		err = svc.Errorf(svc.MalformedBody, "%s", invalid.Message)
	}
	return r, err
}

// readComp parses a CALDAV:comp (RFC 4791 §9.6.1). The parser of the body
// bounds its depth and size.
func readComp(e *element) (s ics.Selection, err error) {
	s.Name, _ = e.attr("name")
	if s.Name == "" {
		return s, invalidFilter("CALDAV:comp requires the attribute name.")
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
				return s, invalidFilter(`CALDAV:prop requires the attribute name; novalue must be "yes" or "no"; at most %d are allowed.`, maxProps)
			}
			s.Props = append(s.Props, ics.SelectedProp{Name: name, NoValue: novalue == "yes"})
		case calName("comp"):
			if len(s.Comps) == maxFilters {
				return s, invalidFilter("CALDAV:comp may contain at most %d CALDAV:comp.", maxFilters)
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

// isIdentity reports whether the data is returned unchanged.
func (s *dataSpec) isIdentity() bool {
	return s.expand == nil && s.limitRecurrences == nil && s.limitFreeBusy == nil && s.selection == nil && s.timeZones != withTimeZones && s.timeZones != withoutTimeZones
}

// maxExpandedInstances limits the instances of one object in a response.
const maxExpandedInstances = 10_000

// batchOctets is the approximate size of the transformed data in memory before it
// is written.
const batchOctets = 256 << 10

// transformBatch transforms the data of the first objects of list in parallel,
// until about batchOctets are ready. It returns these objects, and reports for
// each object whether its data was too large. An error ends the request.
func (s *dataSpec) transformBatch(list []Object, zone *time.Location) (transformed []Object, tooLarge []bool, err error) {
	var next, octets atomic.Int64
	var panicValue, failure atomic.Value
	tooLarge = make([]bool, len(list))
	worker := func(further bool) {
		defer func() {
			if v := recover(); v != nil { // the goroutine of the request raises the panic again
				panicValue.Store(fmt.Sprintf("%v\n%s", v, debug.Stack()))
			}
		}()
		if further {
			defer s.work.Begin()()
		}
		for octets.Load() < batchOctets && failure.Load() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(list) {
				return
			}
			data, ok, err := s.transform(list[i].Data, zone)
			if err != nil {
				failure.CompareAndSwap(nil, &err) // a pointer, because atomic.Value requires values of one type
				return
			}
			list[i].Data, tooLarge[i] = data, !ok
			octets.Add(int64(len(data)))
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) - 1 {
		workers.Go(func() { worker(true) })
	}
	worker(false)
	workers.Wait()
	if v := panicValue.Load(); v != nil {
		panic(v)
	}
	if err, ok := failure.Load().(*error); ok {
		return nil, nil, *err
	}
	n := min(int(next.Load()), len(list))
	return list[:n], tooLarge[:n], nil
}

const (
	octetsPerStepCopied = 10 // octets that take as long to copy as one step
	stepsPerInstance    = 3  // steps of an expansion for each step of its evaluation, without the copied text
)

// transform returns the transformed data. Floating times are interpreted in zone.
// ok is false if the result would be too large. An error ends the request. Data
// that is not iCalendar is returned unchanged.
func (s *dataSpec) transform(raw []byte, zone *time.Location) (data []byte, ok bool, err error) {
	if err := s.work.Take(len(raw) / octetsPerStepCopied); err != nil {
		return nil, false, err
	}
	if s.expand != nil || s.limitRecurrences != nil || s.limitFreeBusy != nil {
		if raw, ok, err = s.transformParsed(raw, zone); err != nil || !ok {
			return nil, ok, err
		}
	}
	if raw, err = s.timeZones.apply(s.work, raw); err != nil {
		return nil, false, err
	}
	if s.selection != nil {
		raw = s.selection.Apply(raw)
	}
	return raw, true, nil
}

// transformParsed applies the transformations for which the data is parsed.
func (s *dataSpec) transformParsed(raw []byte, zone *time.Location) (data []byte, ok bool, err error) {
	o, err := ics.ParseCounted(s.work, raw)
	if _, invalid := errors.AsType[*ics.Error](err); invalid {
		return raw, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	switch {
	case s.expand != nil:
		o, spent := o.WithBudget(s.work.Left())
		var truncated bool
		raw, truncated = o.Expand(s.expand.Start, s.expand.End, zone, maxExpandedInstances)
		steps, _ := spent()
		if err := s.work.Take(steps*stepsPerInstance + len(raw)); err != nil || truncated {
			return nil, false, err
		}
	case s.limitRecurrences != nil:
		raw = o.LimitRecurrences(s.limitRecurrences.Start, s.limitRecurrences.End, zone)
	}
	if s.limitFreeBusy != nil && o.Component == "VFREEBUSY" {
		raw = o.LimitFreeBusy(s.limitFreeBusy.Start, s.limitFreeBusy.End)
	}
	return raw, true, nil
}
