package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// Calendar is a calendar with the role and the display settings of one member.
// Schema: service.time.calendar.
type Calendar struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Color       string           `json:"color"`        // #rrggbb
	Timezone    string           `json:"timezone"`     // IANA name
	OwnTimezone bool             `json:"own_timezone"` // a client has set Timezone; otherwise it is that of the owner
	IsDefault   bool             `json:"is_default"`
	Order       int              `json:"order"`
	Components  svc.List[string] `json:"components"`
	Visible     bool             `json:"visible"`
	ReadOnly    bool             `json:"read_only"`
	ETag        string           `json:"etag"`
	CalDAVPath  string           `json:"caldav_path"` // for the configuration of CalDAV clients
	CalDAVURL   string           `json:"caldav_url"`  // like every URL, relative to the base path of the server
	Feed        *FeedState       `json:"feed"`        // null if there is none
	Counts      Counts           `json:"counts"`
	CreatedAt   time.Time        `json:"created_at"`
	UpdatedAt   time.Time        `json:"updated_at"`

	Segment string `json:"-"` // last part of CalDAVPath
	Seq     int64  `json:"-"` // number of the last change to its objects

	Others []Access `json:"-"` // the other members who can see it
}

// FeedState describes the feed of a calendar. The secret link is only in the response
// that created the feed.
type FeedState struct {
	CreatedAt time.Time `json:"created_at"`
}

// Counts are the numbers of the entries of a calendar that are not hidden.
type Counts struct {
	Events int `json:"events"`
	Tasks  int `json:"tasks"`
}

// Access is the access of a member to a calendar.
type Access struct {
	Member svc.MemberID
	Role   object.Role
}

// UnmarshalJSON implements [json.Unmarshaler] for a pair of id and role.
func (a *Access) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&a.Member, &a.Role})
}

// NewCalendar is a calendar to create.
type NewCalendar struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Color       string   `json:"color"`    // "" for the next color of the palette
	Timezone    string   `json:"timezone"` // "" for that of the owner
	Order       *int     `json:"order"`    // nil for the end of the list
	Components  []string `json:"-"`        // nil for ics.ObjectComponents
	Segment     string   `json:"-"`        // "" for the id
}

// CalendarChange is a change to a calendar.
type CalendarChange struct {
	Name        svc.Optional[string] `json:"name"`
	Description svc.Optional[string] `json:"description"`
	Color       svc.Optional[string] `json:"color"`
	Timezone    svc.Optional[string] `json:"timezone"` // null or "" for that of the owner
	Order       svc.Optional[int]    `json:"order"`
	Visible     svc.Optional[bool]   `json:"visible"`
	ETag        string               `json:"etag"` // if not empty, the ETag that the calendar must have
}

// changesCalendar reports whether the change has fields of the calendar itself,
// which apply to all of its members. The other fields apply to one member's list
// of calendars.
func (c CalendarChange) changesCalendar() bool {
	return c.Name.Set || c.Description.Set || c.Color.Set || c.Timezone.Set
}

var errVersionConflict = svc.Errorf(svc.VersionConflict, "This was changed in the meantime. Reload it and repeat your change.")

func newCalendar(c object.Calendar, member svc.MemberID) Calendar {
	path := fmt.Sprintf("/caldav/%d/calendars/%s/", member, c.Segment)
	calendar := Calendar{
		ID: c.ID, Name: c.Name, Description: c.Description, Color: c.Color, Timezone: c.Timezone, OwnTimezone: c.OwnZone,
		IsDefault: c.IsDefault && c.Owner == member, Order: c.Position, Components: strings.Split(c.Components, ","),
		Visible: c.Visible, ReadOnly: !c.IsWritable(), ETag: calendarETag(c),
		CalDAVPath: path, CalDAVURL: path, Counts: Counts{c.Events, c.Tasks},
		CreatedAt: c.CreatedAt.Timestamp(), UpdatedAt: c.UpdatedAt.Timestamp(),
		Segment: c.Segment, Seq: c.Seq,
	}
	if c.FeedCreatedAt != nil {
		calendar.Feed = &FeedState{c.FeedCreatedAt.Timestamp()}
	}
	if c.Others != "" {
		_ = json.Unmarshal([]byte(c.Others), &calendar.Others) // valid, because the query composes it
	}
	return calendar
}

// calendarETag returns an ETag that changes with each field that a CalendarChange
// can set.
func calendarETag(c object.Calendar) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %t %d %t", c.Name, c.Description, c.Color, c.Timezone, c.OwnZone, c.Position, c.Visible))
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// sameETag reports whether a client's ETag, which may be weak, "*" or without
// quotes, matches.
func sameETag(sent, etag string) bool {
	sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
	return sent == "*" || strings.Trim(sent, `"`) == strings.Trim(etag, `"`)
}

// Accepts reports whether the calendar accepts objects of a component.
func (c Calendar) Accepts(component string) bool { return slices.Contains(c.Components, component) }

// Calendars returns the calendars of v in their order.
func (s *Service) Calendars(tx *store.Tx, v svc.Viewer) ([]Calendar, error) {
	return s.calendarsOf(tx, v.Member())
}

func (s *Service) calendarsOf(tx *store.Tx, member svc.MemberID) ([]Calendar, error) {
	rows, err := s.objects.Calendars(tx, member)
	list := make([]Calendar, len(rows))
	for i, r := range rows {
		list[i] = newCalendar(r, member)
	}
	return list, err
}

// Calendar returns the calendar of v with an id.
func (s *Service) Calendar(tx *store.Tx, v svc.Viewer, id string) (Calendar, error) {
	c, err := s.objects.Calendar(tx, v.Member(), id)
	return newCalendar(c, v.Member()), err
}

// CalendarAt returns the calendar at a segment of the calendar home of v.
func (s *Service) CalendarAt(tx *store.Tx, v svc.Viewer, segment string) (Calendar, error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), segment)
	return newCalendar(c, v.Member()), err
}

// CreateCalendar creates a calendar of v.
func (s *Service) CreateCalendar(tx *store.Tx, v svc.Viewer, c NewCalendar) (Calendar, error) {
	if err := checkFields(c.Name, c.Description, c.Color, c.Timezone); err != nil {
		return Calendar{}, err
	}
	id := svc.NewID("cal")
	if err := s.addCalendar(tx, v.Member(), id, c, false); err != nil {
		return Calendar{}, err
	}
	return s.Calendar(tx, v, id)
}

func checkFields(name, description, color, timezone string) error {
	return svc.Join(
		svc.CheckName("name", name),
		svc.CheckText("description", description, svc.MaxSummary),
		edit.CheckColor(color),
		edit.CheckTimezone("timezone", timezone),
	)
}

// addCalendar stores a calendar whose fields are valid.
func (s *Service) addCalendar(tx *store.Tx, owner svc.MemberID, id string, c NewCalendar, isDefault bool) error {
	if err := s.objects.CheckCalendarQuota(tx, owner); err != nil {
		return err
	}
	if c.Segment == "" {
		c.Segment = id
	}
	if c.Color == "" {
		color, err := s.nextColor(tx, owner)
		if err != nil {
			return err
		}
		c.Color = color
	}
	if c.Components == nil {
		c.Components = ics.ObjectComponents
	}
	if err := s.objects.ClaimSegment(tx, owner, c.Segment); err != nil {
		return err
	}
	ownZone := c.Timezone != ""
	if !ownZone {
		var err error
		if c.Timezone, err = s.memberZone(tx, owner); err != nil {
			return err
		}
	}
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.AddCalendar, store.Args{
		"id": id, "home_seq": homeSeq, "owner": owner, "name": c.Name, "description": c.Description, "color": strings.ToLower(c.Color),
		"timezone": c.Timezone, "own_zone": ownZone, "components": strings.Join(c.Components, ","), "is_default": isDefault,
		"now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	return s.grantOwner(tx, owner, id, c.Segment, c.Order)
}

// grantOwner gives the owner of a calendar access to it, at a segment that
// ClaimSegment accepted. A nil position is the end of the list.
func (s *Service) grantOwner(tx *store.Tx, owner svc.MemberID, id, segment string, position *int) error {
	if position == nil {
		var last int
		if err := tx.Get(&last, s.q.LastPosition, store.Args{"member": owner}); err != nil {
			return err
		}
		position = new(last + 1)
	}
	_, err := tx.Exec(s.q.GrantAccess, store.Args{
		"member": owner, "calendar": id, "role": object.Owner, "segment": segment, "position": *position,
	})
	tx.Touch(svc.CalendarArranged, int64(owner))
	return err
}

// UpdateCalendar changes a calendar of v. Order and visibility change only
// for v, the other fields for all members who have access.
func (s *Service) UpdateCalendar(tx *store.Tx, v svc.Viewer, id string, c CalendarChange) (Calendar, error) {
	row, err := s.objects.Calendar(tx, v.Member(), id)
	if err != nil {
		return Calendar{}, err
	}
	if c.ETag != "" && !sameETag(c.ETag, calendarETag(row)) {
		return Calendar{}, errVersionConflict
	}
	if c.changesCalendar() && !row.IsWritable() {
		return Calendar{}, object.ErrReadOnly
	}
	set(&row.Name, c.Name, "")
	set(&row.Description, c.Description, "")
	if c.Color.Null {
		if row.Color, err = s.nextColor(tx, v.Member()); err != nil {
			return Calendar{}, err
		}
	}
	set(&row.Color, c.Color, row.Color)
	set(&row.Position, c.Order, row.Position)
	set(&row.Visible, c.Visible, true)
	if err := s.setZone(tx, &row, c.Timezone); err != nil {
		return Calendar{}, err
	}
	if err := checkFields(row.Name, row.Description, row.Color, row.Timezone); err != nil {
		return Calendar{}, err
	}
	if c.changesCalendar() {
		if _, err := tx.Exec(s.q.UpdateCalendar, store.Args{
			"id": id, "name": row.Name, "description": row.Description, "color": strings.ToLower(row.Color),
			"timezone": row.Timezone, "own_zone": row.OwnZone, "now": store.MillisOf(tx.Now()),
		}); err != nil {
			return Calendar{}, err
		}
		if err := s.objects.TouchReaders(tx, id); err != nil {
			return Calendar{}, err
		}
	}
	if _, err := tx.Exec(s.q.SetPosition, store.Args{
		"member": v.Member(), "calendar": id, "position": row.Position, "visible": row.Visible,
	}); err != nil {
		return Calendar{}, err
	}
	if err := s.objects.BumpHome(tx, id); err != nil {
		return Calendar{}, err
	}
	tx.Touch(svc.CalendarArranged, int64(v.Member()))
	return s.Calendar(tx, v, id)
}

// setZone applies a change of the time zone of a calendar.
func (s *Service) setZone(tx *store.Tx, c *object.Calendar, change svc.Optional[string]) (err error) {
	if !change.Set && !change.Null {
		return nil
	}
	c.Timezone, c.OwnZone = change.Value, !change.Null && change.Value != ""
	if !c.OwnZone {
		c.Timezone, err = s.memberZone(tx, c.Owner)
	}
	return err
}

// set applies a change to a field; JSON null sets the field to empty.
func set[T any](field *T, change svc.Optional[T], empty T) {
	switch {
	case change.Null:
		*field = empty
	case change.Set:
		*field = change.Value
	}
}
