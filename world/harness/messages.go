package harness

import (
	"net/http"
	"slices"
	"strings"
)

// threadsPath is the path of the message threads.
const threadsPath = "/world/messages"

// maxDetails limits the records of a list whose details are read.
const maxDetails = 3

// threadKind is a kind of threads of two members.
type threadKind struct {
	path       string // path of the list
	threadType string
	message    string // schema of a message
	noun       string // name in a report
}

var (
	messageThreads = threadKind{threadsPath, "message_thread", "service.messages.message", "message threads"}
	directMessages = threadKind{"/world/social/dms", "social_dm", "service.social.dm_message", "direct messages"}
)

var messageChecks = []check{
	{"M-14 M-16 M-17 M-25 B-49 B-82", "the list of threads has valid threads, page by page", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { c.checkThreads(rec, messageThreads) })
	}},
	{"M-15", "the list of threads is ordered by the latest message", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) {
			threads, _ := c.records(threadsPath)
			rec.checkDescending(threads, "last_message_at")
		})
	}},
	{"M-12 M-18", "a thread has the member and the member in its title", func(c *client, rec *recorder) {
		c.eachThread(rec, messageThreads, func(t value) { c.checkParticipants(rec, t) })
	}},
	{"M-19 M-24 PT-42", "threads count their messages and the unread ones", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { c.checkThreadCounts(rec, messageThreads) })
	}},
	{"M-26 M-29 M-30 B-49", "the messages of a thread are its own, the oldest first", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { c.checkMessages(rec, messageThreads) })
	}},
	{"M-16 M-24 PT-42", "the threads of the dataset are those of the list", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { c.checkThreadObjects(rec) })
	}},
	{"M-09", "an unknown thread is 404", func(c *client, rec *recorder) {
		for _, path := range []string{"/thr_that_is_not_there", "/thr_that_is_not_there/messages"} {
			c.do(request{path: threadsPath + path}).checkError(rec, http.StatusNotFound, "not_found")
		}
	}},
}

// eachThread calls do with every thread of a kind.
func (c *client) eachThread(rec *recorder, k threadKind, do func(value)) {
	threads, _ := c.records(k.path)
	rec.eachItem(threads, k.noun, do)
}

// checkThreads checks the list of threads.
func (c *client) checkThreads(rec *recorder, k threadKind) {
	doc, ok := c.prefetch(k.path).object(rec)
	if !ok {
		return
	}
	rec.checkShape(doc, "page object", "unread_total integer", "actions object")
	if k.threadType == "message_thread" {
		rec.checkString(doc.at("actions.start_thread"), k.path)
	}
	rec.note("%d %s", c.checkList(rec, routeOf(k.path)), k.noun)
	threads, _ := c.records(k.path)
	for _, t := range threads {
		rec.checkThread(t, k.threadType, k.path)
	}
}

// memberID returns the id of the signed-in member. A server responds to mePath with the
// member, or with an object that contains it.
func (c *client) memberID() value {
	me := c.get(mePath).doc
	if me.at("id").is("integer") {
		return me.at("id")
	}
	return me.at("member.id")
}

// checkParticipants checks that the participants of a thread are the member and one
// other member, whose name is the title.
func (c *client) checkParticipants(rec *recorder, t value) {
	var own, others []value
	for _, p := range t.at("participants").list() {
		rec.checkShape(p, "id integer", "display_name string", "username string", "is_self boolean")
		if p.at("is_self").isTrue() {
			own = append(own, p)
		} else {
			others = append(others, p)
		}
	}
	if len(own) != 1 || len(others) != 1 {
		rec.addUnexpected(t.at("participants"), "the member and another member")
		return
	}
	if me := c.memberID(); !equalJSON(own[0].at("id"), me) {
		rec.addUnexpected(own[0].at("id"), "%v, the member", me)
	}
	rec.checkString(t.at("title"), others[0].at("display_name").str())
}

// checkThreadCounts compares the counts of the threads with one another and with
// the messages.
func (c *client) checkThreadCounts(rec *recorder, k threadKind) {
	threads, complete := c.records(k.path)
	sum := 0
	rec.eachItem(threads, k.noun, func(t value) {
		messages, unread := t.at("message_count").integer(), t.at("unread_count").integer()
		if messages < 1 {
			rec.addUnexpected(t.at("message_count"), "at least 1")
		}
		if unread < 0 || unread > messages {
			rec.addUnexpected(t.at("unread_count"), "0 to %d, the messages of the thread", messages)
		}
		sum += unread
	})
	if doc, ok := c.prefetch(k.path).object(rec); ok && complete {
		rec.checkInteger(doc.at("unread_total"), sum)
	}
	for _, t := range threads[:min(len(threads), maxDetails)] {
		messages, complete := c.messages(new(recorder), t)
		if !complete {
			continue
		}
		rec.checkInteger(t.at("message_count"), len(messages))
		fromOther := 0
		for _, m := range messages {
			if !equalJSON(m.at("sender_identity_user_id"), c.memberID()) {
				fromOther++
			}
		}
		if t.at("unread_count").integer() > fromOther {
			rec.addUnexpected(t.at("unread_count"), "at most %d, the messages of the other member", fromOther)
		}
	}
}

// messages returns the messages of a thread, page by page from the latest page
// back.
func (c *client) messages(rec *recorder, thread value) (list []value, complete bool) {
	return c.pages(rec, thread.at("links.messages").str(), "messages", "previous_cursor", "before", maxPageLimit)
}

// checkMessages checks the messages of up to maxDetails threads.
func (c *client) checkMessages(rec *recorder, k threadKind) {
	threads, _ := c.records(k.path)
	rec.eachItem(threads[:min(len(threads), maxDetails)], k.noun, func(t value) {
		self := t.at("links.self").str()
		doc, ok := c.prefetch(self).object(rec)
		if !ok {
			return
		}
		shown := doc.at("thread")
		if k.threadType != "message_thread" {
			shown = doc.at("dm")
		}
		if !equalJSON(shown, t) {
			rec.addUnexpected(shown, "the thread as in the list, %v", t)
		}
		messages, _ := c.messages(rec, t)
		rec.checkMessagesOfThread(t, messages, func(m value) { c.checkSchema(rec, m, k.message, 1) })
		if detail := doc.at("messages").list(); len(detail) > len(messages) {
			rec.addProblem("%s: got %d messages, want at most the %d of %v", doc.at("messages").path, len(detail), len(messages), t.at("links.messages"))
		}
	})
}

// checkMessagesOfThread checks the messages of a thread, the oldest first. It calls do with
// each.
func (r *recorder) checkMessagesOfThread(t value, messages []value, do func(value)) {
	participants := make(map[string]bool)
	for _, p := range t.at("participants").list() {
		participants[p.at("id").String()] = true
	}
	var ids []string
	for _, m := range messages {
		do(m)
		r.checkMessage(m, t.at("id").str())
		if sender := m.at("sender_identity_user_id"); !participants[sender.String()] {
			r.addUnexpected(sender, "a participant of the thread")
		}
		if id := m.at("id").String(); slices.Contains(ids, id) {
			r.addProblem("%s: %s is listed twice", m.at("id").path, id)
		} else {
			ids = append(ids, id)
		}
	}
	r.checkAscending(messages, "created_at")
	if len(messages) == 0 {
		r.addProblem("%s: got no messages", t.at("links.messages").path)
		return
	}
	last := messages[len(messages)-1]
	if summary := t.at("summary"); !strings.HasPrefix(last.at("body").str(), summary.str()) || !summary.is("text") {
		r.addUnexpected(summary, "the beginning of the latest message, %v", last.at("body"))
	}
	if !equalJSON(t.at("last_message_at"), last.at("created_at")) {
		r.addUnexpected(t.at("last_message_at"), "%v, the time of the latest message", last.at("created_at"))
	}
}

// checkMessage checks the fields of a message.
func (r *recorder) checkMessage(m value, thread string) {
	r.checkShape(m, "id text|integer", "thread_id text|integer", "sender_identity_user_id text|integer", "body string", "created_at string", "updated_at string|null")
	r.checkString(m.at("thread_id"), thread)
}

// checkThreadObjects compares the message threads of the dataset with the list of
// threads.
func (c *client) checkThreadObjects(rec *recorder) {
	d, ok := c.do(request{path: runtimePath}).object(rec)
	if !ok {
		return
	}
	threads, complete := c.records(threadsPath)
	listed := make(map[string]value)
	for _, t := range threads {
		listed[t.at("id").str()] = t
	}
	rec.eachItem(objectsOfType(d, "message_thread"), "message threads", func(o value) {
		t, found := listed[o.at("source.resource_id").str()]
		if !found {
			if complete {
				rec.addProblem("%s: the thread is not in the list of GET %s", label(o, "title"), threadsPath)
			}
			return
		}
		for _, key := range []string{"title", "summary"} {
			rec.checkString(o.at(key), t.at(key).str())
		}
		for _, key := range []string{"participant_count", "message_count", "unread_count", "last_message_at", "created_at", "updated_at"} {
			if got := o.at("state").at(key); !equalJSON(got, t.at(key)) {
				rec.addUnexpected(got, "%v as in GET %s", t.at(key), threadsPath)
			}
		}
	})
}
