package social

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// RSVP is a member's response to an event. Schema: service.social.rsvp.
type RSVP struct {
	Member      MemberRef    `json:"member"`
	Response    svc.Response `json:"response"`
	Note        string       `json:"note"` // visible to the host and the member, "" for other viewers
	RespondedAt time.Time    `json:"responded_at"`
}

// NewRSVP is a response to an event.
type NewRSVP struct {
	Response svc.Response `json:"response"` // none withdraws a response
	Note     string       `json:"note"`
}

// ResponseLabels are the names of the responses, by value. They are the same in
// actions, panels and errors.
var ResponseLabels = map[svc.Response]words.Word{svc.Going: "Going", svc.Maybe: "Maybe", svc.Declined: "Not going", svc.NoResponse: "No answer"}

// RSVPSummary summarizes the RSVPs to an event.
type RSVPSummary struct {
	Mine     svc.Response `json:"mine"` // the viewer's response
	Counts   RSVPCounts   `json:"counts"`
	Capacity *int         `json:"capacity"` // limit of members who are going, null for none
}

// RSVPCounts counts the RSVPs to an event, without hidden members.
type RSVPCounts struct {
	Going    int `json:"going"`
	Maybe    int `json:"maybe"`
	Declined int `json:"declined"`
	None     int `json:"none"` // invited members who have not responded
}

// rsvpRow is a row of social_rsvp.
type rsvpRow struct {
	Member      svc.MemberID `db:"member_id"`
	Response    svc.Response `db:"response"`
	Note        string       `db:"note"`
	RespondedAt store.Millis `db:"responded_at"`
}

type rsvpQueries struct {
	EventRSVPs           store.Query `sql:"event-rsvps"`
	CountRSVPs           store.Query `sql:"count-rsvps"`
	PutRSVP              store.Query `sql:"put-rsvp"`
	AddUnansweredRSVP    store.Query `sql:"add-unanswered-rsvp"`
	DeleteUnansweredRSVP store.Query `sql:"delete-unanswered-rsvp"`
	DeleteRSVPs          store.Query `sql:"delete-rsvps"`
}

// rsvps contains all RSVPs to one event, the earliest response first.
type rsvps []rsvpRow

func (s *Service) eventRSVPs(tx *store.Tx, e eventRow) (rsvps, error) {
	lists, _, err := s.rsvpsByEvent(tx, []eventRow{e})
	return lists[e.ID], err
}

// rsvpsByEvent returns the RSVPs to events by event id, without those of lost guests, which it
// returns separately.
func (s *Service) rsvpsByEvent(tx *store.Tx, events []eventRow) (lists map[string]rsvps, lost []rsvpKey, err error) {
	var rows []struct {
		rsvpRow
		Event string `db:"event_id"`
	}
	if err := tx.Select(&rows, s.q.EventRSVPs, store.Args{"events": eventIDs(events)}); err != nil {
		return nil, nil, err
	}
	lists = make(map[string]rsvps, len(events))
	for _, r := range rows {
		lists[r.Event] = append(lists[r.Event], r.rsvpRow)
	}
	lost, err = s.lostGuests(tx, events, lists)
	for _, k := range lost {
		lists[k.Event] = slices.DeleteFunc(lists[k.Event], func(r rsvpRow) bool { return r.Member == k.Member })
	}
	return lists, lost, err
}

func hasCircleEvent(events []eventRow) bool {
	return slices.ContainsFunc(events, func(e eventRow) bool { return e.Visibility == EventCircle })
}

// lostGuests returns the RSVPs, to circle events that are not over, of members who are no longer in
// the circle of the host. FollowUp will delete them. Queries do not omit these RSVPs, because SQL
// cannot compute circles.
func (s *Service) lostGuests(tx *store.Tx, events []eventRow, lists map[string]rsvps) (lost []rsvpKey, err error) {
	if !hasCircleEvent(events) {
		return nil, nil
	}
	revisions, err := s.graphRevisions(tx)
	if err != nil || !revisions.Unsettled {
		return nil, err
	}
	now := store.MillisOf(tx.Now())
	for _, e := range events {
		if e.Visibility != EventCircle || e.EndsAt <= now || len(lists[e.ID]) == 0 {
			continue
		}
		c, err := s.circlesAt(tx, revisions, e.Host) // cached, and computed once per host
		if err != nil {
			return nil, err
		}
		for _, r := range lists[e.ID] {
			if depth := c.depth(r.Member); r.Member != e.Host && (depth == 0 || depth > *e.Depth) {
				lost = append(lost, rsvpKey{e.ID, r.Member})
			}
		}
	}
	return lost, nil
}

// rsvpKey identifies an RSVP.
type rsvpKey struct {
	Event  string       `db:"event_id"`
	Member svc.MemberID `db:"member_id"`
}

// deleteRevokedRSVPs deletes the RSVPs to events that a pending change revokes, and the RSVPs of
// lost guests. It returns the remaining RSVPs by event id, and the deleted ones.
func (s *Service) deleteRevokedRSVPs(tx *store.Tx, events []eventRow) (lists map[string]rsvps, deleted []rsvpKey, err error) {
	if err := tx.Select(&deleted, s.q.DeleteRevokedRSVPs, store.Args{"events": eventIDs(events)}); err != nil {
		return nil, nil, err
	}
	lists, lost, err := s.rsvpsByEvent(tx, events)
	if err == nil && len(lost) > 0 {
		err = s.deleteRSVPs(tx, lost...)
	}
	return lists, append(deleted, lost...), err
}

func (s *Service) deleteRSVPs(tx *store.Tx, keys ...rsvpKey) error {
	pairs := make([][2]any, len(keys))
	for i, k := range keys {
		pairs[i] = [2]any{k.Event, k.Member}
	}
	_, err := tx.Exec(s.q.DeleteRSVPs, store.Args{"keys": store.JSONArray(pairs)})
	return err
}

// byMember returns the RSVP of member. Its response is "none" if there is no row.
func (l rsvps) byMember(member svc.MemberID) rsvpRow {
	if i := slices.IndexFunc(l, func(r rsvpRow) bool { return r.Member == member }); i >= 0 {
		return l[i]
	}
	return rsvpRow{Member: member, Response: svc.NoResponse}
}

func (l rsvps) count(response svc.Response) (n int) {
	for _, r := range l {
		if r.Response == response {
			n++
		}
	}
	return n
}

// attending returns the members who are going or may be going.
func (l rsvps) attending() (members []svc.MemberID) {
	for _, r := range l {
		if r.Response == svc.Going || r.Response == svc.Maybe {
			members = append(members, r.Member)
		}
	}
	return members
}

// countRSVPs counts the RSVPs to each of the events, without hidden members.
func (s *Service) countRSVPs(tx *store.Tx, w view, events []eventRow) (map[string]RSVPCounts, error) {
	counts := make(map[string]RSVPCounts, len(events))
	if w.unsettled && hasCircleEvent(events) {
		lists, _, err := s.rsvpsByEvent(tx, events)
		for event, list := range lists {
			for _, r := range list {
				if !w.hides(r.Member) {
					counts[event] = counts[event].plus(r.Response, 1)
				}
			}
		}
		return counts, err
	}
	var rows []struct {
		Event    string       `db:"event_id"`
		Response svc.Response `db:"response"`
		N        int          `db:"n"`
	}
	err := tx.Select(&rows, s.q.CountRSVPs, store.Args{"events": eventIDs(events), "hidden": w.hiddenList})
	for _, row := range rows {
		counts[row.Event] = counts[row.Event].plus(row.Response, row.N)
	}
	return counts, err
}

// plus returns the counts with n more of a response.
func (c RSVPCounts) plus(response svc.Response, n int) RSVPCounts {
	switch response {
	case svc.Going:
		c.Going += n
	case svc.Maybe:
		c.Maybe += n
	case svc.Declined:
		c.Declined += n
	case svc.NoResponse:
		c.None += n
	}
	return c
}

// maxAttendees limits the list of attendees.
const maxAttendees = 200

// Attendees returns the RSVPs to an event that v sees: going before maybe,
// declined and none, and within each of them the earliest response first.
func (s *Service) Attendees(tx *store.Tx, v svc.Viewer, id string) ([]RSVP, error) {
	w, e, err := s.event(tx, v, id)
	if err != nil {
		return nil, err
	}
	rows, err := s.eventRSVPs(tx, e)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r rsvpRow) bool { return w.hides(r.Member) })
	order := svc.Response("").Values()
	slices.SortStableFunc(rows, func(a, b rsvpRow) int {
		return slices.Index(order, string(a.Response)) - slices.Index(order, string(b.Response))
	})
	rows = rows[:min(len(rows), maxAttendees)]
	ids := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		ids[i] = r.Member
	}
	names, err := s.names(tx, w.language, ids...)
	list := make([]RSVP, len(rows))
	for i, r := range rows {
		list[i] = r.toRSVP(names, w.member == e.Host || w.member == r.Member)
	}
	return list, err
}

func (r rsvpRow) toRSVP(names names, withNote bool) RSVP {
	result := RSVP{Member: names.ref(r.Member), Response: r.Response, RespondedAt: r.RespondedAt.Timestamp()}
	if withNote {
		result.Note = r.Note
	}
	return result
}

// Respond stores the response of v to an event. It is idempotent.
func (s *Service) Respond(tx *store.Tx, v svc.Viewer, id string, in NewRSVP) (Event, RSVP, error) {
	w, e, err := s.event(tx, v, id)
	if err != nil {
		return Event{}, RSVP{}, err
	}
	if err := svc.Join(in.validate(), e.checkScheduled(tx.Now())); err != nil {
		return Event{}, RSVP{}, err
	}
	list, err := s.eventRSVPs(tx, e)
	if err != nil {
		return Event{}, RSVP{}, err
	}
	old := list.byMember(w.member)
	if in.Response == svc.Going && old.Response != svc.Going && e.Capacity != nil && list.count(svc.Going) >= *e.Capacity {
		return Event{}, RSVP{}, svc.Errorf(svc.EventFull, "This event is full: all %d places are taken. You can still respond maybe.", *e.Capacity)
	}
	if old.Response != in.Response || old.Note != in.Note {
		if err := s.changeRSVP(tx, e, old, in); err != nil {
			return Event{}, RSVP{}, err
		}
	}
	shown, err := s.Event(tx, v, id)
	if err != nil {
		return Event{}, RSVP{}, err
	}
	if list, err = s.eventRSVPs(tx, e); err != nil {
		return Event{}, RSVP{}, err
	}
	names, err := s.names(tx, w.language, w.member)
	return shown, list.byMember(w.member).toRSVP(names, true), err
}

func (in NewRSVP) validate() error {
	return svc.Join(svc.CheckChosen("response", in.Response), svc.CheckText("note", in.Note, svc.MaxSummary))
}

// invitationStates maps a response to the new state of the member's pending invitations.
var invitationStates = map[svc.Response]InvitationState{svc.Going: InvitationAccepted, svc.Maybe: InvitationAccepted, svc.Declined: InvitationDeclined}

// changeRSVP replaces old, updates the member's pending invitations and notifies the host.
func (s *Service) changeRSVP(tx *store.Tx, e eventRow, old rsvpRow, in NewRSVP) error {
	if err := s.putRSVP(tx, e, old.Member, in); err != nil {
		return err
	}
	if state := invitationStates[in.Response]; state != "" {
		if _, err := tx.Exec(s.q.SettleEventInvitations, store.Args{
			"event": e.ID, "member": old.Member, "state": state, "now": store.MillisOf(tx.Now()),
		}); err != nil {
			return err
		}
	}
	if err := s.notify(tx, e.notification(RSVPNotification, old.Member), e.Host); err != nil {
		return err
	}
	if old.Response == in.Response { // only the note and the time of the response have changed
		return s.touchAudience(tx, svc.RSVPChanged, e.Audience)
	}
	return s.announceEvent(tx, e, svc.RSVPChanged, RSVPChangedActivity, old.Member)
}

// putRSVP stores a response. The response "none" is stored only for the host
// and for invited members; for other members it deletes the row.
func (s *Service) putRSVP(tx *store.Tx, e eventRow, member svc.MemberID, in NewRSVP) error {
	keep := true
	if in.Response == svc.NoResponse && member != e.Host {
		if err := tx.Get(&keep, s.q.IsInvited, store.Args{"event": e.ID, "member": member}); err != nil {
			return err
		}
	}
	if !keep {
		return s.deleteRSVPs(tx, rsvpKey{e.ID, member})
	}
	return s.write(tx, member, s.q.PutRSVP, store.Args{
		"event": e.ID, "member": member, "response": in.Response, "note": in.Note, "now": store.MillisOf(tx.Now()), "seq": tx.Seq(),
	})
}
