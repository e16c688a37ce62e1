package reader

import (
	"fmt"
	"io"
	"slices"

	"appliance/svc"
	"appliance/svc/maps/reader/pbf"
)

// maxMemberWays limits the number of ways in relations, each of which needs 20 bytes
// of memory.
const maxMemberWays = 16 << 20

// wayTable contains the positions of the ways that are members of relations. They
// are in a temporary file if they are many.
type wayTable struct {
	spool   svc.Spool
	reader  io.ReaderAt
	ids     []int64  // sorted after prepare
	offsets []int64  // in spool, by the index of ids
	lengths []uint32 // 0 if the file does not contain the way
	sorted  int      // ids before this index are sorted and unique
	buffer  []byte
}

// request requests the way with an id.
func (t *wayTable) request(id int64) error {
	t.ids = append(t.ids, id)
	if len(t.ids) < 2*t.sorted+1<<16 {
		return nil
	}
	t.compact()
	if t.sorted > maxMemberWays {
		return fmt.Errorf("its relations have more than %d ways: import a smaller region", maxMemberWays)
	}
	return nil
}

func (t *wayTable) compact() {
	slices.Sort(t.ids)
	t.ids = slices.Compact(t.ids)
	t.sorted = len(t.ids)
}

// prepare prepares the table for add.
func (t *wayTable) prepare() {
	t.compact()
	t.offsets, t.lengths = make([]int64, len(t.ids)), make([]uint32, len(t.ids))
}

// isRequested reports whether the way is a member of a relation.
func (t *wayTable) isRequested(id int64) bool {
	_, ok := slices.BinarySearch(t.ids, id)
	return ok
}

// add stores the positions of a way that is requested.
func (t *wayTable) add(id int64, points []pbf.Point) error {
	i, ok := slices.BinarySearch(t.ids, id)
	if !ok || len(points) == 0 {
		return nil
	}
	data, previous := t.buffer[:0], pbf.Point{}
	for _, p := range points {
		data = appendPoint(data, p, previous)
		previous = p
	}
	t.offsets[i], t.lengths[i], t.buffer = t.spool.Len(), uint32(len(data)), data
	_, err := t.spool.Write(data)
	return err
}

// finish prepares the table for lookups.
func (t *wayTable) finish() (err error) {
	t.reader, err = t.spool.Reader()
	return err
}

// points returns the positions of a way. They are empty if the file does not contain
// it.
func (t *wayTable) points(id int64) ([]pbf.Point, error) {
	i, ok := slices.BinarySearch(t.ids, id)
	if !ok || t.lengths[i] == 0 {
		return nil, nil
	}
	data, err := readRange(t.reader, t.offsets[i], t.offsets[i]+int64(t.lengths[i]), &t.buffer)
	if err != nil {
		return nil, err
	}
	points := make([]pbf.Point, 0, len(data)/4)
	var p pbf.Point
	for len(data) > 0 {
		p, data = takePoint(data, p)
		points = append(points, p)
	}
	return points, nil
}

// close removes the temporary file.
func (t *wayTable) close() error { return t.spool.Close() }

// idSet is a set of ids with 8 bytes each.
type idSet struct {
	ids    []int64
	sorted int
}

func (s *idSet) add(id int64) {
	s.ids = append(s.ids, id)
	if len(s.ids) >= 2*s.sorted+1<<16 {
		s.finish()
	}
}

// finish prepares the set for has.
func (s *idSet) finish() {
	slices.Sort(s.ids)
	s.ids = slices.Compact(s.ids)
	s.sorted = len(s.ids)
}

func (s *idSet) has(id int64) bool {
	_, ok := slices.BinarySearch(s.ids, id)
	return ok
}
