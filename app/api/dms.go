package api

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/world/action"
	"appliance/world/record"
)

// dmOperations declares the operations on direct messages.
func (s *Server) dmOperations() []declaration {
	dms := s.Social.DMs
	return []declaration{
		operation[svc.PageQuery, record.SocialDMs]{
			Request: "GET /world/social/dms", ServicePath: "/social/dms", Service: "social",
			Summary: "List the direct messages",
			Do:      s.listDMs,
		},
		operation[social.NewDM, dmResponse]{
			Action: action.Social.Endpoint("start_dm"), ServicePath: "/social/dms", Service: "social",
			Summary: "Send a direct message to a member", Status: http.StatusCreated, Errors: notFoundErrors,
			Do: s.startDM,
		},
		operation[historyQuery, record.SocialDMDetail]{
			Action: action.DMs.Endpoint("open_thread"), ServicePath: "/social/dms/{id}", Service: "social",
			Summary: "Read direct messages, and mark them as read",
			Handle:  openHandler(s, dms.Peek, dms.Open, record.NewSocialDMDetail), DoForService: peekFunc(dms.Peek, record.NewSocialDMDetail),
		},
		operation[historyQuery, dmMessagePage]{
			Request: "GET /world/social/dms/{id}/messages", ServicePath: "/social/dms/{id}/messages", Service: "social",
			Summary: "List direct messages",
			Do:      peekFunc(dms.Peek, newDMMessagePage),
		},
		operation[dmMessageRequest, dmResponse]{
			Action: action.DMs.Endpoint("send_message"), ServicePath: "/social/dms/{id}/messages", Service: "social",
			Summary: "Reply to direct messages", Status: http.StatusCreated,
			Do: s.sendDM,
		},
		operation[idRequest, dmResponse]{
			Action: action.DMs.Endpoint("mark_unread"), ServicePath: "/social/dms/{id}/unread", Service: "social",
			Summary: "Mark direct messages as unread",
			Do:      s.markDMUnread,
		},
		operation[dmReadRequest, dmResponse]{
			Action: action.DMs.Endpoint("mark_read"), ServicePath: "/social/dms/{id}/read", Service: "social",
			Summary: "Mark direct messages as read",
			Do:      s.markDMRead,
		},
	}
}

func (s *Server) listDMs(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (record.SocialDMs, error) {
	page, err := s.Social.DMs.List(tx, v, in.Limit, in.Cursor)
	return record.NewSocialDMs(page), err
}

type dmMessagePage = struct {
	Messages svc.List[record.DMMessage] `json:"messages"`
	Page     svc.HistoryPage            `json:"page"`
}

func newDMMessagePage(d thread.Detail) dmMessagePage {
	return dmMessagePage{record.List(d.Messages, record.NewDMMessage), d.Page}
}

// dmResponse is the response to a write in a DM.
type dmResponse struct {
	DM      record.SocialDM   `json:"dm"`
	Message *record.DMMessage `json:"message,omitzero"`
	Refresh refreshHint       `json:"refresh"`
}

// newSentDM returns the response to a message that was sent.
func newSentDM(sent thread.Sent) dmResponse {
	message := record.NewDMMessage(sent.Message)
	return dmResponse{record.NewSocialDM(sent.Thread), &message, socialRefresh}
}

func (s *Server) startDM(tx *store.Tx, v svc.Viewer, in social.NewDM) (dmResponse, error) {
	sent, err := s.Social.StartDM(tx, v, in)
	return newSentDM(sent), action.WithGuidance(err)
}

type dmMessageRequest struct {
	ID   string `json:"-" path:"id"`
	Body string `json:"body"`
}

func (s *Server) sendDM(tx *store.Tx, v svc.Viewer, in dmMessageRequest) (dmResponse, error) {
	sent, err := s.Social.DMs.Send(tx, v, in.ID, in.Body)
	return newSentDM(sent), action.WithGuidance(err)
}

type dmReadRequest struct {
	ID      string `json:"-" path:"id"`
	Message string `json:"last_read_message_id"`
}

func (s *Server) markDMUnread(tx *store.Tx, v svc.Viewer, in idRequest) (dmResponse, error) {
	d, err := s.Social.DMs.MarkUnread(tx, v, in.ID)
	return dmResponse{DM: record.NewSocialDM(d), Refresh: socialRefresh}, err
}

func (s *Server) markDMRead(tx *store.Tx, v svc.Viewer, in dmReadRequest) (dmResponse, error) {
	d, err := s.Social.DMs.MarkRead(tx, v, in.ID, in.Message)
	return dmResponse{DM: record.NewSocialDM(d), Refresh: socialRefresh}, err
}
