package pbf

import (
	"errors"
	"fmt"
)

// Tag is an attribute of an element.
type Tag struct{ Key, Value string }

// Point is a position in units of 1e-7 degrees.
type Point struct{ Latitude, Longitude int32 }

// Node is a position.
type Node struct {
	ID    int64
	Point Point
	Tags  []Tag
}

// Way is a sequence of nodes.
type Way struct {
	ID     int64
	Refs   []int64
	Points []Point // of the nodes, if the file states them in its ways; otherwise empty
	Tags   []Tag
}

// Relation is a group of elements.
type Relation struct {
	ID      int64
	Members []Member
	Tags    []Tag
}

// Member is a member of a relation.
type Member struct {
	Kind Kinds // Nodes, Ways or Relations
	ID   int64
	Role string
}

// Limits of one element and one block. OpenStreetMap permits 2,000 nodes in a way,
// 32,000 members of a relation, and 5,000 tags at most.
const (
	maxRefs    = 100_000
	maxMembers = 200_000
	maxTags    = 10_000
	maxStrings = 1 << 20
)

// visitError is an error that a Visitor returned.
type visitError struct{ error }

// decoder decodes blocks. It reuses its buffers.
type decoder struct {
	visitor                  Visitor
	text                     string   // all strings of the block
	strings                  []uint32 // offsets of the strings in text, and its length
	granularity              int64
	latOffset, lonOffset     int64
	node                     Node
	way                      Way
	relation                 Relation
	keys, values             []byte
	ids, lats, lons          []byte
	refs, roles, memberKinds []byte
}

// decode decodes a PrimitiveBlock and returns the kinds of elements in it.
func (d *decoder) decode(data []byte, v Visitor) (found Kinds, err error) {
	d.visitor, d.granularity, d.latOffset, d.lonOffset = v, 100, 0, 0
	d.text, d.strings = "", append(d.strings[:0], 0)
	// The values that groups depend on may follow them.
	err = eachField(data, func(m *message) error {
		switch {
		case m.isBytes(1):
			return d.decodeStrings(m.bytes)
		case m.isVarint(17):
			if m.value == 0 || m.value > 1e9 {
				return errors.New("the granularity of a block is out of range")
			}
			d.granularity = int64(m.value)
		case m.isVarint(19):
			d.latOffset = int64(m.value)
		case m.isVarint(20):
			d.lonOffset = int64(m.value)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = eachField(data, func(m *message) error {
		if !m.isBytes(2) {
			return nil
		}
		kinds, err := d.decodeGroup(m.bytes)
		found |= kinds
		return err
	})
	return found, err
}

// eachField calls do for each field of a message.
func eachField(data []byte, do func(*message) error) error {
	m := message{rest: data}
	for {
		more, err := m.next()
		if err != nil || !more {
			return err
		}
		if err := do(&m); err != nil {
			return err
		}
	}
}

// decodeStrings decodes a StringTable.
func (d *decoder) decodeStrings(data []byte) error {
	size := 0
	err := eachField(data, func(m *message) error {
		size += len(m.bytes)
		return nil
	})
	if err != nil {
		return err
	}
	text := make([]byte, 0, size) // not reused: elements refer to it
	err = eachField(data, func(m *message) error {
		if !m.isBytes(1) {
			return nil
		}
		if len(d.strings) > maxStrings {
			return fmt.Errorf("a block has more than %d strings", maxStrings)
		}
		text = append(text, m.bytes...)
		d.strings = append(d.strings, uint32(len(text)))
		return nil
	})
	d.text = string(text)
	return err
}

func (d *decoder) string(index uint64) (string, error) {
	if index >= uint64(len(d.strings)-1) {
		return "", errors.New("the index of a string is out of range")
	}
	return d.text[d.strings[index]:d.strings[index+1]], nil
}

// decodeGroup decodes a PrimitiveGroup and calls the visitor for its elements.
func (d *decoder) decodeGroup(data []byte) (found Kinds, err error) {
	err = eachField(data, func(m *message) error {
		switch {
		case m.isBytes(1):
			found |= Nodes
			if d.visitor.Node != nil {
				return d.decodeNode(m.bytes)
			}
		case m.isBytes(2):
			found |= Nodes
			if d.visitor.Node != nil {
				return d.decodeDenseNodes(m.bytes)
			}
		case m.isBytes(3):
			found |= Ways
			if d.visitor.Way != nil {
				return d.decodeWay(m.bytes)
			}
		case m.isBytes(4):
			found |= Relations
			if d.visitor.Relation != nil {
				return d.decodeRelation(m.bytes)
			}
		}
		return nil
	})
	return found, err
}

// point converts encoded coordinates. The computation is exact for all coordinates
// that are in range.
func (d *decoder) point(lat, lon int64) (Point, error) {
	north := float64(d.latOffset) + float64(d.granularity)*float64(lat) // in 1e-9 degrees
	east := float64(d.lonOffset) + float64(d.granularity)*float64(lon)
	if !(north >= -90e9 && north <= 90e9 && east >= -180e9 && east <= 180e9) {
		return Point{}, fmt.Errorf("a coordinate is out of range: latitude %.7f, longitude %.7f", north/1e9, east/1e9)
	}
	return Point{int32(north / 100), int32(east / 100)}, nil
}

// visit calls fn with an element.
func visit[T any](fn func(*T) error, element *T) error {
	if err := fn(element); err != nil {
		return visitError{err}
	}
	return nil
}

// decodeNode decodes a Node, which files with dense nodes do not contain.
func (d *decoder) decodeNode(data []byte) error {
	var lat, lon int64
	d.node.ID, d.keys, d.values = 0, nil, nil
	err := eachField(data, func(m *message) error {
		switch {
		case m.isVarint(1):
			d.node.ID = zigzag(m.value)
		case m.isBytes(2):
			d.keys = m.bytes
		case m.isBytes(3):
			d.values = m.bytes
		case m.isVarint(8):
			lat = zigzag(m.value)
		case m.isVarint(9):
			lon = zigzag(m.value)
		}
		return nil
	})
	if err == nil {
		d.node.Point, err = d.point(lat, lon)
	}
	if err == nil {
		err = d.decodeTags(&d.node.Tags)
	}
	if err != nil {
		return fmt.Errorf("node %d: %w", d.node.ID, err)
	}
	return visit(d.visitor.Node, &d.node)
}

func (d *decoder) decodeDenseNodes(data []byte) error {
	var ids, lats, lons, tags []byte
	err := eachField(data, func(m *message) error {
		switch {
		case m.isBytes(1):
			ids = m.bytes
		case m.isBytes(8):
			lats = m.bytes
		case m.isBytes(9):
			lons = m.bytes
		case m.isBytes(10):
			tags = m.bytes
		}
		return nil
	})
	if err != nil {
		return err
	}
	var id, lat, lon int64
	hasTags := len(tags) > 0
	for len(ids) > 0 {
		if err := errors.Join(addDelta(&ids, &id), addDelta(&lats, &lat), addDelta(&lons, &lon)); err != nil {
			return fmt.Errorf("after node %d: %w", d.node.ID, err)
		}
		d.node.ID = id
		d.node.Point, err = d.point(lat, lon)
		d.node.Tags = d.node.Tags[:0]
		if err == nil && hasTags {
			err = d.decodeDenseTags(&tags, &d.node.Tags)
		}
		if err != nil {
			return fmt.Errorf("node %d: %w", d.node.ID, err)
		}
		if err := visit(d.visitor.Node, &d.node); err != nil {
			return err
		}
	}
	return nil
}

// addDelta removes a number from the start of data and adds it to value.
func addDelta(data *[]byte, value *int64) error {
	delta, err := takeSvarint(data)
	*value += delta
	return err
}

// decodeDenseTags removes the tags of one node from the start of data.
func (d *decoder) decodeDenseTags(data *[]byte, tags *[]Tag) error {
	for {
		key, err := takeUvarint(data)
		if err != nil || key == 0 {
			return err
		}
		value, err := takeUvarint(data)
		if err != nil {
			return err
		}
		if err := d.addTag(tags, key, value); err != nil {
			return err
		}
	}
}

func (d *decoder) addTag(tags *[]Tag, key, value uint64) error {
	k, err := d.string(key)
	if err != nil {
		return err
	}
	v, err := d.string(value)
	if err != nil {
		return err
	}
	if len(*tags) == maxTags {
		return fmt.Errorf("it has more than %d tags", maxTags)
	}
	*tags = append(*tags, Tag{k, v})
	return nil
}

// decodeTags decodes d.keys and d.values.
func (d *decoder) decodeTags(tags *[]Tag) error {
	*tags = (*tags)[:0]
	for len(d.keys) > 0 {
		key, err := takeUvarint(&d.keys)
		if err != nil {
			return err
		}
		value, err := takeUvarint(&d.values)
		if err != nil {
			return err
		}
		if err := d.addTag(tags, key, value); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) decodeWay(data []byte) error {
	way := &d.way
	way.Refs, way.Points = way.Refs[:0], way.Points[:0]
	err := d.decodeFields(data, &way.ID, [3]*[]byte{&d.refs, &d.lats, &d.lons})
	if err == nil {
		err = d.decodeTags(&way.Tags)
	}
	if err == nil {
		err = d.decodeRefs()
	}
	if err != nil {
		return fmt.Errorf("way %d: %w", way.ID, err)
	}
	return visit(d.visitor.Way, way)
}

// decodeRefs decodes the nodes of a way, and their positions if there are any.
func (d *decoder) decodeRefs() error {
	way, located := &d.way, len(d.lats) > 0
	var ref, lat, lon int64
	for len(d.refs) > 0 {
		if len(way.Refs) == maxRefs {
			return fmt.Errorf("it has more than %d nodes", maxRefs)
		}
		if err := addDelta(&d.refs, &ref); err != nil {
			return err
		}
		way.Refs = append(way.Refs, ref)
		if !located {
			continue
		}
		if err := errors.Join(addDelta(&d.lats, &lat), addDelta(&d.lons, &lon)); err != nil {
			return err
		}
		p, err := d.point(lat, lon)
		if err != nil {
			return err
		}
		way.Points = append(way.Points, p)
	}
	return nil
}

func (d *decoder) decodeRelation(data []byte) error {
	relation := &d.relation
	relation.Members = relation.Members[:0]
	err := d.decodeFields(data, &relation.ID, [3]*[]byte{&d.roles, &d.ids, &d.memberKinds})
	if err == nil {
		err = d.decodeTags(&relation.Tags)
	}
	if err == nil {
		err = d.decodeMembers()
	}
	if err != nil {
		return fmt.Errorf("relation %d: %w", relation.ID, err)
	}
	return visit(d.visitor.Relation, relation)
}

// decodeFields decodes the fields of a way or a relation: its id, the indexes of its
// tags, and the columns of its nodes or members, which are the fields 8 to 10.
func (d *decoder) decodeFields(data []byte, id *int64, columns [3]*[]byte) error {
	*id, d.keys, d.values = 0, nil, nil
	for _, column := range columns {
		*column = nil
	}
	return eachField(data, func(m *message) error {
		switch {
		case m.isVarint(1):
			*id = int64(m.value)
		case m.isBytes(2):
			d.keys = m.bytes
		case m.isBytes(3):
			d.values = m.bytes
		}
		for i, column := range columns {
			if m.isBytes(8 + i) {
				*column = m.bytes
			}
		}
		return nil
	})
}

// decodeMembers decodes the members of a relation.
func (d *decoder) decodeMembers() error {
	relation := &d.relation
	var id int64
	for len(d.ids) > 0 {
		if len(relation.Members) == maxMembers {
			return fmt.Errorf("it has more than %d members", maxMembers)
		}
		if err := addDelta(&d.ids, &id); err != nil {
			return err
		}
		role, err := takeUvarint(&d.roles)
		if err != nil {
			return err
		}
		kind, err := takeUvarint(&d.memberKinds)
		if err != nil {
			return err
		}
		if kind > 2 {
			return errors.New("a member has an unknown type")
		}
		text, err := d.string(role)
		if err != nil {
			return err
		}
		relation.Members = append(relation.Members, Member{Nodes << kind, id, text})
	}
	return nil
}
