package messages

import (
	"errors"
	"fmt"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Covers SH-26.
func TestExportHasAllMessagesOfTheMember(t *testing.T) {
	s := newServer(t)
	id := s.startThread(ann, bea, "Message 0")
	if err := s.fill(func(tx *store.Tx) error {
		for i := range thread.ExportBatch {
			if _, err := s.Send(tx, svc.Trust(bea), id, SendRequest{Body: fmt.Sprint("Message ", i+1)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.startThread(ann, cid, "For Cid")
	s.startThread(bea, cid, "Not for Ann")
	s.read(func(tx *store.Tx) error {
		var got []string
		err := s.ExportMessages(tx, ann, func(m Message) error { got = append(got, m.Body); return nil })
		if len(got) != thread.ExportBatch+2 || got[0] != "For Cid" || got[1] != fmt.Sprint("Message ", thread.ExportBatch) || got[len(got)-1] != "Message 0" {
			t.Errorf("got %d messages, from %q to %q; want %d, from For Cid to Message 0", len(got), got[0], got[len(got)-1], thread.ExportBatch+2)
		}
		return err
	})
}

func TestExportStopsAtTheFirstError(t *testing.T) {
	s := newServer(t)
	s.startThread(ann, bea, "x")
	s.startThread(ann, cid, "x")
	stop := errors.New("stop")
	s.read(func(tx *store.Tx) error {
		n := 0
		errThreads := s.ExportThreads(tx, ann, func(Thread) error { n++; return stop })
		errMessages := s.ExportMessages(tx, ann, func(Message) error { n++; return stop })
		if errThreads != stop || errMessages != stop || n != 2 {
			t.Errorf("got %v and %v after %d calls, want %v after 2", errThreads, errMessages, n, stop)
		}
		return nil
	})
}
