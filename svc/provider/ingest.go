package provider

import (
	"context"
	"encoding/hex"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/contract"
)

type ingestQueries struct {
	Digests      store.Query `sql:"digests"`
	Stage        store.Query `sql:"stage"`
	IsStaging    store.Query `sql:"is-staging"`
	DeleteStaged store.Query `sql:"delete-staged"`
	KeepStaged   store.Query `sql:"keep-staged"`
	AddRecords   store.Query `sql:"add-records"`
	AddReaders   store.Query `sql:"add-readers"`
	AddActions   store.Query `sql:"add-actions"`
	EndRecords   store.Query `sql:"end-records"`
	Publish      store.Query `sql:"publish"`
}

// Counts are the numbers of records of a payload.
type Counts struct {
	Objects       int `json:"objects"`
	Actions       int `json:"actions"`
	Relationships int `json:"relationships"`
	Collections   int `json:"collections"`
	Resources     int `json:"resources"`
	Extensions    int `json:"extensions"`
	Retired       int `json:"retired"` // objects that the payload no longer has
}

func countsOf(p *contract.Source) Counts {
	return Counts{
		Objects: len(p.Objects.Items), Actions: len(p.Actions.Items), Relationships: len(p.Relationships.Items),
		Collections: len(p.Collections.Items), Resources: len(p.Resources.Items), Extensions: len(p.Extensions.Items),
	}
}

// Limits of one write, so that other writes wait for it less than 200 ms.
const (
	batchRows  = 200
	batchBytes = 512 << 10
	batchIDs   = 1000
)

// errSuperseded reports that another ingestion has begun, or that the provider has been
// removed.
var errSuperseded = svc.Errorf(svc.VersionConflict, "A later payload of this provider is being ingested.")

// Ingest replaces the records of a provider by those of a payload. It writes only
// records that differ; without a difference it writes nothing. If it fails, members see
// the previous records.
func (s *Service) Ingest(ctx context.Context, id string, payload *contract.Source) (Counts, error) {
	return s.ingest(ctx, id, payload, nil, -1)
}

// ingest is Ingest for a payload with a SHA-256 digest, which may be nil. expected is the
// generation at the time of the request, -1 if unknown. It fails if there is a later
// generation.
func (s *Service) ingest(ctx context.Context, id string, payload *contract.Source, digest []byte, expected int64) (Counts, error) {
	counts := countsOf(payload)
	rows, err := rowsOf(payload)
	if err != nil {
		return counts, err
	}
	in := &ingestion{Service: s, ctx: ctx, token: svc.NewID("ing"), expected: expected, payload: digest, counts: store.JSON(counts)}
	ended, err := in.compare(id, rows)
	if err != nil {
		return counts, err
	}
	for _, r := range ended {
		if r.isRetired && r.Kind == objectKind {
			counts.Retired++
		}
	}
	if len(in.added) == 0 && len(ended) == 0 {
		return counts, nil
	}
	return counts, in.run(ended)
}

// ingestion stages and publishes the next generation of a provider.
type ingestion struct {
	*Service
	ctx      context.Context
	provider Provider
	expected int64  // generation when the payload was requested, -1 if unknown
	token    string // identifies the ingestion
	payload  []byte // see Provider
	counts   string // see Provider
	added    []row
}

// storedRow is a record of the current generation.
type storedRow struct {
	ID     int64      `db:"id"`
	Kind   recordKind `db:"kind"`
	Name   string     `db:"name"`
	Digest []byte     `db:"digest"`

	isRetired bool // the payload has no record of this name
}

// compare sets the provider and the rows to add. It returns the records that end.
func (in *ingestion) compare(id string, rows []row) (ended []storedRow, err error) {
	var stored []storedRow
	err = in.db.Read(in.ctx, func(tx *store.Tx) error {
		if in.provider, err = in.Provider(tx, id); err != nil {
			return err
		}
		if in.expected >= 0 && in.expected != in.provider.generation {
			return errSuperseded
		}
		return tx.Select(&stored, in.q.ingest.Digests, store.Args{"number": in.provider.number, "generation": in.provider.generation})
	})
	if err != nil {
		return nil, err
	}
	type key struct {
		kind recordKind
		name string
	}
	previous := make(map[key]storedRow, len(stored))
	for _, r := range stored {
		previous[key{r.Kind, r.Name}] = r
	}
	for _, r := range rows {
		k := key{r.Kind, r.Name}
		old, known := previous[k]
		delete(previous, k)
		if known && hex.EncodeToString(old.Digest) == r.Digest {
			continue
		}
		if known {
			ended = append(ended, old)
		}
		in.added = append(in.added, r)
	}
	for _, r := range previous {
		r.isRetired = true
		ended = append(ended, r)
	}
	return ended, nil
}

// run stages the next generation and publishes it.
func (in *ingestion) run(ended []storedRow) error {
	if err := in.begin(); err != nil {
		return err
	}
	for rest := in.added; len(rest) > 0; {
		n := batchOf(rest)
		if err := in.write(func(tx *store.Tx) error { return in.add(tx, rest[:n]) }); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if err := in.end(ended); err != nil {
		return err
	}
	err := in.write(func(tx *store.Tx) error {
		_, err := tx.Exec(in.q.ingest.Publish, store.Args{"number": in.provider.number, "staging": in.token, "payload": in.payload, "counts": in.counts})
		tx.Touch(svc.ProvidersUpdated, store.Everyone)
		return err
	})
	if err != nil {
		return err
	}
	_ = in.db.Write(in.ctx, in.deleteEnded) // Sweep deletes the remaining rows
	return nil
}

// end ends records with the current generation.
func (in *ingestion) end(ended []storedRow) error {
	for batch := range slices.Chunk(ended, batchIDs) {
		ids := make([]int64, len(batch))
		for i, r := range batch {
			ids[i] = r.ID
		}
		err := in.write(func(tx *store.Tx) error {
			_, err := tx.Exec(in.q.ingest.EndRecords, store.Args{"ids": store.JSONArray(ids), "until": in.next()})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// next returns the generation that is being staged.
func (in *ingestion) next() int64 { return in.provider.generation + 1 }

// batchOf returns the number of rows that one write adds.
func batchOf(rows []row) (n int) {
	for size := 0; n < len(rows) && n < batchRows && (n == 0 || size+len(rows[n].Content) <= batchBytes); n++ {
		size += len(rows[n].Content)
	}
	return n
}

// begin ends every other ingestion of the provider, and removes the staged rows of an
// interrupted one.
func (in *ingestion) begin() error {
	args := store.Args{"number": in.provider.number, "generation": in.provider.generation}
	err := in.db.Write(in.ctx, func(tx *store.Tx) error {
		n, err := tx.Exec(in.q.ingest.Stage, store.Args{"number": in.provider.number, "id": in.provider.ID, "generation": in.provider.generation, "staging": in.token})
		if err == nil && n == 0 {
			err = errSuperseded
		}
		return err
	})
	if err != nil {
		return err
	}
	args["limit"] = batchIDs
	for _, query := range []store.Query{in.q.ingest.DeleteStaged, in.q.ingest.KeepStaged} {
		for n := int64(1); n > 0; {
			err := in.write(func(tx *store.Tx) (err error) {
				n, err = tx.Exec(query, args)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// write runs a write, unless another ingestion of the provider has begun.
func (in *ingestion) write(do func(*store.Tx) error) error {
	return in.db.Write(in.ctx, func(tx *store.Tx) error {
		var n int
		if err := tx.Get(&n, in.q.ingest.IsStaging, store.Args{"number": in.provider.number, "staging": in.token}); err != nil {
			return err
		}
		if n == 0 {
			return errSuperseded
		}
		return do(tx)
	})
}

// add stores rows of the next generation.
func (in *ingestion) add(tx *store.Tx, rows []row) error {
	var added []storedRow
	err := tx.Select(&added, in.q.ingest.AddRecords, store.Args{"number": in.provider.number, "records": store.JSONArray(rows), "since": in.next()})
	if err != nil {
		return err
	}
	ids := make(map[string]int64, len(added)) // of objects, by name
	for _, r := range added {
		if r.Kind == objectKind {
			ids[r.Name] = r.ID
		}
	}
	var readers, actions [][]any
	for _, r := range rows {
		for _, name := range r.readers {
			readers = append(readers, []any{ids[r.Name], name})
		}
		for _, key := range r.actions {
			actions = append(actions, []any{key, ids[r.Name]})
		}
	}
	if _, err := tx.Exec(in.q.ingest.AddReaders, store.Args{"readers": store.JSONArray(readers)}); err != nil {
		return err
	}
	_, err = tx.Exec(in.q.ingest.AddActions, store.Args{"actions": store.JSONArray(actions)})
	return err
}
