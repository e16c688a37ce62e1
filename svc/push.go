package svc

// EventPush is a Social event as the calendar needs to know it, with everybody
// whom it concerns (B-62). Schema: service.time.social_event_push.
type EventPush struct {
	Operation string         `json:"operation"` // "create", "update" or "delete"
	EventID   string         `json:"event_id"`
	Revision  int64          `json:"revision"` // counts the changes: what is not newer does nothing
	Event     PushedEvent    `json:"event"`    // of a deletion only what there is
	Audience  List[Attendee] `json:"audience"`
}

// PushedEvent is what of an event shows in a calendar.
type PushedEvent struct {
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Location    string     `json:"location"`
	Latitude    *float64   `json:"latitude"` // degrees
	Longitude   *float64   `json:"longitude"`
	Start       string     `json:"start"` // 2026-12-24T18:00:00 in Timezone; 2026-12-24 if it is AllDay
	End         string     `json:"end"`   // the moment, or the day after, at which it is over
	Timezone    string     `json:"timezone"`
	AllDay      bool       `json:"all_day"`
	RRule       *string    `json:"rrule"`  // RFC 5545 §3.3.10
	Status      string     `json:"status"` // "scheduled" or "cancelled"
	Host        PushedHost `json:"host"`
}

// CheckPoint checks where an event is on the globe.
func (e PushedEvent) CheckPoint() error {
	switch {
	case (e.Latitude == nil) != (e.Longitude == nil):
		return FieldError(InvalidValue, "latitude", "latitude and longitude go together.")
	case e.Latitude != nil && (*e.Latitude < -90 || *e.Latitude > 90):
		return FieldError(InvalidValue, "latitude", "latitude must be from -90 to 90.")
	case e.Longitude != nil && (*e.Longitude < -180 || *e.Longitude > 180):
		return FieldError(InvalidValue, "longitude", "longitude must be from -180 to 180.")
	}
	return nil
}

// PushedHost is who holds an event.
type PushedHost struct {
	ID          MemberID `json:"id"`
	DisplayName string   `json:"display_name"`
}

// Attendee is a member and whether they come. Who comes, may come or is the
// host has a mirror of the event in a calendar; the others have none.
type Attendee struct {
	MemberID MemberID `json:"member_id"`
	RSVP     string   `json:"rsvp"` // "going", "maybe", "declined" or "none"
	Role     string   `json:"role"` // "host" or "guest"
}

// PushResult is what a push has done.
type PushResult struct {
	Applied  bool          `json:"applied"`
	Reason   string        `json:"reason,omitzero"` // "stale_revision", if it was not applied
	Revision int64         `json:"revision"`        // the latest that is known
	Mirrors  MirrorChanges `json:"mirrors"`
}

// MirrorChanges counts mirrors.
type MirrorChanges struct {
	Created int `json:"created"`
	Updated int `json:"updated"`
	Removed int `json:"removed"`
}
