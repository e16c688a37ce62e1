package calendar

import (
	"fmt"
	"slices"

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
	return inPortions(tx, s.q.Data, list, visit)
}

// inPortions shows visit what q returns for the numbers of a list, a row for
// each in their order, one portion in memory at a time.
func inPortions[Row any](tx *store.Tx, q store.Query, list []dataRef, visit func(i int, row Row) error) error {
	for begin := 0; begin < len(list); {
		end, octets := begin, 0
		var numbers []int64
		for ; end < len(list) && (end == begin || octets+list[end].Size <= portion); end++ {
			octets += list[end].Size
			numbers = append(numbers, list[end].N)
		}
		rows, err := numbered[Row](tx, q, numbers...)
		if err != nil {
			return err
		}
		for i, row := range rows {
			if err := tx.Context().Err(); err != nil {
				return err
			}
			if err := visit(begin+i, row); err != nil {
				return err
			}
		}
		begin = end
	}
	return nil
}

// What answering one question may cost at most: evaluating series takes some
// 25 ns a step, and reading text as much an octet. People's calendars take a
// hundredth of it.
const (
	maxSteps  = 10_000_000
	maxOctets = 64 << 20
)

// readWithin is read within bounds, for what members ask: of the entries it
// shows those that come first, done of them, and evaluating each may take what
// those before it have left of their shares. Cut says that this was not enough.
func (s *Service) readWithin(tx *store.Tx, list []dataRef, visit func(i int, o *ics.Object) error) (done int, cut bool, err error) {
	for octets := 0; done < len(list); done++ {
		if octets += list[done].Size; octets > maxOctets {
			cut = true
			break
		}
	}
	steps := maxSteps
	err = s.read(tx, list[:done], func(i int, o *ics.Object) error {
		o, spent := o.WithBudget(steps / (done - i))
		err := visit(i, o)
		n, short := spent()
		steps, cut = steps-n, cut || short
		return err
	})
	return done, cut, err
}

// readOne reads one entry.
func (s *Service) readOne(tx *store.Tx, ref dataRef) (*ics.Object, error) {
	data, err := numbered[[]byte](tx, s.q.Data, ref.N)
	if err != nil {
		return nil, err
	}
	o, err := ics.Parse(data[0])
	if err != nil {
		return nil, svc.Errorf(svc.InternalError, "An entry that was stored cannot be read.").WithCause(err)
	}
	return o, nil
}

// numbered returns what q has for the numbers, in their order. q itself has its
// rows, each once, in the order in which they are stored: to put them in
// another, SQLite would copy all that is in them several times.
func numbered[Row any](tx *store.Tx, q store.Query, numbers ...int64) ([]Row, error) {
	stored := slices.Compact(slices.Sorted(slices.Values(numbers)))
	var found []Row
	if err := tx.Select(&found, q, store.Args{"list": store.JSONArray(stored)}); err != nil {
		return nil, err
	}
	if len(found) != len(stored) {
		return nil, fmt.Errorf("of %d rows %d have data", len(stored), len(found))
	}
	rows := make([]Row, len(numbers))
	for i, n := range numbers {
		at, _ := slices.BinarySearch(stored, n)
		rows[i] = found[at]
	}
	return rows, nil
}

// refs returns where the data of the rows is.
func refs(rows []viewed) []dataRef {
	list := make([]dataRef, len(rows))
	for i, r := range rows {
		list[i] = r.dataRef
	}
	return list
}
