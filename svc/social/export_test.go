package social

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// exported returns the items that an export visits.
func exported[T any](a actor, export func(*store.Tx, svc.MemberID, func(T) error) error) (list []T) {
	a.Helper()
	read(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
		return nil, export(tx, a.id, func(item T) error { list = append(list, item); return nil })
	})
	return list
}

func TestExportContainsTheDataOfTheMember(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	for _, a := range []actor{ann, cid} { // data of cid must not appear
		a.community("private", bea)
		id := a.start(open, "By "+a.name)
		a.reply(id, "Reply by "+a.name)
		event := a.host("public", func(e *NewEvent) { e.Title = "Event of " + a.name })
		a.attend(event, "maybe")
		a.dm(bea, "DM by "+a.name)
	}
	requested := cid.withPolicy("request")
	ann.join(requested)
	bea.block(cid)

	equal(t, "memberships", column(exported(ann, s.ExportMemberships), func(m ExportedMembership) any { return m.State + " " + m.Role }), "active owner requested member")
	equal(t, "conversations", column(exported(ann, s.ExportConversations), func(c ExportedConversation) any { return c.Body }), "By ann")
	equal(t, "replies", column(exported(ann, s.ExportReplies), func(r ExportedReply) any { return r.Body }), "Reply by ann")
	equal(t, "events", column(exported(ann, s.ExportEvents), func(e ExportedEvent) any { return e.Title + " " + e.Start }), "Event of ann 2026-12-24T18:00:00")
	equal(t, "RSVPs", column(exported(ann, s.ExportRSVPs), func(r ExportedRSVP) any { return r.Response }), "maybe")
	equal(t, "invitations", column(exported(ann, s.ExportInvitations), func(i ExportedInvitation) any { return fmt.Sprint(i.Invitee, i.State) }), "2accepted")
	equal(t, "invitations of bea", len(exported(bea, s.ExportInvitations)), 2)
	equal(t, "DMs", column(exported(ann, s.ExportDMs), func(d ExportedDM) any { return d.With.DisplayName }), "Bea")
	equal(t, "DMs of bea, one with a hidden member", column(exported(bea, s.ExportDMs), func(d ExportedDM) any { return d.With.DisplayName }), "Former member Ann")
	equal(t, "DM messages of bea", column(exported(bea, s.ExportDMMessages), func(m DMMessage) any { return m.Body }), "DM by cid DM by ann")
	equal(t, "notifications of bea", column(exported(bea, s.ExportNotifications), func(n Notification) any { return n.Kind }), "dm invitation")
	details := read(ann, func(tx *store.Tx, _ svc.Viewer) (ProfileDetails, error) { return s.ProfileDetails(tx, ann.id) })
	equal(t, "profile", details.Visibility, "members")
	equal(t, "presence", read(ann, func(tx *store.Tx, _ svc.Viewer) (Presence, error) { return s.OwnPresence(tx, ann.id) }).State, "offline")
}

func TestExportReadsInBatches(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	ann.community("private", bea)
	id := ann.start(open, "x")
	const n = exportBatch + 1
	err := s.db.Write(t.Context(), func(tx *store.Tx) error {
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
	equal(t, "replies", len(exported(ann, s.ExportReplies)), n)
	equal(t, "DM messages", len(exported(ann, s.ExportDMMessages)), n)
	stop := fmt.Errorf("stop")
	_, err = lookup(ann, func(tx *store.Tx, _ svc.Viewer) (any, error) {
		return nil, s.ExportReplies(tx, ann.id, func(ExportedReply) error { return stop })
	})
	equal(t, "the error of the visitor", err, stop)
}
