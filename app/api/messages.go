package api

import (
	"net/http"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/thread"
	"appliance/world/action"
	"appliance/world/panel"
	"appliance/world/record"
)

// messageOperations declares the operations on threads and their messages.
func (s *Server) messageOperations() []declaration {
	threads := s.Messages
	return []declaration{
		operation[searchQuery, threadList]{
			Action: action.NewThreads.Endpoint("search"), ServicePath: "/messages", Service: "messages",
			Summary: "List the threads, or search messages",
			Do:      s.listThreads,
		},
		operation[messages.StartRequest, record.SentMessage]{
			Action: action.NewThreads.Endpoint("start_thread"), ServicePath: "/messages", Service: "messages",
			Summary: "Send a message to a member", Status: http.StatusCreated, Errors: notFoundErrors,
			Do: s.startThread,
		},
		operation[historyQuery, record.ThreadDetail]{
			Action: action.Threads.Endpoint("open_thread"), ServicePath: "/messages/{id}", Service: "messages",
			Summary: "Read a thread, and mark its messages as read",
			Handle:  openHandler(s, threads.Peek, threads.Open, record.NewThreadDetail), DoForService: peekFunc(threads.Peek, record.NewThreadDetail),
		},
		operation[historyQuery, messagePage]{
			Request: "GET /world/messages/{id}/messages", Service: "messages",
			Summary: "List the messages of a thread",
			Do:      peekFunc(threads.Peek, newMessagePage),
		},
		operation[messageRequest, record.SentMessage]{
			Action: action.Threads.Endpoint("send_message"), ServicePath: "/messages/{id}/messages", Service: "messages",
			Summary: "Reply in a thread", Status: http.StatusCreated,
			Do: s.sendMessage,
		},
		operation[idRequest, threadResponse]{
			Action: action.Threads.Endpoint("mark_unread"), ServicePath: "/messages/{id}/unread", Service: "messages",
			Summary: "Mark a thread as unread",
			Do:      s.markThreadUnread,
		},
		operation[threadReadRequest, threadResponse]{
			Action: action.Threads.Endpoint("mark_read"), ServicePath: "/messages/{id}/read", Service: "messages",
			Summary: "Mark messages as read",
			Do:      s.markThreadRead,
		},
		operation[struct{}, struct{}]{
			Request: "POST /world/messages/{id}/participants", Service: "messages",
			Summary: "Always rejected: a thread has two participants", Status: noSuccess,
			Serve: s.addParticipant,
		},
		operation[panelQuery, panel.MessagesPanel]{
			Request: "GET " + action.MessagesPanelURL, Service: "messages",
			Summary: "Read the panel of Messages", Params: panelParameters, ETag: true, Errors: notFoundErrors,
			Serve: s.getMessagesPanel,
		},
		operation[struct{}, panel.Panel]{
			Request: "GET /world/panels/messages/rail", Service: "messages",
			Summary: "Read the threads for the side of a screen", Params: panelParameters, ETag: true,
			Serve: s.getMessagesRail,
		},

		// For clients with the service key.
		operation[struct{}, threadSources]{
			Request: "GET /messages/objects", Access: httpd.OnBehalf, Service: "messages",
			Do: s.listThreadSources,
		},
		operation[panelQuery, panel.MessagesPanel]{
			Request: "GET /runtime/panel/messages", Access: httpd.OnBehalf, Service: "messages",
			Do: s.readMessagesPanel,
		},
	}
}

type threadList = oneOf[record.Inbox, record.SearchResults]

// listThreads lists the threads of the member, or the messages that match a
// query.
func (s *Server) listThreads(tx *store.Tx, v svc.Viewer, in searchQuery) (threadList, error) {
	if in.Q != "" {
		found, err := s.Messages.Search(tx, v, in.Q, in.Limit, in.Cursor)
		return secondOf[record.Inbox](record.NewSearchResults(found)), err
	}
	inbox, err := s.Messages.List(tx, v, in.Limit, in.Cursor)
	return firstOf[record.Inbox, record.SearchResults](record.NewInbox(inbox)), err
}

type messagePage = struct {
	Messages svc.List[thread.Message] `json:"messages"`
	Page     svc.HistoryPage          `json:"page"`
}

func newMessagePage(d thread.Detail) messagePage { return messagePage{d.Messages, d.Page} }

func (s *Server) startThread(tx *store.Tx, v svc.Viewer, in messages.StartRequest) (record.SentMessage, error) {
	sent, err := s.Messages.Start(tx, v, in)
	return record.NewSentMessage(sent), action.WithGuidance(err)
}

type messageRequest struct {
	ID string `json:"-" path:"id"`
	messages.SendRequest
}

func (s *Server) sendMessage(tx *store.Tx, v svc.Viewer, in messageRequest) (record.SentMessage, error) {
	sent, err := s.Messages.Send(tx, v, in.ID, in.SendRequest)
	return record.NewSentMessage(sent), action.WithGuidance(err)
}

type threadReadRequest struct {
	ID      string `json:"-" path:"id"`
	Message string `json:"last_read_message_id"`
}

type threadResponse = struct {
	Thread record.MessageThread `json:"thread"`
}

func (s *Server) markThreadRead(tx *store.Tx, v svc.Viewer, in threadReadRequest) (threadResponse, error) {
	t, err := s.Messages.MarkRead(tx, v, in.ID, in.Message)
	return threadResponse{record.NewMessageThread(t)}, err
}

func (s *Server) markThreadUnread(tx *store.Tx, v svc.Viewer, in idRequest) (threadResponse, error) {
	t, err := s.Messages.MarkUnread(tx, v, in.ID)
	return threadResponse{record.NewMessageThread(t)}, err
}

// addParticipant responds with an error that suggests a conversation: a thread
// always has two participants.
func (s *Server) addParticipant(http.ResponseWriter, *http.Request, svc.Viewer) error {
	return action.WithGuidance(messages.ParticipantsFixed())
}

// panelQuery selects the thread and the page in the panel of Messages.
type panelQuery struct {
	Thread string `json:"-" query:"thread"`
	Before string `json:"-" query:"before"`
	Cursor string `json:"-" query:"cursor"`
}

// getMessagesPanel responds with the threads of the member and the selected one.
func (s *Server) getMessagesPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in panelQuery
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	return s.respondWithPanel(w, r, v, "messages", func(tx *store.Tx) (panelResult, error) {
		p, err := s.messagesPanel(tx, v, in, panel.ParseSections(r.URL.Query()))
		return s.withPresence(tx, v, p, err)
	})
}

func (s *Server) messagesPanel(tx *store.Tx, v svc.Viewer, in panelQuery, sections panel.SectionFilter) (p panel.MessagesPanel, err error) {
	inbox, err := s.Messages.List(tx, v, 0, in.Cursor)
	if err != nil {
		return p, err
	}
	var selected *thread.Detail
	if in.Thread != "" {
		d, err := s.Messages.Peek(tx, v, in.Thread, svc.HistoryQuery{Before: in.Before})
		if err != nil {
			return p, err
		}
		selected = &d
	}
	p = panel.NewMessagesPanel(v.Language(), inbox, selected)
	return p, p.Complete(tx, s.Social, v, sections)
}

// readMessagesPanel returns the panel for another service, with the possible recipients.
func (s *Server) readMessagesPanel(tx *store.Tx, v svc.Viewer, in panelQuery) (p panel.MessagesPanel, err error) {
	if p, err = s.messagesPanel(tx, v, in, panel.SectionFilter{}); err != nil {
		return p, err
	}
	hidden, err := s.Social.Hidden(tx, v.Member())
	if err != nil {
		return p, err
	}
	directory, err := s.Identity.Directory(tx, v, identity.DirectoryQuery{Hidden: hidden, Limit: svc.MaxLimit})
	p.Members = directory.Members
	return p, err
}

// maxRailThreads is the number of threads in the rail beside other content.
const maxRailThreads = 20

func (s *Server) getMessagesRail(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.respondWithPanel(w, r, v, "messages/rail", func(tx *store.Tx) (panelResult, error) {
		inbox, err := s.Messages.List(tx, v, maxRailThreads, "")
		if err != nil {
			return panelResult{}, err
		}
		p := panel.NewMessagesRail(v.Language(), inbox)
		p.SelectSections(panel.ParseSections(r.URL.Query()))
		return s.withPresence(tx, v, p, panel.CompleteActors(tx, s.Social, v, p.Sections))
	})
}

// threadSources are the objects of Messages for another service that composes a
// dataset.
type threadSources struct {
	Service   string           `json:"service"`
	Objects   messages.Sources `json:"objects"`
	Truncated bool             `json:"truncated"`
}

func (s *Server) listThreadSources(tx *store.Tx, v svc.Viewer, _ struct{}) (threadSources, error) {
	list, truncated, err := s.Messages.Sources(tx, v)
	return threadSources{"messages", list, truncated}, err
}
