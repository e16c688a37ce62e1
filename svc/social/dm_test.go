package social

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/thread"
)

func (a actor) dms() thread.List {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (thread.List, error) { return a.DMs.List(tx, v, svc.MaxLimit, "") })
}

func (a actor) dmTitles() string {
	a.Helper()
	return column(a.dms().Threads, func(d thread.Thread) any { return d.Title })
}

func (a actor) peek(id string, q svc.HistoryQuery) (thread.Detail, error) {
	return tryRead(a, func(tx *store.Tx, v svc.Viewer) (thread.Detail, error) { return a.DMs.Peek(tx, v, id, q) })
}

func (a actor) openDM(id string) (thread.Detail, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (thread.Detail, error) {
		return a.DMs.Open(tx, v, id, svc.HistoryQuery{})
	})
}

func (a actor) markDMRead(id, message string) (thread.Thread, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (thread.Thread, error) { return a.DMs.MarkRead(tx, v, id, message) })
}

func (a actor) sendIn(id, body string) (thread.Sent, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) { return a.DMs.Send(tx, v, id, body) })
}

// Covers O-29, B-49 and B-74.
func TestTwoMembersShareOneDM(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	chain(ann, bea, cid)
	sent, err := ann.send(bea, "  <b>Soup</b> & \n bread?  ")
	if err != nil {
		t.Fatal(err)
	}
	d := sent.Thread
	wantEqual(t, "the DM", fmt.Sprint(d.Title, d.Summary, d.ParticipantCount, d.MessageCount, d.UnreadCount, d.CanReply),
		"Bea  <b>Soup</b> & \n bread?  2 1 0 true")
	wantEqual(t, "the participants", column(d.Participants, func(p thread.Participant) any { return p.Username + fmt.Sprint(p.IsSelf) }), "anntrue beafalse")
	wantEqual(t, "the message", fmt.Sprint(sent.Message.ThreadID == d.ID, sent.Message.SenderID, sent.Message.Body), "true 1  <b>Soup</b> & \n bread?  ")
	if !strings.HasPrefix(d.ID, "sdm_") || !strings.HasPrefix(sent.Message.ID, "sdmm_") {
		t.Errorf("got ids %s and %s, want the prefixes sdm_ and sdmm_", d.ID, sent.Message.ID)
	}
	wantEqual(t, "the same DM in the other direction", bea.mustSend(ann, "Yes"), d.ID)
	ann.mustSend(cid, "Hello")
	wantEqual(t, "DMs of ann, latest first", ann.dmTitles(), "Cid Bea")
	if _, err := bea.sendIn(d.ID, "Now"); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "DMs of ann after another message", ann.dmTitles(), "Bea Cid")
	wantEqual(t, "unread messages of ann", ann.dms().UnreadTotal, 2)
}

func TestRecipientIsANameOrANumber(t *testing.T) {
	for text, want := range map[string]string{`"bea"`: "bea", `2`: "2", `"2"`: "2"} {
		var r Recipient
		if err := r.UnmarshalJSON([]byte(text)); err != nil || string(r) != want {
			t.Errorf("%s: got %q, %v, want %q", text, r, err, want)
		}
	}
	for _, text := range []string{`{"id": 2}`, `[2]`, `true`} {
		var r Recipient
		wantError(t, text, r.UnmarshalJSON([]byte(text)), svc.MalformedBody, "recipient")
	}
}

// Covers B-83 and PT-40.
func TestDMIsValidated(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	ann.community("private", bea)
	long := strings.Repeat("ü", svc.MaxBody)
	id := ann.mustSend(bea, long)
	for _, c := range []struct {
		about, recipient, body string
		code                   svc.Code
		fields                 []string
	}{
		{"no body", "bea", " \n ", svc.FieldRequired, []string{"body"}},
		{"no recipient", " ", "x", svc.FieldRequired, []string{"recipient"}},
		{"nothing", "", "", svc.FieldRequired, []string{"recipient", "body"}},
		{"a long body", "bea", long + "x", svc.TooLong, []string{"body"}},
		{"an unknown member", "zoe", "x", svc.RecipientNotFound, []string{"recipient"}},
		{"the sender", "ann", "x", svc.InvalidValue, []string{"recipient"}},
		{"a control character", "bea", "a\x00b", svc.InvalidValue, []string{"body"}},
	} {
		_, err := tryWrite(ann, func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) {
			return ann.StartDM(tx, v, NewDM{Recipient(c.recipient), c.body})
		})
		wantError(t, c.about, err, c.code, c.fields...)
	}
	_, err := ann.sendIn(id, "")
	wantError(t, "no body in a DM", err, svc.FieldRequired, "body")
	_, err = ann.markDMRead(id, "sdmm_other")
	wantError(t, "an unknown message", err, svc.InvalidValue, "last_read_message_id")
	wantEqual(t, "messages after rejected requests", ann.dms().Threads[0].MessageCount, 1)
}

// Covers O-30, O-31 and B-02.
func TestDMsOfOtherMembersAreNotFound(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	ann.community("private", bea, cid)
	id := ann.mustSend(bea, "a secret")
	d, err := ann.peek(id, svc.HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, dm := range []string{id, "sdm_01j00000000000000000000000"} {
		_, errPeek := cid.peek(dm, svc.HistoryQuery{})
		_, errOpen := cid.openDM(dm)
		_, errSend := cid.sendIn(dm, "me too")
		_, errMark := cid.markDMRead(dm, d.Messages[0].ID)
		for _, err := range []error{errPeek, errOpen, errSend, errMark} {
			wantError(t, dm, err, svc.NotFound)
			wantEqual(t, "the error", err, errPeek)
		}
	}
	wantEqual(t, "DMs of cid", cid.dmTitles(), "")
	if cid.title(DMType, id) != "" || cid.hasSource(DMType, id) || !bea.hasSource(DMType, id) || bea.title(DMType, id) != "Ann" {
		t.Error("titles or the dataset show a DM of others, or not one's own")
	}
}

// Covers B-74: members with common ground can write to each other, in both
// directions.
func TestDMsNeedCommonGround(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dora", "eve", "fay", "gus", "hal", "ivy")
	ann, eve, fay := m[0], m[4], m[5]
	chain(m[:5]...) // ann and eve are four steps apart
	publicCommunity := ann.community("public", fay, m[1])
	event := eve.createEvent("public")
	ann.mustRespond(event, "maybe")
	m[6].mustRespond(event, "going")
	m[7].mustRespond(event, "declined")
	if _, err := eve.updateEvent(event, EventChange{Title: svc.Some("Party")}); err != nil {
		t.Fatal(err)
	}
	eve.mustRespond(event, "declined")
	for i, want := range map[int]string{1: "circle 1", 2: "circle 2", 3: "circle 3", 4: "", 5: "community " + publicCommunity, 6: "event " + event, 7: "", 8: ""} {
		for _, pair := range [][2]actor{{ann, m[i]}, {m[i], ann}} {
			sent, err := pair[0].send(pair[1], "Hello")
			if want == "" {
				wantError(t, pair[0].name+" to "+pair[1].name, err, svc.NoCommonGround)
				continue
			}
			if err != nil {
				t.Errorf("%s to %s: %v", pair[0].name, pair[1].name, err)
				continue
			}
			g := sent.Thread.Context
			got := string(g.Kind) + " "
			if g.Depth != nil {
				got += fmt.Sprint(*g.Depth)
			} else {
				got += *g.ID
			}
			wantEqual(t, pair[0].name+" to "+pair[1].name, got, want)
		}
	}
	id := ann.mustSend(fay, "Still here?")
	fay.leave(publicCommunity)
	_, err := ann.sendIn(id, "Hello?")
	wantError(t, "without common ground", err, svc.NoCommonGround)
	d, err := fay.peek(id, svc.HistoryQuery{})
	if err != nil || d.Thread.Context != nil || d.Thread.CanReply || len(d.Messages) != 3 {
		t.Errorf("got %+v, %v, want three messages and no context", d, err)
	}
	if _, err := eve.cancelEvent(event); err != nil {
		t.Fatal(err)
	}
	_, err = ann.send(m[6], "Pity")
	wantError(t, "after the event was cancelled", err, svc.NoCommonGround)
}

// Covers B-74 and O-36: an event is common ground only while the sender sees it and the recipient
// still has access to it.
func TestOnlyVisibleEventsAreCommonGround(t *testing.T) {
	type participants struct {
		host, ann, bea actor
		others         []actor
		event          string
	}
	for _, c := range []struct {
		name   string
		create func(s *participants)
		end    func(s *participants)
		ok     bool
	}{
		{"public", func(s *participants) { s.event = s.host.createEvent("public") }, nil, true},
		{"the circle of the host", func(s *participants) {
			chain(s.host, s.others[0], s.others[1], s.ann) // ann and bea are six steps apart
			chain(s.host, s.others[2], s.others[3], s.bea)
			s.event = s.host.createEvent("circle", forCircle(3))
		}, nil, true},
		{"both are guests", func(s *participants) {
			s.event = s.host.createEvent("invited")
			for _, a := range []actor{s.ann, s.bea} {
				if _, err := s.host.inviteToEvent(s.event, a); err != nil {
					s.host.Fatal(err)
				}
			}
		}, nil, true},
		{"the recipient has left the community", func(s *participants) {
			id := s.host.community("public", s.ann, s.bea)
			s.event = s.host.createEvent("community", forCommunity(id))
		}, func(s *participants) {
			e, _ := s.host.event(s.event)
			s.bea.leave(*e.CommunityID)
		}, false},
		{"the host blocks the sender", func(s *participants) { s.event = s.host.createEvent("public") }, func(s *participants) { s.host.block(s.ann) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, m := newServer(t, "host", "ann", "bea", "cid", "dan", "eve", "fay")
			s := &participants{host: m[0], ann: m[1], bea: m[2], others: m[3:]}
			c.create(s)
			s.ann.mustRespond(s.event, "going")
			s.bea.mustRespond(s.event, "going")
			if c.end != nil {
				c.end(s)
			}
			sent, err := s.ann.send(s.bea, "Nice party")
			if !c.ok {
				wantError(t, "a DM", err, svc.NoCommonGround)
			} else if err != nil || *sent.Thread.Context.ID != s.event {
				t.Errorf("got %+v, %v, want a DM because of the event", sent.Thread.Context, err)
			}
		})
	}
}

// Covers O-27, O-28, B-51, B-52 and B-72: a block looks like a disabled
// account.
func TestBlockedDMLooksLikeThatOfADisabledMember(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	ann.community("private", bea, cid)
	withBea, withCid := ann.mustSend(bea, "Hello"), ann.mustSend(cid, "Hello")
	bea.block(ann)
	cid.disable()
	for _, pair := range [][2]actor{{ann, bea}, {bea, ann}, {ann, cid}} {
		_, err := pair[0].send(pair[1], "Hello?")
		wantError(t, pair[0].name+" to "+pair[1].name, err, svc.RecipientNotFound, "recipient")
	}
	_, blocked := ann.sendIn(withBea, "Hello?")
	_, disabled := ann.sendIn(withCid, "Hello?")
	wantError(t, "in the DM with bea", blocked, svc.RecipientUnavailable)
	wantEqual(t, "the error", blocked, disabled)
	_, err := bea.sendIn(withBea, "Hello?")
	wantError(t, "in the DM with ann", err, svc.RecipientUnavailable)
	wantEqual(t, "DMs of ann", ann.dmTitles(), "Former member Former member")
	describe := func(id string) string {
		d, err := ann.peek(id, svc.HistoryQuery{})
		d.Thread.ID, d.Thread.ReadUpTo, d.Thread.Participants[1].ID, d.Messages[0].ID, d.Messages[0].ThreadID = "", nil, 0, "", ""
		return store.JSON(d) + fmt.Sprint(err)
	}
	wantEqual(t, "the DM", describe(withBea), describe(withCid))
	bea.unblock(ann)
	sent, err := bea.sendIn(withBea, "Again")
	wantEqual(t, fmt.Sprint("after the block ", err), sent.Thread.Title+fmt.Sprint(sent.Thread.MessageCount), "Ann2")
}

// Covers O-29.
func TestConcurrentFirstMessagesShareOneDM(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	m[0].community("private", m[1])
	ids := make([]string, 20)
	var wait sync.WaitGroup
	for i := range ids {
		wait.Go(func() {
			sent, err := m[i%2].send(m[1-i%2], "Hello")
			if err != nil {
				t.Error(err)
			}
			ids[i] = sent.Thread.ID
		})
	}
	wait.Wait()
	if len(slices.Compact(ids)) != 1 {
		t.Errorf("got DMs %q, want one", ids)
	}
	wantEqual(t, "messages", m[0].dms().Threads[0].MessageCount, 20)
}

// Covers O-26 and B-84: the recipient is notified of the first unread message,
// without its text.
func TestFirstUnreadDMIsNotified(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	ann.community("private", bea)
	count := func() int {
		return len(slices.DeleteFunc(bea.notificationTitles(), func(t string) bool { return t != "Ann sent you a message" }))
	}
	id := ann.mustSend(bea, "a secret")
	ann.mustSend(bea, "another")
	wantEqual(t, "after two messages", count(), 1)
	if _, err := bea.openDM(id); err != nil {
		t.Fatal(err)
	}
	ann.mustSend(bea, "more")
	wantEqual(t, "after a message since bea has read", count(), 2)
	wantEqual(t, "notifications of the sender", slices.Contains(ann.notificationTitles(), "Ann sent you a message"), false)
}

// Covers B-51, PT-46 and SH-26: messages stay with the other member until both
// are deleted.
func TestDMsOfDeletedMembersStay(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	ann.community("private", bea)
	id := ann.mustSend(bea, "Hello")
	ann.setPresence(NewPresence{State: "online"})
	if _, err := ann.updateProfile(ProfileChange{Bio: svc.Some("Here"), Visibility: svc.Some(ProfileCircle)}); err != nil {
		t.Fatal(err)
	}
	ann.deleteAccount()
	d, err := bea.peek(id, svc.HistoryQuery{})
	wantEqual(t, fmt.Sprint("for bea ", err), fmt.Sprint(d.Thread.Title, d.Thread.CanReply, d.Thread.ParticipantCount, d.Messages[0].Body), "Former memberfalse 2Hello")
	_, err = bea.sendIn(id, "Hello?")
	wantError(t, "an answer", err, svc.RecipientUnavailable)
	n, _ := bea.countPresent()
	wantEqual(t, "present members", n, 0)
	bea.deleteAccount()
	for _, table := range []string{"social_dm_thread", "social_dm_participant", "social_dm_message", "social_profile", "social_presence"} {
		wantEqual(t, "rows of "+table, storetest.Rows(t, s.db, "SELECT * FROM "+table), "[]")
	}
}

// Covers B-84: a message changes the revisions of both members, and reading it
// changes the revision of the reader.
func TestDMsAreAnnouncedToTheirMembers(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	ann.community("private", bea, cid)
	wantAnnounced := func(about, want string, change func()) {
		t.Helper()
		revisions := func() (list []int64) {
			for _, a := range m {
				list = append(list, a.revision())
			}
			return list
		}
		before := revisions()
		change()
		var changed []string
		for i, revision := range revisions() {
			if revision != before[i] {
				changed = append(changed, m[i].name)
			}
		}
		wantEqual(t, about, strings.Join(changed, " "), want)
	}
	var id string
	wantAnnounced("a message", "ann bea", func() { id = ann.mustSend(bea, "Hello") })
	wantAnnounced("reading", "bea", func() {
		if _, err := bea.openDM(id); err != nil {
			t.Fatal(err)
		}
	})
	wantAnnounced("reading again", "", func() {
		if _, err := bea.openDM(id); err != nil {
			t.Fatal(err)
		}
	})
}
