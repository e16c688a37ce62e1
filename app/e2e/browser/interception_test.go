package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// intercept makes the stub respond in place of the server as a proxy with a sign-in of its own, until a
// browser opens the link of its page.
func (s *stub) intercept(respond http.HandlerFunc) {
	s.add(rule{handler: func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/enter" {
			s.reset()
			http.Redirect(w, r, "/app/", http.StatusSeeOther)
			return
		}
		respond(w, r)
	}})
	s.closeConnections()
}

// frontPage responds with the page of a proxy whose link leads to an address.
func frontPage(status int, enter string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(status)
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Front</title><h1>Front door</h1><a href="%s">Enter</a>`, enter)
	}
}

// A proxy in front of the server that requires its own sign-in is recognized by its responses. The app says so, and
// its button opens the page of the proxy although the service worker has stored the page of the app. After the
// sign-in, drafts are still there and unsent changes are sent.
func TestSignInOfAProxyIsRecognizedAndOpened(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.see("ann")
	inApp[bool](w.browser, `navigator.serviceWorker.ready.then(() => true)`)
	w.until("the service worker", func() bool { return inApp[bool](w.browser, `navigator.serviceWorker.controller !== null`) })
	w.startConversation("Supper")
	site := httptest.NewServer(frontPage(http.StatusOK, s.URL+"/enter"))
	defer site.Close()
	for name, respond := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, site.URL+"/sign-in", http.StatusFound)
		},
		"401": frontPage(http.StatusUnauthorized, "/enter"),
		"403": frontPage(http.StatusForbidden, "/enter"),
		"200": frontPage(http.StatusOK, "/enter"),
	} {
		w.expectMessages("net::ERR_", statusMessage(401), statusMessage(403), "redirect", "Failed to fetch", "script resource")
		inApp[any](w.browser, fmt.Sprintf(`app.drafts.setItem("draft", %q)`, name))
		s.intercept(respond)
		reply := fmt.Sprintf(`app.queue.perform(`+replyAction+`, {body: %q}, {label: "Supper"}).then(({queued}) => queued.state)`, "Reply "+name)
		if got := inApp[string](w.browser, reply); got != "waiting" {
			t.Errorf("%s: got the reply %s, want it waiting", name, got)
		}
		w.see("The server asks for a sign-in in front of it.")
		w.click("button", "Open the sign-in")
		w.see("Front door")
		w.click("link", "Enter")
		w.see("Nothing is planned.")
		w.until("the reply is sent", func() bool { return inApp[int](w.browser, `app.queue.list.length`) == 0 })
		w.notSee("The server asks for a sign-in in front of it.")
		if got := inApp[string](w.browser, `app.drafts.getItem("draft")`); got != name {
			t.Errorf("%s: got the draft %q, want it kept", name, got)
		}
		replies := inApp[string](w.browser, `fetch(`+replyAction+`.command.url).then((r) => r.json()).then(({replies}) => replies.map(({body}) => body).join())`)
		if strings.Count(replies, "Reply "+name) != 1 {
			t.Errorf("%s: got the replies %q, want one with its name", name, replies)
		}
	}
}

// A proxy that refuses one change but lets reads pass, as a firewall does, does not leave the change waiting: it is
// reported as not sent.
func TestChangeThatAProxyRefusesIsReported(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.see("ann")
	w.startConversation("Supper")
	w.expectMessages(statusMessage(403))
	page := frontPage(http.StatusForbidden, "/enter")
	s.add(rule{method: "POST", handler: page})
	inApp[any](w.browser, `app.queue.wait = 10`)
	reply := `app.queue.perform(` + replyAction + `, {body: "Reply"}, {label: "Supper"}).then(() => true)`
	inApp[bool](w.browser, reply)
	w.click("button", "Show")
	w.see("A proxy or firewall in front of the server has refused this.")
}
