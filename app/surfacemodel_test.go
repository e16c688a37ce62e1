package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
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

func spellDesk(a *answer, path string) string {
	var b strings.Builder
	root := a.at(path)
	fmt.Fprintln(&b, dig(root, "revision"))
	for _, s := range dig(root, "stacks").([]any) {
		focus, _ := dig(s, "focused_surface_id").(string)
		fmt.Fprintln(&b, dig(s, "stack_id"), dig(s, "surface_order"), focus)
	}
	var lines []string
	for _, s := range dig(root, "surfaces").([]any) {
		x, _ := dig(s, "placement.metadata.x").(float64)
		lines = append(lines, fmt.Sprintln(dig(s, "surface_id"), dig(s, "placement.mode"), x))
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "")
}

// deskPlayer is a member who does one thing or another.
type deskPlayer struct {
	dice
	*client
	m       *deskModel
	finding map[string]string // finding → the surface that shows it, once there was one
	mapOf   map[string]string // that surface → the map of the place, likewise
}

// some is a surface, most often one that is there.
func (p *deskPlayer) some(others []string) string {
	if p.one(8) {
		return pick(p.dice, append(others, "surface_nothing", "carry_primary")...)
	}
	return pick(p.dice, p.m.there()...)
}

func (p *deskPlayer) stack() string {
	if p.one(12) {
		return "nothing"
	}
	return pick(p.dice, deskStacks...)
}

// step does something, tells the model, and compares the answer with it.
// others are surfaces of other members.
func (p *deskPlayer) step(others []string) {
	p.t.Helper()
	before := p.m.String()
	var a *answer
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
	a.want(want)
	if want == 200 {
		p.m.revision++
		a.closed("surface_runtime")
		if got := spellDesk(a, "surface_runtime"); got != p.m.String() {
			p.t.Fatalf("%s: there was\n%sis\n%swant\n%s", a.about, before, got, p.m)
		}
	}
}

func (p *deskPlayer) turn(others []string) (*answer, int) {
	stack, id := p.stack(), p.some(others)
	if list := p.m.order[stack]; len(list) > 0 && !p.one(3) {
		id = pick(p.dice, list...)
	}
	body := map[string]any{"surface_id": id}
	if p.one(6) {
		id, body["surface_id"] = "", nil
	}
	a := p.do("POST", stacksPath+stack+"/focus", body)
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

func (p *deskPlayer) reorder(others []string) (*answer, int) {
	stack := p.stack()
	list := slices.Clone(p.m.order[stack])
	p.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:p.IntN(len(list)+1)]
	bad := false
	if p.one(4) {
		id := p.some(others)
		bad = slices.Contains(list, id) || !slices.Contains(p.m.order[stack], id)
		list = append(list, id)
	}
	a := p.do("POST", stacksPath+stack+"/reorder", map[string]any{"surface_order": list})
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

func (p *deskPlayer) place(others []string) (*answer, int) {
	id, mode, stack := p.some(others), pick(p.dice, placementModes...), ""
	placement := map[string]any{}
	if !p.one(3) {
		stack = p.stack()
		placement["stack_id"] = stack
	}
	x := float64(p.IntN(9) - 4)
	if x != 0 {
		placement["x"] = x
	}
	a := p.do("POST", surfacesPath+id+"/placement", map[string]any{"placement_mode": mode, "placement": placement})
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
func (p *deskPlayer) open(others []string) (*answer, int) {
	id := p.some(others)
	if found := p.m.order["finding_overlay"]; len(found) > 0 && !p.one(3) {
		id = pick(p.dice, found...)
	}
	a := p.do("POST", surfacesPath+id+"/open")
	place := p.m.found[id] || slices.Contains(slices.Collect(maps.Values(p.mapOf)), id) // a map of a place is the place too
	switch {
	case !slices.Contains(p.m.there(), id):
		return a, 404
	case !place:
		return a, 422
	}
	opened := a.want(200).str("surface.surface_id")
	known := p.mapOf[id]
	if !p.m.found[id] {
		known = id
	} else {
		p.mapOf[id] = opened
	}
	if known != "" && known != opened {
		p.t.Fatalf("%s was in %s and is in %s", id, known, opened)
	}
	if created := !slices.Contains(p.m.there(), opened); a.at("created") != created {
		p.t.Fatalf("%s: created is %v", a.about, a.at("created"))
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

func (p *deskPlayer) query() (*answer, int) {
	names := []string{"a", "b", "c", "d", "e", "f"}
	p.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:p.IntN(5)]
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = cafe(name)
	}
	a := p.internally().do("POST", "/surfaces/overlay", map[string]any{"findings": list}).want(200)
	order := make([]string, len(names))
	for i, id := range a.list("surface_runtime.stacks.3.surface_order")[:len(names)] {
		order[i] = id.(string)
		if known := p.finding[names[i]]; known != "" && known != order[i] {
			p.t.Fatalf("%s was in %s and is in %s", names[i], known, order[i])
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
			h := open(t, withKey, unlimited)
			var players []*deskPlayer
			for _, name := range []string{"ann", "bea", "cid"} {
				players = append(players, &deskPlayer{newDice(seed), h.member(name), newDeskModel(), make(map[string]string), make(map[string]string)})
			}
			d := newDice(seed)
			for range 200 {
				p := pick(d, players...)
				var others []string
				for _, other := range players {
					if other != p {
						others = append(others, slices.Collect(maps.Values(other.finding))...)
					}
				}
				slices.Sort(others)
				p.step(others)
				if d.one(50) {
					h.restart()
				}
				for _, each := range players {
					if each != p && !d.one(5) {
						continue
					}
					if got := spellDesk(each.desktop(), ""); got != each.m.String() {
						t.Fatalf("%s has\n%swant\n%s", each.name, got, each.m)
					}
				}
			}
		})
	}
}
