package social

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// countPresent returns the number of present members for a, and the time until
// which it is valid.
func (a actor) countPresent() (n int, until string) {
	a.Helper()
	read(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
		counts, at, err := a.Counts(tx, v)
		if n = counts.Presence; !at.IsZero() {
			until = at.Format(time.TimeOnly)
		}
		return nil, err
	})
	return n, until
}

// Covers O-23 and B-69.
func TestPresenceExpires(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	wantCount := func(about string, a actor, want string) {
		t.Helper()
		n, until := a.countPresent()
		wantEqual(t, about, fmt.Sprint(n, " ", until), want)
	}
	page := ann.presence()
	wantEqual(t, "the default", fmt.Sprint(len(page.Presence), page.Mine.State, page.Mine.VisibleTo, page.Mine.ExpiresAt == nil), "0offlinememberstrue")
	wantCount("without present members", ann, "0 ")
	p := bea.setPresence(NewPresence{State: "online"})
	wantEqual(t, "the default expiry", p.ExpiresAt.Format(time.TimeOnly)+" "+string(p.VisibleTo), "09:05:00 members")
	ann.setPresence(NewPresence{State: "away", TTL: new(30), VisibleTo: "inner"})
	wantCount("for ann", ann, "2 09:00:30")
	wantCount("for bea", bea, "1 09:05:00")
	s.clock.Advance(30 * time.Second)
	page = ann.presence()
	wantEqual(t, "after 30 seconds", fmt.Sprint(len(page.Presence), page.Mine.State, page.Mine.VisibleTo), "1offlineinner")
	wantEqual(t, "visible_to is kept", ann.setPresence(NewPresence{State: "online"}).VisibleTo, "inner")
	s.clock.Advance(269 * time.Second)
	wantCount("a second before bea expires", ann, "2 09:05:00")
	s.clock.Advance(time.Second)
	wantCount("after bea has expired", ann, "1 09:05:30")
	if p := ann.person(bea).Presence; p != nil {
		t.Errorf("got presence %+v of bea, want none", p)
	}
	bea.setPresence(NewPresence{State: "offline", TTL: new(maxTTL)})
	wantCount("with bea offline", ann, "1 09:05:30")
}

// Covers B-69 and PT-40.
func TestPresenceIsValidated(t *testing.T) {
	_, m := newServer(t, "ann")
	for about, c := range map[string]struct {
		in    NewPresence
		code  svc.Code
		field string
	}{
		"no state":             {NewPresence{}, svc.FieldRequired, "state"},
		"an unknown state":     {NewPresence{State: "sleeping"}, svc.InvalidValue, "state"},
		"a short time to live": {NewPresence{State: "online", TTL: new(29)}, svc.InvalidValue, "ttl_seconds"},
		"a long time to live":  {NewPresence{State: "online", TTL: new(3601)}, svc.InvalidValue, "ttl_seconds"},
		"an unknown audience":  {NewPresence{State: "online", VisibleTo: "all"}, svc.InvalidValue, "visible_to"},
		"a long note":          {NewPresence{State: "online", Note: strings.Repeat("x", 201)}, svc.TooLong, "note"},
	} {
		_, err := tryWrite(m[0], func(tx *store.Tx, v svc.Viewer) (Presence, error) { return m[0].SetPresence(tx, v, c.in) })
		wantError(t, about, err, c.code, c.field)
	}
	wantEqual(t, "presence after rejected requests", m[0].presence().Mine.State, "offline")
}

// Covers PT-42 and PT-46.
func TestDisabledMembersAreNotPresent(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	bea.setPresence(NewPresence{State: "online"})
	bea.disable()
	n, _ := ann.countPresent()
	wantEqual(t, "count and list", fmt.Sprint(n, len(ann.presence().Presence)), "0 0")
	_, err := ann.profile(bea)
	wantError(t, "the profile", err, svc.NotFound)
}

// Covers PT-30.
func TestPagesOfPresenceAreComplete(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan", "eve")
	for _, a := range m {
		a.setPresence(NewPresence{State: "online"})
	}
	m[1].block(m[0])
	var got []string
	cursor := ""
	for more := true; more; more = cursor != "" {
		p := read(m[0], func(tx *store.Tx, v svc.Viewer) (PresencePage, error) { return m[0].Presence(tx, v, 2, cursor) })
		got = append(got, column(p.Presence, func(p Presence) any { return p.DisplayName }))
		cursor = ""
		if p.Page.NextCursor != nil {
			cursor = *p.Page.NextCursor
		}
	}
	wantEqual(t, "pages", got, []string{"Ann Cid", "Dan Eve"})
}

// Covers B-84: a renewal is announced to other members only if they would see
// a difference.
func TestRenewedPresenceIsAnnouncedOnlyIfItChanges(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	for _, c := range []struct {
		in        NewPresence
		announced bool
	}{
		{NewPresence{State: "offline"}, false},
		{NewPresence{State: "online", VisibleTo: "nobody"}, false},
		{NewPresence{State: "online", VisibleTo: "members"}, true},
		{NewPresence{State: "online"}, false},
		{NewPresence{State: "online", TTL: new(600)}, false},
		{NewPresence{State: "online", TTL: new(60)}, true}, // expires before other members read the presence again
		{NewPresence{State: "busy", TTL: new(60)}, true},
		{NewPresence{State: "busy", TTL: new(60), Note: "Soup"}, true},
		{NewPresence{State: "offline"}, true},
		{NewPresence{State: "offline", Note: "Gone"}, false},
	} {
		s.clock.Advance(time.Second)
		own, other := ann.revision(), bea.revision()
		ann.setPresence(c.in)
		if ann.revision() == own {
			t.Errorf("%+v: the revision of ann is unchanged", c.in)
		}
		if got := bea.revision() != other; got != c.announced {
			t.Errorf("%+v: got announced %t, want %t", c.in, got, c.announced)
		}
	}
	if _, err := ann.updateProfile(ProfileChange{ShowLastSeen: svc.Some(true)}); err != nil {
		t.Fatal(err)
	}
	other := bea.revision()
	if ann.setPresence(NewPresence{State: "offline"}); bea.revision() == other {
		t.Error("an absent member who shows when they were last seen: the renewal is not announced")
	}
}
