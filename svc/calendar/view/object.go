package view

import (
	"slices"
	"time"

	"appliance/svc"
)

// The object types of calendar objects.
const (
	EventType = "calendar_event" // VEVENT
	TaskType  = "task"           // VTODO
)

// Component returns the iCalendar component of an object type, "" if there is
// no such type.
func Component(objectType string) string {
	switch objectType {
	case EventType:
		return "VEVENT"
	case TaskType:
		return "VTODO"
	}
	return ""
}

// Object is an event or a task of a calendar. Schema: service.time.object.
type Object struct {
	ID          string      `json:"id"`
	ObjectType  string      `json:"object_type"` // EventType or TaskType
	Title       string      `json:"title"`
	Summary     string      `json:"summary"` // one line: time, place and calendar
	State       State       `json:"state"`
	Permissions Permissions `json:"permissions"`
}

// Permissions are the rights of the viewer to an object.
type Permissions struct {
	CanView   bool `json:"can_view"`
	CanUpdate bool `json:"can_update"`
	CanDelete bool `json:"can_delete"`
}

// State contains the fields of an object that a runtime may show.
type State struct {
	ID           string `json:"id"`
	UID          string `json:"uid"`
	CalendarID   string `json:"calendar_id"`
	CalendarName string `json:"calendar_name"`
	Color        string `json:"color"` // #rrggbb
	ETag         string `json:"etag"`

	Start       *Moment          `json:"start"` // null for a task without a start
	AllDay      bool             `json:"all_day"`
	Timezone    *string          `json:"timezone"` // of the start, or of the due time of a task without one; null for dates and floating times
	Location    string           `json:"location"`
	Description string           `json:"description"`
	Status      string           `json:"status"`
	Class       string           `json:"class"` // what readers of a link see: "public", "confidential" (times only) or "private" (nothing); an unknown CLASS is private
	Recurrence  Recurrence       `json:"recurrence"`
	Occurrence  *Occurrence      `json:"occurrence"` // the occurrence that this object represents
	Alarms      svc.List[Alarm]  `json:"alarms"`
	Categories  svc.List[string] `json:"categories"`

	*EventState // only for an event
	*TaskState  // only for a task

	SourceService    *string          `json:"source_service"` // the service that owns the original of a mirror
	SourceObjectType *string          `json:"source_object_type"`
	SourceObjectID   *string          `json:"source_object_id"`
	EditableFields   svc.List[string] `json:"editable_fields"`
	LocalVisibility  LocalVisibility  `json:"local_visibility"`
	Truncated        svc.List[string] `json:"cut"` // names of the fields that are shortened
	CreatedAt        time.Time        `json:"created_at"`
	UpdatedAt        time.Time        `json:"updated_at"`
}

// EventState is the part of State that only events have.
type EventState struct {
	End          Moment `json:"end"`          // exclusive
	Transparency string `json:"transparency"` // "opaque" or "transparent"
}

// TaskState is the part of State that only tasks have.
type TaskState struct {
	Due             *Moment    `json:"due"`
	CompletedAt     *time.Time `json:"completed_at"`
	Priority        int        `json:"priority"`         // 1 is the highest, 9 the lowest, 0 none
	PercentComplete int        `json:"percent_complete"` // 0 to 100
	IsOverdue       bool       `json:"is_overdue"`       // whether the task is open and its due time has passed, in the time zone of the member

	OthersDue    bool      `json:"-"` // whether the task is overdue, and another open occurrence is due by the end of today
	DueChangesAt time.Time `json:"-"` // when IsOverdue or OthersDue may become true without a change; zero for never
}

// Moment is a date or a local time with its time zone.
type Moment struct {
	Date     *string    `json:"date"`      // 2026-12-01; null for a time
	DateTime *string    `json:"date_time"` // 2026-12-01T09:00:00; null for a date
	Timezone *string    `json:"timezone"`  // null for a date and for a floating time
	UTC      *time.Time `json:"utc"`       // the instant; null for a date and for a floating time
}

// Recurrence describes how an object recurs.
type Recurrence struct {
	IsRecurring bool             `json:"is_recurring"`
	RRule       *string          `json:"rrule"`     // RFC 5545 §3.3.10
	Supported   bool             `json:"supported"` // false if the rule cannot be evaluated, because it is not in the Gregorian calendar (RFC 7529)
	RDates      svc.List[string] `json:"rdates"`
	ExDates     svc.List[string] `json:"exdates"`
	Overrides   int              `json:"overrides"` // number of occurrences that differ from the series
	Text        string           `json:"text"`      // in words; "" if the object does not recur
}

// Occurrence is one occurrence of an object.
type Occurrence struct {
	RecurrenceID *string `json:"recurrence_id"` // null if the object does not recur
	Start        *Moment `json:"start"`
	End          *Moment `json:"end"`
}

// LocalVisibility determines whether calendars show a mirror.
type LocalVisibility string

const (
	LocallyVisible LocalVisibility = "visible"
	LocallyHidden  LocalVisibility = "hidden"
)

// Values implements [svc.Set].
func (LocalVisibility) Values() []string { return svc.Values(LocallyVisible, LocallyHidden) }

// The editable fields of events, of tasks and of mirrors.
var (
	commonFields = []string{"title", "description", "location", "start", "timezone", "end_timezone", "all_day", "status", "class", "rrule", "rdates", "exdates", "alarms", "categories", "calendar_id"}
	eventFields  = append(slices.Clone(commonFields), "end", "transparency")
	taskFields   = append(slices.Clone(commonFields), "due", "completed_at", "priority", "percent_complete")

	// MirrorFields are the fields of a mirror that belong to the member.
	MirrorFields = []string{"calendar_id", "color", "local_visibility", "alarms"}
)

// MaxItems limits the items of each list in a change, and of each list in a
// summarized object.
const MaxItems = 200
