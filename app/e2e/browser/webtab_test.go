package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// waitTimeout is the time limit for each expectation. It is long because other tests may use the
// machine at the same time.
const waitTimeout = 90 * time.Second

// webTab is a tab in which a member uses the web app. Elements are found as a screen reader
// announces them, by role and accessible name. The test fails if there was an unexpected message in
// the console or a shift of the layout; see expectMessages.
type webTab struct {
	*browser
	member   *apptest.Client  // sends requests of the member, in another session
	expected []*regexp.Regexp // messages in the console that the test causes
}

//go:embed testdata/shifts.js
var shiftsScript string

// newWebTab starts a browser in which a member is signed in. It opens no page.
func newWebTab(s *server, name string) *webTab {
	s.T.Helper()
	return newBrowser(s).webTab(name)
}

// anotherMember returns a tab of a member with a profile of its own, so it shares no session and no
// stored data with the other tabs.
func (w *webTab) anotherMember(name string) *webTab {
	w.server.T.Helper()
	return w.newProfile().webTab(name)
}

// newProfile returns a tab with a profile of its own, in which no member is signed in.
func (w *webTab) newProfile() *browser {
	w.server.T.Helper()
	ctx, cancel := chromedp.NewContext(w.ctx, chromedp.WithNewBrowserContext())
	w.server.T.Cleanup(cancel)
	return w.tabIn(ctx)
}

// tabIn returns the tab of a context.
func (b *browser) tabIn(ctx context.Context) *browser {
	b.server.T.Helper()
	tab := &browser{server: b.server, ctx: ctx}
	tab.area = area{b: tab}
	b.must(chromedp.Listen(ctx, tab.listen))
	return tab
}

func (b *browser) webTab(name string) *webTab {
	t := b.server.T
	t.Helper()
	w := &webTab{browser: b, member: b.server.SignIn(name)}
	b.addCookies(name)
	_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: shiftsScript})
	b.must(err)
	w.resize(1440, 900)
	t.Cleanup(func() {
		if !t.Failed() {
			// The server ends before the cleanup, possibly while Chromium requests the service
			// worker.
			w.expectMessages("net::ERR_", statusMessage(http.StatusBadGateway), "when fetching the script")
			w.wantNoMessagesOrShifts()
		}
	})
	return w
}

// addCookies signs a member in as the sign-in page does, without opening a page. The tab has
// a session of its own.
func (b *browser) addCookies(name string) {
	b.server.T.Helper()
	form := url.Values{"login": {name}, "password": {apptest.Password}, "return_to": {"/app/"}}
	answer := apptest.NewClient(b.server.T, b.server.URL).Do("POST", "/world/login", apptest.Form(form.Encode())).Want(303)
	for _, c := range (&http.Response{Header: answer.Header}).Cookies() {
		_, err := chromedp.Call(b.ctx, network.SetCookie, network.SetCookieParams{
			Name: c.Name, Value: c.Value, URL: b.server.URL + "/", HTTPOnly: &c.HttpOnly, SameSite: network.CookieSameSiteLax,
		})
		b.must(err)
	}
}

func ptr[T any](v T) *T { return &v }

// addMember adds a member of the server and returns a client that sends their requests.
func (s *server) addMember(name string) *apptest.Client {
	s.T.Helper()
	s.SignIn("ann").Do("POST", "/world/operator/members", map[string]any{
		"username": name, "display_name": strings.ToUpper(name[:1]) + name[1:], "email": name + "@example.org", "password": apptest.Password,
	}).Want(201)
	return s.SignIn(name)
}

// visit opens a path of the web app as if it were typed.
func (w *webTab) visit(path string) {
	w.server.T.Helper()
	w.wantNoMessagesOrShifts()
	w.must(chromedp.Do(w.ctx, chromedp.Navigate(w.server.URL+path)))
	w.waitUntilIdle()
}

// requests are the requests of a tab that have no complete response yet, except streams.
type requests struct {
	open   map[network.RequestID]string // URLs
	latest time.Time                    // when the last one began or ended
}

func (r *requests) begin(id network.RequestID, url string) {
	if r.open == nil {
		r.open = make(map[network.RequestID]string)
	}
	r.open[id], r.latest = url, time.Now()
}

func (r *requests) end(id network.RequestID) {
	delete(r.open, id)
	r.latest = time.Now()
}

// waitUntilIdle waits until the web app has sent no request for a while and shows no part that is
// still loading.
func (w *webTab) waitUntilIdle() {
	w.server.T.Helper()
	const minIdle, maxOpen = 250 * time.Millisecond, 5 * time.Second // Chromium does not report the end of each request of a service worker
	for end := time.Now().Add(waitTimeout); ; w.pause() {
		w.mu.Lock()
		open, idle := slices.Collect(maps.Values(w.requests.open)), time.Since(w.requests.latest)
		w.mu.Unlock()
		isLoading := evaluate[bool](w.browser, `document.readyState !== "complete" || !!globalThis.isLoading?.()`)
		if (len(open) == 0 || idle > maxOpen) && idle > minIdle && !isLoading {
			return
		}
		if time.Now().After(end) {
			w.server.T.Fatalf("%s: the web app is still loading after %v: %t, requests %q, the last one %v ago\n%s", w.address(), waitTimeout, isLoading, open, idle, w.text())
		}
	}
}

// pause sleeps between two checks of the page.
func (w *webTab) pause() {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-w.ctx.Done():
	}
}

// until waits until a condition is true, and fails the test if that takes too long.
func (w *webTab) until(what string, condition func() bool) {
	w.server.T.Helper()
	for end := time.Now().Add(waitTimeout); !condition(); {
		if time.Now().After(end) {
			w.server.T.Fatalf("%s: waited in vain for %s\n%s", w.address(), what, w.text())
		}
		w.pause()
	}
}

// address returns the path and the query of the page.
func (w *webTab) address() string {
	return evaluate[string](w.browser, "location.pathname + location.search")
}

// node is an element of the page with its accessible name.
type node struct {
	tab  *webTab
	id   cdp.BackendNodeID
	name string
}

// nodes returns the elements with a role whose accessible name is name, in the order of
// the page. In name, … stands for any text, so "Supper…" is the beginning of a name.
// Elements that are hidden from screen readers are left out.
func (w *webTab) nodes(role, name string) (list []node) {
	w.server.T.Helper()
	document, err := chromedp.Call(w.ctx, dom.GetDocument, dom.GetDocumentParams{})
	w.must(err)
	found, err := chromedp.Call(w.ctx, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{NodeID: document.Root.NodeID, Role: role})
	if err != nil { // the page is being replaced
		return nil
	}
	pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(name), "…", ".*") + "$")
	for _, n := range found.Nodes {
		if n.Ignored || n.Name == nil {
			continue
		}
		got := accessibleName(n)
		if pattern.MatchString(got) {
			list = append(list, node{w, n.BackendDOMNodeID, got})
		}
	}
	return list
}

// accessibleName returns the name of an element, with single spaces.
func accessibleName(n *accessibility.Node) string {
	var name string
	_ = json.Unmarshal(n.Name.Value, &name) // "" for anything but a string
	return strings.Join(strings.Fields(name), " ")
}

// node returns the first element of nodes, as soon as there is one.
func (w *webTab) node(role, name string) (n node) {
	w.server.T.Helper()
	w.until(fmt.Sprintf("a %s %q", role, name), func() bool {
		list := w.nodes(role, name)
		if len(list) > 0 {
			n = list[0]
		}
		return len(list) > 0
	})
	return n
}

// names returns the accessible names of all elements with a role.
func (w *webTab) names(role string) (names []string) {
	w.server.T.Helper()
	for _, n := range w.nodes(role, "…") {
		names = append(names, n.name)
	}
	return names
}

// wantNo waits until the page is idle and has no element with the role and the name. A closing
// dialog remains in the page for a moment, without a request.
func (w *webTab) wantNo(role, name string) {
	w.server.T.Helper()
	w.waitUntilIdle()
	w.until(fmt.Sprintf("the end of the %s %q", role, name), func() bool { return len(w.nodes(role, name)) == 0 })
}

// click clicks with the mouse on the middle of an element.
func (w *webTab) click(role, name string) {
	w.server.T.Helper()
	w.clickOne(fmt.Sprintf("a %s %q", role, name), func() []node { return w.nodes(role, name) })
}

// clickLast clicks the last element with a role and a name, such as the button of a dialog
// that has the name of the button that opened it.
func (w *webTab) clickLast(role, name string) {
	w.server.T.Helper()
	w.clickOne(fmt.Sprintf("a %s %q", role, name), func() []node {
		list := w.nodes(role, name)
		return list[max(0, len(list)-1):]
	})
}

// clickOne clicks on the first element that find returns.
func (w *webTab) clickOne(what string, find func() []node) {
	w.server.T.Helper()
	var at point
	w.withNode(what, find, func(n node) (err error) {
		at, err = n.tryMiddle()
		return err
	})
	w.must(chromedp.Do(w.ctx, chromedp.MouseClickXY(at.x, at.y)))
	w.waitUntilIdle()
}

// errNotRendered is the error for an element that is not rendered, or no longer rendered.
var errNotRendered = errors.New("has no place on the screen")

// withNode calls step with the first element that find returns. If a change of the data replaces
// the element meanwhile, it calls find again.
func (w *webTab) withNode(what string, find func() []node, step func(node) error) {
	w.server.T.Helper()
	w.until(what, func() bool {
		list := find()
		if len(list) == 0 {
			return false
		}
		err := step(list[0])
		if err != nil && (errors.Is(err, errNotRendered) || strings.Contains(err.Error(), "Node is detached from document") || strings.Contains(err.Error(), "No node found")) {
			return false
		}
		w.must(err)
		return true
	})
}

// clickPart clicks on the middle of the element that a selector finds.
func (w *webTab) clickPart(selector string) {
	w.server.T.Helper()
	var middle []float64
	w.until("the element "+selector, func() bool {
		middle = evaluate[[]float64](w.browser, fmt.Sprintf(`(() => {
			const box = document.querySelector(%q)?.getBoundingClientRect();
			return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
		})()`, selector))
		return len(middle) == 2
	})
	w.must(chromedp.Do(w.ctx, chromedp.MouseClickXY(middle[0], middle[1])))
	w.waitUntilIdle()
}

// middle scrolls to an element and returns its middle. It fails the test if the element is not
// rendered.
func (n node) middle() point {
	n.tab.server.T.Helper()
	at, err := n.tryMiddle()
	n.tab.must(err)
	return at
}

// tryMiddle is like middle, but returns an error if the element is not rendered.
func (n node) tryMiddle() (at point, err error) {
	w := n.tab
	w.server.T.Helper()
	if _, err := chromedp.Call(w.ctx, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: n.id}); err != nil {
		return at, err
	}
	result, err := chromedp.Call(w.ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: n.id})
	if err != nil {
		return at, err
	}
	if len(result.Quads) == 0 {
		return at, fmt.Errorf("%s: %q %w", w.address(), n.name, errNotRendered)
	}
	q := result.Quads[0]
	return point{(q[0] + q[4]) / 2, (q[1] + q[5]) / 2}, nil
}

// focus moves the focus to an element.
func (w *webTab) focus(role, name string) {
	w.server.T.Helper()
	w.withNode(fmt.Sprintf("a %s %q", role, name), func() []node { return w.nodes(role, name) }, node.focus)
}

func (n node) focus() error {
	_, err := chromedp.Call(n.tab.ctx, dom.Focus, dom.FocusParams{BackendNodeID: n.id})
	return err
}

// typeKeys presses keys one after the other. Unlike [browser.keys], a key enters its character only
// if no script prevents the default action, as with a real keyboard.
func (w *webTab) typeKeys(keys string) {
	w.server.T.Helper()
	for _, key := range keys {
		w.pressKey(key, 0)
	}
}

// pressKey presses a key together with modifiers.
func (w *webTab) pressKey(key rune, held chromedp.Modifier) {
	w.server.T.Helper()
	events := kb.Encode(key)
	down, up := *events[0], *events[len(events)-1]
	if len(events) == 3 && held == 0 {
		down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
	}
	down.Type, up.Type = "rawKeyDown", "keyUp"
	if down.Text != "" {
		down.Type = "keyDown"
	}
	all := []input.DispatchKeyEventParams{down, up}
	if held == kb.ModifierAlt {
		alt := kb.Encode([]rune(kb.Alt)[0])
		press, release := *alt[0], *alt[len(alt)-1]
		press.Type, release.Type = "rawKeyDown", "keyUp"
		all = []input.DispatchKeyEventParams{press, down, up, release}
	}
	for i, e := range all {
		if i < len(all)-1 {
			e.Modifiers |= int64(held)
		}
		_, err := chromedp.Call(w.ctx, input.DispatchKeyEvent, e)
		w.must(err)
	}
}

// enter replaces the text of a field.
func (w *webTab) enter(role, name, text string) {
	w.server.T.Helper()
	w.focus(role, name)
	evaluate[bool](w.browser, "document.activeElement.select?.(), true")
	_, err := chromedp.Call(w.ctx, input.InsertText, input.InsertTextParams{Text: text})
	w.must(err)
}

// see waits until the page contains texts.
func (w *webTab) see(texts ...string) {
	w.server.T.Helper()
	for _, text := range texts {
		w.until(fmt.Sprintf("the text %q", text), func() bool { return strings.Contains(w.text(), text) })
	}
}

// notSee waits until the page contains none of the texts.
func (w *webTab) notSee(texts ...string) {
	w.server.T.Helper()
	for _, text := range texts {
		w.until(fmt.Sprintf("the end of the text %q", text), func() bool { return !strings.Contains(w.text(), text) })
	}
}

// expectMessages permits messages in the console that match one of the patterns, such as
// those of Chromium about responses with an error status.
func (w *webTab) expectMessages(patterns ...string) {
	for _, p := range patterns {
		w.expected = append(w.expected, regexp.MustCompile(p))
	}
}

// statusMessage matches the message of Chromium about a response with a status.
func statusMessage(status int) string { return fmt.Sprintf("status of %d", status) }

// wantNoMessagesOrShifts fails the test if there was an unexpected message in the console, which
// includes violations of the policy and failed requests, or a shift of the layout.
func (w *webTab) wantNoMessagesOrShifts() {
	w.server.T.Helper()
	for _, message := range w.messages() {
		if !slices.ContainsFunc(w.expected, func(p *regexp.Regexp) bool { return p.MatchString(message) }) {
			w.server.T.Errorf("%s: got the message %q in the console, want none", w.address(), message)
		}
	}
	for _, shift := range evaluate[[]string](w.browser, "globalThis.takeShifts?.() ?? []") {
		w.server.T.Errorf("%s: the layout shifted: %s", w.address(), shift)
	}
}

// ignoreShifts discards the layout shifts until now, such as shifts that the test has caused. The
// browser reports them after the page has been painted.
func (w *webTab) ignoreShifts() {
	w.server.T.Helper()
	evaluate[bool](w.browser, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => (takeShifts(), done(true))))))`, chromedp.EvalAwaitPromise)
}

// resize changes the size of the window. A narrow window emulates a phone with a touch screen.
func (w *webTab) resize(width, height int64) {
	w.server.T.Helper()
	options := []chromedp.EmulateViewportOption{}
	if width < 768 {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	w.must(chromedp.Do(w.ctx, chromedp.EmulateViewport(width, height, options...)))
}

// setMediaFeatures sets media features, such as prefers-color-scheme.
func (w *webTab) setMediaFeatures(features map[string]string) {
	w.server.T.Helper()
	var params emulation.SetEmulatedMediaParams
	for name, value := range features {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: name, Value: value})
	}
	_, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, params)
	w.must(err)
	_, err = chromedp.Run(w.ctx, chromedp.Evaluate[bool](endTransitions, chromedp.EvalAwaitPromise))
	w.must(err)
}

// endTransitions is an expression that ends the transitions to the colors of another scheme. They
// are short, but headless Chromium draws few frames.
const endTransitions = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
	for (const transition of document.getAnimations()) if (transition instanceof CSSTransition) transition.finish();
	done(true);
})))`
