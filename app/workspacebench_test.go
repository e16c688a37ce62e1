package app

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world/dataset"
)

// plenty is a house whose first member sees 2,000 objects: as many of each kind
// as a dataset has.
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
		_, err := h.messages.Start(tx, h.viewers[i+1], messages.StartRequest{Recipient: messages.Recipients{"1"}, Body: "What do you think of it?"})
		return err
	})
	var family string
	each(100, func(tx *store.Tx, i int) error {
		c, err := h.social.CreateCommunity(tx, ann, social.NewCommunity{Name: fmt.Sprint("Community ", i), Visibility: "private"})
		family = c.ID
		return err
	})
	each(80, func(tx *store.Tx, i int) error {
		invitation, err := h.social.InviteToCommunity(tx, ann, family, social.NewInvitation{Recipient: fmt.Sprint(i + 2)})
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
		_, err := h.social.StartConversation(tx, ann, social.NewConversation{
			Title: fmt.Sprint("Conversation ", i), Body: "Well?", Context: social.ConversationContext{Kind: "open"},
		})
		return err
	})
	each(100, func(tx *store.Tx, i int) error {
		at := tx.Now().Add(time.Duration(i) * time.Hour).Format("2006-01-02T15:04:05")
		_, err := h.social.CreateEvent(tx, ann, social.NewEvent{Title: fmt.Sprint("Event ", i), Timezone: "UTC", Start: at, Visibility: "public"})
		return err
	})
	each(240, func(tx *store.Tx, i int) error {
		found := svc.Finding{
			FindingID: fmt.Sprint("osm:node/", i), SourceService: "osm", ObjectType: "place", Title: fmt.Sprint("Café ", i),
			Payload: svc.Map{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": fmt.Sprint("node/", i)},
		}
		w, err := h.surface.ReplaceOverlay(tx, ann, surface.OverlayRequest{Findings: &[]svc.Finding{found}})
		if err != nil {
			return err
		}
		overlay, err := w.Stack(surface.OverlayStack)
		if err == nil {
			_, _, _, err = h.surface.OpenFinding(tx, ann, overlay.SurfaceOrder[0])
		}
		return err
	})
	return h
}

// slowest reports the 99th percentile of what do takes.
func slowest(b *testing.B, before, do func()) {
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		before()
		b.StartTimer()
		took = append(took, timed(do))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
}

// What a dataset of 2,000 objects takes after each kind of write by another
// member, and after the member's own; and what the same takes as a screen shows
// it.
func BenchmarkPlenty(b *testing.B) {
	h := plenty(b)
	ann, bea := h.m(1), h.m(2)
	first := ann.do("GET", "/world/runtime").want(200)
	b.Logf("%d objects, %d bytes", len(first.list("objects")), len(first.body))
	get := ann.request(b, "GET", 200)
	thread := bea.do("GET", "/world/messages").want(200).str("threads.0.links.messages")
	conversation := conversationsPath + "/" + bea.do("GET", conversationsPath).want(200).str("conversations.0.id") + "/replies"
	event := "/world/social/events/" + bea.do("GET", "/world/social/events").want(200).str("events.0.id") + "/rsvp"
	n := 0
	for _, c := range []struct {
		name  string
		write func()
	}{
		{"nothing", func() {}},
		{"a message", func() { bea.do("POST", thread, map[string]any{"body": fmt.Sprint("Number ", n)}).want(201) }},
		{"a reply", func() { bea.do("POST", conversation, map[string]any{"body": fmt.Sprint("Number ", n)}).want(201) }},
		{"an answer", func() {
			bea.do("POST", event, map[string]any{"response": []string{"going", "maybe"}[n%2]}).want(200)
		}},
		{"a presence", func() {
			bea.do("POST", "/world/social/presence", map[string]any{"state": []string{"online", "busy"}[n%2]}).want(200)
		}},
		{"an entry of one's own", func() {
			ann.do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}).want(201)
		}},
	} {
		b.Run("after "+c.name, func(b *testing.B) {
			slowest(b, func() { n++; c.write() }, func() { get("/world/runtime", "") })
		})
	}
	b.Run("translated", func(b *testing.B) {
		slowest(b, func() {}, func() { get("/world/translated", "") })
	})
}

// A member with 2,000 objects, some of which are in the workspace, turns
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
			a, err := h.world.Read(b.Context(), h.viewers[0], dataset.Request{})
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
			if _, err := h.newWorld().Read(b.Context(), h.viewers[0], dataset.Request{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
