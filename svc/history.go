package svc

import (
	"math"
	"net/url"
	"slices"
)

// HistoryQuery selects a page of the messages or replies of one thread,
// counted back from the newest.
type HistoryQuery struct {
	Before string // a cursor; "" for the newest page
	Limit  int
}

// HistoryPage describes a page of messages or replies, oldest first.
type HistoryPage struct {
	PreviousCursor *string `json:"previous_cursor"` // null on the page with the oldest item
	Limit          int     `json:"limit"`
	Previous       *string `json:"previous"` // URL of the page before; null on the page with the oldest item
}

// Link sets the URL of the previous page: the URL of this page with the cursor PreviousCursor.
func (p *HistoryPage) Link(this *url.URL) {
	p.Previous = withCursor(this, "before", p.PreviousCursor)
}

// Decode returns the page size and the exclusive upper bound of the sequence numbers on the page.
func (q HistoryQuery) Decode(c Cursors) (limit int, before int64, err error) {
	limit, err = PageLimit(q.Limit)
	before = math.MaxInt64
	if cause := c.Decode(q.Before, &before); cause != nil {
		err = Join(err, ParameterError("before", "The cursor does not belong to this list. Start again without a cursor.").WithCause(cause))
	}
	return limit, before, err
}

// CutHistory makes a page, oldest first, of up to limit+1 items that were read
// newest first. seq returns the sequence number of an item.
func CutHistory[T any](c Cursors, items []T, limit int, seq func(T) int64) ([]T, HistoryPage) {
	items, page := CutPage(c, items, limit, func(item T) any { return seq(item) })
	slices.Reverse(items)
	return items, HistoryPage{PreviousCursor: page.NextCursor, Limit: page.Limit}
}
