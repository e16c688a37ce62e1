package surface

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// server is the Surface service on a database with three members.
type server struct {
	testing.TB
	*Service
	db    *store.DB
	clock *storetest.Clock
}

// Members in every test.
const (
	ann svc.MemberID = 1 + iota
	bea
	cid
)

func newServer(t testing.TB) *server {
	t.Helper()
	db, clock := storetest.Open(t)
	storetest.AddMembers(t, db, "ann", "bea", "cid")
	return &server{t, New(), db, clock}
}

// workspace reads the workspace of a member.
func (s *server) workspace(member svc.MemberID) (w *Workspace) {
	s.Helper()
	err := s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		w, err = s.Read(tx, svc.Trust(member))
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	s.wantConsistent(w)
	return w
}

// wantConsistent fails the test unless orders and focus refer to surfaces of the
// workspace, no surface is in a stack twice, and surfaces are sorted by
// NumericID.
func (s *server) wantConsistent(w *Workspace) {
	s.Helper()
	for i, surface := range w.Surfaces {
		if i > 0 && surface.NumericID <= w.Surfaces[i-1].NumericID {
			s.Errorf("got surface %d after %d, want ascending numbers", surface.NumericID, w.Surfaces[i-1].NumericID)
		}
	}
	for _, stack := range w.Stacks {
		seen := make(map[string]bool)
		for _, id := range stack.SurfaceOrder {
			if w.surface(id) == nil || seen[id] {
				s.Errorf("got %s in the order %v, want existing surfaces, each once", id, stack.SurfaceOrder)
			}
			seen[id] = true
		}
		if focus := stack.FocusedSurfaceID; focus != nil && !seen[*focus] {
			s.Errorf("got the focus %s of %v, want a surface of the stack", *focus, stack.SurfaceOrder)
		}
	}
}

// updateWorkspace runs a call that changes the workspace of a member, in a
// transaction.
func (s *server) updateWorkspace(call func(tx *store.Tx) (*Workspace, error)) (w *Workspace, err error) {
	err = s.db.Write(s.Context(), func(tx *store.Tx) (err error) {
		w, err = call(tx)
		return err
	})
	return w, err
}

func (s *server) focus(member svc.MemberID, stack, body string) (*Workspace, error) {
	return s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.Focus(tx, svc.Trust(member), stack, decode[FocusRequest](s, body))
	})
}

func (s *server) reorder(member svc.MemberID, stack, body string) (*Workspace, error) {
	return s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.Reorder(tx, svc.Trust(member), stack, decode[ReorderRequest](s, body))
	})
}

func (s *server) place(member svc.MemberID, id, body string) (*Workspace, error) {
	return s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		w, _, err := s.Place(tx, svc.Trust(member), id, decode[PlaceRequest](s, body))
		return w, err
	})
}

// put creates or changes a surface, and returns it.
func (s *server) put(member svc.MemberID, body string) (surface Surface, created bool, err error) {
	err = s.db.Write(s.Context(), func(tx *store.Tx) (err error) {
		surface, created, err = s.Put(tx, svc.Trust(member), decode[PutRequest](s, body))
		return err
	})
	return surface, created, err
}

// showFindings replaces the overlay of a member with findings of cafés, which
// must succeed.
func (s *server) showFindings(member svc.MemberID, names ...string) *Workspace {
	s.Helper()
	findings := make([]svc.Finding, len(names))
	for i, name := range names {
		findings[i] = cafeFinding(name)
	}
	return s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.ReplaceOverlay(tx, svc.Trust(member), OverlayRequest{&findings})
	}))
}

// cafeFinding returns a finding with a location.
func cafeFinding(name string) svc.Finding {
	return svc.Finding{
		FindingID: "osm:node/" + name, SourceService: "osm", ObjectType: "place", Title: "Café " + name, Summary: "Opens at nine",
		Actions: svc.List[svc.FindingAction]{{ID: "open", Label: "Open", Type: "open_finding"}},
		Payload: svc.Map{"latitude": 38.7, "longitude": -9.1},
	}
}

// must fails the test if err is not nil, and checks the workspace.
func (s *server) must(w *Workspace, err error) *Workspace {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	s.wantConsistent(w)
	return w
}

// decode returns the request that a JSON text encodes.
func decode[T any](t testing.TB, text string) (in T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return in
}

// layout formats the stacks of a workspace, with a star after the focused surface.
func layout(w *Workspace) string {
	var lines []string
	for _, stack := range w.Stacks {
		line := stack.StackID + ":"
		for _, id := range stack.SurfaceOrder {
			line += " " + strings.TrimPrefix(id, "surface_")
			if stack.FocusedSurfaceID != nil && *stack.FocusedSurfaceID == id {
				line += "*"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// initialLayout is the layout of a new member.
const initialLayout = `carry_primary: social* calendar messages
left_context: profile*
right_context: messages_rail*
finding_overlay:`

// dump formats all parts of a workspace that runtimes can read.
func dump(w *Workspace) string { return fmt.Sprintf("%s %v", store.JSON(w.Runtime()), w.UpdatedAt) }

// wantEqual fails the test unless fmt.Sprint returns the same text for got and want.
func wantEqual(t testing.TB, about string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s:\ngot  %s\nwant %s", about, g, w)
	}
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
