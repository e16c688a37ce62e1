package action

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// These records permit every action to the viewer. There is one per table and state.
var (
	messageThread = thread.Thread{ID: "thr_1", CanReply: true, UnreadCount: 1}
	conversation  = social.Conversation{
		ID: "cnv_1", State: "open", UnreadCount: 1, Permissions: social.ConversationPermissions{CanReply: true, CanUpdate: true, CanClose: true},
	}
	event = social.Event{
		ID: "evt_1", RSVP: social.RSVPSummary{Mine: "none"},
		Permissions: social.EventPermissions{CanUpdate: true, CanDelete: true, CanReply: true, CanRSVP: true, CanInvite: true},
	}
	community = social.Community{
		ID: "com_1", Visibility: "public", JoinPolicy: "open",
		Permissions: social.CommunityPermissions{CanPost: true, CanInvite: true, CanUpdate: true, CanDelete: true, CanChangeAppearance: true, CanJoin: true, CanLeave: true},
		Appearance:  svc.CommunityAppearance("com_1", "", "a1"),
	}
	communityMember = social.CommunityMember{
		MemberRef: social.MemberRef{ID: 2, DisplayName: "Bea"}, CommunityID: "com_1", Role: new(social.RoleMember),
		Permissions: social.MemberPermissions{CanChangeRole: true, CanAdmit: true, CanRemove: true},
	}
	invitation = social.Invitation{
		ID: "inv_1", Invitee: social.MemberRef{ID: 2, DisplayName: "Bea"},
		Permissions: social.InvitationPermissions{CanAccept: true, CanDecline: true, CanRevoke: true},
	}
	dm     = thread.Thread{ID: "sdm_1", CanReply: true, UnreadCount: 1}
	member = Member{
		ID: 2, Permissions: social.ProfilePermissions{CanView: true, CanUpdate: true, CanDM: true}, Avatar: svc.MemberAppearance(2, "", "a1").Avatar,
	}
	task = TimeObject{Object: view.Object{
		ID: "tob_1", ObjectType: view.TaskType, Permissions: view.Permissions{CanUpdate: true, CanDelete: true},
		State: view.State{
			ETag: `"1"`, TaskState: new(view.TaskState), Recurrence: view.Recurrence{RRule: new("FREQ=DAILY")},
			Occurrence:     &view.Occurrence{RecurrenceID: new("2026-12-02"), End: &view.Moment{Date: new("2026-12-02")}},
			EditableFields: svc.List[string]{"title", "start", "due", "timezone", "description", "rrule", "alarms", "status", "calendar_id"},
		},
	}, Calendars: svc.List[Option]{{Value: "cal_1", Label: "Home", Name: true}}}
	account = Account{
		Member: identity.Member{ID: 1, DisplayName: "Ann", Email: "ann@example.org", Username: "ann", Zone: svc.ZoneInUse{Timezone: "Europe/Berlin", Source: svc.ZoneOfMember}, Locale: "tlh"},
		Factor: identity.SecondFactor{Enabled: true, TOTP: new(identity.TOTP), TOTPPending: true, TOTPAvailable: true, PasskeysAvailable: true},
	}
	general   = SocialViewer{Presence: new(social.Presence)}
	timeStart = NewTimeObjects{
		Calendars: []calendar.Calendar{{ID: "cal_1", Name: "Home", IsDefault: true, Components: ics.ObjectComponents}}, Timezone: "Europe/Berlin", Preferences: new(calendar.Boundaries),
	}
)

var managedMember = ManagedMember{AdminMember: identity.AdminMember{
	Member: identity.Member{ID: 2, Username: "bea", Status: identity.Active}, SecondFactor: true,
}}

func newBuilder(t *testing.T) Builder {
	t.Helper()
	return Builder{Namer: Namer{[]byte("key of a server")}, Member: 1, Forms: true, Workspace: true}
}

// sameInGerman are the labels that are the same in both languages.
var sameInGerman = []string{"Name", "Status", "Text", "Online", "Offline", "Moderator", "RSVP", "Rose", "Iris", "Gold", "Link"}

// wantGerman fails unless the labels of an action are translated.
func wantGerman(t *testing.T, action string, english, german Offer) {
	t.Helper()
	want := func(english, german string) {
		t.Helper()
		if english == german && !slices.Contains(sameInGerman, english) {
			t.Errorf("%s: got no German text for %q in svc/words/de.json", action, english)
		}
	}
	wantOptions := func(english, german []Option) {
		t.Helper()
		for i, o := range english {
			if !o.Name {
				want(o.Label, german[i].Label)
			}
		}
	}
	want(english.Label, german.Label)
	if english.Confirm != "" {
		want(english.Confirm, german.Confirm)
	}
	wantOptions(english.Scopes, german.Scopes)
	controls := german.Controls()
	for i, c := range english.Controls() {
		if c.Type != "hidden" {
			want(c.Label, controls[i].Label)
		}
		wantOptions(c.Options, controls[i].Options)
	}
}

// wantComplete fails t unless the names of the entries and the URLs of the actions map are
// distinct, and all texts and controls are complete.
func wantComplete[R any](t *testing.T, name string, table Table[R], r R) {
	t.Helper()
	var names []string
	for _, e := range table.Entries {
		if slices.Contains(names, e.Name) {
			t.Errorf("%s: got two entries named %s", name, e.Name)
		}
		names = append(names, e.Name)
	}
	byURL := make(map[string]string)
	for name, url := range table.URLs(r) {
		if !strings.HasPrefix(url, "/world/") || byURL[url] != "" {
			t.Errorf("%s: got the URL %s, want one below /world/ that %q does not have", name, url, byURL[url])
		}
		byURL[url] = name
	}
	german := table.Offers(words.German, r)
	for i, o := range table.Offers(words.English, r) {
		if o.Label == "" || o.Type == "" || o.Label != strings.TrimSpace(o.Label) {
			t.Errorf("%s.%s: got label %q and type %q", name, o.Name, o.Label, o.Type)
		}
		if !slices.Contains([]Method{"", "GET", "POST", "PATCH", "DELETE"}, o.Method) || (o.Method == "") != (o.URL == "") {
			t.Errorf("%s.%s: got the request %s %s", name, o.Name, o.Method, o.URL)
		}
		if o.Method == "DELETE" && !o.Destructive && o.Type != "social.unblock" || o.Method == "GET" && o.Destructive {
			t.Errorf("%s.%s: got destructive %t for %s", name, o.Name, o.Destructive, o.Method)
		}
		if o.Confirm != "" && (o.HasForm || o.Method == "GET") {
			t.Errorf("%s.%s: got the confirmation %q of a form or a read", name, o.Name, o.Confirm)
		}
		wantGerman(t, name+"."+o.Name, o, german[i])
		ids := make(map[string]bool)
		for _, c := range o.Controls() {
			if svc.CheckChosen("type", c.Type) != nil {
				t.Errorf("%s.%s: got control %s of type %q, want one of the set", name, o.Name, c.ID, c.Type)
			}
			mayChoose := c.Type == "selector" || c.Type == "color"
			if c.Label == "" || ids[c.ID] || c.Type == "selector" && len(c.Options) == 0 || !mayChoose && len(c.Options) > 0 {
				t.Errorf("%s.%s: got control %s labelled %q with %d options", name, o.Name, c.ID, c.Label, len(c.Options))
			}
			if (c.Type == "members" || c.Type == "alarm") != c.Multiple {
				t.Errorf("%s.%s: got control %s of the type %q, multiple %t", name, o.Name, c.ID, c.Type, c.Multiple)
			}
			ids[c.ID] = true
			for _, option := range c.Options {
				if option.Label == "" {
					t.Errorf("%s.%s: option %q of %s has no label", name, o.Name, option.Value, c.ID)
				}
			}
		}
	}
	actions := table.Actions(newBuilder(t), Workspace, r)
	for i, a := range actions {
		if a.Method != a.Command.Method || !strings.HasPrefix(a.Command.URL, "/world/") || a.Availability != "enabled" {
			t.Errorf("%s: got action %+v", name, a)
		}
		if slices.Contains(IDs(actions)[:i], a.ActionID) {
			t.Errorf("%s: got two actions with the id %s", name, a.ActionID)
		}
	}
}

// The names and the URLs of a table are distinct, and labels and controls are
// complete. Covers B-95.
func TestTablesAreComplete(t *testing.T) {
	wantComplete(t, "threads", Threads, messageThread)
	wantComplete(t, "new threads", NewThreads, struct{}{})
	wantComplete(t, "conversations", Conversations, conversation)
	wantComplete(t, "events", Events, event)
	wantComplete(t, "communities", Communities, community)
	wantComplete(t, "community members", CommunityMembers, communityMember)
	wantComplete(t, "invitations", Invitations, invitation)
	wantComplete(t, "dms", DMs, dm)
	wantComplete(t, "profiles", Profiles, member)
	wantComplete(t, "blocks", Blocks, social.Block{MemberID: 2, DisplayName: "Bea"})
	wantComplete(t, "social", Social, general)
	wantComplete(t, "activities", Activities, social.Activity{Target: social.Target{Type: "event", ID: "evt_1"}})
	wantComplete(t, "notifications", Notifications, social.Notification{ID: "ntf_1", Target: social.Target{Type: "dm", ID: "sdm_1"}})
	wantComplete(t, "time objects", TimeObjects, task)
	wantComplete(t, "time", Time, timeStart)
	wantComplete(t, "calendars", Calendars, calendar.Calendar{ID: "cal_1"})
	wantComplete(t, "account", Accounts, account)
	wantComplete(t, "appearance", Appearances, account)
	wantComplete(t, "second factors", Factors, account)
	wantComplete(t, "passkeys", Passkeys, Passkey{Passkey: identity.Passkey{ID: "pky_1", Label: "Phone"}, Account: account})
	wantComplete(t, "device passwords", Devices, identity.Device{ID: "dev_1", Label: "Phone"})
	wantComplete(t, "sessions", Sessions, Session{Token: identity.Token{ID: "tok_1"}})
	wantComplete(t, "session of the request", Sessions, Session{Token: identity.Token{ID: "tok_1"}, Current: true})
	wantComplete(t, "links of calendars", CalendarLinks, LinkedCalendar{Calendar: calendar.Calendar{ID: "cal_1"}, Feed: new(calendar.Feed)})
	wantComplete(t, "the whole trash", TrashBin, struct{}{})
	wantComplete(t, "trash", Trash, calendar.TrashEntry{ID: "tob_1"})
	wantComplete(t, "workspace items", WorkspaceItems, WorkspaceItem{Resource: "time__task__tob_1", Focusable: true, Placed: true, Before: "wo_1", After: "wo_2"})
	wantComplete(t, "workspaces", Workspaces, WorkspaceState{Order: "wo_1 wo_2", Focused: true})
	wantComplete(t, "operators", Operators, ServerState{InvitationsWork: true, InPanel: true})
	wantComplete(t, "managed members", ManagedMembers, managedMember)
	wantComplete(t, "managed devices", ManagedDevices, ManagedDevice{identity.Device{ID: "dev_1", Label: "Phone"}, 2})
	wantComplete(t, "member invitations", MemberInvitations, identity.Invitation{ID: "inv_1"})
	wantComplete(t, "map regions", MapRegions, MapRegion{ID: 3, Name: "malta", Removable: true})
	wantComplete(t, "managed providers", ManagedProviders, ManagedProvider{Provider: provider.Provider{Registration: provider.Registration{ID: "library", Label: "Library"}}})
	wantComplete(t, "findings", Findings, WorkspaceFinding{Finding: svc.Finding{ObjectType: "html_resource"}, Resource: "find__web_resource__1"})
}

// In an actions map, a PATCH or DELETE request is a POST route below the record,
// and a query stays at the end. Covers B-95.
func TestURLsOfAnActionsMapAcceptPOST(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want map[string]string
	}{
		{"conversation", Conversations.URLs(conversation), map[string]string{
			"open": "/world/social/conversations/cnv_1", "reply": "/world/social/conversations/cnv_1/replies", "mark_read": "/world/social/conversations/cnv_1/read",
			"mark_unread": "/world/social/conversations/cnv_1/unread",
			"update":      "/world/social/conversations/cnv_1/update", "close": "/world/social/conversations/cnv_1/close",
		}},
		{"occurrence of a task", TimeObjects.URLs(task), map[string]string{
			"open": "/world/time/objects/tob_1", "update": "/world/time/objects/tob_1/update?recurrence_id=2026-12-02", "move": "/world/time/objects/tob_1/move?recurrence_id=2026-12-02",
			"delete":            "/world/time/objects/tob_1/delete",
			"delete_future":     "/world/time/objects/tob_1/delete?recurrence_id=2026-12-02&scope=this_and_future",
			"complete":          "/world/time/objects/tob_1/complete?recurrence_id=2026-12-02&scope=this",
			"delete_occurrence": "/world/time/objects/tob_1/delete?recurrence_id=2026-12-02&scope=this",
		}},
		{"new calendar entries", Time.URLs(timeStart), map[string]string{
			"create_calendar": "/world/calendars", "set_preferences": "/world/time/preferences/update",
		}},
		{"own profile", Profiles.URLs(member), map[string]string{
			"open": "/world/social/profiles/2", "update": "/world/social/profile/update", "set_avatar": "/world/social/profile/avatar",
			"delete_avatar": "/world/social/profile/avatar/delete", "set_presence": "/world/social/presence", "start_dm": "/world/social/profiles/2/dms",
		}},
	} {
		if len(c.got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
		for name, want := range c.want {
			if got := c.got[name]; got != want {
				t.Errorf("%s, %s: got %q, want %q", c.name, name, got, want)
			}
		}
	}
}

// The server accepts the request of an entry also as POST at the alias of each entry with this
// request, which fixes the same fields. Covers B-95.
func TestEndpointHasTheAliasesOfItsRequest(t *testing.T) {
	for _, c := range []struct {
		got           Endpoint
		request, want string // names of the aliases, with their fixed fields
	}{
		{Communities.Endpoint("color"), "PATCH /world/social/communities/{id}", "update color make_private{visibility:private}"},
		{TimeObjects.Endpoint("complete"), "PATCH /world/time/objects/{id}", "complete{status:completed} complete_up_to_today{status:completed} reopen{status:needs_action} update move"},
		{TimeObjects.Endpoint("delete"), "DELETE /world/time/objects/{id}", "delete"},
		{Conversations.Endpoint("reply"), "POST /world/social/conversations/{id}/replies", ""},
		{Accounts.Endpoint("update").With(Appearances.Endpoint("appearance")), "PATCH /world/identity/me", "update sign_in_details appearance"},
	} {
		var aliases []string
		for _, a := range c.got.Aliases {
			name := a.Name
			for field, value := range a.Fixed {
				name += fmt.Sprintf("{%s:%v}", field, value)
			}
			aliases = append(aliases, name)
		}
		if got := strings.Join(aliases, " "); c.got.Request != c.request || got != c.want {
			t.Errorf("got %s with the aliases %q, want %s with %q", c.got.Request, got, c.request, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an entry that does not exist: got no panic")
		}
	}()
	Conversations.Endpoint("none")
}

func offeredNames[R any](t Table[R], r R) string {
	var list []string
	for _, o := range t.Offers(words.English, r) {
		list = append(list, o.Name)
	}
	return strings.Join(list, " ")
}

// A record offers only the actions that its permissions and its state allow.
// Covers O-38.
func TestOffersFollowPermissionsAndState(t *testing.T) {
	closed, cancelled, completed, late, last, single, mirror := conversation, event, task, task, task, task, task
	closed.State = "closed"
	cancelled.Permissions = social.EventPermissions{}
	completed.State.Status = "completed"
	late.State.TaskState = &view.TaskState{IsOverdue: true, OthersDue: true}
	last.State.TaskState = &view.TaskState{IsOverdue: true}
	single.State.Occurrence = nil
	single.ObjectType = view.EventType
	mirror.Permissions = view.Permissions{}
	disabled, operator, fixed, deleted := managedMember, managedMember, managedMember, managedMember
	disabled.Status, disabled.SecondFactor = identity.Disabled, false
	operator.IsOperator = true
	fixed.OperatorsFixed = true
	deleted.Status, deleted.SecondFactor = identity.Deleted, false
	used := identity.Invitation{ID: "inv_1", UsedAt: new(time.Time)}
	for _, c := range []struct{ name, got, want string }{
		{"managed member", offeredNames(ManagedMembers, managedMember), "open open_audit update disable end_sessions revoke_access reset_password reset_factor export promote delete"},
		{"disabled member", offeredNames(ManagedMembers, disabled), "open open_audit update enable end_sessions revoke_access export delete"},
		{"operator", offeredNames(ManagedMembers, operator), "open open_audit update disable end_sessions revoke_access reset_password reset_factor export demote delete"},
		{"member where the environment sets the operators", offeredNames(ManagedMembers, fixed), "open open_audit update disable end_sessions revoke_access reset_password reset_factor export delete"},
		{"deleted member", offeredNames(ManagedMembers, deleted), "open_audit"},
		{"used invitation", offeredNames(MemberInvitations, used), ""},
		{"region of the program", offeredNames(MapRegions, MapRegion{Name: "towns"}), ""},
		{"provider while Find is off", offeredNames(ManagedProviders, ManagedProvider{Off: true}), ""},
		{"operator in the dataset", offeredNames(Operators, ServerState{InvitationsWork: true}), "add_member invite back_up"},
		{"operator during a backup, with closed registration", offeredNames(Operators, ServerState{BackupRunning: true}), "add_member"},
		{"closed conversation", offeredNames(Conversations, closed), "open reply mark_read mark_unread update reopen"},
		{"conversation of another member", offeredNames(Conversations, social.Conversation{State: "open"}), "open mark_read mark_unread"},
		{"cancelled event", offeredNames(Events, cancelled), "open"},
		{"completed task", offeredNames(TimeObjects, completed), "open reopen update move delete_occurrence delete_future delete"},
		{"overdue task of a series", offeredNames(TimeObjects, late), "open complete complete_up_to_today update move delete_occurrence delete_future delete"},
		{"overdue task of a series, of which nothing else is due", offeredNames(TimeObjects, last), "open complete update move delete_occurrence delete_future delete"},
		{"single event", offeredNames(TimeObjects, single), "open update delete"},
		{"entry that the member cannot change", offeredNames(TimeObjects, mirror), "open"},
		{"default calendar", offeredNames(Calendars, calendar.Calendar{IsDefault: true}), "open update arrange"},
		{"read-only calendar", offeredNames(Calendars, calendar.Calendar{ReadOnly: true}), "open arrange"},
		{"community for an outsider", offeredNames(Communities, social.Community{Visibility: "public"}), "open"},
		{"thread with a former member", offeredNames(Threads, thread.Thread{}), "open_thread mark_read mark_unread"},
		{"finding that is saved", offeredNames(Findings, WorkspaceFinding{Finding: svc.Finding{ObjectType: "html_resource"}, Saved: true, Read: true}), ""},
		{"finding that is only read", offeredNames(Findings, WorkspaceFinding{Finding: svc.Finding{ObjectType: "html_resource"}, Read: true}), "save"},
		{"member who is hidden", offeredNames(Profiles, Member{ID: 2}), "block"},
		{"object outside the workspace", offeredNames(WorkspaceItems, WorkspaceItem{Focusable: true}), "focus"},
		{"empty workspace", offeredNames(Workspaces, WorkspaceState{}), ""},
		{"general actions in the dataset", offeredNames(Social, SocialViewer{}), "create_conversation create_community create_event start_dm read_notifications block"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

// The dataset and panels omit mark_read when nothing is unread; the actions map
// contains it.
func TestUselessActionsAreOnlyInActionsMaps(t *testing.T) {
	readThread := messageThread
	readThread.UnreadCount = 0
	if got := Threads.URLs(readThread)["mark_read"]; got != "/world/messages/thr_1/read" {
		t.Errorf("actions map: got %q, want /world/messages/thr_1/read", got)
	}
	for _, a := range Threads.Actions(newBuilder(t), Workspace, readThread) {
		if a.Type == "mark_read" {
			t.Error("got mark_read in the dataset, want none")
		}
	}
	readNotification := social.Notification{ID: "ntf_1", ReadAt: new(time.Time)}
	if o := Notifications.Offers(words.English, readNotification, "mark_read"); o[0].Useful {
		t.Error("mark_read of a read notification: got useful, want not")
	}
}

// A label names the effect of the action in the current state.
func TestLabelsFollowTheState(t *testing.T) {
	requested := community
	requested.JoinPolicy, requested.Membership.State = "request", "requested"
	applicant := communityMember
	applicant.Role = nil
	single := task
	single.State.Occurrence = nil
	label := func(offers []Offer) string { return offers[0].Label }
	for _, c := range []struct{ got, want string }{
		{label(Communities.Offers(words.English, community, "join")), "Join"},
		{label(Communities.Offers(words.English, requested, "join")), "Request to join"},
		{label(Communities.Offers(words.English, community, "leave")), "Leave"},
		{label(Communities.Offers(words.English, requested, "leave")), "Withdraw request"},
		{label(CommunityMembers.Offers(words.English, communityMember, "remove")), "Remove Bea"},
		{label(CommunityMembers.Offers(words.English, applicant, "remove")), "Decline request of Bea"},
		{label(TimeObjects.Offers(words.English, task, "delete")), "Delete series"},
		{label(TimeObjects.Offers(words.English, single, "delete")), "Delete"},
		{label(Conversations.Offers(words.English, conversation, "close")), "Close conversation"},
	} {
		if c.got != c.want {
			t.Errorf("got label %q, want %q", c.got, c.want)
		}
	}
}

// The member confirms an action whose effect is final or concerns other members, but not one
// that can be undone or that cancels a pending record.
func TestConfirmationsFollowTheState(t *testing.T) {
	requested, applicant := community, communityMember
	requested.Membership.State = "requested"
	applicant.Role = nil
	shared := LinkedCalendar{Calendar: calendar.Calendar{ID: "cal_1"}}
	shared.Feed = new(calendar.Feed)
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	series, endless := event, event
	series.Times = svc.EventTimes{Start: day, End: day.AddDate(0, 0, 1), Timezone: "UTC", AllDay: true, RRule: "FREQ=WEEKLY;COUNT=12"}
	endless.Times = series.Times
	endless.Times.RRule = "FREQ=WEEKLY"
	series.RRule, endless.RRule = &series.Times.RRule, &endless.Times.RRule
	for _, c := range []struct {
		name   string
		offers []Offer
		want   string
	}{
		{"leave", Communities.Offers(words.English, community, "leave"), "To come back, you have to join again."},
		{"withdraw a request", Communities.Offers(words.English, requested, "leave"), ""},
		{"make private", Communities.Offers(words.English, community, "make_private"), "This cannot be undone."},
		{"make private in German", Communities.Offers(words.German, community, "make_private"), "Das lässt sich nicht rückgängig machen."},
		{"remove a member", CommunityMembers.Offers(words.English, communityMember, "remove"), "To come back, the member has to join again."},
		{"decline a request", CommunityMembers.Offers(words.English, applicant, "remove"), ""},
		{"remove a link", CalendarLinks.Offers(words.English, shared, "delete_feed"), "Calendar apps with the present link can no longer read the calendar."},
		{"cancel an event", Events.Offers(words.English, event, "cancel"), "This cannot be undone."},
		{"cancel a series", Events.Offers(words.English, series, "cancel"), "All 12 dates of the series are cancelled. This cannot be undone."},
		{"cancel a series without an end", Events.Offers(words.English, endless, "cancel"), "All dates of the series are cancelled. This cannot be undone."},
		{"delete a calendar", Calendars.Offers(words.English, calendar.Calendar{ID: "cal_1"}, "delete"), ""},
	} {
		if got := c.offers[0].Confirm; got != c.want {
			t.Errorf("%s: got the confirmation %q, want %q", c.name, got, c.want)
		}
	}
	for _, a := range Communities.Actions(newBuilder(t), Workspace, community) {
		if a.Type == "social.community.delete" && (a.Confirm == "" || !a.Destructive) {
			t.Errorf("%s in the dataset: got the confirmation %q and destructive %t", a.Type, a.Confirm, a.Destructive)
		}
	}
}

// An action with controls is unavailable to a runtime that declared no forms.
func TestActionsWithControlsNeedForms(t *testing.T) {
	b := newBuilder(t)
	b.Forms = false
	for _, a := range Conversations.Actions(b, Workspace, conversation) {
		want := contract.Enabled
		if len(a.Controls) > 0 {
			want = contract.Unavailable
		}
		if a.Availability != want || (a.Fallback != nil) != (want == "unavailable") {
			t.Errorf("%s: got availability %q and fallback %v, want %q", a.Type, a.Availability, a.Fallback, want)
		}
	}
}

// World performs an action that has no method and path at the URL of its
// action_id.
func TestDispatchedActionsHaveTheURLOfTheirID(t *testing.T) {
	b := newBuilder(t)
	for _, a := range WorkspaceItems.Actions(b, Object("wo_1"), WorkspaceItem{Resource: "time__task__tob_1", Focusable: true}) {
		code, resource, ok := b.Parse(a.ActionID, b.Member)
		if a.Command.URL != ActionsURL+a.ActionID || a.Method != "POST" || code != FocusCode || resource != "time__task__tob_1" || !ok {
			t.Errorf("got action %+v with code %q and resource %q", a, code, resource)
		}
	}
	if got := DispatchedType(SaveCode); got != "save_object" {
		t.Errorf("type of %s: got %q, want save_object", SaveCode, got)
	}
	if a := b.FieldChoice("radius_500", "set_field_radius", "500 m", "/world/runtime?radius=500"); a.Method != "GET" || a.Command.URL != "/world/runtime?radius=500" {
		t.Errorf("field choice: got %s %s", a.Method, a.Command.URL)
	}
}

// A form contains no control for a field that it would damage: a location with
// coordinates, a truncated text, or any field of a mirror except the calendar.
func TestControlsOmitFieldsThatTheFormWouldDamage(t *testing.T) {
	controls := func(offers []Offer) (ids []string) {
		for _, c := range offers[0].Controls() {
			ids = append(ids, c.ID)
		}
		return ids
	}
	located := event
	located.Location.Latitude, located.Location.Longitude = new(52.5), new(13.4)
	if got := controls(Events.Offers(words.English, located, "update")); slices.Contains(got, "location") {
		t.Errorf("event with coordinates: got controls %v, want no location", got)
	}
	long, mirror := task, task
	long.State.Truncated = svc.List[string]{"description"}
	if got := controls(TimeObjects.Offers(words.English, long, "update")); slices.Contains(got, "description") || !slices.Contains(got, "due") {
		t.Errorf("truncated description: got controls %v, want due and no description", got)
	}
	mirror.ObjectType, mirror.State.SourceService, mirror.State.EditableFields = view.EventType, new("social"), view.MirrorFields
	if got, want := controls(TimeObjects.Offers(words.English, mirror, "update")), []string{"alarms", "calendar_id", "color", "local_visibility"}; !slices.Equal(got, want) {
		t.Errorf("mirror: got controls %v, want %v", got, want)
	}
	private := community
	private.Visibility = "private"
	if got := controls(Communities.Offers(words.English, private, "update")); slices.Contains(got, "join_policy") {
		t.Errorf("private community: got controls %v, want no join_policy", got)
	}
}

// The error of a rejected request contains the alternative, if there is one.
// Covers E-05 and B-53.
func TestGuidanceNamesDeclaredActions(t *testing.T) {
	var types []string
	for _, a := range WithGuidance(svc.Errorf(svc.ParticipantsFixed, "Threads have two participants.")).(*svc.Error).Guidance.Actions {
		types = append(types, a.Type+" "+a.Method+" "+a.URL)
	}
	want := []string{
		"social.conversation.create POST /world/social/conversations", "social.community.create POST /world/social/communities",
		"social.event.create POST /world/social/events",
	}
	if !slices.Equal(types, want) {
		t.Errorf("got %q, want %q", types, want)
	}
	unguided := svc.Errorf(svc.NotFound, "There is nothing.")
	if got := WithGuidance(unguided); got != error(unguided) {
		t.Errorf("error without guidance: got %v, want it unchanged", got)
	}
}

// The encodings of an action with a file are the media types that its control
// accepts.
func TestBodyOfAnActionWithAFileIsTheFile(t *testing.T) {
	for _, a := range slices.Concat(Profiles.Actions(newBuilder(t), Workspace, member), Communities.Actions(newBuilder(t), Workspace, community)) {
		want := encodings
		if strings.HasSuffix(a.Type, ".avatar.set") {
			want = PictureTypes
			if c := a.Controls; len(c) != 1 || c[0].Type != "file" || !slices.Equal(c[0].Accept, want) || c[0].MaxBytes != MaxPicture {
				t.Errorf("%s: got the controls %+v, want one file of up to %d bytes", a.Type, c, MaxPicture)
			}
		}
		if !slices.Equal(a.Command.Encodings, want) {
			t.Errorf("%s: got the encodings %v, want %v", a.Type, a.Command.Encodings, want)
		}
	}
}

// The source of a record names the actions that the dataset offers on it; the sources of
// Messages and Time name only the types in the contract. Covers M-35 and T-33.
func TestDomainActionsAreThoseOfTheDataset(t *testing.T) {
	b := newBuilder(t)
	for _, c := range []struct {
		domain  svc.List[string]
		dataset []Action
		others  []string // types of actions that the contract does not name
	}{
		{SourceActions.Community(community), Communities.Actions(b, Workspace, community), nil},
		{SourceActions.Community(social.Community{}), Communities.Actions(b, Workspace, social.Community{}), nil},
		{SourceActions.Conversation(conversation), Conversations.Actions(b, Workspace, conversation), nil},
		{SourceActions.Event(event), Events.Actions(b, Workspace, event), nil},
		{SourceActions.DM(social.DM{Thread: dm}), DMs.Actions(b, Workspace, dm), nil},
		{SourceActions.DM(social.DM{}), DMs.Actions(b, Workspace, thread.Thread{}), nil},
		{
			SourceActions.Profile(social.PresentProfile{Profile: social.Profile{MemberID: 2, Permissions: member.Permissions}}),
			Profiles.Actions(b, Workspace, Member{ID: 2, Permissions: member.Permissions}), nil,
		},
		{messages.NewSource(svc.Trust(1), messageThread).DomainActions, Threads.Actions(b, Workspace, messageThread), []string{"mark_read", "mark_unread"}},
		{TimeObjectActions(task.Object), TimeObjects.Actions(b, Workspace, task), []string{"move_time_object"}},
		{TimeObjectActions(view.Object{}), TimeObjects.Actions(b, Workspace, TimeObject{}), nil},
	} {
		var types []string
		for _, a := range c.dataset {
			if !slices.Contains(c.others, a.Type) && !slices.Contains(types, a.Type) {
				types = append(types, a.Type)
			}
		}
		if !slices.Equal(c.domain, types) {
			t.Errorf("got the domain actions %q, want %q", c.domain, types)
		}
	}
	for _, c := range []struct{ got, want []string }{
		{messages.NewSource(svc.Trust(1), thread.Thread{}).DomainActions, []string{"open_thread", "send_message"}},
		{TimeObjectActions(task.Object), []string{"open_time_object", "update_time_object", "delete_time_object"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got the domain actions %q, want %q", c.got, c.want)
		}
	}
}

// Secrets are entered in controls without a default. An operator confirms with a code
// only if they have a second factor. Covers B-108.
func TestOperatorsConfirmWithPasswordOrCode(t *testing.T) {
	controls := func(m ManagedMember, name string) (ids []string) {
		for _, c := range ManagedMembers.Offers(words.English, m, name)[0].Controls() {
			id := c.ID
			if c.Required {
				id += "!"
			}
			if c.Type == "password" && c.Default != nil {
				t.Errorf("%s of %s: got the default %v, want none", c.ID, name, c.Default)
			}
			ids = append(ids, id)
		}
		return ids
	}
	withFactor := managedMember
	withFactor.Factor = true
	for _, name := range []string{"reset_password", "reset_factor", "export", "promote", "delete"} {
		if got := controls(managedMember, name); !slices.Equal(got, []string{"current_password!"}) {
			t.Errorf("%s: got the controls %v, want the password", name, got)
		}
		if got := controls(withFactor, name); !slices.Equal(got, []string{"current_password", "code"}) {
			t.Errorf("%s with a second factor: got the controls %v, want password and code", name, got)
		}
	}
	if got, want := controls(managedMember, "update"), []string{"display_name!", "email!", "username!", "current_password"}; !slices.Equal(got, want) {
		t.Errorf("update: got the controls %v, want %v", got, want)
	}
}
