package load

import (
	"fmt"

	"appliance/app/apptest"
	"appliance/svc"
)

// contentWriter is a member who writes content of each kind in turn. Messages have
// one recipient.
type contentWriter struct {
	*apptest.Client
	recipient     svc.MemberID
	conversations []any
	events        []any
}

func newContentWriter(c *apptest.Client, recipient svc.MemberID) contentWriter {
	return contentWriter{c, recipient,
		c.Do("GET", apptest.ConversationsPath).Want(200).List("conversations"),
		c.Do("GET", "/world/social/events").Want(200).List("events")}
}

// contentKinds are the kinds of content that write writes.
var contentKinds = []string{"message", "reply", "RSVP", "presence", "task"}

// write writes content of the kind whose index is n modulo the number of kinds.
// It can be called by any goroutine.
func (w contentWriter) write(n int) {
	turn := n / len(contentKinds)
	status, path, body := 201, "", map[string]any(nil)
	switch contentKinds[n%len(contentKinds)] {
	case "message":
		path, body = "/world/messages", map[string]any{"recipient": w.recipient, "body": fmt.Sprint("The harbour again, number ", n)}
	case "reply":
		path = apptest.ConversationsPath + "/" + idAt(w.conversations, turn) + "/replies"
		body = map[string]any{"body": fmt.Sprint("Bread and candles, number ", n)}
	case "RSVP":
		status, path = 200, "/world/social/events/"+idAt(w.events, turn)+"/rsvp"
		body = map[string]any{"response": []string{"going", "maybe", "declined"}[turn/len(w.events)%3]}
	case "presence":
		status, path, body = 200, "/world/social/presence", map[string]any{"state": []string{"online", "busy"}[turn%2]}
	case "task":
		path, body = "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}
	}
	if a, err := w.Try("POST", path, body); err != nil || a.Status != status {
		w.T.Errorf("POST %s: got %+v, %v, want status %d", path, a, err, status)
	}
}

// idAt returns the id of the record whose index is i modulo the length of the list.
func idAt(list []any, i int) string { return apptest.At(list[i%len(list)], "id").(string) }
