package calendar

import (
	"appliance/store"
)

// Service is the Time service. It has no state of its own.
type Service struct {
	Quota Quota // the usual one, unless it is changed before the service is used

	q queries
}

// New returns the service.
func New() *Service {
	s := &Service{Quota: usualQuota}
	store.Bind("calendar", &s.q)
	return s
}

// queries are the statements of sql/queries/calendar.sql.
type queries struct {
	Calendars       store.Query `sql:"calendars"`
	Calendar        store.Query `sql:"calendar"`
	CalendarAt      store.Query `sql:"calendar-at"`
	DefaultCalendar store.Query `sql:"default-calendar"`
	AddCalendar     store.Query `sql:"add-calendar"`
	UpdateCalendar  store.Query `sql:"update-calendar"`
	HideCalendar    store.Query `sql:"hide-calendar"`
	Grant           store.Query `sql:"grant"`
	Arrange         store.Query `sql:"arrange"`
	LastPosition    store.Query `sql:"last-position"`
	Readers         store.Query `sql:"readers"`
	HideOwned       store.Query `sql:"hide-owned"`
	AbandonOwned    store.Query `sql:"abandon-owned"`
	RevokeAccess    store.Query `sql:"revoke-access"`

	Preferences       store.Query `sql:"preferences"`
	PutPreferences    store.Query `sql:"put-preferences"`
	ForgetPreferences store.Query `sql:"forget-preferences"`

	NextSeq          store.Query `sql:"next-seq"`
	Usage            store.Query `sql:"usage"`
	CountOwned       store.Query `sql:"count-owned"`
	ObjectAt         store.Query `sql:"object-at"`
	ObjectWithUID    store.Query `sql:"object-with-uid"`
	AddObject        store.Query `sql:"add-object"`
	UpdateObject     store.Query `sql:"update-object"`
	MoveObject       store.Query `sql:"move-object"`
	TintObject       store.Query `sql:"tint-object"`
	MoveAll          store.Query `sql:"move-all"`
	MoveOccurrences  store.Query `sql:"move-occurrences"`
	DeleteObject     store.Query `sql:"delete-object"`
	PutData          store.Query `sql:"put-data"`
	AddOccurrences   store.Query `sql:"add-occurrences"`
	ClearOccurrences store.Query `sql:"clear-occurrences"`
	Bury             store.Query `sql:"bury"`
	Unbury           store.Query `sql:"unbury"`
	Forgettable      store.Query `sql:"forgettable"`
	ForgetDeletions  store.Query `sql:"forget-deletions"`
	NoteForgotten    store.Query `sql:"note-forgotten"`
	UnburyAll        store.Query `sql:"unbury-all"`

	OpenBin        store.Query `sql:"open-bin"`
	TrashObject    store.Query `sql:"trash-object"`
	TrashCalendar  store.Query `sql:"trash-calendar"`
	Trash          store.Query `sql:"trash"`
	TrashRefs      store.Query `sql:"trash-refs"`
	TrashRows      store.Query `sql:"trash-rows"`
	Trashed        store.Query `sql:"trashed"`
	Untrash        store.Query `sql:"untrash"`
	AbandonTrashed store.Query `sql:"abandon-trashed"`
	EmptyBin       store.Query `sql:"empty-bin"`

	Rubbish          store.Query `sql:"rubbish"`
	AbandonRubbish   store.Query `sql:"abandon-rubbish"`
	DeleteRubbish    store.Query `sql:"delete-rubbish"`
	DeleteBins       store.Query `sql:"delete-bins"`
	Abandoned        store.Query `sql:"abandoned"`
	Remains          store.Query `sql:"remains"`
	DeleteRemains    store.Query `sql:"delete-remains"`
	DeleteTombstones store.Query `sql:"delete-tombstones"`
	DeleteCalendar   store.Query `sql:"delete-calendar"`

	Resources      store.Query `sql:"resources"`
	Tags           store.Query `sql:"tags"`
	TagsSince      store.Query `sql:"tags-since"`
	ResourcesNamed store.Query `sql:"resources-named"`
	ResourcesOf    store.Query `sql:"resources-of"`
	ResourcesIn    store.Query `sql:"resources-in"`
	ResourcesSince store.Query `sql:"resources-since"`

	Object   store.Query `sql:"object"`
	Data     store.Query `sql:"data"`
	Upcoming store.Query `sql:"upcoming"`
	Between  store.Query `sql:"between"`
	Objects  store.Query `sql:"objects"`
	Titles   store.Query `sql:"titles"`
	Tasks    store.Query `sql:"tasks"`
	All      store.Query `sql:"all"`

	BusyIn      store.Query `sql:"busy-in"`
	BusyBeyond  store.Query `sql:"busy-beyond"`
	BusyUnclear store.Query `sql:"busy-unclear"`

	NextStamp     store.Query `sql:"next-stamp"`
	HomeStamp     store.Query `sql:"home-stamp"`
	StampCalendar store.Query `sql:"stamp-calendar"`
	StampFile     store.Query `sql:"stamp-file"`
	BuryHome      store.Query `sql:"bury-home"`
	BuryFolder    store.Query `sql:"bury-folder"`
	UnburyHome    store.Query `sql:"unbury-home"`
	HomeSince     store.Query `sql:"home-since"`

	CopyObject      store.Query `sql:"copy-object"`
	CopyData        store.Query `sql:"copy-data"`
	CopyOccurrences store.Query `sql:"copy-occurrences"`

	File               store.Query `sql:"file"`
	Files              store.Query `sql:"files"`
	FileUsage          store.Query `sql:"file-usage"`
	TreeUsage          store.Query `sql:"tree-usage"`
	AddFile            store.Query `sql:"add-file"`
	UpdateFile         store.Query `sql:"update-file"`
	PutFileData        store.Query `sql:"put-file-data"`
	DeleteFiles        store.Query `sql:"delete-files"`
	MoveFiles          store.Query `sql:"move-files"`
	CopyFiles          store.Query `sql:"copy-files"`
	CopyFileData       store.Query `sql:"copy-file-data"`
	CopyFileProperties store.Query `sql:"copy-file-properties"`

	Properties           store.Query `sql:"properties"`
	PropertiesInHome     store.Query `sql:"properties-in-home"`
	PropertiesInCalendar store.Query `sql:"properties-in-calendar"`
	PropertiesInFolder   store.Query `sql:"properties-in-folder"`
	AddProperty          store.Query `sql:"add-property"`
	DeleteProperty       store.Query `sql:"delete-property"`
	CopyObjectProperties store.Query `sql:"copy-object-properties"`
	RestoreProperties    store.Query `sql:"restore-properties"`

	DeleteMemberFiles      store.Query `sql:"delete-member-files"`
	DeleteMemberProperties store.Query `sql:"delete-member-properties"`
	DeleteMemberTombstones store.Query `sql:"delete-member-tombstones"`
	Visible                store.Query `sql:"visible"`
	PutFeed                store.Query `sql:"put-feed"`
	Feeds                  store.Query `sql:"feeds"`
	FeedOf                 store.Query `sql:"feed-of"`
	DeleteFeed             store.Query `sql:"delete-feed"`
	DeleteFeeds            store.Query `sql:"delete-feeds"`

	MemberFiles      store.Query `sql:"member-files"`
	FileRows         store.Query `sql:"file-rows"`
	MemberProperties store.Query `sql:"member-properties"`
	PropertyRows     store.Query `sql:"property-rows"`

	PartlyIndexed store.Query `sql:"partly-indexed"`
	Entries       store.Query `sql:"entries"`
	Reindex       store.Query `sql:"reindex"`

	Pushed                 store.Query `sql:"pushed"`
	PutPushed              store.Query `sql:"put-pushed"`
	Mirrors                store.Query `sql:"mirrors"`
	DefaultCalendars       store.Query `sql:"default-calendars"`
	ObjectsWithUID         store.Query `sql:"objects-with-uid"`
	NextSeqs               store.Query `sql:"next-seqs"`
	ReadersOf              store.Query `sql:"readers-of"`
	AddMirrors             store.Query `sql:"add-mirrors"`
	UpdateMirrors          store.Query `sql:"update-mirrors"`
	PutMirrorData          store.Query `sql:"put-mirror-data"`
	TimeMirrors            store.Query `sql:"time-mirrors"`
	ClearMirrorOccurrences store.Query `sql:"clear-mirror-occurrences"`
	AddMirrorOccurrences   store.Query `sql:"add-mirror-occurrences"`
	OpenBins               store.Query `sql:"open-bins"`
	TrashObjects           store.Query `sql:"trash-objects"`
	BuryObjects            store.Query `sql:"bury-objects"`
	DeleteObjects          store.Query `sql:"delete-objects"`
}
