package dataset

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/zoneinfo"
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
	key := cacheKey{v.Member(), r.Runtime.Can("actions.form"), v.Language(), zoneinfo.Current().Version}
	return &composition{
		composer: c, request: r, key: key, previous: c.cache.get(key),
		next: &snapshot{revision: tx.Revision(int64(v.Member()))},
		environment: environment{
			tx: tx, viewer: v, revisions: tx.Revisions(int64(v.Member())), services: c.services, social: c.services.Social.DatasetReader(tx, v),
			actionBuilder: action.Builder{
				Namer: action.Namer{Key: tx.InstanceKey()}, Member: v.Member(), Language: v.Language(), Forms: key.forms, Workspace: c.hosted("surface").State() != svc.StateUnavailable,
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
	c.member = Member{m.ID, m.DisplayName, m.Email, m.Username, m.Zone, m.Locale, m.Formats, b.WeekStart, m.Appearance, m.IsOperator}
	c.location = m.Zone.Location()
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
	if err := c.addField(); err != nil {
		return err
	}
	if err := c.addLayout(); err != nil {
		return err
	}
	c.addSectionFallbacks()
	if c.next.layout != c.previous.layout || c.next.field != c.previous.field || c.next.find != c.previous.find {
		c.composer.cache.put(c.key, c.next)
	}
	return nil
}

// addService adds the parts of a service: all of them, or none if one fails.
func (c *composition) addService(s source) {
	before, list := c.next.results, make([]*result, len(s.parts))
	ok := c.read(s.name, s.hosted, func(bypassCache bool) error {
		for i, p := range s.parts {
			r, err := p.update(c, bypassCache)
			if err != nil {
				return err
			}
			list[i] = r
		}
		return nil
	})
	if !ok {
		c.next.results = before
		return
	}
	c.addResults(s.name, list)
}

// read calls read for a service that is on. If the service is off or read fails, it
// adds the source and the fallback with the reason and returns false.
func (c *composition) read(name string, hosted svc.HostedService, read func(bypassCache bool) error) bool {
	if hosted.State() == svc.StateUnavailable {
		c.addSource(name, svc.StateUnavailable, 0)
		c.fallbacks = append(c.fallbacks, SwitchedOffFallback(c.key.language, name))
		return false
	}
	bypassCache := hosted.State() == svc.StateDegraded // a degraded service is read, to find out whether it works again
	err := svc.Attempt(c.tx.Context(), hosted, func() error { return read(bypassCache) })
	if err == nil {
		return true
	}
	c.addSource(name, svc.StateDegraded, 0)
	c.fallbacks = append(c.fallbacks, FailedFallback(c.key.language, name, err))
	c.expire(svc.RetryTime(err, c.tx.Now()), name)
	return false
}

// addResults adds the results of the parts of a service.
func (c *composition) addResults(service string, list []*result) {
	objects, fallbacks := len(c.objects), len(c.fallbacks)
	for _, r := range list {
		c.addResult(r, service)
		for _, f := range r.fallbacks { // several parts may report the same fallback
			if !slices.ContainsFunc(c.fallbacks[fallbacks:], func(g Fallback) bool { return g.FallbackID == f.FallbackID }) {
				c.fallbacks = append(c.fallbacks, f)
			}
		}
	}
	switch service {
	case providersService:
		c.addProviders(c.next.results.providers.providers)
	case workspaceService: // its objects were findings, which count as objects of Find
		w := c.next.results.workspace
		c.findings, c.incomplete = []records{w.findings}, w.incomplete
		c.addSource(service, svc.StateReady, 0)
	case operatorService: // other members must not see it
	default:
		c.addSource(service, svc.StateReady, len(c.objects)-objects)
	}
}

// addResult adds the parts that every result has, except for its fallbacks.
func (c *composition) addResult(r *result, service string) {
	c.objects = append(c.objects, r.objects...)
	c.contexts = append(c.contexts, r.contexts...)
	c.actions = append(c.actions, r.actions...)
	c.expire(r.expires, service)
	c.next.size += r.size
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
	if err != nil {
		return err
	}
	c.contexts = append(c.contexts, encoded)
	return nil
}

func (c *composition) addSource(id string, status svc.ServiceState, objects int) {
	c.sources = append(c.sources, Provenance{SourceID: id, Kind: action.ServiceSource, Status: status, ObjectCount: objects, ReadAt: timestamp(c.tx.Now())})
}

// statusOf returns the status of a source, "" if it has not been added.
func (c *composition) statusOf(id string) (status svc.ServiceState) {
	for _, s := range c.sources {
		if s.SourceID == id {
			status = s.Status
		}
	}
	return status
}

// timestamp formats a time according to RFC 3339, in UTC.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
