package identity

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (w *world) directory(v svc.Viewer, q DirectoryQuery) (d Directory, err error) {
	err = w.read(func(tx *store.Tx) error {
		d, err = w.Directory(tx, v, q)
		return err
	})
	return d, err
}

// Covers I-08.
func TestDirectory(t *testing.T) {
	w := newWorld(t, Config{})
	ann, _, cid, dan, eve := w.add("ann"), w.add("bea"), w.add("cid"), w.add("dan"), w.add("eve")
	w.must(w.update(cid, Changes{Status: ptr(Disabled)}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, dan) }))
	w.must(w.update(eve, Changes{DisplayName: ptr("Évelyne")}))
	for name, c := range map[string]struct {
		query DirectoryQuery
		want  []string
	}{
		"everybody who is active":   {DirectoryQuery{}, []string{"ann", "bea", "eve"}},
		"by a part of the username": {DirectoryQuery{Q: " EVE "}, []string{"eve"}},
		"by a display name":         {DirectoryQuery{Q: "éVEL"}, []string{"eve"}},
		"by an address":             {DirectoryQuery{Q: "bea@ex"}, []string{"bea"}},
		"nobody who is hidden":      {DirectoryQuery{Hidden: []svc.MemberID{eve, 99}}, []string{"ann", "bea"}},
		"nobody disabled":           {DirectoryQuery{Q: "cid"}, nil},
		"no pattern of LIKE":        {DirectoryQuery{Q: "%"}, nil},
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
					t.Errorf("in pages of %d: %q, want %q", limit, got, c.want)
				}
			}
		})
	}
	_, err := w.directory(svc.Viewer{}, DirectoryQuery{})
	refused(t, err, svc.Unauthenticated)
	d, err := w.directory(svc.Trust(ann), DirectoryQuery{Q: "evelyne or not"})
	w.must(err)
	if d.Members == nil {
		t.Error("an empty list is null in JSON")
	}
}

// What the settings hide of addresses, a search does not find either.
func TestTheDirectoryHidesAddresses(t *testing.T) {
	for view, want := range map[EmailVisibility]string{
		FullEmail: "bea@example.org", MaskedEmail: "b…@example.org", HiddenEmail: "",
	} {
		t.Run(string(view), func(t *testing.T) {
			w := newWorld(t, Config{DirectoryEmail: view})
			ann, bea := w.add("ann"), w.add("bea")
			d, err := w.directory(svc.Trust(ann), DirectoryQuery{Q: "bea"})
			w.must(err)
			if len(d.Members) != 1 || d.Members[0] != (svc.Person{ID: bea, Email: want, Username: "bea", DisplayName: "bea"}) {
				t.Errorf("it shows %+v", d.Members)
			}
			d, err = w.directory(svc.Trust(ann), DirectoryQuery{Q: "a@example"})
			w.must(err)
			if found := len(d.Members) > 0; found != (view == FullEmail) {
				t.Errorf("a search by address finds %+v", d.Members)
			}
			var people map[svc.MemberID]svc.Person
			w.must(w.read(func(tx *store.Tx) (err error) {
				people, err = w.People(tx, []svc.MemberID{bea, bea, 99})
				return err
			}))
			if len(people) != 1 || people[bea].Email != want {
				t.Errorf("people are %+v", people)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	w := newWorld(t, Config{})
	ann, bea, bob, cid, dan := w.add("ann"), w.add("bea"), w.add("bob"), w.add("cid"), w.add("dan")
	w.must(w.update(bob, Changes{DisplayName: ptr("Bea")})) // called like a username
	w.must(w.update(cid, Changes{DisplayName: ptr("Zoë"), Username: ptr("zoe")}))
	w.must(w.update(dan, Changes{DisplayName: ptr("ZOË"), Status: ptr(Disabled)})) // the same name, and disabled
	eve := w.add("eve")
	w.must(w.update(eve, Changes{DisplayName: ptr(bea.String())})) // called like a number
	fay, gus := w.add("fay"), w.add("gus")
	w.must(w.update(fay, Changes{DisplayName: ptr("Twin")})) // two of one name
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
		"a number":                            {bea.String(), nil, bea},
		"a number with zeros before it":       {"00" + bea.String(), nil, bea},
		"a number that is hidden is a name":   {bea.String(), []svc.MemberID{bea}, eve},
		"an address":                          {"BEA@example.org", nil, bea},
		"a username before a display name":    {"bea", nil, bea},
		"a hidden username is a display name": {"bea", []svc.MemberID{bea}, bob},
		"a username with @":                   {"@Zoe", nil, cid},
		"a display name of one who is active": {" zoË ", nil, cid},
		"one of two, the other hidden":        {"Twin", []svc.MemberID{fay}, gus},
		"oneself":                             {"ann", nil, ann},
	} {
		t.Run(name, func(t *testing.T) {
			if p, err := resolve(c.recipient, c.hidden...); err != nil || p.ID != c.want {
				t.Errorf("got %+v, %v, want %d", p, err, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		recipient string
		hidden    []svc.MemberID
	}{
		"nobody":                  {"nobody", nil},
		"a number nobody has":     {"99", nil},
		"a negative number":       {"-1", nil},
		"a number with a plus":    {"+1", nil},
		"an enormous number":      {strings.Repeat("9", 40), nil},
		"a disabled number":       {dan.String(), nil},
		"a disabled username":     {"dan", nil},
		"a disabled address":      {"dan@example.org", nil},
		"one who is hidden":       {"bob@example.org", []svc.MemberID{bob}},
		"a text too long for any": {strings.Repeat("x", 5000), nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := resolve(c.recipient, c.hidden...)
			refused(t, err, svc.RecipientNotFound, "recipient")
			if len(err.Error()) > 1000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
	_, err := resolve("twin")
	refused(t, err, svc.RecipientAmbiguous, "recipient")
	var e *svc.Error
	errors.As(err, &e)
	want := []svc.Candidate{{ID: fay, Username: "fay", DisplayName: "Twin"}, {ID: gus, Username: "gus.t", DisplayName: "twin"}}
	if !slices.Equal(e.Fields[0].Candidates, want) {
		t.Errorf("the candidates are %+v", e.Fields[0].Candidates)
	}
	_, err = resolve(" ")
	refused(t, err, svc.FieldRequired, "recipient")
}

func TestUpdateProfile(t *testing.T) {
	w := newWorld(t, Config{})
	ann := w.add("ann")
	update := func(c ProfileChanges) error {
		return w.write(func(tx *store.Tx) error { _, err := w.UpdateProfile(tx, svc.Trust(ann), c); return err })
	}
	w.must(update(ProfileChanges{DisplayName: ptr("Annie"), Timezone: ptr("Europe/Lisbon"), Locale: ptr("pt-BR")}))
	if m := w.me(ann); m.DisplayName != "Annie" || m.Timezone != "Europe/Lisbon" || m.Locale != "pt-BR" {
		t.Errorf("Ann is %+v", m)
	}
	refused(t, update(ProfileChanges{DisplayName: ptr(""), Timezone: ptr("Local"), Locale: ptr("?")}),
		svc.FieldRequired, "display_name", "timezone", "locale")
	for _, zone := range []string{"", "Local", "Mars/Phobos", "../../etc/passwd", "/etc/localtime", strings.Repeat("x", 300)} {
		refused(t, update(ProfileChanges{Timezone: &zone}), svc.InvalidValue, "timezone")
	}
	for _, tag := range []string{"", "e", "en_US", "english", "en-"} {
		refused(t, update(ProfileChanges{Locale: &tag}), svc.InvalidValue, "locale")
	}
	if m := w.me(ann); m.Timezone != "Europe/Lisbon" || m.Locale != "pt-BR" {
		t.Errorf("after refusals Ann is %+v", m)
	}
}

// What everybody sees counts for everybody, what one member sees for them, and
// what nobody sees for nobody. Covers PT-07 as far as revisions go.
func TestRevisionsCountWhatIsSeen(t *testing.T) {
	w := newWorld(t, Config{})
	ann, bob := w.add("ann"), w.add("bob")
	hash, err := w.HashPassword(t.Context(), "battery staple")
	w.must(err)
	profile := func(c ProfileChanges) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := w.UpdateProfile(tx, svc.Trust(bob), c); return err }
	}
	update := func(c Changes) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := w.Update(tx, shell, bob, c); return err }
	}
	for _, c := range []struct {
		name string
		act  func(*store.Tx) error
		own  bool // Bob sees it
		all  bool // everybody does
	}{
		{"an invitation", func(tx *store.Tx) error { _, err := w.Invite(tx, shell, ""); return err }, false, false},
		{"a device password", func(tx *store.Tx) error { _, err := w.AddDevice(tx, svc.Trust(bob), "Phone"); return err }, false, false},
		{"a time zone", profile(ProfileChanges{Timezone: ptr("Europe/Lisbon")}), true, false},
		{"the same time zone", profile(ProfileChanges{Timezone: ptr("Europe/Lisbon")}), false, false},
		{"a display name", profile(ProfileChanges{DisplayName: ptr("Bobby")}), true, true},
		{"a password", update(Changes{Password: &hash}), false, false},
		{"revoked tokens", update(Changes{RevokeTokens: true}), false, false},
		{"an address", update(Changes{Email: ptr("bobby@x.org")}), true, true},
		{"a status", update(Changes{Status: ptr(Disabled)}), true, true},
		{"deletion", func(tx *store.Tx) error { return w.Delete(tx, shell, bob) }, true, true},
	} {
		before, annBefore := w.revision(bob), w.revision(ann)
		w.must(w.write(c.act))
		if changed := w.revision(bob) != before; changed != c.own {
			t.Errorf("%s: changed for Bob: %v", c.name, changed)
		}
		if changed := w.revision(ann) != annBefore; changed != c.all {
			t.Errorf("%s of Bob: changed for Ann: %v", c.name, changed)
		}
	}
}
