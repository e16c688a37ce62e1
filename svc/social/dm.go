package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// DM is what two members say to one another within social life, as one of them
// sees it. It has nothing to do with the threads of Messages, but looks like
// one.
type DM struct {
	ID               string                  `json:"id"`
	Type             string                  `json:"type"`    // "social_dm"
	Title            string                  `json:"title"`   // what the other one is called
	Summary          string                  `json:"summary"` // the beginning of the latest message
	Participants     svc.List[DMParticipant] `json:"participants"`
	ParticipantCount int                     `json:"participant_count"` // always 2
	MessageCount     int64                   `json:"message_count"`
	UnreadCount      int64                   `json:"unread_count"` // what the other one wrote after the viewer's marker
	CanReply         bool                    `json:"can_reply"`
	LastMessageAt    *time.Time              `json:"last_message_at"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        *time.Time              `json:"updated_at"` // when the latest message was written
	Context          *CommonGround           `json:"context"`    // why the two may write, null if they may not any more
	Permissions      DMPermissions           `json:"permissions"`
}

// DMParticipant is one of the two.
type DMParticipant struct {
	MemberRef
	Username string `json:"username"` // "" of a former member
	IsSelf   bool   `json:"is_self"`
}

// DMPermissions are what one of the two can do.
type DMPermissions struct {
	CanView           bool `json:"can_view"`
	CanReply          bool `json:"can_reply"`
	CanAddParticipant bool `json:"can_add_participant"` // always false
}

// DMMessage is one message of a DM. Schema: service.social.dm_message.
type DMMessage struct {
	ID        string       `json:"id"`
	ThreadID  string       `json:"thread_id"` // of the DM
	SenderID  svc.MemberID `json:"sender_identity_user_id"`
	Body      string       `json:"body"` // as it was sent
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt *time.Time   `json:"updated_at"` // null: messages do not change
}

// DMType is the type of a DM in every payload.
const DMType = "social_dm"

// dmRow is a DM as one of the two has it.
type dmRow struct {
	ID        string       `db:"id"`
	Seq       int64        `db:"seq"`
	CreatedAt store.Millis `db:"created_at"`
	UpdatedAt store.Millis `db:"updated_at"`
	Partner   svc.MemberID `db:"partner_id"`
	Place     int64        `db:"place"`
	Seen      int64        `db:"seen"`
	Unread    int64        `db:"unread"`
	Summary   string       `db:"summary"`
}

// DMPage is a page of a member's DMs, the latest first.
type DMPage struct {
	DMs         []DM
	Page        svc.Page
	UnreadTotal int64 // in all of them
}

// DMs returns a page of v's. One in which something is written while somebody
// turns pages is on the first page from then on, and on no other.
func (s *Service) DMs(tx *store.Tx, v svc.Viewer, limit int, cursor string) (DMPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DMPage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.dms", v)
	limit, errLimit := svc.PageLimit(limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, cursors.Decode(cursor, &before)); err != nil {
		return DMPage{}, err
	}
	rows, err := s.dmRows(tx, w.member, before, limit+1)
	if err != nil {
		return DMPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r dmRow) any { return r.Place })
	list, err := s.dms(tx, w, rows...)
	if err != nil {
		return DMPage{}, err
	}
	answer := DMPage{DMs: list, Page: page}
	err = tx.Get(&answer.UnreadTotal, s.q.DMsUnread, store.Args{"member": w.member})
	return answer, err
}

func (s *Service) dmRows(tx *store.Tx, member svc.MemberID, before int64, limit int) (rows []dmRow, err error) {
	err = tx.Select(&rows, s.q.DMs, store.Args{"member": member, "before": before, "limit": limit})
	return rows, err
}

// theseDMs reads those of the ids that are a member's.
func (s *Service) theseDMs(tx *store.Tx, member svc.MemberID, ids []string) (rows []dmRow, err error) {
	err = tx.Select(&rows, s.q.TheseDMs, store.Args{"member": member, "ids": jsonList(ids)})
	return rows, err
}

// dmRow returns a DM of a member. For all others there is none.
func (s *Service) dmRow(tx *store.Tx, member svc.MemberID, id string) (dmRow, error) {
	rows, err := s.theseDMs(tx, member, []string{id})
	if err == nil && len(rows) == 0 {
		err = svc.Errorf(svc.NotFound, "You have no such DM.")
	}
	if err != nil {
		return dmRow{}, err
	}
	return rows[0], nil
}

// dms returns the rows as their member sees them. A partner with whom there is
// a block looks like one who is not here any more.
func (s *Service) dms(tx *store.Tx, w view, rows ...dmRow) ([]DM, error) {
	partners := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		partners[i] = r.Partner
	}
	names, err := s.names(tx, append(partners, w.member)...)
	if err != nil {
		return nil, err
	}
	for _, m := range w.hidden {
		delete(names, m)
	}
	ties, err := s.ties(tx, w, partners...)
	list := make([]DM, len(rows))
	for i, r := range rows {
		list[i] = r.dm(w.member, names, ties)
	}
	return list, err
}

func (r dmRow) dm(member svc.MemberID, names names, ties map[svc.MemberID]CommonGround) DM {
	participant := func(id svc.MemberID) DMParticipant {
		return DMParticipant{names.of(id), names[id].Username, id == member}
	}
	created, updated := r.CreatedAt.Timestamp(), r.UpdatedAt.Timestamp()
	d := DM{
		ID: r.ID, Type: DMType, Title: names.of(r.Partner).DisplayName, Summary: r.Summary,
		Participants:     svc.List[DMParticipant]{participant(member), participant(r.Partner)},
		ParticipantCount: 2, MessageCount: r.Seq, UnreadCount: r.Unread,
		LastMessageAt: &updated, CreatedAt: created, UpdatedAt: &updated,
	}
	_, active := names[r.Partner]
	if tie, tied := ties[r.Partner]; tied && active {
		d.Context, d.CanReply = &tie, true
	}
	d.Permissions = DMPermissions{CanView: true, CanReply: d.CanReply}
	return d
}

// ExportedDM is a DM as it is exported.
type ExportedDM struct {
	ID        string    `json:"id"`
	With      MemberRef `json:"with"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// exportPortion is how many DMs or messages an export has in memory at once.
const exportPortion = 500

// ExportDMs shows all DMs of a member, the latest first.
func (s *Service) ExportDMs(tx *store.Tx, member svc.MemberID, show func(ExportedDM) error) error {
	hidden, err := s.Hidden(tx, member)
	if err != nil {
		return err
	}
	return s.eachDMs(tx, member, func(rows []dmRow) error {
		partners := make([]svc.MemberID, len(rows))
		for i, r := range rows {
			partners[i] = r.Partner
		}
		names, err := s.names(tx, partners...)
		if err != nil {
			return err
		}
		for _, m := range hidden {
			delete(names, m)
		}
		for _, r := range rows {
			if err := show(ExportedDM{r.ID, names.of(r.Partner), r.CreatedAt.Timestamp(), r.UpdatedAt.Timestamp()}); err != nil {
				return err
			}
		}
		return nil
	})
}

// ExportDMMessages shows all messages in a member's DMs, those of one together,
// the latest first.
func (s *Service) ExportDMMessages(tx *store.Tx, member svc.MemberID, show func(DMMessage) error) error {
	return s.eachDMs(tx, member, func(rows []dmRow) error {
		for _, r := range rows {
			if err := s.exportDM(tx, r.ID, show); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) exportDM(tx *store.Tx, dm string, show func(DMMessage) error) error {
	for before := int64(math.MaxInt64); ; {
		rows, err := s.dmMessages(tx, dm, before, exportPortion)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := show(r.message()); err != nil {
				return err
			}
		}
		before = rows[len(rows)-1].Seq
	}
}

// eachDMs shows visit the DMs of a member, some at a time.
func (s *Service) eachDMs(tx *store.Tx, member svc.MemberID, visit func([]dmRow) error) error {
	for before := int64(math.MaxInt64); ; {
		rows, err := s.dmRows(tx, member, before, exportPortion)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := visit(rows); err != nil {
			return err
		}
		before = rows[len(rows)-1].Place
	}
}
