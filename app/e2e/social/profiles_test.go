package social

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
)

// Covers O-22 and B-68: whoever may can read a profile, and only its owner
// changes it.
func TestProfiles(t *testing.T) {
	_, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	fresh := ann.Do("GET", "/world/social/profile").Want(200)
	fresh.WantSchema("service.social.profile", fresh.At("profile"))
	if fresh.Str("profile.visibility") != "members" || fresh.At("profile.updated_at") != nil || fresh.At("profile.circle") != nil ||
		fresh.Str("profile.actions.update") != "/world/social/profile/update" {
		t.Errorf("who has said nothing has the profile %s", fresh.Body)
	}
	const said = `{"bio": "Bakes. <b>Much</b> & \n often", "pronouns": "she/her", "links": [{"label": "Bread", "url": "https://bread.example/?a=1"}],
		"visibility": "public", "display_name": " Beatrice "}`
	changed := bea.Do("PATCH", "/world/social/profile", said).Want(200)
	if len(changed.List("refresh.sections")) == 0 || changed.Str("profile.display_name") != "Beatrice" {
		t.Errorf("the answer is %s", changed.Body)
	}
	if name := bea.Do("GET", "/world/identity/me").Want(200).Str("display_name"); name != "Beatrice" {
		t.Errorf("Identity calls her %q", name)
	}
	seen := ann.Do("GET", "/world/social/profiles/2").Want(200)
	seen.WantSchema("service.social.profile", seen.At("profile"))
	for path, want := range map[string]any{
		"profile.bio": "Bakes. <b>Much</b> & \n often", "profile.pronouns": "she/her", "profile.visibility": "public",
		"profile.links.0.url": "https://bread.example/?a=1", "profile.display_name": "Beatrice", "profile.avatar": nil,
		"profile.updated_at": "2026-11-21T09:00:00Z", "profile.permissions.can_update": false, "profile.actions.update": nil,
	} {
		if got := seen.At(path); got != want {
			t.Errorf("to ann %s is %v, want %v", path, got, want)
		}
	}
	ann.Do("PATCH", "/world/social/profiles/2", `{"bio": "mine"}`).WantError(405, "method_not_allowed")
	ann.Do("PATCH", "/world/social/profile", `{"member_id": 2, "id": 2, "bio": "mine"}`).Want(200)
	if bio := bea.Do("GET", "/world/social/profile").Want(200).Str("profile.bio"); !strings.HasPrefix(bio, "Bakes") {
		t.Errorf("bea says %q", bio)
	}
	bea.Do("PATCH", "/world/social/profile", apptest.Form("pronouns=they&visibility=members&bio=")).Want(200)
	bea.Do("PATCH", "/world/social/profile", `{"links": null, "pronouns": null}`).Want(200)
	left := ann.AsService().Do("GET", "/social/profiles/2").Want(200)
	if len(left.List("profile.links")) != 0 || left.Str("profile.pronouns") != "" || left.Str("profile.visibility") != "members" {
		t.Errorf("it is now %s", left.Body)
	}
	for _, path := range []string{"77", "0", "-1", "ann", "99999999999999999999"} {
		ann.Do("GET", "/world/social/profiles/"+path).WantError(404, "not_found")
	}
}

// What is wrong with a profile is named, and nothing of it is kept (PT-40).
func TestBadProfiles(t *testing.T) {
	h, who := newHouse(t, "ann")
	ann := who["ann"]
	link := func(url string) string {
		return fmt.Sprintf(`{"links": [{"label": "ok", "url": "https://ok.example"}, {"label": "x", "url": %q}]}`, url)
	}
	many := `{"links": [` + strings.Repeat(`{"label": "x", "url": "http://x.example"},`, 10) + `{"label": "x", "url": "http://x.example"}]}`
	for _, c := range []struct {
		body   string
		status int
		code   string
		field  string
	}{
		{`{"bio": "` + strings.Repeat("ü", 2001) + `"}`, 422, "too_long", "bio"},
		{`{"pronouns": "` + strings.Repeat("ü", 81) + `"}`, 422, "too_long", "pronouns"},
		{`{"pronouns": "she\nher"}`, 422, "invalid_value", "pronouns"},
		{`{"visibility": "friends"}`, 422, "invalid_value", "visibility"},
		{`{"display_name": "  "}`, 400, "field_required", "display_name"},
		{`{"links": [{"label": "", "url": "http://x.example"}]}`, 400, "field_required", "links.0.label"},
		{link(""), 400, "field_required", "links.1.url"},
		{link("javascript:alert(1)"), 422, "invalid_value", "links.1.url"},
		{link("ftp://x.example"), 422, "invalid_value", "links.1.url"},
		{link("https:///path"), 422, "invalid_value", "links.1.url"},
		{link("//x.example"), 422, "invalid_value", "links.1.url"},
		{link("https://bank.example@evil.example"), 422, "invalid_value", "links.1.url"},
		{link("https://x.example/a b"), 422, "invalid_value", "links.1.url"},
		{link("https://x.example/" + strings.Repeat("a", 2048)), 422, "too_long", "links.1.url"},
		{many, 422, "too_long", "links"},
		{`{"bio": 7}`, 400, "malformed_body", "bio"},
	} {
		h.WantUnchanged(c.body, func() {
			a := ann.Do("PATCH", "/world/social/profile", c.body).WantError(c.status, c.code)
			a.WantFields(c.field)
			if want := "/" + strings.ReplaceAll(c.field, ".", "/"); a.Str("error.fields.0.pointer") != want {
				t.Errorf("it points to %v", a.At("error.fields.0.pointer"))
			}
		})
	}
	h.WantUnchanged("much is wrong", func() {
		ann.Do("PATCH", "/world/social/profile", `{"display_name": "New", "visibility": "x", "pronouns": "\n"}`).WantFields("pronouns", "visibility")
	})
	longest := "https://x.example/" + strings.Repeat("a", 2048-len("https://x.example/"))
	ann.Do("PATCH", "/world/social/profile", map[string]any{
		"bio": strings.Repeat("ü", 2000), "pronouns": strings.Repeat("ü", 80), "links": []map[string]string{{"label": "x", "url": longest}},
	}).Want(200)
}

// relatives are members by how they stand to bea: around her at each distance,
// with her in a public community only, nobody to her, and with a block.
func relatives(t *testing.T) (*apptest.Server, map[string]*apptest.Client) {
	h, who := newHouse(t, "bea", "inner", "trusted", "extended", "far", "fellow", "stranger", "blocked", "blocker")
	chain(h, who["bea"], who["inner"], who["trusted"], who["extended"], who["far"])
	chain(h, who["bea"], who["blocked"])
	chain(h, who["bea"], who["blocker"])
	h.CreateCommunity("public", who["bea"], who["fellow"], who["blocked"], who["blocker"])
	who["bea"].Do("POST", "/world/social/blocks", map[string]any{"member_id": who["blocked"].ID}).Want(201)
	who["blocker"].Do("POST", "/world/social/blocks", map[string]any{"member_id": who["bea"].ID}).Want(201)
	return h, who
}

// sees fails the test unless, of the relations, just those see something.
func sees(t *testing.T, about string, who map[string]*apptest.Client, want string, see func(*apptest.Client) bool) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(who)) {
		if got := see(who[name]); got != slices.Contains(strings.Fields(want), name) {
			t.Errorf("%s: %s sees it: %t", about, name, got)
		}
	}
}

// Covers O-22, O-27, O-36, B-72, B-76 and PT-21 as far as profiles go: who may
// read one, and in whose list of people its owner stands.
func TestWhoSeesProfiles(t *testing.T) {
	_, who := relatives(t)
	const around, everybody = "bea inner trusted extended ", "bea inner trusted extended far fellow stranger"
	for visibility, want := range map[string]string{"circle": around, "members": everybody, "public": everybody} {
		who["bea"].Do("PATCH", "/world/social/profile", map[string]any{"visibility": visibility, "bio": "Bakes"}).Want(200)
		sees(t, visibility, who, want, func(c *apptest.Client) bool {
			a := c.Do("GET", "/world/social/profiles/1")
			if a.Status == 404 && a.Str("error.code") == "not_found" {
				return false
			}
			return a.Want(200).Str("profile.bio") == "Bakes"
		})
		sees(t, "people, "+visibility, who, everybody, func(c *apptest.Client) bool {
			return slices.Contains(strings.Fields(c.Do("GET", "/world/social/people").Want(200).Column("people", "id")), "1")
		})
		sees(t, "a search for people, "+visibility, who, everybody, func(c *apptest.Client) bool {
			return len(c.Do("GET", "/world/social/people?q=BEA").Want(200).List("people")) == 1
		})
		sees(t, "the way to it, "+visibility, who, want, func(c *apptest.Client) bool {
			for _, p := range c.Do("GET", "/world/social/people").Want(200).List("people") {
				if apptest.At(p, "id") == 1.0 {
					return apptest.At(p, "actions.open") == "/world/social/profiles/1"
				}
			}
			return false
		})
	}
	// Nobody can tell a block from an absence.
	blocked, absent := who["blocked"].Do("GET", "/world/social/profiles/1"), who["blocked"].Do("GET", "/world/social/profiles/77")
	if blocked.Str("error.message") != absent.Str("error.message") {
		t.Errorf("%q is not %q", blocked.Str("error.message"), absent.Str("error.message"))
	}
}

// A profile and a list of people say how one stands to somebody. Covers B-68
// and B-73: the communities of others are not told.
func TestHowMembersStandToOneAnother(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem", "dora")
	ann, bea, cem := who["ann"], who["bea"], who["cem"]
	first, second := h.CreateCommunity("private", ann, bea), h.CreateCommunity("private", bea, cem)
	square := h.CreateCommunity("public", ann, bea, who["dora"])
	ann.Do("PATCH", "/world/social/profile", `{"bio": "Here"}`).Want(200)
	p := bea.Do("GET", "/world/social/profiles/1").Want(200)
	if p.At("profile.circle.depth") != 1.0 || p.Str("profile.circle.name") != "Inner" {
		t.Errorf("ann stands at %v", p.At("profile.circle"))
	}
	shared := []string{p.Str("profile.shared_communities.0"), p.Str("profile.shared_communities.1")}
	if want := []string{first, square}; !slices.Equal(shared, want) || len(p.List("profile.shared_communities")) != 2 {
		t.Errorf("they share %v, want %v", shared, want)
	}
	p = cem.Do("GET", "/world/social/profiles/1").Want(200)
	if p.At("profile.circle.depth") != 2.0 || len(p.List("profile.shared_communities")) != 0 || strings.Contains(p.Body, first) || strings.Contains(p.Body, second) {
		t.Errorf("cem sees %s", p.Body)
	}
	people := ann.Do("GET", "/world/social/people").Want(200)
	if got := people.Column("people", "circle.name"); got != "- Inner Trusted -" {
		t.Errorf("around ann are %q", got)
	}
	for _, person := range people.List("people") {
		people.WantSchema("service.social.person", person)
	}
	for i, can := range []bool{false, true, true, true} {
		if people.At(fmt.Sprint("people.", i, ".permissions.can_dm")) != can {
			t.Errorf("to %v: %v", people.At(fmt.Sprint("people.", i, ".display_name")), people.At(fmt.Sprint("people.", i)))
		}
	}
	own := ann.Do("GET", "/world/social/profile").Want(200)
	if own.At("profile.circle") != nil || len(own.List("profile.shared_communities")) != 0 || own.At("profile.permissions.can_dm") != false {
		t.Errorf("to herself ann is %s", own.Body)
	}
	apart(h, first, bea)
	if got := ann.Do("GET", "/world/social/people").Want(200).Column("people", "circle.name"); got != "- - - -" {
		t.Errorf("after it they are %q", got)
	}
}

// Pages of people have each of them once (PT-30).
func TestPagesOfPeople(t *testing.T) {
	_, who := newHouse(t, "ann", "bea", "cem", "dora", "eve")
	who["ann"].Do("POST", "/world/social/blocks", `{"recipient": "cem"}`).Want(201)
	var ids []string
	path, pages := "/world/social/people?limit=2", 0
	for next := ""; pages == 0 || next != ""; pages++ {
		a := who["ann"].Do("GET", path+next).Want(200)
		ids = append(ids, a.Column("people", "id"))
		if next = a.Str("page.next_cursor"); next != "" {
			who["bea"].Do("GET", path+"&cursor="+next).WantError(400, "invalid_parameter")
			next = "&cursor=" + next
		}
	}
	if got := strings.Join(ids, " "); got != "1 2 4 5" || pages != 2 {
		t.Errorf("%d pages have %q", pages, got)
	}
}

// present is how many are present for a member, and until when that holds.
func present(c *apptest.Client) (n int, until time.Time) {
	c.T.Helper()
	v := c.Viewer()
	err := c.Server.DB.Read(c.T.Context(), func(tx *store.Tx) (err error) {
		n, until, err = c.Server.App.Social.CountPresent(tx, v)
		return err
	})
	if err != nil {
		c.T.Fatal(err)
	}
	return n, until
}

// Covers O-23, O-24, O-27, O-36, B-69, PT-21 and PT-42: who sees that somebody
// is there, in the list, in the count and beside their name.
func TestWhoSeesPresence(t *testing.T) {
	_, who := relatives(t)
	for visibleTo, want := range map[string]string{
		"nobody": "bea", "inner": "bea inner", "trusted": "bea inner trusted", "extended": "bea inner trusted extended",
		"members": "bea inner trusted extended far fellow stranger",
	} {
		a := who["bea"].Do("POST", "/world/social/presence", map[string]any{"state": "busy", "note": "at the lake", "visible_to": visibleTo}).Want(200)
		a.WantSchema("service.social.presence", a.At("presence"))
		sees(t, visibleTo, who, want, func(c *apptest.Client) bool {
			list := c.Do("GET", "/world/social/presence").Want(200)
			n, _ := present(c)
			if len(list.List("presence")) != n {
				t.Errorf("%s counts %d present, and lists %s", c.Name, n, list.Body)
			}
			return list.Column("presence", "member_id") == "1" && list.Str("presence.0.note") == "at the lake"
		})
		sees(t, "beside the name, "+visibleTo, who, want, func(c *apptest.Client) bool {
			for _, p := range c.Do("GET", "/world/social/people").Want(200).List("people") {
				if apptest.At(p, "id") == 1.0 {
					return apptest.At(p, "presence.state") == "busy"
				}
			}
			return false
		})
	}
}

// Covers O-23 and B-69: presence is what one has said, until it expires.
func TestPresenceExpires(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	quiet := ann.Do("GET", "/world/social/presence").Want(200)
	quiet.WantSchema("service.social.presence", quiet.At("mine"))
	if len(quiet.List("presence")) != 0 || quiet.Str("mine.state") != "offline" || quiet.At("mine.expires_at") != nil || quiet.Str("mine.visible_to") != "members" {
		t.Errorf("who has said nothing is %s", quiet.Body)
	}
	if n, until := present(ann); n != 0 || !until.IsZero() {
		t.Errorf("%d are present until %v", n, until)
	}
	first := bea.Do("POST", "/world/social/presence", `{"state": "online"}`).Want(200)
	if first.Str("presence.expires_at") != "2026-11-21T09:05:00Z" || first.Str("presence.visible_to") != "members" {
		t.Errorf("it is %s", first.Body)
	}
	ann.Do("POST", "/world/social/presence", apptest.Form("state=away&ttl_seconds=30&visible_to=inner")).Want(200)
	if n, until := present(ann); n != 2 || until.Format(time.TimeOnly) != "09:00:30" {
		t.Errorf("to ann %d are present until %v", n, until)
	}
	if n, until := present(bea); n != 1 || until.Format(time.TimeOnly) != "09:05:00" {
		t.Errorf("to bea %d are present until %v", n, until)
	}
	h.Clock.Advance(30 * time.Second)
	later := ann.Do("GET", "/world/social/presence").Want(200)
	if later.Column("presence", "member_id") != "2" || later.Str("mine.state") != "offline" || later.Str("mine.visible_to") != "inner" {
		t.Errorf("after half a minute it is %s", later.Body)
	}
	// Whoever is there again is so for those who were to see it before.
	if again := ann.Do("POST", "/world/social/presence", `{"state": "online"}`).Want(200); again.Str("presence.visible_to") != "inner" {
		t.Errorf("ann is shown to %v", again.At("presence.visible_to"))
	}
	h.Clock.Advance(269 * time.Second)
	if n, _ := present(ann); n != 2 {
		t.Errorf("a second before the end %d are present", n)
	}
	h.Clock.Advance(time.Second)
	if n, _ := present(ann); n != 1 {
		t.Errorf("in the end %d are present", n)
	}
	if list := ann.Do("GET", "/world/social/people").Want(200).Column("people", "presence.state"); list != "online -" {
		t.Errorf("beside the names stands %q", list)
	}
	bea.Do("POST", "/world/social/presence", `{"state": "offline", "ttl_seconds": 3600}`).Want(200)
	if n, _ := present(ann); n != 1 {
		t.Errorf("with bea offline %d are present", n)
	}
}

// Who is disabled is nowhere any more, whatever they have said. Covers PT-42
// and PT-46 as far as people go.
func TestTheDisabledAreNotPresent(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "op")
	ann, bea := who["ann"], who["bea"]
	chain(h, ann, bea)
	bea.Do("PATCH", "/world/social/profile", `{"bio": "Bakes"}`).Want(200)
	bea.Do("POST", "/world/social/presence", `{"state": "online"}`).Want(200)
	if n, _ := present(ann); n != 1 {
		t.Fatalf("%d are present", n)
	}
	who["op"].Do("POST", "/admin/members/update", map[string]any{"id": bea.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	n, _ := present(ann)
	if list := ann.Do("GET", "/world/social/presence").Want(200).List("presence"); n != 0 || len(list) != 0 {
		t.Errorf("%d are present: %v", n, list)
	}
	if people := ann.Do("GET", "/world/social/people").Want(200).Column("people", "id"); people != "1 3" {
		t.Errorf("the people are %q", people)
	}
	ann.Do("GET", "/world/social/profiles/2").WantError(404, "not_found")
}

// Covers B-69 and PT-40.
func TestBadPresence(t *testing.T) {
	h, who := newHouse(t, "ann")
	for body, want := range map[string]string{
		`{}`:                                     "400 field_required state",
		`{"state": "sleeping"}`:                  "422 invalid_value state",
		`{"state": "online", "ttl_seconds": 29}`: "422 invalid_value ttl_seconds",
		`{"state": "online", "ttl_seconds": 3601}`:                        "422 invalid_value ttl_seconds",
		`{"state": "online", "ttl_seconds": "x"}`:                         "400 malformed_body ttl_seconds",
		`{"state": "online", "visible_to": "all"}`:                        "422 invalid_value visible_to",
		`{"state": "online", "note": "` + strings.Repeat("x", 201) + `"}`: "422 too_long note",
	} {
		h.WantUnchanged(body, func() {
			a := who["ann"].Do("POST", "/world/social/presence", body)
			if got := fmt.Sprint(a.Status, " ", a.Str("error.code"), " ", a.Str("error.fields.0.name")); got != want {
				t.Errorf("%s: %s, want %s", body, got, want)
			}
		})
	}
}

// etag is that of the member's dataset.
func etag(c *apptest.Client) string {
	c.T.Helper()
	return c.Runtime().Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
}

// Saying again that one is there is heard by nobody else; anything else is.
// Covers B-84 as far as presence goes.
func TestPresenceTouchesWhoSeesIt(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	last := etag(bea)
	for _, c := range []struct {
		body  string
		heard bool
	}{
		{`{"state": "online", "visible_to": "nobody"}`, false},
		{`{"state": "online", "visible_to": "members"}`, true},
		{`{"state": "online"}`, false},
		{`{"state": "online", "ttl_seconds": 600}`, false},
		{`{"state": "online", "ttl_seconds": 60}`, true}, // it ends before they would ask again
		{`{"state": "busy", "ttl_seconds": 60}`, true},
		{`{"state": "busy", "note": "Soup", "ttl_seconds": 60}`, true},
		{`{"state": "offline"}`, true},
		{`{"state": "offline", "note": "Gone"}`, false},
	} {
		h.Clock.Advance(time.Second)
		own := etag(ann)
		ann.Do("POST", "/world/social/presence", c.body).Want(200)
		if etag(ann) == own {
			t.Errorf("%s: ann does not hear of it", c.body)
		}
		if tag := etag(bea); (tag != last) != c.heard {
			t.Errorf("%s: bea hears of it: %t", c.body, tag != last)
		} else {
			last = tag
		}
	}
}

// Whoever has the service key gets the same, for the member that they name.
// Covers B-15 and B-64 as far as people and DMs go.
func TestPeopleForServices(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann := who["ann"]
	chain(h, ann, who["bea"])
	for _, path := range []string{"/profile", "/profiles/2", "/people", "/presence", "/dms"} {
		own, same := ann.Do("GET", "/world/social"+path).Want(200), ann.AsService().Do("GET", "/social"+path).Want(200)
		if own.Body != same.Body {
			t.Errorf("%s: %s is not %s", path, same.Body, own.Body)
		}
		ann.Do("GET", "/social"+path).WantError(404, "not_found")
		h.Unauthenticated().Do("GET", "/world/social"+path).WantError(401, "unauthenticated")
	}
	ann.AsService().Do("PATCH", "/social/profile", `{"bio": "Bakes"}`).Want(200)
	ann.AsService().Do("POST", "/social/presence", `{"state": "away"}`).Want(200)
	path := "/social/dms/" + ann.AsService().Do("POST", "/social/dms", `{"recipient": "bea", "body": "Hello"}`).Want(201).Str("dm.id")
	ann.AsService().Do("POST", path+"/messages", `{"body": "Bea?"}`).Want(201)
	who["bea"].AsService().Do("POST", path+"/read", "").Want(200)
	off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"social"} })
	off.Member("cem").Do("GET", "/world/social/people").WantError(503, "service_unavailable")
}
