package social

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/raster/rastertest"
	"appliance/svc/svctest"
)

// panelActions are the forms and the types of actions that the panels offer.
var panelActions = strings.Fields(`
	form:block form:color form:create_community form:create_conversation form:create_event form:invite form:read_notifications form:reply form:rsvp
	form:send_message form:set_avatar form:set_presence form:start_dm form:update
	open_panel social.block social.community.delete social.community.join social.community.leave social.community.member.admit
	social.community.make_private social.community.member.remove social.community.member.role social.conversation.close social.conversation.read
	social.conversation.reopen social.conversation.unread social.dm.read social.dm.unread social.event.cancel social.event.rsvp social.invitation.accept social.invitation.decline
	social.invitation.revoke social.notifications.read social.unblock`)

// Covers PT-02 and O-38 for the panel: every link, every form, sent as JSON and as
// a form, and every action works for the member who gets it.
func TestEveryFormAndActionOfThePanelWorks(t *testing.T) {
	svctest.Long(t)
	tried := make(map[string]bool)
	for _, name := range []string{"ann", "bea", "cem", "dan"} {
		c, urls := newPanelUser(t, name)
		for _, u := range urls {
			a := c.Do("GET", u)
			if a.Status != 200 { // an earlier form has blocked the member of this profile
				continue
			}
			wantPanel(t, a, a.Str("view"))
			for _, form := range a.List("action_descriptors") {
				sendForm(t, c, u, form)
				tried["form:"+apptest.At(form, "id").(string)] = true
			}
		}
		for _, reverse := range []bool{false, true} {
			c, urls := newPanelUser(t, name)
			for _, u := range urls {
				sent := make(map[string]bool)
				for action := nextAction(c.Do("GET", u), sent, reverse); action != nil; action = nextAction(c.Do("GET", u), sent, reverse) {
					a := c.Do(apptest.At(action, "method").(string), apptest.At(action, "url").(string), apptest.At(action, "body"))
					if a.Status != 200 && a.Status != 201 {
						t.Errorf("%s: %v of %s: got status %d, want 200 or 201: %s", c.Name, action, u, a.Status, a.Body)
					}
					tried[apptest.At(action, "type").(string)] = true
				}
			}
		}
	}
	want(t, "forms and actions", slices.Sorted(maps.Keys(tried)), slices.Sorted(slices.Values(panelActions)))
}

// newPanelUser returns a member of a new fixture, in which all members share a public community,
// and the URLs of all panels that the member can reach by links.
func newPanelUser(t *testing.T, name string) (c *apptest.Client, urls []string) {
	t.Helper()
	s := apptest.NewSocialFixture(t)
	eve := s.Member("eve")
	s.Member("fay")
	all := s.Ann.CreateCommunity(`{"name": "All", "visibility": "public"}`)
	for _, m := range []*apptest.Client{s.Bea, s.Cem, s.Dan, eve} {
		m.Do("POST", all+"/join").Want(200)
	}
	eve.AnswerInvitation(s.Ann.InviteToCommunity(s.Club, eve), "accept").Want(200)
	c = map[string]*apptest.Client{"ann": s.Ann, "bea": s.Bea, "cem": s.Cem, "dan": s.Dan}[name]
	return c, crawlPanels(c)
}

// crawlPanels follows all links from the panel and returns the URLs in order.
func crawlPanels(c *apptest.Client) []string {
	c.T.Helper()
	visited := make(map[string]bool)
	for pending := []string{apptest.SocialPanelPath}; len(pending) > 0; pending = pending[1:] {
		if visited[pending[0]] {
			continue
		}
		visited[pending[0]] = true
		a := c.Do("GET", pending[0]).Want(200)
		pending = append(pending, apptest.Values(a.List("nav"), "action")...)
		for _, action := range panelItemActions(a) {
			if apptest.At(action, "method") == "GET" {
				pending = append(pending, apptest.At(action, "url").(string))
			}
		}
	}
	return slices.Sorted(maps.Keys(visited))
}

// panelItemActions returns the actions of all items of a panel.
func panelItemActions(a *apptest.Answer) (actions []any) {
	for _, section := range a.List("sections") {
		for _, item := range apptest.At(section, "items").([]any) {
			actions = append(actions, apptest.At(item, "actions").([]any)...)
		}
	}
	return actions
}

// sendForm fills in a form of a panel and submits it twice: with the media type of
// HTML forms and as JSON. A form for a file is sent once, as the file.
func sendForm(t *testing.T, c *apptest.Client, panel string, form any) {
	t.Helper()
	method, address := apptest.At(form, "method").(string), apptest.At(form, "url").(string)
	if apptest.At(form, "controls.0.type") == "file" {
		c.Upload(method, address, rastertest.PNG(t, rastertest.Halves(20, 10))).Want(200)
		return
	}
	body := apptest.FillForm(form)
	if body["recipient"] == "Something" {
		body["recipient"] = "eve"
		if apptest.At(form, "id") == "block" {
			body["recipient"] = "fay" // not the recipient of the other forms
		}
	}
	if body["start"] == "Something" {
		body["start"] = "2026-12-24T18:00:00"
	}
	values := make(url.Values)
	for name, v := range body {
		if v != nil {
			values.Set(name, fmt.Sprint(v))
		}
	}
	for _, sent := range []any{apptest.Form(values.Encode()), body} {
		a := c.Do(method, address, sent)
		invited := a.Status == 409 && apptest.At(form, "id") == "invite" // sent by the previous form
		if a.Status != 200 && a.Status != 201 && !invited {
			t.Errorf("%s: form %v of %s, sent as %v: got status %d, want 200 or 201: %s", c.Name, apptest.At(form, "id"), panel, sent, a.Status, a.Body)
		}
	}
}

// nextAction returns an action of the panel that has not been sent yet, or nil
// if there is none. Actions that remove the target of other actions come last,
// or first if reverse is set.
func nextAction(a *apptest.Answer, sent map[string]bool, reverse bool) any {
	if a.Status != 200 {
		return nil // an action has deleted the record
	}
	actions := slices.DeleteFunc(panelItemActions(a), func(action any) bool { return sent[fmt.Sprint(action)] })
	if len(actions) == 0 {
		return nil
	}
	rank := func(action any) int {
		switch id := apptest.At(action, "id").(string); {
		case apptest.At(action, "type") == "social.community.make_private":
			return 1
		case slices.Contains(removals, apptest.At(action, "type").(string)):
			return 3
		case strings.HasPrefix(id, "role_"):
			return 2
		case id == "make_private":
			return 1
		}
		return 0
	}
	slices.SortStableFunc(actions, func(a, b any) int { return rank(a) - rank(b) })
	if reverse {
		slices.Reverse(actions)
	}
	sent[fmt.Sprint(actions[0])] = true
	return actions[0]
}
