package harness

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// parse returns a document of its text.
func parse(t testing.TB, text string) value {
	t.Helper()
	v, err := decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value{v, ""}
}

// found fails the test unless there are as many findings as wanted, which say
// the words.
func (f *findings) found(t *testing.T, about string, words ...string) {
	t.Helper()
	if len(f.wrong)+f.more != len(words) {
		t.Errorf("%s: %d findings, want %d: %q", about, len(f.wrong)+f.more, len(words), f.wrong)
		return
	}
	for i, word := range words {
		if !strings.Contains(f.wrong[i], word) {
			t.Errorf("%s: %q does not say %q", about, f.wrong[i], word)
		}
	}
}

// Covers B-78 as far as names go.
func TestScreenWord(t *testing.T) {
	for name, want := range map[string]string{
		"panel": "panel", "panels": "panel", "side_panel": "panel", "sidePanel": "panel", "PanelID": "panel", "a-card-b": "card", "meshes": "mesh",
		"/world/surface/stacks": "surface", "x.DOM": "dom", "html5": "", "stackable": "", "carding": "", "freedom": "", "docket": "", "": "", "_": "",
		"discard": "", "Ä_slot": "slot", "slot": "slot", "viewportWidth": "viewport", "/world/x?rail=1": "rail",
	} {
		if got := screenWord(name); got != want {
			t.Errorf("screenWord(%q) = %q, want %q", name, got, want)
		}
	}
}

// Words of screens are found in keys, machine words and addresses, and not in
// what members write. Covers PT-01 and W-37.
func TestNoScreens(t *testing.T) {
	for text, want := range map[string][]string{
		`{"objects": [{"title": "Birthday cards", "state": {"name": "panel"}}]}`: nil,
		`{"objects": [{"object_type": "map_surface"}]}`:                          {"objects[0].object_type"},
		`{"objects": [{"state": {"cards": 1}}]}`:                                 {"objects[0].state.cards"},
		`{"actions": [{"command": {"url": "/world/surface/x"}}]}`:                {"actions[0].command.url"},
		`{"objects": [{"presentation": {}}], "translator": ""}`:                  {"translator", "objects[0].presentation"},
		`{"findings": [{"source_url": "https://example.org/card"}]}`:             nil,
		`{"objects": [{"state": {"editable_fields": ["title", "slot"]}}]}`:       {"editable_fields[1]"},
	} {
		var f findings
		noScreens(&f, parse(t, text))
		f.found(t, text, want...)
	}
}

// Covers W-38 and X-43: what a member wrote may stand in a label.
func TestNoMarkup(t *testing.T) {
	for text, want := range map[string][]string{
		`{"title": "<b>Hello</b>"}`:                       nil,
		`{"message": "Read <a href=x>this</a>"}`:          {"message"},
		`{"title": "a <b> c", "label": "About a <b> c"}`:  nil,
		`{"title": "a", "label": "About <i>a</i>"}`:       {"label"},
		`{"message": "1 < 2, 3 <4"}`:                      nil,
		`{"<b>": 1}`:                                      {"the key <b>"},
		`{"reason": "<!-- -->"}`:                          {"reason"},
		`{"title": "<b>", "message": "You wrote <b> to"}`: {"message"},
	} {
		var f findings
		noMarkup(&f, parse(t, text))
		f.found(t, text, want...)
	}
}

// Covers PT-43.
func TestTimes(t *testing.T) {
	for text, want := range map[string][]string{
		`{"created_at": "2026-12-01T09:00:00Z"}`:                                                      nil,
		`{"created_at": "2026-12-01T09:00:00+01:00"}`:                                                 {"created_at"},
		`{"created_at": "2026-12-01 09:00:00Z"}`:                                                      {"created_at"},
		`{"created_at": "2026-13-01T09:00:00Z"}`:                                                      {"created_at"},
		`{"created_at": "yesterday"}`:                                                                 {"created_at"},
		`{"created_at": 1764579600}`:                                                                  {"created_at"},
		`{"created_at": null}`:                                                                        nil,
		`{"start": "2026-12-01T09:00:00"}`:                                                            {"start"},
		`{"start": "2026-12-01T09:00:00", "timezone": "Europe/Berlin"}`:                               nil,
		`{"timezone": "Europe/Berlin", "occurrence": {"recurrence_id": "2026-12-01T09:00:00"}}`:       nil,
		`{"timezone": null, "start": "2026-12-01T09:00:00"}`:                                          nil,
		`{"timezone": "UTC", "start": "2026-12-01T09:00:00+01:00"}`:                                   {"start"},
		`{"title": "2026-12-01T09:00:00", "date": "2026-12-01"}`:                                      nil,
		`{"list": ["2026-12-01T09:00:00Z", "2026-12-01T09:00:00"]}`:                                   {"list[1]"},
		`{"a": {"timezone": "UTC", "at": "2026-12-01T09:00:00"}, "b": {"at": "2026-12-01T09:00:00"}}`: {"b.at"},
	} {
		var f findings
		times(&f, "it", parse(t, text))
		f.found(t, text, want...)
	}
}

// Covers W-01 and W-07 as far as one address goes.
func TestIsWorldURL(t *testing.T) {
	for address, want := range map[string]bool{
		"/world/messages": true, "/world/time/objects/tob_1?scope=this&recurrence_id=2026-12-01T09%3A00%3A00": true,
		"": false, "/": false, "/world": false, "/messages": false, "//elsewhere.org/world/": false, "https://elsewhere.org/world/x": false,
		"http:///world/x": false, "/world/../messages": false, "/world//x": false, "/world/%zz": false, "world/x": false, "/worlds/x": false, "/world/x#y": false,
	} {
		if got := isWorldURL(address); got != want {
			t.Errorf("isWorldURL(%q) = %v", address, got)
		}
	}
}

// Every way of publishing an address is found, with its method.
func TestPublications(t *testing.T) {
	doc := parse(t, `{
		"nav": [{"id": "a", "action": "/nav"}, {"id": "b"}],
		"sections": [{"items": [{"actions": [{"method": "DELETE", "url": "/item"}]}]}],
		"actions": {"open_thread": "/open", "send_message": "/send", "none": ""},
		"links": {"self": "/self"},
		"navigation": {"next": "/next", "previous": null},
		"commands": {"focus": "/focus", "template": "/x/{id}/focus"},
		"content_source": "/content",
		"surface": {"content_source": {"kind": "runtime_panel", "url": "/panel"}},
		"inline": {"content_source": {"kind": "inline", "url": "/inline"}},
		"attribution": {"url": "https://elsewhere.org"},
		"records": [{"command": {"url": "/command", "method": "POST"}}]
	}`)
	want := "/command POST, /content GET, /focus POST, /item DELETE, /nav GET, /next GET, /open GET, /panel GET, /self GET, /send "
	var got []string
	for _, a := range publications(doc) {
		got = append(got, a.url.str()+" "+a.method)
	}
	slices.Sort(got)
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("found %s\nwant  %s", text, want)
	}
}

// A shape names every field that is not as it says, and no other.
func TestShape(t *testing.T) {
	doc := parse(t, `{"text": "x", "blank": " ", "whole": 3, "half": 3.5, "huge": 1e999999999, "list": [], "map": {}, "null": null, "yes": true}`)
	var f findings
	f.shape(doc, "text text", "blank string", "whole integer", "whole number", "half number", "list array", "map object", "null null", "null text|null", "yes boolean", "absent text?")
	f.found(t, "what fits", []string{}...)
	f.shape(doc, "blank text")
	f.shape(doc, "half integer")
	f.shape(doc, "absent text", "list object")
	f.found(t, "what does not fit", "blank", "half", "absent is absent", "list")
	f = findings{}
	f.shape(doc.at("text"), "x text")
	f.found(t, "what is no object", "not an object")
	if doc.at("text.x.y").v != nil || doc.at("half").integer() != -1 || doc.at("whole").integer() != 3 {
		t.Error("parts of what has none")
	}
}

// A check that has much to say says the first of it, and how much more, and
// nothing that a terminal obeys.
func TestFindingsAreShort(t *testing.T) {
	p := &probe{}
	r := p.result(check{"W-01 W-02", "a check", func(_ *probe, f *findings) {
		for i := range 10 {
			f.add("%d %s", i, strings.Repeat("long ", 1000))
		}
	}})
	if r.State != Failed || len(r.Seen) != mostFindings+1 || r.Seen[mostFindings] != "and 6 more" || len(r.Seen[0]) > 300 || fmt.Sprint(r.Rows) != "[W-01 W-02]" {
		t.Errorf("%+v", r)
	}
	if got := shorten("red\x1b[31m \x07\u009b2J\u202e\xff\nÄ — 語", 80); got != "red?[31m ??2J?? Ä — 語" {
		t.Errorf("%q", got)
	}
}
