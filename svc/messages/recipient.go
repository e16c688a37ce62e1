package messages

import (
	"bytes"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// Recipients is the recipient field of a request: a name or a number, or a list
// of names and numbers. A list is accepted so that an attempt to address several
// members gets a helpful error.
type Recipients []string

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Recipients) UnmarshalJSON(text []byte) error {
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return err
	}
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
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
			return svc.FieldError(svc.MalformedBody, "recipient", "The recipient must be a name or a number.")
		}
	}
	return nil
}

// distinct returns the names without surrounding spaces, empty names and
// repetitions. Case is ignored when names are compared.
func (r Recipients) distinct() (names []string) {
	seen := make(map[string]bool)
	for _, name := range r {
		if name = strings.TrimSpace(name); name != "" && !seen[strings.ToLower(name)] {
			seen[strings.ToLower(name)] = true
			names = append(names, name)
		}
	}
	return names
}

// maxNames limits the names that one request makes the server look up.
const maxNames = 10

// resolve returns the single member that all names denote. A single name that
// denotes no member is split at commas and semicolons: "ann, ann@example.org".
func (s *Service) resolve(tx *store.Tx, v svc.Viewer, names []string, hidden []svc.MemberID) (svc.MemberID, error) {
	if len(names) == 1 {
		person, err := s.members.Resolve(tx, v, names[0], hidden)
		parts := Recipients(strings.FieldsFunc(names[0], func(c rune) bool { return c == ',' || c == ';' })).distinct()
		if svc.KindOf(err) != svc.Missing || len(parts) == 0 || parts[0] == names[0] {
			return person.ID, err
		}
		if member, errParts := s.resolve(tx, v, parts, hidden); svc.KindOf(errParts) != svc.Missing {
			return member, errParts
		}
		return 0, err
	}
	if len(names) > maxNames {
		return 0, ParticipantsFixed()
	}
	var member svc.MemberID
	for _, name := range names {
		person, err := s.members.Resolve(tx, v, name, hidden)
		if err != nil {
			return 0, err
		}
		if member == 0 {
			member = person.ID
		}
		if person.ID != member {
			return 0, ParticipantsFixed()
		}
	}
	return member, nil
}

// ParticipantsFixed returns the error for an attempt to have more than two
// participants in a thread.
func ParticipantsFixed() error {
	return svc.Errorf(svc.ParticipantsFixed,
		"A message thread has exactly two people. Create or use a community, conversation or event to include more.")
}

// extraParticipants are fields that a request must not have. They are decoded so
// that the request is refused with an explanation; unknown fields are ignored.
type extraParticipants struct {
	Recipients   any `json:"recipients"`
	Participants any `json:"participants"`
}

func (e extraParticipants) check() error {
	if e.Recipients != nil || e.Participants != nil {
		return ParticipantsFixed()
	}
	return nil
}
