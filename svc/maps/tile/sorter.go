package tile

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// sortMemory limits the bytes of records that a sorter keeps in memory.
const sortMemory = 16 << 20

// runBuffer is the size of the buffer for reading one sorted run.
const runBuffer = 32 << 10

// sorter orders records by key; records with the same key keep their order. It
// writes sorted runs of records to a temporary file and merges them at the end.
type sorter struct {
	dir     string
	memory  int
	records []sortRecord
	data    []byte // of records

	file *os.File
	runs []sortRun
	size int64 // of file
}

type sortRecord struct {
	key        uint64
	start, end int // in data
}

// sortRun is the position of a sorted run in the file.
type sortRun struct{ start, end int64 }

func newSorter(dir string) *sorter { return &sorter{dir: dir, memory: sortMemory} }

// recordOverhead is the memory of a record besides its data.
const recordOverhead = 24

// add adds a record. It copies data.
func (s *sorter) add(key uint64, data []byte) error {
	start := len(s.data)
	s.data = append(s.data, data...)
	s.records = append(s.records, sortRecord{key, start, len(s.data)})
	if len(s.data)+len(s.records)*recordOverhead < s.memory {
		return nil
	}
	return s.writeRun()
}

func (s *sorter) sort() {
	slices.SortStableFunc(s.records, func(a, b sortRecord) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
}

// writeRun moves the records in memory to the file.
func (s *sorter) writeRun() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir, "tiles-*.tmp"); err != nil {
			return err
		}
		os.Remove(s.file.Name()) // on Unix, so that the file does not remain after a crash
	}
	s.sort()
	w := bufio.NewWriterSize(s.file, runBuffer)
	start := s.size
	var header [12]byte
	for _, r := range s.records {
		binary.LittleEndian.PutUint64(header[:], r.key)
		binary.LittleEndian.PutUint32(header[8:], uint32(r.end-r.start))
		if _, err := w.Write(header[:]); err != nil {
			return err
		}
		if _, err := w.Write(s.data[r.start:r.end]); err != nil {
			return err
		}
		s.size += int64(len(header) + r.end - r.start)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	s.runs = append(s.runs, sortRun{start, s.size})
	s.records, s.data = s.records[:0], s.data[:0]
	return nil
}

// each calls f with all records in the order of their keys. data is valid until f
// returns.
func (s *sorter) each(f func(key uint64, data []byte) error) error {
	if s.file == nil {
		s.sort()
		for _, r := range s.records {
			if err := f(r.key, s.data[r.start:r.end]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.writeRun(); err != nil {
		return err
	}
	s.records, s.data = nil, nil
	var queue runQueue
	for i, run := range s.runs {
		r := &runReader{index: i, from: bufio.NewReaderSize(io.NewSectionReader(s.file, run.start, run.end-run.start), runBuffer)}
		if ok, err := r.next(); err != nil {
			return err
		} else if ok {
			queue = append(queue, r)
		}
	}
	heap.Init(&queue)
	for len(queue) > 0 {
		r := queue[0]
		if err := f(r.key, r.data); err != nil {
			return err
		}
		ok, err := r.next()
		switch {
		case err != nil:
			return err
		case ok:
			heap.Fix(&queue, 0)
		default:
			heap.Pop(&queue)
		}
	}
	return nil
}

func (s *sorter) close() error {
	s.records, s.data = nil, nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name()) // on systems that cannot remove an open file
	s.file = nil
	return err
}

// runReader reads the records of a run.
type runReader struct {
	index int
	from  *bufio.Reader
	key   uint64
	data  []byte
}

// next reads the next record; ok is false at the end of the run.
func (r *runReader) next() (ok bool, err error) {
	var header [12]byte
	if _, err := io.ReadFull(r.from, header[:]); errors.Is(err, io.EOF) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.key = binary.LittleEndian.Uint64(header[:])
	r.data = slices.Grow(r.data[:0], int(binary.LittleEndian.Uint32(header[8:])))[:binary.LittleEndian.Uint32(header[8:])]
	_, err = io.ReadFull(r.from, r.data)
	return err == nil, err
}

// runQueue is a heap of runs by the key of their next record.
type runQueue []*runReader

func (q runQueue) Len() int { return len(q) }
func (q runQueue) Less(i, j int) bool {
	return q[i].key < q[j].key || q[i].key == q[j].key && q[i].index < q[j].index
}
func (q runQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *runQueue) Push(x any)   { *q = append(*q, x.(*runReader)) }
func (q *runQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
