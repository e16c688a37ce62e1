package social

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"appliance/svc"
)

func TestMentionsAreUsernamesAfterAnAt(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "[]",
		"@bea":                          "[[bea]]",
		"Hello @Bea, @cid.d and (@ann)": "[[bea] [cid.d] [ann]]",
		"Ask @bea.":                     "[[bea. bea]]",
		"Ask @bea...":                   "[[bea... bea]]",
		"bea@example.org, me@@bea":      "[]",
		"é@bea":                         "[]",
		"@ @b @-":                       "[]",
		"@a_b-c\n@bea":                  "[[a_b-c] [bea]]",
		"@" + strings.Repeat("a", 33):   "[]",
	} {
		if got := fmt.Sprint(namesIn(text)); got != want {
			t.Errorf("%q: got mentions %s, want %s", text, got, want)
		}
	}
}

// namesIn returns the possible user names of each mention in text.
func namesIn(text string) (list [][]string) {
	for _, m := range mentions(text) {
		list = append(list, m.names)
	}
	return list
}

// Any text has at most maxMentions mentions, each a possible user name that
// follows an @ in the text.
func FuzzMentions(f *testing.F) {
	f.Add("@bea, @Cid. and bea@example.org")
	f.Add(strings.Repeat("@bea ", 30))
	username := regexp.MustCompile(`^[a-z0-9._-]{2,32}$`)
	f.Fuzz(func(t *testing.T, text string) {
		list := namesIn(text)
		if len(list) > maxMentions {
			t.Errorf("%q: got %d mentions, want at most %d", text, len(list), maxMentions)
		}
		for _, name := range slices.Concat(list...) {
			if !username.MatchString(name) || !strings.Contains(asciiLower(text), "@"+name) {
				t.Errorf("%q: got mention %q, want a user name after an @", text, name)
			}
		}
	})
}

// asciiLower converts ASCII letters to lower case. strings.ToLower also converts
// letters such as the Kelvin sign to ASCII letters.
func asciiLower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// entityTexts formats the parts of a text that are entities, with their members.
func entityTexts(text string, list svc.List[svc.Entity]) (parts []string) {
	units := utf16.Encode([]rune(text))
	for _, e := range list {
		parts = append(parts, fmt.Sprintf("%s=%d", string(utf16.Decode(units[e.Start:e.End])), e.MemberID))
	}
	return parts
}

// The bodies of conversations, replies and messages have entities for the mentions of members that
// the reader sees. Mentions of a blocked or disabled member have no entity. Covers B-106 and PT-21.
func TestEntitiesNameOnlyVisibleMembers(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid.d", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	const body = "😀 @Bea, ask @cid.d. Not me@bea or @unknown, but @dan!"
	id := ann.start(openContext, body)
	ann.reply(id, "@dan")
	entities := func(a actor) []string {
		d := a.discussion(id, svc.HistoryQuery{})
		return append(entityTexts(body, d.Conversation.Entities), entityTexts("@dan", d.Replies[0].Entities)...)
	}
	wantEqual(t, "for ann", entities(ann), []string{"@Bea=2", "@cid.d=3", "@dan=4", "@dan=4"})
	cid.block(bea)
	dan.disable()
	wantEqual(t, "for ann, after dan was disabled", entities(ann), []string{"@Bea=2", "@cid.d=3"})
	wantEqual(t, "for bea, whom cid blocks", entities(bea), []string{"@Bea=2"})
	wantEqual(t, "in the list", entityTexts(body, bea.conversations()[0].Entities), []string{"@Bea=2"})
	bea.community("private", ann)
	dm := bea.mustSend(ann, "Is @cid.d or @ann there?")
	d, err := ann.peek(dm, svc.HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "in a DM", entityTexts("Is @cid.d or @ann there?", d.Messages[0].Entities), []string{"@cid.d=3", "@ann=1"})
}

// The entities of a text are in ascending order. Each spans the @ and the user name, at UTF-16
// offsets in the published text.
func FuzzEntities(f *testing.F) {
	f.Add("@bea, @Cid. and bea@example.org")
	f.Add("😀@bea é @cid \xff @bea\u2028@cid")
	people := map[string]svc.Person{"bea": {ID: 2, Username: "bea"}, "cid": {ID: 3, Username: "cid"}, "cid.": {ID: 4, Username: "cid."}}
	f.Fuzz(func(t *testing.T, text string) {
		units, last := utf16.Encode([]rune(text)), 0
		for _, e := range entitiesIn(text, mentions(text), people) {
			if e.Start < last || e.End <= e.Start || e.End > len(units) {
				t.Fatalf("%q: got the entity %+v after %d in %d code units", text, e, last, len(units))
			}
			part := strings.ToLower(string(utf16.Decode(units[e.Start:e.End])))
			name, found := strings.CutPrefix(part, "@")
			if !found || people[name].ID != e.MemberID {
				t.Errorf("%q: got the entity %+v for %q, want the user name of the member", text, e, part)
			}
			last = e.End
		}
	})
}
