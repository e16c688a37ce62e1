package calendar_test

import (
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
)

// NextColor returns the first unused color of the palette, and then the least used one.
// Covers B-127.
func TestNextColorIsTheLeastUsedOne(t *testing.T) {
	var all []string
	for _, c := range calendar.Palette() {
		all = append(all, c.Light)
	}
	for _, c := range []struct {
		name string
		used []string
		want string
	}{
		{"none", nil, all[0]},
		{"the first", all[:1], all[1]},
		{"a gap", []string{all[0], all[2], all[3]}, all[1]},
		{"other colors", []string{"#ff0000", "#3b82f6"}, all[0]},
		{"upper case", []string{strings.ToUpper(all[0])}, all[1]},
		{"each one once", all, all[0]},
		{"the first twice", append(slices.Clone(all), all[0]), all[1]},
		{"all but the last twice", append(slices.Clone(all), all[:9]...), all[9]},
	} {
		if got := calendar.NextColor(c.used); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// A calendar without a color gets the one that the member's calendars, including those
// of others, have least often; so does one whose color is removed. Covers B-127.
func TestCalendarsGetDifferentColors(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	create := func(in calendar.NewCalendar) (c calendar.Calendar) {
		f.Write(func(tx *store.Tx) (err error) {
			c, err = f.Calendar.CreateCalendar(tx, bea, in)
			return err
		})
		return c
	}
	palette := calendar.Palette()
	share(f, bea, calendars(f, ann)[0])
	create(calendar.NewCalendar{Name: "Choir", Color: strings.ToUpper(palette[2].Light)})
	work := create(calendar.NewCalendar{Name: "Work"})
	create(calendar.NewCalendar{Name: "School"})
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.UpdateCalendar(tx, bea, work.ID, calendar.CalendarChange{Color: svc.Optional[string]{Set: true, Null: true}})
		return err
	})
	var got []string
	for _, c := range calendars(f, bea) {
		n := slices.IndexFunc(palette, func(p calendar.PaletteColor) bool { return p.Light == c.Color })
		got = append(got, c.Name+" "+palette[n].Name)
	}
	want := []string{"Calendar Blue", "Calendar Blue", "Choir Ink", "School Wine", "Work Teal"}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
