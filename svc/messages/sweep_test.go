package messages

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// addMembers adds members m0, m1, … from id 5 on.
func (s *server) addMembers(n int) {
	s.Helper()
	var names []string
	for i := range n {
		name := fmt.Sprint("m", i)
		id := svc.MemberID(5 + i)
		names = append(names, name)
		s.services.people[id] = svc.Person{ID: id, Username: name, DisplayName: fmt.Sprint("M", i)}
	}
	storetest.AddMembers(s, s.db, names...)
}

// deleteMember deletes a member.
func (s *server) deleteMember(member svc.MemberID) {
	s.Helper()
	delete(s.services.people, member)
	for more := true; more; {
		if err := s.write(func(tx *store.Tx) error {
			threads, err := s.DeleteData(tx, member, 1)
			more = threads > 0
			return err
		}); err != nil {
			s.Fatal(err)
		}
	}
}

// Covers B-51 and PT-46.
func TestMessagesRemainUntilBothMembersAreDeleted(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	s.reply(bea, thread, "Hello back")
	other := s.startThread(bea, cid, "Hello")
	if err := s.fill(func(tx *store.Tx) error {
		for range sweepBatch + 50 {
			if _, err := s.Send(tx, svc.Trust(bea), thread, SendRequest{Body: "Many more"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.deleteMember(bea)
	wantEqual(t, "calls of Sweep with a member left", s.sweep(), 1)
	d := s.open(ann, thread)
	wantEqual(t, "the thread of ann", []any{d.Thread.Title, d.Thread.ParticipantCount, d.Thread.CanReply, d.Thread.MessageCount}, []any{svc.FormerMember, 2, false, sweepBatch + 52})
	_, err := s.send(ann, thread, "x")
	wantError(t, "a message to a former member", err, svc.RecipientUnavailable, "")
	wantEqual(t, "threads of the former member", titles(s.inbox(bea).Threads), []string(nil))

	s.deleteMember(ann)
	wantEqual(t, "calls of Sweep", s.sweep(), 4) // two batches of messages, the thread, and a call that finds nothing
	wantEqual(t, "threads left", storetest.Rows(t, s.db, "SELECT id FROM messages_thread"), []string{other})
	wantEqual(t, "messages left", storetest.Rows(t, s.db, "SELECT count(*) FROM messages_message"), []string{"1"})
	wantEqual(t, "index entries left", storetest.Rows(t, s.db, "SELECT count(*) FROM messages_search_docsize"), []string{"1"})
}

// sweep calls Sweep until nothing remains to be deleted, and returns the number of
// calls.
func (s *server) sweep() (calls int) {
	s.Helper()
	for more := true; more; calls++ {
		if err := s.write(func(tx *store.Tx) (err error) { more, err = s.Sweep(tx); return err }); err != nil {
			s.Fatal(err)
		}
	}
	return calls
}
