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
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/messages"
	"appliance/svc/provider"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/translate"
)

// Composer composes the datasets of members.
type Composer struct {
	db       *store.DB
	services Services
	account  source   // of the part of the member's account, which comes first
	sources  []source // the others, in the order of the dataset
	hosted   func(service string) svc.HostedService
	states   []svc.HostedService // services whose states are in the ETag
	build    string              // version and settings of the program, which are in the ETag
	cache    *cache
	readers  []topicReader

	boundaries boundaries
}

// Services are the services that contribute to a dataset.
type Services struct {
	Identity  *identity.Service
	Calendar  *calendar.Service
	TimeIndex *index.Index
	Messages  *messages.Service
	Social    *social.Service
	Surface   *surface.Service
	Maps      *maps.Service
	Find      *find.Service

	Providers *provider.Service

	Translator *translate.Translator
}

// New returns a composer. hosted returns a service by name as the program runs
// it; build identifies the version of the program and its settings.
func New(db *store.DB, s Services, hosted func(service string) svc.HostedService, build string) *Composer {
	c := &Composer{db: db, services: s, hosted: hosted, build: build, cache: newCache(maxCacheSize)}
	for _, service := range []string{"identity", "surface", "messages", "social", "time", mapsService, findService} {
		c.states = append(c.states, hosted(service))
	}
	c.sources = []source{
		{"time", hosted("time"), timeParts()},
		{"messages", hosted("messages"), messagesParts()},
		{"social", hosted("social"), socialParts()},
		{providersService, hosted(findService), providerParts()},
		{workspaceService, hosted("surface"), workspaceParts()},
		{operatorService, hosted("identity"), operatorParts()},
	}
	c.account = source{identityService, hosted(identityService), accountParts()}
	c.readers = topicReaders(append(c.sources, c.account))
	c.boundaries.members = make(map[svc.MemberID]*memberBoundaries)
	return c
}

// Response is a response to a [Request].
type Response struct {
	ETag        string
	NotModified bool // whether the client has the current representation
	Body        Body // JSON; nil if NotModified
}

// Body is the encoded body of a response.
type Body interface {
	io.WriterTo
	Len() int // in bytes
}

// Result is a representation of the data of a member.
type Result struct {
	Body       Body
	Expires    time.Time // when the representation changes without a write
	Expiring   []string  // source_ids of the services that change then; nil if unknown
	Incomplete bool      // whether the workspace contains defaults that are not stored yet
}

// datasetKind is the kind of the responses that contain a dataset.
const datasetKind = "dataset"

// Read returns the dataset of v.
func (c *Composer) Read(ctx context.Context, v svc.Viewer, r Request) (Response, error) {
	return c.Respond(ctx, v, r, datasetKind, func(tx *store.Tx) (Result, error) { return c.Compose(tx, v, r, Writer.Encode) })
}

// Compose composes the dataset of v and encodes it with write.
func (c *Composer) Compose(tx *store.Tx, v svc.Viewer, r Request, write func(Writer) (Body, error)) (Result, error) {
	d := c.newComposition(tx, v, r)
	if err := d.compose(); err != nil {
		return Result{}, err
	}
	c.recordBoundary(v, datasetKind, d.expires, append([]string{}, d.expiring...), tx.Now())
	body, err := write(Writer{d})
	if err != nil {
		return Result{}, err
	}
	return Result{Body: body, Expires: d.expires, Expiring: d.expiring, Incomplete: d.incomplete}, nil
}

// Respond returns the response to r: the result of read, or NotModified if the
// client has the current representation. kind identifies the representation and
// contains everything else on which it depends.
func (c *Composer) Respond(ctx context.Context, v svc.Viewer, r Request, kind string, read func(*store.Tx) (Result, error)) (Response, error) {
	var response Response
	var result Result
	err := c.db.Read(ctx, func(tx *store.Tx) error {
		if etag, until, ok := c.tag(tx, v, r, kind).findValid(r.IfNoneMatch, tx.Now()); ok && !c.hasDegradedService() {
			response = Response{ETag: etag, NotModified: true}
			c.recordBoundary(v, kind, until, nil, tx.Now())
			return nil
		}
		var err error
		if result, err = read(tx); err != nil {
			return err
		}
		if kind != datasetKind { // Compose has recorded the boundary of a dataset
			c.recordBoundary(v, kind, result.Expires, result.Expiring, tx.Now())
		}
		// read may have changed the states of services.
		response = Response{ETag: c.tag(tx, v, r, kind).withExpiry(result.Expires), Body: result.Body}
		return nil
	})
	if err != nil {
		return Response{}, err
	}
	if result.Incomplete {
		c.storeDefaults(ctx, v)
	}
	return response, nil
}

// storeDefaults stores the defaults of a workspace. If that fails, the next read tries
// again.
func (c *Composer) storeDefaults(ctx context.Context, v svc.Viewer) {
	err := c.db.Write(ctx, func(tx *store.Tx) error { return c.services.Surface.SaveDefaults(tx, v) })
	if err != nil && ctx.Err() == nil {
		c.hosted("surface").Report(err)
	}
}

// hasDegradedService reports whether the last operation of any service failed. Then
// the ETag of a client is ignored, so that the service is read again.
func (c *Composer) hasDegradedService() bool {
	return slices.ContainsFunc(c.states, func(s svc.HostedService) bool { return s.State() == svc.StateDegraded })
}
