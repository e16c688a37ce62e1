package calendar

import (
	"fmt"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// HomeChanges is what changed in a member's calendar home since a token was
// given.
type HomeChanges struct {
	Changed []string // segments of calendars and plain collections, made or changed since
	Gone    []string
	Token   string // to ask with next time
	More    bool   // there is more after Token
}

// homePrefix begins the tokens of homes.
const homePrefix = tokenPrefix + "home:"

func homeToken(tx *store.Tx, v svc.Viewer, stamp int64) string {
	return fmt.Sprintf("%s%d:%s:%d", homePrefix, v.Member(), tx.Epoch(), stamp)
}

// HomeToken names the state of v's home, and of what is in the calendars in
// it.
func (s *Service) HomeToken(tx *store.Tx, v svc.Viewer) (string, error) {
	stamp, err := s.homeStamp(tx, v)
	return homeToken(tx, v, stamp), err
}

func (s *Service) homeStamp(tx *store.Tx, v svc.Viewer) (stamp int64, err error) {
	err = tx.Get(&stamp, s.q.HomeStamp, store.Args{"member": v.Member()})
	return stamp, err
}

// HomeSince returns what changed in v's home after the token since, in the
// order of the changes and at most limit of them (0: all). A calendar has
// changed if something in it has. "" is from the beginning: what there is, and
// nothing that is gone.
func (s *Service) HomeSince(tx *store.Tx, v svc.Viewer, since string, limit int) (c HomeChanges, err error) {
	last, err := s.homeStamp(tx, v)
	if err != nil {
		return c, err
	}
	var after int64
	if since != "" {
		_, number, _ := strings.Cut(strings.TrimPrefix(since, homePrefix), ":"+tx.Epoch()+":")
		after, err = strconv.ParseInt(number, 10, 64)
		if err != nil || after < 0 || after > last || since != homeToken(tx, v, after) {
			return c, ErrToken
		}
	}
	var list []struct {
		Segment string `db:"segment"`
		Gone    bool   `db:"gone"`
		Stamp   int64  `db:"stamp"`
	}
	args := store.Args{"member": v.Member(), "after": after, "limit": -1}
	if limit > 0 {
		args["limit"] = limit + 1
	}
	if err := tx.Select(&list, s.q.HomeSince, args); err != nil {
		return c, err
	}
	if limit > 0 && len(list) > limit {
		list, c.More, last = list[:limit], true, list[limit-1].Stamp
	}
	for _, one := range list {
		if one.Gone {
			c.Gone = append(c.Gone, one.Segment)
		} else {
			c.Changed = append(c.Changed, one.Segment)
		}
	}
	c.Token = homeToken(tx, v, last)
	return c, nil
}

// nextStamp counts changes to what is in homes.
func (s *Service) nextStamp(tx *store.Tx) (stamp int64, err error) {
	err = tx.Get(&stamp, s.q.NextStamp, nil)
	return stamp, err
}

// stampCalendar notes that a calendar has changed, not what it holds.
func (s *Service) stampCalendar(tx *store.Tx, id string) error {
	stamp, err := s.nextStamp(tx)
	if err == nil {
		_, err = tx.Exec(s.q.StampCalendar, store.Args{"calendar": id, "stamp": stamp})
	}
	return err
}

var errOccupied = svc.Errorf(svc.AlreadyExists, "There is something at this address already.")

// arrive makes sure that a name in a member's home is free for a new calendar
// or plain collection, and returns the stamp for it.
func (s *Service) arrive(tx *store.Tx, member svc.MemberID, segment string) (stamp int64, err error) {
	args := store.Args{"member": member, "segment": segment}
	if _, err := s.one(tx, s.q.CalendarAt, args); svc.KindOf(err) != svc.Missing {
		return 0, orOccupied(err)
	}
	if _, err := s.file(tx, member, segment, false); svc.KindOf(err) != svc.Missing {
		return 0, orOccupied(err)
	}
	if _, err := tx.Exec(s.q.UnburyHome, args); err != nil {
		return 0, err
	}
	return s.nextStamp(tx)
}

// orOccupied is err, or that something has been found where nothing may be.
func orOccupied(err error) error {
	if err == nil {
		err = errOccupied
	}
	return err
}
