package stream

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
)

// position is the state of a member's data that a client has received.
type position struct {
	revision int64     // of [store.Tx.Revision]
	at       time.Time // boundaries up to this time are included
}

// idCipher encrypts the ids of the events of one member. An id is opaque, because a
// revision would reveal how often the members of the server write. The key depends on
// the epoch of the database and on the member: ids of other members, and ids from
// before a restore, decrypt to random numbers.
type idCipher struct{ block cipher.Block }

// newIDCipher returns the cipher of a member.
func newIDCipher(tx *store.Tx, member svc.MemberID) idCipher {
	h := hmac.New(sha256.New, tx.InstanceKey())
	fmt.Fprintf(h, "stream %s %d", tx.Epoch(), member)
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		panic(err) // the length of the key is valid
	}
	return idCipher{block}
}

// idEncoding is the encoding of encrypted blocks: each has one id.
var idEncoding = base64.RawURLEncoding.Strict()

// encode returns the id of a position: one encrypted block.
func (c idCipher) encode(p position) string {
	var b [aes.BlockSize]byte
	binary.BigEndian.PutUint64(b[:8], uint64(p.revision))
	binary.BigEndian.PutUint64(b[8:], uint64(p.at.UnixMilli()))
	c.block.Encrypt(b[:], b[:])
	return idEncoding.EncodeToString(b[:])
}

// decode returns the position of an id that this server has sent since a time, and not
// after the position now. Of random blocks, less than one in 2^60 passes for such an id.
func (c idCipher) decode(id string, since time.Time, now position) (p position, ok bool) {
	b, err := idEncoding.DecodeString(id)
	if err != nil || len(b) != aes.BlockSize || len(id) != idEncoding.EncodedLen(aes.BlockSize) {
		return p, false
	}
	c.block.Decrypt(b, b)
	p = position{int64(binary.BigEndian.Uint64(b[:8])), time.UnixMilli(int64(binary.BigEndian.Uint64(b[8:])))}
	return p, p.revision >= 0 && p.revision <= now.revision && !p.at.Before(since) && !p.at.After(now.at)
}
