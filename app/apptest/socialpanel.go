package apptest

import (
	"fmt"
	"strings"
	"testing"
)

const SocialPanelPath = "/world/panels/social"

// socialViews are the views of the panel of Social.
var SocialViews = []string{"dashboard", "conversations", "communities", "events", "people", "activity", "notifications", "dms", "profile"}

// panel returns a view of the panel of Social, or one thing in it.
func (c *Client) SocialPanel(view string, id ...any) *Answer {
	c.T.Helper()
	at := SocialPanelPath + "?view=" + view
	if len(id) > 0 {
		at += fmt.Sprintf("&id=%v", id[0])
	}
	return c.Do("GET", at)
}

// street is a house in which something of everything has happened: ann has a
// private club with bea, in which they talk, and a public choir that cem asks
// to join; dan is asked into the club, and is a stranger to everybody else.
type SocialFixture struct {
	*Server
	Ann, Bea, Cem, Dan      *Client
	Club, Choir             string // their addresses
	Talk, Open, DM, Invited string // ids; open is for everybody
	Game, Party             string // events: of the club, and for everybody
}

func NewSocialFixture(t testing.TB) *SocialFixture {
	t.Helper()
	s := &SocialFixture{Server: New(t, Unlimited, WithServiceKey)}
	s.Ann, s.Bea, s.Cem, s.Dan = s.Member("ann"), s.Member("bea"), s.Member("cem"), s.Member("dan")
	s.Club = s.Ann.CreateCommunity(`{"name": "Club <b>", "summary": "Chess & more"}`, s.Bea)
	s.Choir = s.Ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`, s.Bea)
	s.Cem.Do("POST", s.Choir+"/join").Want(200)
	s.Invited = s.Ann.InviteToCommunity(s.Club, s.Dan)
	s.Talk = s.Bea.Do("POST", ConversationsPath, map[string]any{"title": "Trip <i>", "body": "To the sea?\nOr @ann not?", "among": LastSegment(s.Club)}).Want(201).Str("conversation.id")
	s.Ann.Reply(s.Talk, "Yes & soon")
	s.Bea.Reply(s.Talk, "When?")
	s.Open = s.Cem.StartConversation("Street party")
	s.Bea.Reply(s.Open, "Nice")
	s.Game = s.Bea.Do("POST", "/world/social/events", map[string]any{"title": "Game <b>", "start": "2026-12-03T19:00:00", "timezone": "Europe/Berlin",
		"description": "Bring a board\n& a clock", "location": "At the lake", "among": LastSegment(s.Club)}).Want(201).Str("event.id")
	s.Ann.Do("POST", "/world/social/events/"+s.Game+"/rsvp", `{"response": "maybe", "note": "late"}`).Want(200)
	s.Ann.Do("POST", "/world/social/events/"+s.Game+"/replies", `{"body": "How long?"}`).Want(201)
	s.Party = s.Cem.Do("POST", "/world/social/events", `{"title": "Street party", "start": "2026-12-05", "timezone": "UTC", "among": "open"}`).Want(201).Str("event.id")
	s.Cem.Do("POST", "/world/social/events/"+s.Party+"/invitations", `{"recipient": "dan"}`).Want(201)
	s.DM = s.Bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst <b>"}`).Want(201).Str("dm.id")
	s.Bea.Do("POST", "/world/social/presence", `{"state": "online", "note": "at the lake", "visible_to": "inner", "ttl_seconds": 3600}`).Want(200)
	s.Ann.Do("PATCH", "/world/social/profile", `{"visibility": "circle", "bio": "I <3 chess", "links": [{"label": "Home", "url": "https://ann.example.org/"}]}`).Want(200)
	return s
}

// items are all items of a panel, by their titles.
func (a *Answer) Sections() map[string][]any {
	a.T.Helper()
	found := make(map[string][]any)
	for _, section := range a.List("sections") {
		found[At(section, "title").(string)] = At(section, "items").([]any)
	}
	return found
}

// titles are those of the items of a section.
func (a *Answer) Titles(section string) string {
	a.T.Helper()
	list, there := a.Sections()[section]
	if !there {
		return "no such section"
	}
	var titles []string
	for _, item := range list {
		titles = append(titles, At(item, "title").(string))
	}
	return strings.Join(titles, ", ")
}
