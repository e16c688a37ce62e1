package dataset

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// tag is an ETag without its last part: the time at which the representation
// expires, in Unix milliseconds. The client sends that part back, so the server
// can validate an ETag without composing the representation.
type tag string

// tag returns the tag of a representation. It is a keyed hash, because the
// revision would reveal how often members write.
func (c *Composer) tag(tx *store.Tx, v svc.Viewer, r Request, kind string) tag {
	h := hmac.New(sha256.New, tx.InstanceKey())
	fmt.Fprintf(h, "%v %s %d %q %q %q", v, tx.Epoch(), tx.Revision(int64(v.Member())), c.build, kind, r.raw)
	for _, s := range c.states {
		fmt.Fprintf(h, " %s", s.State())
	}
	return tag(fmt.Sprintf(`W/"%x.`, h.Sum(nil)[:16]))
}

// withExpiry returns the ETag of a representation with its time of expiry.
func (t tag) withExpiry(expires time.Time) string {
	return string(t) + strconv.FormatInt(expires.UnixMilli(), 10) + `"`
}

// findValid returns the ETag in an If-None-Match header that has the tag t and is
// valid at now, if there is one. The comparison is weak (RFC 9110 §13.1.2).
func (t tag) findValid(header string, now time.Time) (etag string, ok bool) {
	for candidate := range strings.SplitSeq(header, ",") {
		rest, ok := strings.CutPrefix("W/"+strings.TrimPrefix(strings.TrimSpace(candidate), "W/"), string(t))
		if !ok {
			continue
		}
		until, err := strconv.ParseInt(strings.TrimSuffix(rest, `"`), 10, 64)
		if err == nil && now.UnixMilli() < until {
			return t.withExpiry(time.UnixMilli(until)), true
		}
	}
	return "", false
}
