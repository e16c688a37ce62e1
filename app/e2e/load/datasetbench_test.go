package load

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world/dataset"
)

// newFullDataset returns a population whose first member sees 2,000 objects: as
// many of each type as a dataset contains.
func newFullDataset(b *testing.B) *apptest.Population {
	h := apptest.NewPopulation(b, 301)
	ann := h.Viewers[0]
	each := func(n int, do func(tx *store.Tx, i int) error) {
		h.Write(func(tx *store.Tx) error {
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
		_, err := h.App.Calendar.Create(tx, ann, calendar.NewObject{ObjectType: view.EventType, Change: edit.Change{
			Title: svc.Some(fmt.Sprint("Meeting number ", i)), Start: svc.Some(at), Location: svc.Some("Room 7, second floor"),
		}})
		return err
	})
	each(300, func(tx *store.Tx, i int) error {
		_, err := h.App.Messages.Start(tx, h.Viewers[i+1], messages.StartRequest{Recipient: messages.Recipients{"1"}, Body: "What do you think of it?"})
		return err
	})
	var family string
	each(100, func(tx *store.Tx, i int) error {
		c, err := h.App.Social.CreateCommunity(tx, ann, social.NewCommunity{Name: fmt.Sprint("Community ", i), Visibility: "private"})
		family = c.ID
		return err
	})
	each(80, func(tx *store.Tx, i int) error {
		invitation, err := h.App.Social.InviteToCommunity(tx, ann, family, social.NewInvitation{Recipient: fmt.Sprint(i + 2)})
		if err == nil {
			_, err = h.App.Social.AnswerInvitation(tx, h.Viewers[i+1], invitation.ID, "accepted")
		}
		return err
	})
	each(60, func(tx *store.Tx, i int) error {
		_, err := h.App.Social.StartDM(tx, h.Viewers[i+1], social.NewDM{Recipient: "1", Body: "Psst"})
		return err
	})
	each(120, func(tx *store.Tx, i int) error {
		_, err := h.App.Social.StartConversation(tx, ann, social.NewConversation{
			Title: fmt.Sprint("Conversation ", i), Body: "Well?", Context: social.ConversationContext{Kind: "open"},
		})
		return err
	})
	each(100, func(tx *store.Tx, i int) error {
		at := tx.Now().Add(time.Duration(i) * time.Hour).Format("2006-01-02T15:04:05")
		_, err := h.App.Social.CreateEvent(tx, ann, social.NewEvent{Title: fmt.Sprint("Event ", i), Timezone: "UTC", Start: at, Visibility: "public"})
		return err
	})
	each(240, func(tx *store.Tx, i int) error {
		found := svc.Finding{
			FindingID: fmt.Sprint("osm:node/", i), SourceService: "osm", ObjectType: "place", Title: fmt.Sprint("Café ", i),
			Payload: svc.Map{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": fmt.Sprint("node/", i)},
		}
		w, err := h.App.Surface.ReplaceOverlay(tx, ann, surface.OverlayRequest{Findings: &[]svc.Finding{found}})
		if err != nil {
			return err
		}
		overlay, err := w.Stack(surface.OverlayStack)
		if err == nil {
			_, _, _, err = h.App.Surface.OpenFinding(tx, ann, overlay.SurfaceOrder[0])
		}
		return err
	})
	return h
}

// reportP99 reports the 99th percentile of the duration of do. before runs before
// each call and is not measured.
func reportP99(b *testing.B, before, do func()) {
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

// BenchmarkPlenty reads a dataset of 2,000 objects after each kind of write of
// another member, and after a write of the member, and reads the translated
// output.
func BenchmarkPlenty(b *testing.B) {
	h := newFullDataset(b)
	ann, bea := h.Client(1), h.Client(2)
	first := ann.Do("GET", "/world/runtime").Want(200)
	b.Logf("%d objects, %d bytes", len(first.List("objects")), len(first.Body))
	get := ann.Bench(b, "GET", 200)
	thread := bea.Do("GET", "/world/messages").Want(200).Str("threads.0.links.messages")
	conversation := apptest.ConversationsPath + "/" + bea.Do("GET", apptest.ConversationsPath).Want(200).Str("conversations.0.id") + "/replies"
	event := "/world/social/events/" + bea.Do("GET", "/world/social/events").Want(200).Str("events.0.id") + "/rsvp"
	n := 0
	for _, c := range []struct {
		name  string
		write func()
	}{
		{"nothing", func() {}},
		{"a message", func() { bea.Do("POST", thread, map[string]any{"body": fmt.Sprint("Number ", n)}).Want(201) }},
		{"a reply", func() { bea.Do("POST", conversation, map[string]any{"body": fmt.Sprint("Number ", n)}).Want(201) }},
		{"an answer", func() {
			bea.Do("POST", event, map[string]any{"response": []string{"going", "maybe"}[n%2]}).Want(200)
		}},
		{"a presence", func() {
			bea.Do("POST", "/world/social/presence", map[string]any{"state": []string{"online", "busy"}[n%2]}).Want(200)
		}},
		{"an entry of one's own", func() {
			ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}).Want(201)
		}},
	} {
		b.Run("after "+c.name, func(b *testing.B) {
			reportP99(b, func() { n++; c.write() }, func() { get("/world/runtime", "") })
		})
	}
	b.Run("translated", func(b *testing.B) {
		reportP99(b, func() {}, func() { get("/world/translated", "") })
	})
}

// BenchmarkFocus moves the focus between objects in the workspace of a member with
// 2,000 objects.
func BenchmarkFocus(b *testing.B) {
	h := newFullDataset(b)
	ann := h.Client(1)
	first := ann.Do("GET", "/world/runtime").Want(200)
	var urls []string
	for _, a := range first.List("actions") {
		if apptest.At(a, "type") == "focus_object" && len(urls) < 20 {
			urls = append(urls, apptest.At(a, "command.url").(string))
			ann.Do("POST", urls[len(urls)-1], `{}`).Want(200)
		}
	}
	b.Logf("%d objects, %d bytes", len(first.List("objects")), len(first.Body))
	post := ann.Bench(b, "POST", 200)
	get := ann.Bench(b, "GET", 200)
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
			h.Write(func(tx *store.Tx) error {
				tx.Touch(svc.WorkspaceChanged, 1)
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
			h.Write(func(tx *store.Tx) error {
				tx.Touch(svc.WorkspaceChanged, 1)
				return nil
			})
			b.StartTimer()
			a, err := h.App.World.Read(b.Context(), h.Viewers[0], dataset.Request{})
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
			if _, err := h.App.NewWorld().Read(b.Context(), h.Viewers[0], dataset.Request{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
