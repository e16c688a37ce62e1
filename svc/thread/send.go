package thread

import (
	"strings"

	"appliance/store"
	"appliance/svc"
)

// Sent is a message that was sent, with its thread after the change.
type Sent struct {
	Thread  Thread
	Message Message
}

// CheckBody validates the text of a message, a conversation or a reply. It is stored
// unchanged.
func CheckBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return svc.Required("body")
	}
	return svc.CheckText("body", body, svc.MaxBody)
}

// Send sends a message in a thread of v.
func (s *Service) Send(tx *store.Tx, v svc.Viewer, id, body string) (Sent, error) {
	t, err := s.Thread(tx, v, id)
	if err != nil {
		return Sent{}, err
	}
	if err := CheckBody(body); err != nil {
		return Sent{}, err
	}
	if t.refusal != nil {
		return Sent{}, t.refusal
	}
	return s.addMessage(tx, v, id, t.Partner, body)
}

// Resolve returns the member to whom a message is sent, if it is not one of hidden.
type Resolve func(hidden []svc.MemberID) (svc.MemberID, error)

// Start sends a message to the member that resolve returns, in the thread of the two
// members. It adds the thread if there is none. resolve is nil if the request names no
// member.
func (s *Service) Start(tx *store.Tx, v svc.Viewer, resolve Resolve, body string) (Sent, error) {
	sender, err := v.Require()
	if err != nil {
		return Sent{}, err
	}
	var missing error
	if resolve == nil {
		missing = svc.Required("recipient")
	}
	if err := svc.Join(missing, CheckBody(body)); err != nil {
		return Sent{}, err
	}
	hidden, err := s.options.Blocks.Hidden(tx, sender)
	if err != nil {
		return Sent{}, err
	}
	recipient, err := resolve(hidden)
	if err != nil {
		return Sent{}, err
	}
	if recipient == sender {
		return Sent{}, s.options.OwnRecipient()
	}
	known, err := s.relations(tx, sender, []svc.MemberID{recipient})
	if err != nil {
		return Sent{}, err
	}
	if refusal := known.refusal(recipient); refusal != nil {
		return Sent{}, refusal
	}
	id, err := s.ensureThread(tx, sender, recipient)
	if err != nil {
		return Sent{}, err
	}
	return s.addMessage(tx, v, id, recipient, body)
}

// ensureThread returns the id of the thread of two members. It adds the thread if there is
// none.
func (s *Service) ensureThread(tx *store.Tx, a, b svc.MemberID) (id string, err error) {
	pair := store.Args{"low": min(a, b), "high": max(a, b)}
	if err = tx.Get(&id, s.q.ThreadBetween, pair); !store.IsNoRows(err) {
		return id, err
	}
	id = svc.NewID(s.options.ThreadPrefix)
	pair["id"], pair["now"] = id, store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.AddThread, pair); err != nil {
		return "", err
	}
	_, err = tx.Exec(s.q.AddParticipants, store.Args{"thread": id, "pairs": store.JSONArray([][2]svc.MemberID{{a, b}, {b, a}})})
	return id, err
}

// addMessage adds a message of v to a thread, after all checks.
func (s *Service) addMessage(tx *store.Tx, v svc.Viewer, id string, recipient svc.MemberID, body string) (Sent, error) {
	m := MessageRow{ID: svc.NewID(s.options.MessagePrefix), Thread: id, Sender: v.Member(), Body: body, CreatedAt: store.MillisOf(tx.Now())}
	if err := s.options.Storage.Charge(tx, m.Sender, func() error { return s.storeMessage(tx, &m) }); err != nil {
		return Sent{}, err
	}
	tx.Touch(s.options.Sent, int64(m.Sender), int64(recipient))
	if err := s.options.OnSent(tx, m, recipient); err != nil {
		return Sent{}, err
	}
	sent, err := s.Messages(tx, v, m)
	if err != nil {
		return Sent{}, err
	}
	t, err := s.Thread(tx, v, id)
	return Sent{t, sent[0]}, err
}

// storeMessage stores a message, moves its thread to the top of the lists of both participants
// and marks it as read for the sender.
func (s *Service) storeMessage(tx *store.Tx, m *MessageRow) error {
	if err := tx.Get(&m.Seq, s.q.NextSeq, store.Args{"thread": m.Thread, "now": m.CreatedAt}); err != nil {
		return err
	}
	if err := tx.Get(&m.RowID, s.q.AddMessage, store.Args{
		"id": m.ID, "thread": m.Thread, "seq": m.Seq, "sender": m.Sender, "body": m.Body, "now": m.CreatedAt,
	}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.UpdateParticipants, store.Args{"thread": m.Thread, "sender": m.Sender, "seq": m.Seq})
	return err
}

// Unread returns the number of unread messages of a member in one thread.
func (s *Service) Unread(tx *store.Tx, member svc.MemberID, id string) (n int64, err error) {
	var rows []threadRow
	err = tx.Select(&rows, s.q.ThreadsByID, store.Args{"member": member, "ids": store.JSONArray([]string{id})})
	if len(rows) > 0 {
		n = rows[0].UnreadCount
	}
	return n, err
}
