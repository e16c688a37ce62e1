package calendar

import (
	"errors"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// prodID names this program in the objects that it makes (RFC 5545 §3.7.3).
const prodID = "-//appliance//time//EN"

// NewObject is an entry that a member makes.
type NewObject struct {
	ObjectType string `json:"object_type"`
	Change
}

// ObjectChange is a change to an entry, or to one instance of it.
type ObjectChange struct {
	Change
	Scope        string `json:"scope"`         // "all" (the default), "this" or "this_and_future"
	RecurrenceID string `json:"recurrence_id"` // which instance, unless Scope is "all"
	ETag         string `json:"etag"`          // if given, the change is refused unless the entry still has it
}

// Create makes an entry in one of v's calendars.
func (s *Service) Create(tx *store.Tx, v svc.Viewer, in NewObject) (Object, error) {
	component := map[string]string{EventType: "VEVENT", TaskType: "VTODO"}[in.ObjectType]
	switch {
	case in.ObjectType == "":
		return Object{}, svc.Join(svc.Required("object_type"), in.checkTitle(true))
	case component == "":
		return Object{}, svc.FieldError(svc.InvalidValue, "object_type", "object_type must be %s or %s.", EventType, TaskType)
	}
	c, err := s.writable(tx, v, in.CalendarID.Value)
	if err != nil {
		return Object{}, err
	}
	if !c.holds(component) {
		return Object{}, errHoldsNot
	}
	doc := ics.NewDocument(prodID)
	block := doc.Calendar.NewBlock(component)
	block.Add(ics.TextProp("UID", svc.NewID("uid")+"@appliance"))
	block.Add(ics.TimeProp("CREATED", ics.UTC(tx.Now())))
	zone, _ := ics.LoadZone(c.Timezone)
	e := &editor{doc: doc, block: block, master: true, task: component == "VTODO", now: tx.Now(), zone: zone}
	if err := e.apply(in.Change); err != nil {
		return Object{}, err
	}
	entry, err := prepare(doc.Bytes(), tx.Now())
	if err != nil {
		return Object{}, err
	}
	id, err := s.add(tx, c, "", entry)
	if err != nil {
		return Object{}, err
	}
	return s.Object(tx, v, id)
}

// prepare makes an entry of octets that this service has written.
func prepare(raw []byte, now time.Time) (*Entry, error) {
	o, err := ics.Parse(raw)
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		code := svc.InvalidValue
		if invalid.Precondition == ics.CondMaxResourceSize {
			code = svc.TooLong
		}
		return nil, svc.Errorf(code, "%s", invalid.Reason)
	}
	if err != nil {
		return nil, err
	}
	return Prepare(o, now), nil
}

// instance returns the one that the change is about, none for all of them.
func (in ObjectChange) instance(o *ics.Object, row viewed) (i ics.Instance, err error) {
	switch in.Scope {
	case "", "all":
		return i, nil
	case "this", "this_and_future":
	default:
		return i, svc.FieldError(svc.InvalidValue, "scope", "scope must be all, this or this_and_future.")
	}
	if fields := in.ofSeries(); len(fields) > 0 && in.Scope == "this" {
		return i, svc.FieldError(svc.InvalidValue, fields[0], "%s is of the whole series; use the scope all.", strings.Join(fields, ", "))
	}
	i, err = instanceOfID(o, in.RecurrenceID, row)
	if err == nil && in.Scope == "this" && i.Component.ThisAndFuture && i.Component.RecurrenceID == i.RecurrenceID {
		// No lines could be about it and not about the others.
		return i, svc.FieldError(svc.InvalidValue, "scope", "What is said of this instance is said of those that follow it too; it cannot be changed alone.")
	}
	return i, err
}

// instanceOfID returns the instance that a recurrence id names.
func instanceOfID(o *ics.Object, id string, row viewed) (i ics.Instance, err error) {
	if id == "" {
		return i, svc.Required("recurrence_id")
	}
	loc := svc.StoredZone(row.Zone)
	var zone *ics.Zone
	day := isDay(id)
	if o.Master != nil {
		start := firstTime(o.Master, "DTSTART", "DUE")
		zone, day = start.Zone(), start.IsDate()
	}
	t, err := parseTime("recurrence_id", id, zone, day)
	if err != nil {
		return i, err
	}
	i, found := o.FindInstance(t, loc)
	if !found {
		return i, svc.FieldError(svc.NotFound, "recurrence_id", "The series has no instance at %.40s.", id)
	}
	return i, nil
}

// editor returns the editor of a component of the object.
func editorOf(o *ics.Object, c *ics.Component, doc *ics.Document, block *ics.Block, start, end ics.Time, now time.Time) *editor {
	zone := firstTime(c, "DTSTART", "DTEND", "DUE").Zone()
	return &editor{
		doc: doc, block: block, object: o, master: c == o.Master, task: o.Component == "VTODO", now: now,
		start: start, end: end, zone: zone,
	}
}

// endOf returns when a component ends, as its lines say it.
func endOf(c *ics.Component) ics.Time {
	end := firstTime(c, "DTEND", "DUE")
	if d, ok := c.Duration("DURATION"); ok && end.IsZero() {
		end = c.Time("DTSTART").Add(d)
	}
	return end
}

// edited returns the octets of an entry after a change to the whole of it. What
// is said of single instances stays as it is, but for the instance first, if
// one is named: the change is about that one too.
func edited(o *ics.Object, first ics.Instance, change Change, now time.Time) ([]byte, error) {
	doc := o.Edit()
	c := o.Components()[0]
	whole := editorOf(o, c, doc, doc.Block(c), c.Time("DTSTART"), endOf(c), now)
	for _, c := range o.Overrides {
		if !first.RecurrenceID.IsZero() && c.RecurrenceID.String() == first.RecurrenceID.String() {
			one := editorOf(o, c, doc, doc.Block(c), first.Start, first.End, now)
			if err := one.apply(change.withoutSeries()); err != nil {
				return nil, err
			}
		}
	}
	if err := whole.apply(change); err != nil {
		return nil, err
	}
	return doc.Bytes(), nil
}

// stamped notes in the octets of an object that its master was changed now.
func stamped(raw []byte, now time.Time) []byte {
	o, err := ics.Parse(raw)
	if err != nil {
		return raw // whoever stores it finds out
	}
	doc := o.Edit()
	(&editor{doc: doc, block: doc.Block(o.Components()[0]), object: o, now: now}).stamp()
	return doc.Bytes()
}

// move puts an entry into another of v's calendars.
func (s *Service) move(tx *store.Tx, v svc.Viewer, row viewed, to string) error {
	target, err := s.writable(tx, v, to)
	if err != nil || target.ID == row.CalendarID {
		return err
	}
	if !target.holds(row.Component) {
		return errHoldsNot
	}
	segment, err := s.freePlace(tx, target.ID, row.Segment, row.ID, row.UID)
	if err != nil {
		return err
	}
	return s.relocate(tx, row.objectRow, target, segment)
}

// relocate gives an entry another name, in the same calendar or in another.
func (s *Service) relocate(tx *store.Tx, row objectRow, target calendarRow, segment string) error {
	gone, err := s.nextSeq(tx, row.CalendarID, 1)
	if err != nil {
		return err
	}
	seq, err := s.nextSeq(tx, target.ID, 1)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.MoveObject, store.Args{
		"n": row.N, "calendar": target.ID, "segment": segment, "seq": seq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if err := s.bury(tx, row.CalendarID, row.Segment, gone); err != nil {
		return err
	}
	if err := s.followed(tx, target.ID, seq-1); err != nil {
		return err
	}
	return errors.Join(s.touchReaders(tx, row.CalendarID), s.touchReaders(tx, target.ID))
}

var errHoldsNot = svc.FieldError(svc.InvalidValue, "calendar_id", "That calendar does not hold entries of this type.")

// freePlace returns the name that an entry can have in a calendar: its own, or
// its id if that name is taken. An entry is in a calendar once.
func (s *Service) freePlace(tx *store.Tx, calendar, segment, id, uid string) (string, error) {
	if other, err := s.withUID(tx, calendar, uid); err != nil {
		return "", err
	} else if other != "" {
		return "", svc.FieldError(svc.AlreadyExists, "calendar_id", "That calendar has this entry already.")
	}
	_, found, err := s.at(tx, calendar, segment)
	if found {
		segment = id + ".ics"
	}
	return segment, err
}

// followed puts in order what goes with the entries that came into a calendar
// after that change.
func (s *Service) followed(tx *store.Tx, calendar string, after int64) error {
	args := store.Args{"calendar": calendar, "after": after}
	if _, err := tx.Exec(s.q.MoveOccurrences, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.UnburyAll, args)
	return err
}

// moveAll puts everything in a calendar, or only the mirrors, into another.
func (s *Service) moveAll(tx *store.Tx, from string, to calendarRow, mirrors bool) (moved int, err error) {
	rows, err := tx.Exec(s.q.MoveAll, store.Args{
		"from": from, "to": to.ID, "seq": to.Seq, "mirrors": mirrors, "now": store.MillisOf(tx.Now()),
	})
	if store.IsConstraint(err) {
		return 0, svc.FieldError(svc.AlreadyExists, "move_to", "That calendar has some of these entries already.")
	}
	if err != nil || rows == 0 {
		return 0, err
	}
	if _, err := s.nextSeq(tx, to.ID, int(rows)); err != nil {
		return 0, err
	}
	if err := s.followed(tx, to.ID, to.Seq); err != nil {
		return 0, err
	}
	return int(rows), s.touchReaders(tx, to.ID)
}
