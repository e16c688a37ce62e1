package dataset_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics/icstest"
	calendarobject "appliance/svc/calendar/object"
	"appliance/svc/identity"
	mapsvc "appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/messages"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/providertest"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/svctest"
	"appliance/svc/zoneinfo/zoneinfotest"
	"appliance/world"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// randomWorkload performs random writes of the members of a server.
type randomWorkload struct {
	*worldtest.Server
	icstest.Rand
	viewers []svc.Viewer
	tx      *store.Tx      // transaction of the current write
	v       svc.Viewer     // the member who writes
	other   svc.Viewer     // another member
	created []svc.MemberID // members that the workload has created
}

// write is an operation of the workload. Its transaction is rolled back if it
// fails.
type write struct {
	changes []string // variables of the table of changes that it touches
	run     func(*randomWorkload) error
}

// randomAvatar returns an avatar with a random key.
func (h *randomWorkload) randomAvatar() svc.AvatarPicture {
	return svc.AvatarPicture{Key: h.randomWords(1), Picture: []byte("picture"), Thumb: []byte("thumb")}
}

// writes contains at least one write for each change of the table.
var writes = map[string]write{
	"create a member": {[]string{"MemberCreated"}, (*randomWorkload).createMember},
	"delete a member": {[]string{"MemberDeleted"}, (*randomWorkload).deleteMember},
	"import a region": {changes: []string{"MapsUpdated"}},
	"register a provider": {[]string{"ProvidersUpdated"}, func(h *randomWorkload) error {
		r := provider.Registration{ID: "p-" + h.randomWords(1), Label: h.randomWords(1), SourceURL: "https://p.example/", Secret: []byte("secret")}
		if h.OneIn(2) {
			return h.Providers.Remove(h.tx, r.ID)
		}
		return h.Providers.Add(h.tx, r)
	}},
	"ingest a payload": {changes: []string{"ProvidersUpdated"}},
	"rename":           {[]string{"MemberUpdated"}, func(h *randomWorkload) error { return h.Identity.Rename(h.tx, h.v, h.randomWords(1)) }},
	"move to another time zone": {[]string{"AccountUpdated"}, func(h *randomWorkload) error {
		zone := icstest.Pick(h.Rand, "UTC", "Europe/Berlin", "Asia/Tokyo")
		_, err := h.Identity.UpdateProfile(h.tx, h.v, identity.ProfileChanges{Timezone: &zone})
		return err
	}},
	"use other time zone data": {[]string{"ZonesUpdated"}, func(h *randomWorkload) error {
		version := icstest.Pick(h.Rand, "2099a", "2099b", "2099c")
		zoneinfotest.Use(h.T, version, map[string]int{"Europe/Berlin": int(version[4] - 'a')})
		return calendarobject.New(nil).BeginZones(h.tx, version)
	}},
	"add or remove a device password": {[]string{"CredentialsChanged"}, func(h *randomWorkload) error {
		devices, err := h.Identity.Devices(h.tx, h.v.Member())
		if err == nil && len(devices) > 0 && h.OneIn(2) {
			return h.Identity.RevokeDevice(h.tx, h.v, icstest.Pick(h.Rand, devices...).ID)
		}
		if err == nil {
			_, err = h.Identity.AddDevice(h.tx, h.v, h.randomWords(1))
		}
		return err
	}},
	"disable or enable a member": {[]string{"MemberUpdated"}, func(h *randomWorkload) error {
		status := icstest.Pick(h.Rand, identity.Active, identity.Disabled)
		_, err := h.Identity.Update(h.tx, identity.CommandLine("test"), h.viewers[0].Member(), identity.Changes{Status: &status})
		return err
	}},
	"change a color or an avatar": {[]string{"MemberUpdated"}, func(h *randomWorkload) (err error) {
		switch h.IntN(3) {
		case 0:
			err = h.Identity.SetColor(h.tx, h.v, svc.Some(svc.Color(icstest.Pick(h.Rand, svc.Color("").Values()...))))
		case 1:
			_, err = h.Social.SetAvatar(h.tx, h.v, h.randomAvatar())
		default:
			_, err = h.Social.DeleteAvatar(h.tx, h.v)
		}
		return err
	}},
	"change the color or the avatar of a community": {[]string{"CommunityUpdated"}, func(h *randomWorkload) (err error) {
		switch h.IntN(3) {
		case 0:
			_, err = h.Social.UpdateCommunity(h.tx, h.v, h.community(), social.CommunityChange{Color: svc.Some(svc.Color(icstest.Pick(h.Rand, svc.Color("").Values()...)))})
		case 1:
			_, err = h.Social.SetCommunityAvatar(h.tx, h.v, h.community(), h.randomAvatar())
		default:
			_, err = h.Social.DeleteCommunityAvatar(h.tx, h.v, h.community())
		}
		return err
	}},
	"block or unblock": {[]string{"BlockChanged", "CirclesChanged", "RSVPsRevoked"}, func(h *randomWorkload) error {
		if h.OneIn(2) {
			return h.Social.Unblock(h.tx, h.v, h.other.Member())
		}
		_, err := h.Social.Block(h.tx, h.v, social.NewBlock{MemberID: h.other.Member()})
		return err
	}},
	"send a message": {[]string{"MessageSent"}, func(h *randomWorkload) error {
		_, err := h.Messages.Start(h.tx, h.v, messages.StartRequest{Recipient: messages.Recipients{h.other.String()}, Body: h.randomWords(3)})
		return err
	}},
	"read a thread": {[]string{"ThreadRead"}, func(h *randomWorkload) error {
		in, err := h.Messages.List(h.tx, h.v, 0, "")
		if err != nil || len(in.Threads) == 0 {
			return errNoRecord
		}
		_, err = h.Messages.Open(h.tx, h.v, icstest.Pick(h.Rand, in.Threads...).ID, svc.HistoryQuery{})
		return err
	}},
	"create an entry": {[]string{"CalendarUpdated"}, func(h *randomWorkload) error {
		in := calendar.NewObject{ObjectType: "task", Change: edit.Change{Title: svc.Some(h.randomWords(2))}}
		if h.OneIn(2) {
			in.ObjectType, in.Start = "calendar_event", svc.Some(h.nextDays())
		}
		_, err := h.Calendar.Create(h.tx, h.v, in)
		return err
	}},
	"change or delete an entry": {[]string{"CalendarUpdated"}, (*randomWorkload).changeEntry},
	"arrange calendars":         {[]string{"CalendarArranged"}, (*randomWorkload).changeCalendars},
	"change the first day of the week": {[]string{"PreferencesUpdated"}, func(h *randomWorkload) error {
		_, err := h.Calendar.ChangeBoundaries(h.tx, h.v, calendar.BoundariesChange{WeekStart: svc.Some(calendar.Weekday(icstest.Pick(h.Rand, calendar.Monday.Values()...)))})
		return err
	}},
	"change the workspace": {[]string{"WorkspaceChanged"}, (*randomWorkload).changeWorkspace},
	"search": {[]string{"WorkspaceChanged"}, func(h *randomWorkload) error {
		findings := []svc.Finding{worldtest.Place(h.IntN(3)), worldtest.Page(h.IntN(3))}
		_, err := h.Surface.ReplaceOverlay(h.tx, h.v, surface.OverlayRequest{Findings: &findings})
		return err
	}},
	"create a community": {[]string{"CirclesChanged", "MembershipChanged"}, func(h *randomWorkload) error {
		_, err := h.Social.CreateCommunity(h.tx, h.v, social.NewCommunity{Name: h.randomWords(1), Visibility: icstest.Pick(h.Rand, social.CommunityPublic, social.CommunityPrivate)})
		return err
	}},
	"change a community": {[]string{"CommunityUpdated"}, func(h *randomWorkload) error {
		c := icstest.Pick(h.Rand, social.CommunityChange{Name: svc.Some(h.randomWords(1))}, social.CommunityChange{Visibility: svc.Some(social.CommunityPrivate)},
			social.CommunityChange{JoinPolicy: svc.Some(social.JoinRequest)})
		_, err := h.Social.UpdateCommunity(h.tx, h.v, h.community(), c)
		return err
	}},
	"delete a community": {nil, func(h *randomWorkload) error {
		if !h.OneIn(4) {
			return errNoRecord // many other writes need a record of this kind
		}
		return h.Social.DeleteCommunity(h.tx, h.v, h.community())
	}},
	"join":  {[]string{"MembershipChanged"}, func(h *randomWorkload) error { _, err := h.Social.JoinCommunity(h.tx, h.v, h.community()); return err }},
	"leave": {[]string{"MembershipChanged", "RSVPsRevoked"}, func(h *randomWorkload) error { _, err := h.Social.LeaveCommunity(h.tx, h.v, h.community()); return err }},
	"change a role": {[]string{"MembershipChanged"}, func(h *randomWorkload) error {
		_, err := h.Social.UpdateCommunityMember(h.tx, h.v, h.community(), h.other.Member(), social.MemberChange{
			Role: svc.Some(icstest.Pick(h.Rand, social.RoleOwner, social.RoleModerator, social.RoleMember)), State: svc.Some(social.MembershipActive),
		})
		return err
	}},
	"invite": {[]string{"InvitationChanged", "NotificationSent"}, func(h *randomWorkload) error {
		_, err := h.Social.InviteToCommunity(h.tx, h.v, h.community(), social.NewInvitation{Recipient: h.other.String()})
		return err
	}},
	"answer an invitation": {[]string{"InvitationChanged"}, func(h *randomWorkload) error {
		list, err := h.Social.PendingInvitations(h.tx, h.v, 10)
		if err != nil || len(list) == 0 {
			return errNoRecord
		}
		_, err = h.Social.AnswerInvitation(h.tx, h.v, icstest.Pick(h.Rand, list...).ID, icstest.Pick(h.Rand, social.Accept, social.Decline))
		return err
	}},
	"change a profile": {[]string{"ProfileUpdated"}, func(h *randomWorkload) error {
		_, err := h.Social.UpdateProfile(h.tx, h.v, social.ProfileChange{
			Bio: svc.Some(h.randomWords(2)), Visibility: svc.Some(icstest.Pick(h.Rand, social.ProfileCircle, social.ProfileMembers)),
		})
		return err
	}},
	"set the presence": {[]string{"PresenceChanged", "PresenceRenewed"}, func(h *randomWorkload) error {
		_, err := h.Social.SetPresence(h.tx, h.v, social.NewPresence{
			State:     icstest.Pick(h.Rand, social.PresenceOnline, social.PresenceAway, social.PresenceOffline),
			VisibleTo: icstest.Pick(h.Rand, social.PresenceInner, social.PresenceTrusted, social.PresenceMembers, social.PresenceNobody), TTL: new(30 + h.IntN(3000)),
		})
		return err
	}},
	"start a conversation": {[]string{"ConversationUpdated"}, func(h *randomWorkload) error {
		in := icstest.Pick(h.Rand, social.ConversationContext{Kind: "open"}, social.ConversationContext{Kind: "circle", Depth: new(1 + h.IntN(3))},
			social.ConversationContext{Kind: "community", ID: new(h.community())})
		_, err := h.Social.StartConversation(h.tx, h.v, social.NewConversation{Title: h.randomWords(2), Body: h.randomWords(3), Context: in})
		return err
	}},
	"close a conversation": {[]string{"ConversationUpdated"}, func(h *randomWorkload) error {
		_, err := h.Social.UpdateConversation(h.tx, h.v, h.conversation(), social.ConversationChange{State: svc.Some(icstest.Pick(h.Rand, social.ConversationOpen, social.ConversationClosed))})
		return err
	}},
	"reply": {[]string{"ReplyPosted"}, func(h *randomWorkload) error {
		_, err := h.Social.Reply(h.tx, h.v, h.conversation(), social.NewReply{Body: h.randomWords(3)})
		return err
	}},
	"read a conversation": {[]string{"ConversationRead"}, func(h *randomWorkload) error {
		_, err := h.Social.MarkConversationRead(h.tx, h.v, h.conversation(), "")
		return err
	}},
	"create an event": {[]string{"EventUpdated", "MirrorsUpdated"}, func(h *randomWorkload) error {
		_, err := h.Social.CreateEvent(h.tx, h.v, social.NewEvent{
			Title: h.randomWords(2), Timezone: "UTC", Start: h.nextDays(), Visibility: icstest.Pick(h.Rand, social.EventPublic, social.EventInvited), Capacity: new(2),
		})
		return err
	}},
	"change an event": {[]string{"EventUpdated", "MirrorsUpdated"}, func(h *randomWorkload) error {
		_, err := h.Social.UpdateEvent(h.tx, h.v, h.event(), social.EventChange{Title: svc.Some(h.randomWords(2))})
		return err
	}},
	"cancel an event": {[]string{"EventUpdated"}, func(h *randomWorkload) error {
		if !h.OneIn(4) {
			return errNoRecord // many other writes need a record of this kind
		}
		_, err := h.Social.CancelEvent(h.tx, h.v, h.event())
		return err
	}},
	"invite to an event": {[]string{"InvitationChanged"}, func(h *randomWorkload) error {
		_, err := h.Social.InviteToEvent(h.tx, h.v, h.event(), social.NewInvitation{Recipient: h.other.String()})
		return err
	}},
	"respond to an event": {[]string{"RSVPChanged", "MirrorsUpdated"}, func(h *randomWorkload) error {
		_, _, err := h.Social.Respond(h.tx, h.v, h.event(), social.NewRSVP{Response: icstest.Pick(h.Rand, svc.Going, svc.Maybe, svc.Declined, svc.NoResponse)})
		return err
	}},
	"send a DM": {[]string{"DMSent"}, func(h *randomWorkload) error {
		_, err := h.Social.StartDM(h.tx, h.v, social.NewDM{Recipient: social.Recipient(h.other.String()), Body: h.randomWords(3)})
		return err
	}},
	"read a DM": {[]string{"DMRead"}, func(h *randomWorkload) error {
		page, err := h.Social.DMs.List(h.tx, h.v, 0, "")
		if err != nil || len(page.Threads) == 0 {
			return errNoRecord
		}
		_, err = h.Social.DMs.Open(h.tx, h.v, icstest.Pick(h.Rand, page.Threads...).ID, svc.HistoryQuery{})
		return err
	}},
	"read notifications": {[]string{"NotificationsRead"}, func(h *randomWorkload) error {
		_, err := h.Social.MarkNotificationsRead(h.tx, h.v, social.NotificationSelection{All: true})
		return err
	}},
}

// errNoRecord rolls back a write that finds no record to change.
var errNoRecord = svc.Errorf(svc.NotFound, "There is no such record.")

func (h *randomWorkload) createMember() error {
	name := fmt.Sprint("guest", len(h.created))
	a, err := h.Identity.Prepare(h.T.Context(), identity.Registration{Email: name + "@example.org", Username: name, Password: "correct horse battery"})
	if err != nil {
		return err
	}
	m, err := h.Identity.AddMember(h.tx, identity.CommandLine("test"), a)
	if err == nil {
		h.created = append(h.created, m.ID)
		var v svc.Viewer
		if v, err = h.Identity.OnBehalf(h.tx, m.ID); err == nil { // the other members see the new member
			_, err = h.Social.StartConversation(h.tx, v, social.NewConversation{Title: name, Body: name, Context: social.ConversationContext{Kind: "open"}})
		}
	}
	return err
}

func (h *randomWorkload) deleteMember() error {
	if len(h.created) == 0 {
		return errNoRecord
	}
	return h.Identity.Delete(h.tx, identity.CommandLine("test"), icstest.Pick(h.Rand, h.created...))
}

func (h *randomWorkload) changeEntry() error {
	upcoming, err := h.TimeIndex.Upcoming(h.tx, h.v, time.UTC)
	if err != nil || len(upcoming.Entries) == 0 {
		return errNoRecord
	}
	id := icstest.Pick(h.Rand, upcoming.Entries...).ID
	if h.OneIn(3) {
		return h.Calendar.Delete(h.tx, h.v, id, edit.Deletion{}, nil)
	}
	_, err = h.Calendar.Patch(h.tx, h.v, id, edit.ObjectChange{Change: edit.Change{Title: svc.Some(h.randomWords(2))}}, nil)
	return err
}

func (h *randomWorkload) changeCalendars() error {
	list, err := h.Calendar.Calendars(h.tx, h.v)
	if err != nil {
		return err
	}
	if len(list) < 3 {
		_, err = h.Calendar.CreateCalendar(h.tx, h.v, calendar.NewCalendar{Name: h.randomWords(1)})
		return err
	}
	_, err = h.Calendar.UpdateCalendar(h.tx, h.v, icstest.Pick(h.Rand, list...).ID, calendar.CalendarChange{
		Name: svc.Some(h.randomWords(1)), Visible: svc.Some(h.OneIn(2)),
	})
	return err
}

// changeWorkspace performs a workspace action of the member's dataset, which it
// reads with a separate cache.
func (h *randomWorkload) changeWorkspace() error {
	result, err := h.NewWorld().Compose(h.tx, h.v, dataset.Request{Runtime: dataset.GenericRuntime, Params: dataset.DefaultParams()}, dataset.Writer.Encode)
	if err != nil {
		return err
	}
	var d dataset.Dataset
	worldtest.Decode(h.T, worldtest.Text(h.T, result.Body), &d)
	var actions []world.Dispatch
	for _, a := range d.Actions {
		id, ok := strings.CutPrefix(a.Command.URL, "/world/actions/")
		if !ok || a.Type == "focus_object" && h.OneIn(2) {
			continue
		}
		in := world.Dispatch{ActionID: id}
		in.Before, _ = a.Command.Body["before"].(string)
		in.After, _ = a.Command.Body["after"].(string)
		if a.Type == "order_workspace" {
			order := slices.Clone(d.Workspace.Order)
			slices.Reverse(order)
			in.Order = (*world.ObjectIDs)(&order)
		}
		actions = append(actions, in)
	}
	if len(actions) == 0 {
		return errNoRecord
	}
	_, err = h.World.Perform(h.tx, h.v, icstest.Pick(h.Rand, actions...))
	return err
}

func (h *randomWorkload) randomWords(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = icstest.Pick(h.Rand, "garden", "dinner", "music", "train", "letter", "harbour", "candle", "winter")
	}
	return strings.Join(list, " ")
}

// nextDays returns a random local time in the next days.
func (h *randomWorkload) nextDays() string {
	return h.Server.Clock.Now().Add(time.Duration(24+h.IntN(96)) * time.Hour).Format("2006-01-02T15:04:05")
}

// pick returns the id of a random record of a list, usually one that the member can
// change. It returns an unknown id if the list is empty.
func pick[T any](h *randomWorkload, list []T, id func(T) string, can func(T) bool) string {
	own := slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !can(x) })
	switch {
	case len(list) == 0:
		return "none"
	case len(own) == 0 || h.OneIn(3):
		return id(icstest.Pick(h.Rand, list...))
	}
	return id(icstest.Pick(h.Rand, own...))
}

// conversation returns a conversation that the member can see.
func (h *randomWorkload) conversation() string {
	page, _ := h.Social.Conversations(h.tx, h.v, 0, "")
	return pick(h, page.Conversations, func(c social.Conversation) string { return c.ID }, func(c social.Conversation) bool { return c.Permissions.CanUpdate })
}

// event returns an event that the member can see.
func (h *randomWorkload) event() string {
	page, _ := h.Social.Events(h.tx, h.v, social.EventQuery{})
	return pick(h, page.Events, func(e social.Event) string { return e.ID }, func(e social.Event) bool { return e.Permissions.CanUpdate })
}

// community returns a community that the member can see.
func (h *randomWorkload) community() string {
	list, _, _ := h.Social.Communities(h.tx, h.v, false, svc.PageQuery{})
	return pick(h, list, func(c social.Community) string { return c.ID }, func(c social.Community) bool { return c.Permissions.CanInvite })
}

// importPlace imports a region with one place near the position of some datasets.
func (h *randomWorkload) importPlace() {
	h.ImportPlaces("region", mapsvc.OSM, mapdata.Place{
		Provider: "osm", ProviderID: fmt.Sprint("node/", h.IntN(3)), Name: h.randomWords(1), Kind: "amenity=cafe", Category: "coffee",
		Point: geo.Point{Latitude: 52.5, Longitude: 13.4 + float64(h.IntN(30))/1000}, Tags: map[string]string{"opening_hours": "Mo-Fr 08:00-18:00"},
	})
}

// ingestPayload ingests a payload of a registered provider, and reports whether there is
// one.
func (h *randomWorkload) ingestPayload() bool {
	h.T.Helper()
	var list []provider.Provider
	h.Read(func(tx *store.Tx) (err error) {
		list, err = h.Providers.Providers(tx)
		return err
	})
	if len(list) == 0 {
		return false
	}
	payload := providertest.Sample(icstest.Pick(h.Rand, list...).ID)
	for i := range payload.Objects.Items {
		o := &payload.Objects.Items[i]
		o.Title, o.Visibility = h.randomWords(2), icstest.Pick(h.Rand, contract.Visibility{Group: contract.AllMembers}, contract.Visibility{Group: contract.Operators})
	}
	if h.OneIn(3) {
		payload.Actions.Items[0].Availability = contract.Unavailable
	}
	if _, err := h.Providers.Ingest(h.T.Context(), payload.Provider.ID, payload); err != nil {
		h.T.Fatal(err)
	}
	return true
}

// tryWrite performs a write as several members in turn until it succeeds. It reports
// whether it did.
func (h *randomWorkload) tryWrite(name string) (ok bool) {
	h.T.Helper()
	if writes[name].run == nil { // in several transactions
		if name == "import a region" {
			h.importPlace()
			return true
		}
		return h.ingestPayload()
	}
	for range 10 {
		writers := slices.Clone(h.viewers[1:]) // the first member may be disabled
		h.Shuffle(len(writers), func(i, j int) { writers[i], writers[j] = writers[j], writers[i] })
		h.v, h.other = writers[0], writers[1]
		err := h.DB.Write(storetest.Fill(h.T.Context()), func(tx *store.Tx) error { // some writes compose a dataset
			h.tx = tx
			return writes[name].run(h)
		})
		if err == nil {
			return true
		}
		if e := (*svc.Error)(nil); !errors.As(err, &e) {
			h.T.Fatalf("%s: %v", name, err)
		}
	}
	return false
}

// compareDatasets compares the datasets from the cache with datasets from an empty cache.
func (h *randomWorkload) compareDatasets(about string) {
	h.T.Helper()
	for _, v := range h.viewers {
		if h.OneIn(2) {
			continue // so that the next dataset of this member is computed from an older snapshot in the cache
		}
		r := request(h.T, icstest.Pick(h.Rand, "", "", "caps=objects", "sections=objects,workspace", "lat=52.5&lon=13.4", "lat=52.5&lon=13.4", "lat=52.5&lon=13.4&radius=2000&categories=coffee"))
		got, want := h.readBody(h.World, v, r), h.readBody(h.NewWorld(), v, r)
		if !bytes.Equal(got, want) {
			at := excerptStart(got, want)
			h.T.Fatalf("%s, dataset of %v: got from the cache\n%.500s\nwant\n%.500s", about, v, got[at:], want[at:])
		}
	}
}

// readBody returns the dataset of v, or the error text if the member is disabled.
func (h *randomWorkload) readBody(w *world.World, v svc.Viewer, r dataset.Request) []byte {
	h.T.Helper()
	response, err := w.Read(h.T.Context(), v, r)
	if e := (*svc.Error)(nil); errors.As(err, &e) {
		return []byte(e.Error())
	}
	if err != nil {
		h.T.Fatal(err)
	}
	return worldtest.Text(h.T, response.Body)
}

// excerptStart returns an offset 200 bytes before the first difference of two
// texts.
func excerptStart(a, b []byte) (at int) {
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return max(0, at-200)
}

// After random writes and pauses, the dataset from the cache equals the dataset
// from an empty cache. Covers PT-47 and B-84.
func TestCacheIsInvalidatedByEveryChange(t *testing.T) {
	touched := make(map[string]bool)
	for _, w := range writes {
		for _, name := range w.changes {
			touched[name] = true
		}
	}
	table := readChangeTable(t)
	for name, c := range table.changes {
		inPart := slices.ContainsFunc(c.topics, func(topic string) bool { return topicsWithoutPart[table.topics[topic]] == "" })
		if inPart && !touched[name] {
			t.Errorf("change %s: got no write in the history, want one", name)
		}
	}
	rounds := 2
	if svctest.IsLong() {
		rounds = 12
	}
	for seed := range svctest.Seeds(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s, viewers := worldtest.New(t, "m1", "m2", "m3", "m4")
			h := &randomWorkload{Server: s, Rand: icstest.NewRand(8500 + seed), viewers: viewers}
			if seed%2 == 1 {
				h.World.LimitCache(40 << 10) // small enough that snapshots are evicted
			}
			for i, v := range viewers {
				s.CreateCommunity(v, fmt.Sprint("Community ", i), viewers[i:]...)
				s.CreateEvent(v, fmt.Sprint("Event ", i), "2026-12-01T20:00:00")
			}
			names := slices.Sorted(maps.Keys(writes))
			succeeded := make(map[string]int)
			for range rounds {
				h.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
				for _, name := range names {
					if h.tryWrite(name) {
						succeeded[name]++
					}
					h.compareDatasets("after " + name)
					pause := time.Duration(1+h.IntN(100)) * time.Second
					if h.OneIn(40) {
						pause = time.Duration(h.IntN(30)) * time.Hour
					}
					h.Server.Clock.Advance(pause)
					if h.OneIn(8) {
						h.compareDatasets(fmt.Sprint(pause, " after ", name))
					}
				}
			}
			for _, name := range names {
				if succeeded[name] == 0 {
					t.Errorf("%s: got no success in %d rounds, want at least one", name, rounds)
				}
			}
		})
	}
}
