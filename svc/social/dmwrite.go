package social

import (
	"bytes"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// Recipient names a member: a number, an address, a username or a display
// name (B-52). In JSON a number may stand as one.
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

// SentDM is a message that was sent, and the DM since.
type SentDM struct {
	DM      DM
	Message DMMessage
}

// StartDM sends a message to a member, in the DM that there is or a new one.
func (s *Service) StartDM(tx *store.Tx, v svc.Viewer, in NewDM) (SentDM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return SentDM{}, err
	}
	var missing error
	if strings.TrimSpace(string(in.Recipient)) == "" {
		missing = svc.Required("recipient")
	}
	if err := svc.Join(missing, checkDMBody(in.Body)); err != nil {
		return SentDM{}, err
	}
	other, err := s.directory.Resolve(tx, v, string(in.Recipient), w.hidden)
	if err != nil {
		return SentDM{}, err
	}
	if other.ID == w.member {
		return SentDM{}, svc.FieldError(svc.InvalidValue, "recipient", "This is you. Name somebody else.")
	}
	if err := s.mayDM(tx, w, other.ID); err != nil {
		return SentDM{}, err
	}
	id, err := s.dmBetween(tx, w.member, other.ID)
	if err != nil {
		return SentDM{}, err
	}
	return s.appendDM(tx, w, id, other.ID, in.Body)
}

// SendDM sends a message in a DM of v.
func (s *Service) SendDM(tx *store.Tx, v svc.Viewer, id, body string) (SentDM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return SentDM{}, err
	}
	r, err := s.dmRow(tx, w.member, id)
	if err != nil {
		return SentDM{}, err
	}
	if err := checkDMBody(body); err != nil {
		return SentDM{}, err
	}
	names, err := s.names(tx, r.Partner)
	if err != nil {
		return SentDM{}, err
	}
	if _, active := names[r.Partner]; !active || w.hides(r.Partner) {
		return SentDM{}, svc.Errorf(svc.RecipientUnavailable, "Nothing can be sent to this member at the moment.")
	}
	if err := s.mayDM(tx, w, r.Partner); err != nil {
		return SentDM{}, err
	}
	return s.appendDM(tx, w, id, r.Partner, body)
}

// checkDMBody checks what somebody writes. It is kept as it is.
func checkDMBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return svc.Required("body")
	}
	return svc.CheckText("body", body, svc.MaxBody)
}

// mayDM reports why the viewer may not write to another within social life.
func (s *Service) mayDM(tx *store.Tx, w view, other svc.MemberID) error {
	ties, err := s.ties(tx, w, other)
	if err != nil {
		return err
	}
	if _, tied := ties[other]; !tied {
		return svc.Errorf(svc.NoCommonGround,
			"You share no circle, community or event with this member. Write to them in Messages.")
	}
	return nil
}

// dmBetween returns the DM of two members, and makes it if there is none.
func (s *Service) dmBetween(tx *store.Tx, a, b svc.MemberID) (id string, err error) {
	pair := store.Args{"low": min(a, b), "high": max(a, b)}
	if err = tx.Get(&id, s.q.DMBetween, pair); !store.IsNoRows(err) {
		return id, err
	}
	id = svc.NewID("sdm")
	pair["id"], pair["now"] = id, store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.AddDM, pair); err != nil {
		return "", err
	}
	_, err = tx.Exec(s.q.AddDMParticipants, store.Args{"dm": id, "pairs": jsonList([][2]svc.MemberID{{a, b}, {b, a}})})
	return id, err
}

// appendDM adds a message of the viewer to a DM. All checks have been made. The
// other is told of the first that they have not read.
func (s *Service) appendDM(tx *store.Tx, w view, id string, other svc.MemberID, body string) (SentDM, error) {
	now := store.MillisOf(tx.Now())
	m := dmMessageRow{ID: svc.NewID("sdmm"), DM: id, Sender: w.member, Body: body, CreatedAt: now}
	if err := tx.Get(&m.Seq, s.q.NextDMSeq, store.Args{"dm": id, "now": now}); err != nil {
		return SentDM{}, err
	}
	if _, err := tx.Exec(s.q.AddDMMessage, store.Args{
		"id": m.ID, "dm": id, "seq": m.Seq, "sender": w.member, "body": body, "now": now,
	}); err != nil {
		return SentDM{}, err
	}
	if _, err := tx.Exec(s.q.DeliverDM, store.Args{"dm": id, "sender": w.member, "seq": m.Seq}); err != nil {
		return SentDM{}, err
	}
	tx.TouchItem(svc.DMsTopic, id, int64(w.member), int64(other))
	theirs, err := s.dmRow(tx, other, id)
	if err != nil {
		return SentDM{}, err
	}
	if theirs.Unread == 1 {
		n := note{kind: "dm", actor: w.member, targetType: "dm", target: id}
		if err := s.notify(tx, n, other); err != nil {
			return SentDM{}, err
		}
	}
	d, err := s.oneDM(tx, w, id)
	return SentDM{d, m.message()}, err
}
