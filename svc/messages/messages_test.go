package messages

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// server is the Messages service on a database that contains only members.
type server struct {
	testing.TB
	*Service
	db       *store.DB
	clock    *storetest.Clock
	services *otherServices
}

// otherServices implements Members and Blocks.
type otherServices struct {
	people map[svc.MemberID]svc.Person
	blocks map[[2]svc.MemberID]bool
	err    error // returned by every method
}

// Members in every test.
const (
	ann svc.MemberID = 1 + iota
	bea
	cid
	dan
)

func newServer(t testing.TB) *server {
	t.Helper()
	db, clock := storetest.Open(t)
	storetest.AddMembers(t, db, "ann", "bea", "cid", "dan")
	o := &otherServices{make(map[svc.MemberID]svc.Person), make(map[[2]svc.MemberID]bool), nil}
	for i, name := range []string{"Ann", "Bea", "Cid", "Dan; Jr"} {
		id := svc.MemberID(i + 1)
		o.people[id] = svc.Person{ID: id, Username: strings.ToLower(name[:3]), DisplayName: name, Appearance: svc.MemberAppearance(id, "", "")}
	}
	return &server{t, New(o, o, storage.New(0)), db, clock, o}
}

// Resolve accepts a user name, a display name or a member id.
func (o *otherServices) Resolve(_ *store.Tx, _ svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error) {
	for id, p := range o.people {
		if !slices.Contains(hidden, id) && slices.Contains([]string{p.Username, strings.ToLower(p.DisplayName), id.String()}, strings.ToLower(recipient)) {
			return p, o.err
		}
	}
	return svc.Person{}, svc.Errorf(svc.RecipientNotFound, "No member %s.", recipient)
}

func (o *otherServices) People(_ *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error) {
	people := make(map[svc.MemberID]svc.Person)
	for _, id := range ids {
		if p, ok := o.people[id]; ok {
			people[id] = p
		}
	}
	return people, o.err
}

func (o *otherServices) Hidden(_ *store.Tx, member svc.MemberID) (list []svc.MemberID, _ error) {
	for pair := range o.blocks {
		switch member {
		case pair[0]:
			list = append(list, pair[1])
		case pair[1]:
			list = append(list, pair[0])
		}
	}
	return list, o.err
}

func (o *otherServices) Entities(_ *store.Tx, _ svc.Viewer, texts ...string) ([]svc.List[svc.Entity], error) {
	return make([]svc.List[svc.Entity], len(texts)), o.err
}

func (o *otherServices) Blocked(_ *store.Tx, a, b svc.MemberID) (bool, error) {
	return o.blocks[[2]svc.MemberID{a, b}] || o.blocks[[2]svc.MemberID{b, a}], o.err
}

// write runs fn in a write transaction and returns its error.
func (s *server) write(fn func(*store.Tx) error) error { return s.db.Write(s.Context(), fn) }

// fill is like write, without the limits of a write: it creates the data that a test needs.
func (s *server) fill(fn func(*store.Tx) error) error {
	return s.db.Write(storetest.Fill(s.Context()), fn)
}

// addMembers adds members m0, m1, … from id 5 on.
func (s *server) addMembers(n int) {
	s.Helper()
	var names []string
	for i := range n {
		name := fmt.Sprint("m", i)
		id := svc.MemberID(5 + i)
		names = append(names, name)
		s.services.people[id] = svc.Person{ID: id, Username: name, DisplayName: fmt.Sprint("M", i)}
	}
	storetest.AddMembers(s, s.db, names...)
}

// addThreads adds n members, from id 5 on, and a thread of ann with each.
func (s *server) addThreads(n int) {
	s.Helper()
	s.addMembers(n)
	if err := s.fill(func(tx *store.Tx) error {
		for i := range n {
			if _, err := s.Start(tx, svc.Trust(ann), StartRequest{Recipient: Recipients{fmt.Sprint("m", i)}, Body: "Hello"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		s.Fatal(err)
	}
}

// read runs fn in a read transaction, which must succeed.
func (s *server) read(fn func(*store.Tx) error) {
	s.Helper()
	if err := s.db.Read(s.Context(), fn); err != nil {
		s.Fatal(err)
	}
}

// start sends a first message and returns its error.
func (s *server) start(from svc.MemberID, recipient any, body string) (sent thread.Sent, err error) {
	names, ok := recipient.(Recipients)
	if !ok {
		names = Recipients{fmt.Sprint(recipient)}
	}
	err = s.write(func(tx *store.Tx) (err error) {
		sent, err = s.Start(tx, svc.Trust(from), StartRequest{Recipient: names, Body: body})
		return err
	})
	return sent, err
}

// startThread sends a first message and returns the id of the thread.
func (s *server) startThread(from, to svc.MemberID, body string) (thread string) {
	s.Helper()
	sent, err := s.start(from, to, body)
	if err != nil {
		s.Fatal(err)
	}
	return sent.Thread.ID
}

// send sends a message in a thread and returns its error.
func (s *server) send(from svc.MemberID, thread, body string) (sent thread.Sent, err error) {
	err = s.write(func(tx *store.Tx) (err error) {
		sent, err = s.Send(tx, svc.Trust(from), thread, SendRequest{Body: body})
		return err
	})
	return sent, err
}

// reply sends a message in a thread, which must succeed.
func (s *server) reply(from svc.MemberID, thread, body string) thread.Message {
	s.Helper()
	sent, err := s.send(from, thread, body)
	if err != nil {
		s.Fatal(err)
	}
	return sent.Message
}

// inbox returns the first page of a member's threads.
func (s *server) inbox(member svc.MemberID) (in thread.List) {
	s.Helper()
	s.read(func(tx *store.Tx) (err error) {
		in, err = s.List(tx, svc.Trust(member), 0, "")
		return err
	})
	return in
}

// open opens a thread, which must succeed.
func (s *server) open(member svc.MemberID, thread string) (d thread.Detail) {
	s.Helper()
	if err := s.write(func(tx *store.Tx) (err error) {
		d, err = s.Open(tx, svc.Trust(member), thread, svc.HistoryQuery{})
		return err
	}); err != nil {
		s.Fatal(err)
	}
	return d
}

// wantError fails the test unless err has the code and names the field.
func wantError(t testing.TB, about string, err error, code svc.Code, field string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: got %v, want code %s", about, err, code.Name)
		return
	}
	got := ""
	if len(e.Fields) > 0 {
		got = e.Fields[0].Name
	}
	if got != field {
		t.Errorf("%s: got field %q, want %q", about, got, field)
	}
}

// wantEqual fails the test unless fmt.Sprint returns the same text for got and want.
func wantEqual(t testing.TB, about string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", about, g, w)
	}
}

// titles returns the titles of threads.
func titles(threads []thread.Thread) (list []string) {
	for _, t := range threads {
		list = append(list, t.Title)
	}
	return list
}
