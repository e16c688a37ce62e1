package messages

import (
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Covers M-01, M-02, M-12 and M-42.
func TestTwoMembersHaveOneThread(t *testing.T) {
	s := newServer(t)
	sent, err := s.start(ann, "bea", "Hello")
	if err != nil {
		t.Fatal(err)
	}
	thread := sent.Thread.ID
	wantEqual(t, "the message", []any{sent.Message.ThreadID, sent.Message.SenderID, sent.Message.Body, sent.Message.UpdatedAt},
		[]any{thread, ann, "Hello", (*string)(nil)})
	for _, c := range []struct {
		from      svc.MemberID
		recipient string
	}{{ann, "BEA"}, {ann, "2"}, {ann, "bea, Bea"}, {bea, "ann"}, {bea, "1"}} {
		if sent, err := s.start(c.from, c.recipient, "Hello again"); err != nil || sent.Thread.ID != thread {
			t.Errorf("%d to %s: got thread %s, %v, want %s", c.from, c.recipient, sent.Thread.ID, err, thread)
		}
	}
	wantEqual(t, "threads of ann", titles(s.inbox(ann).Threads), []string{"Bea"})
	wantEqual(t, "threads of bea", titles(s.inbox(bea).Threads), []string{"Ann"})
	wantEqual(t, "message count", s.inbox(bea).Threads[0].MessageCount, 6)
}

// Covers M-16, M-18, M-25 and M-26.
func TestThreadShowsTheOtherMember(t *testing.T) {
	s := newServer(t)
	s.startThread(ann, bea, strings.Repeat("é", 300))
	for member, want := range map[svc.MemberID]struct {
		title  string
		first  bool
		unread int64
	}{ann: {"Bea", true, 0}, bea: {"Ann", true, 1}} {
		got := s.inbox(member).Threads[0]
		if got.Title != want.title || got.Participants[0].ID != member || got.Participants[0].IsSelf != want.first || got.Participants[1].IsSelf ||
			got.ParticipantCount != 2 || len(got.Participants) != 2 || got.UnreadCount != want.unread || !got.CanReply || NewThread(got).Type != "message_thread" {
			t.Errorf("member %d: got %+v, want %+v", member, got, want)
		}
		wantEqual(t, "summary", got.Summary, strings.Repeat("é", 120))
		wantEqual(t, "times", []any{got.CreatedAt, *got.UpdatedAt, *got.LastMessageAt}, []any{s.clock.Now(), s.clock.Now(), s.clock.Now()})
	}
}

// Covers M-04, M-05, M-06, M-10 and M-11.
func TestInvalidMessagesAreRejected(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	long := strings.Repeat("é", svc.MaxBody)
	for _, c := range []struct {
		about, recipient, body string
		code                   svc.Code
		field                  string
	}{
		{"unknown recipient", "unknown", "x", svc.RecipientNotFound, ""},
		{"only separators", ",;", "x", svc.RecipientNotFound, ""},
		{"blank recipient", " ", "x", svc.FieldRequired, "recipient"},
		{"blank recipient and body", "", "", svc.FieldRequired, "recipient"},
		{"blank body", "bea", " \n\t\u00a0", svc.FieldRequired, "body"},
		{"the sender", "ann", "x", svc.InvalidValue, "recipient"},
		{"a NUL", "bea", "a\u0000b", svc.InvalidValue, "body"},
		{"a long body", "bea", long + "x", svc.TooLong, "body"},
	} {
		_, err := s.start(ann, c.recipient, c.body)
		wantError(t, c.about, err, c.code, c.field)
		if c.recipient == "bea" {
			_, err := s.send(ann, thread, c.body)
			wantError(t, "reply: "+c.about, err, c.code, c.field)
		}
	}
	_, err := s.start(0, "bea", "x")
	wantError(t, "an unauthenticated client", err, svc.Unauthenticated, "")
	err = s.write(func(tx *store.Tx) error { _, err := s.MarkRead(tx, svc.Trust(ann), thread, "msg_none"); return err })
	wantError(t, "an unknown message", err, svc.InvalidValue, "last_read_message_id")
	wantEqual(t, "messages afterwards", s.open(ann, thread).Thread.MessageCount, 1)
	if _, err := s.start(ann, "bea", long); err != nil {
		t.Errorf("a body of %d characters: got %v, want no error", svc.MaxBody, err)
	}
}

// Covers M-41 and B-87.
func TestBodiesAreStoredVerbatim(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	for _, body := range []string{"<b>x</b> & \n", "  indented\r\n\ttwice  ", "a\u202eb\u0007\u2028c", "👩‍👩‍👧 ﷽ é", `{"a": "\u0000"}`, "1"} {
		if got := s.reply(ann, thread, body).Body; got != body {
			t.Errorf("the answer: got %q, want %q", got, body)
		}
		list := s.open(bea, thread).Messages
		if got := list[len(list)-1].Body; got != body {
			t.Errorf("stored: got %q, want %q", got, body)
		}
	}
}

// A blocked partner, a member who blocks, and a former member cannot be told
// apart. Covers B-72.
func TestUnavailablePartnersAreIndistinguishable(t *testing.T) {
	s := newServer(t)
	withBea, withCid, withDan := s.startThread(ann, bea, "x"), s.startThread(ann, cid, "x"), s.startThread(ann, dan, "x")
	s.services.blocks[[2]svc.MemberID{ann, bea}] = true
	s.services.blocks[[2]svc.MemberID{cid, ann}] = true
	delete(s.services.people, dan)
	texts := make(map[string]bool)
	for _, thread := range []string{withBea, withCid, withDan} {
		_, err := s.send(ann, thread, "x")
		wantError(t, thread, err, svc.RecipientUnavailable, "")
		texts[err.Error()] = true
		d := s.open(ann, thread)
		wantEqual(t, thread, []any{d.Thread.Title, d.Thread.Participants[1].Username, d.Thread.CanReply, len(d.Messages)}, []any{svc.FormerMember, "", false, 1})
	}
	if len(texts) != 1 {
		t.Errorf("got the errors %v, want the same one", texts)
	}
	if err := s.write(func(tx *store.Tx) error {
		d, err := s.Peek(tx, svc.Trust(ann).In(words.German), withDan, svc.HistoryQuery{})
		if err == nil {
			wantEqual(t, "in German", []any{d.Thread.Title, *d.Thread.CanReplyReason}, []any{"Ehemaliges Mitglied", "Dieses Mitglied kann zurzeit keine Nachrichten erhalten."})
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, recipient := range []string{"bea", "cid", "dan"} {
		_, err := s.start(ann, recipient, "x")
		wantError(t, recipient, err, svc.RecipientNotFound, "")
	}
	delete(s.services.blocks, [2]svc.MemberID{ann, bea})
	s.reply(ann, withBea, "after the block")
}

// Covers M-08 and M-09.
func TestOnlyParticipantsReachAThread(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	for about, call := range map[string]func(tx *store.Tx, v svc.Viewer, thread string) error{
		"Thread": func(tx *store.Tx, v svc.Viewer, thread string) error { _, err := s.Thread(tx, v, thread); return err },
		"Open": func(tx *store.Tx, v svc.Viewer, thread string) error {
			_, err := s.Open(tx, v, thread, svc.HistoryQuery{})
			return err
		},
		"Peek": func(tx *store.Tx, v svc.Viewer, thread string) error {
			_, err := s.Peek(tx, v, thread, svc.HistoryQuery{})
			return err
		},
		"Read": func(tx *store.Tx, v svc.Viewer, thread string) error {
			_, err := s.MarkRead(tx, v, thread, "")
			return err
		},
		"Unread": func(tx *store.Tx, v svc.Viewer, thread string) error {
			_, err := s.MarkUnread(tx, v, thread)
			return err
		},
		"Send": func(tx *store.Tx, v svc.Viewer, thread string) error {
			_, err := s.Send(tx, v, thread, SendRequest{Body: "x"})
			return err
		},
	} {
		err := s.write(func(tx *store.Tx) error { return call(tx, svc.Trust(cid), thread) })
		wantError(t, about+" by an outsider", err, svc.ThreadAccessDenied, "")
		err = s.write(func(tx *store.Tx) error { return call(tx, svc.Trust(cid), "thr_none") })
		wantError(t, about+" of an unknown thread", err, svc.NotFound, "")
	}
	s.read(func(tx *store.Tx) error {
		got, err := s.ByID(tx, svc.Trust(cid), thread, "thr_none")
		wantEqual(t, "threads of an outsider", len(got), 0)
		return err
	})
}

// A message changes the revisions of its two members only.
func TestMessageTouchesItsTwoMembers(t *testing.T) {
	s := newServer(t)
	revisions := func() (list []int64) {
		s.read(func(tx *store.Tx) error {
			for m := ann; m <= cid; m++ {
				list = append(list, tx.Revisions(int64(m)).Of(svc.MessagesTopic))
			}
			return nil
		})
		return list
	}
	before := revisions()
	s.startThread(ann, bea, "Hello")
	after := revisions()
	if after[0] == before[0] || after[1] == before[1] || after[2] != before[2] {
		t.Errorf("got the revisions %v, then %v; want the first two to change", before, after)
	}
}
