package messages

import (
	"bytes"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// Recipients is whom a message is for, as it was sent: a name or a number, or
// a list of them.
type Recipients []string

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Recipients) UnmarshalJSON(text []byte) error {
	var one any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&one); err != nil {
		return err
	}
	list, many := one.([]any)
	if !many {
		list = []any{one}
	}
	*r = nil
	for _, item := range list {
		switch item := item.(type) {
		case nil:
		case string:
			*r = append(*r, item)
		case json.Number:
			*r = append(*r, item.String())
		default:
			return svc.FieldError(svc.MalformedBody, "recipient", "recipient must be a name or a number.")
		}
	}
	return nil
}

// crowd is how somebody may try to write to more than one: the fields are here
// to be told of.
type crowd struct {
	Recipients   any `json:"recipients"`
	Participants any `json:"participants"`
}

func (c crowd) check() error {
	if c.Recipients != nil || c.Participants != nil {
		return ParticipantsFixed()
	}
	return nil
}

// ParticipantsFixed is the answer to whoever wants more than two members in a
// thread (B-53).
func ParticipantsFixed() error {
	return svc.Errorf(svc.ParticipantsFixed,
		"A message thread has exactly two people. Create or use a community, conversation or event to include more.")
}

// StartRequest is a message to a member as it is sent.
type StartRequest struct {
	Recipient Recipients `json:"recipient"`
	Body      string     `json:"body"`
	crowd
}

// SendRequest is a message in a thread as it is sent.
type SendRequest struct {
	Body string `json:"body"`
	crowd
}

// Sent is a message that was sent, and its thread since.
type Sent struct {
	Thread  Thread
	Message Message
}

// checkBody checks what somebody writes. It is kept as it is.
func checkBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return svc.Required("body")
	}
	return svc.CheckText("body", body, svc.MaxBody)
}

// Start sends a message to a member, in the thread that there is or a new one.
func (s *Service) Start(tx *store.Tx, v svc.Viewer, in StartRequest) (Sent, error) {
	sender, err := v.Require()
	if err != nil {
		return Sent{}, err
	}
	if err := in.check(); err != nil {
		return Sent{}, err
	}
	names := in.Recipient.names()
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
	recipient, err := s.recipient(tx, v, names, hidden)
	if err != nil {
		return Sent{}, err
	}
	if recipient == sender {
		return Sent{}, svc.FieldError(svc.InvalidValue, "recipient", "This is you. Name somebody else.")
	}
	id, err := s.between(tx, sender, recipient)
	if err != nil {
		return Sent{}, err
	}
	return s.append(tx, v, id, recipient, in.Body)
}

// names returns what was sent, each once and without what is empty.
func (r Recipients) names() (names []string) {
	seen := make(map[string]bool)
	for _, name := range r {
		if name = strings.TrimSpace(name); name != "" && !seen[strings.ToLower(name)] {
			seen[strings.ToLower(name)] = true
			names = append(names, name)
		}
	}
	return names
}

// maxNames is how many names of a list are looked at. Nobody has as many.
const maxNames = 10

// recipient returns the one member that all the names mean. A single name may
// be several with commas between, if nobody is called like that.
func (s *Service) recipient(tx *store.Tx, v svc.Viewer, names []string, hidden []svc.MemberID) (svc.MemberID, error) {
	if len(names) == 1 {
		one, err := s.members.Resolve(tx, v, names[0], hidden)
		parts := Recipients(strings.FieldsFunc(names[0], func(c rune) bool { return c == ',' || c == ';' })).names()
		if svc.KindOf(err) != svc.Missing || len(parts) == 0 || parts[0] == names[0] {
			return one.ID, err
		}
		if several, errParts := s.recipient(tx, v, parts, hidden); svc.KindOf(errParts) != svc.Missing {
			return several, errParts
		}
		return one.ID, err
	}
	if len(names) > maxNames {
		return 0, ParticipantsFixed()
	}
	var first svc.MemberID
	for _, name := range names {
		one, err := s.members.Resolve(tx, v, name, hidden)
		if err != nil {
			return 0, err
		}
		if first == 0 {
			first = one.ID
		}
		if one.ID != first {
			return 0, ParticipantsFixed()
		}
	}
	return first, nil
}

// between returns the thread of two members, and makes it if there is none.
func (s *Service) between(tx *store.Tx, a, b svc.MemberID) (id string, err error) {
	pair := store.Args{"low": min(a, b), "high": max(a, b)}
	if err = tx.Get(&id, s.q.ThreadBetween, pair); !store.IsNoRows(err) {
		return id, err
	}
	id = svc.NewID("thr")
	pair["id"], pair["now"] = id, store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.AddThread, pair); err != nil {
		return "", err
	}
	for _, p := range [][2]svc.MemberID{{a, b}, {b, a}} {
		if _, err := tx.Exec(s.q.AddParticipant, store.Args{"member": p[0], "partner": p[1], "thread": id}); err != nil {
			return "", err
		}
	}
	return id, nil
}

// Send sends a message in a thread of v.
func (s *Service) Send(tx *store.Tx, v svc.Viewer, thread string, in SendRequest) (Sent, error) {
	r, err := s.row(tx, v, thread)
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
	if _, here := people[r.Partner]; blocked || !here {
		return Sent{}, svc.Errorf(svc.RecipientUnavailable, "Nothing can be sent to this member at the moment.")
	}
	return s.append(tx, v, r.ID, r.Partner, in.Body)
}

// append adds a message of v to a thread. All checks have been made.
func (s *Service) append(tx *store.Tx, v svc.Viewer, thread string, recipient svc.MemberID, body string) (Sent, error) {
	sender, now := v.Member(), store.MillisOf(tx.Now())
	var seq, n int64
	if err := tx.Get(&seq, s.q.CountMessage, store.Args{"thread": thread, "now": now}); err != nil {
		return Sent{}, err
	}
	m := messageRow{ID: svc.NewID("msg"), Thread: thread, Seq: seq, Sender: sender, Body: body, CreatedAt: now}
	if err := tx.Get(&n, s.q.AddMessage, store.Args{
		"id": m.ID, "thread": thread, "seq": seq, "sender": sender, "body": body, "now": now,
	}); err != nil {
		return Sent{}, err
	}
	if _, err := tx.Exec(s.q.IndexMessage, store.Args{"n": n, "words": indexed(body, sender, recipient)}); err != nil {
		return Sent{}, err
	}
	if _, err := tx.Exec(s.q.Deliver, store.Args{"thread": thread, "sender": sender, "seq": seq}); err != nil {
		return Sent{}, err
	}
	tx.Touch(svc.MessagesTopic, int64(sender), int64(recipient))
	t, err := s.Thread(tx, v, thread)
	return Sent{t, m.message()}, err
}
