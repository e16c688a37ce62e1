package social

import (
	"cmp"
	"slices"
	"time"
)

// Current is a part of an overview that can be brought up to date: whoever has
// kept one and knows what has changed since gets another in which all else is
// the same, to the pointer.
type Current[T any] struct {
	most    most
	entries []placed[T] // one more of a kind than are shown, where there are more
}

// placed is something with its position in a list.
type placed[T any] struct {
	position
	until time.Time // when it is another one by itself; zero if it never is
	is    *T
}

// position is where something stands in a list.
type position struct {
	past bool // the past comes after what is to come, with the latest first
	at   int64
	id   string
}

func (p position) compare(q position) int {
	if p.past != q.past {
		return map[bool]int{false: -1, true: 1}[p.past]
	}
	c := cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.id, q.id))
	if p.past {
		return -c
	}
	return c
}

// List returns what there is, in its order.
func (l *Current[T]) List() (list []*T) {
	var n [2]int
	for _, e := range l.entries {
		kind := 0
		if e.past {
			kind = 1
		}
		if n[kind]++; n[kind] <= l.most.of(e.past) {
			list = append(list, e.is)
		}
	}
	return list
}

// Cut reports whether there is more of it: to come, if it has what is to come.
func (l *Current[T]) Cut() bool {
	past := l.most.next == 0
	return l.count(past) > l.most.of(past)
}

// Until is when it is another one by itself, zero if it never is.
func (l *Current[T]) Until() (until time.Time) {
	for _, e := range l.entries {
		if !e.until.IsZero() && (until.IsZero() || e.until.Before(until)) {
			until = e.until
		}
	}
	return until
}

// most is how many a list has that are to come, and that are past.
type most struct{ next, past int }

func (m most) of(past bool) int {
	if past {
		return m.past
	}
	return m.next
}

// maxChanged bounds how much of a list is brought up to date. More is read anew.
const maxChanged = 40

// upToDate brings a list up to date. these reads those of the changed that
// belong into it, all the whole list, with one more of a kind than it is to
// show: if nothing is known, or so much has changed that others may have come
// in.
func upToDate[T any](known *Current[T], changed []string, m most, all func() ([]placed[T], error), these func(ids []string) ([]placed[T], error)) (*Current[T], error) {
	if known != nil && len(changed) == 0 {
		return known, nil
	}
	if known != nil && len(changed) <= maxChanged {
		fresh, err := these(changed)
		if err != nil {
			return nil, err
		}
		if l, ok := known.with(changed, fresh); ok {
			return l, nil
		}
	}
	entries, err := all()
	return &Current[T]{m, entries}, err
}

// with returns the list with fresh instead of what has changed, and whether
// that is all that it should have.
func (l *Current[T]) with(changed []string, fresh []placed[T]) (*Current[T], bool) {
	next := &Current[T]{l.most, slices.Clone(l.entries)}
	for _, id := range changed {
		same := func(e placed[T]) bool { return e.id == id }
		was := slices.IndexFunc(next.entries, same)
		var is *placed[T]
		if i := slices.IndexFunc(fresh, same); i >= 0 {
			is = &fresh[i]
		}
		switch {
		case was < 0 && is == nil:
		case was >= 0 && is != nil && next.entries[was].position == is.position:
			next.entries[was] = *is
		case !next.move(was, is):
			return nil, false
		}
	}
	return next, true
}

// move takes what was somewhere, -1 for nowhere, to where it is now, nil for
// nowhere. It reports false if what is not in the list may have to come in.
func (l *Current[T]) move(was int, is *placed[T]) bool {
	waiting := false // others may be, for room
	if was >= 0 {
		past := l.entries[was].past
		waiting = l.full(past)
		if waiting && (is == nil || is.past != past) {
			return false
		}
		l.entries = slices.Delete(l.entries, was, was+1)
	}
	if is == nil {
		return true
	}
	at, _ := slices.BinarySearchFunc(l.entries, is.position, func(e placed[T], p position) int { return e.compare(p) })
	end := len(l.entries)
	if !is.past {
		end = l.count(false)
	}
	if at == end && waiting {
		return false
	}
	if l.full(is.past) {
		if at == end {
			return true
		}
		l.entries = slices.Delete(l.entries, end-1, end)
	}
	l.entries = slices.Insert(l.entries, at, *is)
	return true
}

// full reports whether there may be more of a kind than are in the list.
func (l *Current[T]) full(past bool) bool { return l.count(past) > l.most.of(past) }

// count returns how many are past, or are to come.
func (l *Current[T]) count(past bool) (n int) {
	for _, e := range l.entries {
		if e.past == past {
			n++
		}
	}
	return n
}
