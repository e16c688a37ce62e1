package dataset

import (
	"errors"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/world/action"
)

// composition composes one dataset.
type composition struct {
	environment
	composer *Composer
	request  Request
	key      cacheKey
	previous *snapshot // the cached snapshot; may be empty
	next     *snapshot // the snapshot of this dataset

	member     Member
	noPlaces   Reason    // why the field has no places
	expires    time.Time // when the dataset changes without a write
	expiring   []string  // source_ids of the services that change then
	incomplete bool      // whether the workspace has defaults that are not stored yet
	objects    []*object
	contexts   []*encodedContext
	actions    []records // actions that have no object as their target
	findings   []records
	field      Field
	fallbacks  []Fallback
	sources    []Provenance
}

// source is a service that contributes to datasets.
type source struct {
	name   string // name in sources and fallbacks
	hosted svc.HostedService
	parts  []part // in the order of their objects in the dataset
}

// newComposition returns the composition of a dataset of v.
func (c *Composer) newComposition(tx *store.Tx, v svc.Viewer, r Request) *composition {
	key := cacheKey{v.Member(), r.Runtime.Can("actions.form"), v.Language()}
	return &composition{
		composer: c, request: r, key: key, previous: c.cache.get(key),
		next: &snapshot{revision: tx.Revision(int64(v.Member())), parts: make(map[string]*result)},
		environment: environment{
			tx: tx, viewer: v, revisions: tx.Revisions(int64(v.Member())), services: c.services, social: c.services.Social.DatasetReader(tx, v),
			actionBuilder: action.Builder{
				Namer: action.Namer{Key: tx.InstanceKey()}, Member: v.Member(), Language: v.Language(), Forms: key.forms, Workspace: c.hosted("surface").State() != "unavailable",
			},
		},
		expires: tx.Now().Add(Validity),
	}
}

// compose composes the dataset. It fails only if the member cannot be read; a
// failure of any other part is reported in the dataset.
func (c *composition) compose() error {
	me, err := c.services.Identity.Me(c.tx, c.viewer)
	if err != nil {
		return err
	}
	m := me.Member
	b, err := c.services.Calendar.Boundaries(c.tx, m.ID)
	if err != nil {
		return err
	}
	c.member = Member{m.ID, m.DisplayName, m.Email, m.Username, m.Timezone, m.Locale, b.WeekStart, m.Appearance, m.IsOperator}
	c.location = svc.StoredZone(m.Timezone)
	c.reader = provider.Reader{Member: m.ID, Email: m.Email, Operator: m.IsOperator}
	if err := c.addAccount(); err != nil {
		return err
	}
	for _, s := range c.composer.sources {
		c.addService(s)
	}
	c.addMaps()
	if err := c.addFind(); err != nil {
		return err
	}
	if err := errors.Join(c.addField(), c.addLayout()); err != nil {
		return err
	}
	c.addSectionFallbacks()
	if c.next.layout != c.previous.layout || c.next.field != c.previous.field || c.next.find != c.previous.find {
		c.next.measure()
		c.composer.cache.put(c.key, c.next)
	}
	return nil
}

// addService adds the parts of a service: all of them, or none if one fails.
func (c *composition) addService(s source) {
	ok := c.read(s.name, s.hosted, func(bypassCache bool) error {
		for _, p := range s.parts {
			r, err := c.result(p, bypassCache)
			if err != nil {
				return err
			}
			c.next.parts[p.name] = r
		}
		return nil
	})
	if ok {
		c.addResults(s)
		return
	}
	for _, p := range s.parts {
		delete(c.next.parts, p.name)
	}
}

// read calls read for a service that is on. If the service is off or read fails, it
// adds the source and the fallback that say so and returns false.
func (c *composition) read(name string, hosted svc.HostedService, read func(bypassCache bool) error) bool {
	if hosted.State() == "unavailable" {
		c.addSource(name, "unavailable", 0)
		c.fallbacks = append(c.fallbacks, SwitchedOff(c.key.language, name))
		return false
	}
	bypassCache := hosted.State() == "degraded" // reads the service, to find out whether it works again
	err := svc.Attempt(c.tx.Context(), hosted, func() error { return read(bypassCache) })
	if err == nil {
		return true
	}
	c.addSource(name, "degraded", 0)
	c.fallbacks = append(c.fallbacks, Failed(c.key.language, name, err))
	c.expire(svc.RetryTime(err, c.tx.Now()), name)
	return false
}

// result returns the previous result of a part if it is valid, otherwise a new
// one.
func (c *composition) result(p part, bypassCache bool) (*result, error) {
	previous, revision := c.previous.parts[p.name], c.revisions.Of(p.topics...)
	if previous == nil || bypassCache {
		previous = new(result)
	} else if previous.revision == revision && !previous.expired(c.tx.Now()) && c.sameInputs(p) {
		return previous, nil
	}
	if err := svc.WorkOf(c.tx.Context()).Wait(previous.size / octetsPerStep); err != nil {
		return nil, err
	}
	r, err := p.build(&builder{environment: &c.environment, previous: previous, input: func(name string) *result { return c.next.parts[name] }})
	if err != nil {
		return nil, err
	}
	r.revision = revision
	r.measure()
	return &r, nil
}

// octetsPerStep is the number of octets of a part that are composed in the time of a step,
// most of them from texts of the previous result.
const octetsPerStep = 10

// sameInputs reports whether the inputs of a part have their previous results.
func (c *composition) sameInputs(p part) bool {
	return !slices.ContainsFunc(p.inputs, func(name string) bool { return c.next.parts[name] != c.previous.parts[name] })
}

// addResults adds the results of the parts of a service.
func (c *composition) addResults(s source) {
	first := len(c.objects)
	var fallbacks []Fallback
	for _, p := range s.parts {
		r := c.next.parts[p.name]
		c.objects = append(c.objects, r.objects...)
		c.contexts = append(c.contexts, r.contexts...)
		c.actions = append(c.actions, r.actions...)
		c.findings = append(c.findings, r.findings)
		fallbacks = append(fallbacks, r.fallbacks...)
		c.incomplete = c.incomplete || r.incomplete
		c.expire(r.expires, s.name)
	}
	for i, f := range fallbacks { // several parts may report the same fallback
		if !slices.ContainsFunc(fallbacks[:i], func(g Fallback) bool { return g.FallbackID == f.FallbackID }) {
			c.fallbacks = append(c.fallbacks, f)
		}
	}
	count := len(c.objects) - first
	switch s.name {
	case providersService:
		c.addProviders(c.next.parts[providersService].providers)
	case workspaceService: // its objects were findings, which count as objects of Find
		c.addSource(s.name, "ready", 0)
	case operatorService: // other members must not see it
	default:
		c.addSource(s.name, "ready", count)
	}
}

// expire sets expires to t, the time at which a service changes, unless expires is
// earlier.
func (c *composition) expire(t time.Time, service string) {
	switch {
	case t.IsZero() || t.After(c.expires):
	case t.Equal(c.expires):
		c.expiring = append(c.expiring, service)
	default:
		c.expires, c.expiring = t, []string{service}
	}
}

func (c *composition) addContext(entry Context) error {
	encoded, err := encodeContext(entry)
	c.contexts = append(c.contexts, encoded)
	return err
}

func (c *composition) addSource(id, status string, objects int) {
	c.sources = append(c.sources, Provenance{SourceID: id, Kind: "service", Status: status, ObjectCount: objects, ReadAt: timestamp(c.tx.Now())})
}

// statusOf returns the status of a source, "" if it has not been added.
func (c *composition) statusOf(id string) (status string) {
	for _, s := range c.sources {
		if s.SourceID == id {
			status = s.Status
		}
	}
	return status
}

// timestamp formats a time according to RFC 3339, in UTC.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
