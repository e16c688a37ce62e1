package world

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// Each archive in testdata/world and testdata/dav is a story: members act
// through HTTP, and what each gets is part of the file. A request may say, as
// if they were headers,
//
//	As: ann                 who asks, with a token
//	Basic: ann              who asks, as a calendar program
//	Keep: CAL=calendar.id   a value of the answer to use as $CAL afterwards;
//	                        xml.sync-token is the text of the last such element
//	Show: object.title …    what of a JSON answer the story is about; * is each of a list
//
// and what differs from run to run is written as <cal-1>, <etag-1> and so on.
func TestStories(t *testing.T) {
	svctest.Each(t, "../../../testdata/world/*.txtar", playStory)
	svctest.Each(t, "../../../testdata/dav/*.txtar", playStory)
}

func playStory(t *testing.T, a *svctest.Archive) {
	p := &player{t: t, h: apptest.New(t), who: make(map[string]*apptest.Client), kept: make(map[string]string), names: make(map[string]string), counts: make(map[string]int)}
	for line := range strings.Lines(a.Text) {
		if names, ok := strings.CutPrefix(line, "members:"); ok {
			for _, name := range strings.Fields(names) {
				p.who[name] = p.h.Member(name)
			}
		}
		if names, ok := strings.CutPrefix(line, "together:"); ok { // in a private community
			var us []*apptest.Client
			for _, name := range strings.Fields(names) {
				us = append(us, p.who[name])
			}
			p.h.CreateCommunity("private", us...)
		}
	}
	for i := 0; i+1 < len(a.Files); i += 2 {
		if a.Files[i].Name != "request" || a.Files[i+1].Name != "response" {
			t.Fatalf("file %d is not a request with a response", i)
		}
		got := p.send(a.Files[i].Data)
		switch {
		case *svctest.Update:
			a.Set(i+1, got)
		case strings.TrimRight(a.Files[i+1].Data, "\n") != strings.TrimRight(got, "\n"):
			t.Fatalf("the answer to\n%sis now\n%s\nand was\n%s", a.Files[i].Data, got, a.Files[i+1].Data)
		}
	}
}

// player plays one story.
type player struct {
	t      *testing.T
	h      *apptest.Server
	who    map[string]*apptest.Client
	kept   map[string]string // by the name that the story gave
	names  map[string]string // what a value that differs is written as
	counts map[string]int
}

// send sends a request of a story and prints the answer.
func (p *player) send(text string) string {
	head, body, _ := strings.Cut(text, "\n\n")
	var lines []string
	for line := range strings.Lines(head) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	method, path, _ := strings.Cut(p.expand(lines[0]), " ")
	c := p.h.Unauthenticated()
	keep, show := "", ""
	headers := make(map[string]string)
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(p.expand(line), ": ")
		switch name {
		case "As":
			c = p.who[value]
		case "Basic":
			c = p.who[value].Basic()
		case "Keep":
			keep = value
		case "Show":
			show = value
		default:
			headers[name] = value
		}
	}
	for name, value := range headers {
		c = c.With(name, value)
	}
	body = strings.TrimSpace(p.expand(body))
	if strings.HasPrefix(body, "BEGIN:") {
		body = strings.ReplaceAll(body+"\n", "\n", "\r\n")
	}
	var answer *apptest.Answer
	if body == "" {
		answer = c.Do(method, path)
	} else {
		answer = c.Do(method, path, body)
	}
	if name, where, ok := strings.Cut(keep, "="); ok {
		if where == "header.ETag" {
			p.kept[name] = answer.Header.Get("ETag")
		} else if local, ok := strings.CutPrefix(where, "xml."); ok {
			p.kept[name] = lastText(answer.Body, local)
		} else {
			p.kept[name] = fmt.Sprint(answer.At(where))
		}
	}
	return p.print(answer, show)
}

// lastText is the text of the last element of that name in a DAV answer.
func lastText(body, local string) string {
	before := body[:max(strings.LastIndex(body, ":"+local+">"), 0)]
	before = before[:max(strings.LastIndex(before, "</"), 0)]
	return before[strings.LastIndex(before, ">")+1:]
}

func (p *player) expand(text string) string {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(p.kept))) {
		text = strings.ReplaceAll(text, "$"+name, p.kept[name])
	}
	return text
}

// shownHeaders are those that a story is about.
var shownHeaders = []string{"Allow", "Content-Type", "Dav", "Etag", "Location", "Preference-Applied", "Retry-After", "Www-Authenticate"}

func (p *player) print(a *apptest.Answer, show string) string {
	var out strings.Builder
	fmt.Fprintln(&out, a.Status)
	for _, name := range shownHeaders {
		if v := a.Header.Get(name); v != "" {
			fmt.Fprintf(&out, "%s: %s\n", name, v)
		}
	}
	if a.Body != "" {
		out.WriteByte('\n')
	}
	kind := a.Header.Get("Content-Type")
	switch {
	case show != "" && a.Status < 300:
		for path := range strings.FieldsSeq(show) {
			p.show(&out, a.At(""), path, path)
		}
	case strings.HasPrefix(kind, "application/json"):
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(a.Body), "", "  "); err != nil {
			p.t.Fatal(err)
		}
		out.Write(b.Bytes())
	case strings.HasPrefix(kind, "application/xml"):
		out.WriteString(indentXML(p.t, a.Body))
	default:
		out.WriteString(strings.ReplaceAll(a.Body, "\r\n", "\n"))
	}
	return p.same(out.String()) + "\n"
}

// show prints the value at a path, or the values of each in a list.
func (p *player) show(out *strings.Builder, v any, path, name string) {
	before, after, each := strings.Cut(path, "*")
	if !each {
		text, err := json.Marshal(apptest.At(v, path))
		if err != nil {
			p.t.Fatal(err)
		}
		fmt.Fprintf(out, "%s = %s\n", name, text)
		return
	}
	list, _ := apptest.At(v, strings.TrimSuffix(before, ".")).([]any)
	for i, item := range list {
		p.show(out, item, strings.TrimPrefix(after, "."), strings.Replace(name, "*", fmt.Sprint(i), 1))
	}
}

// differing are what no two runs have in common: ids, tags, tokens.
var differing = regexp.MustCompile(`\b[a-z]{2,5}_[0-9a-z]{26}\b|\bact(?:_[a-z]+)+(?:__[a-z_]+__)?(?:_?[a-z]{2,5}_[0-9a-z]{26}|_?[0-9]+)?_[a-z2-7]{16}\b|\\?"[0-9a-f]{16,32}\\?"|W/"[^"]*"|urn:appliance:sync:[^<" ]*`)

// same writes what differs from run to run the same each time.
func (p *player) same(text string) string {
	return differing.ReplaceAllStringFunc(text, func(s string) string {
		if name, ok := p.names[s]; ok {
			return name
		}
		kind, _, _ := strings.Cut(s, "_")
		switch {
		case strings.HasPrefix(s, "W/"):
			kind = "weak-etag"
		case strings.HasPrefix(s, "urn:"):
			kind = "sync-token"
		case strings.Contains(s, `"`):
			kind = "etag"
		}
		p.counts[kind]++
		name := fmt.Sprintf("<%s-%d>", kind, p.counts[kind])
		if kind == "etag" {
			plain := strings.Trim(s, `\"`)
			p.names[`"`+plain+`"`], p.names[`\"`+plain+`\"`] = name, name
		}
		p.names[s] = name
		return name
	})
}

// indentXML prints a document with an element to a line, and fails if it is
// not well-formed.
func indentXML(t *testing.T, document string) string {
	t.Helper()
	var out strings.Builder
	d := xml.NewDecoder(strings.NewReader(document))
	depth, text := 0, ""
	open := false
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if open {
				out.WriteByte('\n')
			}
			out.WriteString(strings.Repeat("  ", depth) + "<" + qualified(token.Name))
			for _, a := range token.Attr {
				fmt.Fprintf(&out, " %s=%q", qualified(a.Name), a.Value)
			}
			out.WriteByte('>')
			depth, text, open = depth+1, "", true
		case xml.CharData:
			text += strings.NewReplacer("&", "&amp;", "<", "&lt;", "\r\n", "\n").Replace(string(token))
		case xml.EndElement:
			depth--
			if open {
				out.WriteString(text)
			} else {
				out.WriteString(strings.Repeat("  ", depth))
			}
			out.WriteString("</" + qualified(token.Name) + ">\n")
			open = false
		}
	}
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
