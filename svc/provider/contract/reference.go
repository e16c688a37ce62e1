package contract

import (
	"fmt"
	"net/url"
)

// checkReferences adds the problems of the references between the records of a valid
// payload, of their ids and of their links.
func checkReferences(s *Source, provider string, p *problems) {
	c := references{problems: p, provider: provider}
	c.checkEqual(s.Provider.ID, provider, "provider", "id")
	c.objects = make(map[Ref]bool, len(s.Objects.Items))
	for i, o := range s.Objects.Items {
		c.checkEqual(o.Source.Provider, provider, "objects", "items", i, "source", "provider")
		if c.objects[o.Source] {
			c.report("An earlier object has the same source. Each object needs a source of its own.", "objects", "items", i, "source")
		}
		c.objects[o.Source] = true
	}
	targets := c.checkActions(s.Actions.Items)
	c.checkResources(s)
	for i, o := range s.Objects.Items {
		for j, id := range o.Actions {
			if target, ok := targets[id]; !ok {
				c.report("There is no action "+excerpt(id)+" in this payload.", "objects", "items", i, "actions", j)
			} else if target != o.Source {
				c.report("The action "+excerpt(id)+" has another object as its target_source.", "objects", "items", i, "actions", j)
			}
		}
	}
	c.checkRelationships(s.Relationships.Items)
	c.checkCollections(s.Collections.Items)
	c.checkExtensions(s.Extensions.Items)
}

// references is the state of [checkReferences].
type references struct {
	*problems
	provider string
	objects  map[Ref]bool // sources of the objects
}

// report adds a problem at a path of keys and indices.
func (c *references) report(message string, path ...any) {
	keys := make([]string, len(path))
	for i, key := range path {
		keys[i] = fmt.Sprint(key)
	}
	c.add(keys, "%s", message)
}

// checkEqual reports a string that differs from the expected one.
func (c *references) checkEqual(got, want string, path ...any) {
	if got != want {
		c.report("This is "+excerpt(got)+". Write "+excerpt(want)+".", path...)
	}
}

// checkObject reports a reference that is not an object of the payload.
func (c *references) checkObject(ref Ref, path ...any) {
	switch {
	case ref.Provider != c.provider:
		c.checkEqual(ref.Provider, c.provider, append(path, "provider")...)
	case !c.objects[ref]:
		c.report("There is no object with this source in the payload.", path...)
	}
}

// checkIDs reports ids that occur twice in a section.
func checkIDs[T any](c *references, section string, items []T, id func(T) string) {
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		if seen[id(item)] {
			c.report("An earlier record has the same id. Each record of the section needs an id of its own.", section, "items", i, "id")
		}
		seen[id(item)] = true
	}
}

// checkActions returns the target of each action.
func (c *references) checkActions(list []Action) (targets map[string]Ref) {
	checkIDs(c, "actions", list, func(a Action) string { return a.ID })
	targets = make(map[string]Ref, len(list))
	for i, a := range list {
		targets[a.ID] = a.TargetSource
		c.checkObject(a.TargetSource, "actions", "items", i, "target_source")
		if a.Operation != nil && a.Operation.Provider != "" {
			c.checkEqual(a.Operation.Provider, c.provider, "actions", "items", i, "command", "provider")
		}
		controls := make(map[string]bool, len(a.Input))
		for j, control := range a.Input {
			if controls[control.ID] {
				c.report("An earlier control of the action has the same id.", "actions", "items", i, "input", j, "id")
			}
			controls[control.ID] = true
		}
	}
	return targets
}

func (c *references) checkResources(s *Source) {
	checkIDs(c, "resources", s.Resources.Items, func(r Resource) string { return r.ID })
	ids := make(map[string]bool, len(s.Resources.Items))
	for i, r := range s.Resources.Items {
		ids[r.ID] = true
		u, err := url.Parse(r.Href)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			c.report("This is not a URL with https or http and a host, without user name and password.", "resources", "items", i, "href")
		}
	}
	for i, o := range s.Objects.Items {
		for j, id := range o.Resources {
			if !ids[id] {
				c.report("There is no resource "+excerpt(id)+" in this payload.", "objects", "items", i, "resources", j)
			}
		}
	}
}

// checkRelationships checks all but the targets, which may belong to a provider that
// is not known yet.
func (c *references) checkRelationships(list []Relationship) {
	checkIDs(c, "relationships", list, func(r Relationship) string { return r.ID })
	for i, r := range list {
		c.checkObject(r.Source, "relationships", "items", i, "source")
	}
}

func (c *references) checkCollections(list []Collection) {
	checkIDs(c, "collections", list, func(l Collection) string { return l.ID })
	for i, l := range list {
		seen := make(map[Ref]bool, len(l.Items))
		for j, ref := range l.Items {
			c.checkObject(ref, "collections", "items", i, "items", j)
			if seen[ref] {
				c.report("The collection lists this object twice.", "collections", "items", i, "items", j)
			}
			seen[ref] = true
		}
	}
}

func (c *references) checkExtensions(list []Extension) {
	checkIDs(c, "extensions", list, func(e Extension) string { return e.ID })
	for i, e := range list {
		if e.Target != nil {
			c.checkObject(*e.Target, "extensions", "items", i, "target")
		}
	}
}

// checkResult adds the problems of a valid result that does not belong to a command.
func checkResult(r *Result, command *Command, p *problems) {
	c := references{problems: p, provider: command.Provider}
	c.checkEqual(r.CommandID, command.CommandID, "command_id")
	c.checkEqual(r.Provider, command.Provider, "provider")
	c.checkEqual(r.Operation, command.Operation, "operation")
	if r.TargetSource != command.TargetSource {
		c.report("This is not the target_source of the command.", "target_source")
	}
	for i, fact := range r.PersistentState {
		c.checkEqual(fact.Source.Provider, command.Provider, "persistent_state", i, "source", "provider")
	}
	for i, ref := range r.Refresh.Sources {
		c.checkEqual(ref.Provider, command.Provider, "refresh", "sources", i, "provider")
	}
}
