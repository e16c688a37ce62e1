package tile

import (
	"slices"
	"testing"
)

// An area whose ring begins on the edge of the surrounding ring is a hole, at each edge, as is
// an area that touches several edges. Sea with coastlines that enter a file at any side is such
// an area.
func TestRingsThatTouchTheSurroundingRingAreHoles(t *testing.T) {
	border := []point{{0, 0}, {100, 0}, {100, 100}, {0, 100}}
	for name, hole := range map[string][]point{
		"inside":           {{20, 20}, {40, 20}, {40, 40}, {20, 40}},
		"top":              {{20, 0}, {40, 0}, {40, 40}, {20, 40}},
		"right":            {{100, 20}, {100, 40}, {60, 40}, {60, 20}},
		"bottom":           {{20, 100}, {40, 100}, {40, 60}, {20, 60}},
		"left":             {{0, 20}, {0, 40}, {40, 40}, {40, 20}},
		"corner":           {{100, 100}, {60, 100}, {100, 60}},
		"all but a corner": {{100, 0}, {0, 0}, {0, 100}, {60, 100}, {100, 60}},
		"all but a bay":    {{0, 0}, {0, 100}, {100, 100}, {100, 60}, {60, 50}, {100, 40}, {100, 0}},
	} {
		for _, reverse := range []bool{false, true} {
			for first := range hole {
				turned := slices.Concat(hole[first:], hole[:first])
				if reverse {
					slices.Reverse(turned)
				}
				rings := [][]point{slices.Clone(border), turned}
				orient(rings)
				if outer, inner := ringArea(rings[0]), ringArea(rings[1]); outer < 0 || inner > 0 {
					t.Errorf("%s, beginning at %v: got the areas %v and %v, want a positive and a negative one", name, hole[first], outer, inner)
				}
			}
		}
	}
}
