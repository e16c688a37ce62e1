package social

import (
	"slices"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/words"
)

func picture(key string) svc.AvatarPicture {
	return svc.AvatarPicture{Key: key, Picture: []byte("picture " + key), Thumb: []byte("thumb " + key)}
}

func (a actor) setCommunityAvatar(id, key string) (Community, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return a.SetCommunityAvatar(tx, v, id, picture(key))
	})
}

func (a actor) deleteCommunityAvatar(id string) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Community, error) { return a.DeleteCommunityAvatar(tx, v, id) })
	return err
}

func (a actor) communityAvatar(id, key string, thumb bool) (string, error) {
	got, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) ([]byte, error) { return a.CommunityAvatar(tx, v, id, key, thumb) })
	return string(got), err
}

func (a actor) memberAvatar(of actor, key string) error {
	_, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) ([]byte, error) { return a.MemberAvatar(tx, v, of.id, key, false) })
	return err
}

func (a actor) setAvatar(key string) (Profile, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Profile, error) { return a.SetAvatar(tx, v, picture(key)) })
}

// Owners and moderators set the avatar and the color of a community. Outsiders of a
// private community see neither. Covers B-106.
func TestStaffChangesTheAppearanceOfACommunity(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	id := ann.community("private", bea, cid)
	ann.setRole(id, bea, "moderator")
	first, err := ann.getCommunity(id)
	if err != nil || !slices.Contains(first.Color.Values(), string(first.Color)) || first.Avatar != nil {
		t.Errorf("new community: got %+v, %v, want a color and no avatar", first.Appearance, err)
	}
	for _, c := range []struct {
		actor actor
		code  svc.Code
	}{{cid, svc.PermissionDenied}, {dan, svc.NotFound}} {
		_, err := c.actor.setCommunityAvatar(id, "k1")
		wantError(t, c.actor.name+" sets", err, c.code)
		wantError(t, c.actor.name+" deletes", c.actor.deleteCommunityAvatar(id), c.code)
		_, err = c.actor.update(id, CommunityChange{Color: svc.Some(svc.ColorSea)})
		wantError(t, c.actor.name+" and the color", err, c.code)
	}
	for i, a := range []actor{ann, bea} {
		key := []string{"k1", "k2"}[i]
		c, err := a.setCommunityAvatar(id, key)
		if err != nil || c.Avatar == nil || c.Avatar.URL != "/world/social/communities/"+id+"/avatar/"+key || !c.Permissions.CanChangeAppearance {
			t.Errorf("%s: got %+v, %v, want the avatar %s", a.name, c.Avatar, err, key)
		}
		if c, err := a.update(id, CommunityChange{Color: svc.Some([]svc.Color{svc.ColorSea, svc.ColorMoss}[i])}); err != nil || c.Color != []svc.Color{svc.ColorSea, svc.ColorMoss}[i] {
			t.Errorf("%s: got the color %s, %v", a.name, c.Color, err)
		}
	}
	_, err = bea.update(id, CommunityChange{Color: svc.Some(svc.ColorSea), Name: svc.Some("Mine")})
	wantError(t, "a moderator and the name", err, svc.PermissionDenied)
	for _, thumb := range []bool{false, true} {
		got, err := cid.communityAvatar(id, "k2", thumb)
		wantEqual(t, "picture of a member", got, map[bool]string{false: "picture k2", true: "thumb k2"}[thumb])
		if err != nil {
			t.Error(err)
		}
		_, err = cid.communityAvatar(id, "k1", thumb)
		wantError(t, "previous picture", err, svc.NotFound)
		_, err = dan.communityAvatar(id, "k2", thumb)
		wantError(t, "outsider", err, svc.NotFound)
	}
	bea.leave(id)
	_, err = bea.communityAvatar(id, "k2", false)
	wantError(t, "former member", err, svc.NotFound)
	if c, err := ann.update(id, CommunityChange{Color: svc.Optional[svc.Color]{Set: true, Null: true}}); err != nil || c.Color != first.Color {
		t.Errorf("default color: got %s, %v, want %s", c.Color, err, first.Color)
	}
	if err := ann.deleteCommunityAvatar(id); err != nil {
		t.Error(err)
	}
	_, err = cid.communityAvatar(id, "k2", false)
	wantError(t, "removed picture", err, svc.NotFound)
}

func TestDeletedCommunityLeavesNoAvatar(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	public, alone := ann.community("public"), bea.community("private")
	for i, a := range []actor{ann, bea} {
		if _, err := a.setCommunityAvatar([]string{public, alone}[i], "k1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := ann.deleteCommunity(public); err != nil {
		t.Fatal(err)
	}
	_, err := bea.communityAvatar(public, "k1", false)
	wantError(t, "deleted community", err, svc.NotFound)
	// The deletion of an account deletes communities without other members.
	bea.deleteAccount()
	wantEqual(t, "avatars", storetest.Rows(t, s.db, "SELECT community_id FROM social_avatar"), "[]")
}

// Two members with a block between them do not see each other's avatar, and appear to each
// other with the color of former members. Covers B-98.
func TestBlockHidesTheAppearance(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("private", bea, cid)
	if _, err := ann.setAvatar("k1"); err != nil {
		t.Fatal(err)
	}
	conversation := ann.start(inCommunity(id), "Hello")
	author := func(a actor) MemberRef {
		c, err := a.conversation(conversation)
		if err != nil {
			t.Fatal(err)
		}
		return c.Author
	}
	if err := bea.memberAvatar(ann, "k1"); err != nil || author(bea).Avatar == nil {
		t.Errorf("before the block: got %v, %+v, want the avatar", err, author(bea))
	}
	bea.block(ann)
	wantError(t, "blocker", bea.memberAvatar(ann, "k1"), svc.NotFound)
	wantError(t, "unknown key", ann.memberAvatar(bea, "k1"), svc.NotFound)
	if err := cid.memberAvatar(ann, "k1"); err != nil || author(cid).Avatar == nil {
		t.Errorf("another member: got %v, want the avatar", err)
	}
	blocks := read(bea, func(tx *store.Tx, v svc.Viewer) ([]Block, error) { return s.Blocks(tx, words.English, v.Member()) })
	if b := blocks[0]; b.Avatar != nil || b.Color != svc.Color(svc.Color("").Values()[ann.id]) {
		t.Errorf("list of blocks: got %+v, want the color without an avatar", b)
	}
	for _, p := range read(bea, func(tx *store.Tx, v svc.Viewer) ([]CommunityMember, error) {
		list, _, err := s.CommunityMembers(tx, v, id, svc.PageQuery{})
		return list, err
	}) {
		if p.ID == ann.id {
			t.Errorf("members: got %+v, want the blocked member to be absent", p)
		}
	}
	s.members.inactive[ann.id] = true
	if a := author(cid); a.Appearance != svc.FormerAppearance {
		t.Errorf("disabled author: got %+v, want the appearance of a former member", a)
	}
}

// An avatar counts towards the storage of the member who uploads it.
func TestAvatarsCountTowardsTheStorage(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.community("private", bea)
	ann.setRole(id, bea, "moderator")
	usage := func(a actor) int64 {
		return read(a, func(tx *store.Tx, v svc.Viewer) (storage.Usage, error) { return s.storage.Usage(tx, v.Member()) }).Used
	}
	size := int64(len("picture k1thumb k1") + 256)
	before := []int64{usage(ann), usage(bea)}
	for i, a := range []actor{ann, bea} { // the second picture replaces the first
		if _, err := a.setCommunityAvatar(id, "k1"); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "usage after an upload by "+a.name, []int64{usage(ann) - before[0], usage(bea) - before[1]}, [][]int64{{size, 0}, {0, size}}[i])
	}
	s.storage.Limit = usage(bea) + size - 1
	if err := bea.deleteCommunityAvatar(id); err != nil {
		t.Fatal(err)
	}
	s.storage.Limit = usage(bea) + size - 1
	_, err := bea.setCommunityAvatar(id, "k1")
	wantError(t, "full storage", err, svc.QuotaExceeded)
	if c, err := ann.getCommunity(id); err != nil || c.Avatar != nil {
		t.Errorf("after a rejected upload: got %+v, %v, want no avatar", c.Avatar, err)
	}
}

func TestProfileChangeSetsTheColor(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann := m[0]
	change := func(c ProfileChange) (Profile, error) {
		return tryWrite(ann, func(tx *store.Tx, v svc.Viewer) (Profile, error) { return ann.UpdateProfile(tx, v, c) })
	}
	p, err := change(ProfileChange{Color: svc.Some(svc.ColorIris)})
	if err != nil || p.Color != "iris" {
		t.Errorf("got %s, %v, want iris", p.Color, err)
	}
	if p, err := change(ProfileChange{Color: svc.Optional[svc.Color]{Set: true, Null: true}}); err != nil || p.Color != svc.Color(svc.Color("").Values()[ann.id]) {
		t.Errorf("got %s, %v, want the default", p.Color, err)
	}
}
