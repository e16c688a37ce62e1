package svc

import "time"

// EventTimes contains the times of a Social event.
type EventTimes struct {
	Start, End time.Time // local times in Timezone, encoded as UTC; midnights if AllDay. End is exclusive.
	Timezone   string    // IANA name
	AllDay     bool
	RRule      string // RFC 5545 §3.3.10; "" if the event does not recur
	MovedStart bool   // whether a change moved the start to the first date of its rule
}

// Text returns the start and the end in the format of JSON: 2026-12-24T18:00:00,
// or 2026-12-24 if the event is all day.
func (t EventTimes) Text() (start, end string) {
	layout := "2006-01-02T15:04:05"
	if t.AllDay {
		layout = time.DateOnly
	}
	return t.Start.Format(layout), t.End.Format(layout)
}

// EventTimesChange is a host's change to the times of an event, in the syntax of
// changes to calendar objects.
type EventTimesChange struct {
	Start    Optional[string]
	End      Optional[string] // "" for an hour or a day after the start
	Timezone Optional[string] // "" for the time zone of the host's default calendar
	AllDay   Optional[bool]   // if absent from a new event: true exactly if Start is a date
	RRule    Optional[string] // "" for none
}

// EventSync is the state of a Social event that its mirrors show.
type EventSync struct {
	EventID  string
	Revision int64 // grows with each change; older and repeated syncs are ignored
	Deleted  bool  // if set, Event and Audience are ignored
	Event    SyncedEvent
	Audience []Attendee
}

// SyncedEvent is the part of a Social event that its mirrors show.
type SyncedEvent struct {
	Title       string
	Description string
	Location    string
	Latitude    *float64 // degrees
	Longitude   *float64
	Times       EventTimes
	Cancelled   bool
	Host        EventHost
}

// EventHost is the host of a Social event.
type EventHost struct {
	ID          MemberID `json:"id"`
	DisplayName string   `json:"display_name"`
}

// CheckPoint validates the coordinates of an event, which may be absent.
func CheckPoint(latitude, longitude *float64) error {
	switch {
	case (latitude == nil) != (longitude == nil):
		return FieldError(InvalidValue, "latitude", "Enter both latitude and longitude, or neither.")
	case latitude != nil && (*latitude < -90 || *latitude > 90):
		return FieldError(InvalidValue, "latitude", "Latitude must be between -90 and 90.")
	case longitude != nil && (*longitude < -180 || *longitude > 180):
		return FieldError(InvalidValue, "longitude", "Longitude must be between -180 and 180.")
	}
	return nil
}

// Attendee is a member in the audience of an event, with role and RSVP. The host and
// the members with the RSVP going or maybe have a mirror of the event; the other
// members have none.
type Attendee struct {
	MemberID MemberID     `json:"member_id"`
	RSVP     Response     `json:"rsvp"`
	Role     AttendeeRole `json:"role"`

	// HostHidden says that a block hides the host from the member: the mirror
	// shows a former member as the host.
	HostHidden bool `json:"-"`
}

// SyncResult counts the changes of a sync.
type SyncResult struct {
	Applied  bool          `json:"applied"`
	Reason   string        `json:"reason,omitzero"` // "stale_revision" if Applied is false
	Revision int64         `json:"revision"`        // the latest known revision
	Mirrors  MirrorChanges `json:"mirrors"`
	Left     int           `json:"-"` // mirrors that the sync has not yet changed
}

// MirrorChanges counts mirrors.
type MirrorChanges struct {
	Created int `json:"created"`
	Updated int `json:"updated"`
	Removed int `json:"removed"`
}

// Plus returns the sums of the counts.
func (c MirrorChanges) Plus(more MirrorChanges) MirrorChanges {
	return MirrorChanges{c.Created + more.Created, c.Updated + more.Updated, c.Removed + more.Removed}
}

// Response is the response of a member to an event.
type Response string

const (
	Going      Response = "going"
	Maybe      Response = "maybe"
	Declined   Response = "declined"
	NoResponse Response = "none"
)

// Values implements [Set].
func (Response) Values() []string { return Values(Going, Maybe, Declined, NoResponse) }

// AttendeeRole is the role of an [Attendee].
type AttendeeRole string

const (
	HostRole  AttendeeRole = "host"
	GuestRole AttendeeRole = "guest"
)

// Values implements [Set].
func (AttendeeRole) Values() []string { return Values(HostRole, GuestRole) }
