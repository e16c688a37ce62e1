package social

import (
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// maxMentions bounds how many members one text can call.
const maxMentions = 20

// mentions returns whom a text calls with an @, at most [maxMentions]: for each
// the usernames that may be meant, first as it stands and then without the
// punctuation at its end.
func mentions(text string) (list [][]string) {
	for i := 0; i < len(text) && len(list) < maxMentions; i++ {
		if text[i] != '@' || i > 0 && (ofUsername(text[i-1]) || text[i-1] >= 0x80 || text[i-1] == '@') {
			continue // ann@example.org calls nobody
		}
		end := i + 1
		for end < len(text) && ofUsername(text[end]) {
			end++
		}
		name := strings.ToLower(text[i+1 : end])
		var may []string
		for _, n := range []string{name, strings.TrimRight(name, "._-")} {
			if len(n) >= 2 && len(n) <= 32 && !slices.Contains(may, n) {
				may = append(may, n)
			}
		}
		if len(may) > 0 {
			list = append(list, may)
		}
		i = end - 1
	}
	return list
}

// ofUsername reports whether usernames have such letters, in whichever case.
func ofUsername(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}

// mention notifies those whom a text in a conversation calls by username, if
// they may see it, and returns them.
func (s *Service) mention(tx *store.Tx, c seenConversation, by svc.MemberID, text string) ([]svc.MemberID, error) {
	called := mentions(text)
	if len(called) == 0 {
		return nil, nil
	}
	people, err := s.directory.PeopleByUsername(tx, slices.Concat(called...))
	if err != nil {
		return nil, err
	}
	var members []svc.MemberID
	for _, may := range called {
		i := slices.IndexFunc(may, func(name string) bool { _, ok := people[name]; return ok })
		if i >= 0 && !slices.Contains(members, people[may[i]].ID) {
			members = append(members, people[may[i]].ID)
		}
	}
	members, err = s.admitted(tx, c.Audience, members, c.others(by)...)
	if err != nil {
		return nil, err
	}
	targetType, target := c.target()
	n := note{kind: "mention", actor: by, targetType: targetType, target: target, audience: c.Audience}
	return members, s.notify(tx, n, members...)
}
