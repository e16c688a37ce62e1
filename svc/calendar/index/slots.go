package index

import (
	"cmp"
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/edit"
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
// which clocks change has fewer or more. Cancelled and transparent events do
// not make a slot busy.
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
		state := o.object.State
		if state.Status == string(edit.EventCancelled) || state.Transparency == string(edit.Transparent) || !o.starts.Before(o.ends) {
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
