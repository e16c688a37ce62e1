package social

import (
	"encoding/json"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// NewRSVP is a member's answer to an event.
type NewRSVP struct {
	Response string `json:"response"` // "going", "maybe", "declined", or "none" to take an answer back
	Note     string `json:"note"`
}

// RSVP is a member's answer to an event. Schema: service.social.rsvp.
type RSVP struct {
	Member      MemberRef `json:"member"`
	Response    string    `json:"response"` // "going", "maybe", "declined" or "none"
	Note        string    `json:"note"`     // for the host and the member alone, "" for others
	RespondedAt time.Time `json:"responded_at"`
}

// rsvpRow is a row of social_rsvp.
type rsvpRow struct {
	Member      svc.MemberID `db:"member_id"`
	Response    string       `db:"response"`
	Note        string       `db:"note"`
	RespondedAt store.Millis `db:"responded_at"`
}

// attendance is all answers to an event.
type attendance []rsvpRow

func (s *Service) attending(tx *store.Tx, event string) (list attendance, err error) {
	err = tx.Select(&list, s.q.Attendance, store.Args{"event": event})
	return list, err
}

// of returns a member's answer.
func (a attendance) of(member svc.MemberID) rsvpRow {
	if i := slices.IndexFunc(a, func(r rsvpRow) bool { return r.Member == member }); i >= 0 {
		return a[i]
	}
	return rsvpRow{Member: member, Response: "none"}
}

func (a attendance) count(response string) (n int) {
	for _, r := range a {
		if r.Response == response {
			n++
		}
	}
	return n
}

// coming are those who come, or may come.
func (a attendance) coming() (members []svc.MemberID) {
	for _, r := range a {
		if r.Response == "going" || r.Response == "maybe" {
			members = append(members, r.Member)
		}
	}
	return members
}

// answerCounts returns how many whom the member meets answered each event how.
func (s *Service) answerCounts(tx *store.Tx, w view, events []string) (map[string]RSVPCounts, error) {
	var rows []struct {
		Event    string `db:"event_id"`
		Response string `db:"response"`
		N        int    `db:"n"`
	}
	err := tx.Select(&rows, s.q.CountRSVPs, store.Args{"events": jsonList(events), "hidden": w.hiding})
	counts := make(map[string]RSVPCounts, len(events))
	for _, row := range rows {
		c := counts[row.Event]
		switch row.Response {
		case "going":
			c.Going = row.N
		case "maybe":
			c.Maybe = row.N
		case "declined":
			c.Declined = row.N
		case "none":
			c.None = row.N
		}
		counts[row.Event] = c
	}
	return counts, err
}

// maxAttendees is how many answers an event shows.
const maxAttendees = 200

// Attendees returns who answered an event that v sees, or was asked to come,
// the first of them: those who are going before those who may, and so on, each
// in the order of their answers. Only the host reads what they noted.
func (s *Service) Attendees(tx *store.Tx, v svc.Viewer, id string) ([]RSVP, error) {
	w, e, err := s.event(tx, v, id)
	if err != nil {
		return nil, err
	}
	rows, err := s.attending(tx, id)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r rsvpRow) bool { return w.hides(r.Member) })
	order := []string{"going", "maybe", "declined", "none"}
	slices.SortStableFunc(rows, func(a, b rsvpRow) int {
		return slices.Index(order, a.Response) - slices.Index(order, b.Response)
	})
	rows = rows[:min(len(rows), maxAttendees)]
	ids := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		ids[i] = r.Member
	}
	names, err := s.names(tx, ids...)
	list := make([]RSVP, len(rows))
	for i, r := range rows {
		list[i] = r.rsvp(names, w.member == e.Host || w.member == r.Member)
	}
	return list, err
}

func (r rsvpRow) rsvp(names names, note bool) RSVP {
	shown := RSVP{Member: names.of(r.Member), Response: r.Response, RespondedAt: r.RespondedAt.Timestamp()}
	if note {
		shown.Note = r.Note
	}
	return shown
}

// Answer makes v's answer to an event. The same answer again changes nothing.
func (s *Service) Respond(tx *store.Tx, v svc.Viewer, id string, in NewRSVP) (Event, RSVP, error) {
	w, e, err := s.event(tx, v, id)
	if err != nil {
		return Event{}, RSVP{}, err
	}
	if err := svc.Join(in.check(), e.open(tx.Now())); err != nil {
		return Event{}, RSVP{}, err
	}
	answers, err := s.attending(tx, id)
	if err != nil {
		return Event{}, RSVP{}, err
	}
	was := answers.of(w.member)
	if in.Response == "going" && was.Response != "going" && e.Capacity != nil && answers.count("going") >= *e.Capacity {
		return Event{}, RSVP{}, svc.Errorf(svc.EventFull, "All %d places are taken.", *e.Capacity)
	}
	if was.Response != in.Response || was.Note != in.Note {
		if err := s.answer(tx, e, was, in); err != nil {
			return Event{}, RSVP{}, err
		}
	}
	shown, err := s.Event(tx, v, id)
	if err != nil {
		return Event{}, RSVP{}, err
	}
	if answers, err = s.attending(tx, id); err != nil {
		return Event{}, RSVP{}, err
	}
	names, err := s.names(tx, w.member)
	return shown, answers.of(w.member).rsvp(names, true), err
}

func (in NewRSVP) check() error {
	var err error
	switch in.Response {
	case "going", "maybe", "declined", "none":
	case "":
		err = svc.Required("response")
	default:
		err = svc.FieldError(svc.InvalidValue, "response", "response must be going, maybe, declined or none.")
	}
	return svc.Join(err, svc.CheckText("note", in.Note, svc.MaxSummary))
}

// answer stores another answer of a member's than it was.
func (s *Service) answer(tx *store.Tx, e eventRow, was rsvpRow, in NewRSVP) error {
	now := store.MillisOf(tx.Now())
	if err := s.putAnswer(tx, e, was.Member, in); err != nil {
		return err
	}
	if state := map[string]string{"going": "accepted", "maybe": "accepted", "declined": "declined"}[in.Response]; state != "" {
		if _, err := tx.Exec(s.q.AnswerEventInvitations, store.Args{"event": e.ID, "member": was.Member, "state": state, "now": now}); err != nil {
			return err
		}
	}
	if err := s.notify(tx, e.note("rsvp", was.Member), e.Host); err != nil {
		return err
	}
	if was.Response == in.Response { // the note is another one: that is between the two
		return nil
	}
	return s.changedEvent(tx, e, "rsvp.changed", was.Member)
}

// putAnswer stores an answer. No answer is remembered only of those who were
// asked to come.
func (s *Service) putAnswer(tx *store.Tx, e eventRow, member svc.MemberID, in NewRSVP) error {
	asked := true
	if in.Response == "none" && member != e.Host {
		if err := tx.Get(&asked, s.q.Asked, store.Args{"event": e.ID, "member": member}); err != nil {
			return err
		}
	}
	if !asked {
		_, err := tx.Exec(s.q.DropRSVPs, store.Args{"pairs": store.JSONArray([]pair{{e.ID, member}})})
		return err
	}
	_, err := tx.Exec(s.q.PutRSVP, store.Args{
		"event": e.ID, "member": member, "response": in.Response, "note": in.Note, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// syncMirrors updates the mirrors of an event to what is stored now, or removes
// them if it is deleted.
func (s *Service) syncMirrors(tx *store.Tx, e eventRow, deleted bool) error {
	p := svc.EventSync{EventID: e.ID, Deleted: deleted}
	if err := tx.Get(&p.Revision, s.q.ReviseEvent, store.Args{"id": e.ID}); err != nil {
		return err
	}
	answers, err := s.attending(tx, e.ID)
	if err != nil {
		return err
	}
	names, err := s.names(tx, e.Host)
	if err != nil {
		return err
	}
	seen, err := s.seenBy(tx, e)
	if err != nil {
		return err
	}
	p.Event = e.synced(names)
	if seen(e.Host) {
		p.Audience = append(p.Audience, svc.Attendee{MemberID: e.Host, RSVP: answers.of(e.Host).Response, Role: "host"})
	}
	for _, r := range answers {
		if r.Member != e.Host && seen(r.Member) {
			p.Audience = append(p.Audience, svc.Attendee{MemberID: r.Member, RSVP: r.Response, Role: "guest"})
		}
	}
	_, err = s.calendars.SyncEvent(tx, p)
	return err
}

// seenBy returns who of those who answered an event, or are its host, still
// sees it: what it is now must not reach the calendar of anybody else.
func (s *Service) seenBy(tx *store.Tx, e eventRow) (func(svc.MemberID) bool, error) {
	var members, hidden []svc.MemberID
	c := new(circles)
	var err error
	switch e.Visibility {
	case "community", "invited":
		err = tx.Select(&members, s.q.AudienceMembers, store.Args{"audience": e.Audience})
	case "circle":
		c, err = s.circles(tx, e.Host)
	}
	if err == nil && e.Visibility != "community" {
		err = tx.Select(&hidden, s.q.Hidden, store.Args{"member": e.Host})
	}
	in := make(map[svc.MemberID]bool, len(members))
	for _, m := range members {
		in[m] = true
	}
	return func(m svc.MemberID) bool {
		switch e.Visibility {
		case "community", "invited":
			return in[m] && !slices.Contains(hidden, m)
		case "circle":
			depth := c.depth(m)
			return m == e.Host || depth > 0 && depth <= *e.Depth && !slices.Contains(hidden, m)
		}
		return !slices.Contains(hidden, m)
	}, err
}

// pair is an event and a member who answered it.
type pair struct {
	Event  string
	Member svc.MemberID
}

// MarshalJSON implements [json.Marshaler]: a list of the two.
func (p pair) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{p.Event, p.Member}) }

// withdraw takes back the answers that a query finds, of members who do not
// see the events any more, or are not here: they leave their calendars too.
func (s *Service) withdraw(tx *store.Tx, q store.Query, args store.Args) error {
	var found []struct {
		Event  string       `db:"event_id"`
		Member svc.MemberID `db:"member_id"`
	}
	args["now"] = store.MillisOf(tx.Now())
	if err := tx.Select(&found, q, args); err != nil {
		return err
	}
	var pairs []pair
	for _, f := range found {
		pairs = append(pairs, pair{f.Event, f.Member})
	}
	return s.takeBack(tx, pairs)
}

// loosen notes that some are not as close as before, and takes back what they
// have answered to events that are for a circle which they are not in any more.
func (s *Service) loosen(tx *store.Tx) error {
	if err := s.regraph(tx); err != nil {
		return err
	}
	var found []struct {
		Event  string       `db:"event_id"`
		Host   svc.MemberID `db:"host_id"`
		Depth  int          `db:"depth"`
		Member svc.MemberID `db:"member_id"`
	}
	if err := tx.Select(&found, s.q.RSVPsInCircles, store.Args{"now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	var pairs []pair
	for _, f := range found {
		c, err := s.circles(tx, f.Host) // is kept: each host's are worked out once
		if err != nil {
			return err
		}
		if depth := c.depth(f.Member); depth == 0 || depth > f.Depth {
			pairs = append(pairs, pair{f.Event, f.Member})
		}
	}
	return s.takeBack(tx, pairs)
}

// takeBack removes answers.
func (s *Service) takeBack(tx *store.Tx, pairs []pair) error {
	if len(pairs) == 0 {
		return nil
	}
	ids := make([]string, len(pairs))
	for i, p := range pairs {
		ids[i] = p.Event
	}
	if _, err := tx.Exec(s.q.DropRSVPs, store.Args{"pairs": store.JSONArray(pairs)}); err != nil {
		return err
	}
	slices.Sort(ids)
	events, err := s.eventsOf(tx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := s.touch(tx, svc.EventsTopic, e.ID, e.Audience); err != nil {
			return err
		}
		if err := s.syncMirrors(tx, e, false); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) eventsOf(tx *store.Tx, ids []string) (rows []eventRow, err error) {
	err = tx.Select(&rows, s.q.EventsOf, store.Args{"ids": jsonList(ids)})
	return rows, err
}

// leaveEvents takes members who leave a community out of its events.
func (s *Service) leaveEvents(tx *store.Tx, community string, members ...svc.MemberID) error {
	return s.withdraw(tx, s.q.RSVPsIn, store.Args{"community": community, "members": jsonList(members)})
}

// cancelAll cancels the events of communities that end.
func (s *Service) cancelAll(tx *store.Tx, by svc.MemberID, communities ...string) error {
	var ids []string
	if err := tx.Select(&ids, s.q.EventsIn, store.Args{"communities": jsonList(communities), "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	return s.cancelThem(tx, by, ids)
}

// cancelThem cancels events, whoever their hosts are.
func (s *Service) cancelThem(tx *store.Tx, by svc.MemberID, ids []string) error {
	events, err := s.eventsOf(tx, ids)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := s.cancel(tx, e, by); err != nil {
			return err
		}
	}
	return nil
}

// leftEvents takes a member who is deleted out of all events, and cancels their
// own.
func (s *Service) leftEvents(tx *store.Tx, member svc.MemberID) error {
	var ids []string
	if err := tx.Select(&ids, s.q.Hosted, store.Args{"member": member, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	if err := s.cancelThem(tx, member, ids); err != nil {
		return err
	}
	if err := s.withdraw(tx, s.q.RSVPsOf, store.Args{"member": member}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DropGuestsOf, store.Args{"member": member})
	return err
}
