package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Block is whom a member does not want to meet. It works both ways, and the
// other is not told (B-72). Schema: service.social.block.
type Block struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	CreatedAt   time.Time    `json:"created_at"`
}

// NewBlock names whom to block, one way or the other.
type NewBlock struct {
	MemberID  svc.MemberID `json:"member_id"`
	Recipient string       `json:"recipient"` // as for a message
}

// Hidden returns everybody with a block between them and a member, whoever
// made it.
func (s *Service) Hidden(tx *store.Tx, member svc.MemberID) (list []svc.MemberID, err error) {
	err = tx.Select(&list, s.q.Hidden, store.Args{"member": member})
	return list, err
}

// Blocked reports whether there is a block between two members.
func (s *Service) Blocked(tx *store.Tx, one, other svc.MemberID) (blocked bool, err error) {
	err = tx.Get(&blocked, s.q.Blocked, store.Args{"one": one, "other": other})
	return blocked, err
}

// Blocks lists whom a member blocks, to themselves, the latest first.
func (s *Service) Blocks(tx *store.Tx, member svc.MemberID) ([]Block, error) {
	var rows []struct {
		Member svc.MemberID `db:"blocked_id"`
		At     store.Millis `db:"created_at"`
	}
	if err := tx.Select(&rows, s.q.Blocks, store.Args{"member": member}); err != nil {
		return nil, err
	}
	ids := make([]svc.MemberID, len(rows))
	for i, row := range rows {
		ids[i] = row.Member
	}
	names, err := s.unaware(tx, member, ids...)
	list := make([]Block, len(rows))
	for i, row := range rows {
		list[i] = Block{row.Member, names.of(row.Member).DisplayName, row.At.Timestamp()}
	}
	return list, err
}

// Block keeps v and another member apart, and takes back what they have invited
// one another to. Doing so again changes nothing.
func (s *Service) Block(tx *store.Tx, v svc.Viewer, in NewBlock) (Block, error) {
	other, err := s.blockable(tx, v, in)
	if err != nil {
		return Block{}, err
	}
	if other == v.Member() {
		return Block{}, svc.FieldError(svc.InvalidValue, "member_id", "You cannot block yourself.")
	}
	if _, err := tx.Exec(s.q.AddBlock, store.Args{"member": v.Member(), "other": other, "now": store.MillisOf(tx.Now())}); err != nil {
		return Block{}, err
	}
	if _, err := tx.Exec(s.q.RevokeInvitationsBetween, store.Args{"one": v.Member(), "other": other, "now": store.MillisOf(tx.Now())}); err != nil {
		return Block{}, err
	}
	tx.Touch(svc.BlocksTopic, int64(v.Member()), int64(other))
	if err := s.loosen(tx); err != nil { // before anything is read by the new circles
		return Block{}, err
	}
	if err := s.withdraw(tx, s.q.RSVPsBetween, store.Args{"one": v.Member(), "other": other}); err != nil {
		return Block{}, err
	}
	var at store.Millis
	if err := tx.Get(&at, s.q.BlockedAt, store.Args{"member": v.Member(), "other": other}); err != nil {
		return Block{}, err
	}
	names, err := s.unaware(tx, v.Member(), other)
	return Block{other, names.of(other).DisplayName, at.Timestamp()}, err
}

// blockable returns whom v wants to block. By their number that can be anybody,
// even who is not here at the moment: if it could not, whoever is still here and
// cannot be found would be known to block v.
func (s *Service) blockable(tx *store.Tx, v svc.Viewer, in NewBlock) (svc.MemberID, error) {
	switch {
	case in.MemberID != 0:
		known, err := s.directory.MemberExists(tx, in.MemberID)
		if err == nil && !known {
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

// blockers returns everybody who blocks a member.
func (s *Service) blockers(tx *store.Tx, member svc.MemberID) (list []svc.MemberID, err error) {
	err = tx.Select(&list, s.q.Blockers, store.Args{"member": member})
	return list, err
}

// unaware returns what those are called whom a member blocks. Who blocks them
// as well looks like one who is not here any more.
func (s *Service) unaware(tx *store.Tx, member svc.MemberID, ids ...svc.MemberID) (names, error) {
	blockers, err := s.blockers(tx, member)
	if err != nil {
		return nil, err
	}
	return s.met(tx, blockers, ids...)
}

// Unblock ends a block of v's.
func (s *Service) Unblock(tx *store.Tx, v svc.Viewer, other svc.MemberID) error {
	n, err := tx.Exec(s.q.DeleteBlock, store.Args{"member": v.Member(), "other": other})
	if err != nil {
		return err
	}
	if n == 0 {
		return svc.Errorf(svc.NotFound, "You do not block that member.")
	}
	tx.Touch(svc.BlocksTopic, int64(v.Member()), int64(other))
	return s.regraph(tx)
}
