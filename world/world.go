package world

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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
	units    []Unit // whose state shows in an answer
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
	for _, service := range []string{"identity", "surface", "messages", "social", "time"} {
		w.units = append(w.units, unit(service))
	}
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
	Contract     Contract // of the answer; the zero one for DatasetContract
	URL          string   // where it is asked again with another choice; "" for that of the dataset
	IfNoneMatch  string   // ETags that the runtime has

	caps string // what the query declares, "" if it does not
	raw  string // header and query, as one text
}

// The contracts of datasets: that of GET /world/runtime, and the name under
// which a harness validates the same.
var (
	DatasetContract = Contract{"service.runtime.dataset", 1}
	HarnessContract = Contract{"service.world.dataset", 1}
)

// Ask reads a question from the header X-Service-Runtime and the query of a
// request.
func Ask(header string, query url.Values) (q Question, err error) {
	if q.Runtime, err = ParseRuntime(header); err != nil {
		return q, err
	}
	if query.Has("caps") {
		q.caps = query.Get("caps")
		if len(q.caps) > maxRuntimeHeader || !utf8.ValidString(q.caps) {
			return q, svc.ParameterError("caps", "caps may have up to %d bytes of text.", maxRuntimeHeader)
		}
		q.Runtime.redeclare(words(q.caps))
	}
	q.Surroundings, err = ParseSurroundings(query)
	q.raw = fmt.Sprintf("%q %q", header, query.Encode())
	return q, err
}

// Answer is what is answered, as it goes out.
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
	return w.Answer(ctx, v, q, "dataset", func(tx *store.Tx) (Made, error) { return w.Compose(tx, v, q, Composed.write) })
}

// Made is what was read to answer a question.
type Made struct {
	Body  Body
	Until time.Time // when time alone makes it another one
	// Incomplete: not all that the member is seen to have before them is stored.
	Incomplete bool
}

// Compose returns the dataset that answers q, as write writes it.
func (w *World) Compose(tx *store.Tx, v svc.Viewer, q Question, write func(Composed) (Body, error)) (Made, error) {
	c := &composer{world: w, tx: tx, viewer: v, question: q, incomplete: new(bool)}
	if err := c.compose(); err != nil {
		return Made{}, err
	}
	body, err := write(Composed{c})
	return Made{body, c.until, *c.incomplete}, err
}

// Answer answers q with what read makes of the database and the state of the
// services, unless that is what the runtime has already. kind is what it makes,
// with whatever else decides that.
func (w *World) Answer(ctx context.Context, v svc.Viewer, q Question, kind string, read func(*store.Tx) (Made, error)) (Answer, error) {
	var a Answer
	var made Made
	err := w.db.Read(ctx, func(tx *store.Tx) error {
		if etag, ok := w.tag(tx, v, q, kind).current(q.IfNoneMatch, tx.Now()); ok && !w.degraded() {
			a = Answer{ETag: etag, Unchanged: true}
			return nil
		}
		var err error
		made, err = read(tx)
		// Only now is it known which parts could be read.
		a = Answer{ETag: w.tag(tx, v, q, kind).until(made.Until), Body: made.Body}
		return err
	})
	if err == nil && made.Incomplete {
		w.complete(ctx, v)
	}
	return a, err
}

// complete stores what of a workspace was read and is not stored. The answer is
// the same without: whatever keeps it from being stored, it is tried again.
func (w *World) complete(ctx context.Context, v svc.Viewer) {
	err := w.db.Write(ctx, func(tx *store.Tx) error { return w.services.Surface.SaveDefaults(tx, v) })
	if err != nil && ctx.Err() == nil {
		w.unit("surface").Report(err)
	}
}

// degraded reports whether a service could not be read the last time: it is
// looked at again, whatever the runtime has.
func (w *World) degraded() bool {
	return slices.ContainsFunc(w.units, func(u Unit) bool { return u.State() == "degraded" })
}

// tag is an ETag but for its last part, the millisecond at which time alone makes
// the answer another one (B-84). With that in the tag, nothing need be known
// to tell whether it still holds but how far changes have come.
type tag string

// tag returns a hash of everything else that decides what an answer says: how
// many changes there were is nothing to tell.
func (w *World) tag(tx *store.Tx, v svc.Viewer, q Question, kind string) tag {
	h := hmac.New(sha256.New, tx.InstanceKey())
	fmt.Fprintf(h, "%v %s %d %q %q %q", v, tx.Epoch(), tx.Revision(int64(v.Member())), w.build, kind, q.raw)
	for _, u := range w.units {
		fmt.Fprintf(h, " %s", u.State())
	}
	return tag(fmt.Sprintf(`W/"%x.`, h.Sum(nil)[:16]))
}

func (t tag) until(until time.Time) string {
	return string(t) + strconv.FormatInt(until.UnixMilli(), 10) + `"`
}

// current returns the ETag in an If-None-Match header that still holds. Weak or
// strong, they are compared as weak ones (RFC 9110 §13.1.2).
func (t tag) current(header string, now time.Time) (etag string, ok bool) {
	for candidate := range strings.SplitSeq(header, ",") {
		rest, ok := strings.CutPrefix("W/"+strings.TrimPrefix(strings.TrimSpace(candidate), "W/"), string(t))
		if !ok {
			continue
		}
		until, err := strconv.ParseInt(strings.TrimSuffix(rest, `"`), 10, 64)
		if err == nil && now.UnixMilli() < until {
			return t.until(time.UnixMilli(until)), true
		}
	}
	return "", false
}
