package httpd

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
)

// exportCalendar responds with a calendar of the member as iCalendar.
func (s *Server) exportCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.writeCalendar(w, r, v.String(), func(tx *store.Tx) (svc.Viewer, string, error) { return v, r.PathValue("id"), nil })
}

// getFeed responds with the calendar of a feed link. The link has a rate limit of its own, so
// that its clients, whose number the member does not know, cannot use up that of the member.
func (s *Server) getFeed(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	client := s.clientKey(r)
	if err := s.limitReadsBy(w, r, client); err != nil {
		return err
	}
	secret, _ := strings.CutSuffix(r.PathValue("file"), ".ics")
	r = s.withWork(r, "link "+secret)
	defer s.countWork(w, "link "+secret)()
	return s.writeCalendar(w, r, client, func(tx *store.Tx) (v svc.Viewer, id string, err error) {
		member, id, err := s.calendar.FeedBySecret(tx, secret)
		if err == nil {
			v, err = s.identity.OnBehalf(tx, member)
		}
		if err != nil {
			err = errNotFound // also for the feed of a disabled member
		}
		return v, id, err
	})
}

// writeCalendar responds with the calendar that find returns. key identifies
// the client in the limit of exports.
func (s *Server) writeCalendar(w http.ResponseWriter, r *http.Request, key string, find func(*store.Tx) (svc.Viewer, string, error)) error {
	release, err := s.exports.Acquire(r.Context(), key)
	if err != nil {
		return err
	}
	defer release()
	spool := &svc.Spool{Dir: s.settings.Data}
	defer spool.Close()
	var name, etag string
	unchanged := false
	err = s.db.Read(svc.WithTransferWork(r.Context()), func(tx *store.Tx) error {
		v, id, err := find(tx)
		if err != nil {
			return err
		}
		c, err := s.calendar.Calendar(tx, v, id)
		if err != nil {
			return err
		}
		name, etag = c.Name, "W/"+calendar.StreamETag(tx, c) // weak, so that the response can be compressed
		if unchanged = r.Header.Get("If-None-Match") == etag; unchanged {
			return nil
		}
		return s.calendar.WriteStream(tx, v, id, svc.WorkOf(tx.Context()).Writer(spool, 1))
	})
	if err != nil {
		return exportError(err)
	}
	source, err := spool.Reader()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("ETag", etag)
	h.Set("Cache-Control", "private, no-cache")
	setPrivate(h)
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": transfer.FileName(name) + ".ics"}))
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(source, 0, spool.Len()))
	return nil
}
