package calendar

import (
	"sync"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Service is the Time service.
type Service struct {
	objects    *object.Store
	memberZone MemberZone
	q          queries

	deleting   sync.RWMutex // held by requests that delete a calendar
	onDeletion func()       // see OnDeletion
}

// MemberZone returns the IANA name of the time zone of a member.
type MemberZone func(tx *store.Tx, id svc.MemberID) (string, error)

// New returns a Service that stores calendar objects in objects.
func New(objects *object.Store, zone MemberZone) *Service {
	s := &Service{objects: objects, memberZone: zone}
	store.Bind("calendar", &s.q)
	return s
}

// queries are the statements of sql/queries/calendar.sql.
type queries struct {
	// calendar.go
	AddCalendar    store.Query `sql:"add-calendar"`
	UpdateCalendar store.Query `sql:"update-calendar"`
	GrantAccess    store.Query `sql:"grant-access"`
	SetPosition    store.Query `sql:"set-position"`
	LastPosition   store.Query `sql:"last-position"`

	// deletion.go
	ColorsOf          store.Query `sql:"colors-of"`
	ComponentsOf      store.Query `sql:"components-of"`
	Deletion          store.Query `sql:"deletion"`
	Deletions         store.Query `sql:"deletions"`
	PutDeletion       store.Query `sql:"put-deletion"`
	EndDeletion       store.Query `sql:"end-deletion"`
	RevokeAllAccess   store.Query `sql:"revoke-all-access"`
	EnsureTrash       store.Query `sql:"ensure-trash"`
	TrashCalendar     store.Query `sql:"trash-calendar"`
	AddHomeTombstones store.Query `sql:"add-home-tombstones"`

	// copy.go
	StageCopy              store.Query `sql:"stage-copy"`
	CopySize               store.Query `sql:"copy-size"`
	PublishCopy            store.Query `sql:"publish-copy"`
	AbandonCopy            store.Query `sql:"abandon-copy"`
	CopyCalendarProperties store.Query `sql:"copy-calendar-properties"`
	SetSegment             store.Query `sql:"set-segment"`

	// members.go
	HasOtherZone           store.Query `sql:"has-other-zone"`
	SetOwnerZone           store.Query `sql:"set-owner-zone"`
	RevokeAccessToOwned    store.Query `sql:"revoke-access-to-owned"`
	OrphanCalendars        store.Query `sql:"orphan-calendars"`
	RevokeAccessOf         store.Query `sql:"revoke-access-of"`
	DeletePreferencesOf    store.Query `sql:"delete-preferences-of"`
	DeleteFilesOf          store.Query `sql:"delete-files-of"`
	DeletePropertiesOf     store.Query `sql:"delete-properties-of"`
	DeleteHomeTombstonesOf store.Query `sql:"delete-home-tombstones-of"`
	DeleteFeedsOf          store.Query `sql:"delete-feeds-of"`

	// object.go
	Titles store.Query `sql:"titles"`

	// trash.go
	Trash                  store.Query `sql:"trash"`
	TrashEntry             store.Query `sql:"trash-entry"`
	Trashed                store.Query `sql:"trashed"`
	RemoveFromTrash        store.Query `sql:"remove-from-trash"`
	OrphanTrashedCalendars store.Query `sql:"orphan-trashed-calendars"`
	EmptyTrash             store.Query `sql:"empty-trash"`

	// undo.go
	KeepFormer    store.Query `sql:"keep-former"`
	Former        store.Query `sql:"former"`
	ForgetFormer  store.Query `sql:"forget-former"`
	ForgetExpired store.Query `sql:"forget-expired"`

	// sweep.go
	PurgeableTrash        store.Query `sql:"purgeable-trash"`
	OrphanPurgedCalendars store.Query `sql:"orphan-purged-calendars"`
	PurgeTrash            store.Query `sql:"purge-trash"`
	DeleteEmptiedTrash    store.Query `sql:"delete-emptied-trash"`
	OrphanedCalendar      store.Query `sql:"orphaned-calendar"`
	OrphanedObjects       store.Query `sql:"orphaned-objects"`
	PurgeObjects          store.Query `sql:"purge-objects"`
	PurgeTombstones       store.Query `sql:"purge-tombstones"`
	PurgeCalendar         store.Query `sql:"purge-calendar"`

	// feed.go
	PutFeed      store.Query `sql:"put-feed"`
	Feeds        store.Query `sql:"feeds"`
	FeedByHash   store.Query `sql:"feed-by-hash"`
	DeleteFeed   store.Query `sql:"delete-feed"`
	ShownObjects store.Query `sql:"shown-objects"`

	// export.go
	ObjectsOf    store.Query `sql:"objects-of"`
	TrashOf      store.Query `sql:"trash-of"`
	TrashRows    store.Query `sql:"trash-rows"`
	FilesOf      store.Query `sql:"files-of"`
	FileRows     store.Query `sql:"file-rows"`
	PropertiesOf store.Query `sql:"properties-of"`
	PropertyRows store.Query `sql:"property-rows"`

	// preferences.go
	Preferences    store.Query `sql:"preferences"`
	PutPreferences store.Query `sql:"put-preferences"`
}
