package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Covers I-12.
func TestOnlyOperatorsAdminister(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.add("ann"), w.add("bob")
	as := func(v svc.Viewer) error {
		return w.read(func(tx *store.Tx) error { _, err := w.Operator(tx, v); return err })
	}
	w.must(as(svc.Trust(ann)))
	refused(t, as(svc.Trust(bob)), svc.PermissionDenied)
	refused(t, as(svc.Viewer{}), svc.Unauthenticated)
	if c, err := w.caller(w.token("ann")); err != nil || !c.Operator {
		t.Errorf("Ann's token is %+v, %v", c, err)
	}

	var nobody Actor
	a, err := w.Prepare(t.Context(), Registration{Email: "x@x.org", Password: "correct horse"})
	w.must(err)
	for name, act := range map[string]func(*store.Tx) error{
		"list":              func(tx *store.Tx) error { _, err := w.Members(tx, nobody, MemberQuery{}); return err },
		"show":              func(tx *store.Tx) error { _, err := w.FindMember(tx, nobody, "bob"); return err },
		"add":               func(tx *store.Tx) error { _, err := w.AddMember(tx, nobody, a); return err },
		"update":            func(tx *store.Tx) error { _, err := w.Update(tx, nobody, bob, Changes{}); return err },
		"delete":            func(tx *store.Tx) error { return w.Delete(tx, nobody, bob) },
		"invite":            func(tx *store.Tx) error { _, err := w.Invite(tx, nobody, ""); return err },
		"invitations":       func(tx *store.Tx) error { _, err := w.Invitations(tx, nobody); return err },
		"revoke invitation": func(tx *store.Tx) error { return w.RevokeInvitation(tx, nobody, "inv_1") },
		"reset":             func(tx *store.Tx) error { _, err := w.AddResetLink(tx, nobody, bob); return err },
		"audit":             func(tx *store.Tx) error { _, err := w.Audit(tx, nobody, 0, ""); return err },
	} {
		t.Run(name, func(t *testing.T) { refused(t, w.write(act), svc.PermissionDenied) })
	}
}

// Covers I-14.
func TestUpdate(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.add("ann"), w.add("bob")
	by := w.operator(ann)
	before := w.me(bob)
	w.clock.Advance(day)
	w.must(w.updateBy(by, bob, Changes{DisplayName: ptr("Bobby"), Email: ptr("Bobby@x.org"), Username: ptr("Bobby")}))
	want := before
	want.DisplayName, want.Email, want.Username, want.UpdatedAt = "Bobby", "Bobby@x.org", "bobby", before.UpdatedAt.Add(day)
	if got := w.me(bob); got != want {
		t.Errorf("Bob is %+v, want %+v", got, want)
	}
	if _, err := w.login("bobby@x.org", passwordOf("bob")); err != nil {
		t.Errorf("signing in by the new address: %v", err)
	}
	for name, c := range map[string]struct {
		changes Changes
		code    svc.Code
		fields  []string
	}{
		"a taken address":         {Changes{Email: ptr("ANN@example.org")}, svc.AlreadyExists, []string{"email"}},
		"a taken username":        {Changes{Username: ptr("Ann")}, svc.AlreadyExists, []string{"username"}},
		"no display name":         {Changes{DisplayName: ptr(" ")}, svc.FieldRequired, []string{"display_name"}},
		"no address":              {Changes{Email: ptr("")}, svc.InvalidValue, []string{"email"}},
		"not a username":          {Changes{Username: ptr("-")}, svc.InvalidValue, []string{"username"}},
		"not a status":            {Changes{Status: ptr(Status("away"))}, svc.InvalidValue, []string{"status"}},
		"deleted is for delete":   {Changes{Status: ptr(Deleted)}, svc.InvalidValue, []string{"status"}},
		"something good, too":     {Changes{DisplayName: ptr("Rob"), Username: ptr("-")}, svc.InvalidValue, []string{"username"}},
		"two things that are bad": {Changes{Email: ptr("x"), Username: ptr("-")}, svc.InvalidValue, []string{"email", "username"}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, w.updateBy(by, bob, c.changes), c.code, c.fields...)
			if got := w.me(bob); got != want {
				t.Errorf("Bob is %+v after it", got)
			}
		})
	}
	refused(t, w.updateBy(by, 99, Changes{}), svc.NotFound)
}

// A second address of the list is an operator's, but nobody can be given it
// from afar.
func TestAnOperatorsAddressIsGivenByTheCommandLineOnly(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"ann@example.org", "chief@example.org"}})
	ann, bob := w.add("ann"), w.add("bob")
	by := w.operator(ann)
	chief := Changes{Email: ptr("Chief@example.org")}
	refused(t, w.updateBy(by, bob, chief), svc.EmailReserved, "email")
	refused(t, w.updateBy(by, ann, chief), svc.EmailReserved, "email")
	w.must(w.updateBy(by, ann, Changes{Email: ptr("ANN@example.org")}))
	w.must(w.update(bob, chief))
	if !w.me(bob).IsOperator {
		t.Error("Bob is no operator")
	}
}

func TestTheLastOperatorStays(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"ann@example.org", "bob@example.org", "nobody@example.org"}})
	ann, bob := w.add("ann"), w.add("bob")
	by := w.operator(ann)
	remove := func(id svc.MemberID) error {
		return w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, id) })
	}
	w.must(w.updateBy(by, bob, Changes{Status: ptr(Disabled)}))
	for _, by := range []Actor{by, shell} {
		refused(t, w.updateBy(by, ann, Changes{Status: ptr(Disabled)}), svc.LastOperator)
		refused(t, w.updateBy(by, ann, Changes{Email: ptr("else@example.org")}), svc.LastOperator)
	}
	refused(t, remove(ann), svc.LastOperator)
	if me := w.me(ann); !me.IsOperator || me.Status != Active {
		t.Errorf("Ann is %+v", me)
	}
	w.must(w.update(bob, Changes{Status: ptr(Active)}))
	w.must(w.update(ann, Changes{Email: ptr("else@example.org")}))
	refused(t, remove(bob), svc.LastOperator)
	w.must(remove(ann))
}

// Disabling ends tokens and DAV at once; enabling brings back the device
// passwords and no token. Covers I-25.
func TestDisableAndEnable(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	bob := w.add("bob")
	token, device := w.token("bob"), w.device(bob, "Phone")
	in := func() (got [3]bool) {
		_, errToken := w.caller(token)
		_, errLogin := w.login("bob", passwordOf("bob"))
		return [3]bool{errToken == nil, w.dav("bob", device.Password).Valid, errLogin == nil}
	}
	if got := in(); got != [3]bool{true, true, true} {
		t.Errorf("at first token, device and login are %v", got)
	}
	w.must(w.update(bob, Changes{Status: ptr(Disabled)}))
	if got := in(); got != [3]bool{} {
		t.Errorf("disabled: token, device and login are %v", got)
	}
	err := w.read(func(tx *store.Tx) error { _, err := w.OnBehalf(tx, bob); return err })
	refused(t, err, svc.NotFound)
	var link ResetLink
	w.must(w.write(func(tx *store.Tx) (err error) { link, err = w.AddResetLink(tx, shell, bob); return err }))
	w.must(w.update(bob, Changes{DisplayName: ptr("Bobby"), Status: ptr(Disabled)})) // still
	w.must(w.update(bob, Changes{Status: ptr(Active)}))
	if err := w.read(func(tx *store.Tx) error { _, err := w.ResetMember(tx, link.Code); return err }); err != nil {
		t.Errorf("a link made while disabled: %v", err)
	}
	if got := in(); got != [3]bool{false, true, true} {
		t.Errorf("enabled: token, device and login are %v", got)
	}
}

func TestRevokeAndNewPassword(t *testing.T) {
	w := newWorld(t, Config{})
	bob := w.add("bob")
	token, device := w.token("bob"), w.device(bob, "Phone")
	w.must(w.update(bob, Changes{RevokeTokens: true}))
	_, err := w.caller(token)
	refused(t, err, svc.Unauthenticated)
	if !w.dav("bob", device.Password).Valid {
		t.Error("revoking tokens ended a device password")
	}
	token = w.token("bob")
	hash, err := w.HashPassword(t.Context(), "battery staple", "bob@example.org")
	w.must(err)
	w.must(w.update(bob, Changes{Password: &hash}))
	_, err = w.caller(token)
	refused(t, err, svc.Unauthenticated)
	if w.dav("bob", device.Password).Valid {
		t.Error("a password set by an operator left a device password")
	}
	if _, err := w.login("bob", "battery staple"); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// Operators find members whom nobody else finds, and no display names.
func TestFindMember(t *testing.T) {
	w := newWorld(t, Config{})
	bob := w.add("bob")
	w.must(w.update(bob, Changes{Status: ptr(Disabled), DisplayName: ptr("Bobby")}))
	find := func(who string) (m AdminMember, err error) {
		err = w.read(func(tx *store.Tx) error {
			m, err = w.FindMember(tx, shell, who)
			return err
		})
		return m, err
	}
	for _, who := range []string{"1", "bob", "@BOB", " Bob@example.org"} {
		if m, err := find(who); err != nil || m.ID != bob {
			t.Errorf("%q: %+v, %v", who, m, err)
		}
	}
	for _, who := range []string{"", "Bobby", "2", "-1"} {
		_, err := find(who)
		refused(t, err, svc.NotFound)
	}
}

// A deleted member is a number: everything else is free for the next one, who
// inherits nothing. Covers PT-46.
func TestDelete(t *testing.T) {
	w := newWorld(t, Config{})
	ann, bob := w.add("ann"), w.add("bob")
	w.token("bob")
	w.device(bob, "Phone")
	remove := func(id svc.MemberID) error {
		return w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, id) })
	}
	w.must(remove(bob))
	refused(t, remove(bob), svc.NotFound)
	refused(t, w.update(bob, Changes{DisplayName: ptr("Zombie")}), svc.NotFound)
	w.must(w.read(func(tx *store.Tx) error {
		_, err := w.Me(tx, svc.Trust(bob))
		refused(t, err, svc.NotFound)
		_, err = w.Export(tx, bob)
		refused(t, err, svc.NotFound)
		page, err := w.Members(tx, shell, MemberQuery{Status: Deleted})
		want := Member{
			ID: bob, DisplayName: "Former member", Status: Deleted, Timezone: "UTC", Locale: "en",
			CreatedAt: storetest.Start, UpdatedAt: storetest.Start,
		}
		if len(page.Members) != 1 || page.Members[0] != (AdminMember{Member: want}) {
			t.Errorf("what is left of Bob: %+v", page.Members)
		}
		return err
	}))
	for _, table := range []string{"identity_token", "identity_device"} {
		if n := len(cells(w, table)); n != 0 {
			t.Errorf("%s still has %d rows", table, n)
		}
	}
	next := w.add("bob")
	if next <= bob || next == ann {
		t.Errorf("the next Bob has number %d", next)
	}
	if got := w.me(next); got.Username != "bob" || got.Email != "bob@example.org" {
		t.Errorf("the next Bob is %+v", got)
	}
}

// A household that cannot let somebody go keeps them.
func TestLeavingIsAllOrNothing(t *testing.T) {
	w := newWorld(t, Config{})
	bob := w.add("bob")
	w.home.err = fmt.Errorf("still needed")
	if err := w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, bob) }); err == nil {
		t.Error("Bob was deleted")
	}
	if got := w.me(bob); got.Status != Active || got.Username != "bob" {
		t.Errorf("Bob is %+v", got)
	}
}

// Covers PT-30 and L-12 for members.
func TestMembersInPages(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"m0@example.org"}})
	for i := range 7 {
		w.add(fmt.Sprintf("m%d", i))
	}
	w.must(w.update(3, Changes{Status: ptr(Disabled)}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, 5) }))
	by := w.operator(1)
	list := func(q MemberQuery) (ids []svc.MemberID) {
		t.Helper()
		q.Limit = 2
		for {
			var page MemberPage
			w.must(w.read(func(tx *store.Tx) (err error) { page, err = w.Members(tx, by, q); return err }))
			for _, m := range page.Members {
				ids = append(ids, m.ID)
			}
			if page.Page.NextCursor == nil {
				return ids
			}
			q.Cursor = *page.Page.NextCursor
			// Renaming on the way loses nobody.
			w.must(w.update(ids[0], Changes{DisplayName: ptr("Zoë")}))
		}
	}
	for _, c := range []struct {
		query MemberQuery
		want  []svc.MemberID
	}{
		{MemberQuery{}, []svc.MemberID{1, 2, 3, 4, 6, 7}},
		{MemberQuery{Status: Disabled}, []svc.MemberID{3}},
		{MemberQuery{Status: Deleted}, []svc.MemberID{5}},
		{MemberQuery{Q: "M6@EXAMPLE"}, []svc.MemberID{7}},
		{MemberQuery{Q: "zoË"}, []svc.MemberID{1}},
		{MemberQuery{Q: "nobody"}, nil},
	} {
		if got := list(c.query); !slices.Equal(got, c.want) {
			t.Errorf("%+v lists %v, want %v", c.query, got, c.want)
		}
	}
	w.must(w.read(func(tx *store.Tx) error {
		page, err := w.Members(tx, by, MemberQuery{Limit: 1})
		if err != nil {
			return err
		}
		for name, q := range map[string]MemberQuery{
			"cursor": {Cursor: "AAAA"},
			"limit":  {Limit: -1},
			"status": {Status: "away"},
			"q":      {Q: strings.Repeat("x", 101)},
		} {
			_, err := w.Members(tx, by, q)
			refused(t, err, svc.InvalidParameter, name)
		}
		_, err = w.Members(tx, shell, MemberQuery{Cursor: *page.Page.NextCursor})
		refused(t, err, svc.InvalidParameter, "cursor")
		return nil
	}))
}

// The audit says who did what to whom, and nothing more than names of fields.
func TestAudit(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.add("ann"), w.add("bob")
	by := w.operator(ann)
	hash, err := w.HashPassword(t.Context(), "battery staple")
	w.must(err)
	w.must(w.updateBy(by, bob, Changes{Email: ptr("b@x.org"), Status: ptr(Disabled), RevokeTokens: true, Password: &hash}))
	w.must(w.updateBy(by, bob, Changes{Email: ptr("b@x.org"), Status: ptr(Disabled)})) // changes nothing
	w.must(w.updateBy(by, bob, Changes{Status: ptr(Active)}))
	w.must(w.write(func(tx *store.Tx) error { _, err := w.AddResetLink(tx, by, bob); return err }))
	n, err := w.invite(shell, "secret@x.org")
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeInvitation(tx, by, n.ID) }))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, by, bob) }))

	var got []string
	cursor := ""
	for {
		var page AuditPage
		w.must(w.read(func(tx *store.Tx) (err error) { page, err = w.Audit(tx, shell, 3, cursor); return err }))
		for _, e := range page.Entries {
			about := "-"
			if e.Member != nil {
				about = e.Member.String()
			}
			got = append(got, strings.Join([]string{e.Actor, e.Action, about, e.Detail}, " "))
		}
		if page.Page.NextCursor == nil {
			break
		}
		cursor = *page.Page.NextCursor
	}
	slices.Reverse(got)
	want := []string{
		"cli:test add 1 ",
		"cli:test add 2 ",
		"1 update 2 email status=disabled revoke_tokens password",
		"1 update 2 status=active",
		"1 reset-link 2 ",
		"cli:test invite - " + n.ID,
		"1 revoke-invitation - " + n.ID,
		"1 delete 2 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExport(t *testing.T) {
	w := newWorld(t, Config{})
	w.add("ann")
	bob := w.add("bob")
	token, device := w.token("bob"), w.device(bob, "Bob's phone")
	var e Export
	w.must(w.read(func(tx *store.Tx) (err error) { e, err = w.Export(tx, bob); return err }))
	if e.Member.ID != bob || e.Member.TokenCount != 1 || len(e.Tokens) != 1 || len(e.Devices) != 1 || len(e.Audit) != 1 {
		t.Errorf("the export is %+v", e)
	}
	text, err := json.Marshal(e)
	w.must(err)
	for _, secret := range []string{token, device.Password, "argon2"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the export has %q in it", secret)
		}
	}
}
