package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
)

// World composes datasets.
type World struct {
	db       *store.DB
	services Services
	parts    []part
	unit     func(service string) Unit
	build    string // what made the dataset: another version may make another
	memory   *memory
}

// part is what one service brings into a dataset.
type part struct {
	service string
	unit    Unit
	topics  []store.Topic // on what it depends
	compose func(*composer) error
}

// Unit is a service as the program hosts it.
type Unit interface {
	State() string // "ready", "degraded" or "unavailable"
	Report(error)  // nil if all went well
}

// Services are what the world is composed of.
type Services struct {
	Identity *identity.Service
	Calendar *calendar.Service
	Messages *messages.Service
	Social   *social.Service
	Surface  *surface.Service
}

// New returns the world of those services, which unit knows by their names.
// build names the version of the program.
func New(db *store.DB, s Services, unit func(service string) Unit, build string) *World {
	w := &World{db: db, services: s, unit: unit, build: build, memory: newMemory()}
	w.parts = []part{
		{"time", unit("time"), []store.Topic{svc.TimeTopic}, func(c *composer) error { return c.time(s.Calendar) }},
		{"messages", unit("messages"), []store.Topic{svc.MessagesTopic, svc.BlocksTopic}, func(c *composer) error { return c.messages(s.Messages) }},
		{"social", unit("social"), socialTopics, func(c *composer) error { return c.social(s.Social) }},
		{workspaceService, unit("surface"), []store.Topic{svc.SurfaceTopic}, func(c *composer) error { return c.workspace(s.Surface) }},
	}
	return w
}

// Question is what a runtime asks.
type Question struct {
	Runtime      Runtime
	Surroundings Surroundings
	IfNoneMatch  string // ETags that the runtime has

	raw string // all of it but IfNoneMatch, as one text
}

// Ask reads a question from the header X-Service-Runtime and the query of a
// request.
func Ask(header string, query url.Values) (q Question, err error) {
	if q.Runtime, err = ParseRuntime(header); err != nil {
		return q, err
	}
	if query.Has("caps") {
		q.Runtime.Capabilities = nil
		q.Runtime.declare(strings.FieldsFunc(query.Get("caps"), func(c rune) bool { return c == ',' || c == ' ' }))
		q.Runtime.Generic = len(q.Runtime.Capabilities) == 0
	}
	q.Surroundings, err = ParseSurroundings(query)
	q.raw = fmt.Sprintf("%q %q", header, query.Encode())
	return q, err
}

// Answer is a dataset as it goes out.
type Answer struct {
	ETag      string
	Unchanged bool // the runtime has it already; there is no Body
	Body      Body // JSON
}

// Body is a text that is ready to go out.
type Body interface {
	io.WriterTo
	Len() int // in bytes
}

// See returns the world as v sees it. If that is what the runtime has
// already, nothing is composed.
func (w *World) See(ctx context.Context, v svc.Viewer, q Question) (Answer, error) {
	var a Answer
	incomplete := false
	err := w.db.Read(ctx, func(tx *store.Tx) error {
		revision, err := tx.Revision(int64(v.Member()))
		if err != nil {
			return err
		}
		if etag, ok := w.tag(v, revision, q).current(q.IfNoneMatch, tx.Now()); ok && !w.degraded() {
			a = Answer{ETag: etag, Unchanged: true}
			return nil
		}
		c := &composer{world: w, tx: tx, viewer: v, question: q, incomplete: &incomplete}
		if err := c.compose(); err != nil {
			return err
		}
		body, err := c.encode()
		// Only now is it known which parts could be read.
		a = Answer{ETag: w.tag(v, revision, q).until(c.until), Body: body}
		return err
	})
	if err == nil && incomplete {
		w.complete(ctx, v)
	}
	return a, err
}

// complete stores what of a workspace was read and is not stored. The answer is
// the same without: whatever keeps it from being stored, it is tried again.
func (w *World) complete(ctx context.Context, v svc.Viewer) {
	err := w.db.Write(ctx, func(tx *store.Tx) error { return w.services.Surface.Complete(tx, v) })
	if err != nil && ctx.Err() == nil {
		w.unit("surface").Report(err)
	}
}

// degraded reports whether a part could not be read the last time: it is
// looked at again, whatever the runtime has.
func (w *World) degraded() bool {
	return slices.ContainsFunc(w.parts, func(p part) bool { return p.unit.State() == "degraded" })
}

// fingerprint is a hash of everything that decides what a dataset says beside
// the database and the time.
func (w *World) fingerprint(q Question) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q", w.build, q.raw)
	for _, p := range w.parts {
		fmt.Fprintf(h, " %s", p.unit.State())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// tag is an ETag but for its last part, the millisecond at which time alone makes
// the dataset another one (B-84). With that in the tag, nothing need be known
// to tell whether it still holds but the two counts of changes.
type tag string

func (w *World) tag(v svc.Viewer, r store.Revision, q Question) tag {
	return tag(fmt.Sprintf(`W/"%s.%d.%d.%s.`, v, r.Own, r.Shared, w.fingerprint(q)))
}

func (t tag) until(until time.Time) string {
	return string(t) + strconv.FormatInt(until.UnixMilli(), 10) + `"`
}

// current returns the ETag in an If-None-Match header that still holds.
func (t tag) current(header string, now time.Time) (etag string, ok bool) {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		rest, ok := strings.CutPrefix(candidate, string(t))
		if !ok {
			continue
		}
		until, err := strconv.ParseInt(strings.TrimSuffix(rest, `"`), 10, 64)
		if err == nil && now.UnixMilli() < until {
			return candidate, true
		}
	}
	return "", false
}
