package api

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// dmOperations declares the operations on direct messages.
func (s *Server) dmOperations() []declaration {
	return []declaration{
		operation[pageQuery, record.SocialDMs]{
			Request: "GET /world/social/dms", ServicePath: "/social/dms", Service: "social",
			Summary: "List the direct messages",
			Do:      s.listDMs,
		},
		operation[social.NewDM, dmResponse]{
			Action: action.Social.Endpoint("start_dm"), ServicePath: "/social/dms", Service: "social",
			Summary: "Send a direct message to a member", Status: http.StatusCreated, Errors: notFound,
			Do: s.startDM,
		},
		operation[historyQuery, record.SocialDMDetail]{
			Action: action.DMs.Endpoint("open_thread"), ServicePath: "/social/dms/{id}", Service: "social",
			Summary: "Read direct messages, and mark them as read",
			Handle:  s.openDM, DoForService: s.readDM,
		},
		operation[historyQuery, dmMessagePage]{
			Request: "GET /world/social/dms/{id}/messages", ServicePath: "/social/dms/{id}/messages", Service: "social",
			Summary: "List direct messages",
			Do:      s.listDMMessages,
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

func (s *Server) listDMs(tx *store.Tx, v svc.Viewer, in pageQuery) (record.SocialDMs, error) {
	page, err := s.social.DMs(tx, v, in.Limit, in.Cursor)
	return record.NewSocialDMs(page), err
}

// openDM returns a DM and marks its messages as read.
func (s *Server) openDM(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in historyQuery) (record.SocialDMDetail, error) {
	d, err := open(s, r, v, in, s.social.PeekDM, s.social.OpenDM)
	return record.NewSocialDMDetail(d), err
}

func (s *Server) readDM(tx *store.Tx, v svc.Viewer, in historyQuery) (record.SocialDMDetail, error) {
	d, err := s.social.PeekDM(tx, v, in.ID, in.query())
	return record.NewSocialDMDetail(d), err
}

type dmMessagePage = struct {
	Messages svc.List[social.DMMessage] `json:"messages"`
	Page     svc.HistoryPage            `json:"page"`
}

func (s *Server) listDMMessages(tx *store.Tx, v svc.Viewer, in historyQuery) (dmMessagePage, error) {
	d, err := s.social.PeekDM(tx, v, in.ID, in.query())
	return dmMessagePage{d.Messages, d.Page}, err
}

// dmResponse is the response to a write in a DM.
type dmResponse struct {
	DM      record.SocialDM   `json:"dm"`
	Message *social.DMMessage `json:"message,omitzero"`
	Refresh refreshHint       `json:"refresh"`
}

func (s *Server) startDM(tx *store.Tx, v svc.Viewer, in social.NewDM) (dmResponse, error) {
	sent, err := s.social.StartDM(tx, v, in)
	return dmResponse{record.NewSocialDM(sent.DM), &sent.Message, socialRefresh}, action.WithGuidance(err)
}

type dmMessageRequest struct {
	ID   string `json:"-" path:"id"`
	Body string `json:"body"`
}

func (s *Server) sendDM(tx *store.Tx, v svc.Viewer, in dmMessageRequest) (dmResponse, error) {
	sent, err := s.social.SendDM(tx, v, in.ID, in.Body)
	return dmResponse{record.NewSocialDM(sent.DM), &sent.Message, socialRefresh}, action.WithGuidance(err)
}

type dmReadRequest struct {
	ID      string `json:"-" path:"id"`
	Message string `json:"last_read_message_id"`
}

func (s *Server) markDMUnread(tx *store.Tx, v svc.Viewer, in idRequest) (dmResponse, error) {
	d, err := s.social.MarkDMUnread(tx, v, in.ID)
	return dmResponse{DM: record.NewSocialDM(d), Refresh: socialRefresh}, err
}

func (s *Server) markDMRead(tx *store.Tx, v svc.Viewer, in dmReadRequest) (dmResponse, error) {
	d, err := s.social.MarkDMRead(tx, v, in.ID, in.Message)
	return dmResponse{DM: record.NewSocialDM(d), Refresh: socialRefresh}, err
}
