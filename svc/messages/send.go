package messages

import (
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// sendQueries are the statements for sending that package thread does not have.
type sendQueries struct {
	AddToIndex store.Query `sql:"add-to-index"`
}

// StartRequest sends a message to a member.
type StartRequest struct {
	Recipient Recipients `json:"recipient"`
	Body      string     `json:"body"`
	extraParticipants
}

// SendRequest sends a message in an existing thread.
type SendRequest struct {
	Body string `json:"body"`
	extraParticipants
}

// Sent is a message that was sent, with its thread after the change.
type Sent struct {
	Thread  Thread
	Message Message
}

// Start sends a message to a member. It creates the thread of the two members
// if they have none.
func (s *Service) Start(tx *store.Tx, v svc.Viewer, in StartRequest) (Sent, error) {
	sender, err := v.Require()
	if err != nil {
		return Sent{}, err
	}
	if err := in.check(); err != nil {
		return Sent{}, err
	}
	names := in.Recipient.distinct()
	var missing error
	if len(names) == 0 {
		missing = svc.Required("recipient")
	}
	if err := svc.Join(missing, checkBody(in.Body)); err != nil {
		return Sent{}, err
	}
	hidden, err := s.blocks.Hidden(tx, sender)
	if err != nil {
		return Sent{}, err
	}
	recipient, err := s.resolve(tx, v, names, hidden)
	if err != nil {
		return Sent{}, err
	}
	if recipient == sender {
		return Sent{}, svc.FieldError(svc.InvalidValue, "recipient", "You cannot send a message to yourself. Name another member.")
	}
	id, err := s.threads.EnsureThread(tx, sender, recipient)
	if err != nil {
		return Sent{}, err
	}
	return s.addMessage(tx, v, id, recipient, in.Body)
}

// Send sends a message in a thread of v. The error is the same for a blocked
// partner and a former member, so that it does not reveal a block.
func (s *Service) Send(tx *store.Tx, v svc.Viewer, thread string, in SendRequest) (Sent, error) {
	r, err := s.threadRow(tx, v, thread)
	if err != nil {
		return Sent{}, err
	}
	if err := in.check(); err != nil {
		return Sent{}, err
	}
	if err := checkBody(in.Body); err != nil {
		return Sent{}, err
	}
	people, err := s.members.People(tx, []svc.MemberID{r.Partner})
	if err != nil {
		return Sent{}, err
	}
	blocked, err := s.blocks.Blocked(tx, v.Member(), r.Partner)
	if err != nil {
		return Sent{}, err
	}
	if _, active := people[r.Partner]; blocked || !active {
		return Sent{}, svc.Errorf(svc.RecipientUnavailable, cannotReply)
	}
	return s.addMessage(tx, v, r.ID, r.Partner, in.Body)
}

// cannotReply is the same for a blocked partner and a former member, so that it
// does not reveal a block.
const cannotReply = "This member cannot receive messages at the moment."

// checkBody validates the text of a message. It is stored unchanged.
func checkBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return svc.Required("body")
	}
	return svc.CheckText("body", body, svc.MaxBody)
}

// addMessage adds a message of v to a thread, after all checks.
func (s *Service) addMessage(tx *store.Tx, v svc.Viewer, id string, recipient svc.MemberID, body string) (Sent, error) {
	sender := v.Member()
	var m thread.Message
	err := s.storage.Charge(tx, sender, func() (err error) {
		m, err = s.threads.Append(tx, id, sender, body)
		return err
	})
	if err != nil {
		return Sent{}, err
	}
	if _, err := tx.Exec(s.q.send.AddToIndex, store.Args{"row": m.RowID, "terms": indexTerms(body, sender, recipient)}); err != nil {
		return Sent{}, err
	}
	tx.Touch(svc.MessageSent, int64(sender), int64(recipient))
	sent, err := s.newMessages(tx, v, m)
	if err != nil {
		return Sent{}, err
	}
	t, err := s.Thread(tx, v, id)
	return Sent{t, sent[0]}, err
}
