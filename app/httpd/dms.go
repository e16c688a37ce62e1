package httpd

import (
	"net/http"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

func (s *Server) getDMs(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in pageQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.social.DMs(tx, v, in.Limit, in.Cursor)
		page.Page.Link(r.URL)
		return record.NewSocialDMs(page), err
	})
}

// dmQuery selects messages of a DM. Peek is "1" to leave the read cursor
// unchanged.
type dmQuery struct {
	ID     string `json:"-" path:"id"`
	Before string `json:"-" query:"before"`
	Limit  int    `json:"-" query:"limit"`
	Peek   string `json:"-" query:"peek"`
}

// openDM responds with a DM and marks its messages as read, unless the request
// pages back, peeks or is a prefetch.
func (s *Server) openDM(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in dmQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	d, err := s.peekDM(r, v, in)
	if err != nil {
		return err
	}
	prefetch := strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch")
	if d.HasUnread && r.Method == http.MethodGet && in.Before == "" && in.Peek != "1" && !prefetch {
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			d, err = s.social.OpenDM(tx, v, in.ID, svc.HistoryQuery{Limit: in.Limit})
			return err
		})
		if err != nil && !store.IsFull(err) { // reading works on a full disk
			return err
		}
	}
	d.Page.Link(r.URL)
	return writeJSON(w, http.StatusOK, record.NewSocialDMDetail(d))
}

// peekDM reads a DM without marking it as read.
func (s *Server) peekDM(r *http.Request, v svc.Viewer, in dmQuery) (d social.DMDetail, err error) {
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.social.PeekDM(tx, v, in.ID, svc.HistoryQuery{Before: in.Before, Limit: in.Limit})
		return err
	})
	return d, err
}

// getDM responds with a DM to another service. It marks nothing as read.
func (s *Server) getDM(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in dmQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	d, err := s.peekDM(r, v, in)
	if err != nil {
		return err
	}
	d.Page.Link(r.URL)
	return writeJSON(w, http.StatusOK, record.NewSocialDMDetail(d))
}

func (s *Server) getDMMessages(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in dmQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	d, err := s.peekDM(r, v, in)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"messages": svc.List[social.DMMessage](d.Messages), "page": linkedHistory(r, d.Page)})
}

// dmResponse is the response to a write in a DM.
type dmResponse struct {
	DM      record.SocialDM   `json:"dm"`
	Message *social.DMMessage `json:"message,omitzero"`
	Refresh refreshHint       `json:"refresh"`
}

func (s *Server) startDM(tx *store.Tx, v svc.Viewer, in social.NewDM) (any, error) {
	sent, err := s.social.StartDM(tx, v, in)
	return dmResponse{record.NewSocialDM(sent.DM), &sent.Message, socialRefresh}, action.WithGuidance(err)
}

type dmMessageRequest struct {
	ID   string `json:"-" path:"id"`
	Body string `json:"body"`
}

func (s *Server) sendDM(tx *store.Tx, v svc.Viewer, in dmMessageRequest) (any, error) {
	sent, err := s.social.SendDM(tx, v, in.ID, in.Body)
	return dmResponse{record.NewSocialDM(sent.DM), &sent.Message, socialRefresh}, action.WithGuidance(err)
}

type dmReadRequest struct {
	ID      string `json:"-" path:"id"`
	Message string `json:"last_read_message_id"`
}

func (s *Server) markDMUnread(tx *store.Tx, v svc.Viewer, in idRequest) (any, error) {
	d, err := s.social.MarkDMUnread(tx, v, in.ID)
	return dmResponse{DM: record.NewSocialDM(d), Refresh: socialRefresh}, err
}

func (s *Server) markDMRead(tx *store.Tx, v svc.Viewer, in dmReadRequest) (any, error) {
	d, err := s.social.MarkDMRead(tx, v, in.ID, in.Message)
	return dmResponse{DM: record.NewSocialDM(d), Refresh: socialRefresh}, err
}
