package httpd

import (
	"net/http"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

// latestQuery is a query for a list that begins with the latest.
type latestQuery struct {
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

func (s *Server) getConversations(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in latestQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.social.Conversations(tx, v, in.Limit, in.Cursor)
		list := make([]record.Conversation, len(page.Conversations))
		for i, c := range page.Conversations {
			list[i] = record.NewConversation(c)
		}
		return map[string]any{"conversations": list, "page": page.Page}, err
	})
}

// conversationAnswer is the answer to whatever changes a conversation.
type conversationAnswer struct {
	Conversation record.Conversation `json:"conversation"`
	Refresh      refresh             `json:"refresh"`
}

func (s *Server) beginConversation(tx *store.Tx, v svc.Viewer, in social.NewConversation) (any, error) {
	c, err := s.social.StartConversation(tx, v, in)
	return conversationAnswer{record.NewConversation(c), socialRefresh}, err
}

type conversationChange struct {
	ID string `json:"-" path:"id"`
	social.ConversationChange
}

func (s *Server) updateConversation(tx *store.Tx, v svc.Viewer, in conversationChange) (any, error) {
	c, err := s.social.UpdateConversation(tx, v, in.ID, in.ConversationChange)
	return conversationAnswer{record.NewConversation(c), socialRefresh}, err
}

type conversationClosing struct {
	ID string `json:"-" path:"id"`
}

// closeConversation is what DELETE does: what was said stays.
func (s *Server) closeConversation(tx *store.Tx, v svc.Viewer, in conversationClosing) (any, error) {
	c, err := s.social.UpdateConversation(tx, v, in.ID, social.ConversationChange{State: svc.Some("closed")})
	return conversationAnswer{record.NewConversation(c), socialRefresh}, err
}

// repliesQuery is a query for the replies of a conversation.
type repliesQuery struct {
	ID     string `json:"-" path:"id"`
	Before string `json:"-" query:"before"`
	Limit  int    `json:"-" query:"limit"`
	Peek   string `json:"-" query:"peek"`
}

func (q repliesQuery) query() svc.HistoryQuery {
	return svc.HistoryQuery{Before: q.Before, Limit: q.Limit}
}

// openConversation shows a conversation to somebody, who has read then what is
// shown of it: all but what pages back, or is not looked at (B-50).
func (s *Server) openConversation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	d, in, err := s.discussion(r, v)
	if err != nil {
		return err
	}
	ahead := strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") // Fetch, "Sec-Purpose"
	if d.HasUnread && r.Method == http.MethodGet && in.Before == "" && in.Peek != "1" && !ahead {
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			d, err = s.social.OpenConversation(tx, v, in.ID, in.query())
			return err
		})
		if err != nil && !store.IsFull(err) { // a full disk is no reason not to read
			return err
		}
	}
	return reply(w, http.StatusOK, record.NewDiscussion(d))
}

// getConversation shows a conversation to another service.
func (s *Server) getConversation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	d, _, err := s.discussion(r, v)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, record.NewDiscussion(d))
}

func (s *Server) getReplies(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	d, _, err := s.discussion(r, v)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, repliesAnswer{d.Replies, d.Page})
}

type repliesAnswer struct {
	Replies svc.List[social.Reply] `json:"replies"`
	Page    svc.HistoryPage        `json:"page"`
}

// discussion reads what a request asks for, and nothing of it counts as read.
func (s *Server) discussion(r *http.Request, v svc.Viewer) (d social.Discussion, in repliesQuery, err error) {
	if err := decode(r, &in); err != nil {
		return d, in, err
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.social.Discussion(tx, v, in.ID, in.query())
		return err
	})
	return d, in, err
}

type newReply struct {
	ID string `json:"-" path:"id"`
	social.NewReply
}

func (s *Server) postReply(tx *store.Tx, v svc.Viewer, in newReply) (any, error) {
	said, err := s.social.Reply(tx, v, in.ID, in.NewReply)
	return map[string]any{"reply": said, "refresh": socialRefresh}, err
}

type conversationMark struct {
	ID    string `json:"-" path:"id"`
	Reply string `json:"last_read_reply_id"` // "" for the latest
}

func (s *Server) readConversation(tx *store.Tx, v svc.Viewer, in conversationMark) (any, error) {
	c, err := s.social.MarkConversationRead(tx, v, in.ID, in.Reply)
	return conversationAnswer{record.NewConversation(c), socialRefresh}, err
}
