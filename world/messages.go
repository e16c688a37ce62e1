package world

import (
	"errors"

	"appliance/svc"
	"appliance/svc/messages"
)

// threadsURL is where the first message to somebody is sent to, and below
// which threads are.
const threadsURL = "/world/messages"

// MessageThread is a thread with the addresses where it is read and written
// to. Schema: service.messages.thread.
type MessageThread struct {
	messages.Thread
	Links   ThreadLinks      `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // open_thread is for GET, send_message for POST
}

// ThreadLinks are addresses of a thread.
type ThreadLinks struct {
	Self     string `json:"self"`
	Messages string `json:"messages"`
}

// NewMessageThread returns the thread as World shows it.
func NewMessageThread(t messages.Thread) MessageThread { return threadAt(threadsURL, t) }

// threadAt returns a thread that is below an address.
func threadAt(base string, t messages.Thread) MessageThread {
	self := base + "/" + t.ID
	messages := self + "/messages"
	return MessageThread{t, ThreadLinks{self, messages}, svc.Dict[string]{"open_thread": self, "send_message": messages}}
}

// threadsAt returns threads that are below an address.
func threadsAt(base string, threads []messages.Thread) svc.List[MessageThread] {
	list := make(svc.List[MessageThread], len(threads))
	for i, t := range threads {
		list[i] = threadAt(base, t)
	}
	return list
}

// Inbox is a page of a member's threads (B-49).
type Inbox struct {
	Threads     svc.List[MessageThread] `json:"threads"` // the latest first
	Page        svc.Page                `json:"page"`
	UnreadTotal int64                   `json:"unread_total"`
	Actions     svc.Dict[string]        `json:"actions"`
}

// NewInbox returns the inbox as World shows it.
func NewInbox(in messages.Inbox) Inbox {
	return Inbox{threadsAt(threadsURL, in.Threads), in.Page, in.UnreadTotal, svc.Dict[string]{"start_thread": threadsURL}}
}

// ThreadDetail is a thread with some of its messages (B-49).
type ThreadDetail struct {
	Thread   MessageThread              `json:"thread"`
	Messages svc.List[messages.Message] `json:"messages"` // the oldest first
	Page     messages.HistoryPage       `json:"page"`
	Actions  svc.Dict[string]           `json:"actions"`
}

// NewThreadDetail returns the detail as World shows it.
func NewThreadDetail(d messages.Detail) ThreadDetail {
	t := NewMessageThread(d.Thread)
	return ThreadDetail{t, d.Messages, d.Page, svc.Dict[string]{"send_message": t.Links.Messages, "mark_read": markRead(t)}}
}

// markRead is where a member says that they have read a thread.
func markRead(t MessageThread) string { return t.Links.Self + "/read" }

// Sent is a message that was sent.
type Sent struct {
	Thread  MessageThread    `json:"thread"`
	Message messages.Message `json:"message"`
}

// NewSent returns it as World shows it.
func NewSent(s messages.Sent) Sent { return Sent{NewMessageThread(s.Thread), s.Message} }

// Found is a message that was looked for.
type Found struct {
	Thread  MessageThread    `json:"thread"`
	Message messages.Message `json:"message"`
	Excerpt string           `json:"excerpt"` // a line of its text
}

// Results is a page of messages that were looked for.
type Results struct {
	Results svc.List[Found] `json:"results"` // the latest first
	Page    svc.Page        `json:"page"`
}

// NewResults returns them as World shows them.
func NewResults(r messages.SearchResults) Results {
	list := make(svc.List[Found], len(r.Results))
	for i, f := range r.Results {
		list[i] = Found{NewMessageThread(f.Thread), f.Message, f.Excerpt}
	}
	return Results{list, r.Page}
}

// useSocial leads to where more than two people talk (B-53).
var useSocial = &svc.Guidance{
	Kind: "use_social", Targets: svc.List[string]{"community", "conversation", "event"},
	Actions: svc.List[svc.GuidanceAction]{
		{Label: "New conversation", Type: "social.conversation.create", Method: "POST", URL: "/world/social/conversations"},
		{Label: "New community", Type: "social.community.create", Method: "POST", URL: "/world/social/communities"},
		{Label: "New event", Type: "social.event.create", Method: "POST", URL: "/world/social/events"},
	},
}

// Guided returns err with what to do instead, where another service can.
func Guided(err error) error {
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != svc.ParticipantsFixed {
		return err
	}
	guided := *e
	guided.Guidance = useSocial
	return &guided
}

// recent is how many of the latest threads the context of messages names.
const recent = 20

// maxThreads is how many threads a dataset has, the latest ones.
const maxThreads = 300

// messages brings in threads.
func (c *composer) messages(m *messages.Service) error {
	latest, more, err := m.Versions(c.tx, c.viewer, maxThreads)
	if err != nil {
		return err
	}
	entries, err := c.threadEntries(m, latest)
	if err != nil {
		return err
	}
	c.entries = append(c.entries, entries...)
	if more {
		c.fallback("degraded", Scope{Kind: "service", Service: "messages"}, "truncated", "There are more threads than are shown.", false)
	}
	start := c.available(Action{
		ActionID: c.names.action("messages_start", "", c.viewer.Member()), Type: "start_thread", Label: newThread, Target: Target{Kind: "workspace"},
		Command: Command{URL: threadsURL, Method: "POST"}, Controls: threadControls(),
	})
	if err := c.act(start); err != nil {
		return err
	}
	ctx := Context{
		ContextID: "ctx_messages", Kind: "messages", Label: "Messages", Target: Target{Kind: "workspace"},
		ActionIDs: svc.List[string]{start.ActionID},
	}
	for _, e := range entries[:min(recent, len(entries))] {
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: e.id, Label: e.label, Target: Target{Kind: "object", WorldObjectID: e.id}, ActionIDs: e.actionIDs,
		})
	}
	return c.context(ctx)
}

// threadEntries returns the objects of threads with the actions on them: those
// of the last time, and those that have changed.
func (c *composer) threadEntries(m *messages.Service, latest []svc.Version) ([]*entry, error) {
	people := c.revisions.Of(svc.BlocksTopic) // another one once a partner may be called otherwise, or cannot reply
	var missing []string
	for _, v := range latest {
		if key := (entryKey{v.ID, v.Version, people}); c.before.made[key] == nil {
			missing = append(missing, v.ID)
		}
	}
	threads := make(map[string]messages.Thread, len(missing))
	if len(missing) > 0 {
		list, err := m.ThreadsByID(c.tx, c.viewer, missing)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			threads[t.ID] = t
		}
	}
	list := make([]*entry, len(latest))
	for i, v := range latest {
		var err error
		if list[i], err = c.entry(entryKey{v.ID, v.Version, people}, func() (*entry, error) {
			return c.makeThreadEntry(NewMessageThread(threads[v.ID]))
		}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *composer) makeThreadEntry(t MessageThread) (*entry, error) {
	source := Source{Kind: "service", Service: "messages", ResourceType: "thread", ResourceID: t.ID}
	id, member := c.names.object(source), c.viewer.Member()
	target := Target{Kind: "object", WorldObjectID: id}
	actions := []Action{c.available(Action{
		ActionID: c.names.action("messages_open", t.ID, member), Type: "open_thread", Label: "Open", Target: target,
		Command: Command{URL: t.Actions["open_thread"], Method: "GET"},
	})}
	if t.CanReply {
		actions = append(actions, c.available(Action{
			ActionID: c.names.action("messages_send", t.ID, member), Type: "send_message", Label: sendMessage, Target: target,
			Command: Command{URL: t.Actions["send_message"], Method: "POST"}, Controls: svc.List[Control]{messageBody()},
		}))
	}
	return c.encodeEntry(Object{
		WorldObjectID: id, ObjectType: t.Type, Source: source, Title: t.Title, Summary: t.Summary,
		State: svc.Map{
			"participants": t.Participants, "participant_count": t.ParticipantCount, "message_count": t.MessageCount,
			"unread_count": t.UnreadCount, "last_message_at": t.LastMessageAt, "created_at": t.CreatedAt, "updated_at": t.UpdatedAt,
		},
		Permissions: Permissions{CanView: true, CanReply: t.CanReply},
	}, actions)
}

// What writing is called.
const (
	newThread   = "New message"
	sendMessage = "Send message"
)

// threadControls are the values of a first message.
func threadControls() svc.List[Control] {
	return svc.List[Control]{{ID: "recipient", Type: "text", Label: "To", Required: true, Default: "", MaxLength: svc.MaxTitle}, messageBody()}
}

func messageBody() Control {
	return Control{ID: "body", Type: "textarea", Label: "Message", Required: true, Default: "", MaxLength: svc.MaxBody}
}
