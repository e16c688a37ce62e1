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

// Social pushes: Time never asks it for anything. A push says all of an event
// and of who comes, so the last one is enough, whatever came before it (B-62).

// Timed reads when an event is as its host writes it, the way an entry's
// times are read (B-56), and returns it with them in the form that Push takes.
// first is the start of its first instance, last the end of its last one, zero
// if it never ends.
func (s *Service) Timed(tx *store.Tx, e svc.PushedEvent) (timed svc.PushedEvent, first, last time.Time, err error) {
	if e.Timezone == "" {
		home, err := s.one(tx, s.q.DefaultCalendar, store.Args{"member": e.Host.ID})
		if err != nil {
			return e, first, last, err
		}
		e.Timezone = home.Timezone
	}
	o, err := pushedObject("uid", e, tx.Now())
	if err != nil {
		return e, first, last, err
	}
	zone := svc.StoredZone(e.Timezone)
	start, end := o.Master.Time("DTSTART"), eventEnd(o.Master)
	if !end.Instant(zone).After(start.Instant(zone)) {
		return e, first, last, svc.FieldError(svc.EndBeforeStart, "end", "end must be after start.")
	}
	from, to, endless := o.Bounds(zone)
	if from >= to {
		return e, first, last, svc.FieldError(svc.InvalidRecurrence, "rrule", "rrule ends before the event begins.")
	}
	if !endless {
		last = time.UnixMilli(to).UTC()
	}
	e.Start, e.End = written(start), written(end)
	if rule := ruleText(o.Master); rule != "" {
		e.RRule = &rule
	} else {
		e.RRule = nil
	}
	return e, start.Instant(zone), last, nil
}

// written is a time as parseTime reads it.
func written(t ics.Time) string {
	if t.IsDate() {
		return t.Clock().Format(time.DateOnly)
	}
	return t.Clock().Format(localForm)
}

// pushedObject makes an entry that says what an event is, without anybody who
// is asked to come.
func pushedObject(uid string, e svc.PushedEvent, now time.Time) (*ics.Object, error) {
	change := Change{
		Title: svc.Some(e.Title), Description: svc.Some(e.Description), Location: svc.Some(e.Location),
		Start: svc.Some(e.Start), End: svc.Some(e.End), Timezone: svc.Some(e.Timezone), AllDay: svc.Some(e.AllDay),
		Status: svc.Some("confirmed"),
	}
	if e.RRule != nil {
		change.RRule = svc.Some(*e.RRule)
	}
	if e.Status == "cancelled" {
		change.Status = svc.Some("cancelled")
	}
	doc := ics.NewDocument(prodID)
	block := doc.Calendar.NewBlock("VEVENT")
	block.Add(ics.TextProp("UID", uid))
	block.Add(ics.TimeProp("CREATED", ics.UTC(now)))
	if err := (&editor{doc: doc, block: block, master: true, now: now}).apply(change); err != nil {
		return nil, err
	}
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

// Push brings the mirrors of an event to its state, in the transaction in
// which it has changed. Of pushes that come late or twice only the one of the
// highest revision counts.
func (s *Service) Push(tx *store.Tx, p svc.EventPush) (svc.Pushed, error) {
	if err := checkPush(p); err != nil {
		return svc.Pushed{}, err
	}
	var known int64
	if err := tx.Get(&known, s.q.Pushed, store.Args{"event": p.EventID}); err != nil && !store.IsNoRows(err) {
		return svc.Pushed{}, err
	}
	if p.Revision <= known {
		return svc.Pushed{Reason: "stale_revision", Revision: known}, nil
	}
	b := &mirroring{push: p, now: tx.Now()}
	if p.Operation != "delete" {
		o, err := pushedObject(b.uid(), p.Event, b.now)
		if err != nil {
			return svc.Pushed{}, svc.Within("event", err)
		}
		b.object = o
	}
	if _, err := tx.Exec(s.q.PutPushed, store.Args{"event": p.EventID, "revision": p.Revision}); err != nil {
		return svc.Pushed{}, err
	}
	changes, err := s.mirror(tx, b)
	return svc.Pushed{Applied: true, Revision: p.Revision, Mirrors: changes}, err
}

// checkPush checks what of a push is not about the event itself.
func checkPush(p svc.EventPush) error {
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
	errs = append(errs, svc.Within("event", svc.Join(oneOf("status", p.Event.Status, "scheduled", "cancelled"), p.Event.CheckPoint())))
	if p.Event.Timezone == "" {
		errs = append(errs, svc.Within("event", svc.Required("timezone")))
	}
	seen := make(map[svc.MemberID]bool, len(p.Audience))
	for i, a := range p.Audience {
		err := svc.Join(oneOf("rsvp", a.RSVP, "going", "maybe", "declined", "none"), oneOf("role", a.Role, "host", "guest"))
		if a.MemberID <= 0 || seen[a.MemberID] {
			err = svc.Join(err, svc.FieldError(svc.InvalidValue, "member_id", "member_id must be a member's number, and each once."))
		}
		if err != nil {
			errs = append(errs, svc.Within(fmt.Sprintf("audience.%d", i), err))
		}
		seen[a.MemberID] = true
	}
	return svc.Join(errs...)
}

// mirroring is a push at work.
type mirroring struct {
	push   svc.EventPush
	object *ics.Object // what it says to everybody; nil if the event is gone
	now    time.Time
}

func (b *mirroring) uid() string { return b.push.EventID + "@appliance" }

// wanted are the members who have a mirror, with what it says of them.
func (b *mirroring) wanted() map[svc.MemberID]svc.Attendee {
	list := make(map[svc.MemberID]svc.Attendee, len(b.push.Audience))
	for _, a := range b.push.Audience {
		if b.object != nil && (a.Role == "host" || a.RSVP == "going" || a.RSVP == "maybe") {
			list[a.MemberID] = a
		}
	}
	return list
}

// digest stands for all that a mirror says for Social.
func (b *mirroring) digest(a svc.Attendee) string {
	sum := sha256.Sum256([]byte(store.JSON([]any{b.push.Event, a})))
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
