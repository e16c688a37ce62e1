package surface

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// model is the expected workspace as simple maps. It shares no code with Workspace.
type model struct {
	order    map[string][]string // ids of surfaces by stack
	focus    map[string]string   // id of the focused surface by stack; absent for none
	mode     map[string]string   // placement mode by surface, including surfaces in no stack
	x        map[string]float64  // x coordinate by surface; absent if the placement has none
	finding  map[string]bool     // surfaces that show a finding
	revision int
}

var modelStacks = []string{"carry_primary", "left_context", "right_context", "finding_overlay"}

func newModel() *model {
	m := &model{
		order: map[string][]string{
			"carry_primary": {"surface_social", "surface_calendar", "surface_messages"},
			"left_context":  {"surface_profile"}, "right_context": {"surface_messages_rail"}, "finding_overlay": {},
		},
		focus: map[string]string{"carry_primary": "surface_social", "left_context": "surface_profile", "right_context": "surface_messages_rail"},
		mode:  make(map[string]string), x: make(map[string]float64), finding: make(map[string]bool),
	}
	for _, id := range m.stackedSurfaces() {
		m.mode[id] = "stacked"
	}
	return m
}

// stackedSurfaces returns the surfaces in any stack.
func (m *model) stackedSurfaces() []string {
	stacked := make(map[string]bool)
	for _, ids := range m.order {
		for _, id := range ids {
			stacked[id] = true
		}
	}
	return slices.Sorted(maps.Keys(stacked))
}

func (m *model) setOrder(stack string, ids []string) {
	m.order[stack] = ids
	if !slices.Contains(ids, m.focus[stack]) {
		delete(m.focus, stack)
	}
}

// remove removes a surface from the given stacks.
func (m *model) remove(id string, stacks ...string) {
	for _, stack := range stacks {
		m.setOrder(stack, slices.DeleteFunc(slices.Clone(m.order[stack]), func(other string) bool { return other == id }))
	}
}

// String prints the model as printWorkspace prints a workspace.
func (m *model) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, m.revision)
	for _, stack := range modelStacks {
		fmt.Fprintln(&b, stack, m.order[stack], m.focus[stack])
	}
	for _, id := range m.stackedSurfaces() {
		fmt.Fprintln(&b, id, m.mode[id], m.x[id])
	}
	return b.String()
}

func printWorkspace(w *Workspace) string {
	var b strings.Builder
	fmt.Fprintln(&b, w.Revision)
	for _, stack := range w.Stacks {
		focus := ""
		if stack.FocusedSurfaceID != nil {
			focus = *stack.FocusedSurfaceID
		}
		fmt.Fprintln(&b, stack.StackID, stack.SurfaceOrder, focus)
	}
	var lines []string
	for _, surface := range w.Surfaces {
		x, _ := surface.Placement.Metadata["x"].(float64)
		lines = append(lines, fmt.Sprintln(surface.SurfaceID, surface.Placement.Mode, x))
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "")
}

// randomMember is a member who makes random changes, with the model of their
// workspace.
type randomMember struct {
	*rand.Rand
	*server
	m        *model
	member   svc.MemberID
	findings map[string]string // id of the surface by name of the finding
	maps     map[string]string // id of the map surface by surface of the finding
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// surface returns the id of a surface: in most cases one of p, otherwise one of
// foreign or one that does not exist.
func (p *randomMember) surface(foreign []string) string {
	if p.IntN(8) == 0 {
		return pick(p.Rand, append(foreign, "surface_nothing", "carry_primary")...)
	}
	return pick(p.Rand, p.m.stackedSurfaces()...)
}

func (p *randomMember) stack() string {
	if p.IntN(12) == 0 {
		return "nothing"
	}
	return pick(p.Rand, modelStacks...)
}

// noError is the expected kind of a step that must succeed.
const noError svc.Kind = -1

// step makes a random change, and compares the result with the model. foreign contains ids of
// surfaces of other members, which the service must reject.
func (p *randomMember) step(foreign []string) {
	p.Helper()
	before := p.m.String()
	var w *Workspace
	var err error
	want := noError
	switch p.IntN(9) {
	case 0, 1:
		w, want, err = p.stepFocus(foreign)
	case 2, 3:
		w, want, err = p.stepReorder(foreign)
	case 4, 5, 6:
		w, want, err = p.stepPlace(foreign)
	case 7:
		w = p.stepFind()
	case 8:
		w, want, err = p.stepOpen(foreign)
	}
	if err != nil || want != noError {
		if err == nil || svc.KindOf(err) != want {
			p.Fatalf("got %v, want an error of kind %d; the workspace was\n%s", err, want, before)
		}
		return
	}
	p.m.revision++
	p.wantConsistent(w)
	if got := printWorkspace(w); got != p.m.String() {
		p.Fatalf("before\n%sgot\n%swant\n%s", before, got, p.m)
	}
}

func (p *randomMember) stepFocus(foreign []string) (*Workspace, svc.Kind, error) {
	stack, id := p.stack(), p.surface(foreign)
	if list := p.m.order[stack]; len(list) > 0 && p.IntN(3) > 0 {
		id = pick(p.Rand, list...)
	}
	body := fmt.Sprintf(`{"surface_id": %q}`, id)
	if p.IntN(6) == 0 {
		id, body = "", `{"surface_id": null}`
	}
	w, err := p.focus(p.member, stack, body)
	switch {
	case stack == "nothing":
		return w, svc.Missing, err
	case id == "":
		delete(p.m.focus, stack)
	case !slices.Contains(p.m.order[stack], id):
		return w, svc.Unprocessable, err
	default:
		p.m.focus[stack] = id
	}
	return w, noError, err
}

func (p *randomMember) stepReorder(foreign []string) (*Workspace, svc.Kind, error) {
	stack := p.stack()
	list := slices.Clone(p.m.order[stack])
	p.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:p.IntN(len(list)+1)]
	invalid := false
	if p.IntN(4) == 0 {
		id := p.surface(foreign)
		invalid = slices.Contains(list, id) || !slices.Contains(p.m.order[stack], id)
		list = append(list, id)
	}
	w, err := p.reorder(p.member, stack, `{"surface_order": `+store.JSONArray(list)+`}`)
	switch {
	case stack == "nothing":
		return w, svc.Missing, err
	case invalid:
		return w, svc.Unprocessable, err
	}
	for _, id := range p.m.order[stack] {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	p.m.order[stack] = list
	return w, noError, err
}

func (p *randomMember) stepPlace(foreign []string) (*Workspace, svc.Kind, error) {
	id, mode, stack := p.surface(foreign), pick(p.Rand, "stacked", "docked", "detached", "shared", "field_anchored"), ""
	placement := map[string]any{}
	if p.IntN(3) > 0 {
		stack = p.stack()
		placement["stack_id"] = stack
	}
	x := float64(p.IntN(9) - 4)
	if x != 0 {
		placement["x"] = x
	}
	w, err := p.place(p.member, id, fmt.Sprintf(`{"placement_mode": %q, "placement": %s}`, mode, store.JSON(placement)))
	moves := stack != "" && (mode == "stacked" || mode == "docked")
	switch {
	case !slices.Contains(p.m.stackedSurfaces(), id):
		return w, svc.Missing, err
	case !p.m.finding[id] && (mode == "shared" || mode == "field_anchored"):
		return w, svc.Forbidden, err
	case stack == "nothing", moves && stack == "finding_overlay" && !p.m.finding[id]:
		return w, svc.Unprocessable, err
	}
	p.m.mode[id] = mode
	if x != 0 {
		p.m.x[id] = x
	}
	if moves {
		for _, other := range modelStacks[:3] {
			if other != stack {
				p.m.remove(id, other)
			}
		}
		if !slices.Contains(p.m.order[stack], id) {
			p.m.order[stack] = append(slices.Clone(p.m.order[stack]), id)
		}
	}
	return w, noError, err
}

func (p *randomMember) stepFind() *Workspace {
	names := []string{"a", "b", "c", "d", "e", "f"}
	p.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:p.IntN(5)]
	w := p.showFindings(p.member, names...)
	order := slices.Clone(w.Stacks[3].SurfaceOrder)
	if len(order) != len(names) {
		p.Fatalf("got the overlay %v, want one surface for each of %v", order, names)
	}
	for i, id := range order {
		if known := p.findings[names[i]]; known != "" && known != id {
			p.Fatalf("finding %s: got the surface %s, want %s as before", names[i], id, known)
		}
		p.findings[names[i]], p.m.finding[id] = id, true
		elsewhere := slices.ContainsFunc(modelStacks[:3], func(stack string) bool { return slices.Contains(p.m.order[stack], id) })
		if !elsewhere {
			p.m.mode[id] = "detached"
		}
	}
	p.m.setOrder("finding_overlay", order)
	return w
}

func (p *randomMember) stepOpen(foreign []string) (w *Workspace, want svc.Kind, err error) {
	id := p.surface(foreign)
	if overlay := p.m.order["finding_overlay"]; len(overlay) > 0 && p.IntN(3) > 0 {
		id = pick(p.Rand, overlay...)
	}
	isMap := slices.Contains(slices.Collect(maps.Values(p.maps)), id)
	var place Surface
	var created bool
	err = p.db.Write(p.Context(), func(tx *store.Tx) (err error) {
		w, place, created, err = p.OpenFinding(tx, svc.Trust(p.member), id)
		return err
	})
	switch {
	case !slices.Contains(p.m.stackedSurfaces(), id):
		return w, svc.Missing, err
	case !p.m.finding[id] && !isMap:
		return w, svc.Unprocessable, err
	case err != nil:
		return w, noError, err
	}
	known := p.maps[id]
	if isMap {
		known = id
	} else {
		p.maps[id] = place.SurfaceID
	}
	if known != "" && known != place.SurfaceID {
		p.Fatalf("%s: got the map %s, want %s as before", id, place.SurfaceID, known)
	}
	if want := !slices.Contains(p.m.stackedSurfaces(), place.SurfaceID); created != want {
		p.Fatalf("%s: got created %v, want %v", id, created, want)
	}
	if carry := p.m.order["carry_primary"]; !slices.Contains(carry, place.SurfaceID) {
		p.m.remove(place.SurfaceID, "left_context", "right_context")
		p.m.order["carry_primary"] = append(slices.Clone(carry), place.SurfaceID)
		p.m.mode[place.SurfaceID] = "stacked"
	}
	p.m.focus["carry_primary"] = place.SurfaceID
	return w, noError, nil
}

// After any sequence of changes by several members, the workspace of each equals its model. Covers
// PT-10 to PT-13, S-28 and S-31.
func TestWorkspacesEqualTheirModels(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newServer(t)
			r := rand.New(rand.NewPCG(seed, 1))
			var members []*randomMember
			for _, member := range []svc.MemberID{ann, bea, cid} {
				members = append(members, &randomMember{r, s, newModel(), member, make(map[string]string), make(map[string]string)})
			}
			for range 200 {
				p := pick(r, members...)
				var foreign []string
				for _, other := range members {
					if other != p {
						foreign = append(foreign, slices.Collect(maps.Values(other.findings))...)
					}
				}
				slices.Sort(foreign)
				p.step(foreign)
				for _, checked := range members {
					if checked != p && r.IntN(5) > 0 {
						continue
					}
					if got := printWorkspace(s.workspace(checked.member)); got != checked.m.String() {
						t.Fatalf("member %d: got\n%swant\n%s", checked.member, got, checked.m)
					}
				}
			}
		})
	}
}
