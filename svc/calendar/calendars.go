package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Calendar is a calendar as its member sees it. Schema: service.time.calendar.
type Calendar struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Color       string           `json:"color"`    // #rrggbb
	Timezone    string           `json:"timezone"` // IANA name
	IsDefault   bool             `json:"is_default"`
	Order       int              `json:"order"`
	Components  svc.List[string] `json:"components"`
	Visible     bool             `json:"visible"`
	ReadOnly    bool             `json:"read_only"`
	ETag        string           `json:"etag"`
	CalDAVPath  string           `json:"caldav_path"` // for setting up programs, not for runtimes to call
	CreatedAt   string           `json:"created_at"`
	UpdatedAt   string           `json:"updated_at"`

	Segment string `json:"-"` // last part of CalDAVPath
	Seq     int64  `json:"-"` // number of the last change to what it holds
}

// NewCalendar is what a member says of a calendar to make.
type NewCalendar struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Color       string   `json:"color"`    // "" for the usual one
	Timezone    string   `json:"timezone"` // "" for that of the member's first calendar
	Order       *int     `json:"order"`    // nil for the end of the list
	Components  []string `json:"-"`        // nil for appointments and tasks
	Segment     string   `json:"-"`        // "" for its id
}

// CalendarChange is what a member changes about a calendar.
type CalendarChange struct {
	Name        svc.Optional[string] `json:"name"`
	Description svc.Optional[string] `json:"description"`
	Color       svc.Optional[string] `json:"color"`
	Timezone    svc.Optional[string] `json:"timezone"`
	Order       svc.Optional[int]    `json:"order"`
	Visible     svc.Optional[bool]   `json:"visible"`
	ETag        string               `json:"etag"` // if given, the change is refused unless it still has it
}

// usualColor is a calendar's that was given none.
const usualColor = "#3b82f6"

// calendarRow is a row of calendar_calendar with one member's calendar_access.
type calendarRow struct {
	ID          string       `db:"id"`
	Owner       svc.MemberID `db:"owner_id"`
	Name        string       `db:"name"`
	Description string       `db:"description"`
	Color       string       `db:"color"`
	Timezone    string       `db:"timezone"`
	Components  string       `db:"components"`
	IsDefault   bool         `db:"is_default"`
	Seq         int64        `db:"seq"`
	Forgotten   int64        `db:"forgotten"`
	CreatedAt   store.Millis `db:"created_at"`
	UpdatedAt   store.Millis `db:"updated_at"`
	Role        string       `db:"role"`
	Segment     string       `db:"segment"`
	Position    int          `db:"position"`
	Visible     bool         `db:"visible"`
}

func (r calendarRow) calendar(member svc.MemberID) Calendar {
	return Calendar{
		ID: r.ID, Name: r.Name, Description: r.Description, Color: r.Color, Timezone: r.Timezone,
		IsDefault: r.IsDefault && r.Owner == member, Order: r.Position, Components: strings.Split(r.Components, ","),
		Visible: r.Visible, ReadOnly: !r.writable(), ETag: r.etag(),
		CalDAVPath: fmt.Sprintf("/caldav/%d/calendars/%s/", member, r.Segment),
		CreatedAt:  stamp(r.CreatedAt.Time()), UpdatedAt: stamp(r.UpdatedAt.Time()),
		Segment: r.Segment, Seq: r.Seq,
	}
}

func (r calendarRow) writable() bool { return r.Role != "read" }

// etag is of what the member can change about the calendar.
func (r calendarRow) etag() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %d %t", r.Name, r.Description, r.Color, r.Timezone, r.Position, r.Visible))
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// stamp prints an instant as JSON has it: RFC 3339, UTC, seconds (B-86).
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Calendars returns v's calendars in their order.
func (s *Service) Calendars(tx *store.Tx, v svc.Viewer) ([]Calendar, error) {
	return s.calendarsOf(tx, v.Member())
}

func (s *Service) calendarsOf(tx *store.Tx, member svc.MemberID) ([]Calendar, error) {
	var rows []calendarRow
	if err := tx.Select(&rows, s.q.Calendars, store.Args{"member": member}); err != nil {
		return nil, err
	}
	list := make([]Calendar, len(rows))
	for i, r := range rows {
		list[i] = r.calendar(member)
	}
	return list, nil
}

// Calendar returns one of v's calendars.
func (s *Service) Calendar(tx *store.Tx, v svc.Viewer, id string) (Calendar, error) {
	row, err := s.one(tx, s.q.Calendar, store.Args{"member": v.Member(), "id": id})
	return row.calendar(v.Member()), err
}

// CalendarAt returns the calendar at a place in v's home.
func (s *Service) CalendarAt(tx *store.Tx, v svc.Viewer, segment string) (Calendar, error) {
	row, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": segment})
	return row.calendar(v.Member()), err
}

var errNoCalendar = svc.Errorf(svc.NotFound, "There is no such calendar.")

// one reads one calendar by a query of those above.
func (s *Service) one(tx *store.Tx, q store.Query, args store.Args) (row calendarRow, err error) {
	if err = tx.Get(&row, q, args); store.IsNoRows(err) {
		err = errNoCalendar
	}
	return row, err
}

// writable returns the calendar that v names, if v may change it. An empty
// name is the member's default calendar.
func (s *Service) writable(tx *store.Tx, v svc.Viewer, id string) (calendarRow, error) {
	var row calendarRow
	var err error
	if id == "" {
		row, err = s.one(tx, s.q.DefaultCalendar, store.Args{"member": v.Member()})
	} else {
		row, err = s.one(tx, s.q.Calendar, store.Args{"member": v.Member(), "id": id})
	}
	if err == nil && !row.writable() {
		err = errReadOnly
	}
	return row, err
}

var errReadOnly = svc.Errorf(svc.PermissionDenied, "You may read this calendar, not change it.")

// CreateCalendar makes a calendar for v.
func (s *Service) CreateCalendar(tx *store.Tx, v svc.Viewer, c NewCalendar) (Calendar, error) {
	if err := svc.Join(
		svc.CheckName("name", c.Name),
		svc.CheckText("description", c.Description, svc.MaxSummary),
		checkColor(c.Color),
		checkTimezone(c.Timezone),
	); err != nil {
		return Calendar{}, err
	}
	if c.Timezone == "" {
		first, err := s.one(tx, s.q.DefaultCalendar, store.Args{"member": v.Member()})
		if err != nil {
			return Calendar{}, err
		}
		c.Timezone = first.Timezone
	}
	id := svc.NewID("cal")
	if err := s.addCalendar(tx, v.Member(), id, c, false); err != nil {
		return Calendar{}, err
	}
	return s.Calendar(tx, v, id)
}

// addCalendar stores a calendar that has been checked.
func (s *Service) addCalendar(tx *store.Tx, owner svc.MemberID, id string, c NewCalendar, isDefault bool) error {
	if err := s.roomForCalendar(tx, owner); err != nil {
		return err
	}
	if c.Segment == "" {
		c.Segment = id
	}
	if c.Color == "" {
		c.Color = usualColor
	}
	if c.Components == nil {
		c.Components = []string{"VEVENT", "VTODO"}
	}
	if c.Order == nil {
		position, err := s.endOfList(tx, owner)
		if err != nil {
			return err
		}
		c.Order = &position
	}
	stamp, err := s.arrive(tx, owner, c.Segment)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.AddCalendar, store.Args{
		"id": id, "stamp": stamp, "owner": owner, "name": c.Name, "description": c.Description, "color": strings.ToLower(c.Color),
		"timezone": c.Timezone, "components": strings.Join(c.Components, ","), "is_default": isDefault,
		"now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	_, err = tx.Exec(s.q.Grant, store.Args{
		"member": owner, "calendar": id, "role": "owner", "segment": c.Segment, "position": *c.Order,
	})
	if store.IsConstraint(err) {
		return errOccupied
	}
	if err != nil {
		return err
	}
	tx.Touch(svc.TimeTopic, int64(owner))
	return nil
}

// endOfList returns the place behind all of a member's calendars.
func (s *Service) endOfList(tx *store.Tx, member svc.MemberID) (position int, err error) {
	err = tx.Get(&position, s.q.LastPosition, store.Args{"member": member})
	return position + 1, err
}

// UpdateCalendar changes a calendar of v's. Its order and visibility are the
// member's own; the rest shows to everybody who sees the calendar.
func (s *Service) UpdateCalendar(tx *store.Tx, v svc.Viewer, id string, c CalendarChange) (Calendar, error) {
	row, err := s.one(tx, s.q.Calendar, store.Args{"member": v.Member(), "id": id})
	if err != nil {
		return Calendar{}, err
	}
	if c.ETag != "" && !sameETag(c.ETag, row.etag()) {
		return Calendar{}, errStale
	}
	facts := c.Name.Set || c.Description.Set || c.Color.Set || c.Timezone.Set
	if facts && !row.writable() {
		return Calendar{}, errReadOnly
	}
	set(&row.Name, c.Name, "")
	set(&row.Description, c.Description, "")
	set(&row.Color, c.Color, usualColor)
	set(&row.Timezone, c.Timezone, row.Timezone)
	set(&row.Position, c.Order, row.Position)
	set(&row.Visible, c.Visible, true)
	if err := svc.Join(
		svc.CheckName("name", row.Name),
		svc.CheckText("description", row.Description, svc.MaxSummary),
		checkColor(row.Color),
		checkTimezone(row.Timezone),
	); err != nil {
		return Calendar{}, err
	}
	if facts {
		if _, err := tx.Exec(s.q.UpdateCalendar, store.Args{
			"id": id, "name": row.Name, "description": row.Description, "color": strings.ToLower(row.Color),
			"timezone": row.Timezone, "now": store.MillisOf(tx.Now()),
		}); err != nil {
			return Calendar{}, err
		}
		if err := s.touchReaders(tx, id); err != nil {
			return Calendar{}, err
		}
	}
	if _, err := tx.Exec(s.q.Arrange, store.Args{
		"member": v.Member(), "calendar": id, "position": row.Position, "visible": row.Visible,
	}); err != nil {
		return Calendar{}, err
	}
	if err := s.stampCalendar(tx, id); err != nil {
		return Calendar{}, err
	}
	tx.Touch(svc.TimeTopic, int64(v.Member()))
	return s.Calendar(tx, v, id)
}

// set applies a change to a field; null gives it the empty value.
func set[T any](field *T, change svc.Optional[T], empty T) {
	switch {
	case change.Null:
		*field = empty
	case change.Set:
		*field = change.Value
	}
}

var errStale = svc.Errorf(svc.VersionConflict, "Somebody else changed this first. Read it again and repeat your change.")

// sameETag compares what a client sends with an ETag; it may be weak, "*", or
// lack its quotes.
func sameETag(sent, etag string) bool {
	sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
	return sent == "*" || strings.Trim(sent, `"`) == strings.Trim(etag, `"`)
}

// DeleteCalendar puts a calendar of v's into the trash. What it holds goes with
// it or, if moveTo names another calendar, there. Mirrors of what another service holds
// are not the calendar's to delete: they move to the default one (B-55).
func (s *Service) DeleteCalendar(tx *store.Tx, v svc.Viewer, id, moveTo string) (moved int, err error) {
	row, err := s.one(tx, s.q.Calendar, store.Args{"member": v.Member(), "id": id})
	if err != nil {
		return 0, err
	}
	switch {
	case row.Owner != v.Member():
		return 0, svc.Errorf(svc.PermissionDenied, "Only its owner may delete this calendar.")
	case row.IsDefault:
		return 0, svc.Errorf(svc.DefaultCalendar, "This is your default calendar; it stays. You can rename it, or delete what is in it.")
	case moveTo == id:
		return 0, svc.FieldError(svc.InvalidValue, "move_to", "move_to must be another calendar.")
	}
	if moveTo != "" {
		target, err := s.writable(tx, v, moveTo)
		if err != nil {
			return 0, err
		}
		if moved, err = s.moveAll(tx, id, target, false); err != nil {
			return 0, err
		}
	}
	fallback, err := s.writable(tx, v, "")
	if err != nil {
		return 0, err
	}
	if _, err := s.moveAll(tx, id, fallback, true); err != nil {
		return 0, err
	}
	if err := s.touchReaders(tx, id); err != nil {
		return 0, err
	}
	stamp, err := s.nextStamp(tx)
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(s.q.BuryHome, store.Args{"calendar": id, "stamp": stamp}); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(s.q.OpenBin, store.Args{"calendar": id}); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(s.q.TrashCalendar, store.Args{
		"id": id, "member": v.Member(), "segment": row.Segment, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return 0, err
	}
	_, err = tx.Exec(s.q.HideCalendar, store.Args{"id": id})
	return moved, err
}

// touchReaders notes a change for everybody who sees the calendar.
func (s *Service) touchReaders(tx *store.Tx, calendar string) error {
	var members []int64
	if err := tx.Select(&members, s.q.Readers, store.Args{"calendar": calendar}); err != nil {
		return err
	}
	tx.Touch(svc.TimeTopic, members...)
	return nil
}

// MemberCreated gives a new member their first calendar (B-55).
func (s *Service) MemberCreated(tx *store.Tx, member svc.MemberID, timezone string) error {
	return s.addCalendar(tx, member, svc.NewID("cal"), NewCalendar{Name: "Calendar", Timezone: timezone}, true)
}

// MemberDeleted takes from a member what they owned: entries are gone for everybody at
// once, their rows go with [Service.Sweep].
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	if _, err := s.emptyBin(tx, member); err != nil {
		return err
	}
	for _, q := range []store.Query{
		s.q.HideOwned, s.q.AbandonOwned, s.q.RevokeAccess, s.q.ForgetPreferences, s.q.DeleteMemberFiles, s.q.DeleteMemberProperties, s.q.DeleteMemberTombstones,
	} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
}

var colorForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

func checkColor(color string) error {
	if color != "" && !colorForm.MatchString(color) {
		return svc.FieldError(svc.InvalidValue, "color", "color must look like #3b82f6.")
	}
	return nil
}

func checkTimezone(name string) error {
	if _, ok := svc.Zone(name); !ok && name != "" {
		return svc.FieldError(svc.InvalidValue, "timezone", "There is no time zone %q; Europe/Berlin is one.", name)
	}
	return nil
}

// holds reports whether the calendar takes entries of that component.
func (r calendarRow) holds(component string) bool {
	return slices.Contains(strings.Split(r.Components, ","), component)
}
