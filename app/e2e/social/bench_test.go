package social

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
)

// addAcquaintances adds members who are present and have a DM with c. All of
// them share a public community with c, and every second one also a private
// community.
func addAcquaintances(s *apptest.Server, c *apptest.Client, n int) {
	s.T.Helper()
	public := c.CreateCommunity(`{"name": "Town", "visibility": "public"}`)
	private := c.CreateCommunity(`{"name": "Family"}`)
	for i := range n {
		m := s.Member(fmt.Sprint("m", i))
		m.Do("POST", public+"/join").Want(200)
		if i%2 == 0 {
			m.AnswerInvitation(c.InviteToCommunity(private, m), "accept").Want(200)
		}
		m.Do("POST", presencePath, `{"state": "online", "ttl_seconds": 3600}`).Want(200)
		m.SendDM(c, "Hello")
	}
}

// BenchmarkPeople reads pages of a member with 1,000 acquaintances.
func BenchmarkPeople(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann")
	addAcquaintances(s, ann, 1000)
	dm := dmsPath + "/" + ann.Do("GET", dmsPath).Want(200).Str("dms.0.id")
	for name, path := range map[string]string{
		"people": peoplePath + "?limit=200", "presence": presencePath + "?limit=200", "profile": "/world/social/profiles/2", "dms": dmsPath + "?limit=200", "dm": dm,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ann.Do("GET", path).Want(200)
			}
		})
	}
	b.Run("send", func(b *testing.B) {
		for b.Loop() {
			ann.Do("POST", dm+"/messages", `{"body": "Hello"}`).Want(201)
		}
	})
}

// BenchmarkEventUpdate updates an event that 200 members attend.
func BenchmarkEventUpdate(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann")
	event := ann.CreateEvent("visibility", "public")
	for i := range 200 {
		rsvp(s.Member(fmt.Sprint("m", i)), event, "going").Want(200)
	}
	n := 0
	for b.Loop() {
		n++
		ann.Do("PATCH", eventsPath+"/"+event, map[string]any{"title": fmt.Sprint(n), "start": fmt.Sprintf("2026-12-24T18:%02d:00", n%60)}).Want(200)
	}
}

// BenchmarkDataset reads the dataset of a member with 30 communities, 300
// conversations, 100 events and 200 DMs.
func BenchmarkDataset(b *testing.B) {
	s := apptest.New(b, apptest.Unlimited)
	ann := s.Member("ann").AsRuntime()
	addAcquaintances(s, ann, 200)
	for i := range 28 {
		ann.CreateCommunity(fmt.Sprintf(`{"name": "Community %d", "summary": "About us"}`, i))
	}
	var conversations []string
	for i := range 300 {
		conversations = append(conversations, ann.StartConversationIn(fmt.Sprint("Conversation ", i), `{"kind": "circle", "depth": 2}`))
	}
	for i := range 100 {
		ann.CreateEvent("title", fmt.Sprint("Event ", i), "start", fmt.Sprintf("2027-01-%02dT18:00:00", i%30+1), "end", nil, "visibility", "circle", "circle_depth", 2)
	}
	get := ann.Bench(b, "GET", 200)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s.Restart()
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("cached", func(b *testing.B) {
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
	b.Run("after a reply", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			ann.Reply(conversations[7], "Yes")
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("not modified", func(b *testing.B) {
		get := ann.With("If-None-Match", datasetTag(ann)).Bench(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
}
