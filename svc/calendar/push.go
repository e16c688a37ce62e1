package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-ical"
)

// ResolveTimes applies a host's change to the times of an event; old is the
// zero EventTimes for a new event. It also returns the start of the first
// occurrence and the end of the last one, zero if there is no last one.
func (s *Service) ResolveTimes(tx *store.Tx, host svc.MemberID, old svc.EventTimes, c svc.EventTimesChange) (t svc.EventTimes, first, last time.Time, err error) {
	timezone := old.Timezone
	set(&timezone, c.Timezone, "")
	if timezone == "" {
		home, err := s.one(tx, s.q.DefaultCalendar, store.Args{"member": host})
		if err != nil {
			return t, first, last, err
		}
		timezone = home.Timezone
	}
	c.Timezone = svc.Some(timezone)
	if t, err = resolveTimes(old, c); err != nil {
		return t, first, last, err
	}
	o, err := eventObject("uid", svc.SyncedEvent{Times: t}, tx.Now())
	if err != nil {
		return t, first, last, err
	}
	zone := svc.StoredZone(t.Timezone)
	start := o.Master.Time("DTSTART").Instant(zone)
	if !eventEnd(o.Master).Instant(zone).After(start) {
		return t, first, last, errEndBeforeStart
	}
	from, to, endless := o.Bounds(zone)
	if from >= to {
		return t, first, last, svc.FieldError(svc.InvalidRecurrence, "rrule", "The recurrence ends before the event starts. Choose a later end.")
	}
	if !endless {
		last = time.UnixMilli(to).UTC()
	}
	return t, start, last, nil
}

var errEndBeforeStart = svc.FieldError(svc.EndBeforeStart, "end", "The event must end after it starts.")

// resolveTimes applies a change that names a time zone to the times of an
// event.
func resolveTimes(old svc.EventTimes, c svc.EventTimesChange) (svc.EventTimes, error) {
	t, isNew := old, old.Start.IsZero()
	set(&t.Timezone, c.Timezone, "")
	set(&t.RRule, c.RRule, "")
	switch {
	case c.AllDay.Set:
		t.AllDay = c.AllDay.Value
	case isNew:
		t.AllDay = isDay(c.Start.Value)
	}
	zone, err := loadZone(t.Timezone)
	if err != nil {
		return t, svc.Join(err, checkRule(t.RRule))
	}
	start, err := resolveTime("start", c.Start, t.Start, t.AllDay, zone)
	if err != nil {
		return t, svc.Join(err, checkRule(t.RRule))
	}
	if !isNew && t.AllDay != old.AllDay {
		t.End = time.Time{}
	}
	end, err := resolveTime("end", c.End, t.End, t.AllDay, zone)
	switch {
	case err != nil:
	case start.IsZero():
		err = svc.Required("start")
	case end.IsZero():
		end = usualEnd(start)
	case end.Instant(nil).Before(start.Instant(nil)), t.AllDay && end == start:
		err = errEndBeforeStart
	}
	if err != nil {
		return t, svc.Join(err, checkRule(t.RRule))
	}
	t.Start, t.End = start.Clock(), end.Clock()
	if t.RRule == "" {
		return t, nil
	}
	rule, err := parseRule(t.RRule, start)
	if err == nil {
		t.RRule = rule.String()
	}
	return t, err
}

// resolveTime returns the time that a change sets, or else the old one; the
// zero Time if there is none.
func resolveTime(field string, change svc.Optional[string], old time.Time, allDay bool, zone *ics.Zone) (ics.Time, error) {
	switch {
	case change.Set && change.Value == "", !change.Set && old.IsZero():
		return ics.Time{}, nil
	case change.Set:
		return parseTime(field, change.Value, zone, allDay)
	case allDay:
		return dayOf(old), nil
	}
	return inZone(old, zone), nil
}

// eventObject returns the calendar object of an event, without attendees.
func eventObject(uid string, e svc.SyncedEvent, now time.Time) (*ics.Object, error) {
	zone, err := loadZone(e.Times.Timezone)
	if err != nil {
		return nil, err
	}
	start, end := inZone(e.Times.Start, zone), inZone(e.Times.End, zone)
	if e.Times.AllDay {
		start, end = dayOf(e.Times.Start), dayOf(e.Times.End)
	}
	doc := ics.NewDocument(prodID)
	block := doc.Calendar.NewBlock("VEVENT")
	block.Add(ics.TextProp("UID", uid))
	block.Add(ics.TimeProp("CREATED", ics.UTC(now)))
	for _, text := range [][2]string{{"SUMMARY", e.Title}, {"LOCATION", e.Location}, {"DESCRIPTION", e.Description}} {
		if text[1] != "" {
			block.Add(ics.TextProp(text[0], text[1]))
		}
	}
	block.Add(ics.TimeProp("DTSTART", start))
	block.Add(ics.TimeProp("DTEND", end))
	for _, t := range []ics.Time{start, end} {
		if t.Zone() != nil {
			doc.AddTimeZone(t.Zone(), t.Instant(nil))
		}
	}
	if e.Times.RRule != "" {
		rule, err := parseRule(e.Times.RRule, start)
		if err != nil {
			return nil, err
		}
		block.Add(ics.RuleProp(rule))
	}
	status := "CONFIRMED"
	if e.Cancelled {
		status = "CANCELLED"
	}
	block.Add(ical.Prop{Name: "STATUS", Value: status})
	block.Add(ics.TimeProp("DTSTAMP", ics.UTC(now)))
	block.Add(ics.TimeProp("LAST-MODIFIED", ics.UTC(now)))
	if e.Latitude != nil && e.Longitude != nil { // RFC 5545 §3.8.1.6
		block.Add(ical.Prop{Name: "GEO", Value: degrees(*e.Latitude) + ";" + degrees(*e.Longitude)})
	}
	if e.Host.ID != 0 {
		host := memberProp("ORGANIZER", e.Host.ID)
		host.Params.Set("CN", e.Host.DisplayName)
		block.Add(host)
	}
	o, err := ics.Parse(doc.Bytes())
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return nil, svc.Errorf(svc.InvalidValue, "%s", invalid.Reason)
	}
	return o, err
}

func degrees(d float64) string { return strconv.FormatFloat(d, 'f', 6, 64) }

// memberProp names a member. It is no address: nobody is to be written to.
func memberProp(name string, id svc.MemberID) ical.Prop {
	return ical.Prop{Name: name, Params: ical.Params{}, Value: "urn:appliance:member:" + id.String()}
}

// partStats are the answers to an invitation as iCalendar has them (RFC 5545
// §3.2.12).
var partStats = map[string]string{"going": "ACCEPTED", "maybe": "TENTATIVE", "declined": "DECLINED", "none": "NEEDS-ACTION"}

// EventPush is the state of a Social event, as an external authority sends it.
// Schema: service.time.social_event_push.
type EventPush struct {
	Operation string                 `json:"operation"` // "create", "update" or "delete"
	EventID   string                 `json:"event_id"`
	Revision  int64                  `json:"revision"` // grows with each change; older and repeated pushes are ignored
	Event     PushedEvent            `json:"event"`    // ignored if the operation is "delete"
	Audience  svc.List[svc.Attendee] `json:"audience"`
}

// PushedEvent is the part of a Social event that its mirrors show.
type PushedEvent struct {
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Location    string        `json:"location"`
	Latitude    *float64      `json:"latitude"` // degrees
	Longitude   *float64      `json:"longitude"`
	Start       string        `json:"start"` // 2026-12-24T18:00:00 in Timezone; 2026-12-24 if AllDay
	End         string        `json:"end"`   // exclusive, in the form of Start
	Timezone    string        `json:"timezone"`
	AllDay      bool          `json:"all_day"`
	RRule       *string       `json:"rrule"`  // RFC 5545 §3.3.10
	Status      string        `json:"status"` // "scheduled" or "cancelled"
	Host        svc.EventHost `json:"host"`
}

// Push validates a push and syncs the mirrors of its event.
func (s *Service) Push(tx *store.Tx, p EventPush) (svc.SyncResult, error) {
	sync, err := p.resolve()
	if err != nil {
		return svc.SyncResult{}, err
	}
	return s.SyncEvent(tx, sync)
}

// resolve validates a push and returns it with typed values.
func (p EventPush) resolve() (svc.EventSync, error) {
	sync := svc.EventSync{EventID: p.EventID, Revision: p.Revision, Deleted: p.Operation == "delete"}
	if err := checkPush(p); err != nil || sync.Deleted {
		return sync, err
	}
	e := p.Event
	change := svc.EventTimesChange{
		Start: svc.Some(e.Start), End: svc.Some(e.End), Timezone: svc.Some(e.Timezone), AllDay: svc.Some(e.AllDay),
	}
	if e.RRule != nil {
		change.RRule = svc.Some(*e.RRule)
	}
	times, err := resolveTimes(svc.EventTimes{}, change)
	if err := svc.Join(
		svc.CheckLine("title", e.Title, svc.MaxTitle),
		svc.CheckText("description", e.Description, svc.MaxBody),
		svc.CheckText("location", e.Location, svc.MaxSummary),
		err,
	); err != nil {
		return sync, svc.PrefixFields("event", err)
	}
	sync.Audience = p.Audience
	sync.Event = svc.SyncedEvent{
		Title: e.Title, Description: e.Description, Location: e.Location, Latitude: e.Latitude, Longitude: e.Longitude,
		Times: times, Cancelled: e.Status == "cancelled", Host: e.Host,
	}
	return sync, nil
}

// SyncEvent brings the mirrors of an event to its state. It ignores a sync
// whose revision is not newer than the last one.
func (s *Service) SyncEvent(tx *store.Tx, sync svc.EventSync) (svc.SyncResult, error) {
	var known int64
	if err := tx.Get(&known, s.q.Pushed, store.Args{"event": sync.EventID}); err != nil && !store.IsNoRows(err) {
		return svc.SyncResult{}, err
	}
	if sync.Revision <= known {
		return svc.SyncResult{Reason: "stale_revision", Revision: known}, nil
	}
	b := &mirroring{sync: sync, now: tx.Now()}
	if !sync.Deleted {
		o, err := eventObject(b.uid(), sync.Event, b.now)
		if err != nil {
			return svc.SyncResult{}, err
		}
		b.object = o
	}
	if _, err := tx.Exec(s.q.PutPushed, store.Args{"event": sync.EventID, "revision": sync.Revision}); err != nil {
		return svc.SyncResult{}, err
	}
	changes, err := s.mirror(tx, b)
	return svc.SyncResult{Applied: true, Revision: sync.Revision, Mirrors: changes}, err
}

// checkPush checks all of a push but the texts and times of the event.
func checkPush(p EventPush) error {
	oneOf := func(field, value string, choices ...string) error {
		if value == "" {
			return svc.Required(field)
		}
		return checkChoice(field, value, choices)
	}
	errs := []error{oneOf("operation", p.Operation, "create", "update", "delete"), svc.CheckLine("event_id", p.EventID, svc.MaxName)}
	if p.Revision <= 0 {
		errs = append(errs, svc.FieldError(svc.InvalidValue, "revision", "revision must be 1 or more."))
	}
	if p.Operation == "delete" {
		return svc.Join(errs...)
	}
	errs = append(errs, svc.PrefixFields("event", svc.Join(
		oneOf("status", p.Event.Status, "scheduled", "cancelled"), svc.CheckPoint(p.Event.Latitude, p.Event.Longitude))))
	if p.Event.Timezone == "" {
		errs = append(errs, svc.PrefixFields("event", svc.Required("timezone")))
	}
	seen := make(map[svc.MemberID]bool, len(p.Audience))
	for i, a := range p.Audience {
		err := svc.Join(oneOf("rsvp", a.RSVP, "going", "maybe", "declined", "none"), oneOf("role", a.Role, "host", "guest"))
		if a.MemberID <= 0 || seen[a.MemberID] {
			err = svc.Join(err, svc.FieldError(svc.InvalidValue, "member_id", "member_id must be the number of a member who is not listed twice."))
		}
		if err != nil {
			errs = append(errs, svc.PrefixFields(fmt.Sprintf("audience.%d", i), err))
		}
		seen[a.MemberID] = true
	}
	return svc.Join(errs...)
}

// mirroring is a push at work.
type mirroring struct {
	sync   svc.EventSync
	object *ics.Object // what it says to everybody; nil if the event is gone
	now    time.Time
}

func (b *mirroring) uid() string { return b.sync.EventID + "@appliance" }

// wanted are the members who have a mirror, with what it says of them.
func (b *mirroring) wanted() map[svc.MemberID]svc.Attendee {
	list := make(map[svc.MemberID]svc.Attendee, len(b.sync.Audience))
	for _, a := range b.sync.Audience {
		if b.object != nil && (a.Role == "host" || a.RSVP == "going" || a.RSVP == "maybe") {
			list[a.MemberID] = a
		}
	}
	return list
}

// digest stands for all that a mirror says for Social.
func (b *mirroring) digest(a svc.Attendee) string {
	sum := sha256.Sum256([]byte(store.JSON([]any{b.sync.Event, a})))
	return hex.EncodeToString(sum[:16])
}

// attendee is the line that a mirror has about its member.
func (b *mirroring) attendee(a svc.Attendee) ical.Prop {
	p := memberProp("ATTENDEE", a.MemberID)
	p.Params.Set("PARTSTAT", partStats[a.RSVP])
	return p
}

// fresh is the text of a mirror that nobody has touched yet.
func (b *mirroring) fresh(a svc.Attendee) (*ics.Object, error) {
	doc := b.object.Edit()
	doc.Block(b.object.Master).Set(b.attendee(a))
	return ics.Parse(doc.Bytes())
}

// Of what Social says, when it is, and the rest.
var (
	timeNames = []string{"DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE"}
	wordNames = []string{"SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "STATUS", "ORGANIZER", "URL", "CLASS"}
)

// renewed is the text of a mirror with what Social says now. Lines of its
// member stay as they are, and so do those of Social that say the same.
// retimed reports whether it may be at another time, or keep its member busy
// otherwise.
func (b *mirroring) renewed(old *ics.Object, a svc.Attendee) (o *ics.Object, retimed bool, err error) {
	if old.Master == nil || old.Component != "VEVENT" { // which no client can have done
		o, err = b.fresh(a)
		return o, true, err
	}
	doc, is := old.Edit(), b.object.Master
	retimed = !slices.Equal(timesOf(old.Master), timesOf(is))
	for _, c := range old.Components() {
		block := doc.Block(c)
		switch {
		case retimed && c == old.Master:
			say(block, c, is, timeNames)
			doc.AddTimeZone(is.Time("DTSTART").Zone(), is.Time("DTSTART").Instant(nil))
		case retimed: // the instance that it was about is not there any more
			doc.Calendar.RemoveBlocks(block)
			continue
		}
		say(block, c, is, wordNames)
		if p := b.attendee(a); !reflect.DeepEqual(c.Props("ATTENDEE"), []ical.Prop{p}) {
			block.Set(p)
		}
		(&editor{doc: doc, block: block, object: old, now: b.now}).stamp()
	}
	o, err = ics.Parse(doc.Bytes())
	if err != nil { // its member has left no room in it
		o, err = b.fresh(a)
		return o, true, err
	}
	return o, retimed || statusOf(old.Master) != statusOf(is), err
}

// say makes a component say what another one says under those names.
func say(block *ics.Block, was, is *ics.Component, names []string) {
	for _, name := range names {
		switch props := is.Props(name); {
		case len(props) == 0:
			block.Remove(name)
		case !reflect.DeepEqual(was.Props(name), props):
			block.Set(props[0])
		}
	}
}

// timesOf says when a component is, however it is written.
func timesOf(c *ics.Component) []string {
	times := []string{ruleText(c)}
	if zone := zoneName(c.Time("DTSTART")); zone != nil {
		times = append(times, *zone)
	}
	times = append(times, instants(c.Time("DTSTART"), eventEnd(c))...)
	times = append(append(times, "and"), instants(c.RDates()...)...)
	return append(append(times, "but"), instants(c.ExDates()...)...)
}
