package social

import (
	"bytes"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// DMType is the type of a DM in every payload.
const DMType = "social_dm"

// newDMs returns the service of DMs.
func (s *Service) newDMs(limiter *storage.Limiter) *thread.Service {
	return thread.New(thread.Options{
		Tables: "social_dm", ThreadPrefix: "sdm", MessagePrefix: "sdmm", Sent: svc.DMSent, Read: svc.DMRead,
		NoThread: func(*store.Tx, string) error { return svc.Errorf(svc.NotFound, "There is no such direct message.") },
		NoMessage: func() error {
			return svc.FieldError(svc.InvalidValue, "last_read_message_id", "There is no such message in this thread.")
		},
		OwnRecipient: func() error {
			return svc.FieldError(svc.InvalidValue, "recipient", "You cannot send a message to yourself.")
		},
		Grounds: s.grounds, OnSent: s.notifyOfDM, Members: s.directory, Blocks: s, Storage: limiter,
	})
}

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
		return svc.FieldError(svc.MalformedBody, "recipient", "The recipient must be a name or a number.")
	}
	*r = Recipient(name)
	return nil
}

// NewDM is a message to a member.
type NewDM struct {
	Recipient Recipient `json:"recipient"`
	Body      string    `json:"body"`
}

// StartDM sends a message to a member, in the DM of the two members. It adds the
// DM if there is none.
func (s *Service) StartDM(tx *store.Tx, v svc.Viewer, in NewDM) (thread.Sent, error) {
	var resolve thread.Resolve
	if strings.TrimSpace(string(in.Recipient)) != "" {
		resolve = func(hidden []svc.MemberID) (svc.MemberID, error) {
			recipient, err := s.directory.Resolve(tx, v, string(in.Recipient), hidden)
			return recipient.ID, err
		}
	}
	return s.DMs.Start(tx, v, resolve, in.Body)
}

// notifyOfDM notifies the recipient of the first unread message of a DM only.
func (s *Service) notifyOfDM(tx *store.Tx, m thread.MessageRow, recipient svc.MemberID) error {
	unread, err := s.DMs.Unread(tx, recipient, m.Thread)
	if err != nil || unread != 1 {
		return err
	}
	return s.notify(tx, newNotification{kind: DMNotification, actor: m.Sender, targetType: TargetDM, target: m.Thread}, recipient)
}

// DM is a DM as one of its two members sees it.
type DM struct{ thread.Thread }
