package social

import (
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

func (a actor) membership(community string) string {
	a.Helper()
	c, err := a.getCommunity(community)
	if err != nil {
		a.Fatalf("%s: %v", a.name, err)
	}
	return string(c.Membership.State)
}

// communityWithPolicy creates a public community with a join policy.
func (a actor) communityWithPolicy(policy string) string {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return a.CreateCommunity(tx, v, NewCommunity{Name: "Choir", Visibility: "public", JoinPolicy: JoinPolicy(policy)})
	}).ID
}

// Covers O-13, O-14 and B-65.
func TestJoinPolicyDecidesHowMembersJoin(t *testing.T) {
	for _, c := range []struct{ policy, joined string }{{"open", "active"}, {"request", "requested"}} {
		t.Run(c.policy, func(t *testing.T) {
			_, m := newServer(t, "ann", "bea")
			ann, bea := m[0], m[1]
			id := ann.communityWithPolicy(c.policy)
			bea.leave(id) // bea has no membership to end
			wantEqual(t, "before joining", bea.membership(id), "none")
			bea.join(id)
			bea.join(id)
			wantEqual(t, "after joining twice", bea.membership(id), c.joined)
			bea.leave(id)
			wantEqual(t, "after leaving", bea.membership(id), "left")
			bea.join(id)
			if err := ann.remove(id, bea); err != nil {
				t.Fatal(err)
			}
			wantError(t, "joining after removal", bea.tryJoin(id), svc.PermissionDenied)
			ann.admit(id, bea)
			wantEqual(t, "after an invitation", bea.membership(id), "active")
		})
	}
	t.Run("invite", func(t *testing.T) {
		_, m := newServer(t, "ann", "bea")
		ann, bea := m[0], m[1]
		id := ann.communityWithPolicy("invite")
		wantError(t, "joining without an invitation", bea.tryJoin(id), svc.PermissionDenied)
		bea.answer(ann.invite(id, bea), Decline)
		wantError(t, "joining after declining", bea.tryJoin(id), svc.PermissionDenied)
		ann.invite(id, bea)
		wantEqual(t, "with an invitation", bea.membership(id), "invited")
		bea.join(id)
		wantEqual(t, "after joining", bea.membership(id), "active")
	})
}

// Covers B-65 and O-40.
func TestRolesLimitWhatStaffCanDo(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan", "eve")
	ann, bea, cid, dan, eve := m[0], m[1], m[2], m[3], m[4]
	id := ann.communityWithPolicy("request")
	for _, a := range []actor{bea, cid, dan} {
		ann.admit(id, a)
	}
	ann.setRole(id, bea, "moderator")
	ann.setRole(id, cid, "moderator")
	eve.join(id)
	role, state := func(r string) MemberChange { return MemberChange{Role: svc.Some(Role(r))} }, func(s string) MemberChange { return MemberChange{State: svc.Some(MembershipState(s))} }
	both := MemberChange{Role: svc.Some(RoleModerator), State: svc.Some(MembershipActive)}
	for _, c := range []struct {
		about  string
		by, of actor
		change MemberChange
		code   svc.Code
		fields []string
	}{
		{"a member changes a role", dan, cid, role("member"), svc.PermissionDenied, nil},
		{"a member admits", dan, eve, state("active"), svc.NotFound, nil},
		{"an applicant admits themselves", eve, eve, state("active"), svc.NotFound, nil},
		{"a moderator changes a role", bea, dan, role("moderator"), svc.PermissionDenied, nil},
		{"a moderator admits with a role", bea, eve, both, svc.PermissionDenied, nil},
		{"an unknown role", ann, dan, role("king"), svc.InvalidValue, []string{"role"}},
		{"removal by state", ann, dan, state("removed"), svc.InvalidValue, []string{"state"}},
		{"a role for an applicant", ann, eve, role("moderator"), svc.InvalidValue, []string{"role"}},
		{"the last owner steps down", ann, ann, role("moderator"), svc.LastOwner, nil},
	} {
		_, err := tryWrite(c.by, func(tx *store.Tx, v svc.Viewer) (CommunityMember, error) {
			return c.by.UpdateCommunityMember(tx, v, id, c.of.id, c.change)
		})
		wantError(t, c.about, err, c.code, c.fields...)
	}
	for about, c := range map[string]struct {
		by, of actor
		code   svc.Code
	}{
		"a member removes a moderator":    {dan, cid, svc.PermissionDenied},
		"an applicant removes a member":   {eve, dan, svc.PermissionDenied},
		"a moderator removes a moderator": {bea, cid, svc.PermissionDenied},
		"a moderator removes the owner":   {bea, ann, svc.PermissionDenied},
		"the last owner leaves":           {ann, ann, svc.LastOwner},
	} {
		wantError(t, about, c.by.remove(id, c.of), c.code)
	}

	if err := bea.remove(id, eve); err != nil { // declines the request
		t.Error(err)
	}
	wantError(t, "a declined applicant joins", eve.tryJoin(id), svc.PermissionDenied)
	if err := bea.remove(id, dan); err != nil {
		t.Error(err)
	}
	if err := cid.remove(id, cid); err != nil { // cid leaves the community
		t.Error(err)
	}
	ann.setRole(id, bea, "owner")
	bea.setRole(id, ann, "member")
	ann.leave(id)
	wantEqual(t, "members at the end", bea.memberNames(id), "Bea")
}

func TestStaffAdmitsApplicants(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.communityWithPolicy("request")
	bea.join(id)
	cid.join(id)
	wantEqual(t, "the owner is notified", ann.notificationTitles(), "[Cid asked to join Bea asked to join]")
	admitted := write(ann, func(tx *store.Tx, v svc.Viewer) (CommunityMember, error) {
		return ann.UpdateCommunityMember(tx, v, id, bea.id, MemberChange{State: svc.Some(MembershipActive), Role: svc.Some(RoleModerator)})
	})
	wantEqual(t, "the admitted member", string(admitted.State)+" "+string(*admitted.Role), "active moderator")
	wantEqual(t, "the owner sees applicants first", ann.memberNames(id), "Cid Ann Bea")
}

// Covers B-72: a member can request to join despite a block; the owner who
// blocks the member sees a former member.
func TestHiddenApplicantIsAFormerMemberToStaff(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.communityWithPolicy("request")
	ann.block(bea)
	bea.join(id)
	wantEqual(t, "members during the block", ann.memberNames(id), "Former member Ann")
	ann.unblock(bea)
	wantEqual(t, "members after the block", ann.memberNames(id), "Bea Ann")
}

// Covers PT-30 and B-82: requests to join are listed before members, on all pages.
func TestPagesOfMembersAreComplete(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan", "eve", "fay")
	ann := m[0]
	id := ann.communityWithPolicy("request")
	for _, a := range m[1:4] {
		ann.admit(id, a)
	}
	m[4].join(id)
	m[5].join(id)
	var pages []string
	cursor := ""
	for more := true; more; more = cursor != "" {
		pages = append(pages, read(ann, func(tx *store.Tx, v svc.Viewer) (string, error) {
			list, page, err := s.CommunityMembers(tx, v, id, svc.PageQuery{Limit: 2, Cursor: cursor})
			if cursor = ""; page.NextCursor != nil {
				cursor = *page.NextCursor
			}
			return column(list, func(m CommunityMember) any { return m.DisplayName }), err
		}))
	}
	wantEqual(t, "pages for the owner", strings.Join(pages, "|"), "Eve Fay|Ann Bea|Cid Dan")
	wantEqual(t, "members for an applicant", m[4].memberNames(id), "Ann Bea Cid Dan")
}

func TestHiddenStaffIsNotNotifiedOfRequests(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.communityWithPolicy("request")
	ann.admit(id, bea)
	ann.setRole(id, bea, "moderator")
	bea.block(cid)
	cid.join(id)
	wantEqual(t, "the owner", ann.notificationTitles(), "[Cid asked to join]")
	bea.unblock(cid)
	wantEqual(t, "the moderator", bea.notificationTitles(), "[Ann invited you]")
}

// Covers B-65 and PT-46: a community has an owner even after its only owner is
// deleted.
func TestDeletedOwnerHasASuccessor(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	moderated := ann.community("private", bea, cid)
	ann.setRole(moderated, cid, "moderator")
	plain := ann.community("private", dan)
	s.clock.Advance(time.Minute)
	ann.admit(plain, bea)
	alone := ann.community("public")
	shared := bea.community("private", ann)
	toAnn, byAnn := bea.invite(bea.community("private"), ann), ann.invite(plain, cid)
	dan.disable()
	ann.deleteAccount()

	role := func(a actor, id string) string {
		c, err := a.getCommunity(id)
		if err != nil {
			return err.Error()
		}
		return string(*c.Membership.Role)
	}
	wantEqual(t, "a moderator succeeds", role(cid, moderated)+" "+role(bea, moderated), "owner member")
	wantEqual(t, "the first active member succeeds", role(bea, plain), "owner")
	wantEqual(t, "another owner remains", role(bea, shared), "owner")
	_, err := bea.getCommunity(alone)
	wantError(t, "a community without members", err, svc.NotFound)
	c, _ := bea.getCommunity(shared)
	wantEqual(t, "members left", c.MemberCount, 1)
	wantEqual(t, "circles", bea.circleNames(), "Cid||")
	wantEqual(t, "an invitation to the deleted member", bea.answer(toAnn, Revoke).State, "revoked")
	wantError(t, "an invitation by the deleted member", cid.tryAnswer(byAnn, Accept), svc.InvitationClosed)
}

func TestDisabledMemberSucceedsOnlyIfAllAreDisabled(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.community("private", bea)
	bea.disable()
	ann.deleteAccount()
	bea.members.inactive[bea.id] = false
	c, err := bea.getCommunity(id)
	if err != nil || c.Membership.Role == nil || *c.Membership.Role != "owner" {
		t.Errorf("got %+v, %v, want bea as the owner", c.Membership, err)
	}
}
