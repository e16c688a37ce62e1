package collection

import (
	"errors"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
	"appliance/svc/storage"
)

// Service stores the resources of calendar homes. It has no state of its own.
type Service struct {
	objects *object.Store
	storage *storage.Limiter
	q       queries
}

// New returns a Service for objects.
func New(objects *object.Store, limiter *storage.Limiter) *Service {
	s := &Service{objects: objects, storage: limiter}
	store.Bind("calendar_collection", &s.q)
	return s
}

// Precondition decides whether a write may proceed, given the current ETag of
// the resource: "" if there is none, or if it is a collection.
type Precondition func(etag string) error

// Place is the address of a resource in a calendar home: an object resource of
// a calendar, a calendar if Segment is empty, or the home if both are.
type Place struct{ Calendar, Segment string }

// path returns the path below the home.
func (p Place) path() string {
	if p.Segment == "" {
		return p.Calendar
	}
	return p.Calendar + "/" + p.Segment
}

var (
	// ErrNoCollection is returned for a write to a path whose parent is not a
	// collection.
	ErrNoCollection = errors.New("the parent is not a collection")

	errOverwrite = svc.Errorf(svc.VersionConflict, "There is already a resource at this address.")
)

// UIDConflict is the error for an object that has the UID of another object, or
// that would change the UID of the object that it replaces.
type UIDConflict struct {
	Segment string // of the existing object
}

func (e *UIDConflict) Error() string { return "the UID conflicts with " + e.Segment }

// UnsupportedComponent is returned for an object that the calendar does not
// accept.
type UnsupportedComponent struct{ Component string }

func (e *UnsupportedComponent) Error() string { return "the calendar does not accept " + e.Component }

// queries are the statements of sql/queries/calendar_collection.sql.
type queries struct {
	// resource.go
	Resources       store.Query `sql:"resources"`
	ETags           store.Query `sql:"etags"`
	ResourcesByName store.Query `sql:"resources-by-name"`

	// query.go
	ResourcesOfComponent store.Query `sql:"resources-of-component"`
	ResourcesInRange     store.Query `sql:"resources-in-range"`

	// sync.go, home.go
	ResourcesSince store.Query `sql:"resources-since"`
	ETagsSince     store.Query `sql:"etags-since"`
	LastHomeSeq    store.Query `sql:"last-home-seq"`
	HomeSince      store.Query `sql:"home-since"`
	SetFileHomeSeq store.Query `sql:"set-file-home-seq"`

	// file.go, copyfile.go
	File               store.Query `sql:"file"`
	Files              store.Query `sql:"files"`
	FileUsage          store.Query `sql:"file-usage"`
	TreeUsage          store.Query `sql:"tree-usage"`
	AddFile            store.Query `sql:"add-file"`
	UpdateFile         store.Query `sql:"update-file"`
	PutFileData        store.Query `sql:"put-file-data"`
	FilesToDelete      store.Query `sql:"files-to-delete"`
	DeleteFiles        store.Query `sql:"delete-files"`
	MoveFiles          store.Query `sql:"move-files"`
	CopyFiles          store.Query `sql:"copy-files"`
	CopyFileData       store.Query `sql:"copy-file-data"`
	CopyFileProperties store.Query `sql:"copy-file-properties"`

	// property.go
	Properties             store.Query `sql:"properties"`
	PropertiesInHome       store.Query `sql:"properties-in-home"`
	PropertiesInCalendar   store.Query `sql:"properties-in-calendar"`
	PropertiesInCollection store.Query `sql:"properties-in-collection"`
	AddProperties          store.Query `sql:"add-properties"`
	DeleteProperties       store.Query `sql:"delete-properties"`
}
