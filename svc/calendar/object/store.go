package object

import (
	"appliance/store"
	"appliance/svc/storage"
)

// Store stores calendar objects. It has no state of its own.
type Store struct {
	// Quota may be changed before the Store is used.
	Quota Quota

	storage *storage.Limiter
	q       queries
}

// New returns a Store with the default quota.
func New(limiter *storage.Limiter) *Store {
	s := &Store{Quota: defaultQuota, storage: limiter}
	store.Bind("calendar_object", &s.q)
	return s
}

// queries are the statements of sql/queries/calendar_object.sql.
type queries struct {
	// calendar.go
	Calendars       store.Query `sql:"calendars"`
	Calendar        store.Query `sql:"calendar"`
	CalendarAt      store.Query `sql:"calendar-at"`
	DefaultCalendar store.Query `sql:"default-calendar"`
	IsSegmentTaken  store.Query `sql:"is-segment-taken"`

	// row.go
	VisibleObject store.Query `sql:"visible-object"`
	ObjectAt      store.Query `sql:"object-at"`
	TaskOfUID     store.Query `sql:"task-of-uid"`
	SegmentOfUID  store.Query `sql:"segment-of-uid"`

	// presence.go
	Presences      store.Query `sql:"presences"`
	TrashedObjects store.Query `sql:"trashed-objects"`

	// write.go
	NextObjectKey     store.Query `sql:"next-object-key"`
	AddObjects        store.Query `sql:"add-objects"`
	DeleteTombstones  store.Query `sql:"delete-tombstones"`
	AddData           store.Query `sql:"add-data"`
	AddOccurrences    store.Query `sql:"add-occurrences"`
	ReplaceObjects    store.Query `sql:"replace-objects"`
	ReplaceData       store.Query `sql:"replace-data"`
	DeleteOccurrences store.Query `sql:"delete-occurrences"`
	DeleteObject      store.Query `sql:"delete-object"`
	EnsureTrash       store.Query `sql:"ensure-trash"`
	TrashObject       store.Query `sql:"trash-object"`
	RemoveFromTrash   store.Query `sql:"remove-from-trash"`
	RestoreProperties store.Query `sql:"restore-properties"`
	SetDisplay        store.Query `sql:"set-display"`

	// move.go
	MoveObject              store.Query `sql:"move-object"`
	ObjectsToMove           store.Query `sql:"objects-to-move"`
	MirrorsToMove           store.Query `sql:"mirrors-to-move"`
	IsUIDTaken              store.Query `sql:"is-uid-taken"`
	AddTombstonesOfMoving   store.Query `sql:"add-tombstones-of-moving"`
	MoveObjects             store.Query `sql:"move-objects"`
	MoveOccurrences         store.Query `sql:"move-occurrences"`
	DeleteTombstonesOfMoved store.Query `sql:"delete-tombstones-of-moved"`
	CopyObject              store.Query `sql:"copy-object"`
	ObjectsToCopy           store.Query `sql:"objects-to-copy"`
	CopyObjects             store.Query `sql:"copy-objects"`
	CopyDataOfAll           store.Query `sql:"copy-data-of-all"`
	CopyPropertiesOfAll     store.Query `sql:"copy-properties-of-all"`
	CopyOccurrencesOfAll    store.Query `sql:"copy-occurrences-of-all"`
	CopyData                store.Query `sql:"copy-data"`
	CopyOccurrences         store.Query `sql:"copy-occurrences"`
	CopyProperties          store.Query `sql:"copy-properties"`

	// sync.go
	AddHomeTombstone    store.Query `sql:"add-home-tombstone"`
	Readers             store.Query `sql:"readers"`
	BumpSync            store.Query `sql:"bump-sync"`
	NextHomeSeq         store.Query `sql:"next-home-seq"`
	SetCalendarHomeSeq  store.Query `sql:"set-calendar-home-seq"`
	DeleteHomeTombstone store.Query `sql:"delete-home-tombstone"`
	AddTombstone        store.Query `sql:"add-tombstone"`
	DeleteTombstone     store.Query `sql:"delete-tombstone"`
	PrunableSeq         store.Query `sql:"prunable-seq"`
	PruneTombstones     store.Query `sql:"prune-tombstones"`
	SetPrunedSeq        store.Query `sql:"set-pruned-seq"`

	// quota.go
	Usage          store.Query `sql:"usage"`
	CountCalendars store.Query `sql:"count-calendars"`

	// data.go
	Data store.Query `sql:"data"`

	// reindex.go
	PartlyIndexed store.Query `sql:"partly-indexed"`
	AllObjects    store.Query `sql:"all-objects"`
	ReindexObject store.Query `sql:"reindex-object"`

	// zones.go
	ZoneData        store.Query `sql:"zone-data"`
	BeginZoneData   store.Query `sql:"begin-zone-data"`
	AdvanceZoneData store.Query `sql:"advance-zone-data"`
	IndexedObjects  store.Query `sql:"indexed-objects"`
	ZoneConflicts   store.Query `sql:"zone-conflicts"`
	Occurrences     store.Query `sql:"occurrences"`
	ReadersOfAll    store.Query `sql:"readers-of-all"`
}
