package surface

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// deskModel is what a member has before them, as whoever has followed all that
// they did knows. It is as plain as can be and shares nothing with Surface.
type deskModel struct {
	order    map[string][]string
	focus    map[string]string
	mode     map[string]string  // of all that was ever there
	x        map[string]float64 // 0 for none
	found    map[string]bool    // whether a surface shows a finding
	revision int
}

var deskStacks = []string{"carry_primary", "left_context", "right_context", "finding_overlay"}

func newDeskModel() *deskModel {
	m := &deskModel{
		order: map[string][]string{
			"carry_primary": {"surface_social", "surface_calendar", "surface_messages"},
			"left_context":  {"surface_profile"}, "right_context": {"surface_messages_rail"}, "finding_overlay": {},
		},
		focus: map[string]string{"carry_primary": "surface_social", "left_context": "surface_profile", "right_context": "surface_messages_rail"},
		mode:  make(map[string]string), x: make(map[string]float64), found: make(map[string]bool),
	}
	for _, id := range m.there() {
		m.mode[id] = "stacked"
	}
	return m
}

// there are the surfaces in any stack.
func (m *deskModel) there() []string {
	all := make(map[string]bool)
	for _, ids := range m.order {
		for _, id := range ids {
			all[id] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (m *deskModel) set(stack string, ids []string) {
	m.order[stack] = ids
	if !slices.Contains(ids, m.focus[stack]) {
		delete(m.focus, stack)
	}
}

// String spells the model as spellDesk spells an answer.
func (m *deskModel) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, m.revision)
	for _, stack := range deskStacks {
		fmt.Fprintln(&b, stack, m.order[stack], m.focus[stack])
	}
	for _, id := range m.there() {
		fmt.Fprintln(&b, id, m.mode[id], m.x[id])
	}
	return b.String()
}

func spellDesk(a *apptest.Answer, path string) string {
	var b strings.Builder
	root := a.At(path)
	fmt.Fprintln(&b, apptest.At(root, "revision"))
	for _, s := range apptest.At(root, "stacks").([]any) {
		focus, _ := apptest.At(s, "focused_surface_id").(string)
		fmt.Fprintln(&b, apptest.At(s, "stack_id"), apptest.At(s, "surface_order"), focus)
	}
	var lines []string
	for _, s := range apptest.At(root, "surfaces").([]any) {
		x, _ := apptest.At(s, "placement.metadata.x").(float64)
		lines = append(lines, fmt.Sprintln(apptest.At(s, "surface_id"), apptest.At(s, "placement.mode"), x))
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "")
}

// deskPlayer is a member who does one thing or another.
type deskPlayer struct {
	apptest.Rand
	*apptest.Client
	m       *deskModel
	finding map[string]string // finding → the surface that shows it, once there was one
	mapOf   map[string]string // that surface → the map of the place, likewise
}

// some is a surface, most often one that is there.
func (p *deskPlayer) some(others []string) string {
	if p.OneIn(8) {
		return apptest.Pick(p.Rand, append(others, "surface_nothing", "carry_primary")...)
	}
	return apptest.Pick(p.Rand, p.m.there()...)
}

func (p *deskPlayer) stack() string {
	if p.OneIn(12) {
		return "nothing"
	}
	return apptest.Pick(p.Rand, deskStacks...)
}

// step does something, tells the model, and compares the answer with it.
// others are surfaces of other members.
func (p *deskPlayer) step(others []string) {
	p.T.Helper()
	before := p.m.String()
	var a *apptest.Answer
	var want int
	switch p.IntN(9) {
	case 8:
		a, want = p.open(others)
	case 0, 1:
		a, want = p.turn(others)
	case 2, 3:
		a, want = p.reorder(others)
	case 4, 5, 6:
		a, want = p.place(others)
	default:
		a, want = p.query()
	}
	a.Want(want)
	if want == 200 {
		p.m.revision++
		a.WantConsistentStacks("surface_runtime")
		if got := spellDesk(a, "surface_runtime"); got != p.m.String() {
			p.T.Fatalf("%s: there was\n%sis\n%swant\n%s", a.About, before, got, p.m)
		}
	}
}

func (p *deskPlayer) turn(others []string) (*apptest.Answer, int) {
	stack, id := p.stack(), p.some(others)
	if list := p.m.order[stack]; len(list) > 0 && !p.OneIn(3) {
		id = apptest.Pick(p.Rand, list...)
	}
	body := map[string]any{"surface_id": id}
	if p.OneIn(6) {
		id, body["surface_id"] = "", nil
	}
	a := p.Do("POST", apptest.StacksPath+stack+"/focus", body)
	switch {
	case stack == "nothing":
		return a, 404
	case id == "":
		delete(p.m.focus, stack)
	case !slices.Contains(p.m.order[stack], id):
		return a, 422
	default:
		p.m.focus[stack] = id
	}
	return a, 200
}

func (p *deskPlayer) reorder(others []string) (*apptest.Answer, int) {
	stack := p.stack()
	list := slices.Clone(p.m.order[stack])
	p.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:p.IntN(len(list)+1)]
	bad := false
	if p.OneIn(4) {
		id := p.some(others)
		bad = slices.Contains(list, id) || !slices.Contains(p.m.order[stack], id)
		list = append(list, id)
	}
	a := p.Do("POST", apptest.StacksPath+stack+"/reorder", map[string]any{"surface_order": list})
	switch {
	case stack == "nothing":
		return a, 404
	case bad:
		return a, 422
	}
	for _, id := range p.m.order[stack] {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	p.m.order[stack] = list
	return a, 200
}

func (p *deskPlayer) place(others []string) (*apptest.Answer, int) {
	id, mode, stack := p.some(others), apptest.Pick(p.Rand, placementModes...), ""
	placement := map[string]any{}
	if !p.OneIn(3) {
		stack = p.stack()
		placement["stack_id"] = stack
	}
	x := float64(p.IntN(9) - 4)
	if x != 0 {
		placement["x"] = x
	}
	a := p.Do("POST", apptest.SurfacesPath+id+"/placement", map[string]any{"placement_mode": mode, "placement": placement})
	moves := stack != "" && (mode == "stacked" || mode == "docked")
	switch {
	case !slices.Contains(p.m.there(), id):
		return a, 404
	case !p.m.found[id] && (mode == "shared" || mode == "field_anchored"):
		return a, 403
	case stack == "nothing", moves && stack == "finding_overlay" && !p.m.found[id]:
		return a, 422
	}
	p.m.mode[id] = mode
	if x != 0 {
		p.m.x[id] = x
	}
	if !moves {
		return a, 200
	}
	for _, other := range deskStacks[:3] {
		if other != stack {
			p.m.set(other, slices.DeleteFunc(slices.Clone(p.m.order[other]), func(o string) bool { return o == id }))
		}
	}
	if !slices.Contains(p.m.order[stack], id) {
		p.m.order[stack] = append(slices.Clone(p.m.order[stack]), id)
	}
	return a, 200
}

// open opens a place that was found. There is one map of it, whatever happens
// (PT-13).
func (p *deskPlayer) open(others []string) (*apptest.Answer, int) {
	id := p.some(others)
	if found := p.m.order["finding_overlay"]; len(found) > 0 && !p.OneIn(3) {
		id = apptest.Pick(p.Rand, found...)
	}
	a := p.Do("POST", apptest.SurfacesPath+id+"/open")
	place := p.m.found[id] || slices.Contains(slices.Collect(maps.Values(p.mapOf)), id) // a map of a place is the place too
	switch {
	case !slices.Contains(p.m.there(), id):
		return a, 404
	case !place:
		return a, 422
	}
	opened := a.Want(200).Str("surface.surface_id")
	known := p.mapOf[id]
	if !p.m.found[id] {
		known = id
	} else {
		p.mapOf[id] = opened
	}
	if known != "" && known != opened {
		p.T.Fatalf("%s was in %s and is in %s", id, known, opened)
	}
	if created := !slices.Contains(p.m.there(), opened); a.At("created") != created {
		p.T.Fatalf("%s: created is %v", a.About, a.At("created"))
	}
	if carry := p.m.order["carry_primary"]; !slices.Contains(carry, opened) {
		for _, stack := range deskStacks[1:3] {
			p.m.set(stack, slices.DeleteFunc(slices.Clone(p.m.order[stack]), func(o string) bool { return o == opened }))
		}
		p.m.order["carry_primary"] = append(slices.Clone(carry), opened)
		p.m.mode[opened] = "stacked"
	}
	p.m.focus["carry_primary"] = opened
	return a, 200
}

func (p *deskPlayer) query() (*apptest.Answer, int) {
	names := []string{"a", "b", "c", "d", "e", "f"}
	p.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:p.IntN(5)]
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = apptest.Finding(name)
	}
	a := p.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": list}).Want(200)
	order := make([]string, len(names))
	for i, id := range a.List("surface_runtime.stacks.3.surface_order")[:len(names)] {
		order[i] = id.(string)
		if known := p.finding[names[i]]; known != "" && known != order[i] {
			p.T.Fatalf("%s was in %s and is in %s", names[i], known, order[i])
		}
		p.finding[names[i]], p.m.found[order[i]] = order[i], true
		elsewhere := slices.ContainsFunc(deskStacks[:3], func(stack string) bool { return slices.Contains(p.m.order[stack], order[i]) })
		if !elsewhere {
			p.m.mode[order[i]] = "detached"
		}
	}
	p.m.set("finding_overlay", order)
	return a, 200
}

// Whatever several members do in whatever order, each has what a pure model of
// it has, and none sees or moves anything of another. Covers PT-10, PT-11 and
// PT-12 as far as Surface goes, PT-13, S-28 and S-31.
func TestDesksAreAsTheirModels(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
			var players []*deskPlayer
			for _, name := range []string{"ann", "bea", "cid"} {
				players = append(players, &deskPlayer{apptest.NewRand(seed), h.Member(name), newDeskModel(), make(map[string]string), make(map[string]string)})
			}
			d := apptest.NewRand(seed)
			for range 200 {
				p := apptest.Pick(d, players...)
				var others []string
				for _, other := range players {
					if other != p {
						others = append(others, slices.Collect(maps.Values(other.finding))...)
					}
				}
				slices.Sort(others)
				p.step(others)
				if d.OneIn(50) {
					h.Restart()
				}
				for _, each := range players {
					if each != p && !d.OneIn(5) {
						continue
					}
					if got := spellDesk(each.SurfaceRuntime(), ""); got != each.m.String() {
						t.Fatalf("%s has\n%swant\n%s", each.Name, got, each.m)
					}
				}
			}
		})
	}
}
