package social

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"appliance/store"
	"appliance/svc"
)

// maxMentions limits the members that one text can mention.
const maxMentions = 20

// mention is an @ in a text with the user name that follows it.
type mention struct {
	start int      // index of the @, in bytes
	names []string // possible user names, longest first: all characters after the @, then the same without trailing punctuation
}

// resolve returns the member that m names; ok is false if people contains none.
func (m mention) resolve(people map[string]svc.Person) (p svc.Person, ok bool) {
	for _, name := range m.names {
		if p, ok = people[name]; ok {
			return p, true
		}
	}
	return p, false
}

// mentions returns up to [maxMentions] mentions in text.
func mentions(text string) (list []mention) {
	for i := 0; i < len(text) && len(list) < maxMentions; i++ {
		if text[i] != '@' || i > 0 && (isUsernameByte(text[i-1]) || text[i-1] >= 0x80 || text[i-1] == '@') {
			continue // not a mention: ann@example.org
		}
		end := i + 1
		for end < len(text) && isUsernameByte(text[end]) {
			end++
		}
		name := strings.ToLower(text[i+1 : end])
		var candidates []string
		for _, n := range []string{name, strings.TrimRight(name, "._-")} {
			if len(n) >= 2 && len(n) <= 32 && !slices.Contains(candidates, n) {
				candidates = append(candidates, n)
			}
		}
		if len(candidates) > 0 {
			list = append(list, mention{i, candidates})
		}
		i = end - 1
	}
	return list
}

// isUsernameByte reports whether user names can contain c, ignoring case.
func isUsernameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}

// peopleIn returns the active members that mentions can name, by user name.
func (s *Service) peopleIn(tx *store.Tx, list []mention) (map[string]svc.Person, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var names []string
	for _, m := range list {
		names = append(names, m.names...)
	}
	return s.directory.PeopleByUsername(tx, names)
}

// Entities returns the mentions in each of the texts of members that v sees. The mentions are found
// when the text is read, by the function that finds the members to notify. After a change of a user
// name, older texts no longer mention the member.
func (s *Service) Entities(tx *store.Tx, v svc.Viewer, texts ...string) ([]svc.List[svc.Entity], error) {
	if !slices.ContainsFunc(texts, func(text string) bool { return len(mentions(text)) > 0 }) {
		return make([]svc.List[svc.Entity], len(texts)), nil
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, err
	}
	return s.entities(tx, hidden, texts...)
}

// entities returns the mentions in each of the texts of active members who are not
// in hidden.
func (s *Service) entities(tx *store.Tx, hidden []svc.MemberID, texts ...string) ([]svc.List[svc.Entity], error) {
	lists, found := make([]svc.List[svc.Entity], len(texts)), make([][]mention, len(texts))
	for i, text := range texts {
		found[i] = mentions(text)
	}
	people, err := s.peopleIn(tx, slices.Concat(found...))
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(people, func(_ string, p svc.Person) bool { return slices.Contains(hidden, p.ID) })
	for i, text := range texts {
		lists[i] = entitiesIn(text, found[i], people)
	}
	return lists, nil
}

// entitiesIn returns the mentions that name one of people, in the order of the text.
func entitiesIn(text string, list []mention, people map[string]svc.Person) (entities svc.List[svc.Entity]) {
	units, end := 0, 0 // UTF-16 code units in text[:end]
	for _, m := range list {
		p, ok := m.resolve(people)
		if !ok {
			continue
		}
		units, end = units+utf16Length(text[end:m.start]), m.start
		entities = append(entities, svc.Entity{Start: units, End: units + len("@") + len(p.Username), MemberID: p.ID})
	}
	return entities
}

// utf16Length returns the number of UTF-16 code units of a text. An invalid byte
// counts as one, because it is published as U+FFFD.
func utf16Length(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// notifyMentioned notifies the members mentioned in text who can see it, and
// returns them.
func (s *Service) notifyMentioned(tx *store.Tx, c conversationRow, author svc.MemberID, text string) ([]svc.MemberID, error) {
	mentioned := mentions(text)
	people, err := s.peopleIn(tx, mentioned)
	if len(people) == 0 {
		return nil, err
	}
	var members []svc.MemberID
	for _, m := range mentioned {
		if p, ok := m.resolve(people); ok && !slices.Contains(members, p.ID) {
			members = append(members, p.ID)
		}
	}
	members, err = s.filterAudience(tx, c.Audience, members, c.authorsRequiredVisible(author)...)
	if err != nil {
		return nil, err
	}
	targetType, target := c.target()
	n := newNotification{kind: MentionNotification, actor: author, targetType: targetType, target: target, audience: c.Audience}
	return members, s.notify(tx, n, members...)
}
