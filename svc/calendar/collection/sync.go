package collection

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Changes are the changes to a calendar since a sync token.
type Changes struct {
	Changed   []Resource // created or changed, without data
	Deleted   []string   // segments
	Token     string     // for the next request
	Truncated bool       // there are more changes after Token
}

// ErrToken is returned for a sync token of another collection, of a database
// that has been replaced by a backup, or older than the tombstones that still
// exist.
var ErrToken = errors.New("invalid sync token")

// tokenPrefix is the prefix of all sync tokens, which are URIs (RFC 6578 §4).
const tokenPrefix = "urn:appliance:sync:"

// Token returns the sync token of the calendar with an id whose last change has
// the number seq.
func Token(tx *store.Tx, calendarID string, seq int64) string {
	return fmt.Sprintf("%s%s:%s:%d", tokenPrefix, calendarID, tx.Epoch(), seq)
}

// syncState is a decoded sync token. The client has received all changes up to the
// sequence number seq, and all deletions up to the sequence number deletions.
// During an initial synchronization in several responses, deletions is greater
// than seq, because the client needs no deletions from before its first request.
type syncState struct{ seq, deletions int64 }

func (s syncState) token(tx *store.Tx, calendarID string) string {
	if s.deletions <= s.seq {
		return Token(tx, calendarID, s.seq)
	}
	return fmt.Sprintf("%s.%d", Token(tx, calendarID, s.seq), s.deletions)
}

// parseToken decodes a sync token of the calendar c.
func parseToken(tx *store.Tx, c object.Calendar, text string) (s syncState, err error) {
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
		s.seq > 0 && s.deletions < c.PrunedSeq {
		return syncState{}, ErrToken
	}
	return s, nil
}

// changeRow is an object resource or a tombstone.
type changeRow struct {
	Resource
	Seq         int64 `db:"seq"`
	IsTombstone bool  `db:"is_tombstone"`
}

// Changes returns the changes of a calendar after the sync token since, in
// their order and at most limit of them (0: all). For an empty token it returns
// all resources. With etagsOnly, only Segment and ETag of resources are set.
func (s *Service) Changes(tx *store.Tx, v svc.Viewer, calendar, since string, limit int, etagsOnly bool) (Changes, error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return Changes{}, err
	}
	state, err := parseToken(tx, c, since)
	if err != nil {
		return Changes{}, err
	}
	q := s.q.ResourcesSince
	if etagsOnly {
		q = s.q.ETagsSince
	}
	var list []changeRow
	if err := tx.Select(&list, q, store.Args{"calendar": c.ID, "after": state.seq, "limit": sqlLimit(limit)}); err != nil {
		return Changes{}, err
	}
	changes := Changes{Token: Token(tx, c.ID, c.Seq)}
	if limit > 0 && len(list) > limit {
		list = list[:limit]
		if state.seq == 0 {
			state.deletions = c.Seq
		}
		state.seq = list[limit-1].Seq
		changes.Token, changes.Truncated = state.token(tx, c.ID), true
	}
	for _, r := range list {
		if r.IsTombstone {
			changes.Deleted = append(changes.Deleted, r.Segment)
		} else {
			changes.Changed = append(changes.Changed, r.Resource)
		}
	}
	return changes, nil
}

// sqlLimit returns the LIMIT of a query: one more row than limit, to detect a
// truncated result, or -1 for all rows.
func sqlLimit(limit int) int {
	if limit <= 0 {
		return -1
	}
	return limit + 1
}
