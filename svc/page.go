package svc

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// How many items a page has (B-82).
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// maxCursor is longer than any cursor made here.
const maxCursor = 1024

// macSize is how much of the HMAC a cursor carries.
const macSize = 16

// Page is what a list says of itself.
type Page struct {
	NextCursor *string `json:"next_cursor"` // null on the last page
	Limit      int     `json:"limit"`
}

// PageLimit returns how many items a page has for a request that asks for n;
// 0 stands for a request that does not say.
func PageLimit(n int) (int, error) {
	switch {
	case n < 0:
		return 0, ParameterError("limit", "limit must be between 1 and %d.", MaxLimit)
	case n == 0:
		return DefaultLimit, nil
	}
	return min(n, MaxLimit), nil
}

// Cursors makes and reads the cursors of one list for one viewer. A cursor
// names the last item of a page by the keys that the list is ordered by. It
// is authenticated, so a place that was read is one that was made here, for
// the same list and the same viewer. And it is encrypted: what a list is
// ordered by may count what the viewer does not see.
type Cursors struct {
	key   []byte
	scope string
}

// NewCursors returns the cursors of the named list for v under the server's
// own key.
func NewCursors(key []byte, list string, v Viewer) Cursors {
	return Cursors{key: key, scope: fmt.Sprintf("cursor\x00%s\x00%d\x00", list, v.Member())}
}

// Encode returns the cursor of a place: a value that survives JSON.
func (c Cursors) Encode(place any) string {
	body, err := json.Marshal(place)
	if err != nil {
		panic(fmt.Sprintf("svc.Cursors: %v", err)) // a type that no caller has
	}
	mac := c.mac(body)
	c.cipher(mac).XORKeyStream(body, body)
	return base64.RawURLEncoding.EncodeToString(append(mac, body...))
}

// Decode reads a cursor into the place that dest points to, and leaves it as it
// is for the empty cursor, which stands for the beginning.
func (c Cursors) Decode(cursor string, dest any) error {
	if cursor == "" {
		return nil
	}
	refusal := ParameterError("cursor", "The cursor does not belong to this list. Start again without one.")
	if len(cursor) > maxCursor {
		return refusal
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < macSize {
		return refusal.WithCause(err)
	}
	mac, body := raw[:macSize], raw[macSize:]
	c.cipher(mac).XORKeyStream(body, body)
	if !hmac.Equal(mac, c.mac(body)) {
		return refusal
	}
	if err := json.Unmarshal(body, dest); err != nil {
		return refusal.WithCause(err) // made by another version of the list
	}
	return nil
}

// cipher encrypts a body, and decrypts it again, from its mac on: one nonce for
// each body, as in SIV (RFC 5297 §2.6).
func (c Cursors) cipher(mac []byte) cipher.Stream {
	h := hmac.New(sha256.New, c.key)
	h.Write([]byte("cursor cipher"))
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		panic(fmt.Sprintf("svc.Cursors: %v", err)) // a hash is as long as a key
	}
	return cipher.NewCTR(block, mac)
}

func (c Cursors) mac(body []byte) []byte {
	h := hmac.New(sha256.New, c.key)
	h.Write([]byte(c.scope))
	h.Write(body)
	return h.Sum(nil)[:macSize]
}

// CutPage makes a page of items that were read up to one beyond limit: the
// one too many says that there is more. The place of an item is what the next
// page begins after.
func CutPage[T any](c Cursors, items []T, limit int, place func(T) any) ([]T, Page) {
	page := Page{Limit: limit}
	if len(items) > limit {
		items = items[:limit]
		next := c.Encode(place(items[limit-1]))
		page.NextCursor = &next
	}
	return items, page
}
