package collection_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics/icstest"
)

// Replaying the changes of a calendar, with any limits, results in its contents.
// Covers PT-28, C-19 and RFC 6578 §3.6.
func TestReplayedChangesYieldTheContents(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	d := icstest.NewRand(6578)
	replayed, token := make(map[string]string), ""
	for n := range 200 {
		segment := fmt.Sprint(d.IntN(12), ".ics")
		if d.OneIn(3) && f.Text(ann, defaultCal, segment) != "" {
			f.Write(func(tx *store.Tx) error {
				return f.Collections.Delete(tx, ann, defaultCal.Segment, segment, calendartest.NoPrecondition)
			})
		} else {
			f.Put(ann, defaultCal, segment, event(segment, fmt.Sprint(n)))
		}
		if d.OneIn(2) {
			continue
		}
		for limit := d.IntN(4); ; {
			c := changes(f, ann, defaultCal, token, limit)
			for _, r := range c.Changed {
				replayed[r.Segment] = r.ETag
			}
			for _, s := range c.Deleted {
				delete(replayed, s)
			}
			if token = c.Token; !c.Truncated {
				break
			}
			if d.OneIn(3) {
				break // the client continues later
			}
		}
		if c := changes(f, ann, defaultCal, token, 0); len(c.Changed)+len(c.Deleted) > 0 {
			continue
		}
		f.Read(func(tx *store.Tx) error {
			list, err := f.Collections.Resources(tx, ann, defaultCal.Segment, true)
			if len(list) != len(replayed) || slices.ContainsFunc(list, func(r collection.Resource) bool { return replayed[r.Segment] != r.ETag }) {
				t.Fatalf("got %v, want %+v", replayed, list)
			}
			return err
		})
	}
}

// A sync token is valid only for its collection and its database, and as long as
// all later tombstones exist. Covers C-20 and RFC 6578 §3.2.
func TestSyncTokensOfOtherStatesAreInvalid(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	f.Put(ann, defaultCal, "a.ics", event("a", "A"))
	valid := changes(f, ann, defaultCal, "", 0).Token
	for _, token := range []string{
		"x", valid + "0", valid + ".1", valid + ".0", strings.Replace(valid, defaultCal.ID, work.ID, 1), valid[:len(valid)-1] + "-1", strings.TrimSuffix(valid, "1") + "01",
		changes(f, ann, work, "", 0).Token, "urn:appliance:sync:" + defaultCal.ID + ":other:1",
	} {
		f.Read(func(tx *store.Tx) error {
			if _, err := f.Collections.Changes(tx, ann, defaultCal.Segment, token, 0, false); !errors.Is(err, collection.ErrToken) {
				t.Errorf("%s: got %v, want ErrToken", token, err)
			}
			return nil
		})
	}
	f.Read(func(tx *store.Tx) error {
		c, err := f.Calendar.Calendar(tx, ann, defaultCal.ID)
		if got := collection.Token(tx, c.ID, c.Seq); got != valid {
			t.Errorf("got token %s, want %s", got, valid)
		}
		return err
	})
}

// Old tombstones are pruned. A client that has not received them must
// synchronize from the start; a client whose first synchronization takes
// several responses can continue. Covers C-20.
func TestPrunedTombstonesInvalidateOlderTokens(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	remove := func(segment string) {
		f.Write(func(tx *store.Tx) error {
			return f.Collections.Delete(tx, ann, defaultCal.Segment, segment, calendartest.NoPrecondition)
		})
	}
	for _, uid := range []string{"a", "b", "c"} {
		f.Put(ann, defaultCal, uid+".ics", event(uid, uid))
	}
	before := changes(f, ann, defaultCal, "", 0).Token
	remove("a.ics")
	after := changes(f, ann, defaultCal, "", 0).Token
	f.Clock.Advance(100 * 24 * time.Hour)
	for i := range 260 { // tombstones are pruned every 256 changes
		f.Put(ann, defaultCal, "b.ics", event("b", fmt.Sprint(i)))
	}
	f.Read(func(tx *store.Tx) error {
		if _, err := f.Collections.Changes(tx, ann, defaultCal.Segment, before, 0, false); !errors.Is(err, collection.ErrToken) {
			t.Errorf("a token from before the deletion: got %v, want ErrToken", err)
		}
		return nil
	})
	if got := changes(f, ann, defaultCal, after, 0); !slices.Equal(segments(got.Changed), []string{"b.ics"}) || len(got.Deleted) != 0 {
		t.Errorf("a token from after the deletion: got %+v, want b.ics", got)
	}
	f.Put(ann, defaultCal, "c.ics", event("c", "Last"))
	firstPage := changes(f, ann, defaultCal, "", 1)
	remove("b.ics")
	var changed, deleted []string
	for firstPage.Truncated {
		changed = append(changed, segments(firstPage.Changed)...)
		firstPage = changes(f, ann, defaultCal, firstPage.Token, 1)
		deleted = append(deleted, firstPage.Deleted...)
	}
	changed = append(changed, segments(firstPage.Changed)...)
	slices.Sort(changed)
	if !slices.Equal(changed, []string{"b.ics", "c.ics"}) || !slices.Equal(deleted, []string{"b.ics"}) {
		t.Errorf("got changed %q, deleted %q; want b.ics and c.ics, and b.ics deleted", changed, deleted)
	}
}
