package world

import (
	"bytes"
	"context"
	"time"

	"appliance/store"
	"appliance/svc"
)

// queries are the statements of sql/queries/world.sql.
type queries struct {
	FindAnswer    store.Query `sql:"find-answer"`
	KeepAnswer    store.Query `sql:"keep-answer"`
	ForgetSurplus store.Query `sql:"forget-surplus"`
	ForgetAnswers store.Query `sql:"forget-answers"`
	ForgetMember  store.Query `sql:"forget-member"`
}

// Relay carries writes to the services, each in one transaction and with the
// answer kept for whoever repeats it.
type Relay struct {
	db *store.DB
	q  queries
}

// NewRelay returns the relay.
func NewRelay(db *store.DB) *Relay {
	r := &Relay{db: db}
	store.Bind("world", &r.q)
	return r
}

// keyLife is how long an Idempotency-Key is remembered, and maxKey how long
// it may be (B-88).
const (
	keyLife = 24 * time.Hour
	maxKey  = 128
)

// What is kept of a member's answers at most: so many of the latest, none of
// more octets. Who repeats a write with a longer answer gets a short one.
const (
	maxAnswers = 1000
	maxAnswer  = 64 << 10
)

// Long is an answer that has a short form, which says what was written and
// leaves the rest to be read.
type Long interface{ Short() any }

// Stated is an answer that has a status of its own.
type Stated interface{ Status() int }

// short returns what is kept of an answer, which is encoded as body.
func short(answer any, body []byte) ([]byte, error) {
	if len(body) <= maxAnswer {
		return body, nil
	}
	if long, ok := answer.(Long); ok {
		return svc.EncodeJSON(long.Short())
	}
	return []byte("{}\n"), nil
}

// Write names a write, so that it can be told apart from a repetition.
type Write struct {
	Key   string   // the Idempotency-Key; "" for none
	Route string   // method and path
	Body  [32]byte // hash of the body

	// Again makes the answer to a repetition out of what was kept of the first
	// one; nil, or an answer of nil, if that is to be the answer.
	Again func(tx *store.Tx, kept []byte) (any, error)
}

// Reply is the answer to a write.
type Reply struct {
	Status int
	Body   []byte // JSON
}

// Do runs one write on behalf of v in one transaction, and answers with what
// it returns and that status. A repetition of a write that was done, known by
// its key, does nothing and gets the same answer, or of a [Long] one the short
// form or what Again makes of that.
// An answer that is [Stated] has its own status.
func (r *Relay) Do(ctx context.Context, v svc.Viewer, q Write, status int, write func(*store.Tx) (any, error)) (Reply, error) {
	if len(q.Key) > maxKey {
		return Reply{}, svc.Errorf(svc.IdempotencyMismatch, "An Idempotency-Key may have up to %d characters.", maxKey)
	}
	var reply Reply
	err := r.db.Write(ctx, func(tx *store.Tx) error {
		if q.Key != "" {
			old, found, err := r.answered(tx, v, q)
			if err == nil && found {
				err = old.renew(tx, q)
			}
			if err != nil || found {
				reply = old
				return err
			}
		}
		answer, err := write(tx)
		if err != nil {
			return err
		}
		body, err := svc.EncodeJSON(answer)
		if err != nil {
			return err
		}
		status := status
		if own, ok := answer.(Stated); ok {
			status = own.Status()
		}
		reply = Reply{status, body}
		if q.Key == "" {
			return nil
		}
		if body, err = short(answer, body); err != nil {
			return err
		}
		return r.keep(tx, v, q, Reply{status, body})
	})
	return reply, err
}

// renew makes the answer to a repetition of an answer that was kept.
func (r *Reply) renew(tx *store.Tx, q Write) error {
	if q.Again == nil {
		return nil
	}
	answer, err := q.Again(tx, r.Body)
	if err == nil && answer != nil {
		r.Body, err = svc.EncodeJSON(answer)
	}
	return err
}

// keep keeps the answer to a request.
func (r *Relay) keep(tx *store.Tx, v svc.Viewer, q Write, reply Reply) error {
	if _, err := tx.Exec(r.q.KeepAnswer, store.Args{
		"member": v.Member(), "route": q.Route, "key": q.Key, "body_hash": q.Body[:],
		"status": reply.Status, "answer": reply.Body, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	_, err := tx.Exec(r.q.ForgetSurplus, store.Args{"member": v.Member(), "most": maxAnswers})
	return err
}

// answered returns the answer that was given to the request before.
func (r *Relay) answered(tx *store.Tx, v svc.Viewer, q Write) (Reply, bool, error) {
	var row struct {
		BodyHash []byte `db:"body_hash"`
		Status   int    `db:"status"`
		Answer   []byte `db:"answer"`
	}
	err := tx.Get(&row, r.q.FindAnswer, store.Args{
		"member": v.Member(), "route": q.Route, "key": q.Key,
		"since": store.MillisOf(tx.Now().Add(-keyLife)),
	})
	switch {
	case store.IsNoRows(err):
		return Reply{}, false, nil
	case err != nil:
		return Reply{}, false, err
	case !bytes.Equal(row.BodyHash, q.Body[:]):
		return Reply{}, false, svc.Errorf(svc.IdempotencyMismatch, "This Idempotency-Key was used for another request.")
	}
	return Reply{row.Status, row.Answer}, true, nil
}

// MemberDeleted forgets the answers to a member who leaves.
func (r *Relay) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	_, err := tx.Exec(r.q.ForgetMember, store.Args{"member": member})
	return err
}

// Clean forgets the answers that nobody may ask for again. A nightly job calls
// it.
func (r *Relay) Clean(tx *store.Tx) error {
	_, err := tx.Exec(r.q.ForgetAnswers, store.Args{"since": store.MillisOf(tx.Now().Add(-keyLife))})
	return err
}
