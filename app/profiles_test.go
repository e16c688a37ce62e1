package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/config"
	"appliance/store"
)

// Covers O-22 and B-68: whoever may can read a profile, and only its owner
// changes it.
func TestProfiles(t *testing.T) {
	_, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	fresh := ann.do("GET", "/world/social/profile").want(200)
	fresh.fits("service.social.profile", fresh.at("profile"))
	if fresh.str("profile.visibility") != "members" || fresh.at("profile.updated_at") != nil || fresh.at("profile.circle") != nil ||
		fresh.str("profile.actions.update") != "/world/social/profile" {
		t.Errorf("who has said nothing has the profile %s", fresh.body)
	}
	const said = `{"bio": "Bakes. <b>Much</b> & \n often", "pronouns": "she/her", "links": [{"label": "Bread", "url": "https://bread.example/?a=1"}],
		"visibility": "public", "display_name": " Beatrice "}`
	changed := bea.do("PATCH", "/world/social/profile", said).want(200)
	if len(changed.list("refresh.sections")) == 0 || changed.str("profile.display_name") != "Beatrice" {
		t.Errorf("the answer is %s", changed.body)
	}
	if name := bea.do("GET", "/world/identity/me").want(200).str("display_name"); name != "Beatrice" {
		t.Errorf("Identity calls her %q", name)
	}
	seen := ann.do("GET", "/world/social/profiles/2").want(200)
	seen.fits("service.social.profile", seen.at("profile"))
	for path, want := range map[string]any{
		"profile.bio": "Bakes. <b>Much</b> & \n often", "profile.pronouns": "she/her", "profile.visibility": "public",
		"profile.links.0.url": "https://bread.example/?a=1", "profile.display_name": "Beatrice", "profile.avatar": nil,
		"profile.updated_at": "2026-11-21T09:00:00Z", "profile.permissions.can_update": false, "profile.actions.update": nil,
	} {
		if got := seen.at(path); got != want {
			t.Errorf("to ann %s is %v, want %v", path, got, want)
		}
	}
	ann.do("PATCH", "/world/social/profiles/2", `{"bio": "mine"}`).refused(405, "method_not_allowed")
	ann.do("PATCH", "/world/social/profile", `{"member_id": 2, "id": 2, "bio": "mine"}`).want(200)
	if bio := bea.do("GET", "/world/social/profile").want(200).str("profile.bio"); !strings.HasPrefix(bio, "Bakes") {
		t.Errorf("bea says %q", bio)
	}
	bea.do("PATCH", "/world/social/profile", formBody("pronouns=they&visibility=members&bio=")).want(200)
	bea.do("PATCH", "/world/social/profile", `{"links": null, "pronouns": null}`).want(200)
	left := ann.internally().do("GET", "/social/profiles/2").want(200)
	if len(left.list("profile.links")) != 0 || left.str("profile.pronouns") != "" || left.str("profile.visibility") != "members" {
		t.Errorf("it is now %s", left.body)
	}
	for _, path := range []string{"77", "0", "-1", "ann", "99999999999999999999"} {
		ann.do("GET", "/world/social/profiles/"+path).refused(404, "not_found")
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
		h.unchanged(c.body, func() {
			a := ann.do("PATCH", "/world/social/profile", c.body).refused(c.status, c.code)
			a.names(c.field)
			if want := "/" + strings.ReplaceAll(c.field, ".", "/"); a.str("error.fields.0.pointer") != want {
				t.Errorf("it points to %v", a.at("error.fields.0.pointer"))
			}
		})
	}
	h.unchanged("much is wrong", func() {
		ann.do("PATCH", "/world/social/profile", `{"display_name": "New", "visibility": "x", "pronouns": "\n"}`).names("pronouns", "visibility")
	})
	longest := "https://x.example/" + strings.Repeat("a", 2048-len("https://x.example/"))
	ann.do("PATCH", "/world/social/profile", map[string]any{
		"bio": strings.Repeat("ü", 2000), "pronouns": strings.Repeat("ü", 80), "links": []map[string]string{{"label": "x", "url": longest}},
	}).want(200)
}

// relatives are members by how they stand to bea: around her at each distance,
// with her in a public community only, nobody to her, and with a block.
func relatives(t *testing.T) (*house, map[string]*client) {
	h, who := newHouse(t, "bea", "inner", "trusted", "extended", "far", "fellow", "stranger", "blocked", "blocker")
	h.chain(who["bea"], who["inner"], who["trusted"], who["extended"], who["far"])
	h.chain(who["bea"], who["blocked"])
	h.chain(who["bea"], who["blocker"])
	h.together("public", who["bea"], who["fellow"], who["blocked"], who["blocker"])
	who["bea"].do("POST", "/world/social/blocks", map[string]any{"member_id": who["blocked"].id}).want(201)
	who["blocker"].do("POST", "/world/social/blocks", map[string]any{"member_id": who["bea"].id}).want(201)
	return h, who
}

// sees fails the test unless, of the relations, just those see something.
func sees(t *testing.T, about string, who map[string]*client, want string, see func(*client) bool) {
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
		who["bea"].do("PATCH", "/world/social/profile", map[string]any{"visibility": visibility, "bio": "Bakes"}).want(200)
		sees(t, visibility, who, want, func(c *client) bool {
			a := c.do("GET", "/world/social/profiles/1")
			if a.status == 404 && a.str("error.code") == "not_found" {
				return false
			}
			return a.want(200).str("profile.bio") == "Bakes"
		})
		sees(t, "people, "+visibility, who, everybody, func(c *client) bool {
			return slices.Contains(strings.Fields(c.do("GET", "/world/social/people").want(200).column("people", "id")), "1")
		})
		sees(t, "a search for people, "+visibility, who, everybody, func(c *client) bool {
			return len(c.do("GET", "/world/social/people?q=BEA").want(200).list("people")) == 1
		})
		sees(t, "the way to it, "+visibility, who, want, func(c *client) bool {
			for _, p := range c.do("GET", "/world/social/people").want(200).list("people") {
				if dig(p, "id") == 1.0 {
					return dig(p, "actions.open") == "/world/social/profiles/1"
				}
			}
			return false
		})
	}
	// Nobody can tell a block from an absence.
	blocked, absent := who["blocked"].do("GET", "/world/social/profiles/1"), who["blocked"].do("GET", "/world/social/profiles/77")
	if blocked.str("error.message") != absent.str("error.message") {
		t.Errorf("%q is not %q", blocked.str("error.message"), absent.str("error.message"))
	}
}

// A profile and a list of people say how one stands to somebody. Covers B-68
// and B-73: the communities of others are not told.
func TestHowMembersStandToOneAnother(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem", "dora")
	ann, bea, cem := who["ann"], who["bea"], who["cem"]
	first, second := h.together("private", ann, bea), h.together("private", bea, cem)
	square := h.together("public", ann, bea, who["dora"])
	ann.do("PATCH", "/world/social/profile", `{"bio": "Here"}`).want(200)
	p := bea.do("GET", "/world/social/profiles/1").want(200)
	if p.at("profile.circle.depth") != 1.0 || p.str("profile.circle.name") != "Inner" {
		t.Errorf("ann stands at %v", p.at("profile.circle"))
	}
	shared := []string{p.str("profile.shared_communities.0"), p.str("profile.shared_communities.1")}
	if want := []string{first, square}; !slices.Equal(shared, want) || len(p.list("profile.shared_communities")) != 2 {
		t.Errorf("they share %v, want %v", shared, want)
	}
	p = cem.do("GET", "/world/social/profiles/1").want(200)
	if p.at("profile.circle.depth") != 2.0 || len(p.list("profile.shared_communities")) != 0 || strings.Contains(p.body, first) || strings.Contains(p.body, second) {
		t.Errorf("cem sees %s", p.body)
	}
	people := ann.do("GET", "/world/social/people").want(200)
	if got := people.column("people", "circle.name"); got != "- Inner Trusted -" {
		t.Errorf("around ann are %q", got)
	}
	for _, person := range people.list("people") {
		people.fits("service.social.person", person)
	}
	for i, can := range []bool{false, true, true, true} {
		if people.at(fmt.Sprint("people.", i, ".permissions.can_dm")) != can {
			t.Errorf("to %v: %v", people.at(fmt.Sprint("people.", i, ".display_name")), people.at(fmt.Sprint("people.", i)))
		}
	}
	own := ann.do("GET", "/world/social/profile").want(200)
	if own.at("profile.circle") != nil || len(own.list("profile.shared_communities")) != 0 || own.at("profile.permissions.can_dm") != false {
		t.Errorf("to herself ann is %s", own.body)
	}
	h.apart(first, bea)
	if got := ann.do("GET", "/world/social/people").want(200).column("people", "circle.name"); got != "- - - -" {
		t.Errorf("after it they are %q", got)
	}
}

// Pages of people have each of them once (PT-30).
func TestPagesOfPeople(t *testing.T) {
	_, who := newHouse(t, "ann", "bea", "cem", "dora", "eve")
	who["ann"].do("POST", "/world/social/blocks", `{"recipient": "cem"}`).want(201)
	var ids []string
	path, pages := "/world/social/people?limit=2", 0
	for next := ""; pages == 0 || next != ""; pages++ {
		a := who["ann"].do("GET", path+next).want(200)
		ids = append(ids, a.column("people", "id"))
		if next = a.str("page.next_cursor"); next != "" {
			who["bea"].do("GET", path+"&cursor="+next).refused(400, "invalid_parameter")
			next = "&cursor=" + next
		}
	}
	if got := strings.Join(ids, " "); got != "1 2 4 5" || pages != 2 {
		t.Errorf("%d pages have %q", pages, got)
	}
}

// present is how many are present for a member, and until when that holds.
func (c *client) present() (n int, until time.Time) {
	c.t.Helper()
	v := c.viewer()
	err := c.h.db.Read(c.t.Context(), func(tx *store.Tx) (err error) {
		n, until, err = c.h.social.CountPresent(tx, v)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
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
		a := who["bea"].do("POST", "/world/social/presence", map[string]any{"state": "busy", "note": "at the lake", "visible_to": visibleTo}).want(200)
		a.fits("service.social.presence", a.at("presence"))
		sees(t, visibleTo, who, want, func(c *client) bool {
			list := c.do("GET", "/world/social/presence").want(200)
			n, _ := c.present()
			if len(list.list("presence")) != n {
				t.Errorf("%s counts %d present, and lists %s", c.name, n, list.body)
			}
			return list.column("presence", "member_id") == "1" && list.str("presence.0.note") == "at the lake"
		})
		sees(t, "beside the name, "+visibleTo, who, want, func(c *client) bool {
			for _, p := range c.do("GET", "/world/social/people").want(200).list("people") {
				if dig(p, "id") == 1.0 {
					return dig(p, "presence.state") == "busy"
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
	quiet := ann.do("GET", "/world/social/presence").want(200)
	quiet.fits("service.social.presence", quiet.at("mine"))
	if len(quiet.list("presence")) != 0 || quiet.str("mine.state") != "offline" || quiet.at("mine.expires_at") != nil || quiet.str("mine.visible_to") != "members" {
		t.Errorf("who has said nothing is %s", quiet.body)
	}
	if n, until := ann.present(); n != 0 || !until.IsZero() {
		t.Errorf("%d are present until %v", n, until)
	}
	first := bea.do("POST", "/world/social/presence", `{"state": "online"}`).want(200)
	if first.str("presence.expires_at") != "2026-11-21T09:05:00Z" || first.str("presence.visible_to") != "members" {
		t.Errorf("it is %s", first.body)
	}
	ann.do("POST", "/world/social/presence", formBody("state=away&ttl_seconds=30&visible_to=inner")).want(200)
	if n, until := ann.present(); n != 2 || until.Format(time.TimeOnly) != "09:00:30" {
		t.Errorf("to ann %d are present until %v", n, until)
	}
	if n, until := bea.present(); n != 1 || until.Format(time.TimeOnly) != "09:05:00" {
		t.Errorf("to bea %d are present until %v", n, until)
	}
	h.clock.Advance(30 * time.Second)
	later := ann.do("GET", "/world/social/presence").want(200)
	if later.column("presence", "member_id") != "2" || later.str("mine.state") != "offline" || later.str("mine.visible_to") != "inner" {
		t.Errorf("after half a minute it is %s", later.body)
	}
	// Whoever is there again is so for those who were to see it before.
	if again := ann.do("POST", "/world/social/presence", `{"state": "online"}`).want(200); again.str("presence.visible_to") != "inner" {
		t.Errorf("ann is shown to %v", again.at("presence.visible_to"))
	}
	h.clock.Advance(269 * time.Second)
	if n, _ := ann.present(); n != 2 {
		t.Errorf("a second before the end %d are present", n)
	}
	h.clock.Advance(time.Second)
	if n, _ := ann.present(); n != 1 {
		t.Errorf("in the end %d are present", n)
	}
	if list := ann.do("GET", "/world/social/people").want(200).column("people", "presence.state"); list != "online -" {
		t.Errorf("beside the names stands %q", list)
	}
	bea.do("POST", "/world/social/presence", `{"state": "offline", "ttl_seconds": 3600}`).want(200)
	if n, _ := ann.present(); n != 1 {
		t.Errorf("with bea offline %d are present", n)
	}
}

// Who is disabled is nowhere any more, whatever they have said. Covers PT-42
// and PT-46 as far as people go.
func TestTheDisabledAreNotPresent(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "op")
	ann, bea := who["ann"], who["bea"]
	h.chain(ann, bea)
	bea.do("PATCH", "/world/social/profile", `{"bio": "Bakes"}`).want(200)
	bea.do("POST", "/world/social/presence", `{"state": "online"}`).want(200)
	if n, _ := ann.present(); n != 1 {
		t.Fatalf("%d are present", n)
	}
	who["op"].do("POST", "/admin/members/update", map[string]any{"id": bea.id, "changes": map[string]any{"status": "disabled"}}).want(200)
	n, _ := ann.present()
	if list := ann.do("GET", "/world/social/presence").want(200).list("presence"); n != 0 || len(list) != 0 {
		t.Errorf("%d are present: %v", n, list)
	}
	if people := ann.do("GET", "/world/social/people").want(200).column("people", "id"); people != "1 3" {
		t.Errorf("the people are %q", people)
	}
	ann.do("GET", "/world/social/profiles/2").refused(404, "not_found")
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
		h.unchanged(body, func() {
			a := who["ann"].do("POST", "/world/social/presence", body)
			if got := fmt.Sprint(a.status, " ", a.str("error.code"), " ", a.str("error.fields.0.name")); got != want {
				t.Errorf("%s: %s, want %s", body, got, want)
			}
		})
	}
}

// etag is that of the member's dataset.
func (c *client) etag() string {
	c.t.Helper()
	return c.runtime().do("GET", "/world/runtime").want(200).header.Get("ETag")
}

// Saying again that one is there is heard by nobody else; anything else is.
// Covers B-84 as far as presence goes.
func TestPresenceTouchesWhoSeesIt(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	last := bea.etag()
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
		h.clock.Advance(time.Second)
		own := ann.etag()
		ann.do("POST", "/world/social/presence", c.body).want(200)
		if ann.etag() == own {
			t.Errorf("%s: ann does not hear of it", c.body)
		}
		if tag := bea.etag(); (tag != last) != c.heard {
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
	h.chain(ann, who["bea"])
	for _, path := range []string{"/profile", "/profiles/2", "/people", "/presence", "/dms"} {
		own, same := ann.do("GET", "/world/social"+path).want(200), ann.internally().do("GET", "/social"+path).want(200)
		if own.body != same.body {
			t.Errorf("%s: %s is not %s", path, same.body, own.body)
		}
		ann.do("GET", "/social"+path).refused(404, "not_found")
		h.nobody().do("GET", "/world/social"+path).refused(401, "unauthenticated")
	}
	ann.internally().do("PATCH", "/social/profile", `{"bio": "Bakes"}`).want(200)
	ann.internally().do("POST", "/social/presence", `{"state": "away"}`).want(200)
	path := "/social/dms/" + ann.internally().do("POST", "/social/dms", `{"recipient": "bea", "body": "Hello"}`).want(201).str("dm.id")
	ann.internally().do("POST", path+"/messages", `{"body": "Bea?"}`).want(201)
	who["bea"].internally().do("POST", path+"/read", "").want(200)
	off := open(t, func(s *config.Settings) { s.ServicesOff = []string{"social"} })
	off.member("cem").do("GET", "/world/social/people").refused(503, "service_unavailable")
}
