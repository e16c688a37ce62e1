package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/translate/picture"
)

// pictureOperations declares the operations on pictures of web pages.
func (s *Server) pictureOperations() []declaration {
	return []declaration{
		operation[struct{}, struct{}]{
			Request: "GET /world/pictures/{picture_id}", Service: "surface",
			Summary: "Read a picture of a page that a surface shows", Media: pageImageTypes, ETag: true, Errors: pictureErrors,
			Serve: s.getPicture,
		},
		operation[struct{}, struct{}]{
			Request: "GET /world/pictures/{picture_id}/thumb", Service: "surface",
			Summary: "Read a thumbnail of a picture", Media: pageImageTypes, ETag: true, Errors: pictureErrors,
			Serve: s.getThumb,
		},
	}
}

// pageImageTypes are the media types of the pictures that the server sends.
var pageImageTypes = []string{"image/jpeg", "image/png"}

var pictureErrors = []int{http.StatusFailedDependency, http.StatusUnprocessableEntity}

// getPicture responds with a picture of a page that a surface of the member shows. The
// server fetches it at the first request, so that the site learns nothing about the
// member.
func (s *Server) getPicture(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.sendPicture(w, r, v, s.Pictures.Picture, "")
}

// getThumb is getPicture for a thumbnail.
func (s *Server) getThumb(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.sendPicture(w, r, v, s.Pictures.Thumb, "-thumb")
}

// sendPicture responds with the result of load for a picture. variant distinguishes its
// ETag.
func (s *Server) sendPicture(w http.ResponseWriter, r *http.Request, v svc.Viewer, load func(context.Context, string) (*picture.Picture, error), variant string) error {
	var source string
	err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		source, err = s.Surface.PictureSource(tx, v, r.PathValue("picture_id"))
		return err
	})
	if err != nil {
		return err
	}
	if err := s.Rates.Take(limits.Pictures, v.String()); err != nil {
		return err
	}
	httpd.EndRead(w) // the site may be slow
	// The slot is held until the picture is sent, because it is in memory until then.
	release, err := s.pictureSends.Acquire(r.Context(), v.String())
	if err != nil {
		return err
	}
	defer release()
	p, err := load(r.Context(), source)
	if err != nil {
		s.cachePictureError(w, err)
		return pictureError(err)
	}
	// The id depends on the member: a hash of the address alone would confirm a guess.
	writePicture(w, r, r.PathValue("picture_id")+variant, p.Data)
	return nil
}

// cachePictureError lets the browser cache the error of a picture as long as its source is not
// fetched again, so that it does not repeat the request with each page.
func (s *Server) cachePictureError(w http.ResponseWriter, err error) {
	e, ok := errors.AsType[*picture.Error](err)
	if !ok || e.Until.IsZero() {
		return
	}
	if seconds := int(e.Until.Sub(s.DB.Now()).Seconds()); seconds > 0 {
		w.Header().Set("Cache-Control", fmt.Sprintf("private, max-age=%d", seconds))
	}
}

// pictureError converts an error of package picture to one for the member.
func pictureError(err error) error {
	e, ok := errors.AsType[*picture.Error](err)
	switch {
	case !ok:
		return err
	case e.Reason == picture.Busy:
		return limits.Unavailable()
	case e.Reason == picture.Unreachable:
		return svc.Errorf(svc.SourceFetchFailed, "The picture cannot be fetched from its site.").WithCause(err)
	}
	return svc.Errorf(svc.SourceNotSupported, "The picture cannot be shown: it is too large or damaged, or its format is not PNG, JPEG, GIF or WebP.").WithCause(err)
}
