package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Block is a block that a member has made. It hides both members from each other;
// the blocked member is not notified. Schema: service.social.block.
type Block struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
	CreatedAt time.Time `json:"created_at"`
}

// NewBlock identifies the member to block, by id or by name.
type NewBlock struct {
	MemberID  svc.MemberID `json:"member_id"`
	Recipient string       `json:"recipient"` // a name, an e-mail address or an id, as for messages
}

type blockQueries struct {
	HiddenMembers store.Query `sql:"hidden-members"`
	ListBlocks    store.Query `sql:"list-blocks"`
	Blockers      store.Query `sql:"blockers"`
	AddBlock      store.Query `sql:"add-block"`
	BlockedAt     store.Query `sql:"blocked-at"`
	DeleteBlock   store.Query `sql:"delete-block"`
	DeleteBlocks  store.Query `sql:"delete-blocks"`
}

// Hidden returns the members with a block between them and member, made by
// either side.
func (s *Service) Hidden(tx *store.Tx, member svc.MemberID) (list []svc.MemberID, err error) {
	err = tx.Select(&list, s.q.HiddenMembers, store.Args{"member": member})
	return list, err
}

// Blocks returns the blocks that member has made, newest first.
func (s *Service) Blocks(tx *store.Tx, l words.Language, member svc.MemberID) ([]Block, error) {
	var rows []struct {
		Member svc.MemberID `db:"blocked_id"`
		At     store.Millis `db:"created_at"`
	}
	if err := tx.Select(&rows, s.q.ListBlocks, store.Args{"member": member}); err != nil {
		return nil, err
	}
	ids := make([]svc.MemberID, len(rows))
	for i, row := range rows {
		ids[i] = row.Member
	}
	names, err := s.namesForBlocker(tx, l, member, ids...)
	list := make([]Block, len(rows))
	for i, row := range rows {
		list[i] = newBlock(names.ref(row.Member), row.At)
	}
	return list, err
}

// newBlock returns the JSON form of a block. The avatar of a blocked member is not visible.
func newBlock(member MemberRef, at store.Millis) Block {
	return Block{member.ID, member.DisplayName, svc.Appearance{Color: member.Color}, at.Timestamp()}
}

// Block blocks a member for v, revokes the pending invitations between the two,
// removes their RSVPs to each other's events and hides them as hosts in each
// other's mirrors. It is idempotent.
func (s *Service) Block(tx *store.Tx, v svc.Viewer, in NewBlock) (Block, error) {
	other, err := s.blockTarget(tx, v, in)
	if err != nil {
		return Block{}, err
	}
	if other == v.Member() {
		return Block{}, svc.FieldError(svc.InvalidValue, "member_id", "You cannot block yourself.")
	}
	now := store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.AddBlock, store.Args{"member": v.Member(), "other": other, "now": now}); err != nil {
		return Block{}, err
	}
	if _, err := tx.Exec(s.q.RevokeInvitationsBetween, store.Args{"one": v.Member(), "other": other, "now": now}); err != nil {
		return Block{}, err
	}
	tx.Touch(svc.BlockChanged, int64(v.Member()), int64(other))
	if err := s.circlesShrunk(tx); err != nil {
		return Block{}, err
	}
	if err := s.addHostFollowUps(tx, v.Member(), other, now); err != nil {
		return Block{}, err
	}
	var at store.Millis
	if err := tx.Get(&at, s.q.BlockedAt, store.Args{"member": v.Member(), "other": other}); err != nil {
		return Block{}, err
	}
	names, err := s.namesForBlocker(tx, v.Language(), v.Member(), other)
	return newBlock(names.ref(other), at), err
}

// blockTarget returns the member that v wants to block. An id may be that of a
// disabled member: rejecting it would reveal which members block v, because
// they cannot be found either.
func (s *Service) blockTarget(tx *store.Tx, v svc.Viewer, in NewBlock) (svc.MemberID, error) {
	switch {
	case in.MemberID != 0:
		exists, err := s.directory.MemberExists(tx, in.MemberID)
		if err == nil && !exists {
			err = svc.FieldError(svc.RecipientNotFound, "member_id", "There is no such member.")
		}
		return in.MemberID, err
	case in.Recipient == "":
		return 0, svc.Required("member_id")
	}
	blockers, err := s.blockers(tx, v.Member())
	if err != nil {
		return 0, err
	}
	other, err := s.directory.Resolve(tx, v, in.Recipient, blockers)
	return other.ID, err
}

// blockers returns the members who block member.
func (s *Service) blockers(tx *store.Tx, member svc.MemberID) (list []svc.MemberID, err error) {
	err = tx.Select(&list, s.q.Blockers, store.Args{"member": member})
	return list, err
}

// namesForBlocker returns the names of members that blocker blocks. It omits
// members who block blocker too.
func (s *Service) namesForBlocker(tx *store.Tx, l words.Language, blocker svc.MemberID, blocked ...svc.MemberID) (names, error) {
	blockers, err := s.blockers(tx, blocker)
	if err != nil {
		return names{}, err
	}
	return s.namesWithout(tx, l, blockers, blocked...)
}

// Unblock removes a block that v has made.
func (s *Service) Unblock(tx *store.Tx, v svc.Viewer, other svc.MemberID) error {
	n, err := tx.Exec(s.q.DeleteBlock, store.Args{"member": v.Member(), "other": other})
	if err != nil {
		return err
	}
	if n == 0 {
		return svc.Errorf(svc.NotFound, "You have not blocked this member.")
	}
	tx.Touch(svc.BlockChanged, int64(v.Member()), int64(other))
	if err := s.bumpCircleRevision(tx); err != nil {
		return err
	}
	return s.addHostFollowUps(tx, v.Member(), other, 0)
}

// addHostFollowUps updates the mirrors that two members have of each other's events, after a block
// between them was added or removed. It revokes their RSVPs up to revokedAt, 0 for none.
func (s *Service) addHostFollowUps(tx *store.Tx, one, other svc.MemberID, revokedAt store.Millis) error {
	if err := s.addFollowUp(tx, followUp{Host: one, Guest: other, RevokedAt: revokedAt}); err != nil {
		return err
	}
	return s.addFollowUp(tx, followUp{Host: other, Guest: one, RevokedAt: revokedAt})
}
