package world

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"appliance/app/apptest"
	"appliance/svc/maps/mapdata"
	"appliance/world/action"
)

// newNamedRecords returns a server with an operator who has records of all kinds. Every name and
// text of a member, of a place and of a page is between two §, so that all other texts are by the
// server.
func newNamedRecords(t *testing.T) (s *apptest.Server, op *apptest.Client) {
	site := apptest.NewSite(t)
	site.SetPage("/feed", `<rss version="2.0"><channel><title>§News§</title><description>§About§</description><item><guid>1</guid><title>§Item§</title><author>§Max§</author></item></channel></rss>`)
	pages := apptest.NewSearchServer(t, `{"results":[{"url":"https://page.example/","title":"§Page§","content":"§Text§","engine":"x"}],"unresponsive_engines":[]}`)
	s = apptest.New(t, apptest.WithServiceKey, apptest.Unlimited, apptest.AllowSite(site), apptest.FindWith(nil, pages))
	s.ImportPlaces("§region§",
		mapdata.Place{Provider: "osm", ProviderID: "node/1", Name: "§Cordina§", Kind: "amenity=cafe", Category: "coffee", Point: apptest.Valletta, Importance: 0.3, Tags: map[string]string{"opening_hours": "Mo-Su 08:00-19:00", "website": "https://cordina.example/"}},
		mapdata.Place{Provider: "osm", ProviderID: "node/2", Kind: "shop=bakery", Category: "groceries", Point: apptest.Valletta, Importance: 0.2, Tags: map[string]string{"website": "https://bakery.example/"}},
		mapdata.Place{Provider: "osm", ProviderID: "node/3", Kind: "shop=games", Category: "shops", Point: apptest.Valletta, Importance: 0.2},
	)
	op = s.Member("op").AsRuntime()
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	for _, c := range []*apptest.Client{op, ann, bea, cem} {
		c.Do("PATCH", "/world/identity/me", fmt.Sprintf(`{"display_name": "§%s§"}`, c.Name)).Want(200)
		c.Do("PATCH", "/world/social/profile", `{"bio": "§bio§", "visibility": "public"}`).Want(200)
	}
	calendars := op.Do("GET", "/world/calendars").Want(200).List("calendars")
	op.Do("PATCH", "/world/calendars/"+apptest.At(calendars[0], "id").(string), `{"name": "§Mine§"}`).Want(200)
	start := s.Clock.Now().UTC().AddDate(0, 0, 1).Format("2006-01-02")
	op.Do("POST", "/world/time/objects", fmt.Sprintf(`{"object_type": "calendar_event", "title": "§Choir§", "location": "§Hall§", "start": "%sT10:00:00", "end": "%sT11:00:00", "rrule": "FREQ=WEEKLY;COUNT=3", "alarm_minutes": 10}`, start, start)).Want(201)
	op.Do("POST", "/world/time/objects", fmt.Sprintf(`{"object_type": "calendar_event", "title": "§Trip§", "all_day": true, "start": %q}`, start)).Want(201)
	op.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "§Taxes§", "due": "2026-01-01"}`).Want(201)
	op.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "§Some§"}`).Want(201)

	club := op.CreateCommunity(`{"name": "§Club§", "summary": "§Chess§"}`, ann)
	choir := op.CreateCommunity(`{"name": "§Singers§", "visibility": "public", "join_policy": "request"}`)
	bea.Do("POST", choir+"/join").Want(200)
	op.InviteToCommunity(club, cem)
	annsClub := ann.CreateCommunity(`{"name": "§Rowers§"}`)
	ann.InviteToCommunity(annsClub, op)
	conversation := ann.Do("POST", apptest.ConversationsPath, map[string]any{"title": "§Sea§", "body": "§Hello§", "among": apptest.LastSegment(club)}).Want(201).Str("conversation.id")
	op.Reply(conversation, "§Yes§")
	ann.Reply(conversation, "§When§")
	event := ann.Do("POST", "/world/social/events", map[string]any{"title": "§Game§", "start": start + "T19:00:00", "timezone": "Europe/Berlin", "description": "§Board§", "location": "§Lake§", "capacity": 9, "among": apptest.LastSegment(club)}).Want(201).Str("event.id")
	op.Do("POST", "/world/social/events/"+event+"/rsvp", `{"response": "maybe", "note": "§late§"}`).Want(200)
	ann.Do("POST", "/world/social/dms", `{"recipient": "op", "body": "§Psst§"}`).Want(201)
	ann.Do("POST", "/world/social/presence", `{"state": "online", "note": "§here§", "visible_to": "members", "ttl_seconds": 3600}`).Want(200)
	bea.SendMessage("op", "§Hi§")
	op.SendMessage("ann", "§Ho§")
	op.Block(cem)
	op.Do("POST", "/world/identity/device-passwords", `{"name": "§Phone§"}`).Want(201)
	op.Do("POST", "/world/operator/invitations").Want(201)
	op.Do("POST", action.FeedsURL, fmt.Sprintf(`{"url": %q}`, site.URL+"/feed")).Want(201)

	op.Find(fmt.Sprintf(`{"query": "`+searchQuery+`", "scope": "everywhere", "origin": {"latitude": %v, "longitude": %v}}`, apptest.Valletta.Latitude, apptest.Valletta.Longitude), "ok")
	for _, o := range op.Dataset().List("objects") {
		if kind := apptest.At(o, "object_type"); kind == "message_thread" || kind == "task" || kind == "community" {
			op.Act("focus_object", apptest.At(o, "title").(string)).Want(200)
		}
	}
	return s, op
}

// searchQuery is the query of the member's search, which finds places by the names of their kinds.
const searchQuery = "bakery cafe"

// serverTextKeys are the keys of texts by the server.
var serverTextKeys = []string{"label", "confirm", "title", "summary", "message", "text", "description", "remedy", "reason_text", "placeholder", "hint", "kind_label"}

// sameTexts are texts that are the same in English and in German, in addition to names, numbers and
// units.
var sameTexts = []string{
	"Social", "Website", "Code", "Name", "Position", "Moderator", "Text", "Status", "Version", "Offline", "Online",
	"Parks", "Café", "URL", "Feeds", "Iris", "Rose", "Gold", "Agenda", "Server", "Passkeys", "Export", searchQuery,
}

// namedOptions are the controls with options that are not translated: names of languages, regions of
// the language and names of time zones.
var namedOptions = []string{"locale", "formats", "timezone"}

// otherTextKeys are the keys of values with texts of other sources.
var otherTextKeys = []string{"attribution", "opening_hours", "timezones", "metadata"}

var (
	markedName = regexp.MustCompile(`§[^§]*§|\S*@\S+|Europe/Berlin|Go-http-client/\S+|\d\S+-dev`) // also e-mail addresses, zones and programs
	letters    = regexp.MustCompile(`\p{L}{3,}`)

	sinceRevision = regexp.MustCompile(`&since=.*`)
)

// serverText returns a text without names and texts of members, and without the parts that are the
// same in both languages.
func serverText(text string) string {
	parts := strings.Split(markedName.ReplaceAllString(text, ""), " · ")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return slices.Contains(sameTexts, strings.TrimSpace(part)) }), " · ")
}

// compareLanguages compares the responses to one request in English and in German. It
// calls same for each text of the server that is equal in both, and differs for each other
// difference.
func compareLanguages(path, key string, english, german any, same, differs func(path string, english, german any)) {
	switch e := english.(type) {
	case map[string]any:
		g, ok := german.(map[string]any)
		if !ok || len(e) != len(g) {
			differs(path, english, german)
			return
		}
		for k, v := range e {
			if k == "options" && slices.Contains(namedOptions, fmt.Sprint(e["id"])) || k == "label" && e["type"] == "hidden" {
				continue
			}
			if !slices.Contains(otherTextKeys, k) {
				compareLanguages(path+"."+k, k, v, g[k], same, differs)
			}
		}
	case []any:
		g, ok := german.([]any)
		if !ok || len(e) != len(g) {
			differs(path, english, german)
			return
		}
		for i, v := range e {
			if pair, ok := v.([]any); ok && key == "details" { // a label and a text
				compareLanguages(fmt.Sprint(path, ".", i), "label", pair[0], g[i].([]any)[0], same, differs)
				continue
			}
			compareLanguages(fmt.Sprint(path, ".", i), key, v, g[i], same, differs)
		}
	case string:
		worded := slices.Contains(serverTextKeys, key)
		switch {
		case worded && english == german && letters.MatchString(serverText(e)):
			same(path, english, german)
		case !worded && sinceRevision.ReplaceAllString(e, "") != sinceRevision.ReplaceAllString(fmt.Sprint(german), "") && !changesWithLanguage(key):
			differs(path, english, german)
		}
	default:
		if english != german && !changesWithLanguage(key) {
			differs(path, english, german)
		}
	}
}

// changesWithLanguage reports whether a value that is no text of the server can depend on
// the language of the member: it identifies the state of the data or of the server, or it
// is a rule of the language.
func changesWithLanguage(key string) bool {
	return slices.Contains([]string{"locale", "etag", "revision", "updated_at", "default", "kind", "name", "week_number_rule", "free_bytes"}, key)
}

// inBothLanguages returns the responses to GET requests in English and in German.
func inBothLanguages(c *apptest.Client, paths []string) (english, german map[string]any) {
	read := func(locale string) map[string]any {
		c.Do("PATCH", "/world/identity/me", fmt.Sprintf(`{"locale": %q}`, locale)).Want(200)
		responses := make(map[string]any)
		for _, path := range paths {
			responses[path] = c.Do("GET", path).Want(200).At("")
		}
		return responses
	}
	english = read("en")
	german = read("de")
	if again := read("en"); fmt.Sprint(withoutMarks(again)) != fmt.Sprint(withoutMarks(english)) {
		c.T.Error("got other texts in English after the member has used German")
	}
	return english, german
}

// withoutMarks returns the texts of the responses, sorted by path.
func withoutMarks(responses map[string]any) (list []string) {
	for path, v := range responses {
		compareLanguages(path, "", v, v, func(path string, text, _ any) { list = append(list, fmt.Sprint(path, " ", text)) }, func(string, any, any) {})
	}
	slices.Sort(list)
	return list
}

// wantInBothLanguages fails the test for each text of the server that is the same in
// English and in German, and for each id or other value that is not.
func wantInBothLanguages(t *testing.T, c *apptest.Client, paths []string) {
	t.Helper()
	english, german := inBothLanguages(c, paths)
	reported := make(map[any]bool)
	for _, path := range paths {
		compareLanguages(path+" ", "", english[path], german[path], func(at string, text, _ any) {
			if !reported[text] && !textsInOneLanguage.MatchString(at) {
				reported[text] = true
				t.Errorf("%s: got %q in English and in German", at, text)
			}
		}, func(at string, english, german any) {
			t.Errorf("%s: got %.200v in German, want %.200v as in English", at, german, english)
		})
	}
}

// textsInOneLanguage matches the texts that are not in the language of the member: the
// summary of an entry that a surface stores when the entry is focused.
var textsInOneLanguage = regexp.MustCompile(`\.runtime_state\.summary$`)

// Dataset, session and translated dataset contain only the language of the member, and the
// same ids in every language.
func TestDatasetAndSessionAreInTheLanguageOfTheMember(t *testing.T) {
	_, op := newNamedRecords(t)
	at := fmt.Sprintf("?lat=%v&lon=%v", apptest.Valletta.Latitude, apptest.Valletta.Longitude)
	var paths []string
	for _, path := range []string{"/world/runtime", apptest.SessionPath, "/world/translated"} {
		paths = append(paths, path, path+at, path+"?categories=", path+at+"&categories=food", path+"?caps=objects")
	}
	paths = append(paths, "/world/runtime?sections=", "/world/field/objects"+strings.Replace(at, "?", "?south=-80&north=80&west=0&east=20&", 1))
	wantInBothLanguages(t, op, paths)
}

// Every view of every panel contains only the language of the member, and the same ids in
// every language.
func TestPanelsAreInTheLanguageOfTheMember(t *testing.T) {
	_, op := newNamedRecords(t)
	paths := []string{"/world/panels/find", "/world/panels/messages", "/world/panels/messages/rail", "/world/panels/today", "/world/panels/social", "/world/panels/time"}
	paths = append(paths, action.SettingsViewURL("profile", ""))
	for _, view := range []string{"overview", "members", "members&member=1", "invitations", "backups", "services", "regions", "providers", "audit"} {
		paths = append(paths, operatorPanel+"?view="+view)
	}
	for _, path := range slices.Clone(paths) {
		for _, item := range op.Do("GET", path).Want(200).List("nav") {
			if url, ok := apptest.At(item, "action").(string); ok && !slices.Contains(paths, url) {
				paths = append(paths, url)
			}
		}
	}
	wantInBothLanguages(t, op, paths)
}

// Results of actions and of searches are in the language of the member.
func TestResultsAreInTheLanguageOfTheMember(t *testing.T) {
	_, op := newNamedRecords(t)
	op.Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200)
	for _, c := range []struct{ body, status, message string }{
		{`{"query": "bakery", "scope": "everywhere"}`, "ok", "3 Ergebnisse."},
		{fmt.Sprintf(`{"query": "bakery", "scope": "nearby", "radius_meters": 1500, "origin": {"latitude": %v, "longitude": %v}}`, apptest.Valletta.Latitude, apptest.Valletta.Longitude), "ok", "2 Ergebnisse im Umkreis von 1,5 km."},
		{`{"query": "bakery", "scope": "nearby"}`, "location_required", "Gib für die Suche in der Nähe eine Position frei oder wähle eine, oder suche überall."},
	} {
		a := op.Find(c.body, c.status)
		if got := a.Str("message"); got != c.message {
			t.Errorf("%s: got the message %q, want %q", c.body, got, c.message)
		}
		if c.status != "ok" {
			if got := a.Str("error.message"); got != c.message {
				t.Errorf("%s: got the error %q, want %q", c.body, got, c.message)
			}
		} else if got := a.Str("findings.0.title") + ", " + a.Str("findings.0.summary"); !strings.HasPrefix(got, "Bäckerei, ") {
			t.Errorf("%s: got the finding %s, want the label of its kind", c.body, got)
		}
	}
	if got := op.Act("focus_object", "§Taxes§").Want(200).Str("message"); got != "Das Objekt ist fokussiert." {
		t.Errorf("action: got the message %q, want a German one", got)
	}
	if got := op.Act("refresh", "§News§").Want(200).Str("message"); !strings.Contains(got, "aktualisiert") {
		t.Errorf("action of a feed: got the message %q, want a German one", got)
	}
	for _, text := range strings.FieldsFunc(op.Act("focus_object", "§Some§").Want(200).Body, func(r rune) bool { return unicode.IsControl(r) || r == '"' }) {
		if text == "Open" || text == "Save" {
			t.Errorf("got the label %q in the dataset after an action, want German ones", text)
		}
	}
}

// The region of the towns has a title in the language of the operator, instead of its reserved name.
func TestRegionOfTheTownsHasATitle(t *testing.T) {
	s := apptest.New(t)
	s.ImportTowns()
	op := s.Member("op").AsRuntime()
	for locale, want := range map[string]string{"en": "Towns of the world", "de": "Städte der Welt"} {
		op.Do("PATCH", "/world/identity/me", map[string]string{"locale": locale}).Want(200)
		if got := op.Do("GET", operatorPanel+"?view=regions").Want(200).Str("sections.0.items.0.title"); got != want {
			t.Errorf("%s: got the title %q, want %q", locale, got, want)
		}
	}
}
