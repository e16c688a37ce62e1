package dav

import (
	"context"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Backend is what the protocol needs of the program that holds the calendars.
// Each method is one transaction. Its errors are those of package svc; what a
// client must be told in XML is an [Error]. An error of kind svc.Forbidden is
// told as DAV:need-privileges by itself, a value that UpdateCalendar or
// MakeCalendar refuses by the field it names.
type Backend interface {
	// View shows fn the tree as v sees it, all of it at one moment.
	View(ctx context.Context, v svc.Viewer, fn func(Tree) error) error

	// Put creates or replaces the object name of the calendar. ok is asked,
	// inside the transaction, whether the ETag that stands there is what the
	// client expects; its error is returned as it is. A UID that is taken is a
	// [UIDConflict], a component that the calendar does not hold an
	// [UnsupportedComponent], a calendar that is not there svc.NotFound.
	Put(ctx context.Context, v svc.Viewer, calendar, name string, object *ics.Object, ok Check) (Written, error)

	// Delete removes an object. ok is asked only if there is one.
	Delete(ctx context.Context, v svc.Viewer, calendar, name string, ok Check) error

	// MakeCalendar creates a calendar whose path segment is the client's
	// choice. If there is one, the error is svc.AlreadyExists.
	MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set Properties) error

	// UpdateCalendar changes all properties in set or none.
	UpdateCalendar(ctx context.Context, v svc.Viewer, segment string, set Properties) error

	// DeleteCalendar removes a calendar and everything in it.
	DeleteCalendar(ctx context.Context, v svc.Viewer, segment string) error
}

// Check decides whether a write may go ahead, given the ETag of what stands
// there now; "" stands for nothing. It may be called more than once.
type Check func(etag string) error

// Tree is one member's calendars at one moment. What the member may not see
// is answered with svc.NotFound.
type Tree interface {
	// Principal is the member.
	Principal() (Principal, error)

	// Calendars returns the member's calendars in their order.
	Calendars() ([]Calendar, error)

	// Calendar returns the one of that path segment.
	Calendar(segment string) (Calendar, error)

	// Objects returns all objects of a calendar, without their data.
	Objects(segment string) ([]Object, error)

	// Named returns the objects of those names in that order, with their data if
	// asked. What does not exist is absent from the answer.
	Named(segment string, names []string, data bool) ([]Object, error)

	// Query returns the objects that match the filter, without their data
	// (RFC 4791 §7.8). zone is how floating times are read; nil means the
	// calendar's own time zone.
	Query(segment string, f ics.Filter, zone *time.Location) ([]Object, error)

	// Changes returns what changed after the sync token since, oldest first, at
	// most limit entries (0: all). An entry is an object as it is now, or the
	// name of one that is gone. "" means from the beginning: the objects that
	// there are, and none that are gone. A token that this calendar never gave,
	// or does not remember, is an [InvalidSyncToken].
	Changes(segment, since string, limit int) (Changes, error)
}

// Principal is a member as DAV sees one.
type Principal struct {
	Member      svc.MemberID
	DisplayName string
	Email       string
}

// Calendar is a calendar collection.
type Calendar struct {
	Segment     string // the last segment of its path
	Name        string
	Description string
	Color       string    // #rrggbb
	Order       int       // place in the list
	TimeZone    string    // IANA name; "" if none is set
	Read        time.Time // when it was read
	Components  []string  // what it holds: VEVENT, VTODO
	SyncToken   string    // a URI; changes if and only if something in the calendar does
	ReadOnly    bool
}

// Object is a calendar object resource.
type Object struct {
	Name      string // the last segment of its path
	Component string // VEVENT or VTODO
	ETag      string // strong, with its quotes
	Size      int    // octets
	Modified  time.Time
	Data      []byte // what the client PUT; nil if not asked for
}

// Written is the result of a PUT.
type Written struct {
	ETag    string // "" if the octets are not stored as they came (RFC 4791 §5.3.4)
	Created bool
}

// Changes is the answer to a sync-collection report.
type Changes struct {
	Changed []Object // without data; created or changed since
	Deleted []string // names
	Token   string   // to ask with next time
	More    bool     // cut at the limit: ask again with Token
}

// Properties are the properties of a calendar to set; nil leaves one alone.
type Properties struct {
	Name        *string
	Description *string
	Color       *string // #rrggbb
	Order       *int
	TimeZone    *string  // IANA name; "" removes it
	Components  []string // only at creation; nil means VEVENT and VTODO
}
