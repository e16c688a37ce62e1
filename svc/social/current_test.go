package social

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A list that is brought up to date is the one that would be read anew, and
// what has not changed in it is the same, to the pointer.
func TestCurrentIsWhatThereIs(t *testing.T) {
	type thing struct{ id, text string }
	for seed := range uint64(200) {
		d := rand.New(rand.NewPCG(seed, 1))
		m := most{next: 1 + d.IntN(5), past: 1 + d.IntN(4)}
		if seed%2 == 0 {
			m.next = 0 // a list of the past alone
		}
		var all []placed[thing] // in no order
		sorted := func() (entries []placed[thing]) {
			l := Current[thing]{most: m}
			for _, e := range slices.SortedFunc(slices.Values(all), func(a, b placed[thing]) int { return a.compare(b.position) }) {
				if !l.full(e.past) {
					l.entries = append(l.entries, e)
				}
			}
			return l.entries
		}
		place := func(id string) position {
			return position{past: m.next == 0 || d.IntN(3) == 0, at: int64(d.IntN(6)), id: id}
		}
		known, anew := &Current[thing]{m, sorted()}, 0
		for turn := range 200 {
			var changed []string
			for range 1 + d.IntN(3) {
				id := fmt.Sprint("i", d.IntN(12))
				changed = append(changed, id)
				i := slices.IndexFunc(all, func(e placed[thing]) bool { return e.id == id })
				text := &thing{id, fmt.Sprint(turn)}
				switch {
				case i < 0:
					all = append(all, placed[thing]{position: place(id), is: text})
				case d.IntN(3) == 0:
					all = slices.Delete(all, i, i+1)
				case d.IntN(2) == 0:
					all[i] = placed[thing]{position: place(id), is: text}
				default:
					all[i].is = text
				}
			}
			slices.Sort(changed)
			got, err := upToDate(known, slices.Compact(changed), m,
				func() ([]placed[thing], error) { anew++; return sorted(), nil },
				func(ids []string) ([]placed[thing], error) {
					return slices.DeleteFunc(slices.Clone(all), func(e placed[thing]) bool { return !slices.Contains(ids, e.id) }), nil
				})
			want := Current[thing]{m, sorted()}
			if err != nil || got.Cut() != want.Cut() || !slices.Equal(got.List(), want.List()) {
				t.Fatalf("seed %d, turn %d, %+v: %v are %v, not %v", seed, turn, m, changed, got.List(), want.List())
			}
			known = got
		}
		if anew == 200 {
			t.Errorf("seed %d: always read anew", seed)
		}
	}
}
