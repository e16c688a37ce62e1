package social

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// removals are the types of actions after which other actions have no target, in
// the order in which they are sent.
var removals = []string{
	"social.conversation.close", "social.community.member.remove", "social.event.cancel", "social.community.delete", "social.block", "social.community.leave",
}

// Covers PT-02 and W-36: every Social action of a dataset succeeds if it is sent
// as it is declared. Actions that remove the target of others come last.
func TestDatasetActionsSucceedAsDeclared(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	s.Member("cem")
	ann.InviteToCommunity(ann.CreateCommunity(`{"name": "Family"}`, bea), s.Member("dan"))
	bea.InviteToCommunity(bea.CreateCommunity(`{"name": "Choir", "visibility": "public"}`), ann)
	ann.StartConversation("Trip")
	bea.SendDM(ann, "Psst")
	rank := func(action any) int { return slices.Index(removals, apptest.At(action, "type").(string)) }
	sent := make(map[any]bool)
	for pass := range 2 {
		actions := ann.Dataset().List("actions")
		slices.SortStableFunc(actions, func(a, b any) int { return rank(a) - rank(b) })
		for _, action := range actions {
			kind, id := apptest.At(action, "type").(string), apptest.At(action, "action_id")
			if !strings.HasPrefix(kind, "social.") || sent[id] || pass == 0 && rank(action) >= 0 {
				continue
			}
			sent[id] = true
			a := ann.Do(apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string), commandBody(action))
			removed := a.Status == 404 && rank(action) >= 0
			accepted := a.Status == 422 && kind == "social.invitation.decline" // accepted before
			if a.Status >= 300 && !removed && !accepted {
				t.Errorf("%s: got status %d, want 200 or 201: %s", kind, a.Status, a.Body)
			}
		}
	}
	if len(sent) < 20 {
		t.Errorf("got %d actions, want at least 20", len(sent))
	}
}

// commandBody returns the body of an action with a value for each control.
func commandBody(action any) map[string]any {
	kind, body := apptest.At(action, "type"), maps.Clone(apptest.At(action, "command.body").(map[string]any))
	for _, control := range apptest.At(action, "controls").([]any) {
		id, value := apptest.At(control, "id").(string), apptest.At(control, "default")
		switch {
		case id == "recipient" && (kind == "social.dm.start" || kind == "social.event.invite"):
			value = "bea"
		case id == "recipient":
			value = "cem"
		case value == "" && id == "start":
			value = "2026-12-24T18:00:00"
		case value == "" && apptest.At(control, "required") == true:
			value = "Something"
		}
		body[id] = value
	}
	return body
}
