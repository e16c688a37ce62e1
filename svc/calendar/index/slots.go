package index

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// Slot is a part of a day.
type Slot struct {
	Start     string           `json:"start"` // 2026-12-01T09:00:00, in the time zone of the workspace
	End       string           `json:"end"`
	Busy      bool             `json:"busy"`
	ObjectIDs svc.List[string] `json:"object_ids"` // ids of at most 20 objects that make it busy
}

// maxSlotObjects limits the ids of a slot.
const maxSlotObjects = 20

// slots divides the days of the workspace into slots from midnight on; a day on
// which clocks change has fewer or more. Events that are cancelled, transparent or
// declined by the member do not make a slot busy.
func (w *Workspace) slots(list []listItem, loc *time.Location) []Slot {
	begins := w.slotStarts(loc)
	if len(begins) == 0 {
		return nil // the day does not exist, as 30 December 2011 in Samoa
	}
	ends := append(begins[1:len(begins):len(begins)], startOfDay(w.To, loc))
	slots := make([]Slot, len(begins))
	for i := range slots {
		slots[i] = Slot{Start: begins[i].In(loc).Format(view.LocalLayout), End: ends[i].In(loc).Format(view.LocalLayout)}
	}
	for _, o := range list {
		if !o.busy || !o.starts.Before(o.ends) {
			continue
		}
		first, _ := slices.BinarySearchFunc(ends, o.starts, func(end, start time.Time) int { return cmp.Or(end.Compare(start), -1) })
		for i := first; i < len(begins) && begins[i].Before(o.ends); i++ {
			slots[i].Busy = true
			if ids := &slots[i].ObjectIDs; len(*ids) < maxSlotObjects && !slices.Contains(*ids, o.object.ID) {
				*ids = append(*ids, o.object.ID)
			}
		}
	}
	return slots
}

func (w *Workspace) slotStarts(loc *time.Location) (starts []time.Time) {
	length := time.Duration(w.Boundaries.SlotMinutes) * time.Minute
	for day := w.From; day.Before(w.To); day = day.AddDate(0, 0, 1) {
		end := startOfDay(day.AddDate(0, 0, 1), loc)
		for t := startOfDay(day, loc); t.Before(end); t = t.Add(length) {
			starts = append(starts, t)
		}
	}
	return starts
}

// declined returns a function that reports whether v has declined a component as an
// attendee. It reads the address of v at most once.
func (x *Index) declined(tx *store.Tx, v svc.Viewer) func(*ics.Component) bool {
	email := sync.OnceValue(func() string {
		address, err := x.email(tx, v.Member())
		if err != nil {
			return "" // the slot is busy
		}
		return address
	})
	return func(c *ics.Component) bool {
		return slices.ContainsFunc(c.Declined(), func(address string) bool { return address == v.Member().URN() || address == email() })
	}
}
