package social

import (
	"net/url"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// wantUnread fails the test unless the inbox of a member has n unread messages.
func wantUnread(c *apptest.Client, about string, n int) {
	c.T.Helper()
	if got := c.Do("GET", "/world/messages").Want(200).At("unread_total"); got != float64(n) {
		c.T.Errorf("%s: unread messages of %s: got %v, want %d", about, c.Name, got, n)
	}
}

// Covers M-19 to M-23, B-50 and PT-18 by example.
func TestOnlyOpeningMarkingAndSendingMoveTheReadCursor(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	thread := ann.SendMessage("bea", "One")
	second := ann.SendInThread(thread, "Two").Str("message.id")
	ann.SendInThread(thread, "Three")
	wantUnread(ann, "of her own messages", 0)
	wantUnread(bea, "of three messages", 3)
	id := strings.TrimPrefix(thread, "/world/messages/")
	before := bea.Do("GET", thread+"/messages?limit=1").Want(200).Str("page.previous_cursor")
	bea.AsRuntime().Do("GET", "/world/runtime").Want(200) // the first read stores default surfaces
	s.WantUnchanged("by reads that move no cursor", func() {
		bea.AsRuntime().Do("GET", "/world/runtime").Want(200)
		bea.AsRuntime().Do("GET", "/world/translated?thread="+id).Want(200)
		for _, path := range []string{
			thread + "?peek=1", thread + "/messages", thread + "?before=" + url.QueryEscape(before),
			"/world/panels/messages", "/world/panels/messages?thread=" + id, "/world/panels/messages/rail", "/world/messages?q=two",
		} {
			bea.Do("GET", path).Want(200)
		}
		bea.Do("HEAD", thread).Want(200)
		bea.With("Sec-Purpose", "prefetch;prerender").Do("GET", thread).Want(200)
		for _, path := range []string{"/messages", "/messages/objects", "/messages/" + id, "/runtime/panel/messages?thread=" + id} {
			bea.AsService().Do("GET", path).Want(200)
		}
		ann.Do("GET", thread).Want(200)
	})
	bea.Do("POST", thread+"/read", map[string]any{"last_read_message_id": second}).Want(200).WantValues("thread", map[string]any{"unread_count": 1})
	bea.Do("GET", thread).Want(200).WantValues("thread", map[string]any{"unread_count": 0})
	wantUnread(bea, "after opening the thread", 0)
	s.WantUnchanged("by reading again", func() {
		bea.Do("GET", thread).Want(200)
		bea.Do("POST", thread+"/read", map[string]any{"last_read_message_id": second}).Want(200)
		bea.Do("POST", thread+"/read", `{}`).Want(200)
	})
	ann.SendInThread(thread, "Four")
	bea.SendInThread(thread, "Five")
	wantUnread(ann, "after an answer", 1)
	wantUnread(bea, "after sending an answer", 0)
	ann.Do("POST", thread+"/read").Want(200).WantValues("thread", map[string]any{"unread_count": 0})
}
