package social

import (
	"encoding/base64"
	"fmt"
	"image"
	"net/http"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc"
)

// appearancePaths returns paths whose responses show members or communities.
func appearancePaths(s *apptest.SocialFixture) []string {
	paths := []string{
		"/world/runtime", apptest.SessionPath, "/world/translated", "/world/identity/me", "/world/identity/export", "/world/messages", "/world/panels/messages",
		profilePath, peoplePath, presencePath, blocksPath, activityPath, notificationsPath, invitationsPath, "/world/social/communities", "/world/social/circles",
		"/world/social/discovery/graph?depth=3", apptest.ConversationsPath, eventsPath, dmsPath, s.Club, s.Club + "/members", s.Choir, s.Choir + "/members",
		s.Choir + "/invitations", apptest.ConversationsPath + "/" + s.OpenConversation + "?peek=1", apptest.ConversationsPath + "/" + s.ClubConversation + "?peek=1",
		eventsPath + "/" + s.PublicEvent, eventsPath + "/" + s.ClubEvent, dmsPath + "/" + s.DM + "?peek=1",
	}
	for _, view := range apptest.SocialViews {
		paths = append(paths, apptest.SocialPanelPath+"?view="+view)
	}
	for _, c := range []*apptest.Client{s.Ann, s.Bea, s.Cem, s.Dan} {
		paths = append(paths, memberPath("/world/social/profiles", c))
	}
	return paths
}

// appearancesIn returns the JSON objects that show a member or a community.
func appearancesIn(v any) (list []map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		if v["display_name"] != nil && v["member"] == nil || v["member_count"] != nil { // GET /world/identity/me repeats the name beside the member
			list = append(list, v)
		}
		for _, child := range v {
			list = append(list, appearancesIn(child)...)
		}
	case []any:
		for _, child := range v {
			list = append(list, appearancesIn(child)...)
		}
	}
	return list
}

// Wherever a response shows a member or a community, it shows a color, and an avatar that
// the viewer can read. Covers B-102 and B-106.
func TestEveryMemberAndCommunityHasAnAppearance(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.SendMessage("bea", "Hello")
	s.Dan.SendMessage("ann", "Hello")
	eve := s.Member("eve")
	eve.SendMessage("ann", "Bye")
	eve.Upload("PUT", apptest.OwnAvatarPath, s.AvatarFile(4)).Want(200)
	s.DeleteMember(eve.ID)
	for i, c := range []*apptest.Client{s.Ann, s.Bea, s.Cem} { // dan has no avatar
		c.Upload("PUT", apptest.OwnAvatarPath, s.AvatarFile(uint8(i))).Want(200)
		c.Do("PATCH", profilePath, map[string]any{"color": svc.Color("").Values()[3*i]}).Want(200)
	}
	for _, at := range []string{s.Club, s.Choir} {
		s.Ann.Upload("PUT", at+"/avatar", s.AvatarFile(9)).Want(200)
	}
	s.Cem.Block(s.Bea).Want(201)
	former := 0
	for _, c := range []*apptest.Client{s.Ann.AsRuntime(), s.Bea.AsRuntime(), s.Cem.AsRuntime(), s.Dan.AsRuntime()} {
		shown, reachable := 0, make(map[string]bool)
		for _, path := range appearancePaths(s) {
			a := c.Do("GET", path)
			if a.Status == http.StatusNotFound || a.Status == http.StatusForbidden { // not visible to this member
				continue
			}
			for _, v := range appearancesIn(a.Want(200).At("")) {
				shown++
				color, _ := v["color"].(string)
				avatar, exists := v["avatar"]
				if !slices.Contains(svc.Color("").Values(), color) || !exists {
					t.Errorf("%s: %s: got the color %q and the avatar %v of %v, want both", c.Name, path, color, avatar, apptest.JSON(v))
				}
				if v["display_name"] == svc.FormerMember {
					if former++; color != string(svc.FormerAppearance.Color) || avatar != nil {
						t.Errorf("%s: %s: got the color %q and the avatar %v of a former member", c.Name, path, color, avatar)
					}
				}
				if avatar == nil {
					continue
				}
				for key, side := range map[string]int{"url": svc.AvatarSide, "thumb_url": svc.AvatarThumbSide} {
					if url := apptest.At(avatar, key).(string); !reachable[url] {
						reachable[url] = true
						c.WantPicture(url, side)
					}
				}
			}
		}
		if shown < 30 || len(reachable) < 4 {
			t.Errorf("%s: got %d members and communities with %d pictures, want more", c.Name, shown, len(reachable))
		}
	}
	if former == 0 {
		t.Error("got no former member, want eve in the messages of ann")
	}
}

// The URL of an avatar can be read only by a member who sees the member or the community.
// Covers PT-21 and B-98.
func TestAvatarsAreVisibleLikeNames(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	avatar := func(c *apptest.Client, at, key string) string {
		t.Helper()
		return c.Upload("PUT", at+"/avatar", s.AvatarFile(1)).Want(200).Str(key + ".avatar.url")
	}
	bea, club, choir := avatar(s.Bea, profilePath, "profile"), avatar(s.Ann, s.Club, "community"), avatar(s.Ann, s.Choir, "community")
	want := func(c *apptest.Client, url string, status int) {
		t.Helper()
		for _, u := range []string{url, url + "/thumb"} {
			c.Do("GET", u).Want(status)
		}
	}
	for _, c := range []*apptest.Client{s.Ann, s.Bea, s.Cem, s.Dan} {
		want(c, bea, 200)
		want(c, choir, 200)
	}
	want(s.Bea, club, 200)
	want(s.Cem, club, 404)
	want(s.Dan, club, 404) // invited, but not a member
	want(s.Unauthenticated(), bea, 401)
	want(s.Cem, strings.Replace(bea, fmt.Sprint("/", s.Bea.ID, "/"), fmt.Sprint("/", s.Ann.ID, "/"), 1), 404)
	want(s.Cem, "/world/social/profiles/x/avatar/y", 404)

	s.Cem.Block(s.Bea).Want(201)
	want(s.Cem, bea, 404)
	want(s.Ann, bea, 200)
	s.Bea.Block(s.Dan).Want(201) // the blocked member must not see it either
	want(s.Dan, bea, 404)

	s.Bea.Do("POST", s.Club+"/leave").Want(200)
	want(s.Bea, club, 404)
	s.Ann.Do("DELETE", s.Choir).Want(200)
	for _, c := range []*apptest.Client{s.Ann, s.Cem} {
		want(c, choir, 404)
	}
	disable(s.Member("op"), s.Bea)
	want(s.Ann, bea, 404)
}

// A new avatar and a new color are in the next read of each part of the dataset that shows
// the name, also for a client that has cached the previous one.
func TestNewAppearanceIsShownAtOnce(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.SendMessage("bea", "Hello")
	ann := s.Ann.AsRuntime()
	shown := func() (urls, colors []string) {
		for _, v := range appearancesIn(ann.Do("GET", "/world/runtime").Want(200).At("objects")) {
			if v["display_name"] == "Bea" {
				url := ""
				if v["avatar"] != nil {
					url = apptest.At(v["avatar"], "url").(string)
				}
				urls, colors = append(urls, url), append(colors, v["color"].(string))
			}
		}
		return slices.Compact(urls), slices.Compact(colors)
	}
	etag := ann.Do("GET", "/world/runtime").Header.Get("ETag")
	if urls, _ := shown(); !slices.Equal(urls, []string{""}) {
		t.Errorf("got the avatars %q, want none", urls)
	}
	url := s.Bea.Upload("PUT", apptest.OwnAvatarPath, s.AvatarFile(1)).Want(200).Str("profile.avatar.url")
	s.Bea.Do("PATCH", profilePath, `{"color": "straw"}`).Want(200)
	ann.With("If-None-Match", etag).Do("GET", "/world/runtime").Want(200)
	if urls, colors := shown(); !slices.Equal(urls, []string{url}) || !slices.Equal(colors, []string{"straw"}) {
		t.Errorf("got the avatars %q with the colors %q, want %s and straw only", urls, colors, url)
	}
}

// The export contains the pictures that the member has uploaded. The deletion of the
// account, and of a community, deletes them. Covers PT-46.
func TestAvatarsAreExportedAndDeletedWithTheAccount(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	community := ann.CreateCommunity(`{"name": "Family"}`)
	shared := ann.CreateCommunity(`{"name": "Choir"}`, bea)
	before := s.QueryInt(fmt.Sprint("SELECT octets FROM storage_usage WHERE member_id = ", ann.ID))
	ann.Upload("PUT", apptest.OwnAvatarPath, s.AvatarFile(1)).Want(200)
	for _, at := range []string{community, shared} {
		ann.Upload("PUT", at+"/avatar", s.AvatarFile(2)).Want(200)
	}
	if after := s.QueryInt(fmt.Sprint("SELECT octets FROM storage_usage WHERE member_id = ", ann.ID)); after < before+3*256 {
		t.Errorf("got a usage of %d bytes after three uploads, want more than %d", after, before)
	}
	var owners []string
	for _, a := range ann.Do("GET", "/world/identity/export").Want(200).List("avatars") {
		owners = append(owners, fmt.Sprint(apptest.At(a, "community_id")))
		file, err := base64.StdEncoding.DecodeString(apptest.At(a, "data_base64").(string))
		config, format, errFormat := image.DecodeConfig(strings.NewReader(string(file)))
		if err != nil || errFormat != nil || config.Width != svc.AvatarSide || "image/"+format != apptest.At(a, "media_type") {
			t.Errorf("got a picture of %d pixels, %s, %v, %v, want %d pixels", config.Width, format, err, errFormat, svc.AvatarSide)
		}
	}
	wantOwners := []string{"<nil>", apptest.LastSegment(community), apptest.LastSegment(shared)}
	slices.Sort(wantOwners)
	slices.Sort(owners)
	if !slices.Equal(owners, wantOwners) {
		t.Errorf("got the avatars of %v, want %v", owners, wantOwners)
	}
	if status, out, errs := s.RunCommand("", "admin", "members", "delete", "--yes", "ann"); status != 0 {
		t.Fatalf("got status %d, %s %s", status, out, errs)
	}
	want(t, "avatars of members", s.Rows()["identity_avatar"], "")
	if n := s.QueryInt("SELECT count(*) FROM social_avatar"); n != 1 {
		t.Errorf("got %d avatars of communities, want that of the community which still has a member", n)
	}
	url := bea.Do("GET", shared).Want(200).Str("community.avatar.url")
	bea.WantPicture(url, svc.AvatarSide)
	bea.Do("DELETE", shared).Want(200)
	want(t, "avatars of communities", s.Rows()["social_avatar"], "")
	bea.Do("GET", url).WantError(404, "not_found")
}

// Moderators change the color and the avatar of a community by its published actions.
func TestModeratorsAreOfferedTheAppearanceOfACommunity(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.Do("PATCH", memberPath(s.Club+"/members", s.Bea), `{"role": "moderator"}`).Want(200)
	actions := s.Bea.Do("GET", s.Club).Want(200).At("community.actions").(map[string]any)
	for name, offered := range map[string]bool{"color": true, "set_avatar": true, "delete_avatar": false, "update": false} {
		if _, ok := actions[name]; ok != offered {
			t.Errorf("%s: offered: %t, want %t", name, ok, offered)
		}
	}
	s.Bea.Do("POST", actions["color"].(string), `{"color": "bark"}`).Want(200).WantValues("community", map[string]any{"color": "bark"})
	s.Bea.Do("POST", actions["color"].(string), `{"color": "bark", "name": "Mine"}`).WantError(403, "permission_denied")
	s.Bea.Upload("POST", actions["set_avatar"].(string), s.AvatarFile(1)).Want(200)
	s.Ann.Do("POST", s.Club+"/avatar/delete").Want(200)
}
