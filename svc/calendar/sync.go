package calendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

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

// state is what a client knows: all changes up to one, and that nothing it has
// was deleted up to another one. The second is later while a client reads a
// calendar for the first time in portions, and has no use for what was deleted
// before it began.
type state struct{ seq, deletions int64 }

func (s state) token(tx *store.Tx, calendar string) string {
	if s.deletions <= s.seq {
		return token(tx, calendar, s.seq)
	}
	return fmt.Sprintf("%s.%d", token(tx, calendar, s.seq), s.deletions)
}

// parseToken returns what a token of the calendar stands for. One from before
// deletions that are not remembered any more means nothing (RFC 6578 §3.2).
func parseToken(tx *store.Tx, c calendarRow, text string) (s state, err error) {
	if text == "" {
		return s, nil
	}
	numbers, ok := strings.CutPrefix(text, tokenPrefix+c.ID+":"+tx.Epoch()+":")
	first, second, both := strings.Cut(numbers, ".")
	if !both {
		second = first
	}
	var errs [2]error
	s.seq, errs[0] = strconv.ParseInt(first, 10, 64)
	s.deletions, errs[1] = strconv.ParseInt(second, 10, 64)
	if !ok || errs != [2]error{} || s.seq < 0 || s.deletions < s.seq || s.deletions > c.Seq || s.token(tx, c.ID) != text ||
		s.seq > 0 && s.deletions < c.Forgotten {
		return state{}, ErrToken
	}
	return s, nil
}

// A calendar remembers its last deletions, as many and as long. Every so many
// changes it looks what it may forget.
const (
	maxDeletions = 10_000
	deletionTime = 90 * 24 * time.Hour
	forgetEvery  = 256
)

func (s *Service) forgetDeletions(tx *store.Tx, calendar string) error {
	var seq int64
	err := tx.Get(&seq, s.q.Forgettable, store.Args{
		"calendar": calendar, "most": maxDeletions, "before": store.MillisOf(tx.Now().Add(-deletionTime)),
	})
	if err != nil || seq == 0 {
		return err
	}
	args := store.Args{"calendar": calendar, "seq": seq}
	if _, err := tx.Exec(s.q.ForgetDeletions, args); err != nil {
		return err
	}
	_, err = tx.Exec(s.q.NoteForgotten, args)
	return err
}

// change is one line of what changed.
type change struct {
	Resource
	Seq  int64 `db:"seq"`
	Gone bool  `db:"gone"`
}

// Since returns what changed in a calendar of v's after the token since, in
// the order of the changes and at most limit of them (0: all). "" is from the
// beginning: what there is, and nothing that is gone. Brief resources have no
// more than Segment and ETag.
func (s *Service) Since(tx *store.Tx, v svc.Viewer, calendar, since string, limit int, brief bool) (Changes, error) {
	c, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": calendar})
	if err != nil {
		return Changes{}, err
	}
	known, err := parseToken(tx, c, since)
	if err != nil {
		return Changes{}, err
	}
	args := store.Args{"calendar": c.ID, "after": known.seq, "limit": -1}
	if limit > 0 {
		args["limit"] = limit + 1
	}
	var list []change
	q := s.q.ResourcesSince
	if brief {
		q = s.q.TagsSince
	}
	if err := tx.Select(&list, q, args); err != nil {
		return Changes{}, err
	}
	changes := Changes{Token: token(tx, c.ID, c.Seq)}
	if limit > 0 && len(list) > limit {
		list = list[:limit]
		if known.seq == 0 {
			known.deletions = c.Seq
		}
		known.seq = list[limit-1].Seq
		changes.Token, changes.More = known.token(tx, c.ID), true
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
