package api

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/world/dataset"
)

// panelResult is a panel and the time at which it changes without a write, zero for
// never.
type panelResult struct {
	panel   any
	expires time.Time
}

// respondWithPanel responds with the panel of a service that read returns, or with 304 if
// the client has the current one, which needs no read. name identifies the panel: the
// service, and a part of it after a slash. Everything that the panel shows
// must be recorded by [store.Tx.Touch] when it changes, or be in panelResult.expires.
func (s *Server) respondWithPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer, name string, read func(*store.Tx) (panelResult, error)) error {
	service, _, _ := strings.Cut(name, "/")
	q := dataset.NewPanelRequest(r.URL.Query(), r.Header.Get("If-None-Match"))
	a, err := s.World.Respond(r.Context(), v, q, "panel "+name, func(tx *store.Tx) (dataset.Result, error) {
		result, err := read(tx)
		if err != nil {
			return dataset.Result{}, err
		}
		text, err := svc.EncodeJSON(result.panel)
		expires := tx.Now().Add(dataset.Validity)
		expiring := []string{}
		if !result.expires.IsZero() && result.expires.Before(expires) {
			expires, expiring = result.expires, []string{service}
		}
		return dataset.Result{Body: bytes.NewBuffer(text), Expires: expires, Expiring: expiring}, err
	})
	if err != nil {
		return err
	}
	return writeDataset(w, a)
}

// withPresence returns the result of reading the panel p, which shows the presence of
// members.
func (s *Server) withPresence(tx *store.Tx, v svc.Viewer, p any, err error) (panelResult, error) {
	if err != nil {
		return panelResult{}, err
	}
	expires, err := s.Social.PresenceExpires(tx, v)
	return panelResult{p, expires}, err
}

// respondWithHashedPanel responds with a panel that depends on more than the database. Its
// ETag is a hash of its text, so it is read each time.
func (s *Server) respondWithHashedPanel(w http.ResponseWriter, r *http.Request, read func(*store.Tx) (any, error)) error {
	var text []byte
	err := s.DB.Read(r.Context(), func(tx *store.Tx) error {
		panel, err := read(tx)
		if err != nil {
			return err
		}
		text, err = svc.EncodeJSON(panel)
		return err
	})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	tag := fmt.Sprintf("%x", sum[:16])
	return writeDataset(w, dataset.Response{
		ETag: `W/"` + tag + `"`, NotModified: namesETag(r.Header.Get("If-None-Match"), tag), Body: bytes.NewBuffer(text),
	})
}
