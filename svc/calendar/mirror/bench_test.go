package mirror_test

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/mirror"
)

// BenchmarkPush measures the first write of a push of an event with 500 attendees, which
// delays all other writes. Later writes, which it leaves out, change the other mirrors.
func BenchmarkPush(b *testing.B) {
	f := calendartest.New(b)
	usernames := make([]string, 500)
	for i := range usernames {
		usernames[i] = fmt.Sprint("m", i)
	}
	storetest.AddMembers(b, f.DB, usernames...)
	p := dinnerPush(0)
	f.Write(func(tx *store.Tx) error {
		for i := range usernames {
			id := svc.MemberID(i + 1)
			if err := f.Calendar.MemberCreated(tx, id, "en"); err != nil {
				return err
			}
			p.Audience = append(p.Audience, svc.Attendee{MemberID: id, RSVP: "going", Role: "guest"})
		}
		return nil
	})
	changeTitle := func(p *mirror.EventPush) { p.Event.Title = fmt.Sprint(p.Revision) }
	changeTime := func(p *mirror.EventPush) { p.Event.End = fmt.Sprintf("2026-12-24T22:%02d:00", p.Revision%60) }
	for _, c := range []struct {
		name, rrule string
		change      func(*mirror.EventPush)
	}{
		{"no change", "", func(*mirror.EventPush) {}},
		{"one response", "", func(p *mirror.EventPush) {
			p.Audience[7].RSVP = icstest.Pick(icstest.NewRand(uint64(p.Revision)), svc.Maybe, svc.Going, svc.NoResponse)
		}},
		{"title", "", changeTitle},
		{"time", "", changeTime},
		{"title of a weekly series", "FREQ=WEEKLY", changeTitle},
		{"time of a weekly series", "FREQ=WEEKLY", changeTime},
		{"time of a daily series", "FREQ=DAILY", changeTime},
	} {
		b.Run(c.name, func(b *testing.B) {
			p.EventID, p.Revision, p.Event.RRule = svc.NewID("evt"), 1, nil
			if c.rrule != "" {
				p.Event.RRule = &c.rrule
			}
			push(f, p)
			for b.Loop() {
				p.Revision++
				c.change(&p)
				push(f, p)
			}
		})
	}
}
