package api

import (
	"net/http"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// historyQuery selects messages of a thread, a DM or a conversation. Peek is "1" to leave
// the read cursor unchanged.
type historyQuery struct {
	ID     string `json:"-" path:"id"`
	Before string `json:"-" query:"before"`
	Limit  int    `json:"-" query:"limit"`
	Peek   string `json:"-" query:"peek"`
}

func (q historyQuery) query() svc.HistoryQuery {
	return svc.HistoryQuery{Before: q.Before, Limit: q.Limit}
}

// history is a record with some of its messages.
type history interface {
	// IsUnread reports whether opening the record marks messages as read.
	IsUnread() bool
}

// historyFunc reads or opens a record with a page of its messages.
type historyFunc[H any] = func(*store.Tx, svc.Viewer, string, svc.HistoryQuery) (H, error)

// openHandler returns the handler that opens a record. convert converts the record to the
// response.
func openHandler[H history, R any](s *Server, read, mark historyFunc[H], convert func(H) R) func(http.ResponseWriter, *http.Request, svc.Viewer, historyQuery) (R, error) {
	return func(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in historyQuery) (R, error) {
		h, err := open(s, r, v, in, read, mark)
		return convert(h), err
	}
}

// peekFunc returns the function that reads a record without marking its messages as read.
func peekFunc[H, R any](read historyFunc[H], convert func(H) R) func(*store.Tx, svc.Viewer, historyQuery) (R, error) {
	return func(tx *store.Tx, v svc.Viewer, in historyQuery) (R, error) {
		h, err := read(tx, v, in.ID, in.query())
		return convert(h), err
	}
}

// open returns the record that read returns. Unless the request pages back, peeks or is a
// prefetch, mark marks these messages as read and returns the record.
func open[H history](s *Server, r *http.Request, v svc.Viewer, in historyQuery, read, mark historyFunc[H]) (h H, err error) {
	err = s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		h, err = read(tx, v, in.ID, in.query())
		return err
	})
	prefetch := strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") // Fetch, "Sec-Purpose"
	if err != nil || !h.IsUnread() || r.Method != http.MethodGet || in.Before != "" || in.Peek == "1" || prefetch {
		return h, err
	}
	var marked H
	err = s.DB.Write(r.Context(), func(tx *store.Tx) (err error) {
		marked, err = mark(tx, v, in.ID, in.query())
		return err
	})
	if store.IsFull(err) { // reading works on a full disk
		return h, nil
	}
	return marked, err
}
