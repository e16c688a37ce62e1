package reader

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"appliance/svc"
	"appliance/svc/maps/reader/pbf"
)

// nodesPerBlock is the number of nodes that are encoded together.
const nodesPerBlock = 256

// cachedBlocks is the number of decoded blocks in memory. Each has 4 KB.
const cachedBlocks = 4096

// nodeTable maps ids of nodes to positions. The nodes are added in ascending order.
// They are encoded in blocks of about 7 bytes per node, which are in a temporary
// file if they are many; the memory per block is 16 bytes.
type nodeTable struct {
	spool   svc.Spool
	reader  io.ReaderAt
	firsts  []int64 // id of the first node of each block
	offsets []int64 // of the blocks in spool, and its length
	pending nodeBlock
	encoded []byte
	cache   []*nodeBlock // by number of the block modulo its length
	last    *nodeBlock   // of the last lookup
	index   int          // in last
}

// nodeBlock is a decoded block.
type nodeBlock struct {
	number int
	count  int
	ids    [nodesPerBlock]int64
	points [nodesPerBlock]pbf.Point
}

// errUnsorted reports that the nodes of a file are not in the order of their
// ids.
var errUnsorted = errors.New("the nodes are not in ascending order of their ids: sort the file with osmium sort and import the result")

// add appends a node.
func (t *nodeTable) add(id int64, p pbf.Point) error {
	b := &t.pending
	if b.count == nodesPerBlock {
		if err := t.flush(); err != nil {
			return err
		}
	}
	if b.count == 0 {
		if n := len(t.firsts); n > 0 && id <= b.ids[nodesPerBlock-1] {
			return fmt.Errorf("node %d: %w", id, errUnsorted)
		}
		t.firsts = append(t.firsts, id)
	} else if id <= b.ids[b.count-1] {
		return fmt.Errorf("node %d: %w", id, errUnsorted)
	}
	b.ids[b.count], b.points[b.count] = id, p
	b.count++
	return nil
}

// flush encodes the pending block.
func (t *nodeTable) flush() error {
	b, data := &t.pending, t.encoded[:0]
	if b.count == 0 {
		return nil
	}
	id, p := t.firsts[len(t.firsts)-1], pbf.Point{}
	for i := range b.count {
		data = binary.AppendUvarint(data, uint64(b.ids[i]-id))
		data = appendPoint(data, b.points[i], p)
		id, p = b.ids[i], b.points[i]
	}
	t.offsets = append(t.offsets, t.spool.Len())
	t.encoded, b.count = data, 0
	_, err := t.spool.Write(data)
	return err
}

// finish prepares the table for lookups.
func (t *nodeTable) finish() (err error) {
	if err = t.flush(); err != nil {
		return err
	}
	t.offsets = append(t.offsets, t.spool.Len())
	t.cache = make([]*nodeBlock, min(cachedBlocks, max(len(t.firsts), 1)))
	t.reader, err = t.spool.Reader()
	return err
}

// find returns the position of a node. ok is false if the file does not contain it.
func (t *nodeTable) find(id int64) (p pbf.Point, ok bool, err error) {
	// The nodes of a way often have consecutive ids.
	if b := t.last; b == nil || id < b.ids[0] || id > b.ids[b.count-1] {
		number, found := slices.BinarySearch(t.firsts, id)
		if !found {
			number--
		}
		if number < 0 {
			return p, false, nil
		}
		if t.last, err = t.block(number); err != nil {
			return p, false, err
		}
		t.index = 0
	}
	b := t.last
	if next := t.index + 1; next < b.count && b.ids[next] == id {
		t.index = next
		return b.points[next], true, nil
	}
	i, ok := slices.BinarySearch(b.ids[:b.count], id)
	if !ok {
		return p, false, nil
	}
	t.index = i
	return b.points[i], true, nil
}

// block returns a decoded block.
func (t *nodeTable) block(number int) (*nodeBlock, error) {
	slot := &t.cache[number%len(t.cache)]
	if *slot != nil && (*slot).number == number {
		return *slot, nil
	}
	data, err := readRange(t.reader, t.offsets[number], t.offsets[number+1], &t.encoded)
	if err != nil {
		return nil, err
	}
	b := *slot
	if b == nil {
		b = new(nodeBlock)
		*slot = b
	}
	b.number, b.count = number, 0
	id, p := t.firsts[number], pbf.Point{}
	for len(data) > 0 {
		delta, n := binary.Uvarint(data)
		data = data[n:]
		id += int64(delta)
		p, data = takePoint(data, p)
		b.ids[b.count], b.points[b.count] = id, p
		b.count++
	}
	return b, nil
}

// close removes the temporary file.
func (t *nodeTable) close() error { return t.spool.Close() }

// appendPoint appends the difference of p and previous.
func appendPoint(data []byte, p, previous pbf.Point) []byte {
	data = binary.AppendVarint(data, int64(p.Latitude)-int64(previous.Latitude))
	return binary.AppendVarint(data, int64(p.Longitude)-int64(previous.Longitude))
}

// takePoint removes a point from the start of data, as appendPoint has encoded it.
func takePoint(data []byte, previous pbf.Point) (pbf.Point, []byte) {
	lat, n := binary.Varint(data)
	lon, m := binary.Varint(data[n:])
	return pbf.Point{Latitude: int32(int64(previous.Latitude) + lat), Longitude: int32(int64(previous.Longitude) + lon)}, data[n+m:]
}

// readRange reads the bytes between two offsets into buffer.
func readRange(r io.ReaderAt, start, end int64, buffer *[]byte) ([]byte, error) {
	size := int(end - start)
	*buffer = slices.Grow((*buffer)[:0], size)[:size]
	if n, err := r.ReadAt(*buffer, start); n < size {
		return nil, fmt.Errorf("reading a temporary file: %w", err)
	}
	return *buffer, nil
}
