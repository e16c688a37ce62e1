package thread_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/svctest"
	"appliance/svc/thread"
)

// modelThread is the expected state of a thread.
type modelThread struct {
	id       string
	messages []thread.Message
	read     map[svc.MemberID]int // number of messages before the read cursor
}

// unread returns the expected unread count of a member.
func (m *modelThread) unread(member svc.MemberID) (n int64) {
	for _, message := range m.messages[m.read[member]:] {
		if message.SenderID != member {
			n++
		}
	}
	return n
}

// model sends random requests as random members and contains the expected threads.
type model struct {
	*server
	*rand.Rand
	threads map[[2]svc.MemberID]*modelThread // threads by their two members, lower id first
}

// step sends a message from one member to another, or reads their thread.
func (m *model) step(from, to svc.MemberID) *modelThread {
	m.Helper()
	key := [2]svc.MemberID{min(from, to), max(from, to)}
	known := m.threads[key]
	action := m.IntN(4)
	switch {
	case known == nil || action == 0:
		sent := m.send(from, to, "Hello")
		if known == nil {
			known = &modelThread{id: sent.ThreadID, read: make(map[svc.MemberID]int)}
			m.threads[key] = known
		}
		known.messages = append(known.messages, sent)
	case action == 1:
		m.write(func(tx *store.Tx) error {
			sent, err := m.Send(tx, svc.Trust(from), known.id, "Hello")
			known.messages = append(known.messages, sent.Message)
			return err
		})
	case action == 2:
		n := 1 + m.IntN(len(known.messages))
		m.markRead(known.id, from, known.messages[n-1].ID)
		known.read[from] = max(known.read[from], n)
		return known
	default:
		m.write(func(tx *store.Tx) error {
			_, err := m.Open(tx, svc.Trust(from), known.id, svc.HistoryQuery{})
			return err
		})
	}
	known.read[from] = len(known.messages) // sending a message and opening the thread mark all messages as read
	return known
}

// After random requests, the counts of threads and of lists equal those of a model. Covers PT-17,
// PT-18 and PT-19.
func TestCountsMatchTheModelAfterRandomRequests(t *testing.T) {
	steps := 200
	if svctest.IsLong() {
		steps = 2000
	}
	forEachService(t, func(t *testing.T, s *server) {
		m := &model{s, rand.New(rand.NewPCG(17, 0)), make(map[[2]svc.MemberID]*modelThread)}
		storetest.AddMembers(t, s.db, "dan", "eve")
		members := []svc.MemberID{ann, bea, cid, cid + 1, cid + 2}
		for range steps {
			i := m.IntN(len(members))
			from, to := members[i], members[(i+1+m.IntN(len(members)-1))%len(members)]
			want := m.step(from, to)
			for _, member := range []svc.MemberID{from, to} {
				m.wantThread(member, want)
			}
		}
		total := 0
		for _, member := range members {
			list, unread := m.page(member, 0, ""), int64(0)
			for _, t := range list.Threads {
				unread += t.UnreadCount
			}
			wantEqual(t, fmt.Sprint("unread messages of ", member), list.UnreadTotal, unread)
			total += len(list.Threads)
		}
		wantEqual(t, "threads in all lists", total, 2*len(m.threads))
	})
}

// wantThread compares a member's view of a thread with the model.
func (m *model) wantThread(member svc.MemberID, want *modelThread) {
	m.Helper()
	m.read(func(tx *store.Tx) error {
		got, err := m.Thread(tx, svc.Trust(member), want.id)
		if err != nil {
			return err
		}
		unread, count := want.unread(member), int64(len(want.messages))
		if got.UnreadCount != unread || got.MessageCount != count || got.ParticipantCount != 2 || len(got.Participants) != 2 {
			m.Fatalf("member %d: got %+v, want %d unread messages of %d and two participants", member, got, unread, count)
		}
		return nil
	})
}
