package apptest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// HumanTexts matches the texts for people in a panel. AnyEvent matches the word
// event in such a text, with the word before it.
var (
	HumanTexts = regexp.MustCompile(`"(label|title|summary|message)":"[^"]*"`)
	AnyEvent   = regexp.MustCompile(`(?i)(\w+ )?\bevents?\b`)
)

// CheckPaths fails the test if decoded JSON contains a path of this server that
// is not below /world, except CalDAV paths and the path of base-url.
func CheckPaths(t *testing.T, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			CheckPaths(t, k, child)
		}
	case []any:
		for _, child := range v {
			CheckPaths(t, key, child)
		}
	case string:
		if strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/world/") && key != "caldav_path" && key != "caldav_url" && key != "base_path" {
			t.Errorf("%s: got the path %s, want one below /world/", key, v)
		}
	}
}

// FillForm returns the values of a form: the defaults, and "Something" in
// required fields without a default.
func FillForm(form any) map[string]any {
	body := make(map[string]any)
	for _, control := range At(form, "controls").([]any) {
		value := At(control, "default")
		if At(control, "required") == true && value == "" {
			value = "Something"
		}
		body[At(control, "id").(string)] = value
	}
	return body
}

// SocialPanelPath is the path of the panel of Social.
const SocialPanelPath = "/world/panels/social"

// SocialViews are the views of the panel of Social.
var SocialViews = []string{"dashboard", "conversations", "communities", "events", "people", "activity", "notifications", "dms", "profile", "circles", "invitations", "blocks"}

// SocialPanel requests a view of the panel of Social, or one object in it.
func (c *Client) SocialPanel(view string, id ...any) *Answer {
	c.T.Helper()
	at := SocialPanelPath + "?view=" + view
	if len(id) > 0 {
		at += fmt.Sprintf("&id=%v", id[0])
	}
	return c.Do("GET", at)
}

// SocialFixture is a server with every kind of Social content. Ann owns the
// private community Club, with bea as a member, and the public community Choir,
// which cem has asked to join. Dan is invited to Club and has no other relation
// to a member.
type SocialFixture struct {
	*Server
	Ann, Bea, Cem, Dan                 *Client
	Club, Choir                        string // paths of the communities
	ClubConversation, OpenConversation string // ids of conversations: one in Club, and an open one
	ClubEvent, PublicEvent             string // ids of events: one of Club, and a public one
	DM                                 string // id of the DM from bea to ann
	Invitation                         string // id of dan's invitation to Club
}

// NewSocialFixture returns a SocialFixture.
func NewSocialFixture(t testing.TB) *SocialFixture {
	t.Helper()
	s := &SocialFixture{Server: New(t, Unlimited, WithServiceKey)}
	s.Ann, s.Bea, s.Cem, s.Dan = s.Member("ann"), s.Member("bea"), s.Member("cem"), s.Member("dan")
	s.Club = s.Ann.CreateCommunity(`{"name": "Club <b>", "summary": "Chess & more"}`, s.Bea)
	s.Choir = s.Ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`, s.Bea)
	s.Cem.Do("POST", s.Choir+"/join").Want(200)
	s.Invitation = s.Ann.InviteToCommunity(s.Club, s.Dan)
	s.ClubConversation = s.Bea.Do("POST", ConversationsPath, map[string]any{"title": "Trip <i>", "body": "To the sea?\nOr @ann not?", "among": LastSegment(s.Club)}).Want(201).Str("conversation.id")
	s.Ann.Reply(s.ClubConversation, "Yes & soon")
	s.Bea.Reply(s.ClubConversation, "When?")
	s.OpenConversation = s.Cem.StartConversation("Street party")
	s.Bea.Reply(s.OpenConversation, "Nice")
	s.ClubEvent = s.Bea.Do("POST", "/world/social/events", map[string]any{"title": "Game <b>", "start": "2026-12-03T19:00:00", "timezone": "Europe/Berlin",
		"description": "Bring a board\n& a clock", "location": "At the lake", "among": LastSegment(s.Club)}).Want(201).Str("event.id")
	s.Ann.Do("POST", "/world/social/events/"+s.ClubEvent+"/rsvp", `{"response": "maybe", "note": "late"}`).Want(200)
	s.Ann.Do("POST", "/world/social/events/"+s.ClubEvent+"/replies", `{"body": "How long?"}`).Want(201)
	s.PublicEvent = s.Cem.Do("POST", "/world/social/events", `{"title": "Street party", "start": "2026-12-05", "timezone": "UTC", "among": "open"}`).Want(201).Str("event.id")
	s.Cem.Do("POST", "/world/social/events/"+s.PublicEvent+"/invitations", `{"recipient": "dan"}`).Want(201)
	s.DM = s.Bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst <b>"}`).Want(201).Str("dm.id")
	s.Bea.Do("POST", "/world/social/presence", `{"state": "online", "note": "at the lake", "visible_to": "inner", "ttl_seconds": 3600}`).Want(200)
	s.Ann.Do("PATCH", "/world/social/profile", `{"visibility": "circle", "bio": "I <3 chess", "links": [{"label": "Home", "url": "https://ann.example.org/"}]}`).Want(200)
	return s
}

// Sections returns the items of each section of a panel by its title.
func (a *Answer) Sections() map[string][]any {
	a.T.Helper()
	found := make(map[string][]any)
	for _, section := range a.List("sections") {
		found[At(section, "title").(string)] = At(section, "items").([]any)
	}
	return found
}

// Titles returns the titles in a section of a panel, separated by commas, or "no
// such section".
func (a *Answer) Titles(section string) string {
	a.T.Helper()
	list, exists := a.Sections()[section]
	if !exists {
		return "no such section"
	}
	return strings.Join(Values(list, "title"), ", ")
}
