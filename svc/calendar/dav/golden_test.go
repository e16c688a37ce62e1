package dav

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
	"appliance/svc/svctest"
)

// Each file of testdata contains requests and the expected responses. The
// calendars are those of newMemory at the start, and a request sees the effects
// of earlier ones.
//
// Covers C-08, C-09, C-11, C-12, C-13, C-15, C-16, C-19, C-20, C-22, C-23, C-24
// and E-18, as far as they concern the protocol.
func TestResponsesEqualGoldenFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			old, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := runExchanges(t, New(newMemory(t), "", "/caldav", t.TempDir()), string(old))
			if *svctest.Update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if n, got, want := firstDifference(got, string(old)); n > 0 {
				t.Errorf("line %d of the result: got %q, want %q; run with -update and review the diff", n, got, want)
			}
		})
	}
}

// firstDifference returns the number of the first line that differs, 0 if there
// is none, and the lines.
func firstDifference(got, want string) (n int, gotLine, wantLine string) {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i + 1, strings.Join(a[min(i, len(a)):min(i+1, len(a))], ""), strings.Join(b[min(i, len(b)):min(i+1, len(b))], "")
		}
	}
	return 0, "", ""
}

// requestMark and responseMark begin each request and each response in a file.
const requestMark, responseMark = "-- request --\n", "-- response --\n"

// runExchanges sends the requests of a file and returns the file with the actual
// responses.
func runExchanges(t *testing.T, h *Handler, exchanges string) string {
	parts := strings.Split(exchanges, requestMark)
	var out strings.Builder
	out.WriteString(parts[0])
	for _, part := range parts[1:] {
		request, _, _ := strings.Cut(part, responseMark)
		out.WriteString(requestMark + request + responseMark)
		out.WriteString(formatResponse(t, serveRequest(t, h, svc.Trust(1), readRequest(t, request))))
	}
	return out.String()
}

// readRequest parses a request: comments, a line with method and path, headers,
// and after an empty line the body.
func readRequest(t *testing.T, text string) *http.Request {
	for strings.HasPrefix(text, "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, target, _ := strings.Cut(lines[0], " ")
	if strings.HasPrefix(body, "BEGIN:") {
		body = strings.ReplaceAll(strings.TrimSpace(body)+"\n", "\n", "\r\n")
	} else {
		body = strings.TrimSpace(body)
	}
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return r
}

// serveRequest serves a request for which Serve writes a response.
func serveRequest(t *testing.T, h *Handler, v svc.Viewer, r *http.Request) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	if err := h.Serve(w, r, v); err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	if got := w.Header().Get("DAV"); got != Compliance {
		t.Errorf("%s %s: header DAV: got %q, want %q", r.Method, r.URL, got, Compliance)
	}
	return w.Result()
}

// formatResponse formats a response with its XML indented. It omits the header
// DAV, which is the same in all responses.
func formatResponse(t *testing.T, r *http.Response) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintln(&out, r.Status)
	var names []string
	for name := range r.Header {
		isXML := strings.HasPrefix(r.Header.Get("Content-Type"), "application/xml")
		if name != "Dav" && (name != "Content-Length" || !isXML) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&out, "%s: %s\n", name, strings.Join(r.Header[name], ", "))
	}
	body := read(t, r)
	if len(body) > 0 {
		out.WriteString("\n")
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/xml") {
		out.WriteString(indent(t, body))
	} else {
		out.WriteString(strings.ReplaceAll(body, "\r\n", "\n"))
	}
	return out.String() + "\n"
}

func read(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// indent formats a document with one element per line; an element without
// siblings stays on the line of its parent. It fails the test if the document
// is not well-formed.
func indent(t *testing.T, document string) string {
	t.Helper()
	wantWellFormed(t, document)
	d := xml.NewDecoder(strings.NewReader(document))
	stack := []*xmlNode{{}}
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return stack[0].children[0].print("") + "\n"
		}
		if err != nil {
			t.Fatal(err)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			p := &xmlNode{name: rawName(token.Name)}
			for _, a := range token.Attr {
				p.attrs += fmt.Sprintf(" %s=%q", rawName(a.Name), a.Value)
			}
			top.children = append(top.children, p)
			stack = append(stack, p)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += strings.NewReplacer("&", "&amp;", "<", "&lt;", "\r", "&#13;").Replace(string(token))
		}
	}
}

// xmlNode is an element of a formatted document.
type xmlNode struct {
	name, attrs, text string
	children          []*xmlNode
}

func (p *xmlNode) print(margin string) string {
	content := p.text
	for _, c := range p.children {
		if len(p.children) == 1 {
			content += c.print(margin)
		} else {
			content += "\n  " + margin + c.print(margin+"  ")
		}
	}
	if len(p.children) > 1 {
		content += "\n" + margin
	}
	if content == "" {
		return "<" + p.name + p.attrs + "/>"
	}
	return "<" + p.name + p.attrs + ">" + content + "</" + p.name + ">"
}

func rawName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// wantWellFormed fails the test if the document is not well-formed, including
// namespaces.
func wantWellFormed(t *testing.T, document string) {
	t.Helper()
	if _, err := readXML(strings.NewReader(document)); err != nil {
		t.Fatalf("%v in %s", err, document)
	}
}
