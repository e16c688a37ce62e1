package record

import (
	"fmt"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// A record has the links of its object and a URL for each action that the viewer
// may perform. Covers B-95 and M-16.
func TestRecordsHaveLinksAndActions(t *testing.T) {
	t1 := thread.Thread{ID: "thr_1", CanReply: true}
	owner := social.CommunityPermissions{CanUpdate: true, CanDelete: true, CanInvite: true}
	for _, c := range []struct {
		name           string
		links, actions any
		want           string
	}{
		{"thread", NewMessageThread(t1).Links, NewMessageThread(t1).Actions, "{/world/messages/thr_1 /world/messages/thr_1/messages} " +
			"map[mark_read:/world/messages/thr_1/read mark_unread:/world/messages/thr_1/unread open_thread:/world/messages/thr_1 send_message:/world/messages/thr_1/messages]"},
		{"thread that accepts no reply", "", NewMessageThread(thread.Thread{ID: "thr_1"}).Actions["send_message"], " /world/messages/thr_1/messages"},
		{"inbox", len(NewInbox(thread.List{Threads: []thread.Thread{t1}}).Threads), NewInbox(thread.List{}).Actions, "1 map[start_thread:/world/messages]"},
		{"detail of a thread", "", NewThreadDetail(thread.Detail{Thread: t1}).Actions["mark_read"], " /world/messages/thr_1/read"},
		{"message", "", NewSentMessage(thread.Sent{Thread: t1}).Thread.ID, " thr_1"},
		{"search results", "", len(NewSearchResults(messages.SearchResults{Results: []messages.SearchResult{{Thread: t1}}}).Results), " 1"},
		{"direct message", NewSocialDM(thread.Thread{ID: "sdm_1"}).Links, NewSocialDM(thread.Thread{ID: "sdm_1"}).Actions,
			"{/world/social/dms/sdm_1 /world/social/dms/sdm_1/messages} map[mark_read:/world/social/dms/sdm_1/read mark_unread:/world/social/dms/sdm_1/unread open_thread:/world/social/dms/sdm_1]"},
		{"list of direct messages", "", NewSocialDMs(thread.List{Threads: []thread.Thread{{}}}).Actions, " map[start_dm:/world/social/dms]"},
		{"detail of a direct message", "", NewSocialDMDetail(thread.Detail{Thread: thread.Thread{ID: "sdm_1"}}).Actions["open_thread"], " /world/social/dms/sdm_1"},
		{"community for a visitor", NewCommunity(social.Community{ID: "com_1"}).Links.Invitations == nil, NewCommunity(social.Community{ID: "com_1"}).Actions,
			"true map[open:/world/social/communities/com_1]"},
		{"community for its owner", *NewCommunity(social.Community{ID: "com_1", Permissions: owner}).Links.Invitations,
			NewCommunity(social.Community{ID: "com_1", Permissions: owner}).Actions, "/world/social/communities/com_1/invitations " +
				"map[delete:/world/social/communities/com_1/delete invite:/world/social/communities/com_1/invitations open:/world/social/communities/com_1 " +
				"update:/world/social/communities/com_1/update]"},
		{"request to join", "", NewCommunityMember(social.CommunityMember{
			MemberRef: social.MemberRef{ID: 2}, CommunityID: "com_1", Permissions: social.MemberPermissions{CanAdmit: true, CanRemove: true},
		}).Actions, " map[admit:/world/social/communities/com_1/members/2/admit remove:/world/social/communities/com_1/members/2/remove]"},
		{"invitation", "", NewInvitation(social.Invitation{ID: "inv_1", Permissions: social.InvitationPermissions{CanRevoke: true}}).Actions,
			" map[revoke:/world/social/invitations/inv_1/revoke]"},
		{"conversation", NewConversation(social.Conversation{ID: "cnv_1"}).Links, NewDiscussion(social.Discussion{Conversation: social.Conversation{ID: "cnv_1"}}).Conversation.Actions,
			"{/world/social/conversations/cnv_1} map[mark_read:/world/social/conversations/cnv_1/read mark_unread:/world/social/conversations/cnv_1/unread open:/world/social/conversations/cnv_1]"},
		{"event", NewEvent(social.Event{ID: "evt_1", ConversationID: "cnv_1"}).Links, NewEvent(social.Event{ID: "evt_1"}).Actions,
			"{/world/social/events/evt_1 /world/social/conversations/cnv_1 /world/social/events/evt_1/replies} map[open:/world/social/events/evt_1]"},
		{"activity", "", NewActivity(social.Activity{Target: social.Target{Type: "event", ID: "evt_1"}}).Actions,
			" map[open:/world/panels/social?view=events&id=evt_1]"},
		{"notification", "", NewNotification(social.Notification{ID: "ntf_1", Target: social.Target{Type: "dm", ID: "sdm_1"}}).Actions,
			" map[mark_read:/world/social/notifications/ntf_1/read open:/world/panels/social?view=dms&id=sdm_1]"},
		{"own profile", "", NewProfile(social.Profile{MemberID: 2, Permissions: social.ProfilePermissions{CanUpdate: true}}).Actions,
			" map[set_avatar:/world/social/profile/avatar set_presence:/world/social/presence update:/world/social/profile/update]"},
		{"person", "", NewPeople([]social.Person{{MemberRef: social.MemberRef{ID: 2}}})[0].Actions, " map[block:/world/social/profiles/2/block]"},
		{"presence", "", NewPresencePage(social.PresencePage{}).Actions, " map[set:/world/social/presence]"},
		{"calendar event", NewTimeObject(words.English, view.Object{ID: "tob_1"}).Links, NewTimeObject(words.English, view.Object{ID: "tob_1", Permissions: view.Permissions{CanDelete: true}}).Actions,
			"{/world/time/objects/tob_1} map[delete:/world/time/objects/tob_1/delete open:/world/time/objects/tob_1]"},
		{"default calendar", NewCalendar(calendar.Calendar{ID: "cal_1"}, nil).Links, NewCalendar(calendar.Calendar{ID: "cal_1", IsDefault: true}, nil).Actions,
			"{/world/calendars/cal_1} map[arrange:/world/calendars/cal_1/arrange open:/world/calendars/cal_1 update:/world/calendars/cal_1/update]"},
		{"entry in the trash", "", NewTrashEntry(calendar.TrashEntry{ID: "tob_1", DeletedAt: time.Time{}}).Actions,
			" map[delete:/world/time/trash/tob_1/delete restore:/world/time/trash/tob_1/restore]"},
	} {
		if got := fmt.Sprint(c.links) + " " + fmt.Sprint(c.actions); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestTruncatedPageHasAFallback(t *testing.T) {
	if got := PageFallbacks(words.English, index.Page{}); got != nil {
		t.Errorf("complete page: got %v, want none", got)
	}
	if got := PageFallbacks(words.English, index.Page{Truncated: true}); len(got) != 1 {
		t.Errorf("truncated page: got %d fallbacks, want 1", len(got))
	}
}

// The record of a list has the records of its items, the page and the counts.
func TestRecordsOfListsHaveTheirPage(t *testing.T) {
	page := svc.Page{NextCursor: new("c"), Limit: 7}
	history := svc.HistoryPage{Limit: 8, PreviousCursor: new("p")}
	t1, dm := thread.Thread{ID: "thr_1"}, thread.Thread{ID: "sdm_1"}

	inbox := NewInbox(thread.List{Threads: []thread.Thread{t1}, Page: page, UnreadTotal: 3})
	if got, want := fmt.Sprint(inbox.Threads[0].Links.Self, inbox.Page, inbox.UnreadTotal), fmt.Sprint("/world/messages/thr_1", page, 3); got != want {
		t.Errorf("inbox: got %s, want %s", got, want)
	}
	found := NewSearchResults(messages.SearchResults{Results: []messages.SearchResult{{Thread: t1, Message: thread.Message{ID: "msg_1"}, Excerpt: "ladder"}}, Page: page})
	if got, want := fmt.Sprint(found.Results[0].Thread.Links.Self, found.Results[0].Message.ID, found.Results[0].Excerpt, found.Page), fmt.Sprint("/world/messages/thr_1", "msg_1", "ladder", page); got != want {
		t.Errorf("search results: got %s, want %s", got, want)
	}
	detail := NewThreadDetail(thread.Detail{Thread: t1, Messages: []thread.Message{{ID: "msg_1"}}, Page: history})
	if got, want := fmt.Sprint(detail.Thread.Links.Self, detail.Messages[0].ID, detail.Page), fmt.Sprint("/world/messages/thr_1", "msg_1", history); got != want {
		t.Errorf("detail of a thread: got %s, want %s", got, want)
	}
	sent := NewSentMessage(thread.Sent{Thread: t1, Message: thread.Message{ID: "msg_1"}})
	if got, want := fmt.Sprint(sent.Thread.Links.Self, sent.Message.ID), "/world/messages/thr_1msg_1"; got != want {
		t.Errorf("message: got %s, want %s", got, want)
	}
	dms := NewSocialDMs(thread.List{Threads: []thread.Thread{dm}, Page: page, UnreadTotal: 3})
	if got, want := fmt.Sprint(dms.DMs[0].Links.Self, dms.Page, dms.UnreadTotal), fmt.Sprint("/world/social/dms/sdm_1", page, 3); got != want {
		t.Errorf("list of direct messages: got %s, want %s", got, want)
	}
	conversation := NewSocialDMDetail(thread.Detail{Thread: dm, Messages: []thread.Message{{ID: "smg_1"}}, Page: history})
	if got, want := fmt.Sprint(conversation.DM.Links.Self, conversation.Messages[0].ID, conversation.Page), fmt.Sprint("/world/social/dms/sdm_1", "smg_1", history); got != want {
		t.Errorf("detail of a direct message: got %s, want %s", got, want)
	}
}
