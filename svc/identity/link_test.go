package identity

import (
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (w *world) invite(by Actor, email string) (n NewInvitation, err error) {
	err = w.write(func(tx *store.Tx) error {
		n, err = w.Invite(tx, by, email)
		return err
	})
	return n, err
}

func TestAnInvitationAdmitsOne(t *testing.T) {
	w := newWorld(t, Config{})
	n, err := w.invite(shell, "")
	w.must(err)
	bea := Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: n.Code}
	s, err := w.register(bea)
	w.must(err)
	bea.Email = "cid@x.org"
	_, err = w.register(bea)
	refused(t, err, svc.LinkExpired)
	var list []Invitation
	w.must(w.read(func(tx *store.Tx) (err error) { list, err = w.Invitations(tx, shell); return err }))
	if len(list) != 1 || list[0].UsedBy == nil || *list[0].UsedBy != s.Member.ID || list[0].UsedAt == nil {
		t.Errorf("the list says %+v", list)
	}
	refused(t, w.write(func(tx *store.Tx) error { return w.RevokeInvitation(tx, shell, n.ID) }), svc.NotFound)
}

func TestAnInvitationIsGoodForAWeek(t *testing.T) {
	w := newWorld(t, Config{})
	n, err := w.invite(shell, "")
	w.must(err)
	look := func() error {
		return w.read(func(tx *store.Tx) error { _, err := w.Invitation(tx, n.Code); return err })
	}
	w.clock.Set(n.ExpiresAt.Add(-1e6))
	w.must(look())
	w.clock.Set(n.ExpiresAt)
	refused(t, look(), svc.LinkExpired)
	_, err = w.register(Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: n.Code})
	refused(t, err, svc.LinkExpired)
}

// A registration that fails does not use the invitation up, and one for an
// address admits no other.
func TestAnInvitationForOneAddress(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	n, err := w.invite(shell, "Bea@Example.org")
	w.must(err)
	var seen Invitation
	w.must(w.read(func(tx *store.Tx) (err error) { seen, err = w.Invitation(tx, n.Code); return err }))
	if seen.Email != "bea@example.org" {
		t.Errorf("it is for %q", seen.Email)
	}
	r := Registration{Email: "cid@example.org", Username: "ann", Password: "correct horse", InviteCode: n.Code}
	_, err = w.register(r)
	refused(t, err, svc.InvalidValue, "email")
	r.Email = "BEA@example.org"
	_, err = w.register(r)
	refused(t, err, svc.AlreadyExists, "username")
	r.Username = ""
	if _, err = w.register(r); err != nil {
		t.Error(err)
	}
	_, err = w.invite(shell, "bea@example.org")
	refused(t, err, svc.AlreadyExists, "email")
	_, err = w.invite(shell, "not an address")
	refused(t, err, svc.InvalidValue, "email")
}

func TestInvitationsAreWithdrawn(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"ann@example.org", "bob@example.org", "cid@example.org", "chief@example.org"}})
	ann, cid := w.add("ann"), w.add("cid")
	w.add("bob")
	byCid, err := w.invite(w.operator(cid), "chief@example.org")
	w.must(err)
	w.must(w.update(cid, Changes{Email: ptr("cid@elsewhere.org")})) // and with the office the way back
	_, err = w.register(Registration{Email: "chief@example.org", Password: "correct horse", InviteCode: byCid.Code})
	refused(t, err, svc.LinkExpired)
	byAnn, err := w.invite(w.operator(ann), "")
	w.must(err)
	byShell, err := w.invite(shell, "")
	w.must(err)
	last, err := w.invite(shell, "")
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeInvitation(tx, shell, byShell.ID) }))
	w.must(w.update(ann, Changes{Status: ptr(Disabled)})) // and with her what she handed out
	for _, n := range []NewInvitation{byAnn, byShell} {
		_, err := w.register(Registration{Email: "mallory@x.org", Password: "correct horse", InviteCode: n.Code})
		refused(t, err, svc.LinkExpired)
	}
	if _, err := w.register(Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: last.Code}); err != nil {
		t.Error(err)
	}
}

// Whoever had an operator's account in hand for a while has no way back in
// after the operator got it back: not by an invitation made meanwhile.
func TestAResetEndsInvitations(t *testing.T) {
	for name, c := range map[string]struct {
		replace func(*world, svc.MemberID, PasswordHash) error
		stands  bool
	}{
		"a reset link": {replace: func(w *world, ann svc.MemberID, hash PasswordHash) error {
			return w.write(func(tx *store.Tx) error {
				l, err := w.AddResetLink(tx, shell, ann)
				if err == nil {
					_, err = w.ResetPassword(tx, l.Code, hash)
				}
				return err
			})
		}},
		"a password that an operator sets": {replace: func(w *world, ann svc.MemberID, hash PasswordHash) error {
			return w.update(ann, Changes{Password: &hash})
		}},
		"a change by the member": {stands: true, replace: func(w *world, ann svc.MemberID, hash PasswordHash) error {
			p, err := w.prove("ann", passwordOf("ann"))
			w.must(err)
			return w.write(func(tx *store.Tx) error { return w.ChangePassword(tx, p, hash, "") })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Config{Operators: []string{"ann@example.org", "bob@example.org", "chief@example.org"}})
			ann, bob := w.add("ann"), w.add("bob")
			used, err := w.invite(w.operator(ann), "")
			w.must(err)
			_, err = w.register(Registration{Email: "dan@x.org", Password: "correct horse", InviteCode: used.Code})
			w.must(err)
			made, err := w.invite(w.operator(ann), "chief@example.org")
			w.must(err)
			other, err := w.invite(w.operator(bob), "")
			w.must(err)
			hash, err := w.HashPassword(t.Context(), "battery staple")
			w.must(err)
			w.must(c.replace(w, ann, hash))

			_, err = w.register(Registration{Email: "chief@example.org", Password: "correct horse", InviteCode: made.Code})
			if c.stands {
				w.must(err)
			} else {
				refused(t, err, svc.LinkExpired)
			}
			_, err = w.register(Registration{Email: "bea@x.org", Password: "correct horse", InviteCode: other.Code})
			w.must(err)
			var list []Invitation
			w.must(w.read(func(tx *store.Tx) (err error) { list, err = w.Invitations(tx, shell); return err }))
			want := 2 // the used ones stay to be seen
			if c.stands {
				want = 3
			}
			if len(list) != want {
				t.Errorf("%d invitations are listed, want %d", len(list), want)
			}
		})
	}
}

func TestAClosedServerInvitesNobody(t *testing.T) {
	w := newWorld(t, Config{Registration: Closed})
	_, err := w.invite(shell, "")
	refused(t, err, svc.RegistrationClosed)
}

// A reset link gives the account back to one person and takes it from all
// others: it ends tokens and device passwords, and itself.
func TestResetPassword(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	token, device := w.token("ann"), w.device(ann, "Phone")
	link := func() (l ResetLink) {
		w.must(w.write(func(tx *store.Tx) (err error) { l, err = w.AddResetLink(tx, shell, ann); return err }))
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
	refused(t, err, svc.LinkExpired)
	_, err = reset(second, "ANN@example.org")
	refused(t, err, svc.WeakPassword, "password")
	p, err := reset(second, "battery staple")
	w.must(err)
	if err := w.write(func(tx *store.Tx) error { _, err := w.Login(tx, p, ""); return err }); err != nil {
		t.Errorf("signing in with the reset: %v", err)
	}
	_, err = reset(second, "battery staple again")
	refused(t, err, svc.LinkExpired)
	_, err = w.caller(token)
	refused(t, err, svc.Unauthenticated)
	if w.dav("ann", device.Password).Valid {
		t.Error("the device password still works")
	}
	_, err = w.login("ann", passwordOf("ann"))
	refused(t, err, svc.InvalidCredentials)
	if _, err := w.login("ann", "battery staple"); err != nil {
		t.Errorf("the new password: %v", err)
	}

	late := link()
	w.clock.Set(late.ExpiresAt)
	_, err = reset(late, "too late for that")
	refused(t, err, svc.LinkExpired)

	withdrawn := link()
	w.must(w.update(ann, Changes{Status: ptr(Disabled)}))
	_, err = reset(withdrawn, "not my account now")
	refused(t, err, svc.LinkExpired)
	disabled := link()
	_, err = reset(disabled, "not my account now")
	refused(t, err, svc.LinkExpired)
	w.must(w.update(ann, Changes{Status: ptr(Active)}))
	if _, err = reset(disabled, "mine once more"); err != nil {
		t.Errorf("enabled again: %v", err)
	}
}

// An invitation's code resets nobody's password, and the other way round.
func TestCodesHaveOnePurpose(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	n, err := w.invite(shell, "")
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error {
		l, err := w.AddResetLink(tx, shell, ann)
		if err != nil {
			return err
		}
		_, err = w.ResetMember(tx, n.Code)
		refused(t, err, svc.LinkExpired)
		_, err = w.Invitation(tx, l.Code)
		refused(t, err, svc.LinkExpired)
		return nil
	}))
}
