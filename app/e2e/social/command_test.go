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
	"social.community.make_private", "social.conversation.close", "social.community.member.remove", "social.event.cancel", "social.community.delete", "social.block", "social.community.leave",
}

// datasetActions are the types of the actions that the dataset of ann declares.
var datasetActions = strings.Fields(`
	social.block social.community.avatar.delete social.community.avatar.set social.community.color social.community.create social.community.delete social.community.make_private social.community.invite social.community.join
	social.community.leave social.community.member.admit social.community.member.remove social.community.member.role social.community.open
	social.community.update social.conversation.close social.conversation.create social.conversation.open social.conversation.reopen
	social.conversation.read social.conversation.reply social.conversation.unread social.conversation.update social.dm.open social.dm.read social.dm.send social.dm.start
	social.dm.unread social.event.cancel
	social.event.create social.event.invite social.event.open social.event.reply social.event.rsvp social.event.update social.invitation.accept
	social.invitation.decline social.invitation.revoke social.notifications.read social.presence.set social.profile.avatar.delete social.profile.avatar.set social.profile.open social.profile.update
	social.unblock`)

// Covers PT-02 and W-36: every Social action of a dataset succeeds if it is sent
// as it is declared. Actions that remove the target of others come last.
func TestDatasetActionsSucceedAsDeclared(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	s.Member("cem")
	ann.InviteToCommunity(ann.CreateCommunity(`{"name": "Family"}`, bea), s.Member("dan"))
	bea.InviteToCommunity(bea.CreateCommunity(`{"name": "Choir", "visibility": "public"}`), ann)
	town := ann.CreateCommunity(`{"name": "Town", "visibility": "public", "join_policy": "request"}`, bea)
	s.Member("fay").Do("POST", town+"/join").Want(200)
	ann.Do("DELETE", apptest.ConversationsPath+"/"+ann.StartConversation("Trip")).Want(200)
	ann.Do("POST", apptest.ConversationsPath+"/"+ann.StartConversation("Dinner")+"/replies", `{"body": "At six"}`).Want(201)
	ann.Block(s.Member("eve")).Want(201)
	bea.SendDM(ann, "Psst")
	rank := func(action any) int { return slices.Index(removals, apptest.At(action, "type").(string)) }
	sent, types := make(map[any]bool), make(map[string]bool)
	for pass := range 2 {
		actions := ann.Dataset().List("actions")
		slices.SortStableFunc(actions, func(a, b any) int { return rank(a) - rank(b) })
		for _, action := range actions {
			kind, id := apptest.At(action, "type").(string), apptest.At(action, "action_id")
			if !strings.HasPrefix(kind, "social.") || sent[id] || pass == 0 && rank(action) >= 0 {
				continue
			}
			sent[id], types[kind] = true, true
			method, url := apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string)
			a := (*apptest.Answer)(nil)
			if slices.Contains(apptest.At(action, "command.encodings").([]any), any("image/png")) {
				a = ann.Upload(method, url, s.AvatarFile(1))
			} else {
				a = ann.Do(method, url, commandBody(action))
			}
			removed := a.Status == 404 && rank(action) >= 0
			accepted := a.Status == 422 && kind == "social.invitation.decline" // an earlier action has accepted the invitation
			if a.Status >= 300 && !removed && !accepted {
				t.Errorf("%s: got status %d, want 200 or 201: %s", kind, a.Status, a.Body)
			}
		}
	}
	want(t, "types of the actions", slices.Sorted(maps.Keys(types)), slices.Sorted(slices.Values(datasetActions)))
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
