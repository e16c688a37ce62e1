package social

import (
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

func (a actor) blockNames() string {
	a.Helper()
	list := read(a, func(tx *store.Tx, v svc.Viewer) ([]Block, error) { return a.Blocks(tx, words.English, a.id) })
	return column(list, func(b Block) any { return b.DisplayName })
}

func (a actor) tryBlock(in NewBlock) (Block, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Block, error) { return a.Block(tx, v, in) })
}

func TestBlockIsIdempotentAndCanBeRemoved(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea := m[0], m[1]
	first := ann.block(bea)
	s.clock.Advance(1e9)
	again, err := ann.tryBlock(NewBlock{Recipient: "cid"})
	if err != nil || again.MemberID != 3 {
		t.Errorf("got %+v, %v, want a block of cid", again, err)
	}
	wantEqual(t, "the same block again", ann.block(bea), first)
	wantEqual(t, "blocks of ann, newest first", ann.blockNames(), "Cid Bea")
	wantEqual(t, "blocks of bea", bea.blockNames(), "")
	for _, pair := range [][2]actor{{ann, bea}, {bea, ann}} {
		wantEqual(t, "blocked", read(ann, func(tx *store.Tx, _ svc.Viewer) (bool, error) {
			hidden, err := s.Hidden(tx, pair[0].id)
			return slices.Contains(hidden, pair[1].id), err
		}), true)
	}
	ann.unblock(bea)
	_, err = tryWrite(ann, func(tx *store.Tx, v svc.Viewer) (any, error) { return nil, s.Unblock(tx, v, bea.id) })
	wantError(t, "a removed block", err, svc.NotFound)
	hidden := read(ann, func(tx *store.Tx, _ svc.Viewer) ([]svc.MemberID, error) { return s.Hidden(tx, ann.id) })
	wantEqual(t, "blocked after removal", slices.Contains(hidden, bea.id), false)
}

func TestBlockTargetIsValidated(t *testing.T) {
	_, m := newServer(t, "ann")
	for about, c := range map[string]struct {
		in    NewBlock
		code  svc.Code
		field string
	}{
		"no member":       {NewBlock{}, svc.FieldRequired, "member_id"},
		"the viewer":      {NewBlock{MemberID: 1}, svc.InvalidValue, "member_id"},
		"an unknown id":   {NewBlock{MemberID: 99}, svc.RecipientNotFound, "member_id"},
		"an unknown name": {NewBlock{Recipient: "zoe"}, svc.RecipientNotFound, "recipient"},
	} {
		_, err := m[0].tryBlock(c.in)
		wantError(t, about, err, c.code, c.field)
	}
}

// Covers B-72: for the blocked member, the blocker looks like a disabled account.
func TestBlockerLooksLikeADisabledAccount(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	bea.block(ann)
	cid.disable()
	for _, name := range []func(actor) NewBlock{
		func(a actor) NewBlock { return NewBlock{Recipient: a.name} },
		func(a actor) NewBlock { return NewBlock{Recipient: a.id.String()} },
		func(a actor) NewBlock { return NewBlock{MemberID: a.id} },
	} {
		one, oneErr := ann.tryBlock(name(bea))
		other, otherErr := ann.tryBlock(name(cid))
		wantEqual(t, "the error", oneErr, otherErr)
		wantEqual(t, "the name", one.DisplayName, other.DisplayName)
	}
	wantEqual(t, "blocks of ann", ann.blockNames(), "Former member Former member")
	wantEqual(t, "blocks of bea, who is blocked as well", bea.blockNames(), "Former member")
	bea.unblock(ann)
	wantEqual(t, "blocks of ann after bea has removed hers", ann.blockNames(), "Bea Former member")
}

// Covers B-98: a mirror shows the name of its host to exactly those members to whom
// Social shows it.
func TestMirrorHidesTheNameOfABlockedHost(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	community := ann.community("private", bea, cid)
	event := ann.createEvent("community", forCommunity(community))
	for _, guest := range []actor{bea, cid} {
		guest.mustRespond(event, "going")
	}
	wantHosts := func(about, want string) {
		t.Helper()
		s.followUp()
		wantEqual(t, about, s.calendars.mirrorHosts(event), want)
	}
	wantHosts("at first", "1:Ann 2:Ann 3:Ann")
	bea.block(ann)
	wantHosts("the guest blocks the host", "1:Ann 2:Former member 3:Ann")
	if _, err := ann.updateEvent(event, EventChange{Title: svc.Some("Supper")}); err != nil {
		t.Fatal(err)
	}
	wantHosts("a change of the host after the block", "1:Ann 2:Former member 3:Ann")
	bea.unblock(ann)
	wantHosts("the end of the block", "1:Ann 2:Ann 3:Ann")
	ann.block(cid)
	wantHosts("the host blocks a guest", "1:Ann 2:Ann 3:Former member")
	ann.disable()
	write(ann, func(tx *store.Tx, _ svc.Viewer) (any, error) { return nil, s.NameChanged(tx, ann.id) })
	wantHosts("a disabled host", "1:Former member 2:Former member 3:Former member")
}

// Covers B-98: members keep the mirror of an event that is over, without the name of
// a host who is hidden from them.
func TestMirrorOfAPastEventHidesABlockedHost(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	event := ann.createEvent("public")
	bea.mustRespond(event, "going")
	s.clock.Advance(60 * 24 * time.Hour)
	bea.block(ann)
	s.followUp()
	wantEqual(t, "hosts in mirrors", s.calendars.mirrorHosts(event), "1:Ann 2:Former member")
	wantEqual(t, "mirrors", s.calendars.mirrorOwners(event), "1:going 2:going")
	wantError(t, "the event", func() error { _, err := bea.event(event); return err }(), svc.NotFound)
}

// Covers O-36 and B-72: rows about a member who is hidden later are kept, but
// neither shown nor counted.
func TestNotificationsAboutHiddenMembersAreOmitted(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.start(openContext, "Hello")
	bea.reply(id, "I am here")
	cid.reply(id, "So am I") // notifies ann and bea
	wantEqual(t, "bea at first", bea.notificationTitles(), "[Cid replied]")
	cid.block(bea)
	wantEqual(t, "bea without the actor", bea.notificationTitles(), "[]")
	wantEqual(t, "unread", bea.notifications().UnreadCount, 0)
	cid.unblock(bea)
	bea.block(ann)
	wantEqual(t, "bea without the author of the conversation", bea.notificationTitles(), "[]")
	wantEqual(t, "unread", bea.notifications().UnreadCount, 0)
	bea.unblock(ann)
	wantEqual(t, "bea at the end", bea.notificationTitles(), "[Cid replied]")
}

// Covers B-72: no row is stored for a member who has a block with the author,
// so that nothing appears when the block is removed.
func TestBlockingTheAuthorPreventsNotifications(t *testing.T) {
	for name, authorBlocks := range map[string]bool{"the participant blocks the author": false, "the author blocks the participant": true} {
		t.Run(name, func(t *testing.T) {
			_, m := newServer(t, "ann", "bea", "cid")
			ann, bea, cid := m[0], m[1], m[2]
			id := ann.start(openContext, "Hello")
			bea.reply(id, "I am here")
			blocker, blocked := bea, ann
			if authorBlocks {
				blocker, blocked = ann, bea
			}
			blocker.block(blocked)
			cid.reply(id, "So am I, @bea") // cid has no block with bea
			ann.start(openContext, "And @bea?")
			wantEqual(t, "ann during the block", ann.notificationTitles(), "[Cid replied]")
			blocker.unblock(blocked)
			wantEqual(t, "bea after the block", bea.notificationTitles(), "[]")
			wantEqual(t, "ann after the block", ann.notificationTitles(), "[Cid replied Bea replied]")
		})
	}
}
