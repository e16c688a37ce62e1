package identity

import (
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (w *fixture) invite(by Actor, email string) (n NewInvitation, err error) {
	err = w.write(func(tx *store.Tx) error {
		n, err = w.Invite(tx, by, email)
		return err
	})
	return n, err
}

func TestInvitationIsUsedOnce(t *testing.T) {
	w := newFixture(t, Config{})
	n, err := w.invite(cli, "")
	w.must(err)
	bea := Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: n.Code}
	s, err := w.register(bea)
	w.must(err)
	bea.Email = "cid@x.org"
	_, err = w.register(bea)
	wantError(t, err, svc.LinkExpired)
	var list []Invitation
	w.must(w.read(func(tx *store.Tx) (err error) { list, err = w.Invitations(tx, cli); return err }))
	if len(list) != 1 || list[0].UsedBy == nil || *list[0].UsedBy != s.Member.ID || list[0].UsedAt == nil {
		t.Errorf("got %+v, want one invitation used by the new member", list)
	}
	wantError(t, w.write(func(tx *store.Tx) error { return w.RevokeInvitation(tx, cli, n.ID) }), svc.NotFound)
}

func TestInvitationExpiresAfterAWeek(t *testing.T) {
	w := newFixture(t, Config{})
	n, err := w.invite(cli, "")
	w.must(err)
	find := func() error {
		return w.read(func(tx *store.Tx) error { _, err := w.Invitation(tx, n.Code); return err })
	}
	w.clock.Set(n.ExpiresAt.Add(-1e6))
	w.must(find())
	w.clock.Set(n.ExpiresAt)
	wantError(t, find(), svc.LinkExpired)
	_, err = w.register(Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: n.Code})
	wantError(t, err, svc.LinkExpired)
}

// An invitation for an e-mail address permits registration with this address
// only. A failed registration does not use it.
func TestInvitationForAnAddressPermitsNoOther(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	n, err := w.invite(cli, "Bea@Example.org")
	w.must(err)
	var seen Invitation
	w.must(w.read(func(tx *store.Tx) (err error) { seen, err = w.Invitation(tx, n.Code); return err }))
	if seen.Email != "bea@example.org" {
		t.Errorf("got address %q, want bea@example.org", seen.Email)
	}
	r := Registration{Email: "cid@example.org", Username: "ann", Password: "correct horse", InviteCode: n.Code}
	_, err = w.register(r)
	wantError(t, err, svc.InvalidValue, "email")
	r.Email = "BEA@example.org"
	_, err = w.register(r)
	wantError(t, err, svc.AlreadyExists, "username")
	r.Username = ""
	if _, err = w.register(r); err != nil {
		t.Error(err)
	}
	_, err = w.invite(cli, "bea@example.org")
	wantError(t, err, svc.AlreadyExists, "email")
	_, err = w.invite(cli, "not an address")
	wantError(t, err, svc.InvalidValue, "email")
}

func TestInvitationsEndWithTheirOperator(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org", "bob@example.org", "cid@example.org", "chief@example.org"}})
	ann, cid := w.addMember("ann"), w.addMember("cid")
	w.addMember("bob")
	byCid, err := w.invite(w.operator(cid), "chief@example.org")
	w.must(err)
	w.must(w.setOperator(cid, false))
	_, err = w.register(Registration{Email: "chief@example.org", Password: "correct horse", InviteCode: byCid.Code})
	wantError(t, err, svc.LinkExpired)
	byAnn, err := w.invite(w.operator(ann), "")
	w.must(err)
	byShell, err := w.invite(cli, "")
	w.must(err)
	last, err := w.invite(cli, "")
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeInvitation(tx, cli, byShell.ID) }))
	w.must(w.update(ann, Changes{Status: ptr(Disabled)})) // revokes her invitations
	for _, n := range []NewInvitation{byAnn, byShell} {
		_, err := w.register(Registration{Email: "mallory@x.org", Password: "correct horse", InviteCode: n.Code})
		wantError(t, err, svc.LinkExpired)
	}
	if _, err := w.register(Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: last.Code}); err != nil {
		t.Error(err)
	}
}

// A password reset revokes the invitations that an attacker may have created.
func TestPasswordResetRevokesInvitations(t *testing.T) {
	for name, c := range map[string]struct {
		replace func(*fixture, svc.MemberID, PasswordHash) error
		valid   bool // the invitation is still valid
	}{
		"reset link": {replace: func(w *fixture, ann svc.MemberID, hash PasswordHash) error {
			return w.write(func(tx *store.Tx) error {
				l, err := w.AddResetLink(tx, cli, ann)
				if err == nil {
					_, err = w.ResetPassword(tx, l.Code, hash)
				}
				return err
			})
		}},
		"password set by an operator": {replace: func(w *fixture, ann svc.MemberID, hash PasswordHash) error {
			return w.update(ann, Changes{Password: &hash})
		}},
		"password changed by the member": {valid: true, replace: func(w *fixture, ann svc.MemberID, hash PasswordHash) error {
			p, err := w.prove("ann", passwordOf("ann"))
			w.must(err)
			return w.write(func(tx *store.Tx) error { return w.ChangePassword(tx, p, hash, "") })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, Config{Operators: []string{"ann@example.org", "bob@example.org", "chief@example.org"}})
			ann, bob := w.addMember("ann"), w.addMember("bob")
			used, err := w.invite(w.operator(ann), "")
			w.must(err)
			_, err = w.register(Registration{Email: "dan@x.org", Password: "correct horse", InviteCode: used.Code})
			w.must(err)
			own, err := w.invite(w.operator(ann), "chief@example.org")
			w.must(err)
			other, err := w.invite(w.operator(bob), "")
			w.must(err)
			hash, err := w.HashPassword(t.Context(), "battery staple")
			w.must(err)
			w.must(c.replace(w, ann, hash))

			_, err = w.register(Registration{Email: "chief@example.org", Password: "correct horse", InviteCode: own.Code})
			if c.valid {
				w.must(err)
			} else {
				wantError(t, err, svc.LinkExpired)
			}
			_, err = w.register(Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: other.Code})
			w.must(err)
			var list []Invitation
			w.must(w.read(func(tx *store.Tx) (err error) { list, err = w.Invitations(tx, cli); return err }))
			want := 2 // used invitations stay listed
			if c.valid {
				want = 3
			}
			if len(list) != want {
				t.Errorf("got %d invitations, want %d", len(list), want)
			}
		})
	}
}

func TestClosedRegistrationRejectsInvitations(t *testing.T) {
	w := newFixture(t, Config{Registration: Closed})
	_, err := w.invite(cli, "")
	wantError(t, err, svc.RegistrationClosed)
}

// A password reset revokes tokens, device passwords and the link itself.
func TestResetPasswordRevokesCredentials(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	token, device := w.token("ann"), w.addDevice(ann, "Phone")
	link := func() (l ResetLink) {
		w.must(w.write(func(tx *store.Tx) (err error) { l, err = w.AddResetLink(tx, cli, ann); return err }))
		return l
	}
	reset := func(l ResetLink, password string) (p Proof, err error) {
		var m Member
		if err := w.read(func(tx *store.Tx) (err error) { m, err = w.ResetMember(tx, l.Code); return err }); err != nil {
			return Proof{}, err
		}
		hash, err := w.HashPassword(t.Context(), password, m.Email)
		if err != nil {
			return Proof{}, err
		}
		err = w.write(func(tx *store.Tx) error {
			p, err = w.ResetPassword(tx, l.Code, hash)
			return err
		})
		return p, err
	}
	first, second := link(), link()
	_, err := reset(first, "battery staple")
	wantError(t, err, svc.LinkExpired)
	_, err = reset(second, "ANN@example.org")
	wantError(t, err, svc.WeakPassword, "password")
	p, err := reset(second, "battery staple")
	w.must(err)
	if err := w.write(func(tx *store.Tx) error { _, _, err := w.Login(tx, p, Client{}); return err }); err != nil {
		t.Errorf("login with the proof of the reset: %v", err)
	}
	_, err = reset(second, "battery staple again")
	wantError(t, err, svc.LinkExpired)
	_, err = w.authenticate(token)
	wantError(t, err, svc.Unauthenticated)
	if w.authenticateDAV("ann", device.Password).Valid {
		t.Error("device password: got valid, want invalid")
	}
	_, err = w.login("ann", passwordOf("ann"))
	wantError(t, err, svc.InvalidCredentials)
	if _, err := w.login("ann", "battery staple"); err != nil {
		t.Errorf("login with the new password: %v", err)
	}

	expired := link()
	w.clock.Set(expired.ExpiresAt)
	_, err = reset(expired, "expired password")
	wantError(t, err, svc.LinkExpired)

	withdrawn := link()
	w.must(w.update(ann, Changes{Status: ptr(Disabled)}))
	_, err = reset(withdrawn, "some new password")
	wantError(t, err, svc.LinkExpired)
	linkWhileDisabled := link()
	_, err = reset(linkWhileDisabled, "some new password")
	wantError(t, err, svc.LinkExpired)
	w.must(w.update(ann, Changes{Status: ptr(Active)}))
	if _, err = reset(linkWhileDisabled, "some new password"); err != nil {
		t.Errorf("after the member was enabled: %v", err)
	}
}

// The code of an invitation cannot reset a password, and vice versa.
func TestCodesHaveOnePurpose(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	n, err := w.invite(cli, "")
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error {
		l, err := w.AddResetLink(tx, cli, ann)
		if err != nil {
			return err
		}
		_, err = w.ResetMember(tx, n.Code)
		wantError(t, err, svc.LinkExpired)
		_, err = w.Invitation(tx, l.Code)
		wantError(t, err, svc.LinkExpired)
		return nil
	}))
}
