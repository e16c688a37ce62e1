package dataset

import (
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/feeds"
	"appliance/svc/words"
	"appliance/world/action"
)

// providersService is the name of the objects of all providers in fallbacks.
const providersService = "providers"

// Limits of the objects and collections of all providers in a dataset.
const (
	maxProviderObjects = 1000
	maxCollections     = 200
)

// providersResult is the result of the part of the objects of providers.
type providersResult struct {
	result
	providers []providerState
}

// providerState is the state of a provider in a dataset.
type providerState struct {
	id         string
	acquiredAt time.Time // zero if its payload has never been acquired
	failed     bool
	objects    int // objects in the dataset
}

// providerParts returns the part of the objects of providers.
func providerParts() []part {
	return []part{newPart(objectSections, func(r *results) **providersResult { return &r.providers }, buildProviders, svc.ProvidersTopic)}
}

// buildProviders builds the part of the objects of providers.
func buildProviders(b *builder) (r providersResult, err error) {
	providers, err := b.services.Providers.ProvidersOf(b.tx, b.reader.Member)
	if err != nil {
		return r, err
	}
	p := providerBuilder{builder: b, providers: make(map[string]provider.Provider), result: &r}
	for i, registered := range providers {
		if registered.Owner != 0 && feeds.IsAddress(registered.SourceURL) {
			providers[i].Label = b.viewer.Language().Text(registered.Label) // the label of a registered provider is translated, unlike a name
		}
		p.providers[registered.ID] = providers[i]
	}
	list, more, err := b.services.Providers.Objects(b.tx, b.reader, providers, maxProviderObjects)
	if err != nil {
		return r, err
	}
	load := func(ids []string) ([]provider.Object, error) { return b.services.Providers.ObjectsByID(b.tx, ids) }
	truncated, err := addObjects(b, &r.result, list, p.common(providers), load, func(o provider.Object) string { return o.ID }, p.encode)
	if err != nil {
		return r, err
	}
	if more || truncated {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), providersService))
	}
	p.addStates(providers)
	if err := p.addFeeds(); err != nil {
		return r, err
	}
	return r, p.addCollections()
}

// addFeeds adds the context of the feeds, with the action that adds one.
func (p *providerBuilder) addFeeds() error {
	actions := action.Feeds.Actions(p.actionBuilder, action.Workspace, struct{}{})
	if err := p.result.addActions(actions...); err != nil {
		return err
	}
	entry := Context{ContextID: "ctx_feeds", Kind: "feeds", Label: p.viewer.Language().Text("Feeds"), Target: action.Workspace, ActionIDs: action.IDs(actions)}
	for _, o := range p.result.objects {
		if o.objectType == feeds.FeedType {
			entry.Items = append(entry.Items, o.item())
		}
	}
	return p.result.addContext(entry)
}

// providerBuilder builds the part of the objects of providers.
type providerBuilder struct {
	*builder
	providers map[string]provider.Provider // by id
	result    *providersResult
}

// common returns the data of the providers on which their objects depend.
func (p *providerBuilder) common(providers []provider.Provider) (common string) {
	for _, registered := range providers {
		common += registered.ID + "\x00" + registered.Label + "\x00" + registered.ActionURL + "\x00"
	}
	return common
}

// providerOrigin describes the provider of an object.
type providerOrigin struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

func (p *providerBuilder) encode(o provider.Object) (*object, error) {
	source := action.SourceOfProvider(o.Source)
	id := p.actionBuilder.ObjectID(source)
	var actions []action.Action
	if l := p.viewer.Language(); l != words.English && feeds.IsAddress(p.providers[o.Provider].SourceURL) {
		o = feedInLanguage(l, o)
		o.Label = p.providers[o.Provider].Label
	}
	for _, a := range o.Actions {
		actions = append(actions, p.actionBuilder.ProviderAction(a, action.Object(id), p.fallbackOf(a.Action, p.providers[o.Provider])))
	}
	var relationships []Relationship
	for _, r := range o.Relationships {
		target := p.actionBuilder.ObjectID(action.SourceOfProvider(r.Target))
		relationships = append(relationships, Relationship{r.Type, action.Object(target)})
	}
	encoded, err := p.encodeObject(ObjectData{
		WorldObjectID: id, ObjectType: o.Type, Source: source, Title: o.Title, Summary: o.Summary,
		State: svc.Map{"provider": providerOrigin{o.Provider, o.Label}, "metadata": o.Metadata, "resources": o.Resources},
		Permissions: Permissions{
			CanView: true, CanUpdate: o.Permissions["can_update"], CanDelete: o.Permissions["can_delete"], CanReply: o.Permissions["can_reply"],
			CanAddParticipant: o.Permissions["can_add_participant"], CanShare: o.Permissions["can_share"],
		},
	}, actions, relationships)
	if err == nil {
		encoded.provider = o.Provider
	}
	return encoded, err
}

// feedInLanguage returns an object of the provider of feeds, which is part of the server, in
// the language l.
func feedInLanguage(l words.Language, o provider.Object) provider.Object {
	texts := feeds.Texts{Language: l}
	o.Title, o.Summary, o.Metadata, o.Resources = texts.Title(o.Object), texts.Summary(o.Object), texts.Metadata(o.Object), texts.Resources(o.Resources)
	o.Actions = slices.Clone(o.Actions)
	for i, a := range o.Actions {
		o.Actions[i].Label = texts.Label(a.Type, a.Label)
	}
	return o
}

// fallbackOf returns the fallback_id of an action that cannot be performed, otherwise "".
func (p *providerBuilder) fallbackOf(a contract.Action, registered provider.Provider) string {
	if provider.CheckAvailable(a, registered) == nil {
		return ""
	}
	return refusedActionsFallback(p.viewer.Language(), registered, a.Availability == contract.Denied).FallbackID
}

// refusedActionsFallback returns the fallback, in the language l, of the actions of a provider that
// cannot be performed.
func refusedActionsFallback(l words.Language, p provider.Provider, denied bool) Fallback {
	scope := Scope{Kind: CommandScope, Service: p.ID}
	if denied {
		return newFallback(FallbackDenied, scope, "denied_by_provider", l.Textf("%s does not permit some actions.", p.Label), false)
	}
	return newFallback(FallbackUnavailable, scope, "not_offered", l.Textf("%s does not offer some actions at the moment.", p.Label), true)
}

// addStates adds the states of the providers, and the fallbacks of those that failed or
// have actions that cannot be performed.
func (p *providerBuilder) addStates(providers []provider.Provider) {
	l := p.viewer.Language()
	objects, refused := make(map[string]int), make(map[string]bool)
	for _, o := range p.result.objects {
		objects[o.provider]++
		for _, id := range o.fallbackIDs {
			refused[id] = true
		}
	}
	for _, registered := range providers {
		state := providerState{id: registered.ID, acquiredAt: registered.AcquiredAt, failed: registered.Failure != "", objects: objects[registered.ID]}
		p.result.providers = append(p.result.providers, state)
		scope := Scope{Kind: ServiceScope, Service: registered.ID}
		switch {
		case state.acquiredAt.IsZero():
			p.addFallback(newFallback(FallbackUnavailable, scope, "not_acquired", l.Textf("%s has not sent its data yet.", registered.Label), true))
		case state.failed:
			p.addFallback(newFallback(FallbackDegraded, scope, "not_updated", l.Textf("The data of %s could not be updated and may be out of date.", registered.Label), true))
		}
		for _, denied := range []bool{true, false} {
			if f := refusedActionsFallback(l, registered, denied); refused[f.FallbackID] {
				p.addFallback(f)
			}
		}
	}
}

func (p *providerBuilder) addFallback(f Fallback) {
	p.result.fallbacks = append(p.result.fallbacks, f)
}

// addCollections adds a context for each collection with objects of the dataset.
func (p *providerBuilder) addCollections() error {
	present := make(map[string]*object, len(p.result.objects))
	for _, o := range p.result.objects {
		present[o.id] = o
	}
	if len(present) == 0 {
		return nil
	}
	list, err := p.services.Providers.Collections(p.tx, maxCollections)
	if err != nil {
		return err
	}
	for _, c := range list {
		entry := Context{ContextID: "ctx_" + c.Provider + "_" + provider.CollectionKey(c), Kind: "collection", Label: c.Title, Target: action.Workspace}
		for _, ref := range c.Items {
			if o := present[p.actionBuilder.ObjectID(action.SourceOfProvider(ref))]; o != nil {
				entry.Items = append(entry.Items, o.item())
			}
		}
		if len(entry.Items) == 0 {
			continue
		}
		if err := p.result.addContext(entry); err != nil {
			return err
		}
	}
	return nil
}

// addProviders adds the providers to the sources.
func (c *composition) addProviders(list []providerState) {
	for _, p := range list {
		entry := Provenance{SourceID: p.id, Kind: action.ProviderSource, Status: svc.StateReady, Contract: new(Contract(contract.SourceContract)), ObjectCount: p.objects}
		switch {
		case p.acquiredAt.IsZero():
			entry.Status = svc.StateUnavailable
		case p.failed:
			entry.Status = svc.StateDegraded
		}
		at := c.services.Providers.AcquiredAt(p.id, p.acquiredAt)
		if at.IsZero() {
			at = c.tx.Now()
		}
		entry.ReadAt, entry.AgeSeconds = timestamp(at), max(0, int(c.tx.Now().Sub(at)/time.Second))
		c.sources = append(c.sources, entry)
	}
}
