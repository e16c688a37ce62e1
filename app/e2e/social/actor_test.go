package social

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Fields that name members, texts and communities are hidden over HTTP by the same rules as
// records. Covers PT-21, B-98 and B-106.
func TestFieldsOfItemsAreHiddenAcrossBlocksAndCommunities(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem, dan := s.Member("ann"), s.Member("bea"), s.Member("cem"), s.Member("dan")
	family := ann.CreateCommunity(`{"name": "Secret family"}`, bea, cem)
	id := ann.StartConversationIn("Trip", communityContext(family))
	path := apptest.ConversationsPath + "/" + id
	bea.Do("POST", path+"/replies", `{"body": "I know @cem"}`).Want(201)
	cem.Do("POST", path+"/replies", `{"body": "The words of cem"}`).Want(201)
	item := func(c *apptest.Client) any { return c.SocialPanel("conversations").Want(200).At("sections.0.items.0") }
	want(t, "author of the latest reply", apptest.At(item(bea), "last_reply.actor.username"), any("cem"))
	want(t, "context", apptest.At(item(bea), "context.title"), any("Secret family"))
	entities := func(c *apptest.Client) int {
		return len(c.Do("GET", path+"?peek=1").Want(200).List("replies.0.entities"))
	}
	want(t, "mentions", entities(ann), 1)
	bea.Block(cem).Want(201)
	want(t, "latest reply for the member who blocks", apptest.At(item(bea), "last_reply.excerpt"), any("I know @cem"))
	want(t, "mentions for the member who blocks", entities(bea), 0)
	name := regexp.MustCompile(`(?i)\bcem\b`) // not a part of a random id
	for _, address := range []string{
		apptest.SocialPanelPath + "?view=conversations", apptest.SocialPanelPath + "?view=activity", apptest.SocialPanelPath + "?view=notifications",
		apptest.SocialPanelPath + "?view=circles", apptest.ConversationsPath, path + "?peek=1", "/world/panels/today", "/world/panels/messages", notificationsPath,
	} {
		body := strings.ReplaceAll(bea.Do("GET", address).Want(200).Body, "I know @cem", "")
		if name.MatchString(body) {
			t.Errorf("%s: got the name of a blocked member, want none: %s", address, body)
		}
		if body := dan.Do("GET", strings.Replace(address, path+"?peek=1", apptest.ConversationsPath, 1)).Want(200).Body; strings.Contains(body, "Secret family") || strings.Contains(body, id) {
			t.Errorf("%s: got the private community for an outsider: %s", address, body)
		}
	}
}

// Lists and sections have the URL of the next page, which can be followed to the end.
// Covers B-106 and B-82.
func TestPagesHaveTheURLOfTheNextPage(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	for range 5 {
		ann.StartConversation("Trip & more")
	}
	seen := make(map[any]bool)
	address, pages := apptest.ConversationsPath+"?limit=2", 0
	for address != "" {
		a := ann.Do("GET", address).Want(200)
		for _, c := range a.List("conversations") {
			seen[apptest.At(c, "id")] = true
		}
		address, _ = a.At("page.next").(string)
		pages++
	}
	want(t, "conversations and pages", []int{len(seen), pages}, []int{5, 3})
	path := apptest.ConversationsPath + "/" + ann.StartConversation("Replies")
	for range 3 {
		ann.Do("POST", path+"/replies", `{"body": "x"}`).Want(201)
	}
	a := ann.Do("GET", path+"?limit=2").Want(200)
	earlier := ann.Do("GET", a.Str("page.previous")).Want(200)
	want(t, "earlier replies", len(earlier.List("replies")), 1)
	want(t, "before the earliest", earlier.At("page.previous"), nil)
}

// An invitation names several members by the values of the control: all are invited, or
// none. Covers B-106 and B-52.
func TestSeveralMembersAreInvitedAtOnce(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	s.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family"}`)
	control := findControl(t, ann.Do("GET", apptest.SocialPanelPath+"?view=communities&id="+apptest.LastSegment(family)).Want(200), "invite", "recipient")
	want(t, "type of the control", []any{apptest.At(control, "type"), apptest.At(control, "multiple")}, []any{"members", true})
	people := ann.Do("GET", apptest.At(control, "options_url").(string)+"?"+url.Values{"q": {"be"}}.Encode()).Want(200)
	want(t, "options", people.Column("options", "label"), "Bea (@bea)")
	invite := family + "/invitations"
	ann.Do("POST", invite, map[string]any{"recipient": []any{bea.ID, "nope"}}).WantError(404, "recipient_not_found").WantFields("recipient.1")
	want(t, "invitations after the error", len(ann.Do("GET", invite).Want(200).List("invitations")), 0)
	a := ann.Do("POST", invite, map[string]any{"recipient": []any{people.At("options.0.value"), "cem"}}).Want(201)
	want(t, "invited", a.Column("invitations", "invitee.display_name"), "Bea Cem")
	many := make([]any, 21)
	for i := range many {
		many[i] = "bea"
	}
	ann.Do("POST", invite, map[string]any{"recipient": many}).WantError(422, "too_long").WantFields("recipient")
	ann.Do("POST", invite, `{}`).WantFields("recipient")
}

// findControl returns a control of a form in a panel.
func findControl(t *testing.T, a *apptest.Answer, form, id string) any {
	t.Helper()
	for _, d := range a.List("action_descriptors") {
		if apptest.At(d, "id") != form {
			continue
		}
		for _, c := range apptest.At(d, "controls").([]any) {
			if apptest.At(c, "id") == id {
				return c
			}
		}
	}
	t.Fatalf("got no control %s in the form %s", id, form)
	return nil
}

// The panel of today matches its schemas, returns the sections in the parameter "sections" and
// requires a sign-in. Other panels without their sections have the same forms. Covers B-106.
func TestPanelOfTodayAndPanelsWithoutSections(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	a := s.Bea.Do("GET", "/world/panels/today").Want(200)
	a.WantSchema("service.world.panel", a.At(""))
	a.WantSchema("service.today.panel", a.At(""))
	want(t, "sections", a.Column("sections", "id"), "schedule waiting lately tasks messages presence")
	want(t, "fallbacks", len(a.List("fallbacks")), 0)
	want(t, "selected", s.Bea.Do("GET", "/world/panels/today?sections=waiting&timezone=Asia/Tokyo").Want(200).Column("sections", "id"), "waiting")
	s.Bea.Do("GET", "/world/panels/today?timezone=Mars/X").WantError(400, "invalid_parameter").WantFields("timezone")
	s.Unauthenticated().Do("GET", "/world/panels/today").WantError(401, "unauthenticated")
	for _, path := range []string{"/world/panels/messages", "/world/panels/messages/rail", "/world/panels/time", "/world/panels/social", "/world/panels/find", "/world/panels/settings"} {
		full, lean := s.Bea.Do("GET", path).Want(200), s.Bea.Do("GET", path+"?sections=").Want(200)
		want(t, path+" without sections", len(lean.List("sections")), 0)
		want(t, path+" forms", lean.Column("action_descriptors", "id"), full.Column("action_descriptors", "id"))
	}
}
