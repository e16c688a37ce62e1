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

// Each archive in testdata/world and testdata/dav is a script: requests of members
// with the expected responses. A comment line "members: ann bea" names the members, a
// comment line "community: ann bea" those in a private community. A request may have,
// in addition to its HTTP headers:
//
//	As: ann                 send the request with the token of ann
//	Basic: ann              send it as ann's CalDAV client
//	Keep: CAL=calendar.id   make a value of the response available as $CAL;
//	                        xml.sync-token is the text of the last such element
//	Show: object.title …    expect only these values of a JSON response;
//	                        * stands for every item of a list
//
// Values that differ between runs are written as <cal-1>, <etag-1> and so on.
func TestScriptsHaveTheExpectedResponses(t *testing.T) {
	svctest.Each(t, "../../../testdata/world/*.txtar", runScript)
	svctest.Each(t, "../../../testdata/dav/*.txtar", runScript)
}

func runScript(t *testing.T, a *svctest.Archive) {
	p := newScriptRunner(t, a.Text)
	for i := 0; i+1 < len(a.Files); i += 2 {
		if a.Files[i].Name != "request" || a.Files[i+1].Name != "response" {
			t.Fatalf("files %d and %d: got %s and %s, want request and response", i, i+1, a.Files[i].Name, a.Files[i+1].Name)
		}
		got, want := p.send(a.Files[i].Data), a.Files[i+1].Data
		switch {
		case *svctest.Update:
			a.Set(i+1, got)
		case strings.TrimRight(want, "\n") != strings.TrimRight(got, "\n"):
			t.Fatalf("%sgot\n%s\nwant\n%s", a.Files[i].Data, got, want)
		}
	}
}

// scriptRunner sends the requests of one script.
type scriptRunner struct {
	t            *testing.T
	s            *apptest.Server
	clients      map[string]*apptest.Client
	variables    map[string]string // values by the name in Keep
	placeholders map[string]string // placeholders of values that differ between runs
	counts       map[string]int    // number of placeholders by kind
}

// newScriptRunner starts a server with the members that the comment of a script
// names.
func newScriptRunner(t *testing.T, comment string) *scriptRunner {
	t.Helper()
	p := &scriptRunner{
		t: t, s: apptest.New(t), clients: make(map[string]*apptest.Client), variables: make(map[string]string),
		placeholders: make(map[string]string), counts: make(map[string]int),
	}
	for line := range strings.Lines(comment) {
		if names, ok := strings.CutPrefix(line, "members:"); ok {
			for _, name := range strings.Fields(names) {
				p.clients[name] = p.s.Member(name)
			}
		}
		if names, ok := strings.CutPrefix(line, "community:"); ok {
			var members []*apptest.Client
			for _, name := range strings.Fields(names) {
				members = append(members, p.clients[name])
			}
			members[0].CreateCommunity(`{"name": "Us", "visibility": "private"}`, members[1:]...)
		}
	}
	return p
}

// send sends a request of a script and formats the response.
func (p *scriptRunner) send(text string) string {
	p.t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	var lines []string
	for line := range strings.Lines(head) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, p.expand(strings.TrimRight(line, "\n")))
		}
	}
	method, path, _ := strings.Cut(lines[0], " ")
	c := p.s.Unauthenticated()
	keep, show := "", ""
	headers := make(map[string]string)
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "As":
			c = p.clients[value]
		case "Basic":
			c = p.clients[value].Basic()
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
	var bodies []any
	if body != "" {
		bodies = append(bodies, body)
	}
	a := c.Do(method, path, bodies...)
	p.storeVariable(keep, a)
	return p.format(a, show)
}

// storeVariable stores a value of a response. rule is the value of the header Keep.
func (p *scriptRunner) storeVariable(rule string, a *apptest.Answer) {
	p.t.Helper()
	name, source, found := strings.Cut(rule, "=")
	if !found {
		return
	}
	if element, ok := strings.CutPrefix(source, "xml."); ok {
		p.variables[name] = lastText(a.Body, element)
	} else if source == "header.ETag" {
		p.variables[name] = a.Header.Get("ETag")
	} else {
		p.variables[name] = fmt.Sprint(a.At(source))
	}
}

// lastText returns the text of the last element with a local name in a DAV
// response.
func lastText(body, local string) string {
	before := body[:max(strings.LastIndex(body, ":"+local+">"), 0)]
	before = before[:max(strings.LastIndex(before, "</"), 0)]
	return before[strings.LastIndex(before, ">")+1:]
}

// expand replaces the variables in a text. A variable is replaced before variables
// whose names are prefixes of its name.
func (p *scriptRunner) expand(text string) string {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(p.variables))) {
		text = strings.ReplaceAll(text, "$"+name, p.variables[name])
	}
	return text
}

// recordedHeaders are the response headers that a script contains.
var recordedHeaders = []string{"Allow", "Content-Type", "Dav", "Etag", "Location", "Preference-Applied", "Retry-After", "Www-Authenticate"}

// format formats a response. show is the value of the header Show.
func (p *scriptRunner) format(a *apptest.Answer, show string) string {
	p.t.Helper()
	var out strings.Builder
	fmt.Fprintln(&out, a.Status)
	for _, name := range recordedHeaders {
		if v := a.Header.Get(name); v != "" {
			fmt.Fprintf(&out, "%s: %s\n", name, v)
		}
	}
	if a.Body != "" {
		out.WriteByte('\n')
	}
	contentType := a.Header.Get("Content-Type")
	switch {
	case show != "" && a.Status < 300:
		for path := range strings.FieldsSeq(show) {
			p.showValue(&out, a.At(""), path, path)
		}
	case strings.HasPrefix(contentType, "application/json"):
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(a.Body), "", "  "); err != nil {
			p.t.Fatal(err)
		}
		out.Write(b.Bytes())
	case strings.HasPrefix(contentType, "application/xml"):
		out.WriteString(indentXML(p.t, a.Body))
	default:
		out.WriteString(strings.ReplaceAll(a.Body, "\r\n", "\n"))
	}
	return p.replaceVarying(out.String()) + "\n"
}

// showValue writes the value at a path, or one value for each item of the list
// before a *. name is the path from the beginning of the document.
func (p *scriptRunner) showValue(out *strings.Builder, v any, path, name string) {
	before, after, hasStar := strings.Cut(path, "*")
	if !hasStar {
		text, err := json.Marshal(apptest.At(v, path))
		if err != nil {
			p.t.Fatal(err)
		}
		fmt.Fprintf(out, "%s = %s\n", name, text)
		return
	}
	list, _ := apptest.At(v, strings.TrimSuffix(before, ".")).([]any)
	for i, item := range list {
		p.showValue(out, item, strings.TrimPrefix(after, "."), strings.Replace(name, "*", fmt.Sprint(i), 1))
	}
}

// varying matches values that differ between runs: ids, ETags and sync tokens.
var varying = regexp.MustCompile(`\b[a-z]{2,5}_[0-9a-z]{26}\b|\bact(?:_[a-z]+)+(?:__[a-z_]+__)?(?:_?[a-z]{2,5}_[0-9a-z]{26}|_?[0-9]+)?_[a-z2-7]{10}\b|\\?"[0-9a-f]{16}\\?"|\\?"[a-z2-7]{26}\\?"|W/"[^"]*"|urn:appliance:sync:[^<" ]*`)

// replaceVarying replaces values that differ between runs by placeholders, and
// equal values by the same placeholder.
func (p *scriptRunner) replaceVarying(text string) string {
	return varying.ReplaceAllStringFunc(text, func(s string) string {
		if name, ok := p.placeholders[s]; ok {
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
		if kind == "etag" { // a JSON body contains the ETag of a header in escaped form
			plain := strings.Trim(s, `\"`)
			p.placeholders[`"`+plain+`"`], p.placeholders[`\"`+plain+`\"`] = name, name
		}
		p.placeholders[s] = name
		return name
	})
}

// indentXML formats a document with one element per line. It fails the test if the
// document is not well-formed.
func indentXML(t *testing.T, document string) string {
	t.Helper()
	var out strings.Builder
	d := xml.NewDecoder(strings.NewReader(document))
	depth, text := 0, ""
	inElement := false // whether the latest token was a start tag or the text after it
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatalf("got %v, want a well-formed document: %s", err, document)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if inElement {
				out.WriteByte('\n')
			}
			out.WriteString(strings.Repeat("  ", depth) + "<" + qualifiedName(token.Name))
			for _, a := range token.Attr {
				fmt.Fprintf(&out, " %s=%q", qualifiedName(a.Name), a.Value)
			}
			out.WriteByte('>')
			depth, text, inElement = depth+1, "", true
		case xml.CharData:
			text += strings.NewReplacer("&", "&amp;", "<", "&lt;", "\r\n", "\n").Replace(string(token))
		case xml.EndElement:
			depth--
			if inElement {
				out.WriteString(text)
			} else {
				out.WriteString(strings.Repeat("  ", depth))
			}
			out.WriteString("</" + qualifiedName(token.Name) + ">\n")
			inElement = false
		}
	}
}

// qualifiedName returns a name with its prefix.
func qualifiedName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
