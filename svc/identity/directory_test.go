package identity

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (w *fixture) directory(v svc.Viewer, q DirectoryQuery) (d Directory, err error) {
	err = w.read(func(tx *store.Tx) error {
		d, err = w.Directory(tx, v, q)
		return err
	})
	return d, err
}

// Covers I-08.
func TestDirectoryListsVisibleActiveMembers(t *testing.T) {
	w := newFixture(t, Config{})
	ann, _, cid, dan, eve := w.addMember("ann"), w.addMember("bea"), w.addMember("cid"), w.addMember("dan"), w.addMember("eve")
	w.must(w.update(cid, Changes{Status: ptr(Disabled)}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, dan) }))
	w.must(w.update(eve, Changes{DisplayName: ptr("Évelyne")}))
	for name, c := range map[string]struct {
		query DirectoryQuery
		want  []string
	}{
		"all active members":       {DirectoryQuery{}, []string{"ann", "bea", "eve"}},
		"part of a user name":      {DirectoryQuery{Q: " EVE "}, []string{"eve"}},
		"display name":             {DirectoryQuery{Q: "éVEL"}, []string{"eve"}},
		"address":                  {DirectoryQuery{Q: "bea@ex"}, []string{"bea"}},
		"without hidden members":   {DirectoryQuery{Hidden: []svc.MemberID{eve, 99}}, []string{"ann", "bea"}},
		"without disabled members": {DirectoryQuery{Q: "cid"}, nil},
		"percent sign is literal":  {DirectoryQuery{Q: "%"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for limit := 1; limit <= 3; limit++ {
				var got []string
				q := c.query
				for q.Limit = limit; ; {
					d, err := w.directory(svc.Trust(ann), q)
					w.must(err)
					for _, p := range d.Members {
						got = append(got, p.Username)
					}
					if d.Page.NextCursor == nil {
						break
					}
					q.Cursor = *d.Page.NextCursor
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("pages of %d: got %q, want %q", limit, got, c.want)
				}
			}
		})
	}
	_, err := w.directory(svc.Viewer{}, DirectoryQuery{})
	wantError(t, err, svc.Unauthenticated)
	d, err := w.directory(svc.Trust(ann), DirectoryQuery{Q: "evelyne or not"})
	w.must(err)
	if d.Members == nil {
		t.Error("got a nil list, want an empty one")
	}
}

// Hidden addresses are neither shown nor searched.
func TestHiddenAddressesAreNotSearched(t *testing.T) {
	for view, want := range map[EmailVisibility]string{
		FullEmail: "bea@example.org", MaskedEmail: "b…@example.org", HiddenEmail: "",
	} {
		t.Run(string(view), func(t *testing.T) {
			w := newFixture(t, Config{DirectoryEmail: view})
			ann, bea := w.addMember("ann"), w.addMember("bea")
			d, err := w.directory(svc.Trust(ann), DirectoryQuery{Q: "bea"})
			w.must(err)
			if len(d.Members) != 1 || d.Members[0] != (svc.Person{ID: bea, Email: want, Username: "bea", DisplayName: "bea", Appearance: svc.MemberAppearance(bea, "", "")}) {
				t.Errorf("got %+v, want address %q", d.Members, want)
			}
			d, err = w.directory(svc.Trust(ann), DirectoryQuery{Q: "a@example"})
			w.must(err)
			if found := len(d.Members) > 0; found != (view == FullEmail) {
				t.Errorf("search by address with %s: got %+v, want a result only if addresses are shown in full", view, d.Members)
			}
			var people map[svc.MemberID]svc.Person
			w.must(w.read(func(tx *store.Tx) (err error) {
				people, err = w.People(tx, []svc.MemberID{bea, bea, 99})
				return err
			}))
			if len(people) != 1 || people[bea].Email != want {
				t.Errorf("People: got %+v, want address %q", people, want)
			}
		})
	}
}

func TestResolveFindsVisibleMembers(t *testing.T) {
	w := newFixture(t, Config{})
	ann, bea, bob, cid, dan := w.addMember("ann"), w.addMember("bea"), w.addMember("bob"), w.addMember("cid"), w.addMember("dan")
	w.must(w.update(bob, Changes{DisplayName: ptr("Bea")})) // the user name of another member
	w.must(w.update(cid, Changes{DisplayName: ptr("Zoë"), Username: ptr("zoe")}))
	w.must(w.update(dan, Changes{DisplayName: ptr("ZOË"), Status: ptr(Disabled)})) // the same name, but disabled
	eve := w.addMember("eve")
	w.must(w.update(eve, Changes{DisplayName: ptr(bea.String())})) // the id of another member
	fay, gus := w.addMember("fay"), w.addMember("gus")
	w.must(w.update(fay, Changes{DisplayName: ptr("Twin")})) // ambiguous
	w.must(w.update(gus, Changes{DisplayName: ptr("twin"), Username: ptr("gus.t")}))
	resolve := func(recipient string, hidden ...svc.MemberID) (p svc.Person, err error) {
		err = w.read(func(tx *store.Tx) error {
			p, err = w.Resolve(tx, svc.Trust(ann), recipient, hidden)
			return err
		})
		return p, err
	}
	for name, c := range map[string]struct {
		recipient string
		hidden    []svc.MemberID
		want      svc.MemberID
	}{
		"id":                               {bea.String(), nil, bea},
		"id with leading zeros":            {"00" + bea.String(), nil, bea},
		"hidden id that is a display name": {bea.String(), []svc.MemberID{bea}, eve},
		"address":                          {"BEA@example.org", nil, bea},
		"user name before display name":    {"bea", nil, bea},
		"hidden user name, display name":   {"bea", []svc.MemberID{bea}, bob},
		"user name with @":                 {"@Zoe", nil, cid},
		"display name of an active member": {" zoË ", nil, cid},
		"ambiguous, the other one hidden":  {"Twin", []svc.MemberID{fay}, gus},
		"viewer":                           {"ann", nil, ann},
	} {
		t.Run(name, func(t *testing.T) {
			if p, err := resolve(c.recipient, c.hidden...); err != nil || p.ID != c.want {
				t.Errorf("got %+v (%v), want member %d", p, err, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		recipient string
		hidden    []svc.MemberID
	}{
		"unknown":                 {"unknown", nil},
		"unknown id":              {"99", nil},
		"negative number":         {"-1", nil},
		"number with a plus":      {"+1", nil},
		"enormous number":         {strings.Repeat("9", 40), nil},
		"id of disabled member":   {dan.String(), nil},
		"name of disabled member": {"dan", nil},
		"mail of disabled member": {"dan@example.org", nil},
		"hidden member":           {"bob@example.org", []svc.MemberID{bob}},
		"oversized text":          {strings.Repeat("x", 5000), nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := resolve(c.recipient, c.hidden...)
			wantError(t, err, svc.RecipientNotFound, "recipient")
			if len(err.Error()) > 1000 {
				t.Errorf("got a message of %d bytes, want at most 1000", len(err.Error()))
			}
		})
	}
	_, err := resolve("twin")
	wantError(t, err, svc.RecipientAmbiguous, "recipient")
	var e *svc.Error
	errors.As(err, &e)
	want := []svc.Candidate{
		{ID: fay, Username: "fay", DisplayName: "Twin", Appearance: svc.MemberAppearance(fay, "", "")},
		{ID: gus, Username: "gus.t", DisplayName: "twin", Appearance: svc.MemberAppearance(gus, "", "")},
	}
	if !slices.Equal(e.Fields[0].Candidates, want) {
		t.Errorf("candidates: got %+v, want %+v", e.Fields[0].Candidates, want)
	}
	_, err = resolve(" ")
	wantError(t, err, svc.FieldRequired, "recipient")
}

func TestUpdateProfileAppliesAllChangesOrNone(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	update := func(c ProfileChanges) error {
		return w.write(func(tx *store.Tx) error { _, err := w.UpdateProfile(tx, svc.Trust(ann), c); return err })
	}
	w.must(update(ProfileChanges{DisplayName: ptr("Annie"), Timezone: ptr("Europe/Lisbon"), Locale: ptr("pt-BR")}))
	if m := w.me(ann); m.DisplayName != "Annie" || m.Zone.Timezone != "Europe/Lisbon" || m.Locale != "pt-BR" {
		t.Errorf("got %+v, want the new values", m)
	}
	wantError(t, update(ProfileChanges{DisplayName: ptr(""), Timezone: ptr("Local"), Locale: ptr("?")}),
		svc.FieldRequired, "display_name", "timezone", "locale")
	for _, zone := range []string{"", "Local", "Mars/Phobos", "../../etc/passwd", "/etc/localtime", strings.Repeat("x", 300)} {
		wantError(t, update(ProfileChanges{Timezone: &zone}), svc.InvalidValue, "timezone")
	}
	for _, tag := range []string{"", "e", "en_US", "english", "en-"} {
		wantError(t, update(ProfileChanges{Locale: &tag}), svc.InvalidValue, "locale")
	}
	for formats, want := range map[svc.Optional[string]]string{svc.Some("de-AT"): "de-AT", {}: "de-AT", {Set: true, Null: true}: "", svc.Some(""): ""} {
		w.must(update(ProfileChanges{Formats: svc.Some("de-AT")}))
		w.must(update(ProfileChanges{Formats: formats}))
		if got := w.me(ann).Formats; (got == nil) != (want == "") || got != nil && *got != want {
			t.Errorf("%+v: got the formats %v, want %q", formats, got, want)
		}
	}
	wantError(t, update(ProfileChanges{Formats: svc.Some("as in Austria")}), svc.InvalidValue, "formats")
	if m := w.me(ann); m.Zone.Timezone != "Europe/Lisbon" || m.Locale != "pt-BR" {
		t.Errorf("after rejected updates: got %+v, want the values unchanged", m)
	}
}

// A change to visible data changes the revision of the members who can see it.
// Covers the revisions of PT-07.
func TestRevisionsChangeForMembersWhoSeeTheChange(t *testing.T) {
	w := newFixture(t, Config{})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	hash, err := w.HashPassword(t.Context(), "battery staple")
	w.must(err)
	updateProfile := func(c ProfileChanges) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := w.UpdateProfile(tx, svc.Trust(bob), c); return err }
	}
	update := func(c Changes) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := w.Update(tx, cli, bob, c); return err }
	}
	for _, c := range []struct {
		name    string
		act     func(*store.Tx) error
		wantBob bool // whether the revision of Bob changes
		wantAnn bool // whether the revision of Ann changes
	}{
		{"an invitation", func(tx *store.Tx) error { _, err := w.Invite(tx, cli, ""); return err }, false, false},
		{"a device password", func(tx *store.Tx) error { _, err := w.AddDevice(tx, svc.Trust(bob), "Phone"); return err }, true, false},
		{"a time zone", updateProfile(ProfileChanges{Timezone: ptr("Europe/Lisbon")}), true, false},
		{"the same time zone", updateProfile(ProfileChanges{Timezone: ptr("Europe/Lisbon")}), false, false},
		{"a display name", updateProfile(ProfileChanges{DisplayName: ptr("Bobby")}), true, true},
		{"a password", update(Changes{Password: &hash}), true, false},
		{"revoked tokens", update(Changes{RevokeTokens: true}), true, false},
		{"an address", update(Changes{Email: ptr("bobby@x.org")}), true, true},
		{"a status", update(Changes{Status: ptr(Disabled)}), true, true},
		{"deletion", func(tx *store.Tx) error { return w.Delete(tx, cli, bob) }, true, true},
	} {
		before, annBefore := w.revision(bob), w.revision(ann)
		w.must(w.write(c.act))
		if changed := w.revision(bob) != before; changed != c.wantBob {
			t.Errorf("%s: revision of Bob changed: got %v, want %v", c.name, changed, c.wantBob)
		}
		if changed := w.revision(ann) != annBefore; changed != c.wantAnn {
			t.Errorf("%s of Bob: revision of Ann changed: got %v, want %v", c.name, changed, c.wantAnn)
		}
	}
}
