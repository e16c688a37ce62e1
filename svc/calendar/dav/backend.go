package dav

import (
	"context"
	"encoding/xml"
	"io"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Backend stores the calendars. Each method runs in one transaction, except that Delete and Copy
// need several for a large calendar or folder. It returns the errors of package svc, or an [Error]
// that is sent to the client unchanged. An error of kind svc.Forbidden is sent as
// DAV:need-privileges. If Update or MakeCalendar rejects a value, the error names a field, and the
// response reports it for the property with that field.
type Backend interface {
	// View calls fn with a snapshot of the viewer's calendars.
	View(ctx context.Context, v svc.Viewer, fn func(Snapshot) error) error

	// Lookup is like View, but for a few queries whose results need not be
	// consistent with each other.
	Lookup(ctx context.Context, v svc.Viewer, fn func(Snapshot) error) error

	// Put creates or replaces an object. It returns [UIDConflict] if the UID is
	// in use, [UnsupportedComponent] if the calendar does not accept the
	// component, and svc.NotFound if the calendar does not exist.
	Put(ctx context.Context, v svc.Viewer, at Ref, object *ics.Object, precondition Precondition) (PutResult, error)

	// PutFile creates or replaces a file. It returns [ErrNoParent] if the
	// parent does not exist, svc.MethodNotAllowed if at is a folder, and
	// svc.QuotaExceeded if the quota is exhausted.
	PutFile(ctx context.Context, v svc.Viewer, at Ref, file File, precondition Precondition) (PutResult, error)

	// Delete deletes a resource with its members. It does not evaluate the
	// precondition if the resource does not exist.
	Delete(ctx context.Context, v svc.Viewer, at Ref, precondition Precondition) error

	// Copy copies or moves an object to a calendar, a calendar within the home,
	// or a file or folder to a folder. The precondition applies to the source.
	// The error is svc.NotFound if the source does not exist, and
	// svc.VersionConflict if the destination exists and may not be replaced.
	// Other errors are those of Put and PutFile, except that a missing parent is
	// always [ErrNoParent].
	Copy(ctx context.Context, v svc.Viewer, c CopyRequest, precondition Precondition) (created bool, err error)

	// MakeCalendar creates a calendar at a path segment that the client chose.
	// It returns svc.AlreadyExists if the segment is in use.
	MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set PropertyUpdate, precondition Precondition) error

	// MakeCollection creates a folder. Its errors are those of PutFile, and
	// svc.AlreadyExists.
	MakeCollection(ctx context.Context, v svc.Viewer, at Ref, set PropertyUpdate, precondition Precondition) error

	// Update applies all changes in set or none. It returns
	// [ErrTooManyProperties] if the dead properties would exceed
	// [MaxDeadProperties].
	Update(ctx context.Context, v svc.Viewer, at Ref, set PropertyUpdate, precondition Precondition) error
}

// Precondition decides inside the transaction whether a write may proceed. etag
// is that of the resource, "" if it does not exist or has none. The backend may
// call it several times and returns its error unchanged.
type Precondition func(etag string, s Snapshot) error

// Ref identifies a resource in a member's calendar home, or the home itself.
type Ref struct {
	Segment string // of the calendar or of the folder in the home; "" is the home
	Name    string // of the object, or the path below the folder; "" is the collection itself
	File    bool   // whether this is a folder or a path below a folder, not a calendar or an object
}

// Path returns the path below the home.
func (r Ref) Path() string {
	if r.Name == "" {
		return r.Segment
	}
	return r.Segment + "/" + r.Name
}

// CopyRequest describes a COPY or a MOVE.
type CopyRequest struct {
	From, To Ref
	Move     bool
	Replace  bool // whether an existing destination may be replaced (Overwrite: T)
	Shallow  bool // whether a calendar or folder is copied without its members (Depth: 0)
}

// Snapshot is a consistent view of one member's calendar home. For resources that
// do not exist or are not visible to the member, methods return svc.NotFound.
type Snapshot interface {
	// Principal returns the member.
	Principal() (Principal, error)

	// Home returns the member's calendar home.
	Home() (Home, error)

	// Calendars returns the calendars in the order of the member.
	Calendars() ([]Calendar, error)

	// Calendar returns the calendar with a path segment.
	Calendar(segment string) (Calendar, error)

	// Objects returns all objects of a calendar without data. If etagsOnly,
	// fields other than Name and ETag may be zero.
	Objects(segment string, etagsOnly bool) ([]Object, error)

	// Export writes a calendar as one iCalendar text.
	Export(segment string, w io.Writer) error

	// ObjectsByName returns the objects with these names, in that order, with or
	// without data. Objects that do not exist are omitted.
	ObjectsByName(segment string, names []string, data bool) ([]Object, error)

	// ObjectData returns the data of objects of this snapshot, in that order.
	ObjectData(list []Object) ([][]byte, error)

	// Query returns the objects that match the filter, without data
	// (RFC 4791 §7.8). Floating times are interpreted in zone; nil means the
	// time zone of the calendar.
	Query(segment string, f ics.Filter, zone *time.Location) ([]Object, error)

	// FreeBusy returns the busy periods of the events of a calendar in a bounded
	// time range. Floating times are interpreted in zone. It returns
	// [ErrTooManyPeriods] if there are more than limit.
	FreeBusy(segment string, in ics.TimeRange, zone *time.Location, limit int) ([]ics.Period, error)

	// Changes returns the changes after the sync token since, oldest first, at most limit (0: all).
	// Without a token it returns all objects and no deletions. It returns [ErrInvalidSyncToken] for
	// a token that the calendar did not issue or that is too old. etagsOnly has the same meaning as
	// for Objects.
	Changes(segment, since string, limit int, etagsOnly bool) (Changes, error)

	// HomeChanges is like Changes, but for the home: it returns the segments of the calendars and
	// folders that changed or whose members changed.
	HomeChanges(since string, limit int) (HomeChanges, error)

	// File returns the file or folder at a path below the home.
	File(path string, data bool) (File, error)

	// Files returns the direct members of a folder, or the folders in the home
	// if path is "".
	Files(path string) ([]File, error)

	// ResourceID returns a unique URI of the resource that stays the same when the resource is
	// moved (RFC 5842 §3.1).
	ResourceID(at Ref) (string, error)

	// DeadProperties returns the dead properties of a resource.
	DeadProperties(at Ref) ([]DeadProperty, error)

	// MemberDeadProperties returns the dead properties of the direct members of
	// a collection, by the last segments of their paths.
	MemberDeadProperties(at Ref) (map[string][]DeadProperty, error)
}

// Principal is a member as a WebDAV principal (RFC 3744 §2).
type Principal struct {
	Member      svc.MemberID
	DisplayName string
	Email       string
}

// Home is a calendar home (RFC 4791 §6.2.1). Used and Available are the quota
// of its files.
type Home struct {
	SyncToken       string // a URI; changes with each change of a resource in the home
	Used, Available int64  // octets
}

// Calendar is a calendar collection (RFC 4791 §4.2).
type Calendar struct {
	Segment     string // last segment of the path
	Name        string
	Description string
	Color       string    // #rrggbb
	Order       int       // position in the list
	TimeZone    string    // IANA name; "" if none is set
	Now         time.Time // time of the snapshot
	Components  []string  // accepted components, such as VEVENT
	SyncToken   string    // a URI; changes if and only if the calendar or an object in it changes
	ExportETag  string    // strong ETag of the text of [Snapshot.Export], with quotes
	ReadOnly    bool
}

// Object is a calendar object resource (RFC 4791 §4.1).
type Object struct {
	ID        int64  // key in the backend; not set with etagsOnly
	Name      string // last segment of the path
	Component string // such as VEVENT
	ETag      string // strong, with quotes
	Size      int    // octets
	Modified  time.Time
	Data      []byte // octets of the PUT; nil if not requested
}

// File is a file or a folder.
type File struct {
	Path       string // relative to the calendar home
	Collection bool   // whether it is a folder
	MediaType  string // Content-Type of the PUT
	ETag       string // strong, with quotes; "" for a folder
	Size       int    // octets
	Created    time.Time
	Modified   time.Time
	Data       []byte // nil if not requested
}

// DeadProperty is a property that the server stores without interpretation
// (RFC 4918 §4.3). Element is its XML element, with all namespace declarations
// that it needs; "" removes the property.
type DeadProperty struct {
	Name    xml.Name
	Element string
}

// PutResult is the result of a PUT.
type PutResult struct {
	ETag    string // "" if other octets are stored than those of the request (RFC 4791 §5.3.4)
	Created bool
}

// Changes is the result of a sync-collection report on a calendar.
type Changes struct {
	Changed   []Object // created or changed, without data
	Deleted   []string // names
	Token     string   // for the next request
	Truncated bool     // whether the limit was reached; the next request returns the rest
}

// HomeChanges is the result of a sync-collection report on a home.
type HomeChanges struct {
	Changed   []string // segments
	Deleted   []string // segments
	Token     string   // for the next request
	Truncated bool     // whether the limit was reached; the next request returns the rest
}

// PropertyUpdate contains changes of properties. A nil field is not changed. All
// fields except Dead apply to calendars only.
type PropertyUpdate struct {
	Name        *string
	Description *string
	Color       *string // #rrggbb
	Order       *int
	TimeZone    *string  // IANA name; "" removes it
	Components  []string // only for a new calendar; nil means [ics.ObjectComponents]
	Dead        []DeadProperty

	work svc.Work // of the request
	err  error    // ends the request: parsing the values exceeds the work of the request
}
