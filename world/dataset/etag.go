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
	"appliance/svc/zoneinfo"
)

// tag is an ETag without its last part: the time at which the representation
// expires, in Unix milliseconds. The client sends that part back, so the server
// can validate an ETag without composing the representation.
//
// The first part of a tag identifies the state of the dataset. If the request names a
// revision, the tag has a second part, because the response contains only the changes
// since that revision.
type tag struct{ state, since string }

// tag returns the tag of a representation. It is a keyed hash, because the
// revision would reveal how often members write.
func (c *Composer) tag(tx *store.Tx, v svc.Viewer, r Request, kind string) tag {
	h := hmac.New(sha256.New, tx.InstanceKey())
	fmt.Fprintf(h, "%v %s %d %q %s %q %q", v, tx.Epoch(), tx.Revision(int64(v.Member())), c.build, zoneinfo.Current().Version, kind, r.identity())
	for _, s := range c.states {
		fmt.Fprintf(h, " %s", s.State())
	}
	t := tag{state: fmt.Sprintf("%x", h.Sum(nil)[:16])}
	if r.Since != "" {
		fmt.Fprintf(h, " since %q", r.Since)
		t.since = fmt.Sprintf("-%x", h.Sum(nil)[:8])
	}
	return t
}

// withExpiry returns the ETag of a representation with its time of expiry.
func (t tag) withExpiry(expires time.Time) string {
	return fmt.Sprintf(`W/"%s%s.%d"`, t.state, t.since, expires.UnixMilli())
}

// findValid returns the ETag in an If-None-Match header that has the tag t and is
// valid at now, if there is one, and the time when it expires. The comparison is weak
// (RFC 9110 §13.1.2). For a request that names a revision, the ETag of any response in
// the same state is valid: the client has that state, so there are no changes to send.
func (t tag) findValid(header string, now time.Time) (etag string, until time.Time, ok bool) {
	for candidate := range strings.SplitSeq(header, ",") {
		opaque := strings.Trim(strings.TrimPrefix(strings.TrimSpace(candidate), "W/"), `"`)
		name, expiry, _ := strings.Cut(opaque, ".")
		state, _, _ := strings.Cut(name, "-")
		if name != t.state+t.since && (t.since == "" || state != t.state) {
			continue
		}
		millis, err := strconv.ParseInt(expiry, 10, 64)
		if err != nil {
			continue
		}
		if until := time.UnixMilli(millis); now.Before(until) {
			return t.withExpiry(until), until, true
		}
	}
	return "", time.Time{}, false
}
