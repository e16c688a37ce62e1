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
	Cut     bool // there is more of it
	entries []placed[T]
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
func (l *Current[T]) List() []*T {
	list := make([]*T, len(l.entries))
	for i, e := range l.entries {
		list[i] = e.is
	}
	return list
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
// belong into it, all the whole list: if nothing is known, or so much has
// changed that others may have come in.
func upToDate[T any](known *Current[T], changed []string, m most, all func() (*Current[T], error), these func(ids []string) ([]placed[T], error)) (*Current[T], error) {
	switch {
	case known == nil || len(changed) > maxChanged:
		return all()
	case len(changed) == 0:
		return known, nil
	}
	fresh, err := these(changed)
	if err != nil {
		return nil, err
	}
	if l, ok := known.with(changed, fresh, m); ok {
		return l, nil
	}
	return all()
}

// with returns the list with fresh instead of what has changed, and whether
// that is all that it should have.
func (l *Current[T]) with(changed []string, fresh []placed[T], m most) (*Current[T], bool) {
	next := &Current[T]{Cut: l.Cut, entries: slices.Clone(l.entries)}
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
		case !next.move(was, is, m):
			return nil, false
		}
	}
	return next, true
}

// move takes what was somewhere, -1 for nowhere, to where it is now, nil for
// nowhere. It reports false if what is not in the list may have to come in, or
// if it is not known whether there is more.
func (l *Current[T]) move(was int, is *placed[T], m most) bool {
	waiting := false // others may be, for room
	if was >= 0 {
		past := l.entries[was].past
		waiting = l.count(past) >= m.of(past)
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
	full := !waiting && l.count(is.past) >= m.of(is.past)
	switch {
	case waiting && at == end, full && !l.Cut:
		return false
	case full && at == end:
		return true
	case full:
		l.entries = slices.Delete(l.entries, end-1, end)
	}
	l.entries = slices.Insert(l.entries, at, *is)
	return true
}

// count returns how many are past, or are to come.
func (l *Current[T]) count(past bool) (n int) {
	for _, e := range l.entries {
		if e.past == past {
			n++
		}
	}
	return n
}
