package record

import (
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/thread"
	"appliance/world/action"
)

// MessageThread is a thread with its addresses. Schema:
// service.messages.thread.
type MessageThread struct {
	messages.Thread
	Links   ThreadLinks      `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// ThreadLinks are the addresses of a thread and of its messages.
type ThreadLinks struct {
	Self     string `json:"self"`
	Messages string `json:"messages"`
}

// newThreadLinks returns the addresses of a thread below a URL.
func newThreadLinks(url string, t thread.Thread) ThreadLinks {
	self := url + "/" + t.ID
	return ThreadLinks{self, self + "/messages"}
}

// NewMessageThread returns the record of t. The contract requires send_message in
// every thread, also in one that accepts no reply.
func NewMessageThread(t thread.Thread) MessageThread {
	links, actions := newThreadLinks(action.MessagesURL, t), action.Threads.URLs(t)
	actions["send_message"] = links.Messages
	return MessageThread{messages.NewThread(t), links, actions}
}

// Inbox is a page of a member's threads.
type Inbox struct {
	Threads     svc.List[MessageThread] `json:"threads"` // newest first
	Page        svc.Page                `json:"page"`
	UnreadTotal int64                   `json:"unread_total"`
	Actions     svc.Dict[string]        `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewInbox returns the record of in.
func NewInbox(in thread.List) Inbox {
	return Inbox{List(in.Threads, NewMessageThread), in.Page, in.UnreadTotal, action.NewThreads.URLs(struct{}{})}
}

// ThreadDetail is a thread with a page of its messages.
type ThreadDetail struct {
	Thread   MessageThread            `json:"thread"`
	Messages svc.List[thread.Message] `json:"messages"` // oldest first
	Page     svc.HistoryPage          `json:"page"`
	Actions  svc.Dict[string]         `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewThreadDetail returns the record of d.
func NewThreadDetail(d thread.Detail) ThreadDetail {
	t := NewMessageThread(d.Thread)
	return ThreadDetail{t, d.Messages, d.Page, t.Actions}
}

// SentMessage is a message that was sent, with its thread.
type SentMessage struct {
	Thread  MessageThread  `json:"thread"`
	Message thread.Message `json:"message"`
}

// NewSentMessage returns the record of s.
func NewSentMessage(s thread.Sent) SentMessage {
	return SentMessage{NewMessageThread(s.Thread), s.Message}
}

// SearchResult is a message that matches a search, with its thread.
type SearchResult struct {
	Thread  MessageThread  `json:"thread"`
	Message thread.Message `json:"message"`
	Excerpt string         `json:"excerpt"` // one line of the message, around the words that match
}

// SearchResults is a page of search results.
type SearchResults struct {
	Results svc.List[SearchResult] `json:"results"` // newest first
	Page    svc.Page               `json:"page"`
}

// NewSearchResults returns the records of r.
func NewSearchResults(r messages.SearchResults) SearchResults {
	return SearchResults{List(r.Results, func(f messages.SearchResult) SearchResult {
		return SearchResult{NewMessageThread(f.Thread), f.Message, f.Excerpt}
	}), r.Page}
}
