package object

import (
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Calendar is a calendar with the role and the display settings of one member.
type Calendar struct {
	ID          string       `db:"id"`
	Owner       svc.MemberID `db:"owner_id"`
	Name        string       `db:"name"`
	Description string       `db:"description"`
	Color       string       `db:"color"`
	Timezone    string       `db:"timezone"`
	OwnZone     bool         `db:"own_zone"` // otherwise Timezone is that of the owner
	Components  string       `db:"components"`
	IsDefault   bool         `db:"is_default"`
	Seq         int64        `db:"seq"`
	PrunedSeq   int64        `db:"pruned_seq"`
	Events      int          `db:"events"`
	Tasks       int          `db:"tasks"`
	CreatedAt   store.Millis `db:"created_at"`
	UpdatedAt   store.Millis `db:"updated_at"`
	Role        Role         `db:"role"`
	Segment     string       `db:"segment"`
	Position    int          `db:"position"`
	Visible     bool         `db:"visible"`

	FeedCreatedAt *store.Millis `db:"feed_created_at"` // nil if the member has no feed of it
	Others        string        `db:"others"`          // the other members with access, as a JSON array of pairs of id and role
}

// Role is the access of a member to a calendar.
type Role string

const (
	Owner  Role = "owner"
	Writer Role = "write"
	Reader Role = "read"
)

// Values implements [svc.Set].
func (Role) Values() []string { return svc.Values(Owner, Writer, Reader) }

// IsWritable reports whether the member may change objects of the calendar.
func (c Calendar) IsWritable() bool { return c.Role != Reader }

// Accepts reports whether the calendar accepts objects of a component.
func (c Calendar) Accepts(component string) bool {
	return slices.Contains(strings.Split(c.Components, ","), component)
}

// Location returns the time zone in which floating times are read.
func (c Calendar) Location() *time.Location { return svc.StoredZone(c.Timezone) }

var (
	errNoCalendar = svc.Errorf(svc.NotFound, "This calendar does not exist, or it was deleted.")

	// ErrReadOnly is returned for a change to a calendar that the member can
	// only read.
	ErrReadOnly = svc.Errorf(svc.PermissionDenied, "You can view this calendar, but not change it.")

	// ErrTaken is returned for a segment that is in use.
	ErrTaken = svc.Errorf(svc.AlreadyExists, "There is already a calendar or file at this address.")
)

// Calendars returns the calendars of a member in their order.
func (s *Store) Calendars(tx *store.Tx, member svc.MemberID) (list []Calendar, err error) {
	err = tx.Select(&list, s.q.Calendars, store.Args{"member": member})
	return list, err
}

// Calendar returns the calendar with an id.
func (s *Store) Calendar(tx *store.Tx, member svc.MemberID, id string) (Calendar, error) {
	return findCalendar(tx, s.q.Calendar, store.Args{"member": member, "id": id})
}

// CalendarAt returns the calendar at a segment of the member's calendar home.
func (s *Store) CalendarAt(tx *store.Tx, member svc.MemberID, segment string) (Calendar, error) {
	return findCalendar(tx, s.q.CalendarAt, store.Args{"member": member, "segment": segment})
}

// DefaultCalendar returns the default calendar of a member.
func (s *Store) DefaultCalendar(tx *store.Tx, member svc.MemberID) (Calendar, error) {
	return findCalendar(tx, s.q.DefaultCalendar, store.Args{"member": member})
}

// WritableCalendar returns the calendar with an id, or the default calendar for
// "", if the member may change its objects.
func (s *Store) WritableCalendar(tx *store.Tx, member svc.MemberID, id string) (Calendar, error) {
	if id == "" {
		return checkWritable(s.DefaultCalendar(tx, member))
	}
	return checkWritable(s.Calendar(tx, member, id))
}

// WritableCalendarAt returns the calendar at a segment of the member's calendar
// home if the member may change its objects.
func (s *Store) WritableCalendarAt(tx *store.Tx, member svc.MemberID, segment string) (Calendar, error) {
	return checkWritable(s.CalendarAt(tx, member, segment))
}

func checkWritable(c Calendar, err error) (Calendar, error) {
	if err == nil && !c.IsWritable() {
		err = ErrReadOnly
	}
	return c, err
}

func findCalendar(tx *store.Tx, q store.Query, args store.Args) (c Calendar, err error) {
	if err = tx.Get(&c, q, args); store.IsNoRows(err) {
		err = errNoCalendar
	}
	return c, err
}

// CheckAccepts returns an error for the field unless a calendar accepts objects
// of a component. The error contains the calendars of the member that accept
// them.
func (s *Store) CheckAccepts(tx *store.Tx, member svc.MemberID, c Calendar, component, field string) error {
	if c.Accepts(component) {
		return nil
	}
	list, err := s.Calendars(tx, member)
	if err != nil {
		return err
	}
	refused := svc.FieldError(svc.ComponentNotSupported, field, notAccepted, c.Name, entryTypes[component])
	for _, other := range list {
		if other.IsWritable() && other.Accepts(component) {
			refused.Fields[0].Calendars = append(refused.Fields[0].Calendars, svc.CalendarChoice{ID: other.ID, Name: other.Name})
		}
	}
	return refused
}

// notAccepted is the message for an object whose component the calendar does not accept.
const notAccepted = "The calendar %q does not accept %s. Choose another calendar."

// Refusal returns the message for an object whose component the calendar does not accept.
func (c Calendar) Refusal(component string) words.Text {
	return words.Textf(notAccepted, c.Name, entryTypes[component])
}

// entryTypes maps components to words for messages.
var entryTypes = map[string]words.Word{"VEVENT": "events", "VTODO": "tasks", "VJOURNAL": "journal entries", "VFREEBUSY": "free-busy times"}

// ClaimSegment returns ErrTaken if a segment of a calendar home is in use.
// Otherwise it deletes the tombstone of the segment, so that the caller can
// create a calendar or collection there.
func (s *Store) ClaimSegment(tx *store.Tx, member svc.MemberID, segment string) error {
	args := store.Args{"member": member, "segment": segment}
	var taken bool
	if err := tx.Get(&taken, s.q.IsSegmentTaken, args); err != nil {
		return err
	}
	if taken {
		return ErrTaken
	}
	_, err := tx.Exec(s.q.DeleteHomeTombstone, args)
	return err
}
