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
		_, err := attempt(m[0], func(tx *store.Tx, v svc.Viewer) (Community, error) { return s.CreateCommunity(tx, v, c.in) })
		refused(t, c.about, err, c.code, c.fields...)
	}
	equal(t, "communities after rejected requests", m[0].communities(false), "")
	longest := " " + strings.Repeat("é", 78) + " " // spaces are kept
	c := write(m[0], func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return s.CreateCommunity(tx, v, NewCommunity{Name: longest})
	})
	equal(t, "the longest name", c.Name, longest)
}

// communities returns the names of the communities that a sees.
func (a actor) communities(mine bool) string {
	a.Helper()
	list := read(a, func(tx *store.Tx, v svc.Viewer) ([]Community, error) {
		list, _, err := a.Communities(tx, v, mine, ListQuery{})
		return list, err
	})
	return column(list, func(c Community) any { return c.Name })
}

func TestCommunityDefaultsToPrivateAndInvitationOnly(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	for visibility, want := range map[string]string{"": "private invite", "private": "private invite", "public": "public open"} {
		c := write(ann, func(tx *store.Tx, v svc.Viewer) (Community, error) {
			return s.CreateCommunity(tx, v, NewCommunity{Name: "Choir", Visibility: visibility})
		})
		equal(t, "visibility "+visibility, c.Visibility+" "+c.JoinPolicy, want)
		equal(t, "role of the founder", *c.Membership.Role, "owner")
	}
	equal(t, "communities of bea", bea.communities(false), "Choir") // bea sees only the public community
	equal(t, "communities bea is in", bea.communities(true), "")
}

func (a actor) update(community string, change CommunityChange) (Community, error) {
	return attempt(a, func(tx *store.Tx, v svc.Viewer) (Community, error) {
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
		refused(t, a.name+" updates", err, svc.PermissionDenied)
		refused(t, a.name+" deletes", a.deleteCommunity(id), svc.PermissionDenied)
	}
	_, err := ann.update(id, CommunityChange{Name: svc.Optional[string]{Set: true, Null: true}})
	refused(t, "null name", err, svc.FieldRequired, "name")
	c, err := ann.update(id, CommunityChange{Name: svc.Some("Rowing"), Summary: svc.Some("Early")})
	if err != nil || c.Name != "Rowing" || c.Summary != "Early" {
		t.Errorf("got %+v, %v, want the new name and summary", c, err)
	}
}

func TestUnchangedCommunityKeepsItsTime(t *testing.T) {
	s, m := newServer(t, "ann")
	id := m[0].community("private")
	before, _ := m[0].see(id)
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
	equal(t, "circles by a public community", ann.circleNames()+bea.circleNames(), "||||")
	_, err := ann.update(id, CommunityChange{Visibility: svc.Some("private"), JoinPolicy: svc.Some("open")})
	refused(t, "private and open", err, svc.InvalidValue, "join_policy")

	c, err := ann.update(id, CommunityChange{Visibility: svc.Some("private")})
	if err != nil || c.JoinPolicy != "invite" {
		t.Fatalf("got join policy %q, %v, want invite", c.JoinPolicy, err)
	}
	equal(t, "circles of ann", ann.circleNames(), "Bea||")
	equal(t, "circles of bea", bea.circleNames(), "Ann||")
	equal(t, "members: the request to join has ended", ann.roster(id), "Ann Bea")
	_, err = cid.see(id)
	refused(t, "an outsider", err, svc.NotFound)
	equal(t, "activity of an outsider", len(cid.activity()), 0)

	_, err = ann.update(id, CommunityChange{Visibility: svc.Some("public")})
	refused(t, "public again", err, svc.InvalidValue, "visibility")
}

func TestDeletedCommunityIsGoneForAll(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("private", bea)
	conversation := bea.start(inCommunity(id), "Hello")
	event := bea.host("community", forCommunity(id))
	ann.attend(event, "going")
	invitation := ann.invite(id, cid)
	if err := ann.deleteCommunity(id); err != nil {
		t.Fatal(err)
	}
	for _, a := range m {
		_, err := a.see(id)
		refused(t, a.name, err, svc.NotFound)
		_, err = a.conversation(conversation)
		refused(t, a.name+" and the conversation", err, svc.NotFound)
		_, err = a.event(event)
		refused(t, a.name+" and the event", err, svc.NotFound)
		refused(t, a.name+" joins", a.tryJoin(id), svc.NotFound)
		equal(t, "circles of "+a.name, a.circleNames(), "||")
	}
	refused(t, "a pending invitation", cid.tryAnswer(invitation, "accepted"), svc.InvitationClosed)
	equal(t, "mirrors of the event", s.calendars.holders(event), "")
}

// Covers PT-30 and B-82: pages contain each community once, also while new ones
// are created.
func TestPagesOfCommunitiesAreComplete(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	var want []string
	for i := range 7 {
		want = append(want, ann.community([]string{"private", "public"}[i%2]))
		bea.community("private")
		if i > 3 { // the others have the same time
			s.clock.Advance(time.Second)
		}
	}
	var got []string
	cursor := ""
	for more := true; more; more = cursor != "" {
		got = append(got, read(ann, func(tx *store.Tx, v svc.Viewer) (ids []string, err error) {
			list, page, err := s.Communities(tx, v, true, ListQuery{Limit: 2, Cursor: cursor})
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
			_, err := lookup(bea, func(tx *store.Tx, v svc.Viewer) (any, error) {
				_, _, err := s.Communities(tx, v, true, ListQuery{Cursor: cursor})
				return nil, err
			})
			refused(t, "the cursor of another member", err, svc.InvalidParameter, "cursor")
		}
		ann.community("public") // sorts before all of them
	}
	slices.Sort(want)
	slices.Sort(got)
	equal(t, "communities on all pages", got, want)
}

func TestMemberCountOmitsHiddenMembers(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("public", bea, cid)
	bea.block(ann)
	bea.block(cid)
	for a, want := range map[actor]int{ann: 3, bea: 1, cid: 2} { // ann is the owner
		c, err := a.see(id)
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
	equal(t, "the owner sees", ann.roster(id), "Ann Former member Former member Dan")
	equal(t, "a member sees", dan.roster(id), "Ann Former member Dan")
	list := read(ann, func(tx *store.Tx, v svc.Viewer) ([]CommunityMember, error) {
		list, _, err := ann.CommunityMembers(tx, v, id, ListQuery{})
		return list, err
	})
	if got, want := fmt.Sprint(list[1].Permissions), fmt.Sprint(list[2].Permissions); got != want || !list[1].Permissions.CanRemove {
		t.Errorf("permissions for a hidden member are %s, want those for a disabled one, %s", got, want)
	}
	ann.setRole(id, bea, "moderator")
	equal(t, "a moderator who blocks sees", bea.roster(id), "Former member Bea Former member Former member")
	refused(t, "a moderator removes the owner", bea.remove(id, ann), svc.PermissionDenied)
	if err := ann.remove(id, bea); err != nil {
		t.Errorf("the owner cannot remove a member who blocks: %v", err)
	}
	_, err := dan.see(id)
	if err != nil {
		t.Error(err)
	}
	refused(t, "a member changes a hidden one", dan.remove(id, bea), svc.NotFound)
}
