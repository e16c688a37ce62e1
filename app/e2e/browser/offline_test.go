package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// inApp returns the value of an expression in the web app, in which app is the connection to
// World. The expression may be a promise.
func inApp[T any](b *browser, expression string) T {
	b.server.T.Helper()
	return evaluate[T](b, `import(document.documentElement.dataset.assets + "main.js").then(async ({app}) => (`+expression+`))`, chromedp.EvalAwaitPromise)
}

// signInOutsideOfApp signs a member in without opening the web app.
func (b *browser) signInOutsideOfApp(name string) {
	b.server.T.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(b.server.URL+"/world/login?return_to=/account")))
	b.fill("User name or e-mail address", name)
	b.fill("Password", apptest.Password)
	b.press("Sign in")
	b.wantPath("/account")
}

// openApp opens the web app and waits until it has stored everything that it needs offline.
func (b *browser) openApp(path, text string) {
	b.server.T.Helper()
	b.visitApp(path, text)
	inApp[bool](b, `navigator.serviceWorker.ready.then(() => app.memberCache.flush()).then(() => true)`)
}

// visitApp opens a path of the web app, with or without a server, and waits until the page contains
// a text and the app has opened its stored data.
func (b *browser) visitApp(path, text string) {
	b.server.T.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(b.server.URL+path)))
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`new Promise((done) => {
		const observer = new MutationObserver(() => check());
		const check = () => document.body.innerText.includes(%q) && (observer.disconnect(), done(true));
		observer.observe(document.body, {subtree: true, childList: true, characterData: true});
		check();
	}).then(() => import(document.documentElement.dataset.assets + "main.js")).then(({opened}) => opened).then(() => true)`, text), chromedp.EvalAwaitPromise))
	b.must(err)
}

// wantNoMessages fails the test if there are messages in the console.
func (b *browser) wantNoMessages() {
	b.server.T.Helper()
	for _, message := range b.messages() {
		b.server.T.Errorf("%s: got the message %q in the console, want none", b.path(), message)
	}
}

// restart starts the server again at the same address.
func (s *server) restart() {
	s.T.Helper()
	s.Kill()
	args := append(slices.Clone(s.Cmd.Args[1:]), "--listen", strings.TrimPrefix(s.URL, "https://"))
	s.Process = apptest.Start(s.T, apptest.Command(s.T, args...))
}

// queuePromise returns an expression for a promise of the queue of writes, which is resolved when a
// condition on its list is true.
func queuePromise(condition string) string {
	return `new Promise((done) => {
		const check = (list) => ` + condition + ` && done(list);
		app.queue.subscribe(check);
		check(app.queue.list);
	})`
}

// addAccount adds a member by a command.
func (s *server) addAccount(name string) {
	s.T.Helper()
	args := []string{"admin", "members", "add", "--data", s.dir, "--username", name, "--email", name + "@example.org", "--password-stdin"}
	if status, out := apptest.RunCommand(s.T, apptest.Password, args...); status != 0 {
		s.T.Fatalf("got status %d, want 0\n%s", status, out)
	}
}

// startConversation creates a conversation and makes the app read it.
func (b *browser) startConversation(title string) {
	b.server.T.Helper()
	if status := inApp[int](b, fmt.Sprintf(`fetch("/world/social/conversations", {
		method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({title: %q, body: "Text", among: "open"}),
	}).then(async ({status}) => (await app.reader.read("dataset"), await app.memberCache.flush(), status))`, title)); status != 201 {
		b.server.T.Fatalf("got status %d of the conversation, want 201", status)
	}
}

const replyAction = `app.store.dataset.actions.find(({type}) => type === "social.conversation.reply")`

// Without the server, the web app opens with the stored data and adds a reply to its queue. The
// queued reply survives a reload, and is stored once when the server is available again.
func TestWebAppWorksWithoutAServer(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.signInOutsideOfApp("ann")
	b.openApp("/app/", "ann")
	b.startConversation("Supper")
	b.server.Kill()
	b.visitApp("/app/in/time?view=week", "ann")
	if got := inApp[string](b, `new Promise((done) => {
		const check = () => app.connection.state !== "online" && app.connection.lastContact > 0 && done(app.connection.state);
		app.connection.subscribe(check);
		check();
	})`); got != "unreachable" {
		t.Errorf("got the connection %s, want unreachable", got)
	}
	reply := `app.queue.perform(` + replyAction + `, {body: "I bring soup"}, {label: "Supper"}).then(({queued}) => queued.state)`
	if got := inApp[string](b, reply); got != "waiting" {
		t.Errorf("got the reply %s, want it waiting", got)
	}
	b.visitApp("/app/", "ann")
	if got := inApp[string](b, queuePromise("list.length > 0")+`.then((list) => list.map(({label, values}) => label + ": " + values.body).join())`); got != "Supper: I bring soup" {
		t.Errorf("got the queue %q after the page was loaded again, want the reply", got)
	}
	tab, _ := chromedp.NewContext(b.ctx)
	second := &browser{server: b.server, ctx: tab}
	second.visitApp("/app/", "ann")
	b.server.restart()
	for _, tab := range []*browser{b, second} {
		inApp[bool](tab, `app.queue.flush().then(() => `+queuePromise("list.length === 0")+`).then(() => true)`)
	}
	replies := inApp[string](b, `fetch(`+replyAction+`.command.url).then((r) => r.json()).then(({replies}) => replies.map(({body}) => body).join())`)
	if replies != "I bring soup" {
		t.Errorf("got the replies %q, want one", replies)
	}
	b.messages() // Chromium reports the requests without a response
	b.visitApp("/app/", "ann")
	b.wantNoMessages()
}

// storedNames is an expression for the names of stored responses and picture caches, one per line.
const storedNames = `app.memberCache.database.all("responses").then(async (list) => [
	...list.map(({memberId, path}) => memberId + " " + path), ...(await caches.keys()).filter((name) => name.startsWith("pictures")),
].sort().join("\n"))`

// The sign-out removes everything from the browser. The next member sees no data of the previous
// one, with or without a server.
func TestSignOutRemovesWhatTheWebAppStores(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.signInOutsideOfApp("ann")
	b.server.addAccount("bea")
	b.openApp("/app/", "ann")
	if got := inApp[string](b, storedNames); !strings.Contains(got, "1 /world/session") || !strings.Contains(got, "1 /world/runtime") {
		t.Fatalf("got %q, want the session and the dataset", got)
	}
	b.open("/account", 200)
	b.press("Sign out ann")
	if got := evaluate[string](b, `document.cookie`); got != "" {
		t.Errorf("got the cookies %s after the sign-out, want none", got)
	}
	stored, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`Promise.all([indexedDB.databases(), caches.keys()]).then((lists) => lists.flat().length)`, chromedp.EvalAwaitPromise))
	if err != nil || stored != 0 {
		t.Errorf("got %d databases and caches after the sign-out, %v, want none", stored, err)
	}
	b.signInOutsideOfApp("bea")
	b.openApp("/app/", "bea")
	b.server.Kill()
	b.visitApp("/app/", "bea")
	if got := inApp[string](b, storedNames); strings.Contains(got, "1 /") {
		t.Errorf("got %q, want nothing of ann", got)
	}
}

// Without HTTPS, browsers ignore Clear-Site-Data: after a sign-out on a page of the server, the
// sign-in page clears the stored data. If the session ends in another way, drafts are kept.
func TestSignOutWithoutHTTPSRemovesWhatTheWebAppStores(t *testing.T) {
	w := newWebTab(serveHTTP(t), "ann")
	w.visit("/app/")
	stored := func() string {
		t.Helper()
		return evaluate[string](w.browser, `indexedDB.databases().then((list) => [...list.map(({name}) => name), ...Object.keys(localStorage)].join(", "))`,
			chromedp.EvalAwaitPromise)
	}
	inApp[any](w.browser, `app.drafts.setItem("message", "Not for others")`)
	if got := stored(); !strings.Contains(got, "world ") || !strings.Contains(got, "drafts ") {
		t.Fatalf("got %q, want the database and the drafts", got)
	}
	w.open("/world/login", 200)
	if got := stored(); !strings.Contains(got, "drafts ") {
		t.Errorf("on the sign-in page without a sign-out: got %q, want the drafts", got)
	}
	w.open("/account", 200)
	w.press("Sign out ann")
	w.wantPath("/world/login")
	w.until("nothing is stored", func() bool { return !strings.Contains(stored(), "world ") && !strings.Contains(stored(), "drafts ") })
}

// A sign-out that removes unsent changes of another member asks first and names the member, in the app and on
// a page of the server.
func TestSignOutAsksBeforeItRemovesChangesOfOthers(t *testing.T) {
	s := serveHTTP(t)
	w := newWebTab(s, "ann")
	w.visit("/app/")
	entry := `{memberId: 99, memberName: "Bea", key: "k1", kind: "message", action: {}, values: {}, fields: {}, path: "/", label: "", time: 1, state: "waiting", error: null}`
	stored := func() int {
		t.Helper()
		return inApp[int](w.browser, `app.queue.database.all("writes").then(({length}) => length)`)
	}
	inApp[any](w.browser, `app.queue.database.put("writes", `+entry+`)`)
	w.click("button", "…Profile, settings and more")
	w.click("menuitem", "Sign out")
	w.see("One change was not sent.", "One is of Bea.")
	w.click("button", "Cancel")
	w.wantNo("dialog", "One change was not sent.")
	if stored() != 1 {
		t.Error("got no entry of Bea after Cancel, want it kept")
	}
	w.open("/account", 200)
	evaluate[any](w.browser, `window.confirm = (text) => (globalThis.question = text, false), document.querySelector("form[data-unsent] button").click()`)
	question := func() string { return evaluate[string](w.browser, `globalThis.question ?? ""`) }
	w.until("the question", func() bool { return question() != "" })
	if got := question(); !strings.Contains(got, "Bea: 1") {
		t.Errorf("got the question %q, want it to name Bea", got)
	}
	w.wantPath("/account")
}

// A visit renders the stored data first, without actions. When the server has responded, the
// answers to an invitation appear in reserved space.
func TestAnswersComeAfterTheFirstScreen(t *testing.T) {
	s := serveHTTP(t)
	w := newWebTab(s, "ann")
	bea := s.addMember("bea")
	event := bea.Do("POST", "/world/social/events", map[string]any{"title": "Supper", "start": day(2) + "T18:00:00", "timezone": "Europe/Berlin", "visibility": "invited"}).Want(201)
	bea.Do("POST", "/world/social/events/"+event.Str("event.id")+"/invitations", map[string]any{"recipient": "ann"}).Want(201)
	w.resize(390, 844)
	hasAnswers := func() bool { return len(w.answers()) == 3 }
	w.visit("/app/")
	w.until("the answers", hasAnswers)
	inApp[bool](w.browser, `app.memberCache.flush().then(() => true)`)
	_, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{
		const cards = globalThis.cards = [];
		new MutationObserver(() => {
			const card = document.querySelector(".wait");
			if (card && !cards.includes(card)) cards.push(card, card.offsetHeight + " " + card.querySelectorAll("button").length);
		}).observe(document, {childList: true, subtree: true});
	}`})
	w.must(err)
	// If the database responds late, a visit renders the data of the server first.
	var seen []string
	w.until("a visit that begins with the stored data", func() bool {
		w.visit("/app/")
		w.until("the answers", hasAnswers)
		seen = slices.Compact(evaluate[[]string](w.browser, `cards.filter((card) => typeof card === "string")`))
		return len(seen) > 1
	})
	first, last := strings.Fields(seen[0]), strings.Fields(seen[len(seen)-1])
	if first[1] != "0" || last[1] != "3" || first[0] != last[0] {
		t.Errorf("got a card %s pixels high with %s buttons and then one %s pixels high with %s, want 0 and 3 buttons and the same height", first[0], first[1], last[0], last[1])
	}
}

// A link to an object that is newer than the stored data waits for the server, instead of showing
// that the object does not exist.
func TestLinkToSomethingNewerThanTheStoredData(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	inApp[bool](w.browser, `app.memberCache.flush().then(() => true)`)
	s.SignIn("bea").CreateEvent("title", "Harvest", "visibility", "public", "start", day(3)+"T10:30:00", "end", day(3)+"T11:00:00")
	path := objectPath(s.SignIn("ann").AsRuntime().Do("GET", datasetPath).Want(200), "event Harvest")
	s.delay("GET", datasetPath, time.Second)
	_, err := chromedp.Call(w.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{
		new MutationObserver(() => (globalThis.wasGone ||= !!document.body?.textContent.includes("no longer exists"))).observe(document, {childList: true, subtree: true});
	}`})
	w.must(err)
	w.visit(path)
	w.see("Harvest")
	if evaluate[bool](w.browser, "!!globalThis.wasGone") {
		t.Error("got a page that says that the event no longer exists, want none before the server has answered")
	}
}

// After the session has ended on the server, or another member has signed in without a sign-out,
// the app shows no data of the previous member. The queued writes of that member are kept, hidden
// from the other member, and sent after the next sign-in.
func TestWebAppHidesDataOfThePreviousMember(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.signInOutsideOfApp("ann")
	b.server.addAccount("bea")
	b.openApp("/app/", "ann")
	b.startConversation("Supper")
	b.server.Kill()
	b.visitApp("/app/", "ann")
	inApp[bool](b, `app.queue.perform(`+replyAction+`, {body: "From ann"}).then(() => true)`)
	b.must(chromedp.Do(b.ctx, chromedp.Navigate("about:blank")))
	b.server.restart()
	b.server.admin("revoke", "ann")
	b.messages()

	// The app is not open while bea signs in, and there is no server when it is opened.
	b.signInOutsideOfApp("bea")
	b.server.Kill()
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(b.server.URL+"/app/")))
	if got := inApp[string](b, `app.reader.restore().then((restored) => restored + document.body.innerText)`); strings.Contains(got, "ann") || !strings.HasPrefix(got, "false") {
		t.Errorf("got the page %q, want nothing of ann", got)
	}
	b.server.restart()
	b.visitApp("/app/", "bea")
	if got := inApp[int](b, `app.queue.flush().then(() => app.queue.list.length)`); got != 0 {
		t.Errorf("bea got %d writes in the queue, want none", got)
	}
	b.messages()

	// The session of bea ends on the server while the app is not open.
	b.openApp("/app/", "bea")
	b.must(chromedp.Do(b.ctx, chromedp.Navigate("about:blank")))
	b.server.admin("disable", "bea")
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(b.server.URL+"/app/")))
	b.must(chromedp.Do(b.ctx, chromedp.WaitVisible("input[name=password]")))
	b.messages() // Chromium reports the 401
	left, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`new Promise((done, fail) => {
		const opening = indexedDB.open("world ");
		opening.onerror = fail;
		opening.onsuccess = () => {
			const count = opening.result.transaction("responses").objectStore("responses").count();
			count.onsuccess = () => done(count.result);
		};
	})`, chromedp.EvalAwaitPromise))
	if err != nil || left != 0 {
		t.Errorf("got %d stored responses after the end of the session, %v, want none", left, err)
	}

	// The reply of ann is sent when she signs in again.
	b.signInOutsideOfApp("ann")
	b.openApp("/app/", "ann")
	inApp[bool](b, `app.queue.flush().then(() => true)`)
	replies := inApp[string](b, `fetch(`+replyAction+`.command.url).then((r) => r.json()).then(({replies}) => replies.map(({body}) => body).join())`)
	if replies != "From ann" {
		t.Errorf("got the replies %q, want that of ann", replies)
	}
	b.wantNoMessages()
}
