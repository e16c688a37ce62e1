package object

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Ref locates the text of an object.
type Ref struct {
	N    int64 `db:"n"`
	Size int   `db:"size"`
}

// batchOctets limits the text that is in memory at once.
const batchOctets = 1 << 20

// maxSteps limits the steps of EachWithin, parsing excluded. Real calendars need
// about 1 % of it.
const maxSteps = 60_000_000

// The steps for reading objects from the database.
const (
	octetsPerStepRead = 10
	stepsPerRow       = 400
)

// Each calls visit with the text of each object, in the order of list.
func (s *Store) Each(tx *store.Tx, list []Ref, visit func(i int, text []byte) error) error {
	return EachRow(tx, s.q.Data, list, visit)
}

// EachRow calls visit with the row that q returns for each key in list, in the
// order of list. At most one batch of rows is in memory. q has the parameter
// list and returns rows in the order of their keys.
func EachRow[R any](tx *store.Tx, q store.Query, list []Ref, visit func(i int, row R) error) error {
	work := svc.WorkOf(tx.Context())
	for begin := 0; begin < len(list); {
		end, octets := begin, 0
		var keys []int64
		for ; end < len(list) && (end == begin || octets+list[end].Size <= batchOctets); end++ {
			octets += list[end].Size
			keys = append(keys, list[end].N)
		}
		if err := work.Wait(octets/octetsPerStepRead + len(keys)*stepsPerRow); err != nil {
			return err
		}
		rows, err := rowsByKey[R](tx, q, keys)
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

// rowsByKey returns the rows of q for keys, in the order of keys. Sorting them
// in SQL would copy their text several times.
func rowsByKey[R any](tx *store.Tx, q store.Query, keys []int64) ([]R, error) {
	sorted := slices.Compact(slices.Sorted(slices.Values(keys)))
	var found []R
	if err := tx.Select(&found, q, store.Args{"list": store.JSONArray(sorted)}); err != nil {
		return nil, err
	}
	if len(found) != len(sorted) {
		return nil, fmt.Errorf("found %d rows for %d keys", len(found), len(sorted))
	}
	rows := make([]R, len(keys))
	for i, n := range keys {
		at, _ := slices.BinarySearch(sorted, n)
		rows[i] = found[at]
	}
	return rows, nil
}

// Data returns the text of objects by their keys, in that order.
func (s *Store) Data(tx *store.Tx, keys []int64) ([][]byte, error) {
	return rowsByKey[[]byte](tx, s.q.Data, keys)
}

// EachParsed calls visit with each object. It skips an object that can no
// longer be parsed, so that the others are still visited.
func (s *Store) EachParsed(tx *store.Tx, list []Ref, visit func(i int, o *ics.Object) error) error {
	return s.Each(tx, list, func(i int, text []byte) error {
		o, err := ics.Parse(text)
		if err != nil {
			return nil
		}
		return visit(i, o)
	})
}

// EachCounted is like EachParsed, but takes the steps from the work of the
// request. It returns [svc.ErrTooMuchWork] if the limit of the request is
// exceeded.
func (s *Store) EachCounted(tx *store.Tx, list []Ref, visit func(i int, o *ics.Object) error) error {
	work := svc.WorkOf(tx.Context())
	return s.Each(tx, list, func(i int, text []byte) error {
		o, err := ics.ParseCounted(work, text)
		if err != nil {
			return ignoreInvalid(err)
		}
		_, _, err = evaluate(work, o, work.Left(), func(o *ics.Object) error { return visit(i, o) })
		return err
	})
}

// EachWithin is like EachCounted, but stops without an error when the limit of
// the request is exceeded. visited is the number of objects visited, the first
// ones of list. The evaluation of each object may use an equal share of the
// remaining steps; all evaluations together use at most maxSteps. truncated
// reports whether a limit was reached.
func (s *Store) EachWithin(tx *store.Tx, list []Ref, visit func(i int, o *ics.Object) error) (visited int, truncated bool, err error) {
	work, steps := svc.WorkOf(tx.Context()), maxSteps
	err = s.Each(tx, list, func(i int, text []byte) error {
		o, err := ics.ParseCounted(work, text)
		if err = ignoreInvalid(err); err != nil {
			return err
		}
		visited = i + 1
		if o == nil {
			return nil
		}
		n, exhausted, err := evaluate(work, o, steps/(len(list)-i), func(o *ics.Object) error { return visit(i, o) })
		steps, truncated = steps-n, truncated || exhausted
		return err
	})
	if errors.Is(err, svc.ErrTooMuchWork) {
		truncated, err = true, nil
	}
	return visited, truncated, err
}

// ignoreInvalid returns nil for the error of an invalid text, and other errors
// unchanged.
func ignoreInvalid(err error) error {
	if _, invalid := errors.AsType[*ics.Error](err); invalid {
		return nil
	}
	return err
}

// evaluate visits an object. Its evaluation may take at most limit steps.
// evaluate takes these steps from work and returns their number.
func evaluate(work svc.Work, o *ics.Object, limit int, visit func(*ics.Object) error) (steps int, exhausted bool, err error) {
	o, spent := o.WithBudget(min(limit, work.Left()))
	err = visit(o)
	steps, exhausted = spent()
	return steps, exhausted, cmp.Or(err, work.Take(steps))
}

// Parse reads and parses the text of an object. It takes the steps from the work
// of the request.
func (s *Store) Parse(tx *store.Tx, ref Ref) (*ics.Object, error) {
	texts, err := s.Data(tx, []int64{ref.N})
	if err != nil {
		return nil, err
	}
	o, err := ics.ParseCounted(svc.WorkOf(tx.Context()), texts[0])
	if ignoreInvalid(err) != err {
		return nil, svc.Errorf(svc.InternalError, "The server cannot read this entry any more.").WithCause(err)
	}
	return o, err
}
