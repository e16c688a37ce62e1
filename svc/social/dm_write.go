package social

import (
	"bytes"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Recipient names a member by id, e-mail address, user name or display name. In
// JSON an id can be a number.
type Recipient string

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Recipient) UnmarshalJSON(text []byte) error {
	var number json.Number
	if !bytes.HasPrefix(text, []byte(`"`)) && json.Unmarshal(text, &number) == nil {
		*r = Recipient(number)
		return nil
	}
	var name string
	if json.Unmarshal(text, &name) != nil {
		return svc.FieldError(svc.MalformedBody, "recipient", "recipient must be a name or a number.")
	}
	*r = Recipient(name)
	return nil
}

// NewDM is a message to a member.
type NewDM struct {
	Recipient Recipient `json:"recipient"`
	Body      string    `json:"body"`
}

// SentDM is a message that was sent, with its DM.
type SentDM struct {
	DM      DM
	Message DMMessage
}

// StartDM sends a message to a member, in the DM of the two members. It adds the
// DM if there is none.
func (s *Service) StartDM(tx *store.Tx, v svc.Viewer, in NewDM) (SentDM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return SentDM{}, err
	}
	var missing error
	if strings.TrimSpace(string(in.Recipient)) == "" {
		missing = svc.Required("recipient")
	}
	if err := svc.Join(missing, checkPost(in.Body)); err != nil {
		return SentDM{}, err
	}
	recipient, err := s.directory.Resolve(tx, v, string(in.Recipient), w.hidden)
	if err != nil {
		return SentDM{}, err
	}
	if recipient.ID == w.member {
		return SentDM{}, svc.FieldError(svc.InvalidValue, "recipient", "You cannot send a message to yourself.")
	}
	if err := s.checkCommonGround(tx, w, recipient.ID); err != nil {
		return SentDM{}, err
	}
	id, err := s.threads.EnsureThread(tx, w.member, recipient.ID)
	if err != nil {
		return SentDM{}, err
	}
	return s.appendDM(tx, w, id, recipient.ID, in.Body)
}

// SendDM sends a message in a DM of v.
func (s *Service) SendDM(tx *store.Tx, v svc.Viewer, id, body string) (SentDM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return SentDM{}, err
	}
	t, err := s.dm(tx, w, id)
	if err != nil {
		return SentDM{}, err
	}
	if err := checkPost(body); err != nil {
		return SentDM{}, err
	}
	names, err := s.visibleNames(tx, w, t.Partner)
	if err != nil {
		return SentDM{}, err
	}
	if !names.has(t.Partner) {
		return SentDM{}, svc.Errorf(svc.RecipientUnavailable, recipientUnavailable)
	}
	if err := s.checkCommonGround(tx, w, t.Partner); err != nil {
		return SentDM{}, err
	}
	return s.appendDM(tx, w, id, t.Partner, body)
}

// appendDM adds a message of the viewer after all checks. The recipient is
// notified of the first unread message only.
func (s *Service) appendDM(tx *store.Tx, w view, id string, recipient svc.MemberID, body string) (SentDM, error) {
	var m thread.Message
	err := s.storage.Charge(tx, w.member, func() (err error) {
		m, err = s.threads.Append(tx, id, w.member, body)
		return err
	})
	if err != nil {
		return SentDM{}, err
	}
	tx.Touch(svc.DMSent, int64(w.member), int64(recipient))
	recipientThreads, err := s.threads.ByID(tx, recipient, id)
	if err != nil {
		return SentDM{}, err
	}
	if len(recipientThreads) > 0 && recipientThreads[0].UnreadCount == 1 {
		n := newNotification{kind: DMNotification, actor: w.member, targetType: TargetDM, target: id}
		if err := s.notify(tx, n, recipient); err != nil {
			return SentDM{}, err
		}
	}
	messages, err := s.newDMMessages(tx, w, m)
	if err != nil {
		return SentDM{}, err
	}
	d, err := s.visibleDM(tx, w, id)
	return SentDM{d, messages[0]}, err
}
