package world

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/world/action"
)

// objectFixture is an object with the members who use it in the tests. The names of
// the members are unique on the server.
type objectFixture struct {
	*apptest.Server
	owner, participant, outsider, invitee *apptest.Client

	id      string   // contained in the URLs and action_ids of the object
	records []string // "path key": responses with the record at the key
	panels  []string // paths of panels that show the object
}

// objectKind is a kind of object with actions.
type objectKind struct {
	name    string
	entries []string // entries of the tables that declare the actions, as "table.name"
	create  func(s *objectFixture)
	belongs func(s *objectFixture, text string) bool // whether a URL or an action_id belongs to the object; nil means that it contains the id of the object
	public  bool                                     // whether outsiders can read the object
	own     bool                                     // whether every member has the actions on their own records
	input   map[string]map[string]any                // values of controls for actions that only actions maps publish
}

// publishedAction is an action on an object as a response publishes it.
type publishedAction struct {
	source, name, method, url string
	body                      map[string]any
	controls                  []any
}

func (o publishedAction) String() string {
	return o.source + " " + o.name + ": " + o.method + " " + o.url
}

// entriesOf returns the entries of a table, as "table.name".
func entriesOf[R any](name string, t action.Table[R]) (list []string) {
	for _, e := range t.Entries {
		list = append(list, name+"."+e.Name)
	}
	return list
}

var (
	timeEntries      = entriesOf("time object", action.TimeObjects)
	communityEntries = entriesOf("community", action.Communities)
	memberEntries    = entriesOf("community member", action.CommunityMembers)
	workspaceEntries = slices.Concat(entriesOf("workspace item", action.WorkspaceItems), entriesOf("workspace", action.Workspaces))
)

// declaredEntries are the entries of all tables.
func declaredEntries() []string {
	return slices.Concat(
		timeEntries, entriesOf("calendar", action.Calendars), entriesOf("trash", action.Trash),
		entriesOf("thread", action.Threads), communityEntries, memberEntries, entriesOf("invitation", action.Invitations),
		entriesOf("conversation", action.Conversations), entriesOf("event", action.Events), entriesOf("dm", action.DMs),
		entriesOf("profile", action.Profiles), entriesOf("block", action.Blocks), entriesOf("notification", action.Notifications),
		entriesOf("activity", action.Activities), entriesOf("finding", action.Findings), workspaceEntries,
		entriesOf("social", action.Social), entriesOf("messages", action.NewThreads), entriesOf("time", action.Time), operatorEntries,
	)
}

const monthQuery = "view=month&date=2026-12-24"

// createTimeObject creates an entry of the owner.
func (s *objectFixture) createTimeObject(fields string) {
	s.id = s.owner.Do("POST", "/world/time/objects", `{`+fields+`}`).Want(201).Str("object.id")
	s.records = []string{"/world/time/objects/" + s.id + " object"}
	s.panels = []string{"/world/panels/time?" + monthQuery, "/world/panels/time?view=tasks"}
}

// createCommunity creates a community of owner and participant.
func (s *objectFixture) createCommunity(fields string) string {
	at := s.owner.CreateCommunity(`{"name": "Chess", `+fields+`}`, s.participant)
	s.owner.Upload("PUT", at+"/avatar", s.AvatarFile(2)).Want(200)
	s.id = apptest.LastSegment(at)
	s.records = []string{at + " community"}
	s.panels = []string{apptest.SocialPanelPath + "?view=communities", apptest.SocialPanelPath + "?view=communities&id=" + s.id}
	return at
}

// createConversation creates a conversation with an unread reply of the owner
// and one of the participant.
func (s *objectFixture) createConversation() {
	community := apptest.LastSegment(s.createCommunity(`"visibility": "private"`))
	s.id = s.owner.StartConversationIn("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, community))
	s.participant.Reply(s.id, "When?")
	s.owner.Reply(s.id, "Soon")
	s.participant.Reply(s.id, "Well")
	s.records = []string{apptest.ConversationsPath + "/" + s.id + "?peek=1 conversation"}
	s.panels = []string{apptest.SocialPanelPath + "?view=conversations", apptest.SocialPanelPath + "?view=conversations&id=" + s.id}
}

// useMember makes the participant, as a member of the community at a path, the
// object of the fixture.
func (s *objectFixture) useMember(at string) {
	s.id = fmt.Sprint(s.participant.ID)
	for i, m := range s.owner.Do("GET", at+"/members").Want(200).List("members") {
		if fmt.Sprint(apptest.At(m, "id")) == s.id {
			s.records = []string{fmt.Sprint(at, "/members members.", i)}
		}
	}
	s.panels = []string{apptest.SocialPanelPath + "?view=communities&id=" + apptest.LastSegment(at)}
}

func belongsToMember(s *objectFixture, text string) bool {
	return strings.Contains(text, "/members/"+s.id) || strings.Contains(text, "com_") && strings.Contains(text, "_"+s.id+"_")
}

func belongsToProfile(s *objectFixture, text string) bool {
	return strings.HasSuffix(text, "/profiles/"+s.id) || strings.Contains(text, "/profiles/"+s.id+"/") || strings.Contains(text, "/world/social/profile/") ||
		text == "/world/social/profile" || regexp.MustCompile(`^act_social_(open|update|set_avatar|delete_avatar|set_presence|start_dm|block)_`+s.id+`_`).MatchString(text)
}

// serverWithBakery returns a server that may read the page of a bakery on this machine.
func serverWithBakery(t *testing.T) *apptest.Server {
	t.Helper()
	site := apptest.NewSite(t)
	site.SetPage("/bakery", bakeryPage)
	return apptest.New(t, apptest.WithServiceKey, apptest.Unlimited, apptest.AllowSite(site))
}

// addFindings adds findings to the overlay of the owner.
func (s *objectFixture) addFindings(types ...string) {
	var findings []map[string]any
	for i, objectType := range types {
		f := apptest.Finding(fmt.Sprint(s.owner.ID, i))
		if objectType == "html_resource" {
			f = apptest.PageFinding("http://" + s.Settings.FetchAllowHosts[0] + "/bakery")
		}
		findings = append(findings, f)
	}
	s.owner.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": findings}).Want(200)
}

// objectKinds are all kinds of objects with actions.
var objectKinds = []objectKind{
	{name: "calendar event", entries: timeEntries, create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "calendar_event", "title": "Tea", "start": "2026-12-24T16:00:00"`)
	}},
	{name: "task", entries: timeEntries, create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "task", "title": "Taxes", "due": "2026-12-23"`)
	}},
	{name: "completed task", entries: timeEntries, create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "task", "title": "Taxes", "due": "2026-12-23"`)
		s.owner.Do("PATCH", "/world/time/objects/"+s.id, `{"status": "completed"}`).Want(200)
	}},
	{name: "occurrence", entries: timeEntries, create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "calendar_event", "title": "Choir", "start": "2026-12-01T16:00:00", "rrule": "FREQ=WEEKLY"`)
		s.records = []string{"/world/time/objects?start=2026-12-08&end=2026-12-09 objects.0"}
	}},
	{name: "occurrence of a task", entries: timeEntries, create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "task", "title": "Bins", "due": "2026-12-02", "rrule": "FREQ=WEEKLY"`)
		s.records = []string{"/world/time/objects?start=2026-12-09&end=2026-12-10 objects.0"}
	}},
	{name: "overdue task of a series", entries: timeEntries, create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "task", "title": "Bins", "due": "2026-11-05", "rrule": "FREQ=WEEKLY"`)
	}},
	{name: "calendar", entries: entriesOf("calendar", action.Calendars), input: map[string]map[string]any{"update": {"name": "Work"}}, create: func(s *objectFixture) {
		s.id = s.owner.Do("POST", "/world/calendars", `{"name": "Home"}`).Want(201).Str("calendar.id")
		s.records = []string{"/world/calendars/" + s.id + " calendar"}
	}},
	{name: "entry in the trash", entries: entriesOf("trash", action.Trash), create: func(s *objectFixture) {
		s.createTimeObject(`"object_type": "calendar_event", "title": "Tea", "start": "2026-12-24T16:00:00"`)
		s.owner.Do("DELETE", "/world/time/objects/"+s.id).Want(200)
		s.records, s.panels = []string{"/world/time/trash trash.0"}, nil
	}},
	{name: "thread", entries: entriesOf("thread", action.Threads), create: func(s *objectFixture) {
		s.id = apptest.LastSegment(s.owner.SendMessage(s.participant.Name, "Hello"))
		s.records = []string{"/world/messages/" + s.id + "?peek=1 thread"}
		s.panels = []string{"/world/panels/messages?thread=" + s.id, "/world/panels/messages/rail"}
	}},
	{name: "private community", entries: communityEntries, create: func(s *objectFixture) { s.createCommunity(`"visibility": "private"`) }},
	{name: "public community", entries: communityEntries, public: true, create: func(s *objectFixture) {
		s.createCommunity(`"visibility": "public", "join_policy": "open"`)
	}},
	{name: "community member", entries: memberEntries, belongs: belongsToMember, create: func(s *objectFixture) {
		s.useMember(s.createCommunity(`"visibility": "private"`))
	}},
	{name: "request to join", entries: memberEntries, belongs: belongsToMember, create: func(s *objectFixture) {
		at := s.owner.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`)
		s.participant.Do("POST", at+"/join").Want(200)
		s.useMember(at)
	}},
	{name: "invitation", entries: entriesOf("invitation", action.Invitations), create: func(s *objectFixture) {
		at := s.owner.CreateCommunity(`{"name": "Chess", "visibility": "private"}`)
		s.id = s.owner.InviteToCommunity(at, s.participant)
		s.records = []string{at + "/invitations invitations.0", "/world/social/invitations invitations.0"}
		s.panels = []string{apptest.SocialPanelPath + "?view=notifications", apptest.SocialPanelPath + "?view=communities&id=" + apptest.LastSegment(at)}
	}},
	{name: "conversation", entries: entriesOf("conversation", action.Conversations), create: (*objectFixture).createConversation},
	{name: "closed conversation", entries: entriesOf("conversation", action.Conversations), create: func(s *objectFixture) {
		s.createConversation()
		s.owner.Do("POST", apptest.ConversationsPath+"/"+s.id+"/close").Want(200)
	}},
	{name: "event", entries: entriesOf("event", action.Events), create: func(s *objectFixture) {
		s.id = s.owner.CreateEvent("visibility", "invited")
		s.owner.Do("POST", "/world/social/events/"+s.id+"/invitations", map[string]any{"recipient": s.participant.Name}).Want(201)
		s.records = []string{"/world/social/events/" + s.id + " event"}
		s.panels = []string{apptest.SocialPanelPath + "?view=events", apptest.SocialPanelPath + "?view=events&id=" + s.id}
	}},
	{name: "direct message", entries: entriesOf("dm", action.DMs), create: func(s *objectFixture) {
		s.createCommunity(`"visibility": "private"`)
		s.id = apptest.LastSegment(s.owner.SendDM(s.participant, "Psst"))
		s.records = []string{"/world/social/dms/" + s.id + "?peek=1 dm"}
		s.panels = []string{apptest.SocialPanelPath + "?view=dms", apptest.SocialPanelPath + "?view=dms&id=" + s.id}
	}},
	{name: "profile", entries: entriesOf("profile", action.Profiles), public: true, own: true, belongs: belongsToProfile, create: func(s *objectFixture) {
		s.createCommunity(`"visibility": "private"`)
		s.owner.Upload("PUT", apptest.OwnAvatarPath, s.AvatarFile(3)).Want(200)
		s.id = fmt.Sprint(s.owner.ID)
		s.records = []string{"/world/social/profiles/" + s.id + " profile", "/world/social/people?q=" + s.owner.Name + " people.0"}
		s.panels = []string{apptest.SocialPanelPath + "?view=people&id=" + s.id}
	}},
	{name: "block", entries: entriesOf("block", action.Blocks), create: func(s *objectFixture) {
		s.owner.Do("POST", "/world/social/blocks", map[string]any{"recipient": s.invitee.Name}).Want(201)
		s.id = fmt.Sprint(s.invitee.ID)
		s.panels = []string{apptest.SocialPanelPath + "?view=people"}
	}, belongs: func(s *objectFixture, text string) bool {
		return strings.HasSuffix(text, "/blocks/"+s.id) || strings.HasPrefix(text, "act_social_unblock_"+s.id+"_")
	}},
	{name: "notification", entries: entriesOf("notification", action.Notifications), create: func(s *objectFixture) {
		s.createConversation()
		s.id = s.owner.Do("GET", "/world/social/notifications").Want(200).Str("notifications.0.id")
		s.records, s.panels = []string{"/world/social/notifications notifications.0"}, []string{apptest.SocialPanelPath + "?view=notifications"}
	}, belongs: func(s *objectFixture, text string) bool {
		return strings.Contains(text, s.id) || strings.Contains(text, "view=conversations&id=")
	}},
	{name: "activity", entries: entriesOf("activity", action.Activities), create: func(s *objectFixture) {
		s.createConversation()
		s.records, s.panels = []string{"/world/social/activity activity.0"}, []string{apptest.SocialPanelPath + "?view=activity"}
	}},
	{name: "finding", entries: entriesOf("finding", action.Findings), create: func(s *objectFixture) { s.addFindings("place", "html_resource") },
		belongs: func(_ *objectFixture, text string) bool {
			return regexp.MustCompile(`act_(open|save|translate)_find__`).MatchString(text)
		}},
	{name: "workspace", entries: workspaceEntries, public: true, create: func(s *objectFixture) {
		for _, title := range []string{"One", "Two", "Three"} {
			s.createTimeObject(`"object_type": "task", "title": "` + title + `"`)
			s.owner.Act("focus_object", title).Want(200)
		}
		s.records, s.panels = nil, nil
	}, belongs: func(_ *objectFixture, text string) bool {
		return regexp.MustCompile(`/?act_(focus|earlier|later|remove|order|clear)_`).MatchString(text)
	}},
	{name: "new records of Social", entries: entriesOf("social", action.Social), public: true, own: true, create: func(s *objectFixture) {
		s.createConversation() // creates unread notifications
		s.owner.CreateCommunity(`{"name": "Common", "visibility": "private"}`, s.participant, s.outsider)
		s.records, s.panels = []string{apptest.SocialPanelPath + " -"}, nil
		for _, view := range apptest.SocialViews {
			s.panels = append(s.panels, apptest.SocialPanelPath+"?view="+view)
		}
	}, belongs: func(_ *objectFixture, text string) bool {
		return regexp.MustCompile(`^act_social_(create_\w+|start_dm|read_notifications|block)_[a-z2-7]{10}$`).MatchString(text) ||
			regexp.MustCompile(`^/world/social/(conversations|events|communities|presence|dms|blocks|notifications/read/all)$`).MatchString(text)
	}},
	{name: "new thread", entries: entriesOf("messages", action.NewThreads), public: true, own: true, create: func(s *objectFixture) {
		s.records, s.panels = []string{"/world/panels/messages -", "/world/messages -"}, []string{"/world/panels/messages", "/world/panels/messages/rail"}
	}, belongs: func(_ *objectFixture, text string) bool {
		return text == "/world/messages" || strings.HasPrefix(text, "act_messages_start_thread_")
	}},
	{name: "new calendar entries", entries: entriesOf("time", action.Time), public: true, own: true, create: func(s *objectFixture) {
		s.records, s.panels = []string{"/world/panels/time -"}, []string{"/world/panels/time"}
	}, input: map[string]map[string]any{"create_object": {"object_type": "task", "title": "Taxes"}}, belongs: func(_ *objectFixture, text string) bool {
		return regexp.MustCompile(`^(/world/time/objects|/world/calendars|/world/time/preferences(/update)?)$`).MatchString(text) ||
			strings.HasPrefix(text, "act_time_create_")
	}},
	{name: "field control", create: func(*objectFixture) {}, public: true, own: true, belongs: func(_ *objectFixture, text string) bool {
		return strings.HasPrefix(text, "act_field_")
	}},
}

// newFixture creates an object of a kind, with new members.
func (k objectKind) newFixture(t *testing.T, h *apptest.Server, number *int) *objectFixture {
	t.Helper()
	*number++
	member := func(role string) *apptest.Client { return h.Member(fmt.Sprint(role, *number)) }
	s := &objectFixture{Server: h, owner: member("owner"), participant: member("participant"), outsider: member("outsider"), invitee: member("invitee")}
	k.create(s)
	return s
}

// belongsToObject reports whether a URL or an action_id belongs to the object.
func (k objectKind) belongsToObject(s *objectFixture, text string) bool {
	if k.belongs != nil {
		return k.belongs(s, text)
	}
	return strings.Contains(text, s.id)
}

// entryName returns the name of the entry for a name in a panel or an
// action_id, which may have a suffix. It returns other names unchanged.
func (k objectKind) entryName(name string) (longest string) {
	for _, e := range k.entries {
		_, e, _ = strings.Cut(e, ".")
		if (name == e || strings.HasPrefix(name, e+"_")) && len(e) > len(longest) {
			longest = e
		}
	}
	if longest == "" {
		return name
	}
	return longest
}

// publishedActions returns the actions on the object that are published to c:
// in actions maps, in the dataset and in panels.
func (k objectKind) publishedActions(s *objectFixture, c *apptest.Client) (list []publishedAction) {
	t := s.T
	for i, r := range s.records {
		path, key, _ := strings.Cut(r, " ")
		a := c.Do("GET", path)
		if a.Status != 200 {
			continue
		}
		urls, _ := a.At(strings.TrimPrefix(key+".actions", "-.")).(map[string]any)
		belongs := false
		byURL := make(map[any]string)
		for _, name := range slices.Sorted(maps.Keys(urls)) {
			url := urls[name].(string)
			if other, ok := byURL[url]; ok {
				t.Errorf("%s %s: got the URL %s for %s and %s, want one URL for each", k.name, path, url, name, other)
			}
			byURL[url] = name
			belongs = belongs || k.belongsToObject(s, url)
		}
		for name, url := range urls {
			if !belongs {
				continue
			}
			o := publishedAction{source: fmt.Sprint("map ", i), name: name, method: "POST", url: url.(string), body: map[string]any{}}
			if name == "open" || strings.HasPrefix(name, "open_") {
				o.method = "GET"
			}
			r, err := http.NewRequest(o.method, o.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !s.App.HTTP.HasRoute(r) {
				t.Errorf("%v: no route", o)
			}
			list = append(list, o)
		}
	}
	for _, a := range c.AsRuntime().Do("GET", "/world/runtime").Want(200).List("actions") {
		id, url := apptest.At(a, "action_id").(string), apptest.At(a, "command.url").(string)
		if !k.belongsToObject(s, id) {
			continue
		}
		name := regexp.MustCompile(`^act_((social|time|messages|admin)_)?`).ReplaceAllString(id, "")
		o := publishedAction{"dataset", k.entryName(name), apptest.At(a, "command.method").(string), url, apptest.At(a, "command.body").(map[string]any), apptest.At(a, "controls").([]any)}
		if o.name == name { // the action table of this kind of object has no entry for the action
			o.name = apptest.At(a, "type").(string)
		}
		if method := apptest.At(a, "method"); method != o.method || apptest.At(a, "availability") != "enabled" || apptest.At(a, "label") == "" {
			t.Errorf("%v: got method %v, availability %v, label %q", o, method, apptest.At(a, "availability"), apptest.At(a, "label"))
		}
		list = append(list, o)
	}
	for _, path := range s.panels {
		a := c.Do("GET", path)
		if a.Status != 200 {
			continue
		}
		add := func(source string, v any, body map[string]any, controls []any) {
			o := publishedAction{source, apptest.At(v, "id").(string), apptest.At(v, "method").(string), apptest.At(v, "url").(string), body, controls}
			if k.belongsToObject(s, o.url) {
				list = append(list, o)
			}
		}
		for _, section := range a.List("sections") {
			for _, item := range apptest.At(section, "items").([]any) {
				for _, v := range apptest.At(item, "actions").([]any) {
					add("button", v, apptest.At(v, "body").(map[string]any), nil)
				}
			}
		}
		for _, form := range a.List("action_descriptors") {
			add("form", form, map[string]any{}, apptest.At(form, "controls").([]any))
		}
	}
	return list
}

// fill returns the body of an action with its controls filled in. An actions map
// has no controls: they are taken from the same action in a panel or the dataset.
func (k objectKind) fill(s *objectFixture, c *apptest.Client, o publishedAction, all []publishedAction) map[string]any {
	body := maps.Clone(o.body)
	if strings.HasPrefix(o.source, "map") {
		maps.Copy(body, k.input[o.name])
		for _, other := range all {
			if k.entryName(other.name) == o.name && !strings.HasPrefix(other.source, "map") && (o.controls == nil || other.source == "form") {
				o.controls = slices.DeleteFunc(slices.Clone(other.controls), func(control any) bool { return apptest.At(control, "type") == "hidden" })
			}
		}
	}
	for _, control := range o.controls {
		id, value := apptest.At(control, "id").(string), apptest.At(control, "default")
		if apptest.At(control, "label") == "" {
			s.T.Errorf("%v: the control %s has no label", o, id)
		}
		switch {
		case id == "recipient":
			value = s.invitee.Name
			if o.name == "start_dm" {
				value = map[bool]string{true: s.participant.Name, false: s.owner.Name}[c == s.owner]
			}
		case id == "current_password" || id == "password":
			value = apptest.Password
		case id == "email" && o.name == "add_member":
			value = fmt.Sprintf("%s-%d@example.org", c.Name, len(s.owner.Do("GET", operatorPanel+"?view=members&limit=200").Want(200).List("members")))
		case apptest.At(control, "required") == true && value == "":
			value = map[bool]string{true: "2026-12-24T18:00:00", false: "Something"}[id == "start"]
		}
		body[id] = value
	}
	return body
}

// takesFile reports whether the body of an action is a file.
func takesFile(o publishedAction) bool {
	return slices.ContainsFunc(o.controls, func(control any) bool { return apptest.At(control, "type") == "file" })
}

// send performs an action.
func (k objectKind) send(s *objectFixture, c *apptest.Client, o publishedAction, all []publishedAction) *apptest.Answer {
	if o.method == "GET" {
		return c.AsRuntime().Do("GET", o.url)
	}
	if o.name == "back_up" {
		waitForBackup(s.Server)
	}
	if takesFile(o) || slices.ContainsFunc(all, func(other publishedAction) bool { return other.method+other.url == o.method+o.url && takesFile(other) }) {
		return c.AsRuntime().Upload(o.method, o.url, s.AvatarFile(1))
	}
	return c.AsRuntime().Do(o.method, o.url, k.fill(s, c, o, all))
}

// Each action that the dataset, a panel or an actions map publishes succeeds with
// its controls filled in, for the owner, a participant and, for objects that
// every member can read, an outsider. Each entry of each table is performed. The
// URLs of an actions map are distinct and accept POST; names that begin with open
// accept GET. Covers B-95, X-11, W-36, W-115, O-38, PT-02 and B-64 (a).
func TestPublishedActionsSucceed(t *testing.T) {
	performed := make(map[string]bool)
	h, number := serverWithBakery(t), 0
	for _, k := range slices.Concat(objectKinds, operatorKinds) {
		t.Run(k.name, func(t *testing.T) {
			h.T = t
			for _, role := range []string{"owner", "participant", "outsider"} {
				client := func(s *objectFixture) *apptest.Client {
					return map[string]*apptest.Client{"owner": s.owner, "participant": s.participant, "outsider": s.outsider}[role]
				}
				s := k.newFixture(t, h, &number)
				all := k.publishedActions(s, client(s))
				switch {
				case role == "owner" && len(all) == 0:
					t.Error("the owner is offered no action")
				case role == "outsider" && !k.public && len(all) > 0:
					t.Errorf("the outsider is offered %v, want no action", all)
				}
				current := all
				for _, o := range all {
					i := slices.IndexFunc(current, func(c publishedAction) bool { return c.source == o.source && c.name == o.name })
					a := (*apptest.Answer)(nil)
					if i >= 0 {
						a = k.send(s, client(s), current[i], current)
					}
					if a == nil || a.Status >= 400 { // an earlier action may have changed the object
						s = k.newFixture(t, h, &number)
						current = k.publishedActions(s, client(s))
						i = slices.IndexFunc(current, func(c publishedAction) bool { return c.source == o.source && c.name == o.name })
						if i < 0 {
							t.Fatalf("%s: a new object does not offer %v", role, o)
						}
						a = k.send(s, client(s), current[i], current)
					}
					if a.Status != 200 && a.Status != 201 && a.Status != 202 {
						t.Errorf("%s: %v: got %d %s, want success", role, current[i], a.Status, a.Body)
						continue
					}
					for _, e := range k.entries {
						if _, name, _ := strings.Cut(e, "."); name == k.entryName(o.name) {
							performed[e] = true
						}
					}
				}
			}
		})
	}
	for _, e := range declaredEntries() {
		if !performed[e] && !t.Failed() {
			t.Errorf("%s was not published to any role", e)
		}
	}
}

// An outsider cannot perform the actions of an object that they cannot read, and
// cannot perform the owner's actions on an object that they can read: the responses
// are 403 or 404, and nothing changes. Covers B-95, E-05, PT-21 and W-150.
func TestOutsidersCannotPerformPublishedActions(t *testing.T) {
	h, number := serverWithBakery(t), 0
	for _, k := range slices.Concat(objectKinds, operatorKinds) {
		if k.own {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			h.T = t
			s := k.newFixture(t, h, &number)
			isOwners := func(url string) bool { // actions of the object of the owner
				return strings.Contains(url, "act_") || s.id != "" && strings.Contains(url, s.id) || strings.HasPrefix(url, "/world/operator/")
			}
			published := make(map[string]bool)
			for _, o := range k.publishedActions(s, s.outsider) {
				published[o.method+" "+o.url] = true
			}
			state := func() (text string) {
				for _, r := range s.records {
					path, _, _ := strings.Cut(r, " ")
					text += changingHealth.ReplaceAllString(s.owner.Do("GET", path).Body, "")
				}
				return text + s.owner.AsRuntime().Do("GET", "/world/runtime").Want(200).Body
			}
			all := k.publishedActions(s, s.owner)
			before, sent := state(), 0
			for _, o := range all {
				if published[o.method+" "+o.url] || strings.HasPrefix(o.url, "/world/panels/") || !isOwners(o.url) {
					continue
				}
				sent++
				if a := k.send(s, s.outsider, o, all); a.Status != 403 && a.Status != 404 {
					t.Errorf("%v: got %d %s, want 403 or 404", o, a.Status, a.Body)
				}
			}
			if sent == 0 {
				t.Errorf("got %d published actions, none of which the outsider can try", len(all))
			}
			if after := state(); after != before {
				t.Errorf("after the outsider's requests: got\n%s\nwant\n%s", after, before)
			}
		})
	}
}
