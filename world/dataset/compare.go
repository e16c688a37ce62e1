package dataset

import "slices"

// record is a record of a list: its id and the hash of its content.
type record struct {
	id   string
	hash uint64
}

func objectRecords(objects []objectHashes) []record {
	list := make([]record, len(objects))
	for i, o := range objects {
		list[i] = record{o.id, o.hash}
	}
	return list
}

func contextRecords(contexts []contextHashes) []record {
	list := make([]record, len(contexts))
	for i, c := range contexts {
		list[i] = record{c.id, combineHashes(c.hash, c.items.hash)}
	}
	return list
}

// changes are the differences between two lists of records. A record that is in both
// lists with the same content has not changed, unless it has moved: the unchanged
// records are in the same order in both lists.
type changes struct {
	positions []int    // in the later list, of the records that are new, have changed or have moved; ascending
	ids       []string // of these records
	gone      []string // ids of the records that only the earlier list has
	after     Order    // id of each of these records → id of the record before it, or nil
}

// compare returns the changes between two lists of records with unique ids. first is
// the id of the record before the lists, or nil.
func compare(before, after []record, first *string) changes {
	start, end := commonEnds(before, after, func(a, b record) bool { return a == b })
	c := changes{after: Order{}}
	removed := make(map[string]int) // positions in before of the records that are not found in after
	for i, r := range before[start : len(before)-end] {
		removed[r.id] = start + i
	}
	var same, origins []int // positions in after of the records with the same content, and in before
	for i, r := range after[start : len(after)-end] {
		if at, ok := removed[r.id]; ok {
			delete(removed, r.id)
			if before[at] == r {
				same, origins = append(same, start+i), append(origins, at)
			}
		}
	}
	for _, r := range before[start : len(before)-end] {
		if _, ok := removed[r.id]; ok {
			c.gone = append(c.gone, r.id)
		}
	}
	kept := longestIncreasing(origins)
	for i := start; i < len(after)-end; i++ {
		if len(kept) > 0 && same[kept[0]] == i {
			kept = kept[1:]
			continue
		}
		id := after[i].id
		c.positions, c.ids = append(c.positions, i), append(c.ids, id)
		c.after[id] = first
		if i > 0 {
			c.after[id] = &after[i-1].id
		}
	}
	return c
}

// texts returns the texts of the changed records, with commas between them.
func (c changes) texts(text func(position int) Chunks) (list Chunks) {
	for i, position := range c.positions {
		if i > 0 {
			list = append(list, comma)
		}
		list = append(list, text(position)...)
	}
	return list
}

// compareLists compares the concatenations of lists. It also returns the texts of the
// changed records, with commas between them; text(i) returns the records of after[i].
func compareLists(before, after []*recordHashes, text func(list int) records) (changes, Chunks) {
	start, end := commonEnds(before, after, (*recordHashes).equal)
	var first *string
	for _, hashes := range slices.Backward(after[:start]) {
		if n := len(hashes.ids); n > 0 {
			first = &hashes.ids[n-1]
			break
		}
	}
	type place struct{ list, index int }
	var places []place
	for i, hashes := range after[start : len(after)-end] {
		for k := range hashes.ids {
			places = append(places, place{start + i, k})
		}
	}
	c := compare(concatenate(before[start:len(before)-end]), concatenate(after[start:len(after)-end]), first)
	return c, c.texts(func(position int) Chunks {
		at := places[position]
		return Chunks{text(at.list).at(at.index)}
	})
}

// concatenate returns the records of several lists.
func concatenate(lists []*recordHashes) (all []record) {
	for _, hashes := range lists {
		for i, id := range hashes.ids {
			all = append(all, record{id, hashes.hashes[i]})
		}
	}
	return all
}

// commonEnds returns the number of equal elements at the start and at the end of two
// lists.
func commonEnds[T any](a, b []T, equal func(T, T) bool) (start, end int) {
	n := min(len(a), len(b))
	for start < n && equal(a[start], b[start]) {
		start++
	}
	for end < n-start && equal(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	return start, end
}

// longestIncreasing returns the positions of a longest increasing subsequence of
// distinct numbers.
func longestIncreasing(list []int) []int {
	var ends []int                     // ends[n] is the position of the smallest end of a subsequence of length n+1
	previous := make([]int, len(list)) // position of the number before, in the longest subsequence that ends here
	for i, number := range list {
		n, _ := slices.BinarySearchFunc(ends, number, func(at, number int) int { return list[at] - number })
		previous[i] = -1
		if n > 0 {
			previous[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	positions := make([]int, len(ends))
	at := -1
	if len(ends) > 0 {
		at = ends[len(ends)-1]
	}
	for i := range slices.Backward(positions) {
		positions[i], at = at, previous[at]
	}
	return positions
}
