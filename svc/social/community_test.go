package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Covers O-01, B-65, B-83 and PT-40 for new communities.
func TestNewCommunityIsValidated(t *testing.T) {
	s, m := newServer(t, "ann")
	for _, c := range []struct {
		about  string
		in     NewCommunity
		code   svc.Code
		fields []string
	}{
		{"no name", NewCommunity{}, svc.FieldRequired, []string{"name"}},
		{"blank name", NewCommunity{Name: " \t "}, svc.FieldRequired, []string{"name"}},
		{"long name", NewCommunity{Name: strings.Repeat("é", 81)}, svc.TooLong, []string{"name"}},
		{"two lines", NewCommunity{Name: "a\nb"}, svc.InvalidValue, []string{"name"}},
		{"long summary", NewCommunity{Name: "a", Summary: strings.Repeat("x", 1001)}, svc.TooLong, []string{"summary"}},
		{"unknown words", NewCommunity{Name: "a", Visibility: "secret", JoinPolicy: "never"}, svc.InvalidValue, []string{"visibility", "join_policy"}},
		{"private and open", NewCommunity{Name: "a", JoinPolicy: "open"}, svc.InvalidValue, []string{"join_policy"}},
		{"private by request", NewCommunity{Name: "a", Visibility: "private", JoinPolicy: "request"}, svc.InvalidValue, []string{"join_policy"}},
	} {
		_, err := tryWrite(m[0], func(tx *store.Tx, v svc.Viewer) (Community, error) { return s.CreateCommunity(tx, v, c.in) })
		wantError(t, c.about, err, c.code, c.fields...)
	}
	wantEqual(t, "communities after rejected requests", m[0].communities(false), "")
	longest := " " + strings.Repeat("é", 78) + " " // CreateCommunity does not trim spaces
	c := write(m[0], func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return s.CreateCommunity(tx, v, NewCommunity{Name: longest})
	})
	wantEqual(t, "the longest name", c.Name, longest)
}

// communities returns the names of the communities that a sees.
func (a actor) communities(mine bool) string {
	a.Helper()
	list := read(a, func(tx *store.Tx, v svc.Viewer) ([]Community, error) {
		list, _, err := a.Communities(tx, v, mine, svc.PageQuery{})
		return list, err
	})
	return column(list, func(c Community) any { return c.Name })
}

func TestCommunityDefaultsToPrivateAndInvitationOnly(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	for visibility, want := range map[string]string{"": "private invite", "private": "private invite", "public": "public open"} {
		c := write(ann, func(tx *store.Tx, v svc.Viewer) (Community, error) {
			return s.CreateCommunity(tx, v, NewCommunity{Name: "Choir", Visibility: CommunityVisibility(visibility)})
		})
		wantEqual(t, "visibility "+visibility, fmt.Sprint(c.Visibility, " ", c.JoinPolicy), want)
		wantEqual(t, "role of the founder", *c.Membership.Role, "owner")
	}
	wantEqual(t, "communities of bea", bea.communities(false), "Choir") // bea sees only the public community
	wantEqual(t, "communities bea is in", bea.communities(true), "")
}

func (a actor) update(community string, change CommunityChange) (Community, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return a.UpdateCommunity(tx, v, community, change)
	})
}

// Covers B-65 and PT-40.
func TestOnlyOwnersChangeACommunity(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("public", bea)
	ann.setRole(id, bea, "moderator")
	for _, a := range []actor{bea, cid} {
		_, err := a.update(id, CommunityChange{Name: svc.Some("Mine")})
		wantError(t, a.name+" updates", err, svc.PermissionDenied)
		wantError(t, a.name+" deletes", a.deleteCommunity(id), svc.PermissionDenied)
	}
	_, err := ann.update(id, CommunityChange{Name: svc.Optional[string]{Set: true, Null: true}})
	wantError(t, "null name", err, svc.FieldRequired, "name")
	c, err := ann.update(id, CommunityChange{Name: svc.Some("Rowing"), Summary: svc.Some("Early")})
	if err != nil || c.Name != "Rowing" || c.Summary != "Early" {
		t.Errorf("got %+v, %v, want the new name and summary", c, err)
	}
}

func TestUnchangedCommunityKeepsItsTime(t *testing.T) {
	s, m := newServer(t, "ann")
	id := m[0].community("private")
	before, _ := m[0].getCommunity(id)
	s.clock.Advance(time.Hour)
	c, err := m[0].update(id, CommunityChange{Name: svc.Some("Choir")})
	if err != nil || !c.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("got updated_at %v, %v, want %v", c.UpdatedAt, err, before.UpdatedAt)
	}
}

// Covers B-65: the members of a community are in each other's circles only after it
// has become private.
func TestPublicCommunityCanBecomePrivate(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := write(ann, func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return ann.CreateCommunity(tx, v, NewCommunity{Name: "Choir", Visibility: "public", JoinPolicy: "request"})
	}).ID
	ann.admit(id, bea)
	cid.join(id)
	wantEqual(t, "circles by a public community", ann.circleNames()+bea.circleNames(), "||||")
	_, err := ann.update(id, CommunityChange{Visibility: svc.Some(CommunityPrivate), JoinPolicy: svc.Some(JoinOpen)})
	wantError(t, "private and open", err, svc.InvalidValue, "join_policy")

	c, err := ann.update(id, CommunityChange{Visibility: svc.Some(CommunityPrivate)})
	if err != nil || c.JoinPolicy != "invite" {
		t.Fatalf("got join policy %q, %v, want invite", c.JoinPolicy, err)
	}
	wantEqual(t, "circles of ann", ann.circleNames(), "Bea||")
	wantEqual(t, "circles of bea", bea.circleNames(), "Ann||")
	wantEqual(t, "members: the request to join has ended", ann.memberNames(id), "Ann Bea")
	_, err = cid.getCommunity(id)
	wantError(t, "an outsider", err, svc.NotFound)
	wantEqual(t, "activity of an outsider", len(cid.activity()), 0)

	_, err = ann.update(id, CommunityChange{Visibility: svc.Some(CommunityPublic)})
	wantError(t, "public again", err, svc.InvalidValue, "visibility")
}

func TestDeletedCommunityIsGoneForAll(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("private", bea)
	conversation := bea.start(inCommunity(id), "Hello")
	event := bea.createEvent("community", forCommunity(id))
	ann.mustRespond(event, "going")
	invitation := ann.invite(id, cid)
	if err := ann.deleteCommunity(id); err != nil {
		t.Fatal(err)
	}
	for _, a := range m {
		_, err := a.getCommunity(id)
		wantError(t, a.name, err, svc.NotFound)
		_, err = a.conversation(conversation)
		wantError(t, a.name+" and the conversation", err, svc.NotFound)
		_, err = a.event(event)
		wantError(t, a.name+" and the event", err, svc.NotFound)
		wantError(t, a.name+" joins", a.tryJoin(id), svc.NotFound)
		wantEqual(t, "circles of "+a.name, a.circleNames(), "||")
	}
	wantError(t, "a pending invitation", cid.tryAnswer(invitation, Accept), svc.InvitationClosed)
	wantEqual(t, "mirrors of the event", s.calendars.mirrorOwners(event), "")
}

// Covers PT-30 and B-82: pages contain each community once, even if communities are created between
// two pages.
func TestPagesOfCommunitiesAreComplete(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	var want []string
	for i := range 7 {
		want = append(want, ann.community([]string{"private", "public"}[i%2]))
		bea.community("private")
		if i > 3 { // the earlier communities have the same creation time
			s.clock.Advance(time.Second)
		}
	}
	var got []string
	cursor := ""
	for more := true; more; more = cursor != "" {
		got = append(got, read(ann, func(tx *store.Tx, v svc.Viewer) (ids []string, err error) {
			list, page, err := s.Communities(tx, v, true, svc.PageQuery{Limit: 2, Cursor: cursor})
			for _, c := range list {
				ids = append(ids, c.ID)
			}
			cursor = ""
			if page.NextCursor != nil {
				cursor = *page.NextCursor
			}
			return ids, err
		})...)
		if cursor != "" {
			_, err := tryRead(bea, func(tx *store.Tx, v svc.Viewer) (any, error) {
				_, _, err := s.Communities(tx, v, true, svc.PageQuery{Cursor: cursor})
				return nil, err
			})
			wantError(t, "the cursor of another member", err, svc.InvalidParameter, "cursor")
		}
		ann.community("public") // this community precedes all others in the list
	}
	slices.Sort(want)
	slices.Sort(got)
	wantEqual(t, "communities on all pages", got, want)
}

func TestMemberCountOmitsHiddenMembers(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("public", bea, cid)
	bea.block(ann)
	bea.block(cid)
	for a, want := range map[actor]int{ann: 3, bea: 1, cid: 2} { // ann is the owner
		c, err := a.getCommunity(id)
		if err != nil || c.MemberCount != want {
			t.Errorf("%s counts %d members, %v, want %d", a.name, c.MemberCount, err, want)
		}
	}
}

// Covers O-27 and B-72 for communities.
func TestMembersHideBlockedMembersExceptFromStaff(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	id := ann.community("public", bea, cid, dan)
	bea.block(ann)
	bea.block(dan)
	cid.disable()
	wantEqual(t, "the owner sees", ann.memberNames(id), "Ann Former member Former member Dan")
	wantEqual(t, "a member sees", dan.memberNames(id), "Ann Former member Dan")
	list := read(ann, func(tx *store.Tx, v svc.Viewer) ([]CommunityMember, error) {
		list, _, err := ann.CommunityMembers(tx, v, id, svc.PageQuery{})
		return list, err
	})
	if got, want := fmt.Sprint(list[1].Permissions), fmt.Sprint(list[2].Permissions); got != want || !list[1].Permissions.CanRemove {
		t.Errorf("permissions for a hidden member are %s, want those for a disabled one, %s", got, want)
	}
	ann.setRole(id, bea, "moderator")
	wantEqual(t, "a moderator who blocks sees", bea.memberNames(id), "Former member Bea Former member Former member")
	wantError(t, "a moderator removes the owner", bea.remove(id, ann), svc.PermissionDenied)
	if err := ann.remove(id, bea); err != nil {
		t.Errorf("the owner cannot remove a member who blocks: %v", err)
	}
	_, err := dan.getCommunity(id)
	if err != nil {
		t.Error(err)
	}
	wantError(t, "a member changes a hidden one", dan.remove(id, bea), svc.NotFound)
}
