package svc

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
)

// Numbers of items per page.
const (
	DefaultLimit = 50  // if the request does not specify one
	MaxLimit     = 200 // higher limits are reduced to it
)

// maxCursor limits the length of a cursor in bytes.
const maxCursor = 1024

// macSize is the length of the truncated HMAC in a cursor, in bytes.
const macSize = 16

// Page describes a page of a list.
type Page struct {
	NextCursor *string `json:"next_cursor"` // null on the last page
	Limit      int     `json:"limit"`
	Next       *string `json:"next"` // URL of the next page; null on the last page
}

// PageQuery selects a page of a list.
type PageQuery struct {
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// Decode returns the number of items per page, and decodes the cursor into position.
func (q PageQuery) Decode(c Cursors, position any) (int, error) {
	limit, err := PageLimit(q.Limit)
	return limit, Join(err, c.Decode(q.Cursor, position))
}

// Link sets the URL of the next page: the URL of this page with the cursor NextCursor.
func (p *Page) Link(this *url.URL) { p.Next = withCursor(this, "cursor", p.NextCursor) }

// withCursor returns the path and the query of a URL with a cursor, nil without one.
func withCursor(this *url.URL, parameter string, cursor *string) *string {
	if cursor == nil {
		return nil
	}
	query := this.Query()
	query.Set(parameter, *cursor)
	return new(this.EscapedPath() + "?" + query.Encode())
}

// PageLimit returns the number of items per page for a request with limit n, which
// is 0 if the request does not specify one.
func PageLimit(n int) (int, error) {
	switch {
	case n < 0:
		return 0, ParameterError("limit", "The limit must be between 1 and %d.", MaxLimit)
	case n == 0:
		return DefaultLimit, nil
	}
	return min(n, MaxLimit), nil
}

// Cursors encodes and decodes the cursors of one list for one viewer. A cursor
// contains the sort keys of the last item of a page. It is authenticated, so only
// cursors that the server issued for the same list, filters and viewer are accepted.
// The cursor is encrypted, because sort keys may count objects that the viewer cannot see.
type Cursors struct {
	key   []byte
	scope string
}

// NewCursors returns the Cursors of a list for v. key is the server's secret key. filters
// are the values that select the items of the list, as the request states them.
func NewCursors(key []byte, list string, v Viewer, filters ...any) Cursors {
	selected, err := json.Marshal(filters)
	if err != nil {
		panic(fmt.Sprintf("svc.NewCursors: %v", err)) // no caller passes such a type
	}
	return Cursors{key: key, scope: fmt.Sprintf("cursor\x00%s\x00%d\x00%s\x00", list, v.Member(), selected)}
}

// Encode returns the cursor of a position. The type of the position must survive a JSON round trip.
func (c Cursors) Encode(position any) string {
	body, err := json.Marshal(position)
	if err != nil {
		panic(fmt.Sprintf("svc.Cursors: %v", err)) // no caller passes such a type
	}
	mac := c.mac(body)
	c.cipher(mac).XORKeyStream(body, body)
	return base64.RawURLEncoding.EncodeToString(append(mac, body...))
}

// Decode decodes a cursor into the position that dest points to. An empty cursor, for
// the first page, leaves the position unchanged.
func (c Cursors) Decode(cursor string, dest any) error {
	if cursor == "" {
		return nil
	}
	errCursor := ParameterError("cursor", "The cursor does not belong to this list. Start again without one.")
	if len(cursor) > maxCursor {
		return errCursor
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < macSize {
		return errCursor.WithCause(err)
	}
	mac, body := raw[:macSize], raw[macSize:]
	c.cipher(mac).XORKeyStream(body, body)
	if !hmac.Equal(mac, c.mac(body)) {
		return errCursor
	}
	if err := json.Unmarshal(body, dest); err != nil {
		return errCursor.WithCause(err) // issued by an earlier version of the program
	}
	return nil
}

// cipher returns the stream that encrypts and decrypts a body. The MAC of the body is
// its nonce, as in SIV (RFC 5297 §2.6).
func (c Cursors) cipher(mac []byte) cipher.Stream {
	h := hmac.New(sha256.New, c.key)
	h.Write([]byte("cursor cipher"))
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		panic(fmt.Sprintf("svc.Cursors: %v", err)) // the hash has the length of a key
	}
	return cipher.NewCTR(block, mac)
}

func (c Cursors) mac(body []byte) []byte {
	h := hmac.New(sha256.New, c.key)
	h.Write([]byte(c.scope))
	h.Write(body)
	return h.Sum(nil)[:macSize]
}

// CutPage returns the first limit items and their Page. The caller must have read up
// to limit+1 items: the surplus item shows that another page follows.
// position returns the sort keys of an item, after which the next page begins.
func CutPage[T any](c Cursors, items []T, limit int, position func(T) any) ([]T, Page) {
	page := Page{Limit: limit}
	if len(items) > limit {
		items = items[:limit]
		next := c.Encode(position(items[limit-1]))
		page.NextCursor = &next
	}
	return items, page
}
