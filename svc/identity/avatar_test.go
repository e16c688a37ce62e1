package identity

import (
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// person returns a member as other members see them.
func (w *fixture) person(id svc.MemberID) svc.Person {
	w.Helper()
	var people map[svc.MemberID]svc.Person
	w.must(w.read(func(tx *store.Tx) (err error) {
		people, err = w.People(tx, []svc.MemberID{id})
		return err
	}))
	return people[id]
}

func (w *fixture) setAvatar(id svc.MemberID, key string) {
	w.Helper()
	w.must(w.write(func(tx *store.Tx) error {
		return w.SetAvatar(tx, svc.Trust(id), svc.AvatarPicture{Key: key, Picture: []byte("picture " + key), Thumb: []byte("thumb " + key)})
	}))
}

func (w *fixture) avatar(id svc.MemberID, key string, thumb bool, hidden ...svc.MemberID) (picture []byte, err error) {
	err = w.read(func(tx *store.Tx) (err error) {
		picture, err = w.Avatar(tx, id, key, thumb, hidden)
		return err
	})
	return picture, err
}

// The color follows from the id until the member chooses another.
func TestMembersHaveAColorFromTheStart(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	setColor := func(color svc.Optional[svc.Color]) error {
		return w.write(func(tx *store.Tx) error { return w.SetColor(tx, svc.Trust(ann), color) })
	}
	want := func(about string, color svc.Color) {
		t.Helper()
		if got := w.person(ann).Color; got != color {
			t.Errorf("%s: got %s, want %s", about, got, color)
		}
		if got := w.me(ann).Color; got != color {
			t.Errorf("%s: account: got %s, want %s", about, got, color)
		}
	}
	first := svc.Color(svc.Color("").Values()[int(ann)%12])
	want("new member", first)
	w.must(setColor(svc.Some(svc.ColorPlum)))
	want("chosen color", "plum")
	w.must(setColor(svc.Optional[svc.Color]{Set: true, Null: true}))
	want("default", first)
}

// Only the current picture of an active member who is not hidden can be read.
func TestAvatarIsVisibleLikeItsMember(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	w.setAvatar(ann, "k1")
	w.setAvatar(ann, "k2")
	if a := w.person(ann).Avatar; a == nil || a.URL != "/world/social/profiles/1/avatar/k2" || a.ThumbURL != a.URL+"/thumb" || a.Width != svc.AvatarSide || a.Height != svc.AvatarSide {
		t.Errorf("got the avatar %+v, want the URL of k2", a)
	}
	for thumb, want := range map[bool]string{false: "picture k2", true: "thumb k2"} {
		if got, err := w.avatar(ann, "k2", thumb); err != nil || string(got) != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	_, err := w.avatar(ann, "k1", false)
	wantError(t, err, svc.NotFound)
	_, err = w.avatar(ann, "k2", false, ann)
	wantError(t, err, svc.NotFound)
	disabled := Disabled
	w.must(w.update(ann, Changes{Status: &disabled}))
	_, err = w.avatar(ann, "k2", false)
	wantError(t, err, svc.NotFound)
	w.must(w.read(func(tx *store.Tx) error {
		m, err := w.FindMember(tx, cli, "ann")
		if err == nil && (m.Avatar != nil || m.Color != "sea") {
			t.Errorf("disabled member, for operators: got %+v, want the color without an avatar", m.Appearance)
		}
		return err
	}))
	active := Active
	w.must(w.update(ann, Changes{Status: &active}))
	for range 2 {
		w.must(w.write(func(tx *store.Tx) error { return w.DeleteAvatar(tx, svc.Trust(ann)) }))
	}
	if a := w.person(ann).Avatar; a != nil {
		t.Errorf("after its removal: got %+v, want no avatar", a)
	}
}

func TestDeletedMemberHasNoAvatarAndNoColor(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	w.setAvatar(ann, "k1")
	w.must(w.write(func(tx *store.Tx) error { return w.SetColor(tx, svc.Trust(ann), svc.Some(svc.ColorPlum)) }))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, ann) }))
	if rows := storetest.Rows(t, w.db, "SELECT member_id FROM identity_avatar"); len(rows) != 0 {
		t.Errorf("got the avatars %v, want none", rows)
	}
	if rows := storetest.Rows(t, w.db, "SELECT id FROM identity_member WHERE color IS NOT NULL"); len(rows) != 0 {
		t.Errorf("got the members %v with a color, want none", rows)
	}
}

// A change of the appearance is visible to all members, so it changes the revision of all.
func TestAppearanceChangesTheRevisionOfAllMembers(t *testing.T) {
	w := newFixture(t, Config{})
	ann, bob := w.addMember("ann"), w.addMember("bob")
	revision := func() (r int64) {
		w.must(w.read(func(tx *store.Tx) error {
			r = tx.Revision(int64(bob))
			return nil
		}))
		return r
	}
	for _, c := range []struct {
		about   string
		do      func(tx *store.Tx) error
		changes bool
	}{
		{"color", func(tx *store.Tx) error { return w.SetColor(tx, svc.Trust(ann), svc.Some(svc.ColorPlum)) }, true},
		{"same color", func(tx *store.Tx) error { return w.SetColor(tx, svc.Trust(ann), svc.Some(svc.ColorPlum)) }, false},
		{"avatar", func(tx *store.Tx) error {
			return w.SetAvatar(tx, svc.Trust(ann), svc.AvatarPicture{Key: "k", Picture: []byte("p"), Thumb: []byte("t")})
		}, true},
		{"removal", func(tx *store.Tx) error { return w.DeleteAvatar(tx, svc.Trust(ann)) }, true},
		{"repeated removal", func(tx *store.Tx) error { return w.DeleteAvatar(tx, svc.Trust(ann)) }, false},
	} {
		before := revision()
		w.must(w.write(c.do))
		if changed := revision() != before; changed != c.changes {
			t.Errorf("%s: got a new revision: %t, want %t", c.about, changed, c.changes)
		}
	}
}
