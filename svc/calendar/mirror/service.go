package mirror

import (
	"appliance/store"
	"appliance/svc/calendar/object"
)

// Service synchronizes mirrors with their events. It has no state of its own.
type Service struct {
	objects *object.Store
	q       queries
}

// New returns a Service that stores mirrors in objects.
func New(objects *object.Store) *Service {
	s := &Service{objects: objects}
	store.Bind("calendar_mirror", &s.q)
	return s
}

// queries are the statements of sql/queries/calendar_mirror.sql.
type queries struct {
	// sync.go
	SyncedRevisions    store.Query `sql:"synced-revisions"`
	PutSyncedRevisions store.Query `sql:"put-synced-revisions"`
	Mirrors            store.Query `sql:"mirrors"`
	DefaultCalendars   store.Query `sql:"default-calendars"`
	ObjectsWithUID     store.Query `sql:"objects-with-uid"`
	AddMirrors         store.Query `sql:"add-mirrors"`

	// write.go
	BumpSyncs               store.Query `sql:"bump-syncs"`
	ReadersOf               store.Query `sql:"readers-of"`
	UpdateMirrors           store.Query `sql:"update-mirrors"`
	PutMirrorData           store.Query `sql:"put-mirror-data"`
	SetMirrorBounds         store.Query `sql:"set-mirror-bounds"`
	DeleteMirrorOccurrences store.Query `sql:"delete-mirror-occurrences"`
	AddMirrorOccurrences    store.Query `sql:"add-mirror-occurrences"`
	EnsureTrashOf           store.Query `sql:"ensure-trash-of"`
	TrashObjects            store.Query `sql:"trash-objects"`
	AddTombstones           store.Query `sql:"add-tombstones"`
	DeleteObjects           store.Query `sql:"delete-objects"`
}
