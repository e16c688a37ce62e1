package api

import (
	"errors"
	"net/http/httptest"
	"syscall"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// testRecord is a history with a text; it is unread if the text is not empty.
type testRecord struct{ text string }

func (r testRecord) IsUnread() bool { return r.text != "" }

// If the disk is full, a record that cannot be marked as read is returned without the mark.
// Other errors are reported. Requests that page back, peek or prefetch mark nothing.
func TestOpenedRecordIsShownOnAFullDisk(t *testing.T) {
	db, _ := storetest.Open(t)
	s := &Server{Dependencies: Dependencies{DB: db}}
	other := errors.New("other")
	for name, c := range map[string]struct {
		query   historyQuery
		purpose string // header Sec-Purpose
		read    string
		fails   error // of mark
		want    string
		wantErr error
	}{
		"unread":        {read: "old", want: "marked"},
		"full disk":     {read: "old", fails: syscall.ENOSPC, want: "old"},
		"another error": {read: "old", fails: other, wantErr: other},
		"read before":   {read: ""},
		"earlier page":  {query: historyQuery{Before: "x"}, read: "old", want: "old"},
		"peek":          {query: historyQuery{Peek: "1"}, read: "old", want: "old"},
		"prefetch":      {purpose: "prefetch", read: "old", want: "old"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("Sec-Purpose", c.purpose)
			got, err := open(s, r, svc.Viewer{}, c.query,
				func(*store.Tx, svc.Viewer, string, svc.HistoryQuery) (testRecord, error) {
					return testRecord{c.read}, nil
				},
				func(*store.Tx, svc.Viewer, string, svc.HistoryQuery) (testRecord, error) {
					if c.fails != nil {
						return testRecord{}, c.fails
					}
					return testRecord{"marked"}, nil
				})
			if !errors.Is(err, c.wantErr) || err == nil && got.text != c.want {
				t.Errorf("got %q and %v, want %q and %v", got.text, err, c.want, c.wantErr)
			}
		})
	}
}
