package calendar

import (
	"fmt"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// dataRef says where the data of an entry is.
type dataRef struct {
	N    int64 `db:"n"`
	Size int   `db:"size"`
}

// portion is how many octets of entries are held at once: whoever asks for
// all of a calendar that is full of large ones must not fill the memory.
const portion = 4 << 20

// read reads entries and shows each to visit with its place in the list. One
// that cannot be read, though it could be when it was stored, is left out: it
// must not cost its member all others.
func (s *Service) read(tx *store.Tx, list []dataRef, visit func(i int, o *ics.Object) error) error {
	return s.each(tx, list, func(i int, raw []byte) error {
		o, err := ics.Parse(raw)
		if err != nil {
			return nil
		}
		return visit(i, o)
	})
}

// each shows visit the octets of entries, one portion in memory at a time.
func (s *Service) each(tx *store.Tx, list []dataRef, visit func(i int, raw []byte) error) error {
	for begin := 0; begin < len(list); {
		end, octets := begin, 0
		var numbers []int64
		for ; end < len(list) && (end == begin || octets+list[end].Size <= portion); end++ {
			octets += list[end].Size
			numbers = append(numbers, list[end].N)
		}
		data, err := s.data(tx, numbers...)
		if err != nil {
			return err
		}
		for i, raw := range data {
			if err := tx.Context().Err(); err != nil {
				return err
			}
			if err := visit(begin+i, raw); err != nil {
				return err
			}
		}
		begin = end
	}
	return nil
}

// readOne reads one entry.
func (s *Service) readOne(tx *store.Tx, ref dataRef) (*ics.Object, error) {
	data, err := s.data(tx, ref.N)
	if err != nil {
		return nil, err
	}
	o, err := ics.Parse(data[0])
	if err != nil {
		return nil, svc.Errorf(svc.InternalError, "An entry that was stored cannot be read.").Because(err)
	}
	return o, nil
}

// data returns the octets of entries, in their order.
func (s *Service) data(tx *store.Tx, numbers ...int64) (data [][]byte, err error) {
	err = tx.Select(&data, s.q.Data, store.Args{"list": store.JSON(numbers)})
	if err == nil && len(data) != len(numbers) {
		err = fmt.Errorf("of %d entries %d have data", len(numbers), len(data))
	}
	return data, err
}

// refs returns where the data of the rows is.
func refs(rows []viewed) []dataRef {
	list := make([]dataRef, len(rows))
	for i, r := range rows {
		list[i] = r.dataRef
	}
	return list
}
