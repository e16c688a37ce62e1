package browser

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a tab of Chromium with an empty profile.
type browser struct {
	area
	server *server
	ctx    context.Context

	pages int // number of checked pages

	mu       sync.Mutex
	console  []string // errors and warnings since the last check
	opened   string   // URL of the current page
	requests requests
}

// area is a part of a page, in which elements are found by their visible names.
type area struct {
	b       *browser
	heading string // of the section; "" for the page
}

// browserZone is the time zone of the browser and of the server.
const browserZone = "Europe/Berlin"

// chromium is the Chromium of all tests. Each browser of a test has a profile of its own in it.
var chromium struct {
	sync.Once
	ctx context.Context
	dir string // its home, removed at the end
}

// startChromium starts Chromium unless it is already running.
func startChromium(t *testing.T) {
	t.Helper()
	chromium.Do(func() {
		var err error
		if chromium.dir, err = os.MkdirTemp("", "appliance-chromium"); err != nil {
			t.Fatal(err)
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoInheritEnv, // the profile is a new temporary directory
			chromedp.Env("HOME="+chromium.dir, "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ="+browserZone),
			chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("ignore-certificate-errors-spki-list", keyHash(t)),
		)
		ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, _ = chromedp.NewContext(ctx)
		if err := chromedp.Do(ctx); err != nil {
			t.Fatal(err)
		}
		chromium.ctx = ctx
	})
	if chromium.ctx == nil {
		t.Fatal("Chromium did not start, see the first test")
	}
}

// stopChromium waits for the end of Chromium and removes its files.
func stopChromium() {
	if chromium.ctx != nil {
		if err := chromedp.Cancel(chromium.ctx); err != nil {
			fmt.Fprintln(os.Stderr, "closing Chromium:", err)
		}
	}
	os.RemoveAll(chromium.dir)
}

// newBrowser opens an empty tab with a new profile. The caller opens the first page.
func newBrowser(s *server) *browser {
	s.T.Helper()
	t := s.T
	startChromium(t)
	ctx, cancel := context.WithTimeout(chromium.ctx, 20*time.Minute)
	t.Cleanup(cancel)
	ctx, closeTab := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(closeTab) // also removes the profile
	b := &browser{server: s, ctx: ctx}
	b.area = area{b: b}
	b.must(chromedp.Listen(ctx, b.listen))
	return b
}

// profile returns the id of the profile. The tab must have opened a page.
func (b *browser) profile() cdp.BrowserContextID {
	return chromedp.FromContext(b.ctx).BrowserContextID
}

// listen collects the errors and warnings of the console, including violations of the
// Content-Security-Policy, and requests that name a member.
func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		// A page with an error status is reported as a resource that failed to load.
		if isPage := e.Entry.Source == log.EntrySourceNetwork && e.Entry.URL == b.opened; !isPage && e.Entry.Level != log.EntryLevelVerbose && e.Entry.Level != log.EntryLevelInfo {
			b.console = append(b.console, fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
		b.console = append(b.console, "exception: "+text)
	case *runtime.EventConsoleAPICalled:
		text := "console." + string(e.Type)
		for _, arg := range e.Args {
			text += fmt.Sprintf(" %s%s", arg.Value, arg.Description)
		}
		b.console = append(b.console, text)
	case *network.EventRequestWillBeSent:
		if e.Type == network.ResourceTypeDocument {
			b.requests = requests{} // requests of the previous page end with that page
		}
		b.requests.begin(e.RequestID, e.Request.URL)
		if namesMember(e.Request) {
			b.console = append(b.console, fmt.Sprintf("%s %s contains an id of a member", e.Request.Method, e.Request.URL))
		}
	case *network.EventResponseReceived:
		if e.Type == network.ResourceTypeDocument {
			b.opened = e.Response.URL
		}
		if e.Response.MimeType == "text/event-stream" {
			b.requests.end(e.RequestID)
		}
	case *network.EventLoadingFinished:
		b.requests.end(e.RequestID)
	case *network.EventLoadingFailed:
		b.requests.end(e.RequestID)
	}
}

var memberID = regexp.MustCompile(`"(user_id|member_id|sender_identity_user_id)"|[?&](user_id|member_id)=`)

// namesMember reports whether a request contains the header that names a member to services,
// or an id of a member. The app sends neither.
func namesMember(r *network.Request) bool {
	for name := range r.Headers {
		if strings.EqualFold(name, "X-Service-Member-Id") {
			return true
		}
	}
	for _, part := range r.PostDataEntries {
		if memberID.Match(part.Bytes) {
			return true
		}
	}
	return memberID.MatchString(r.URL)
}

// messages returns the errors and warnings of the console since the last call.
func (b *browser) messages() (list []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, b.console = b.console, nil
	return list
}

// must fails the test if err is not nil.
func (b *browser) must(err error) {
	b.server.T.Helper()
	if err != nil {
		b.server.T.Fatal(err)
	}
}

// open navigates to a path of the server, as from the address bar, checks the page, and fails the
// test unless the response has the status.
func (b *browser) open(path string, status int64) {
	b.server.T.Helper()
	r, err := chromedp.Run(b.ctx, chromedp.NavigateResponse(b.server.URL+path))
	b.must(err)
	if r.Status != status {
		b.server.T.Errorf("%s: got status %d, want %d", path, r.Status, status)
	}
	b.check()
}

// section returns the section with a heading.
func (b *browser) section(heading string) area { return area{b, heading} }

//go:embed testdata/find.js
var findScript string

// find returns the element of a kind with a name; see find.js.
func (a area) find(kind, name string) chromedp.JSPath {
	a.b.server.T.Helper()
	path := fmt.Sprintf("(%s)(%q, %q, %q)", findScript, a.heading, kind, name)
	if found := evaluate[bool](a.b, path+" !== null"); !found {
		a.b.server.T.Fatalf("%s: got no %s %q %s, want one\n%s", a.b.path(), kind, name, a.heading, a.b.text())
	}
	return chromedp.JSPath(path)
}

// fill replaces the value of a field, or chooses a value of a list.
func (a area) fill(label, value string) {
	a.b.server.T.Helper()
	field := a.find("field", label)
	if evaluate[bool](a.b, string(field)+`.tagName === "SELECT"`) {
		a.b.must(chromedp.Do(a.b.ctx, chromedp.SetValue(field, value)))
	} else {
		a.b.must(chromedp.Do(a.b.ctx, chromedp.Focus(field), chromedp.Clear(field)))
		_, err := chromedp.Call(a.b.ctx, input.InsertText, input.InsertTextParams{Text: value})
		a.b.must(err)
	}
	if got := a.value(label); got != value {
		a.b.server.T.Fatalf("field %s: got %q, want %q", label, got, value)
	}
}

// value returns the value of a field.
func (a area) value(label string) string {
	a.b.server.T.Helper()
	return evaluate[string](a.b, string(a.find("field", label))+".value")
}

// press clicks a button and checks the page that follows.
func (a area) press(button string) {
	a.b.server.T.Helper()
	a.b.load(chromedp.Click(a.find("button", button)))
}

// follow clicks a link and checks the page that follows.
func (a area) follow(text string) {
	a.b.server.T.Helper()
	a.b.load(chromedp.Click(a.find("link", text)))
}

// expand opens a details element by its summary.
func (a area) expand(summary string) {
	a.b.server.T.Helper()
	a.b.must(chromedp.Do(a.b.ctx, chromedp.Click(a.find("summary", summary))))
	a.b.check()
}

// load runs steps that load a page, and checks the page.
func (b *browser) load(steps ...chromedp.Action[chromedp.Void]) {
	b.server.T.Helper()
	_, err := chromedp.RunResponse(b.ctx, steps...)
	b.must(err)
	b.check()
}

// keys presses keys one after the other.
func (b *browser) keys(keys string) {
	b.server.T.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.KeyEvent(keys)))
}

// text returns the text of the page without the options of select elements.
func (b *browser) text() string {
	return evaluate[string](b, `[...document.querySelectorAll("select")].reduce((text, list) => text.replace(list.innerText, ""), document.body?.innerText ?? "")`)
}

// secret returns the secret that the page shows in a section.
func (a area) secret() string {
	a.b.server.T.Helper()
	return evaluate[string](a.b, fmt.Sprintf(`[...document.querySelectorAll("h2")].find((h) => h.textContent === %q).closest("section").querySelector("output.secret").value`, a.heading))
}

// path returns the path of the page.
func (b *browser) path() string { return evaluate[string](b, "location.pathname") }

// wantPath fails the test unless the page has the path.
func (b *browser) wantPath(path string) {
	b.server.T.Helper()
	if got := b.path(); got != path {
		b.server.T.Fatalf("got the page %s, want %s\n%s", got, path, b.text())
	}
}

// wantText fails the test unless the page contains the texts.
func (b *browser) wantText(texts ...string) {
	b.server.T.Helper()
	page := b.text()
	for _, want := range texts {
		if !strings.Contains(page, want) {
			b.server.T.Fatalf("%s: got the text below, want %q in it\n%s", b.path(), want, page)
		}
	}
}

// evaluate returns the value of an expression in the page. If a navigation interrupts the
// evaluation, it evaluates the expression again in the new page.
func evaluate[T any](b *browser, expression string, options ...chromedp.EvaluateOption) T {
	b.server.T.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, options...))
	for err != nil && strings.Contains(err.Error(), "Inspected target navigated or closed") && b.ctx.Err() == nil {
		v, err = chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, options...))
	}
	b.must(err)
	return v
}
