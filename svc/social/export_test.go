package social

import (
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/thread"
)

// collect returns the items that an export visits.
func collect[T any](a actor, export func(*store.Tx, svc.MemberID, func(T) error) error) (list []T) {
	a.Helper()
	read(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
		return nil, export(tx, a.id, func(item T) error { list = append(list, item); return nil })
	})
	return list
}

func TestExportContainsTheDataOfTheMember(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	for _, a := range []actor{ann, cid} { // the export of ann must not contain data of cid
		a.community("private", bea)
		id := a.start(openContext, "By "+a.name)
		a.reply(id, "Reply by "+a.name)
		event := a.createEvent("public", func(e *NewEvent) { e.Title = "Event of " + a.name })
		a.mustRespond(event, "maybe")
		a.mustSend(bea, "DM by "+a.name)
	}
	requested := cid.communityWithPolicy("request")
	ann.join(requested)
	bea.block(cid)

	wantEqual(t, "memberships", column(collect(ann, s.ExportMemberships), func(m ExportedMembership) any { return fmt.Sprint(m.State, " ", m.Role) }), "active owner requested member")
	wantEqual(t, "conversations", column(collect(ann, s.ExportConversations), func(c ExportedConversation) any { return c.Body }), "By ann")
	wantEqual(t, "replies", column(collect(ann, s.ExportReplies), func(r ExportedReply) any { return r.Body }), "Reply by ann")
	wantEqual(t, "events", column(collect(ann, s.ExportEvents), func(e ExportedEvent) any { return e.Title + " " + e.Start }), "Event of ann 2026-12-24T18:00:00")
	wantEqual(t, "RSVPs", column(collect(ann, s.ExportRSVPs), func(r ExportedRSVP) any { return r.Response }), "maybe")
	wantEqual(t, "invitations", column(collect(ann, s.ExportInvitations), func(i ExportedInvitation) any { return fmt.Sprint(i.Invitee, i.State) }), "2accepted")
	wantEqual(t, "invitations of bea", len(collect(bea, s.ExportInvitations)), 2)
	wantEqual(t, "DMs", column(collect(ann, s.ExportDMs), func(d ExportedDM) any { return d.With.DisplayName }), "Bea")
	wantEqual(t, "DMs of bea, one with a hidden member", column(collect(bea, s.ExportDMs), func(d ExportedDM) any { return d.With.DisplayName }), "Former member Ann")
	wantEqual(t, "DM messages of bea", column(collect(bea, s.DMs.EachMessage), func(m thread.Message) any { return m.Body }), "DM by cid DM by ann")
	wantEqual(t, "notifications of bea", column(collect(bea, s.ExportNotifications), func(n Notification) any { return n.Kind }), "dm invitation")
	details := read(ann, func(tx *store.Tx, _ svc.Viewer) (ProfileDetails, error) { return s.ProfileDetails(tx, ann.id) })
	wantEqual(t, "profile", details.Visibility, "members")
	wantEqual(t, "presence", read(ann, func(tx *store.Tx, _ svc.Viewer) (Presence, error) { return s.OwnPresence(tx, ann.id) }).State, "offline")
}

// Covers O-17: an export does not identify a private community that the member has
// left, not even as the context of the member's own records.
func TestExportOmitsCommunitiesThatTheMemberHasLeft(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	private, public := ann.community("private", bea), ann.community("public", bea)
	for _, c := range []string{private, public} {
		bea.start(inCommunity(c), "Where to?")
		bea.createEvent("community", forCommunity(c))
	}
	text := func() string {
		return store.JSON([]any{
			collect(bea, s.ExportMemberships), collect(bea, s.ExportConversations), collect(bea, s.ExportReplies), collect(bea, s.ExportEvents),
			collect(bea, s.ExportRSVPs), collect(bea, s.ExportInvitations), collect(bea, s.ExportNotifications), collect(bea, s.ExportDMs),
		})
	}
	wantEqual(t, "times that the private community is named before", strings.Count(text(), private), 4)
	bea.leave(private)
	bea.leave(public)
	wantEqual(t, "times that the private community is named after", strings.Count(text(), private), 0)
	wantEqual(t, "times that the public community is named after", strings.Count(text(), public), 3)
	wantEqual(t, "conversations", column(collect(bea, s.ExportConversations), func(c ExportedConversation) any { return c.Context.ID == nil }), "true false")
}

func TestExportReadsInBatches(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	ann.community("private", bea)
	id := ann.start(openContext, "x")
	const n = exportBatch + 1
	err := s.db.Write(storetest.Fill(t.Context()), func(tx *store.Tx) error {
		for range n {
			if _, err := s.Reply(tx, ann.viewer(), id, NewReply{Body: "x"}); err != nil {
				return err
			}
			if _, err := s.StartDM(tx, ann.viewer(), NewDM{"bea", "x"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "replies", len(collect(ann, s.ExportReplies)), n)
	wantEqual(t, "DM messages", len(collect(ann, s.DMs.EachMessage)), n)
	stop := fmt.Errorf("stop")
	_, err = tryRead(ann, func(tx *store.Tx, _ svc.Viewer) (any, error) {
		return nil, s.ExportReplies(tx, ann.id, func(ExportedReply) error { return stop })
	})
	wantEqual(t, "the error of the visitor", err, stop)
}
