package app

import (
	"fmt"
	"io"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/world"
)

// plenty is a house whose first member sees 2,000 objects: as many of each kind
// as a dataset has, but for 240 places.
func plenty(b *testing.B) *community {
	h := settleCommunity(b, 301)
	ann := h.viewers[0]
	each := func(n int, do func(tx *store.Tx, i int) error) {
		h.write(func(tx *store.Tx) error {
			for i := range n {
				if err := do(tx, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	each(1000, func(tx *store.Tx, i int) error {
		at := tx.Now().Add(time.Duration(i) * time.Hour).Format("2006-01-02T15:04:05")
		_, err := h.calendar.Create(tx, ann, calendar.NewObject{ObjectType: calendar.EventType, Change: calendar.Change{
			Title: svc.Some(fmt.Sprint("Meeting number ", i)), Start: svc.Some(at), Location: svc.Some("Room 7, second floor"),
		}})
		return err
	})
	each(300, func(tx *store.Tx, i int) error {
		_, err := h.messages.Start(tx, h.viewers[i+1], messages.NewThread{Recipient: messages.Recipients{"1"}, Body: "What do you think of it?"})
		return err
	})
	var family string
	each(100, func(tx *store.Tx, i int) error {
		c, err := h.social.CreateCommunity(tx, ann, social.NewCommunity{Name: fmt.Sprint("Community ", i), Visibility: "private"})
		family = c.ID
		return err
	})
	each(80, func(tx *store.Tx, i int) error {
		invitation, err := h.social.Invite(tx, ann, family, social.NewInvitation{Recipient: fmt.Sprint(i + 2)})
		if err == nil {
			_, err = h.social.AnswerInvitation(tx, h.viewers[i+1], invitation.ID, "accepted")
		}
		return err
	})
	each(60, func(tx *store.Tx, i int) error {
		_, err := h.social.StartDM(tx, h.viewers[i+1], social.NewDM{Recipient: "1", Body: "Psst"})
		return err
	})
	each(120, func(tx *store.Tx, i int) error {
		_, err := h.social.Begin(tx, ann, social.NewConversation{
			Title: fmt.Sprint("Conversation ", i), Body: "Well?", Context: social.ConversationContext{Kind: "open"},
		})
		return err
	})
	each(100, func(tx *store.Tx, i int) error {
		at := tx.Now().Add(time.Duration(i) * time.Hour).Format("2006-01-02T15:04:05")
		_, err := h.social.CreateEvent(tx, ann, social.NewEvent{Title: fmt.Sprint("Event ", i), Timezone: "UTC", Start: at, Visibility: "public"})
		return err
	})
	return h
}

// A member with nearly 2,000 objects, 20 of which are in the workspace, turns
// from one of those to another.
func BenchmarkFocus(b *testing.B) {
	h := plenty(b)
	ann := h.m(1)
	first := ann.do("GET", "/world/runtime").want(200)
	var urls []string
	for _, a := range first.list("actions") {
		if dig(a, "type") == "focus_object" && len(urls) < 20 {
			urls = append(urls, dig(a, "command.url").(string))
			ann.do("POST", urls[len(urls)-1], `{}`).want(200)
		}
	}
	b.Logf("%d objects, %d bytes", len(first.list("objects")), len(first.body))
	post := ann.request(b, "POST", 200)
	get := ann.request(b, "GET", 200)
	turn := 0
	next := func() string {
		turn++
		return urls[turn%len(urls)]
	}
	b.Run("with the dataset", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			post(next(), "")
		}
	})
	b.Run("the next read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			post(next(), "")
			h.write(func(tx *store.Tx) error {
				tx.Touch(svc.SurfaceTopic, 1)
				return nil
			})
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("composed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			h.write(func(tx *store.Tx) error {
				tx.Touch(svc.SurfaceTopic, 1)
				return nil
			})
			b.StartTimer()
			a, err := h.world.See(b.Context(), h.viewers[0], world.Question{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := a.Body.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("from nothing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := h.newWorld().See(b.Context(), h.viewers[0], world.Question{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
