package load

import (
	"fmt"
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
)

// communityVolume is the amount of content of a generated server.
type communityVolume struct {
	members, messages int
	social            apptest.SocialVolume
}

var (
	fullVolume  = communityVolume{1000, 100_000, apptest.SocialVolume{Communities: 200, Conversations: 2000, Replies: 20_000, Events: 500}}
	smallVolume = communityVolume{100, 1000, apptest.SocialVolume{Communities: 20, Conversations: 40, Replies: 200, Events: 20}}
)

// newCommunityServer returns a server with content of each kind, created before now. Half of the
// members are present.
func newCommunityServer(t testing.TB, v communityVolume, now time.Time) *apptest.Population {
	t.Helper()
	p := apptest.NewPopulation(t, v.members)
	p.Clock.Set(now.Add(-24 * time.Hour))
	p.SendMessages(v.messages, 3)
	p.GenerateSocial(v.social, 4)
	p.Clock.Set(now)
	(&apptest.SocialGenerator{Population: p, Seed: 99}).SetPresences()
	p.Clock.Set(now)
	return p
}

// measuredGet is a read request that must be fast.
type measuredGet struct{ name, path string }

// measuredGets returns the read requests that a member makes most often.
func measuredGets(c *apptest.Client) []measuredGet {
	return []measuredGet{
		{"inbox", "/world/messages"},
		{"thread", c.Do("GET", "/world/messages").Want(200).Str("threads.0.links.self")},
		{"conversation", apptest.ConversationsPath + "/" + c.Do("GET", apptest.ConversationsPath).Want(200).Str("conversations.0.id")},
		{"panel", "/world/panels/social"},
		{"circles", "/world/social/circles"},
		{"dataset", "/world/runtime"},
	}
}

// repeat calls do n times in one write transaction.
func repeat(p *apptest.Population, n int, do func(tx *store.Tx, i int) error) {
	p.T.Helper()
	p.Write(func(tx *store.Tx) error {
		for i := range n {
			if err := do(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// newDatasetServer returns a server whose first member has 2,000 objects, as many
// of each type as a dataset contains.
func newDatasetServer(t testing.TB) *apptest.Population {
	t.Helper()
	p := apptest.NewPopulation(t, 301)
	addMeetings(p, 1000)
	repeat(p, 300, func(tx *store.Tx, i int) error {
		_, err := p.App.Messages.Start(tx, p.Viewers[i+1], messages.StartRequest{Recipient: messages.Recipients{"1"}, Body: "What do you think of it?"})
		return err
	})
	addSocialObjects(p)
	openFindings(p, 240)
	return p
}

// hoursAhead returns the local time of a number of hours from now.
func hoursAhead(tx *store.Tx, hours int) string {
	return tx.Now().Add(time.Duration(hours) * time.Hour).Format("2006-01-02T15:04:05")
}

func addMeetings(p *apptest.Population, n int) {
	p.T.Helper()
	repeat(p, n, func(tx *store.Tx, i int) error {
		_, err := p.App.Calendar.Create(tx, p.Viewers[0], calendar.NewObject{ObjectType: view.EventType, Change: edit.Change{
			Title: svc.Some(fmt.Sprint("Meeting number ", i)), Start: svc.Some(hoursAhead(tx, i)), Location: svc.Some("Room 7, second floor"),
		}})
		return err
	})
}

// addSocialObjects creates 100 communities, 80 memberships, 60 DMs, 120
// conversations and 100 events.
func addSocialObjects(p *apptest.Population) {
	p.T.Helper()
	s, ann, last := p.App.Social, p.Viewers[0], ""
	repeat(p, 100, func(tx *store.Tx, i int) error {
		c, err := s.CreateCommunity(tx, ann, social.NewCommunity{Name: fmt.Sprint("Community ", i), Visibility: "private"})
		last = c.ID
		return err
	})
	repeat(p, 80, func(tx *store.Tx, i int) error {
		invitation, err := s.InviteToCommunity(tx, ann, last, social.NewInvitation{Recipient: fmt.Sprint(i + 2)})
		if err == nil {
			_, err = s.AnswerInvitation(tx, p.Viewers[i+1], invitation.ID, social.Accept)
		}
		return err
	})
	repeat(p, 60, func(tx *store.Tx, i int) error {
		_, err := s.StartDM(tx, p.Viewers[i+1], social.NewDM{Recipient: "1", Body: "Psst"})
		return err
	})
	repeat(p, 120, func(tx *store.Tx, i int) error {
		_, err := s.StartConversation(tx, ann, social.NewConversation{
			Title: fmt.Sprint("Conversation ", i), Body: "Well?", Context: social.ConversationContext{Kind: "open"},
		})
		return err
	})
	repeat(p, 100, func(tx *store.Tx, i int) error {
		_, err := s.CreateEvent(tx, ann, social.NewEvent{Title: fmt.Sprint("Event ", i), Timezone: "UTC", Start: hoursAhead(tx, i), Visibility: "public"})
		return err
	})
}

// openFindings opens n places as objects.
func openFindings(p *apptest.Population, n int) {
	p.T.Helper()
	repeat(p, n, func(tx *store.Tx, i int) error {
		finding := svc.Finding{
			FindingID: fmt.Sprint("osm:node/", i), SourceService: "osm", ObjectType: "place", Title: fmt.Sprint("Café ", i),
			Payload: svc.Map{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": fmt.Sprint("node/", i)},
		}
		w, err := p.App.Surface.ReplaceOverlay(tx, p.Viewers[0], surface.OverlayRequest{Findings: &[]svc.Finding{finding}})
		if err != nil {
			return err
		}
		overlay, err := w.Stack(surface.OverlayStack)
		if err == nil {
			_, _, _, err = p.App.Surface.OpenFinding(tx, p.Viewers[0], overlay.SurfaceOrder[0])
		}
		return err
	})
}

// newConversationsServer returns a server with 1,000 open conversations of 20
// replies each, by 100 members. The first member is the author of half of them,
// and so has 10,000 notifications. id is the id of one of these conversations.
func newConversationsServer(t testing.TB) (p *apptest.Population, id string) {
	t.Helper()
	p = apptest.NewPopulation(t, 100)
	s := p.App.Social
	const batch = 50
	for range 1000 / batch {
		p.Clock.Advance(time.Minute)
		repeat(p, batch, func(tx *store.Tx, i int) error {
			author := p.Viewers[0]
			if i%2 == 1 {
				author = p.Viewers[i]
			}
			c, err := s.StartConversation(tx, author, social.NewConversation{
				Title: fmt.Sprint("Talk ", i), Body: "Well?", Context: social.ConversationContext{Kind: "open"},
			})
			for n := 0; n < 20 && err == nil; n++ {
				_, err = s.Reply(tx, p.Viewers[(i+2+n)%len(p.Viewers)], c.ID, social.NewReply{Body: "Yes"})
			}
			if i == 0 {
				id = c.ID
			}
			return err
		})
	}
	return p, id
}
