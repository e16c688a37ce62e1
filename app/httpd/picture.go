package httpd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
)

// pictureTimeout limits the reading of a picture, including waiting.
const pictureTimeout = 30 * time.Second

// getPicture responds with a picture of a page that a surface of the member shows. It
// is read at the first request, so that the site learns nothing about the member.
func (s *Server) getPicture(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	id := r.PathValue("picture_id")
	var source string
	err := s.readFor(r.Context(), v, func(tx *store.Tx) (err error) {
		source, err = s.surface.PictureSource(tx, v, id)
		return err
	})
	if err != nil {
		return err
	}
	data, ok := s.pictures.Get(id)
	if !ok {
		if err := s.rates.Take(limits.Pictures, v.String()); err != nil {
			return err
		}
		if data, err = s.readPicture(r.Context(), id, source); err != nil {
			return err
		}
	}
	hash := sha256.Sum256(data)
	h := w.Header()
	h.Set("ETag", `"`+hex.EncodeToString(hash[:8])+`"`)
	h.Set("Cache-Control", "private, max-age=86400")
	setPrivate(h)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Type", http.DetectContentType(data)) // JPEG or PNG, which this server has encoded
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	return nil
}

// readPicture reads a picture once for all requests that wait for it, and caches it.
func (s *Server) readPicture(ctx context.Context, id, source string) ([]byte, error) {
	return shareResult(ctx, &s.reading, id, pictureTimeout, func(ctx context.Context) ([]byte, error) {
		data, err := s.pictureReader.Read(ctx, source)
		if err != nil {
			return nil, svc.Errorf(svc.SourceFetchFailed, "The picture cannot be read from its site.").WithCause(err)
		}
		s.pictures.Put(id, data)
		return data, nil
	})
}
