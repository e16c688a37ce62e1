package calendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// Changes is what changed in a calendar since a token was given.
type Changes struct {
	Changed []Resource // created or changed since, without data
	Gone    []string   // names of what was deleted
	Token   string     // to ask with next time
	More    bool       // there is more after Token
}

// ErrToken is returned for a token that this calendar never gave, or that is
// of a time before the database was restored.
var ErrToken = errors.New("the sync token means nothing here")

// tokenPrefix begins the tokens, which are URIs (RFC 6578 §4).
const tokenPrefix = "urn:appliance:sync:"

// Token names the state of what a calendar holds.
func Token(tx *store.Tx, c Calendar) string { return token(tx, c.ID, c.Seq) }

func token(tx *store.Tx, calendar string, seq int64) string {
	return fmt.Sprintf("%s%s:%s:%d", tokenPrefix, calendar, tx.Epoch(), seq)
}

// parseToken returns the number that a token of the calendar stands for.
func parseToken(tx *store.Tx, c calendarRow, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number, ok := strings.CutPrefix(text, tokenPrefix+c.ID+":"+tx.Epoch()+":")
	seq, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || seq < 0 || seq > c.Seq || strconv.FormatInt(seq, 10) != number {
		return 0, ErrToken
	}
	return seq, nil
}

// change is one line of what changed.
type change struct {
	Resource
	Seq  int64 `db:"seq"`
	Gone bool  `db:"gone"`
}

// Since returns what changed in a calendar of v's after the token since, in
// the order of the changes and at most limit of them (0: all). "" is from the
// beginning: what there is, and nothing that is gone.
func (s *Service) Since(tx *store.Tx, v svc.Viewer, calendar, since string, limit int) (Changes, error) {
	c, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": calendar})
	if err != nil {
		return Changes{}, err
	}
	after, err := parseToken(tx, c, since)
	if err != nil {
		return Changes{}, err
	}
	args := store.Args{"calendar": c.ID, "after": after, "limit": -1}
	if limit > 0 {
		args["limit"] = limit + 1
	}
	var list []change
	if err := tx.Select(&list, s.q.ResourcesSince, args); err != nil {
		return Changes{}, err
	}
	changes := Changes{Token: token(tx, c.ID, c.Seq)}
	if limit > 0 && len(list) > limit {
		list = list[:limit]
		changes.Token, changes.More = token(tx, c.ID, list[limit-1].Seq), true
	}
	for _, one := range list {
		if one.Gone {
			changes.Gone = append(changes.Gone, one.Segment)
		} else {
			changes.Changed = append(changes.Changed, one.Resource)
		}
	}
	return changes, nil
}
