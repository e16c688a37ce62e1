package dataset

import (
	"context"
	"io"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
)

// Composer composes the datasets of members.
type Composer struct {
	db       *store.DB
	services Services
	sources  []source
	hosted   func(service string) svc.HostedService
	states   []svc.HostedService // whose states are in the ETag
	build    string              // version of the program: another version may compose another dataset
	cache    *cache
}

// Services are the services that contribute to a dataset.
type Services struct {
	Identity  *identity.Service
	Calendar  *calendar.Service
	TimeIndex *index.Index
	Messages  *messages.Service
	Social    *social.Service
	Surface   *surface.Service
}

// New returns a composer. hosted returns a service by name as the program runs
// it; build is the version of the program.
func New(db *store.DB, s Services, hosted func(service string) svc.HostedService, build string) *Composer {
	c := &Composer{db: db, services: s, hosted: hosted, build: build, cache: newCache(maxCached)}
	for _, service := range []string{"identity", "surface", "messages", "social", "time"} {
		c.states = append(c.states, hosted(service))
	}
	c.sources = []source{
		{"time", hosted("time"), timeParts()},
		{"messages", hosted("messages"), messagesParts()},
		{"social", hosted("social"), socialParts()},
		{workspaceService, hosted("surface"), workspaceParts()},
	}
	return c
}

// Response is a response to a [Request].
type Response struct {
	ETag        string
	NotModified bool // the client has the current representation; there is no Body
	Body        Body // JSON
}

// Body is a text that is ready to be sent.
type Body interface {
	io.WriterTo
	Len() int // in bytes
}

// Result is what a request is answered with, unless the client has it already.
type Result struct {
	Body       Body
	Expires    time.Time // it changes then without a write
	Incomplete bool      // the workspace contains defaults that are not stored yet
}

// Read returns the dataset of v. If the client has the current one, nothing is
// composed.
func (c *Composer) Read(ctx context.Context, v svc.Viewer, r Request) (Response, error) {
	return c.Respond(ctx, v, r, "dataset", func(tx *store.Tx) (Result, error) { return c.Compose(tx, v, r, Writer.Encode) })
}

// Compose composes the dataset of v and encodes it with write.
func (c *Composer) Compose(tx *store.Tx, v svc.Viewer, r Request, write func(Writer) (Body, error)) (Result, error) {
	one := c.newComposition(tx, v, r)
	if err := one.compose(); err != nil {
		return Result{}, err
	}
	body, err := write(Writer{one})
	return Result{body, one.expires, one.incomplete}, err
}

// Respond answers r with the result of read, unless the client has the current
// representation. kind names the representation and everything else on which it
// depends.
func (c *Composer) Respond(ctx context.Context, v svc.Viewer, r Request, kind string, read func(*store.Tx) (Result, error)) (Response, error) {
	var response Response
	var result Result
	err := c.db.Read(ctx, func(tx *store.Tx) error {
		if etag, ok := c.tag(tx, v, r, kind).current(r.IfNoneMatch, tx.Now()); ok && !c.degraded() {
			response = Response{ETag: etag, NotModified: true}
			return nil
		}
		var err error
		result, err = read(tx)
		// The states of the services are known only now.
		response = Response{ETag: c.tag(tx, v, r, kind).until(result.Expires), Body: result.Body}
		return err
	})
	if err == nil && result.Incomplete {
		c.complete(ctx, v)
	}
	return response, err
}

// complete stores the defaults of a workspace. The response is the same if that
// fails: the next read tries again.
func (c *Composer) complete(ctx context.Context, v svc.Viewer) {
	err := c.db.Write(ctx, func(tx *store.Tx) error { return c.services.Surface.SaveDefaults(tx, v) })
	if err != nil && ctx.Err() == nil {
		c.hosted("surface").Report(err)
	}
}

// degraded reports whether a service failed last time: then it is read again,
// whatever the client has.
func (c *Composer) degraded() bool {
	return slices.ContainsFunc(c.states, func(s svc.HostedService) bool { return s.State() == "degraded" })
}
