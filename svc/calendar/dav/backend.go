package dav

import (
	"context"
	"encoding/xml"
	"io"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Backend is what the protocol needs of the program that holds the calendars.
// Each method is one transaction. Its errors are those of package svc; what a
// client must be told in XML is an [Error]. An error of kind svc.Forbidden is
// told as DAV:need-privileges by itself, a value that Update or MakeCalendar
// refuses by the field it names.
type Backend interface {
	// View shows fn the tree as v sees it, all of it at one moment.
	View(ctx context.Context, v svc.Viewer, fn func(Snapshot) error) error

	// Lookup is View for a few questions that need not be answered for the same
	// moment.
	Lookup(ctx context.Context, v svc.Viewer, fn func(Snapshot) error) error

	// Put creates or replaces an object. A UID that is taken is a
	// [UIDConflict], a component that the calendar does not hold an
	// [UnsupportedComponent], a calendar that is not there svc.NotFound.
	Put(ctx context.Context, v svc.Viewer, at Ref, object *ics.Object, ok Precondition) (PutResult, error)

	// PutFile creates or replaces a file. If there is no collection around it,
	// that is [ErrNoParent], if one is in its place svc.MethodNotAllowed, and if
	// it is too much altogether svc.QuotaExceeded.
	PutFile(ctx context.Context, v svc.Viewer, at Ref, file File, ok Precondition) (PutResult, error)

	// Delete removes what is there, with everything in it. ok is asked only if
	// there is something.
	Delete(ctx context.Context, v svc.Viewer, at Ref, ok Precondition) error

	// Copy copies or moves an object to a place in a calendar, or a file or a
	// plain collection to one among plain collections. ok is asked about what is
	// copied, which is svc.NotFound if it is not there. What stands at the other
	// place is svc.VersionConflict unless it may be replaced. Else its errors are
	// those of Put and PutFile, but that no collection is always [ErrNoParent].
	Copy(ctx context.Context, v svc.Viewer, c CopyRequest, ok Precondition) (created bool, err error)

	// MakeCalendar creates a calendar whose path segment is the client's
	// choice. If there is something, the error is svc.AlreadyExists.
	MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set PropertyUpdate, ok Precondition) error

	// MakeCollection creates a plain collection. Its errors are those of PutFile; if
	// there is something, svc.AlreadyExists.
	MakeCollection(ctx context.Context, v svc.Viewer, at Ref, set PropertyUpdate, ok Precondition) error

	// Update changes all properties in set or none. More dead ones than may be,
	// together more than [MaxDeadAll] octets, are [PropertiesExceeded].
	Update(ctx context.Context, v svc.Viewer, at Ref, set PropertyUpdate, ok Precondition) error
}

// Precondition decides whether a write may go ahead, given the ETag of what stands
// there now, "" for what is not there or has none, and the tree inside the
// transaction. It may be called more than once; its error is to be returned
// as it is.
type Precondition func(etag string, t Snapshot) error

// Ref names what is in a member's calendar home, or the home itself.
type Ref struct {
	Segment string // of the calendar or plain collection that it is or is in; "" is the home
	Name    string // of the object in the calendar, or the path below the plain collection; may be ""
	File    bool   // it is a plain collection or something in one
}

// Path is the path below the home.
func (r Ref) Path() string {
	if r.Name == "" {
		return r.Segment
	}
	return r.Segment + "/" + r.Name
}

// CopyRequest is a COPY or a MOVE.
type CopyRequest struct {
	From, To Ref
	Move     bool
	Replace  bool // what stands in the place may be replaced
	Shallow  bool // a collection is copied without what is in it
}

// Snapshot is one member's calendars at one moment. What the member may not see
// is answered with svc.NotFound.
type Snapshot interface {
	// Principal is the member.
	Principal() (Principal, error)

	// Home is the member's calendar home.
	Home() (Home, error)

	// Calendars returns the member's calendars in their order.
	Calendars() ([]Calendar, error)

	// Calendar returns the one of that path segment.
	Calendar(segment string) (Calendar, error)

	// Objects returns all objects of a calendar, without their data; brief ones
	// need have no more than Name and ETag.
	Objects(segment string, brief bool) ([]Object, error)

	// Export writes a calendar with everything in it as one iCalendar text.
	Export(segment string, w io.Writer) error

	// ObjectsByName returns the objects of those names in that order, with their data if
	// asked. What does not exist is absent from the answer.
	ObjectsByName(segment string, names []string, data bool) ([]Object, error)

	// ObjectData returns the data of objects, as the tree has returned them, in that
	// order.
	ObjectData(list []Object) ([][]byte, error)

	// Query returns the objects that match the filter, without their data
	// (RFC 4791 §7.8). zone is how floating times are read; nil means the
	// calendar's own time zone.
	Query(segment string, f ics.Filter, zone *time.Location) ([]Object, error)

	// FreeBusy returns when the events of a calendar make its member busy in a
	// range with two ends. Floating times are read in zone. More periods than
	// limit are [TooManyPeriods].
	FreeBusy(segment string, in ics.TimeRange, zone *time.Location, limit int) ([]ics.Period, error)

	// Changes returns what changed after the sync token since, oldest first, at
	// most limit entries (0: all). An entry is an object as it is now, or the
	// name of one that is gone. "" means from the beginning: the objects that
	// there are, and none that are gone. A token that this calendar never gave,
	// or does not remember, is an [InvalidSyncToken]. brief is that of Objects.
	Changes(segment, since string, limit int, brief bool) (Changes, error)

	// HomeChanges is Changes of the home. Its entries are the segments of
	// calendars and plain collections, which have changed if something in them
	// has.
	HomeChanges(since string, limit int) (HomeChanges, error)

	// File returns the file or plain collection at a path below the home.
	File(path string, data bool) (File, error)

	// Files returns what is right in the plain collection of that path, or the
	// plain collections in the home if it is "".
	Files(path string) ([]File, error)

	// DeadProperties returns the properties of a resource that nobody but clients knows.
	DeadProperties(at Ref) ([]DeadProperty, error)

	// MemberDeadProperties returns those of all that is right in a collection, by name.
	MemberDeadProperties(at Ref) (map[string][]DeadProperty, error)
}

// Principal is a member as DAV sees one.
type Principal struct {
	Member      svc.MemberID
	DisplayName string
	Email       string
}

// Home is a calendar home. Its quota is that of the files in it.
type Home struct {
	SyncToken       string // as of a calendar; changes if something in the home does
	Used, Available int64  // octets
}

// Calendar is a calendar collection.
type Calendar struct {
	Segment     string // the last segment of its path
	Name        string
	Description string
	Color       string    // #rrggbb
	Order       int       // place in the list
	TimeZone    string    // IANA name; "" if none is set
	Now         time.Time // when it was read
	Components  []string  // what it holds: VEVENT, VTODO
	SyncToken   string    // a URI; changes if and only if something in the calendar does
	ExportETag  string    // strong ETag of what [Tree.Text] writes, with its quotes
	ReadOnly    bool
}

// Object is a calendar object resource.
type Object struct {
	ID        int64  // how the tree knows it; not of brief ones
	Name      string // the last segment of its path
	Component string // VEVENT or VTODO
	ETag      string // strong, with its quotes
	Size      int    // octets
	Modified  time.Time
	Data      []byte // what the client PUT; nil if not asked for
}

// File is a file or a plain collection.
type File struct {
	Path       string // below the home
	Collection bool
	MediaType  string // as the client PUT it
	ETag       string // "" of a collection
	Size       int    // octets
	Created    time.Time
	Modified   time.Time
	Data       []byte // nil if not asked for
}

// DeadProperty is a property that the server keeps and does not understand
// (RFC 4918 §4.3). Element is all of it as XML, which stands by itself in any
// document; "" removes it.
type DeadProperty struct {
	Name    xml.Name
	Element string
}

// PutResult is the result of a PUT.
type PutResult struct {
	ETag    string // "" if the octets are not stored as they came (RFC 4791 §5.3.4)
	Created bool
}

// Changes is the answer to a sync-collection report.
type Changes struct {
	Changed   []Object // without data; created or changed since
	Deleted   []string // names
	Token     string   // to ask with next time
	Truncated bool     // cut at the limit: ask again with Token
}

// HomeChanges is the answer to a sync-collection report on a home.
type HomeChanges struct {
	Changed   []string
	Deleted   []string
	Token     string
	Truncated bool
}

// PropertyUpdate are properties to set; nil leaves one alone. All but Dead are of
// calendars.
type PropertyUpdate struct {
	Name        *string
	Description *string
	Color       *string // #rrggbb
	Order       *int
	TimeZone    *string  // IANA name; "" removes it
	Components  []string // only at creation; nil means VEVENT and VTODO
	Dead        []DeadProperty
}
