package httpd

import (
	"net/http"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

// pageQuery selects a page of a list.
type pageQuery struct {
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// linked returns the page of a list with the URL of the next page, which is that of
// the request with another cursor.
func linked(r *http.Request, page svc.Page) svc.Page {
	page.Link(r.URL)
	return page
}

// linkedHistory returns the page of a history with the URL of the page before.
func linkedHistory(r *http.Request, page svc.HistoryPage) svc.HistoryPage {
	page.Link(r.URL)
	return page
}

func (s *Server) getConversations(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in pageQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.social.Conversations(tx, v, in.Limit, in.Cursor)
		list := make([]record.Conversation, len(page.Conversations))
		for i, c := range page.Conversations {
			list[i] = record.NewConversation(c)
		}
		return map[string]any{"conversations": list, "page": linked(r, page.Page)}, err
	})
}

// conversationResponse is the response to a change of a conversation.
type conversationResponse struct {
	Conversation record.Conversation `json:"conversation"`
	Refresh      refreshHint         `json:"refresh"`
}

func (s *Server) startConversation(tx *store.Tx, v svc.Viewer, in social.NewConversation) (any, error) {
	c, err := s.social.StartConversation(tx, v, in)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}

type conversationRequest struct {
	ID string `json:"-" path:"id"`
	social.ConversationChange
}

func (s *Server) updateConversation(tx *store.Tx, v svc.Viewer, in conversationRequest) (any, error) {
	c, err := s.social.UpdateConversation(tx, v, in.ID, in.ConversationChange)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}

type closeRequest struct {
	ID string `json:"-" path:"id"`
}

// closedResponse is the response to the closing of a conversation.
type closedResponse struct {
	conversationResponse
	Undo *record.Undo `json:"undo"` // null if the conversation was already closed
}

// closeConversation closes a conversation on DELETE. The replies are kept.
func (s *Server) closeConversation(tx *store.Tx, v svc.Viewer, in closeRequest) (any, error) {
	before, err := s.social.Conversation(tx, v, in.ID)
	if err != nil {
		return nil, err
	}
	c, err := s.social.UpdateConversation(tx, v, in.ID, social.ConversationChange{State: svc.Some("closed")})
	if err != nil {
		return nil, err
	}
	response := closedResponse{conversationResponse: conversationResponse{record.NewConversation(c), socialRefresh}}
	if before.State != c.State {
		response.Undo = record.UndoClosing(v.Language(), c)
	}
	return response, nil
}

// repliesQuery selects replies of a conversation. Peek is "1" to leave the read
// cursor unchanged.
type repliesQuery struct {
	ID     string `json:"-" path:"id"`
	Before string `json:"-" query:"before"`
	Limit  int    `json:"-" query:"limit"`
	Peek   string `json:"-" query:"peek"`
}

func (q repliesQuery) query() svc.HistoryQuery {
	return svc.HistoryQuery{Before: q.Before, Limit: q.Limit}
}

// openConversation responds with a conversation and marks its replies as read,
// unless the request pages back, peeks or is a prefetch.
func (s *Server) openConversation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	d, in, err := s.readDiscussion(r, v)
	if err != nil {
		return err
	}
	prefetch := strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") // Fetch, "Sec-Purpose"
	if d.HasUnread && r.Method == http.MethodGet && in.Before == "" && in.Peek != "1" && !prefetch {
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			d, err = s.social.OpenConversation(tx, v, in.ID, in.query())
			return err
		})
		if err != nil && !store.IsFull(err) { // reading works on a full disk
			return err
		}
	}
	d.Page.Link(r.URL)
	return writeJSON(w, http.StatusOK, record.NewDiscussion(d))
}

// getConversation responds with a conversation to another service. It marks
// nothing as read.
func (s *Server) getConversation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	d, _, err := s.readDiscussion(r, v)
	if err != nil {
		return err
	}
	d.Page.Link(r.URL)
	return writeJSON(w, http.StatusOK, record.NewDiscussion(d))
}

func (s *Server) getReplies(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	d, _, err := s.readDiscussion(r, v)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, repliesResponse{d.Replies, linkedHistory(r, d.Page)})
}

type repliesResponse struct {
	Replies svc.List[social.Reply] `json:"replies"`
	Page    svc.HistoryPage        `json:"page"`
}

// readDiscussion reads the conversation and the replies that a request selects.
func (s *Server) readDiscussion(r *http.Request, v svc.Viewer) (d social.Discussion, in repliesQuery, err error) {
	if err := decode(r, &in); err != nil {
		return d, in, err
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.social.Discussion(tx, v, in.ID, in.query())
		return err
	})
	return d, in, err
}

type replyRequest struct {
	ID string `json:"-" path:"id"`
	social.NewReply
}

func (s *Server) postReply(tx *store.Tx, v svc.Viewer, in replyRequest) (any, error) {
	reply, err := s.social.Reply(tx, v, in.ID, in.NewReply)
	return map[string]any{"reply": reply, "refresh": socialRefresh}, err
}

type conversationReadRequest struct {
	ID    string `json:"-" path:"id"`
	Reply string `json:"last_read_reply_id"` // "" for the last one
}

type unreadRequest struct {
	ID string `json:"-" path:"id"`
}

func (s *Server) markConversationUnread(tx *store.Tx, v svc.Viewer, in unreadRequest) (any, error) {
	c, err := s.social.MarkConversationUnread(tx, v, in.ID)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}

func (s *Server) markConversationRead(tx *store.Tx, v svc.Viewer, in conversationReadRequest) (any, error) {
	c, err := s.social.MarkConversationRead(tx, v, in.ID, in.Reply)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}
