package dataset

import (
	"appliance/svc"
	"appliance/svc/find"
	"appliance/svc/words"
	"appliance/world/action"
)

// findService is the name of the service that provides findings.
const findService = "find"

// addFind adds the context of the findings with the action that searches, and the
// state of the service. The findings themselves are in the workspace.
func (c *composition) addFind() error {
	findContext := Context{ContextID: "ctx_find", Kind: "find", Label: c.key.language.Text("Found"), Target: action.Workspace}
	objects := 0
	if r := c.next.results.workspace; r != nil {
		findContext.Items, objects = r.findingItems, len(r.objects)
	}
	if c.read(findService, c.composer.hosted(findService), c.readFind) {
		r := c.next.find
		c.addResult(&r.result, findService)
		c.fallbacks = append(c.fallbacks, r.fallbacks...)
		findContext.ActionIDs = r.actionIDs
		status := svc.StateReady
		for _, f := range r.fallbacks {
			status = svc.ServiceState(f.State)
		}
		c.addSource(findService, status, 0)
	}
	c.sources[len(c.sources)-1].ObjectCount = objects
	return c.addContext(findContext)
}

// readFind sets the result of Find.
func (c *composition) readFind(bypassCache bool) error {
	revision := c.revisions.Of(svc.MapsTopic)
	if previous := c.previous.find; previous != nil && !bypassCache && previous.revision == revision {
		c.next.find = previous
		return nil
	}
	a, err := c.services.Find.Available(c.tx)
	if err != nil {
		return err
	}
	r := &actionsResult{result: result{revision: revision}}
	if reason := reasonWithoutSearch(c.key.language, a); reason != (Reason{}) {
		r.fallbacks = append(r.fallbacks, newFallback(reason.State, Scope{Kind: ServiceScope, Service: findService}, reason.Name, reason.Message, a.Loading))
	}
	actions := action.Finds.Actions(c.actionBuilder, action.Workspace, a)
	if err := r.addActions(actions...); err != nil {
		return err
	}
	r.actionIDs = action.IDs(actions)
	r.measure()
	c.next.find = r
	return nil
}

// reasonWithoutSearch returns, in the language l, the reason for which some searches
// are unavailable. It is zero if all are available.
func reasonWithoutSearch(l words.Language, a find.Available) Reason {
	switch {
	case a.Loading && a.Local:
		return Reason{FallbackDegraded, "loading", l.Text("Only large towns are known. The other towns of the world are being loaded. Try again in a minute.")}
	case a.Loading:
		return Reason{FallbackDegraded, "loading", l.Text("The towns of the world are being loaded. Try again in a minute.")}
	case !a.Any():
		return Reason{FallbackUnavailable, "not_configured", l.Text("There is nothing to search yet. The operator imports a region with appliance maps import FILE, or configures a search server.")}
	}
	return Reason{}
}

// canonicalTypes are the types of the actions of findings, whose types in sessions
// name terms of presentation.
var canonicalTypes = map[string]string{"translate_surface": "translate_finding"}

// canonicalActions returns the actions of a finding in the terms of the dataset.
func canonicalActions(f svc.Finding) (list svc.List[svc.FindingAction]) {
	for _, a := range f.Actions {
		if t, ok := canonicalTypes[a.Type]; ok {
			a.Type = t
		}
		list = append(list, a)
	}
	return list
}

// canonicalPayload returns the payload of a finding without the type of its content.
func canonicalPayload(f svc.Finding) svc.Map {
	payload := make(svc.Map, len(f.Payload))
	for key, value := range f.Payload {
		if key != "content_type" {
			payload[key] = value
		}
	}
	return payload
}
