package world

import (
	"errors"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/surface"
)

// workspaceService is what the service that keeps the workspace is called in
// datasets: its own name is a word of screens (W-37).
const workspaceService = "workspace"

// carried is what a member has before them, be it in the dataset or not: that
// is known only when all parts are made.
type carried struct {
	order      []carriedObject // each once
	focus      string          // world_object_id; "" for none
	continuity Continuity
}

// carriedObject is one thing that a member has before them.
type carriedObject struct {
	id      string // world_object_id
	source  Source
	focused *string // when it last had the member's attention, RFC 3339; nil if it never had
}

// workspace brings in what the member has before them, and what was found.
func (c *composer) workspace(s *surface.Service) error {
	w, err := s.Read(c.tx, c.viewer)
	if err != nil {
		return err
	}
	if w.Incomplete {
		*c.incomplete = true
	}
	attention, err := s.Attention(c.tx, c.viewer)
	if err != nil {
		return err
	}
	if err := c.carry(w, attention); err != nil {
		return err
	}
	promoted, err := c.promoted(w)
	if err != nil {
		return err
	}
	return c.found(w, promoted)
}

// carry notes what is in the center, in order. attention says when the member
// was last turned to a surface.
func (c *composer) carry(w *surface.Workspace, attention map[string]time.Time) error {
	center, err := w.Stack(surface.CarryStack)
	if err != nil {
		return err
	}
	list, err := w.Select("", surface.CarryStack)
	if err != nil {
		return err
	}
	c.carried.continuity = Continuity{Revision: w.Revision, Resumed: w.Revision > 0}
	if w.UpdatedAt != nil {
		c.carried.continuity.UpdatedAt = new(stamp(*w.UpdatedAt))
	}
	seen := make(map[string]bool)
	for _, one := range list {
		source, ok := sourceOf(one.ServiceBinding)
		if !ok {
			continue
		}
		id := c.names.object(source)
		if focus := center.FocusedSurfaceID; focus != nil && *focus == one.SurfaceID {
			c.carried.focus = id
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		o := carriedObject{id: id, source: source}
		if at, ok := attention[one.SurfaceID]; ok {
			o.focused = new(stamp(at))
		}
		c.carried.order = append(c.carried.order, o)
	}
	return nil
}

// sourceOf returns what it is that a surface shows; false if it is no object.
func sourceOf(b surface.ServiceBinding) (s Source, ok bool) {
	if b.ResourceType == "html_resource" {
		b.ResourceType = "web_resource"
	}
	return Source{"service", b.ServiceID, b.ResourceType, b.ResourceID}, b.ServiceID != "" && b.ResourceType != "panel"
}

// arrange says where the objects of the dataset are in the workspace, and what
// can be done with them there.
func (c *composer) arrange() error {
	entries := make(map[string]*entry, len(c.carried.order))
	for _, o := range c.carried.order {
		entries[o.id] = nil
	}
	if len(entries) > 0 {
		for _, e := range c.entries {
			if _, ok := entries[e.id]; ok {
				entries[e.id] = e
			}
		}
	}
	here := slices.DeleteFunc(slices.Clone(c.carried.order), func(o carriedObject) bool { return entries[o.id] == nil })
	ctx := Context{ContextID: "ctx_workspace", Kind: "workspace", Label: "Workspace", Target: Target{Kind: "workspace"}}
	present := Workspace{Placement: make(svc.Map, len(here)), Continuity: c.carried.continuity}
	c.placed = make(map[string][]byte, len(here))
	for i, o := range here {
		actions := c.moving(here, i)
		if err := c.act(actions...); err != nil {
			return err
		}
		end := ending{
			Actions: actionIDs(actions), Placement: Placement{"carry", &i},
			Focus: Focus{Focusable: true, Focused: o.id == c.carried.focus, LastFocusedAt: o.focused},
		}
		if end.Focus.Focused {
			present.Focus.WorldObjectID = &o.id
			if o.source.Service == "messages" {
				present.SelectedMessageThread = &o.id
			}
		}
		var err error
		if c.placed[o.id], err = end.encode(); err != nil {
			return err
		}
		present.Order = append(present.Order, o.id)
		present.Placement[o.id] = end.Placement
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: o.id, Label: entries[o.id].label, Target: Target{Kind: "object", WorldObjectID: o.id}, Selected: end.Focus.Focused,
			ActionIDs: slices.Concat(entries[o.id].actionIDs, end.Actions),
		})
	}
	present.WorkingSet = present.Order
	whole := c.ordering(present)
	ctx.ActionIDs = actionIDs(whole)
	if c.question.Surroundings.wants("workspace") {
		c.present = present
	}
	return errors.Join(c.act(whole...), c.context(ctx))
}

// focusing is what brings an object into the workspace and turns to it: nothing
// if there is no workspace.
func (c *composer) focusing(o Object) []Action {
	if c.world.unit("surface").State() == "unavailable" {
		return nil
	}
	return []Action{c.dispatched("focus", o.Source, "Focus", Target{Kind: "object", WorldObjectID: o.WorldObjectID}, nil)}
}

// moving is what can be done with one of the objects in the workspace.
func (c *composer) moving(here []carriedObject, i int) (list []Action) {
	o := here[i]
	target := Target{Kind: "object", WorldObjectID: o.id}
	if i > 0 {
		list = append(list, c.dispatched("earlier", o.source, "Move earlier", target, svc.Map{"before": here[i-1].id}))
	}
	if i+1 < len(here) {
		list = append(list, c.dispatched("later", o.source, "Move later", target, svc.Map{"after": here[i+1].id}))
	}
	return append(list, c.dispatched("remove", o.source, "Take out of the workspace", target, nil))
}

// ordering is what can be done with the workspace as a whole.
func (c *composer) ordering(w Workspace) (list []Action) {
	target := Target{Kind: "workspace"}
	if len(w.Order) > 1 {
		list = append(list, c.dispatched("order", Source{}, "Order the workspace", target, nil, Control{
			ID: "order", Type: "text", Label: "World object ids, in order", Required: true, Default: strings.Join(w.Order, " "),
		}))
	}
	if w.Focus.WorldObjectID != nil {
		list = append(list, c.dispatched("clear", Source{}, "Focus nothing", target, nil))
	}
	return list
}
