package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// applyChanges applies changes to a list as a runtime does.
func applyChanges(before, after []record, c changes) []record {
	removed := slices.Concat(c.ids, c.gone)
	list := slices.DeleteFunc(slices.Clone(before), func(r record) bool { return slices.Contains(removed, r.id) })
	for i, id := range c.ids {
		at := 0
		if predecessor := c.after[id]; predecessor != nil {
			at = 1 + slices.IndexFunc(list, func(r record) bool { return r.id == *predecessor })
		}
		list = slices.Insert(list, at, after[c.positions[i]])
	}
	return list
}

// Covers B-105.
func TestApplyingChangesYieldsTheLaterList(t *testing.T) {
	r := rand.New(rand.NewPCG(105, 1))
	list := func() []record {
		var list []record
		for _, i := range r.Perm(12)[:r.IntN(12)] {
			list = append(list, record{fmt.Sprint("r", i), uint64(r.IntN(2))})
		}
		return list
	}
	for range 2000 {
		before, after := list(), list()
		if r.IntN(2) == 0 { // a few changes only
			after = slices.Clone(before)
			if n := len(after); n > 1 {
				i, k := r.IntN(n), r.IntN(n)
				after[i], after[k] = after[k], after[i]
				after[r.IntN(n)].hash++
				after = slices.Delete(after, i, i+1)
			}
		}
		c := compare(before, after, nil)
		if got := applyChanges(before, after, c); !slices.Equal(got, after) {
			t.Fatalf("from %v with %+v: got %v, want %v", before, c, got, after)
		}
		if kept := len(after) - len(c.ids); kept != longestCommon(before, after) {
			t.Fatalf("from %v to %v: got %d unchanged records, want %d", before, after, kept, longestCommon(before, after))
		}
	}
}

// longestCommon returns the length of the longest common subsequence of two
// lists.
func longestCommon(a, b []record) int {
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for k := range b {
			lengths[i+1][k+1] = max(lengths[i][k+1], lengths[i+1][k])
			if a[i] == b[k] {
				lengths[i+1][k+1] = max(lengths[i+1][k+1], lengths[i][k]+1)
			}
		}
	}
	return lengths[len(a)][len(b)]
}

// recordsOf returns encoded numbers whose ids are the numbers.
func recordsOf(t *testing.T, numbers ...int) records {
	t.Helper()
	r, err := encodeRecords(numbers, func(n int) string { return fmt.Sprint(n) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestListsAreComparedAsOneList(t *testing.T) {
	lists := func(lists ...records) []*recordHashes { return hashesOf(lists) }
	none := records{}
	for _, c := range []struct {
		before        []*recordHashes
		after         []records
		texts         string
		changed, gone string
		afterEach     string
	}{
		{lists(recordsOf(t, 1, 2)), []records{recordsOf(t, 1, 2)}, "", "[]", "[]", "map[]"},
		{lists(recordsOf(t, 1), none), []records{recordsOf(t, 1), none, recordsOf(t, 2)}, "2", "[2]", "[]", "map[2:1]"},
		{nil, []records{none, recordsOf(t, 7, 8)}, "7,8", "[7 8]", "[]", "map[7:<nil> 8:7]"},
		{lists(recordsOf(t, 1, 2), recordsOf(t, 3)), []records{recordsOf(t, 1), recordsOf(t, 2, 3)}, "", "[]", "[]", "map[]"},
		{lists(recordsOf(t, 1, 2), recordsOf(t, 3)), []records{recordsOf(t, 3)}, "", "[]", "[1 2]", "map[]"},
	} {
		got, texts := compareLists(c.before, hashesOf(c.after), func(list int) records { return c.after[list] })
		if text := string(slices.Concat(texts...)); text != c.texts || fmt.Sprint(got.ids) != c.changed || fmt.Sprint(got.gone) != c.gone || orderText(got.after) != c.afterEach {
			t.Errorf("got %s, %v, %v, %v, want %s, %s, %s, %s", text, got.ids, got.gone, got.after, c.texts, c.changed, c.gone, c.afterEach)
		}
	}
}

// orderText formats an order.
func orderText(order Order) string {
	text := make(map[string]string)
	for id, before := range order {
		text[id] = "<nil>"
		if before != nil {
			text[id] = *before
		}
	}
	return fmt.Sprint(text)
}

func TestRecordsAreJoinedAsTheyAreEncoded(t *testing.T) {
	r := recordsOf(t, 1, 22, 333)
	joined := joinRecords([]string{"1", "22", "333"}, [][]byte{[]byte("1"), []byte("22"), []byte("333")})
	if !r.equal(joined.recordHashes) || !slices.Equal(r.hashes, joined.hashes) || !slices.Equal(r.ends, joined.ends) || string(joined.at(1)) != "22" {
		t.Errorf("got %+v joined, %+v encoded, want the same", joined, r)
	}
}
