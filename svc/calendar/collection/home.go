package collection

import (
	"fmt"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// HomeChanges are the changes to a calendar home since a sync token.
type HomeChanges struct {
	Changed   []string // segments of calendars and plain collections
	Deleted   []string // segments
	Token     string   // for the next request
	Truncated bool     // there are more changes after Token
}

// homeTokenPrefix is the prefix of the sync tokens of calendar homes.
const homeTokenPrefix = tokenPrefix + "home:"

func homeToken(tx *store.Tx, v svc.Viewer, homeSeq int64) string {
	return fmt.Sprintf("%s%d:%s:%d", homeTokenPrefix, v.Member(), tx.Epoch(), homeSeq)
}

// HomeToken returns the sync token of the calendar home of v. It changes with
// each change of a resource in the home, at any depth.
func (s *Service) HomeToken(tx *store.Tx, v svc.Viewer) (string, error) {
	last, err := s.lastHomeSeq(tx, v)
	return homeToken(tx, v, last), err
}

func (s *Service) lastHomeSeq(tx *store.Tx, v svc.Viewer) (last int64, err error) {
	err = tx.Get(&last, s.q.LastHomeSeq, store.Args{"member": v.Member()})
	return last, err
}

// HomeChanges returns the changes of the calendar home of v after the sync
// token since, in their order and at most limit of them (0: all). A change of
// an object is a change of its calendar. For an empty token it returns all
// calendars and collections.
func (s *Service) HomeChanges(tx *store.Tx, v svc.Viewer, since string, limit int) (c HomeChanges, err error) {
	last, err := s.lastHomeSeq(tx, v)
	if err != nil {
		return c, err
	}
	var after int64
	if since != "" {
		_, number, _ := strings.Cut(strings.TrimPrefix(since, homeTokenPrefix), ":"+tx.Epoch()+":")
		after, err = strconv.ParseInt(number, 10, 64)
		if err != nil || after < 0 || after > last || since != homeToken(tx, v, after) {
			return c, ErrToken
		}
	}
	var list []struct {
		Segment     string `db:"segment"`
		IsTombstone bool   `db:"is_tombstone"`
		HomeSeq     int64  `db:"home_seq"`
	}
	if err := tx.Select(&list, s.q.HomeSince, store.Args{"member": v.Member(), "after": after, "limit": sqlLimit(limit)}); err != nil {
		return c, err
	}
	if limit > 0 && len(list) > limit {
		list, c.Truncated, last = list[:limit], true, list[limit-1].HomeSeq
	}
	for _, r := range list {
		if r.IsTombstone {
			c.Deleted = append(c.Deleted, r.Segment)
		} else {
			c.Changed = append(c.Changed, r.Segment)
		}
	}
	c.Token = homeToken(tx, v, last)
	return c, nil
}
