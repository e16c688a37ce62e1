package dataset

import (
	"bytes"
	"hash/maphash"

	"appliance/world/action"
)

// records is a list of encoded records of one kind: actions, findings, or the items
// of a context. It is immutable. The zero value is an empty list.
type records struct {
	*recordHashes
	text []byte // with commas between the records
	ends []int  // offset in text of the end of each record
}

// recordHashes identifies the records of a list and their content. It does not refer
// to the text, so it can outlive the text in memory.
type recordHashes struct {
	ids    []string
	hashes []uint64 // of the text of each record
	hash   uint64   // of the text of all records
}

// hashSeed is random, so no member can construct two texts with the same hash. A
// hash is meaningful only in this process.
var hashSeed = maphash.MakeSeed()

func hashOf(text []byte) uint64 { return maphash.Bytes(hashSeed, text) }

// combineHashes returns the hash of a pair of hashes.
func combineHashes(a, b uint64) uint64 { return maphash.Comparable(hashSeed, [2]uint64{a, b}) }

// noRecords are the hashes of an empty list.
var noRecords = new(recordHashes)

// index returns the hashes of the records. Unlike the embedded pointer, it is not nil.
func (r records) index() *recordHashes {
	if r.recordHashes == nil {
		return noRecords
	}
	return r.recordHashes
}

// len returns the number of records.
func (r records) len() int { return len(r.ends) }

// at returns the text of record i.
func (r records) at(i int) []byte {
	start := 0
	if i > 0 {
		start = r.ends[i-1] + 1 // after the comma
	}
	return r.text[start:r.ends[i]]
}

// size returns the approximate size in bytes.
func (r records) size() int { return len(r.text) + 8*len(r.ends) + r.index().size() }

// size returns the approximate size in bytes.
func (h *recordHashes) size() int {
	n := 56
	for _, id := range h.ids {
		n += len(id) + 24
	}
	return n
}

// equal reports whether two lists have the same records.
func (h *recordHashes) equal(other *recordHashes) bool {
	return h == other || h.hash == other.hash && len(h.ids) == len(other.ids)
}

// encodeRecords encodes a list of records.
func encodeRecords[T any](list []T, id func(T) string) (r records, err error) {
	if len(list) == 0 {
		return r, nil
	}
	r = records{recordHashes: &recordHashes{ids: make([]string, len(list))}, ends: make([]int, len(list))}
	r.text, err = encodeWith(func(e *Encoder) {
		for i, record := range list {
			e.Item(record)
			r.ids[i], r.ends[i] = id(record), e.text.Len()
		}
	})
	if err != nil {
		return records{}, err
	}
	r.setHashes()
	return r, nil
}

// joinRecords returns the list of encoded records.
func joinRecords(ids []string, texts [][]byte) records {
	if len(ids) == 0 {
		return records{}
	}
	r := records{recordHashes: &recordHashes{ids: ids}, text: bytes.Join(texts, comma), ends: make([]int, len(ids))}
	end := -1
	for i, text := range texts {
		end += 1 + len(text)
		r.ends[i] = end
	}
	r.setHashes()
	return r
}

// setHashes sets the hashes of the text.
func (r records) setHashes() {
	r.hash, r.hashes = hashOf(r.text), make([]uint64, r.len())
	for i := range r.hashes {
		r.hashes[i] = hashOf(r.at(i))
	}
}

// encodeActions encodes a list of actions.
func encodeActions(actions []action.Action) (records, error) {
	return encodeRecords(actions, func(a action.Action) string { return a.ActionID })
}

// count returns the number of records in several lists.
func count(lists []records) (n int) {
	for _, r := range lists {
		n += r.len()
	}
	return n
}

// textsOf returns the texts of several lists, with commas between them.
func textsOf(lists []records) Chunks {
	texts := make([][]byte, 0, len(lists))
	for _, r := range lists {
		if r.len() > 0 {
			texts = append(texts, r.text)
		}
	}
	return withCommas(texts)
}

// encodedContext is an encoded context. It is immutable.
type encodedContext struct {
	id         string
	head, tail []byte // the text before and after the items
	items      records
	hash       uint64 // of head and tail
}

func encodeContext(c Context) (*encodedContext, error) {
	items, err := encodeRecords(c.Items, func(i ContextItem) string { return i.ItemID })
	if err != nil {
		return nil, err
	}
	return encodeContextOf(c, items)
}

// encodeContextOf encodes a context with encoded items instead of c.Items.
func encodeContextOf(c Context, items records) (*encodedContext, error) {
	head, err := encodeWith(func(e *Encoder) {
		e.Begin()
		e.Field("context_id", c.ContextID)
		e.Field("kind", c.Kind)
		e.Field("label", c.Label)
		e.Field("target", c.Target)
		e.List("items")
	})
	if err != nil {
		return nil, err
	}
	tail, err := encodeWith(func(e *Encoder) {
		e.EndList()
		e.Field("action_ids", c.ActionIDs)
		e.End()
	})
	if err != nil {
		return nil, err
	}
	return &encodedContext{c.ContextID, head, tail, items, combineHashes(hashOf(head), hashOf(tail))}, nil
}

// size returns the approximate size in bytes.
func (c *encodedContext) size() int { return len(c.head) + len(c.tail) + c.items.size() + 150 }

// textsOfContexts returns the texts of contexts, with commas between them.
func textsOfContexts(contexts []*encodedContext) Chunks {
	list := make(Chunks, 0, 4*len(contexts))
	for i, c := range contexts {
		if i > 0 {
			list = append(list, comma)
		}
		list = append(list, c.head, c.items.text, c.tail)
	}
	return list
}
