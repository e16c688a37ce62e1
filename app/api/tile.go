package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/tile"
)

// drawTimeout limits the drawing of a tile, including waiting.
const drawTimeout = 20 * time.Second

// tileStyles are the styles of the layers of tiles.
var tileStyles = map[string]tile.Style{"base": tile.Light, "base-dark": tile.Dark}

// tileRequest is a tile that a client requests.
type tileRequest struct {
	style tile.Style
	scale int
	id    tile.ID
}

// parseTile decodes the path of a tile: the layer, z, x and "{y}.png" or
// "{y}@2x.png". ok is false if there is no such tile.
func parseTile(r *http.Request) (q tileRequest, ok bool) {
	q.style, ok = tileStyles[r.PathValue("layer")]
	file, isPNG := strings.CutSuffix(r.PathValue("file"), ".png")
	q.scale = 1
	if name, isLarge := strings.CutSuffix(file, "@2x"); isLarge {
		file, q.scale = name, 2
	}
	ok = ok && isPNG
	for value, text := range map[*int]string{&q.id.Z: r.PathValue("z"), &q.id.X: r.PathValue("x"), &q.id.Y: file} {
		n, err := strconv.Atoi(text)
		*value = n
		ok = ok && err == nil && strconv.Itoa(n) == text // one address for each tile
	}
	return q, ok && q.id.Valid()
}

// key identifies the drawing of a version of the tile.
func (q tileRequest) key(version string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %v %s", q.style, q.scale, q.id, version)
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// getTile responds with a tile of the map.
func (s *Server) getTile(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	q, ok := parseTile(r)
	if !ok {
		return svc.Errorf(svc.NotFound, "There is no such map tile. Zooms are 0 to %d; x and y are less than 2 to the power of the zoom.", tile.MaxZoom)
	}
	var version string
	err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		version, err = s.Maps.TileVersion(tx, q.id)
		return err
	})
	if err != nil {
		return err
	}
	key := q.key(version)
	h := w.Header()
	h.Set("ETag", `"`+key+`"`)
	h.Set("Cache-Control", "private, max-age=86400")
	httpd.SetPrivate(h)
	if namesETag(r.Header.Get("If-None-Match"), key) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	data, ok := s.tiles.Get(key)
	if !ok {
		if data, err = s.drawTile(r.Context(), v, q, key); err != nil {
			h.Del("ETag")
			h.Del("Cache-Control")
			return err
		}
	}
	h.Set("Content-Type", "image/png")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	return nil
}

// namesETag reports whether an If-None-Match header has an ETag. The comparison is
// weak (RFC 9110 §13.1.2).
func namesETag(header, value string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(candidate), "W/") == `"`+value+`"` {
			return true
		}
	}
	return false
}

// drawTile draws a tile once for all requests that wait for it, and caches it. A client
// that disconnects does not end the drawing for the others.
func (s *Server) drawTile(ctx context.Context, v svc.Viewer, q tileRequest, key string) ([]byte, error) {
	done := s.drawings.DoChan(key, func() (_ any, err error) {
		defer func() { // a panic would end the process, because no request runs this function
			if v := recover(); v != nil {
				err = fmt.Errorf("drawing tile %v: panic: %v\n%s", q.id, v, store.PanicStack(v))
			}
		}()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawTimeout)
		defer cancel()
		release, err := s.draws.Acquire(ctx, v.String())
		if err != nil {
			return nil, err
		}
		defer release()
		if data, ok := s.tiles.Get(key); ok { // drawn while this request was waiting
			return data, nil
		}
		var sources [][]byte
		var labels []tile.Label
		var version string
		err = s.DB.Read(ctx, func(tx *store.Tx) (err error) {
			if version, err = s.Maps.TileVersion(tx, q.id); err != nil {
				return err
			}
			sources, labels, err = s.Maps.TileData(tx, q.id)
			return err
		})
		if err != nil {
			return nil, err
		}
		data, err := tile.Draw(q.style, q.scale, q.id, sources, labels)
		if err == nil && q.key(version) == key { // otherwise a region was imported meanwhile
			s.tiles.Put(key, data)
		}
		return data, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-done:
		data, _ := result.Val.([]byte)
		return data, result.Err
	}
}
