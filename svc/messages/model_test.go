package messages

import (
	"math/rand/v2"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/svctest"
)

// modelThread is the expected state of a thread.
type modelThread struct {
	id       string
	messages []Message
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
	thread := m.threads[key]
	action := m.IntN(4)
	switch {
	case thread == nil || action == 0:
		sent, err := m.start(from, to.String(), "Hello")
		if err != nil {
			m.Fatal(err)
		}
		if thread == nil {
			thread = &modelThread{id: sent.Thread.ID, read: make(map[svc.MemberID]int)}
			m.threads[key] = thread
		}
		thread.messages = append(thread.messages, sent.Message)
	case action == 1:
		thread.messages = append(thread.messages, m.reply(from, thread.id, "Hello"))
	case action == 2:
		n := 1 + m.IntN(len(thread.messages))
		if _, err := m.markRead(from, thread.id, thread.messages[n-1].ID); err != nil {
			m.Fatal(err)
		}
		thread.read[from] = max(thread.read[from], n)
		return thread
	default:
		m.open(from, thread.id)
	}
	thread.read[from] = len(thread.messages) // sending a message and opening the thread mark all messages as read
	return thread
}

// After random requests, the counts of threads and of the inbox equal those of a
// model. Covers PT-17, PT-18 and PT-19.
func TestCountsMatchTheModelAfterRandomRequests(t *testing.T) {
	steps := 200
	if svctest.IsLong() {
		steps = 2000
	}
	m := &model{newServer(t), rand.New(rand.NewPCG(17, 0)), make(map[[2]svc.MemberID]*modelThread)}
	m.addMembers(1)
	members := []svc.MemberID{ann, bea, cid, dan, dan + 1}
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
		m.unread(member) // also compares the total with the threads
		total += len(m.inbox(member).Threads)
	}
	if want := 2 * len(m.threads); total != want {
		t.Errorf("threads in all inboxes: got %d, want %d", total, want)
	}
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
