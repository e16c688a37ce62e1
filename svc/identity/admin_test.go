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
func TestAdministrationRequiresOperator(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	checkOperator := func(v svc.Viewer) error {
		return w.read(func(tx *store.Tx) error { _, err := w.Operator(tx, v); return err })
	}
	w.must(checkOperator(svc.Trust(ann)))
	wantError(t, checkOperator(svc.Trust(bob)), svc.PermissionDenied)
	wantError(t, checkOperator(svc.Viewer{}), svc.Unauthenticated)
	if c, err := w.authenticate(w.token("ann")); err != nil || !c.Operator {
		t.Errorf("token of an operator: got %+v (%v), want Operator", c, err)
	}

	var none Actor
	a, err := w.Prepare(t.Context(), Registration{Email: "x@x.org", Password: "correct horse"})
	w.must(err)
	for name, act := range map[string]func(*store.Tx) error{
		"list":              func(tx *store.Tx) error { _, err := w.Members(tx, none, MemberQuery{}); return err },
		"show":              func(tx *store.Tx) error { _, err := w.FindMember(tx, none, "bob"); return err },
		"add":               func(tx *store.Tx) error { _, err := w.AddMember(tx, none, a); return err },
		"update":            func(tx *store.Tx) error { _, err := w.Update(tx, none, bob, Changes{}); return err },
		"delete":            func(tx *store.Tx) error { return w.Delete(tx, none, bob) },
		"invite":            func(tx *store.Tx) error { _, err := w.Invite(tx, none, ""); return err },
		"invitations":       func(tx *store.Tx) error { _, err := w.Invitations(tx, none); return err },
		"revoke invitation": func(tx *store.Tx) error { return w.RevokeInvitation(tx, none, "inv_1") },
		"reset":             func(tx *store.Tx) error { _, err := w.AddResetLink(tx, none, bob); return err },
		"export":            func(tx *store.Tx) error { return w.RecordExport(tx, none, bob) },
		"counts":            func(tx *store.Tx) error { _, err := w.MemberCounts(tx, none); return err },
		"promote":           func(tx *store.Tx) error { _, err := w.SetOperator(tx, none, bob, true); return err },
		"audit":             func(tx *store.Tx) error { _, err := w.Audit(tx, none, AuditQuery{}); return err },
	} {
		t.Run(name, func(t *testing.T) { wantError(t, w.write(act), svc.PermissionDenied) })
	}
}

// Covers I-14.
func TestUpdateAppliesAllChangesOrNone(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	by := w.operator(ann)
	before := w.me(bob)
	w.clock.Advance(day)
	w.must(w.updateBy(by, bob, Changes{DisplayName: ptr("Bobby"), Email: ptr("Bobby@x.org"), Username: ptr("Bobby")}))
	want := before
	want.DisplayName, want.Email, want.Username, want.UpdatedAt = "Bobby", "Bobby@x.org", "bobby", before.UpdatedAt.Add(day)
	if got := w.me(bob); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if _, err := w.login("bobby@x.org", passwordOf("bob")); err != nil {
		t.Errorf("login with the new address: %v", err)
	}
	for name, c := range map[string]struct {
		changes Changes
		code    svc.Code
		fields  []string
	}{
		"address in use":                  {Changes{Email: ptr("ANN@example.org")}, svc.AlreadyExists, []string{"email"}},
		"user name in use":                {Changes{Username: ptr("Ann")}, svc.AlreadyExists, []string{"username"}},
		"empty display name":              {Changes{DisplayName: ptr(" ")}, svc.FieldRequired, []string{"display_name"}},
		"empty address":                   {Changes{Email: ptr("")}, svc.InvalidValue, []string{"email"}},
		"invalid user name":               {Changes{Username: ptr("-")}, svc.InvalidValue, []string{"username"}},
		"invalid status":                  {Changes{Status: ptr(Status("away"))}, svc.InvalidValue, []string{"status"}},
		"status deleted":                  {Changes{Status: ptr(Deleted)}, svc.InvalidValue, []string{"status"}},
		"one valid and one invalid field": {Changes{DisplayName: ptr("Rob"), Username: ptr("-")}, svc.InvalidValue, []string{"username"}},
		"two invalid fields":              {Changes{Email: ptr("x"), Username: ptr("-")}, svc.InvalidValue, []string{"email", "username"}},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, w.updateBy(by, bob, c.changes), c.code, c.fields...)
			if got := w.me(bob); got != want {
				t.Errorf("after the rejected update: got %+v, want %+v", got, want)
			}
		})
	}
	wantError(t, w.updateBy(by, 99, Changes{}), svc.NotFound)
}

// Only commands can give a member an address of the operator list.
func TestOperatorAddressRequiresCommandLine(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org", "chief@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	by := w.operator(ann)
	operatorAddress := Changes{Email: ptr("Chief@example.org")}
	wantError(t, w.updateBy(by, bob, operatorAddress), svc.EmailReserved, "email")
	wantError(t, w.updateBy(by, ann, operatorAddress), svc.EmailReserved, "email")
	w.must(w.updateBy(by, ann, Changes{Email: ptr("ANN@example.org")}))
	w.must(w.update(bob, operatorAddress))
	if !w.me(bob).IsOperator {
		t.Error("got IsOperator false, want true")
	}
}

func TestLastOperatorIsKept(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org", "bob@example.org", "unused@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	by := w.operator(ann)
	remove := func(id svc.MemberID) error {
		return w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, id) })
	}
	w.must(w.updateBy(by, bob, Changes{Status: ptr(Disabled)}))
	for _, by := range []Actor{by, cli} {
		wantError(t, w.updateBy(by, ann, Changes{Status: ptr(Disabled)}), svc.LastOperator)
	}
	wantError(t, remove(ann), svc.LastOperator)
	if me := w.me(ann); !me.IsOperator || me.Status != Active {
		t.Errorf("got %+v, want an active operator", me)
	}
	w.must(w.update(bob, Changes{Status: ptr(Active)}))
	w.must(w.setOperator(ann, false))
	wantError(t, remove(bob), svc.LastOperator)
	w.must(remove(ann))
}

// All credentials of a disabled member are invalid. After the member is enabled
// again, device passwords are valid, but not tokens. Covers I-25.
func TestDisabledMemberCannotAuthenticate(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	bob := w.addMember("bob")
	token, device := w.token("bob"), w.addDevice(bob, "Phone")
	validCredentials := func() (got [3]bool) {
		_, errToken := w.authenticate(token)
		_, errLogin := w.login("bob", passwordOf("bob"))
		return [3]bool{errToken == nil, w.authenticateDAV("bob", device.Password).Valid, errLogin == nil}
	}
	if got := validCredentials(); got != [3]bool{true, true, true} {
		t.Errorf("before: got token, device and login %v, want all valid", got)
	}
	w.must(w.update(bob, Changes{Status: ptr(Disabled)}))
	if got := validCredentials(); got != [3]bool{} {
		t.Errorf("disabled: got token, device and login %v, want none valid", got)
	}
	err := w.read(func(tx *store.Tx) error { _, err := w.OnBehalf(tx, bob); return err })
	wantError(t, err, svc.NotFound)
	var link ResetLink
	w.must(w.write(func(tx *store.Tx) (err error) { link, err = w.AddResetLink(tx, cli, bob); return err }))
	w.must(w.update(bob, Changes{DisplayName: ptr("Bobby"), Status: ptr(Disabled)})) // unchanged status
	w.must(w.update(bob, Changes{Status: ptr(Active)}))
	if err := w.read(func(tx *store.Tx) error { _, err := w.ResetMember(tx, link.Code); return err }); err != nil {
		t.Errorf("reset link created while disabled: %v", err)
	}
	if got := validCredentials(); got != [3]bool{false, true, true} {
		t.Errorf("enabled: got token, device and login %v, want all but the token valid", got)
	}
}

func TestOperatorRevokesTokensAndSetsPassword(t *testing.T) {
	w := newFixture(t, Config{})
	bob := w.addMember("bob")
	token, device := w.token("bob"), w.addDevice(bob, "Phone")
	w.must(w.update(bob, Changes{RevokeTokens: true}))
	_, err := w.authenticate(token)
	wantError(t, err, svc.Unauthenticated)
	if !w.authenticateDAV("bob", device.Password).Valid {
		t.Error("after RevokeTokens: got an invalid device password, want a valid one")
	}
	token = w.token("bob")
	hash, err := w.HashPassword(t.Context(), "battery staple", "bob@example.org")
	w.must(err)
	w.must(w.update(bob, Changes{Password: &hash}))
	_, err = w.authenticate(token)
	wantError(t, err, svc.Unauthenticated)
	if w.authenticateDAV("bob", device.Password).Valid {
		t.Error("after a password set by an operator: got a valid device password, want an invalid one")
	}
	if _, err := w.login("bob", "battery staple"); err != nil {
		t.Errorf("login with the new password: %v", err)
	}
}

// FindMember finds members by id, e-mail address and user name, but not by
// display name. It also finds disabled members.
func TestFindMemberByIdentifier(t *testing.T) {
	w := newFixture(t, Config{})
	bob := w.addMember("bob")
	w.must(w.update(bob, Changes{Status: ptr(Disabled), DisplayName: ptr("Bobby")}))
	find := func(text string) (m AdminMember, err error) {
		err = w.read(func(tx *store.Tx) error {
			m, err = w.FindMember(tx, cli, text)
			return err
		})
		return m, err
	}
	for _, identifier := range []string{"1", "bob", "@BOB", " Bob@example.org"} {
		if m, err := find(identifier); err != nil || m.ID != bob {
			t.Errorf("%q: got %+v (%v), want member %d", identifier, m, err, bob)
		}
	}
	for _, identifier := range []string{"", "Bobby", "2", "-1"} {
		_, err := find(identifier)
		wantError(t, err, svc.NotFound)
	}
}

// Delete keeps only the id of a member. A later member can use the same address and
// user name, and gets no data of the deleted member. Covers PT-46.
func TestDeletedMemberLeavesOnlyTheID(t *testing.T) {
	w := newFixture(t, Config{})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	w.token("bob")
	w.addDevice(bob, "Phone")
	remove := func(id svc.MemberID) error {
		return w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, id) })
	}
	w.must(remove(bob))
	wantError(t, remove(bob), svc.NotFound)
	wantError(t, w.update(bob, Changes{DisplayName: ptr("Zombie")}), svc.NotFound)
	w.must(w.read(func(tx *store.Tx) error {
		_, err := w.Me(tx, svc.Trust(bob))
		wantError(t, err, svc.NotFound)
		_, err = w.Export(tx, bob)
		wantError(t, err, svc.NotFound)
		page, err := w.Members(tx, cli, MemberQuery{Status: Deleted})
		want := Member{
			ID: bob, DisplayName: "Former member", Status: Deleted, Locale: "en", Appearance: svc.FormerAppearance, Zone: svc.ZoneInUse{Timezone: "UTC", Source: svc.ZoneOfServer},
			CreatedAt: storetest.Start, UpdatedAt: storetest.Start,
		}
		if len(page.Members) != 1 || page.Members[0] != (AdminMember{Member: want}) {
			t.Errorf("deleted members: got %+v, want %+v", page.Members, want)
		}
		return err
	}))
	for _, table := range []string{"identity_token", "identity_device"} {
		if n := len(tableRows(w, table)); n != 0 {
			t.Errorf("%s: got %d rows, want 0", table, n)
		}
	}
	next := w.addMember("bob")
	if next <= bob || next == ann {
		t.Errorf("later member: got id %d, want a new one", next)
	}
	if got := w.me(next); got.Username != "bob" || got.Email != "bob@example.org" {
		t.Errorf("later member: got %+v, want the user name and address of the deleted one", got)
	}
}

// Covers B-130: the rows of a deleted member that exceed the limit of one write are deleted in
// batches.
func TestDataOfDeletedMembersIsDeletedInBatches(t *testing.T) {
	w := newFixture(t, Config{})
	bob := w.addMember("bob")
	requested := 0
	w.OnDeletion(func() { requested++ })
	w.hooks.dataRows = 2*maxDeletedRows + 1
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, bob) }))
	if requested != 1 || w.hooks.dataRows != 2*maxDeletedRows+1 {
		t.Errorf("after the deletion: got %d requests and %d rows, want 1 and all", requested, w.hooks.dataRows)
	}
	if batches := w.deleteData(); batches != 4 || w.hooks.dataRows != 0 || len(tableRows(w, "identity_deletion")) != 0 { // the last batch is empty
		t.Errorf("got %d batches, %d rows and %v, want 4 batches and none left", batches, w.hooks.dataRows, tableRows(w, "identity_deletion"))
	}
}

func TestFailingHookPreventsDeletion(t *testing.T) {
	w := newFixture(t, Config{})
	bob := w.addMember("bob")
	w.hooks.err = fmt.Errorf("hook failed")
	if err := w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, bob) }); err == nil {
		t.Error("got no error, want that of the hook")
	}
	if got := w.me(bob); got.Status != Active || got.Username != "bob" {
		t.Errorf("got %+v, want the member unchanged", got)
	}
}

// Covers PT-30 and L-12 for members.
func TestMembersArePaged(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"m0@example.org"}})
	for i := range 7 {
		w.addMember(fmt.Sprintf("m%d", i))
	}
	w.must(w.update(3, Changes{Status: ptr(Disabled)}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, 5) }))
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
			// The next page does not change if a member is renamed between two
			// pages.
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
		{MemberQuery{Q: "unknown"}, nil},
	} {
		if got := list(c.query); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.query, got, c.want)
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
			wantError(t, err, svc.InvalidParameter, name)
		}
		_, err = w.Members(tx, cli, MemberQuery{Cursor: *page.Page.NextCursor})
		wantError(t, err, svc.InvalidParameter, "cursor")
		return nil
	}))
}

// The audit log contains actors, actions, members and field names, but no values.
func TestAuditLog(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	by := w.operator(ann)
	hash, err := w.HashPassword(t.Context(), "battery staple")
	w.must(err)
	w.must(w.updateBy(by, bob, Changes{Email: ptr("b@x.org"), Status: ptr(Disabled), RevokeTokens: true, Password: &hash}))
	w.must(w.updateBy(by, bob, Changes{Email: ptr("b@x.org"), Status: ptr(Disabled)})) // changes nothing
	w.must(w.updateBy(by, bob, Changes{Status: ptr(Active)}))
	w.must(w.write(func(tx *store.Tx) error { _, err := w.AddResetLink(tx, by, bob); return err }))
	n, err := w.invite(cli, "secret@x.org")
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error { return w.RevokeInvitation(tx, by, n.ID) }))
	w.must(w.write(func(tx *store.Tx) error { return w.RecordExport(tx, by, bob) }))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, by, bob) }))
	wantError(t, w.write(func(tx *store.Tx) error { return w.RecordExport(tx, by, bob) }), svc.NotFound)

	var got []string
	cursor := ""
	for {
		var page AuditPage
		w.must(w.read(func(tx *store.Tx) (err error) {
			page, err = w.Audit(tx, cli, AuditQuery{Limit: 3, Cursor: cursor})
			return err
		}))
		for _, e := range page.Entries {
			member := "-"
			if e.Member != nil {
				member = e.Member.String()
			}
			got = append(got, strings.Join([]string{e.Actor, e.Action, member, e.Detail}, " "))
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
		"1 export 2 ",
		"1 delete 2 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("audit log: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExportContainsNoSecrets(t *testing.T) {
	w := newFixture(t, Config{})
	w.addMember("ann")
	bob := w.addMember("bob")
	token, device := w.token("bob"), w.addDevice(bob, "Bob's phone")
	var e Export
	w.must(w.read(func(tx *store.Tx) (err error) { e, err = w.Export(tx, bob); return err }))
	if e.Member.ID != bob || e.Member.TokenCount != 1 || len(e.Tokens) != 1 || len(e.Devices) != 1 || len(e.Audit) != 3 {
		t.Errorf("got %+v, want one token, one device and three audit entries", e)
	}
	encoded, err := json.Marshal(e)
	w.must(err)
	for _, secret := range []string{token, device.Password, "argon2"} {
		if strings.Contains(string(encoded), secret) {
			t.Errorf("got %q in the export, want no secret", secret)
		}
	}
}

// An actor of an earlier transaction may have been demoted in the meantime. Covers B-109.
func TestDemotedOperatorCannotPromote(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org", "bob@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	by := w.operator(bob)
	set := func(by Actor, id svc.MemberID, operator bool) error {
		return w.write(func(tx *store.Tx) error { _, err := w.SetOperator(tx, by, id, operator); return err })
	}
	w.must(set(w.operator(ann), bob, false))
	wantError(t, set(by, bob, true), svc.PermissionDenied)
	wantError(t, set(by, ann, false), svc.PermissionDenied)
	w.must(set(CommandLine("root"), bob, true))
	w.must(set(by, ann, false))
}

func TestMembersAreCounted(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"ann@example.org"}})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	cem := w.addMember("cem")
	by := w.operator(ann)
	v := svc.Trust(bob)
	for range 2 {
		w.must(w.write(func(tx *store.Tx) error { _, err := w.AddDevice(tx, v, "Phone"); return err }))
	}
	token := w.token("bob")
	w.must(w.write(func(tx *store.Tx) error {
		m, err := w.FindMember(tx, by, "bob")
		if m.DeviceCount != 2 || m.TokenCount != 1 {
			t.Errorf("bob: got %d device passwords and %d sessions, want 2 and 1", m.DeviceCount, m.TokenCount)
		}
		return err
	}))
	w.must(w.updateBy(by, w.addMember("dan"), Changes{Status: ptr(Disabled)}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, by, cem) }))
	_, err := w.authenticate(token)
	w.must(err)
	w.must(w.read(func(tx *store.Tx) error {
		got, err := w.MemberCounts(tx, by)
		if want := (MemberCounts{Active: 2, Disabled: 1, Operators: 1, Recent: got.Recent}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		return err
	}))
}
