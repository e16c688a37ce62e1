package httpd

import (
	"net/http"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/world/action"
	"appliance/world/panel"
	"appliance/world/record"
)

// threadsQuery selects threads, or messages that match Q.
type threadsQuery struct {
	Q      string `json:"-" query:"q"`
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// getThreads lists the threads of the member, or the messages that match a
// query.
func (s *Server) getThreads(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in threadsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		if in.Q != "" {
			found, err := s.messages.Search(tx, v, in.Q, in.Limit, in.Cursor)
			found.Page.Link(r.URL)
			return record.NewSearchResults(found), err
		}
		inbox, err := s.messages.Inbox(tx, v, in.Limit, in.Cursor)
		inbox.Page.Link(r.URL)
		return record.NewInbox(inbox), err
	})
}

// messagesQuery selects messages of a thread. Peek is "1" to leave the read
// cursor unchanged.
type messagesQuery struct {
	ID     string `json:"-" path:"id"`
	Before string `json:"-" query:"before"`
	Limit  int    `json:"-" query:"limit"`
	Peek   string `json:"-" query:"peek"`
}

func (q messagesQuery) query() svc.HistoryQuery {
	return svc.HistoryQuery{Before: q.Before, Limit: q.Limit}
}

// openThread responds with a thread and marks its messages as read, unless the
// request pages back, peeks or is a prefetch.
func (s *Server) openThread(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	in, d, err := s.readThreadPage(r, v)
	if err != nil {
		return err
	}
	prefetch := strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") // Fetch, "Sec-Purpose"
	if d.HasUnread && r.Method == http.MethodGet && in.Before == "" && in.Peek != "1" && !prefetch {
		var opened messages.Detail
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			opened, err = s.messages.Open(tx, v, in.ID, in.query())
			return err
		})
		switch {
		case err == nil:
			d = opened
		case !store.IsFull(err): // reading works on a full disk
			return err
		}
	}
	d.Page.Link(r.URL)
	return writeJSON(w, http.StatusOK, record.NewThreadDetail(d))
}

// readThreadPage reads the messages that a request selects. It marks nothing as
// read.
func (s *Server) readThreadPage(r *http.Request, v svc.Viewer) (in messagesQuery, d messages.Detail, err error) {
	if err = decode(r, &in); err != nil {
		return in, d, err
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.messages.Peek(tx, v, in.ID, in.query())
		return err
	})
	return in, d, err
}

// getThread responds with a thread to another service. It marks nothing as read.
func (s *Server) getThread(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	_, d, err := s.readThreadPage(r, v)
	if err != nil {
		return err
	}
	d.Page.Link(r.URL)
	return writeJSON(w, http.StatusOK, record.NewThreadDetail(d))
}

// getMessages lists the messages of a thread.
func (s *Server) getMessages(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	_, d, err := s.readThreadPage(r, v)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"messages": svc.List[messages.Message](d.Messages), "page": linkedHistory(r, d.Page)})
}

func (s *Server) startThread(tx *store.Tx, v svc.Viewer, in messages.StartRequest) (any, error) {
	sent, err := s.messages.Start(tx, v, in)
	return record.NewSentMessage(sent), action.WithGuidance(err)
}

type messageRequest struct {
	ID string `json:"-" path:"id"`
	messages.SendRequest
}

func (s *Server) sendMessage(tx *store.Tx, v svc.Viewer, in messageRequest) (any, error) {
	sent, err := s.messages.Send(tx, v, in.ID, in.SendRequest)
	return record.NewSentMessage(sent), action.WithGuidance(err)
}

type threadReadRequest struct {
	ID      string `json:"-" path:"id"`
	Message string `json:"last_read_message_id"`
}

func (s *Server) markThreadRead(tx *store.Tx, v svc.Viewer, in threadReadRequest) (any, error) {
	t, err := s.messages.MarkRead(tx, v, in.ID, in.Message)
	return map[string]any{"thread": record.NewMessageThread(t)}, err
}

func (s *Server) markThreadUnread(tx *store.Tx, v svc.Viewer, in idRequest) (any, error) {
	t, err := s.messages.MarkUnread(tx, v, in.ID)
	return map[string]any{"thread": record.NewMessageThread(t)}, err
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
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.respondWithPanel(w, r, v, "messages", func(tx *store.Tx) (panelResult, error) {
		p, err := s.messagesPanel(tx, v, in, panel.ParseSections(r.URL.Query()))
		return s.withPresence(tx, v, p, err)
	})
}

func (s *Server) messagesPanel(tx *store.Tx, v svc.Viewer, in panelQuery, sections panel.SectionFilter) (p panel.MessagesPanel, err error) {
	inbox, err := s.messages.Inbox(tx, v, 0, in.Cursor)
	if err != nil {
		return p, err
	}
	var selected *messages.Detail
	if in.Thread != "" {
		d, err := s.messages.Peek(tx, v, in.Thread, svc.HistoryQuery{Before: in.Before})
		if err != nil {
			return p, err
		}
		selected = &d
	}
	p = panel.NewMessagesPanel(v.Language(), inbox, selected)
	return p, p.Complete(tx, s.social, v, sections)
}

// getMessagesPanelSource responds with the panel to another service, including
// the possible recipients.
func (s *Server) getMessagesPanelSource(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in panelQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		p, err := s.messagesPanel(tx, v, in, panel.SectionFilter{})
		if err != nil {
			return nil, err
		}
		hidden, err := s.social.Hidden(tx, v.Member())
		if err != nil {
			return nil, err
		}
		directory, err := s.identity.Directory(tx, v, identity.DirectoryQuery{Hidden: hidden, Limit: svc.MaxLimit})
		p.Members = directory.Members
		return p, err
	})
}

// railThreads is the number of threads in the rail beside other content.
const railThreads = 20

func (s *Server) getMessagesRail(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.respondWithPanel(w, r, v, "messages/rail", func(tx *store.Tx) (panelResult, error) {
		inbox, err := s.messages.Inbox(tx, v, railThreads, "")
		if err != nil {
			return panelResult{}, err
		}
		p := panel.NewMessagesRail(v.Language(), inbox)
		p.SelectSections(panel.ParseSections(r.URL.Query()))
		return s.withPresence(tx, v, p, panel.CompleteActors(tx, s.social, v, p.Sections))
	})
}

// threadSources are the objects of Messages for another service that composes a
// dataset.
type threadSources struct {
	Service   string           `json:"service"`
	Objects   messages.Sources `json:"objects"`
	Truncated bool             `json:"truncated"`
}

func (s *Server) getThreadSources(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, truncated, err := s.messages.Sources(tx, v)
		return threadSources{"messages", list, truncated}, err
	})
}
