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

// getThreads lists the member's threads, or the messages with the words of a
// query.
func (s *Server) getThreads(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Q      string `json:"-" query:"q"`
		Limit  int    `json:"-" query:"limit"`
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		if in.Q != "" {
			found, err := s.messages.Search(tx, v, in.Q, in.Limit, in.Cursor)
			return record.NewResults(found), err
		}
		inbox, err := s.messages.Inbox(tx, v, in.Limit, in.Cursor)
		return record.NewInbox(inbox), err
	})
}

// messagesQuery is a query for the messages of a thread.
type messagesQuery struct {
	ID     string `json:"-" path:"id"`
	Before string `json:"-" query:"before"`
	Limit  int    `json:"-" query:"limit"`
	Peek   string `json:"-" query:"peek"`
}

func (q messagesQuery) query() svc.HistoryQuery {
	return svc.HistoryQuery{Before: q.Before, Limit: q.Limit}
}

// openThread shows a thread to its member, who has read then what is shown of
// it: all but what pages back, or is not looked at (B-50). It is the one GET
// that writes, if there is something to write.
func (s *Server) openThread(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	in, d, err := s.peek(r, v)
	if err != nil {
		return err
	}
	ahead := strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") // Fetch, "Sec-Purpose"
	if d.HasUnread && r.Method == http.MethodGet && in.Before == "" && in.Peek != "1" && !ahead {
		var opened messages.Detail
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			opened, err = s.messages.Open(tx, v, in.ID, in.query())
			return err
		})
		switch {
		case err == nil:
			d = opened
		case !store.IsFull(err): // a full disk is no reason not to read
			return err
		}
	}
	return reply(w, http.StatusOK, record.NewThreadDetail(d))
}

// peek reads what a request is about.
func (s *Server) peek(r *http.Request, v svc.Viewer) (in messagesQuery, d messages.Detail, err error) {
	if err = decode(r, &in); err != nil {
		return in, d, err
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.messages.Peek(tx, v, in.ID, in.query())
		return err
	})
	return in, d, err
}

// getThread shows a thread to another service.
func (s *Server) getThread(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	_, d, err := s.peek(r, v)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, record.NewThreadDetail(d))
}

// getMessages lists the messages of a thread.
func (s *Server) getMessages(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	_, d, err := s.peek(r, v)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]any{"messages": svc.List[messages.Message](d.Messages), "page": d.Page})
}

func (s *Server) startThread(tx *store.Tx, v svc.Viewer, in messages.StartRequest) (any, error) {
	sent, err := s.messages.Start(tx, v, in)
	return record.NewSent(sent), action.WithGuidance(err)
}

type newMessage struct {
	ID string `json:"-" path:"id"`
	messages.SendRequest
}

func (s *Server) sendMessage(tx *store.Tx, v svc.Viewer, in newMessage) (any, error) {
	sent, err := s.messages.Send(tx, v, in.ID, in.SendRequest)
	return record.NewSent(sent), action.WithGuidance(err)
}

type readMark struct {
	ID      string `json:"-" path:"id"`
	Message string `json:"last_read_message_id"`
}

func (s *Server) readThread(tx *store.Tx, v svc.Viewer, in readMark) (any, error) {
	t, err := s.messages.MarkRead(tx, v, in.ID, in.Message)
	return map[string]any{"thread": record.NewMessageThread(t)}, err
}

// addParticipant tells whoever tries where more than two can talk (B-53).
func (s *Server) addParticipant(http.ResponseWriter, *http.Request, svc.Viewer) error {
	return action.WithGuidance(messages.ParticipantsFixed())
}

// panelQuery is what a member looks at in the panel of Messages.
type panelQuery struct {
	Thread string `json:"-" query:"thread"`
	Before string `json:"-" query:"before"`
	Cursor string `json:"-" query:"cursor"`
}

// getMessagesPanel answers with the member's threads, and one of them.
func (s *Server) getMessagesPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in panelQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.messagesPanel(tx, v, in) })
}

func (s *Server) messagesPanel(tx *store.Tx, v svc.Viewer, in panelQuery) (p panel.MessagesPanel, err error) {
	inbox, err := s.messages.Inbox(tx, v, 0, in.Cursor)
	if err != nil || in.Thread == "" {
		return panel.NewMessagesPanel(inbox, nil), err
	}
	d, err := s.messages.Peek(tx, v, in.Thread, svc.HistoryQuery{Before: in.Before})
	return panel.NewMessagesPanel(inbox, &d), err
}

// getMessagesPanelSource is the panel for whoever has the service key: it says
// who may be written to as well.
func (s *Server) getMessagesPanelSource(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in panelQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		p, err := s.messagesPanel(tx, v, in)
		if err != nil {
			return nil, err
		}
		hidden, err := s.social.Hidden(tx, v.Member())
		if err != nil {
			return nil, err
		}
		who, err := s.identity.Directory(tx, v, identity.DirectoryQuery{Hidden: hidden, Limit: svc.MaxLimit})
		p.Members = who.Members
		return p, err
	})
}

// railThreads is how many threads stand beside something else.
const railThreads = 20

func (s *Server) getMessagesRail(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		inbox, err := s.messages.Inbox(tx, v, railThreads, "")
		return panel.NewMessagesRail(inbox), err
	})
}

// threadSources is what Messages offers to whoever composes a dataset.
type threadSources struct {
	Service   string           `json:"service"`
	Objects   messages.Sources `json:"objects"`
	Truncated bool             `json:"truncated"` // there is more
}

func (s *Server) getThreadSources(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, cut, err := s.messages.Sources(tx, v)
		return threadSources{"messages", list, cut}, err
	})
}
