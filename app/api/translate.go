package api

import (
	"context"
	"errors"
	"net/http"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/compat"
)

// translateRequest is a request to translate the web page that a surface shows. The
// address of the page is that of the stored finding.
type translateRequest struct {
	Surface string `json:"-" path:"surface_id"`
	Refresh bool   `json:"refresh"`
}

// translate reads the page of a surface and responds with the surfaces that show it.
func (s *Server) translate(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.answerTranslation(w, r, v, s.replayArrangement, func(tx *store.Tx, workspace *surface.Workspace, original surface.Surface, result world.PreviewResult) (any, error) {
		return s.surfaceResult(tx, v, compat.ShortCommandResponse{Status: "ok", SurfaceID: original.SurfaceID, Translation: &result}, workspace, nil)
	})
}

// translateForService is translate for clients with the service key, whose response
// contains no URLs of World.
func (s *Server) translateForService(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.answerTranslation(w, r, v, nil, func(_ *store.Tx, workspace *surface.Workspace, original surface.Surface, result world.PreviewResult) (any, error) {
		return serviceSurfaceResponse{Status: "ok", Translation: &result, Surface: &original, Runtime: workspace.Runtime()}, nil
	})
}

// answerTranslation reads the page of a surface, outside of transactions, and stores its
// translation. respond returns the response.
func (s *Server) answerTranslation(w http.ResponseWriter, r *http.Request, v svc.Viewer, replay replayFunc,
	respond func(*store.Tx, *surface.Workspace, surface.Surface, world.PreviewResult) (any, error)) error {
	var in translateRequest
	body, err := httpd.DecodeBody(r, &in, nil)
	if err != nil {
		return err
	}
	stored, ok, err := s.Idempotency.Find(r.Context(), v, writeRequest(r, v, body, replay))
	if err != nil {
		return err
	}
	if ok {
		return httpd.WriteBody(w, stored.Status, stored.Body)
	}
	p := &world.Preview{SurfaceID: in.Surface, Refresh: in.Refresh}
	release, err := s.readPage(r.Context(), v, p)
	if err != nil {
		return err
	}
	defer release()
	show := func(tx *store.Tx) (any, error) {
		workspace, original, result, err := s.World.ShowPreview(tx, v, p)
		if err != nil {
			return nil, err
		}
		return respond(tx, workspace, original, result)
	}
	written, err := s.doOnce(r, v, body, http.StatusOK, show, replay)
	if err != nil {
		return err
	}
	return httpd.WriteBody(w, written.Status, written.Body)
}

// readPage reads the page of a preview, unless it is translated already. If that fails,
// it stores the reason in the surface. Other previews of the surface wait until the
// caller has stored the translation and calls release, so that they need not read the
// page.
func (s *Server) readPage(ctx context.Context, v svc.Viewer, p *world.Preview) (release func(), err error) {
	release, err = s.translations.Acquire(ctx, v.String()+" "+p.SurfaceID)
	if err != nil {
		return nil, err
	}
	if err := s.readNewPage(ctx, v, p); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// readNewPage is readPage for a caller that has the slot of the surface.
func (s *Server) readNewPage(ctx context.Context, v svc.Viewer, p *world.Preview) error {
	var address string
	err := s.ReadFor(ctx, v, func(tx *store.Tx) (err error) {
		address, err = s.World.FindPage(tx, v, p)
		return err
	})
	if err != nil || address == "" {
		return err
	}
	// The slot is held while the page is in memory.
	release, err := s.previews.Acquire(ctx, v.String())
	if err != nil {
		return err
	}
	defer release()
	if err := s.Rates.Take(limits.Previews, v.String()); err != nil {
		return err
	}
	err = s.World.ReadPage(ctx, v, p, address)
	if e, ok := errors.AsType[*svc.Error](err); ok && ctx.Err() == nil {
		failed := s.DB.Write(ctx, func(tx *store.Tx) error { return s.Surface.TranslationFailed(tx, v, p.SurfaceID, e) })
		if failed != nil && svc.KindOf(failed) == svc.Internal { // else the surface is gone
			s.Log.Error("recording that a page could not be read", "err", failed)
		}
	}
	return err
}
