package pbf

import "errors"

// The wire types of Protocol Buffers.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var errTruncated = errors.New("a value ends beyond the end of its block")

// message iterates over the fields of an encoded message.
type message struct {
	rest  []byte
	field int    // number of the current field
	wire  int    // wire type of the current field
	value uint64 // value of a varint
	bytes []byte // value of a field with a length
}

// next advances to the next field. It returns false at the end.
func (m *message) next() (bool, error) {
	if len(m.rest) == 0 {
		return false, nil
	}
	key, err := takeUvarint(&m.rest)
	if err != nil {
		return false, err
	}
	m.field, m.wire, m.value, m.bytes = int(key>>3&0x1fffffff), int(key&7), 0, nil
	switch m.wire {
	case wireVarint:
		m.value, err = takeUvarint(&m.rest)
		return err == nil, err
	case wireBytes:
		length, err := takeUvarint(&m.rest)
		if err != nil {
			return false, err
		}
		return m.take(length)
	case wireFixed64:
		return m.take(8)
	case wireFixed32:
		return m.take(4)
	}
	return false, errors.New("a field has an unknown wire type")
}

// take moves the next bytes to m.bytes.
func (m *message) take(length uint64) (bool, error) {
	if length > uint64(len(m.rest)) {
		return false, errTruncated
	}
	m.bytes, m.rest = m.rest[:length], m.rest[length:]
	return true, nil
}

// isVarint reports whether the current field has the number and is a varint.
func (m *message) isVarint(field int) bool { return m.field == field && m.wire == wireVarint }

// isBytes reports whether the current field has the number and is a sequence of
// bytes.
func (m *message) isBytes(field int) bool { return m.field == field && m.wire == wireBytes }

// takeUvarint removes a varint from the start of data.
func takeUvarint(data *[]byte) (uint64, error) {
	d := *data
	if len(d) > 0 && d[0] < 0x80 {
		*data = d[1:]
		return uint64(d[0]), nil
	}
	var v uint64
	for i, b := range d {
		if i == 10 {
			return 0, errors.New("a number has more than 64 bits")
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			*data = d[i+1:]
			return v, nil
		}
	}
	return 0, errTruncated
}

// takeSvarint removes a zigzag-encoded varint from the start of data.
func takeSvarint(data *[]byte) (int64, error) {
	v, err := takeUvarint(data)
	return zigzag(v), err
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
