package pbf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// File is an open file.
type File struct {
	Header Header

	r     io.ReaderAt
	size  int64
	first int64   // offset of the first frame after the header
	kinds []Kinds // of each block, once it has been scanned
}

// Header describes a file.
type Header struct {
	Bounds    [4]float64 // south, west, north, east, in degrees
	HasBounds bool
	DataTime  time.Time // zero if it is unknown
}

// Kinds is a set of kinds of elements.
type Kinds uint8

// The kinds.
const (
	Nodes Kinds = 1 << iota
	Ways
	Relations

	scanned // the kinds of the block are known
)

// maxBlocks limits the number of blocks in a file. The largest files have fewer
// than a million.
const maxBlocks = 8 << 20

// Error is an error in a file, with its position.
type Error struct {
	Offset int64 // of the block, in bytes
	Err    error
}

func (e *Error) Error() string {
	text := e.Err.Error()
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		text = "the file is truncated"
	}
	return fmt.Sprintf("block at byte %d: %s", e.Offset, text)
}

func (e *Error) Unwrap() error { return e.Err }

// Open reads the header of a file.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	frame, err := readFrame(r, 0, size)
	if err == io.EOF {
		err = errors.New("the file is empty")
	}
	if err == nil && frame.kind != typeHeader {
		err = errors.New("the file does not begin with a block " + typeHeader)
	}
	if err != nil {
		return nil, &Error{0, err}
	}
	f.first = frame.end()
	d := decompressor{file: r}
	defer d.close()
	data, err := d.read(frame, nil)
	if err == nil {
		f.Header, err = decodeHeader(data)
	}
	if err != nil {
		return nil, &Error{0, err}
	}
	return f, nil
}

// decodeHeader decodes a HeaderBlock.
func decodeHeader(data []byte) (h Header, err error) {
	m := message{rest: data}
	for {
		more, err := m.next()
		switch {
		case err != nil || !more:
			return h, err
		case m.isBytes(1):
			if h.Bounds, err = decodeBounds(m.bytes); err != nil {
				return h, err
			}
			h.HasBounds = true
		case m.isBytes(4):
			switch feature := string(m.bytes); feature {
			case "OsmSchema-V0.6", "DenseNodes":
			case "HistoricalInformation":
				return h, errors.New("the file contains the history of its elements: use a file with the current ones")
			default:
				return h, fmt.Errorf("the file needs the feature %.40q, which is not supported", feature)
			}
		case m.isVarint(32):
			if m.value < 1<<40 {
				h.DataTime = time.Unix(int64(m.value), 0).UTC()
			}
		}
	}
}

// decodeBounds decodes a HeaderBBox, whose unit is 1e-9 degrees.
func decodeBounds(data []byte) (b [4]float64, err error) {
	m := message{rest: data}
	for {
		more, err := m.next()
		if err != nil || !more {
			if err == nil && !(b[0] >= -90 && b[0] <= b[2] && b[2] <= 90 && b[1] >= -180 && b[1] <= 180 && b[3] >= -180 && b[3] <= 180) {
				err = errors.New("the bounds of the file are not positions on the Earth")
			}
			return b, err
		}
		if index := map[int]int{1: 1, 2: 3, 3: 2, 4: 0}; m.wire == wireVarint && m.field >= 1 && m.field <= 4 {
			b[index[m.field]] = float64(zigzag(m.value)) / 1e9
		}
	}
}

// Visitor receives elements. An element is valid only during the call. Functions
// that are nil are not called.
type Visitor struct {
	Node     func(*Node) error
	Way      func(*Way) error
	Relation func(*Relation) error
	Block    func(offset int64) // called after each block, with the offset of the next
}

func (v Visitor) kinds() (k Kinds) {
	if v.Node != nil {
		k |= Nodes
	}
	if v.Way != nil {
		k |= Ways
	}
	if v.Relation != nil {
		k |= Relations
	}
	return k
}

// content is a decompressed block.
type content struct {
	number int
	frame  frame
	start  int64 // offset of the frame
	data   []byte
	err    error
}

// Scan calls the functions of v for all elements, in the order of the file. Blocks
// that an earlier Scan has found to contain none of the kinds are not decompressed.
func (f *File) Scan(ctx context.Context, v Visitor) error {
	ctx, cancel := context.WithCancel(ctx)
	blocks := make(chan content)
	free := make(chan []byte, 2) // with the block being decoded, at most three are in memory
	free <- nil
	free <- nil
	done := make(chan struct{})
	known := slices.Clone(f.kinds) // the loop below changes f.kinds
	go func() {
		defer close(done)
		defer close(blocks)
		f.decompress(ctx, v.kinds(), known, blocks, free)
	}()
	defer func() { cancel(); <-done }()
	var d decoder
	for c := range blocks {
		if c.err == nil && c.data != nil {
			var found Kinds
			found, c.err = d.decode(c.data, v)
			for c.number >= len(f.kinds) {
				f.kinds = append(f.kinds, 0)
			}
			f.kinds[c.number] = found | scanned
			free <- c.data
		}
		if c.err != nil {
			return f.withPosition(c)
		}
		if v.Block != nil {
			v.Block(c.frame.end())
		}
	}
	return ctx.Err()
}

// withPosition returns the error of a block with its position. Errors of the
// visitor are returned as they are.
func (f *File) withPosition(c content) error {
	var visit visitError
	if errors.As(c.err, &visit) {
		return visit.error
	}
	if errors.Is(c.err, context.Canceled) || errors.Is(c.err, context.DeadlineExceeded) {
		return c.err
	}
	return &Error{c.start, c.err}
}

// decompress sends the blocks that may contain one of the kinds. known contains the
// kinds in each block that an earlier Scan has read.
func (f *File) decompress(ctx context.Context, kinds Kinds, known []Kinds, blocks chan<- content, free <-chan []byte) {
	d := decompressor{file: f.r}
	defer d.close()
	offset := f.first
	for number := 0; ; number++ {
		c := content{number: number, start: offset}
		c.frame, c.err = readFrame(f.r, offset, f.size)
		if c.err == io.EOF {
			return
		}
		if c.err == nil && number == maxBlocks {
			c.err = fmt.Errorf("the file has more than %d blocks", maxBlocks)
		}
		isScanned := number < len(known) && known[number]&scanned != 0
		if c.err == nil && c.frame.kind == typeData && !(isScanned && known[number]&kinds == 0) {
			var buffer []byte
			select {
			case buffer = <-free:
			case <-ctx.Done():
				return
			}
			if c.data, c.err = d.read(c.frame, buffer); c.err == nil && c.data == nil {
				c.data = []byte{}
			}
		}
		select {
		case blocks <- c:
		case <-ctx.Done():
			return
		}
		if c.err != nil {
			return
		}
		offset = c.frame.end()
	}
}

// Sizes describes the blocks of a file.
type Sizes struct {
	Blocks int
	Raw    int64 // bytes after decompression, as the blocks state it
}

// Sizes reads the headers of all blocks, without decompressing them.
func (f *File) Sizes(ctx context.Context) (s Sizes, err error) {
	start := make([]byte, 16)
	for offset := f.first; ; {
		frame, err := readFrame(f.r, offset, f.size)
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return s, &Error{offset, err}
		}
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		n, _ := f.r.ReadAt(start[:min(len(start), int(frame.size))], frame.offset) // readFrame has checked the size
		s.Blocks++
		s.Raw += max(rawSize(start[:n]), frame.size)
		offset = frame.end()
	}
}
