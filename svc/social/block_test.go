package social

import (
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (a actor) blockNames() string {
	a.Helper()
	list := read(a, func(tx *store.Tx, v svc.Viewer) ([]Block, error) { return a.Blocks(tx, a.id) })
	return column(list, func(b Block) any { return b.DisplayName })
}

func (a actor) tryBlock(in NewBlock) (Block, error) {
	return attempt(a, func(tx *store.Tx, v svc.Viewer) (Block, error) { return a.Block(tx, v, in) })
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
	equal(t, "the same block again", ann.block(bea), first)
	equal(t, "blocks of ann, newest first", ann.blockNames(), "Cid Bea")
	equal(t, "blocks of bea", bea.blockNames(), "")
	for _, pair := range [][2]actor{{ann, bea}, {bea, ann}} {
		equal(t, "blocked", read(ann, func(tx *store.Tx, _ svc.Viewer) (bool, error) {
			return s.Blocked(tx, pair[0].id, pair[1].id)
		}), true)
	}
	ann.unblock(bea)
	_, err = attempt(ann, func(tx *store.Tx, v svc.Viewer) (any, error) { return nil, s.Unblock(tx, v, bea.id) })
	refused(t, "a removed block", err, svc.NotFound)
	equal(t, "blocked after removal", read(ann, func(tx *store.Tx, _ svc.Viewer) (bool, error) { return s.Blocked(tx, 1, 2) }), false)
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
		refused(t, about, err, c.code, c.field)
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
		equal(t, "the error", oneErr, otherErr)
		equal(t, "the name", one.DisplayName, other.DisplayName)
	}
	equal(t, "blocks of ann", ann.blockNames(), "Former member Former member")
	equal(t, "blocks of bea, who is blocked as well", bea.blockNames(), "Former member")
	bea.unblock(ann)
	equal(t, "blocks of ann after bea has removed hers", ann.blockNames(), "Bea Former member")
}

// Covers O-36 and B-72: rows about a member who is hidden later are kept, but
// neither shown nor counted.
func TestNotificationsAboutHiddenMembersAreOmitted(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.start(open, "Hello")
	bea.reply(id, "I am here")
	cid.reply(id, "So am I") // notifies ann and bea
	equal(t, "bea at first", bea.notified(), "[Cid replied]")
	cid.block(bea)
	equal(t, "bea without the actor", bea.notified(), "[]")
	equal(t, "unread", bea.notifications().UnreadCount, 0)
	cid.unblock(bea)
	bea.block(ann)
	equal(t, "bea without the author of the conversation", bea.notified(), "[]")
	equal(t, "unread", bea.notifications().UnreadCount, 0)
	bea.unblock(ann)
	equal(t, "bea at the end", bea.notified(), "[Cid replied]")
}

// Covers B-72: no row is stored for a member who has a block with the author,
// so that nothing appears when the block is removed.
func TestBlockingTheAuthorPreventsNotifications(t *testing.T) {
	for name, swap := range map[string]bool{"the participant blocks the author": false, "the author blocks the participant": true} {
		t.Run(name, func(t *testing.T) {
			_, m := newServer(t, "ann", "bea", "cid")
			ann, bea, cid := m[0], m[1], m[2]
			id := ann.start(open, "Hello")
			bea.reply(id, "I am here")
			blocker, blocked := bea, ann
			if swap {
				blocker, blocked = ann, bea
			}
			blocker.block(blocked)
			cid.reply(id, "So am I, @bea") // cid has no block with bea
			ann.start(open, "And @bea?")
			equal(t, "ann during the block", ann.notified(), "[Cid replied]")
			blocker.unblock(blocked)
			equal(t, "bea after the block", bea.notified(), "[]")
			equal(t, "ann after the block", ann.notified(), "[Cid replied Bea replied]")
		})
	}
}
