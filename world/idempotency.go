package world

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
)

// queries are the statements of sql/queries/world.sql.
type queries struct {
	FindResponse           store.Query `sql:"find-response"`
	PutResponse            store.Query `sql:"put-response"`
	DeleteSurplusResponses store.Query `sql:"delete-surplus-responses"`
	DeleteExpiredResponses store.Query `sql:"delete-expired-responses"`
	DeleteMemberResponses  store.Query `sql:"delete-member-responses"`
}

// Idempotency runs writes, each in one transaction, and stores their responses
// under the idempotency key. A request with a key that was used before is
// replayed: nothing is written, and the response is the stored one.
type Idempotency struct {
	db *store.DB
	q  queries
}

// NewIdempotency returns an Idempotency that stores responses in db.
func NewIdempotency(db *store.DB) *Idempotency {
	i := &Idempotency{db: db}
	store.Bind("world", &i.q)
	return i
}

const (
	keyLifetime   = 24 * time.Hour // how long a response is stored
	maxKey        = 128            // characters of an Idempotency-Key
	maxResponses  = 1000           // stored responses per member; older ones are deleted
	maxStoredSize = 64 << 10       // bytes of a stored response; a longer one is shortened
)

// Shortener is a response that may exceed the size limit of stored responses.
// Short returns the form that is stored instead: it contains the result of the
// write, without data that the client can read again.
type Shortener interface{ Short() any }

// Statuser is a response that defines its HTTP status.
type Statuser interface{ Status() int }

// storedForm returns the JSON that is stored for a response; body is its full
// encoding.
func storedForm(response any, body []byte) ([]byte, error) {
	if len(body) <= maxStoredSize {
		return body, nil
	}
	if s, ok := response.(Shortener); ok {
		return svc.EncodeJSON(s.Short())
	}
	return []byte("{}\n"), nil
}

// Interim is the error of a transaction that has done a part of a write. In contrast to other
// errors it does not roll the transaction back. If Err is nil, the write is called again in
// another transaction, otherwise the request ends with Err.
type Interim struct{ Err error }

// Error implements error.
func (i Interim) Error() string { return fmt.Sprintf("a part of a write (error: %v)", i.Err) }

// WriteRequest identifies a write.
type WriteRequest struct {
	Key   string   // the Idempotency-Key; "" for none
	Route string   // method and path
	Body  [32]byte // hash of the body

	// Replay computes the response to a replay from the stored response. If it is
	// nil or returns nil, the stored response is sent.
	Replay func(tx *store.Tx, stored []byte) (any, error)
}

// checkKey validates the key.
func (r WriteRequest) checkKey() error {
	if len(r.Key) > maxKey {
		return svc.Errorf(svc.IdempotencyMismatch, "An Idempotency-Key may have up to %d characters.", maxKey)
	}
	return nil
}

// WriteResponse is the response to a write.
type WriteResponse struct {
	Status int
	Body   []byte // JSON
}

// Do calls write in one transaction and returns its result as the response, with
// the given status unless the result is a [Statuser]. If v used the key of r
// before, Do replays the first response instead, or returns an error if the first
// request had another body. It stores only responses that report success. While the
// error of write is an [Interim], Do calls it again.
func (i *Idempotency) Do(ctx context.Context, v svc.Viewer, r WriteRequest, status int, write func(*store.Tx) (any, error)) (WriteResponse, error) {
	if err := r.checkKey(); err != nil {
		return WriteResponse{}, err
	}
	var response WriteResponse
	err := store.RunBatches(ctx, func() (more bool, err error) {
		response, more, err = i.write(ctx, v, r, status, write)
		return more, err
	})
	return response, err
}

// write calls do in one transaction. It reports whether do must be called again.
func (i *Idempotency) write(ctx context.Context, v svc.Viewer, r WriteRequest, status int, do func(*store.Tx) (any, error)) (response WriteResponse, more bool, err error) {
	var interim *Interim
	err = i.db.Write(ctx, func(tx *store.Tx) error {
		interim = nil
		if r.Key != "" {
			old, found, err := i.find(tx, v, r)
			if err == nil && found {
				err = old.replay(tx, r)
			}
			if err != nil || found {
				response = old
				return err
			}
		}
		result, err := do(tx)
		if part, ok := err.(Interim); ok { // not an error that wraps one
			interim = &part
			return nil
		}
		if err != nil {
			return err
		}
		body, err := svc.EncodeJSON(result)
		if err != nil {
			return err
		}
		status := status
		if s, ok := result.(Statuser); ok {
			status = s.Status()
		}
		response = WriteResponse{status, body}
		if r.Key == "" || status >= http.StatusMultipleChoices {
			return nil
		}
		if body, err = storedForm(result, body); err != nil {
			return err
		}
		return i.put(tx, v, r, WriteResponse{status, body})
	})
	if err == nil && interim != nil {
		return response, interim.Err == nil, interim.Err
	}
	return response, false, err
}

// Find returns the response that Do would replay for r. found is false if v has not
// used the key. Call it before work that Do would not need for a replay.
func (i *Idempotency) Find(ctx context.Context, v svc.Viewer, r WriteRequest) (response WriteResponse, found bool, err error) {
	if err := r.checkKey(); err != nil || r.Key == "" {
		return response, false, err
	}
	err = i.db.Read(ctx, func(tx *store.Tx) error {
		response, found, err = i.find(tx, v, r)
		if err == nil && found {
			err = response.replay(tx, r)
		}
		return err
	})
	return response, found, err
}

// replay turns a stored response into the response to a replay.
func (w *WriteResponse) replay(tx *store.Tx, r WriteRequest) error {
	if r.Replay == nil {
		return nil
	}
	result, err := r.Replay(tx, w.Body)
	if err == nil && result != nil {
		w.Body, err = svc.EncodeJSON(result)
	}
	return err
}

// put stores the response to a request.
func (i *Idempotency) put(tx *store.Tx, v svc.Viewer, r WriteRequest, w WriteResponse) error {
	if _, err := tx.Exec(i.q.PutResponse, store.Args{
		"member": v.Member(), "route": r.Route, "key": r.Key, "body_hash": r.Body[:],
		"status": w.Status, "response": w.Body, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	_, err := tx.Exec(i.q.DeleteSurplusResponses, store.Args{"member": v.Member(), "most": maxResponses})
	return err
}

// find returns the stored response to a request.
func (i *Idempotency) find(tx *store.Tx, v svc.Viewer, r WriteRequest) (WriteResponse, bool, error) {
	var row struct {
		BodyHash []byte `db:"body_hash"`
		Status   int    `db:"status"`
		Response []byte `db:"response"`
	}
	err := tx.Get(&row, i.q.FindResponse, store.Args{
		"member": v.Member(), "route": r.Route, "key": r.Key,
		"since": store.MillisOf(tx.Now().Add(-keyLifetime)),
	})
	switch {
	case store.IsNoRows(err):
		return WriteResponse{}, false, nil
	case err != nil:
		return WriteResponse{}, false, err
	case !bytes.Equal(row.BodyHash, r.Body[:]):
		return WriteResponse{}, false, svc.Errorf(svc.IdempotencyMismatch, "This Idempotency-Key was used for another request.")
	}
	return WriteResponse{row.Status, row.Response}, true, nil
}

// DeleteData deletes at most limit responses of a deleted member and returns their number.
func (i *Idempotency) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (rows int, err error) {
	return tx.ExecUpTo(limit, store.Args{"member": member}, i.q.DeleteMemberResponses)
}

// cleanBatch is the number of responses that one call of Clean deletes.
const cleanBatch = 500

// Clean deletes a batch of expired responses. It reports whether there may be more.
func (i *Idempotency) Clean(tx *store.Tx) (more bool, err error) {
	n, err := tx.Exec(i.q.DeleteExpiredResponses, store.Args{"since": store.MillisOf(tx.Now().Add(-keyLifetime)), "limit": cleanBatch})
	return n == cleanBatch, err
}
