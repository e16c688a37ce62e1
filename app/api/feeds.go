package api

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"appliance/app/httpd"
	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/world/action"
)

// calendarLinkOperations declares the operations that exchange a calendar with other
// programs.
func (s *Server) calendarLinkOperations() []declaration {
	return []declaration{
		operation[idRequest, calendarImported]{
			Action: action.CalendarLinks.Endpoint("import"), Service: "time",
			Summary: "Import an iCalendar file", Bodies: []string{"text/calendar"},
			Serve: s.importCalendar, Traits: httpd.Traits{ReceivesBody: true},
		},
		operation[idRequest, struct{}]{
			Action: action.CalendarLinks.Endpoint("open_export"), Service: "time",
			Summary: "Export a calendar", Media: []string{"text/calendar"}, ETag: true, Errors: []int{http.StatusUnprocessableEntity},
			Serve: s.exportCalendar,
		},
		operation[idRequest, feedResponse]{
			Request: "GET /world/calendars/{id}/feed", Service: "time",
			Summary: "Read when the link to the calendar was created",
			Do:      s.readCalendarFeed,
		},
		operation[feedRequest, newFeedResponse]{
			Action: action.CalendarLinks.Endpoint("create_feed"), Service: "time",
			Summary: "Create the link to the calendar", Status: http.StatusCreated,
			Handle: s.createCalendarFeed,
		},
		operation[idRequest, deletion]{
			Action: action.CalendarLinks.Endpoint("delete_feed"), Service: "time",
			Summary: "Remove the link to the calendar",
			Handle:  s.deleteCalendarFeed,
		},
		operation[struct{}, struct{}]{
			Request: "GET /feeds/{file}", Access: httpd.Foreign, Service: "time", Media: []string{"text/calendar"},
			Serve: s.getFeed,
		},
	}
}

type feedResponse = struct {
	Feed *calendar.Feed `json:"feed"` // null if the calendar has none
}

func (s *Server) readCalendarFeed(tx *store.Tx, v svc.Viewer, in idRequest) (feedResponse, error) {
	f, err := s.Calendar.Feed(tx, v, in.ID)
	return feedResponse{f}, err
}

type feedRequest struct {
	ID    string               `json:"-" path:"id"`
	Shows calendar.FeedContent `json:"shows"` // details if it is absent
}

type newFeedResponse = struct {
	Feed calendar.Feed `json:"feed"`
}

// createCalendarFeed creates a feed. It is not idempotent, because the database would store
// the response with the secret link.
func (s *Server) createCalendarFeed(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in feedRequest) (newFeedResponse, error) {
	return commit(s, r, func(tx *store.Tx) (newFeedResponse, error) {
		f, err := s.Calendar.CreateFeed(tx, v, in.ID, in.Shows)
		return newFeedResponse{f}, err
	})
}

func (s *Server) deleteCalendarFeed(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (deletion, error) {
	err := s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Calendar.DeleteFeed(tx, v, in.ID) })
	return deletion{true}, err
}

// exportCalendar responds with a calendar of the member as iCalendar.
func (s *Server) exportCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.writeCalendar(w, r, v.String(), func(tx *store.Tx) (svc.Viewer, calendar.FeedSource, error) {
		return v, calendar.FeedSource{CalendarID: r.PathValue("id")}, nil
	})
}

// getFeed responds with the calendar of a feed link. The link has a rate limit of its own,
// because any number of clients may know it, and they must not use up the limit of the member.
func (s *Server) getFeed(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	client := s.ClientKey(r)
	if err := s.LimitReadsBy(w, r, client); err != nil {
		return err
	}
	secret, _ := strings.CutSuffix(r.PathValue("file"), ".ics")
	r = s.WithWork(r, "link "+secret)
	return s.writeCalendar(w, r, client, func(tx *store.Tx) (v svc.Viewer, source calendar.FeedSource, err error) {
		source, err = s.Calendar.FeedBySecret(tx, secret)
		if err == nil {
			v, err = s.Identity.OnBehalf(tx, source.Member)
		}
		if err != nil {
			return v, source, httpd.ErrNotFound // also for the feed of a disabled member
		}
		s.CountWork(w, "link "+secret)
		return v, source, err
	})
}

// writeCalendar responds with the calendar that find returns, as the owner sees it if
// Shows is "". key identifies the client in the limit of exports.
func (s *Server) writeCalendar(w http.ResponseWriter, r *http.Request, key string, find func(*store.Tx) (svc.Viewer, calendar.FeedSource, error)) error {
	release, err := s.exports.Acquire(r.Context(), key)
	if err != nil {
		return err
	}
	defer release()
	spool := &svc.Spool{Dir: s.Settings.Data}
	defer spool.Close()
	var name, etag string
	unchanged := false
	err = s.DB.Read(svc.WithTransferWork(r.Context()), func(tx *store.Tx) error {
		v, source, err := find(tx)
		if err != nil {
			return err
		}
		c, err := s.Calendar.Calendar(tx, v, source.CalendarID)
		if err != nil {
			return err
		}
		name, etag = c.Name, calendar.StreamETag(tx, c, source.Shows)
		if unchanged = namesETag(r.Header.Get("If-None-Match"), strings.Trim(etag, `"`)); unchanged {
			return nil
		}
		return s.Calendar.WriteStream(tx, v, c.ID, source.Shows, svc.WorkOf(tx.Context()).Writer(spool, 1))
	})
	if err != nil {
		return exportError(err)
	}
	source, err := spool.Reader()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("ETag", "W/"+etag) // weak, so that the response can be compressed
	h.Set("Cache-Control", "private, no-cache")
	httpd.SetPrivate(h)
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": transfer.FileName(name) + ".ics"}))
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(source, 0, spool.Len()))
	return nil
}
