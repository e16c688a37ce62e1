package api

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// conversationOperations declares the operations on conversations.
func (s *Server) conversationOperations() []declaration {
	return []declaration{
		operation[svc.PageQuery, conversationPage]{
			Request: "GET /world/social/conversations", ServicePath: "/social/conversations", Service: "social",
			Summary: "List the conversations",
			Do:      s.listConversations,
		},
		operation[social.NewConversation, conversationResponse]{
			Action: action.Social.Endpoint("create_conversation"), ServicePath: "/social/conversations", Service: "social",
			Summary: "Start a conversation", Status: http.StatusCreated, Errors: notFoundErrors,
			Do: s.startConversation,
		},
		operation[historyQuery, record.Discussion]{
			Action: action.Conversations.Endpoint("open"), ServicePath: "/social/conversations/{id}", Service: "social",
			Summary: "Read a conversation, and mark its replies as read",
			Handle:  openHandler(s, s.Social.Discussion, s.Social.OpenConversation, record.NewDiscussion), DoForService: peekFunc(s.Social.Discussion, record.NewDiscussion),
		},
		operation[conversationRequest, conversationResponse]{
			Action: action.Conversations.Endpoint("update"), ServicePath: "/social/conversations/{id}", Service: "social",
			Summary: "Change a conversation",
			Do:      s.updateConversation,
		},
		operation[idRequest, closedResponse]{
			Action: action.Conversations.Endpoint("close"), ServicePath: "/social/conversations/{id}", Service: "social",
			Summary: "Close a conversation",
			Do:      s.closeConversation,
		},
		operation[idRequest, conversationResponse]{
			Action: action.Conversations.Endpoint("mark_unread"), ServicePath: "/social/conversations/{id}/unread", Service: "social",
			Summary: "Mark a conversation as unread",
			Do:      s.markConversationUnread,
		},
		operation[conversationReadRequest, conversationResponse]{
			Action: action.Conversations.Endpoint("mark_read"), ServicePath: "/social/conversations/{id}/read", Service: "social",
			Summary: "Mark replies as read",
			Do:      s.markConversationRead,
		},
		operation[historyQuery, repliesResponse]{
			Request: "GET /world/social/conversations/{id}/replies", ServicePath: "/social/conversations/{id}/messages", Service: "social",
			Summary: "List the replies of a conversation",
			Do:      s.listReplies,
		},
		operation[replyRequest, replyResponse]{
			Action: action.Conversations.Endpoint("reply"), ServicePath: "/social/conversations/{id}/messages", Service: "social",
			Summary: "Reply in a conversation", Status: http.StatusCreated,
			Do: s.postReply,
		},
	}
}

type conversationPage = struct {
	Conversations svc.List[record.Conversation] `json:"conversations"`
	Page          svc.Page                      `json:"page"`
}

func (s *Server) listConversations(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (conversationPage, error) {
	page, err := s.Social.Conversations(tx, v, in.Limit, in.Cursor)
	return conversationPage{record.List(page.Conversations, record.NewConversation), page.Page}, err
}

// conversationResponse is the response to a change of a conversation.
type conversationResponse struct {
	Conversation record.Conversation `json:"conversation"`
	Refresh      refreshHint         `json:"refresh"`
}

func (s *Server) startConversation(tx *store.Tx, v svc.Viewer, in social.NewConversation) (conversationResponse, error) {
	c, err := s.Social.StartConversation(tx, v, in)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}

type conversationRequest struct {
	ID string `json:"-" path:"id"`
	social.ConversationChange
}

func (s *Server) updateConversation(tx *store.Tx, v svc.Viewer, in conversationRequest) (conversationResponse, error) {
	c, err := s.Social.UpdateConversation(tx, v, in.ID, in.ConversationChange)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}

// closedResponse is the response to the closing of a conversation.
type closedResponse struct {
	conversationResponse
	Undo *record.Undo `json:"undo"` // null if the conversation was already closed
}

// closeConversation closes a conversation. The replies are kept.
func (s *Server) closeConversation(tx *store.Tx, v svc.Viewer, in idRequest) (out closedResponse, err error) {
	before, err := s.Social.Conversation(tx, v, in.ID)
	if err != nil {
		return out, err
	}
	c, err := s.Social.UpdateConversation(tx, v, in.ID, social.ConversationChange{State: svc.Some(social.ConversationClosed)})
	if err != nil {
		return out, err
	}
	out.conversationResponse = conversationResponse{record.NewConversation(c), socialRefresh}
	if before.State != c.State {
		out.Undo = record.UndoClosing(v.Language(), c)
	}
	return out, nil
}

type repliesResponse struct {
	Replies svc.List[social.Reply] `json:"replies"`
	Page    svc.HistoryPage        `json:"page"`
}

func (s *Server) listReplies(tx *store.Tx, v svc.Viewer, in historyQuery) (repliesResponse, error) {
	d, err := s.Social.Discussion(tx, v, in.ID, in.query())
	return repliesResponse{d.Replies, d.Page}, err
}

type replyRequest struct {
	ID string `json:"-" path:"id"`
	social.NewReply
}

type replyResponse = struct {
	Refresh refreshHint  `json:"refresh"`
	Reply   social.Reply `json:"reply"`
}

func (s *Server) postReply(tx *store.Tx, v svc.Viewer, in replyRequest) (replyResponse, error) {
	reply, err := s.Social.Reply(tx, v, in.ID, in.NewReply)
	return replyResponse{socialRefresh, reply}, err
}

type conversationReadRequest struct {
	ID    string `json:"-" path:"id"`
	Reply string `json:"last_read_reply_id"` // "" for the last one
}

func (s *Server) markConversationUnread(tx *store.Tx, v svc.Viewer, in idRequest) (conversationResponse, error) {
	c, err := s.Social.MarkConversationUnread(tx, v, in.ID)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}

func (s *Server) markConversationRead(tx *store.Tx, v svc.Viewer, in conversationReadRequest) (conversationResponse, error) {
	c, err := s.Social.MarkConversationRead(tx, v, in.ID, in.Reply)
	return conversationResponse{record.NewConversation(c), socialRefresh}, err
}
