package social

import (
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// maxMentions limits the members that one text can mention.
const maxMentions = 20

// mentions returns up to [maxMentions] mentions in text. Each is a list of possible
// user names, best first: all characters after the @, then the same without trailing
// punctuation.
func mentions(text string) (list [][]string) {
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
			list = append(list, candidates)
		}
		i = end - 1
	}
	return list
}

// isUsernameByte reports whether user names can contain c, ignoring case.
func isUsernameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}

// notifyMentioned notifies the members mentioned in text who can see it, and
// returns them.
func (s *Service) notifyMentioned(tx *store.Tx, c conversationRow, author svc.MemberID, text string) ([]svc.MemberID, error) {
	mentioned := mentions(text)
	if len(mentioned) == 0 {
		return nil, nil
	}
	people, err := s.directory.PeopleByUsername(tx, slices.Concat(mentioned...))
	if err != nil {
		return nil, err
	}
	var members []svc.MemberID
	for _, candidates := range mentioned {
		i := slices.IndexFunc(candidates, func(name string) bool { _, ok := people[name]; return ok })
		if i >= 0 && !slices.Contains(members, people[candidates[i]].ID) {
			members = append(members, people[candidates[i]].ID)
		}
	}
	members, err = s.filterAudience(tx, c.Audience, members, c.authorsRequiredVisible(author)...)
	if err != nil {
		return nil, err
	}
	targetType, target := c.target()
	n := newNotification{kind: "mention", actor: author, targetType: targetType, target: target, audience: c.Audience}
	return members, s.notify(tx, n, members...)
}
