package calendar

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Boundaries are a member's preferences for calendar views.
type Boundaries struct {
	DayStart    string  `json:"day_start" db:"day_start"` // 07:00
	DayEnd      string  `json:"day_end" db:"day_end"`     // 22:00; 24:00 is the end of the day
	WeekStart   Weekday `json:"week_start" db:"week_start"`
	SlotMinutes int     `json:"slot_minutes" db:"slot_minutes"` // 5, 10, 15, 20, 30 or 60
}

var defaultBoundaries = Boundaries{"07:00", "22:00", Monday, 30}

// BoundariesChange is a change to a member's Boundaries; null restores a default.
type BoundariesChange struct {
	DayStart    svc.Optional[string]  `json:"day_start"`
	DayEnd      svc.Optional[string]  `json:"day_end"`
	WeekStart   svc.Optional[Weekday] `json:"week_start"`
	SlotMinutes svc.Optional[int]     `json:"slot_minutes"`
}

// Boundaries returns the preferences of a member.
func (s *Service) Boundaries(tx *store.Tx, member svc.MemberID) (Boundaries, error) {
	var b Boundaries
	err := tx.Get(&b, s.q.Preferences, store.Args{"member": member})
	if store.IsNoRows(err) {
		return defaultBoundaries, nil
	}
	return b, err
}

// ChangeBoundaries changes the preferences of v.
func (s *Service) ChangeBoundaries(tx *store.Tx, v svc.Viewer, c BoundariesChange) (Boundaries, error) {
	b, err := s.Boundaries(tx, v.Member())
	if err != nil {
		return b, err
	}
	set(&b.DayStart, c.DayStart, defaultBoundaries.DayStart)
	set(&b.DayEnd, c.DayEnd, defaultBoundaries.DayEnd)
	set(&b.WeekStart, c.WeekStart, defaultBoundaries.WeekStart)
	set(&b.SlotMinutes, c.SlotMinutes, defaultBoundaries.SlotMinutes)
	if err := b.check(); err != nil {
		return Boundaries{}, err
	}
	_, err = tx.Exec(s.q.PutPreferences, store.Args{
		"member": v.Member(), "day_start": b.DayStart, "day_end": b.DayEnd, "week_start": b.WeekStart, "slot_minutes": b.SlotMinutes,
	})
	tx.Touch(svc.PreferencesUpdated, int64(v.Member()))
	return b, err
}

// Weekday is a day of the week. The set begins with Monday.
type Weekday string

const (
	Monday    Weekday = "monday"
	Tuesday   Weekday = "tuesday"
	Wednesday Weekday = "wednesday"
	Thursday  Weekday = "thursday"
	Friday    Weekday = "friday"
	Saturday  Weekday = "saturday"
	Sunday    Weekday = "sunday"
)

// Values implements [svc.Set].
func (Weekday) Values() []string {
	return svc.Values(Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday)
}

// SlotLengths are the values of Boundaries.SlotMinutes.
var SlotLengths = []int{5, 10, 15, 20, 30, 60}

func (b Boundaries) check() error {
	err := svc.Join(checkTimeOfDay("day_start", b.DayStart), checkTimeOfDay("day_end", b.DayEnd), svc.CheckChosen("week_start", b.WeekStart), checkSlotLength(b.SlotMinutes))
	if err == nil && b.DayEnd <= b.DayStart {
		return svc.FieldError(svc.EndBeforeStart, "day_end", "The end of the day must be after its start.")
	}
	return err
}

func checkTimeOfDay(field, text string) error {
	if text == "24:00" && field == "day_end" {
		return nil
	}
	if _, err := time.Parse("15:04", text); len(text) != len("15:04") || err != nil {
		return svc.FieldError(svc.InvalidValue, field, "Enter a time of day such as 07:00.")
	}
	return nil
}

func checkSlotLength(minutes int) error {
	if !slices.Contains(SlotLengths, minutes) {
		return svc.FieldError(svc.InvalidValue, "slot_minutes", "Enter 5, 10, 15, 20, 30 or 60 minutes.")
	}
	return nil
}
