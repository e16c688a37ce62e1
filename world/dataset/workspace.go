package dataset

import (
	"time"

	"appliance/svc/surface"
	"appliance/world/action"
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

func (c *carried) size() int {
	if c == nil {
		return 0
	}
	return 300 * len(c.order)
}

// carriedObject is one thing that a member has before them.
type carriedObject struct {
	id      string // world_object_id
	source  action.Source
	title   string  // when it was brought there
	focused *string // when it last had the member's attention, RFC 3339; nil if it never had
}

// workspace brings in what the member has before them, and what was found.
func (c *composition) workspace(s *surface.Service) error {
	w, err := s.Read(c.tx, c.viewer)
	if err != nil {
		return err
	}
	if w.Unsaved {
		*c.incomplete = true
	}
	attention, err := s.LastFocused(c.tx, c.viewer)
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
func (c *composition) carry(w *surface.Workspace, attention map[string]time.Time) error {
	center, err := w.Stack(surface.CarryStack)
	if err != nil {
		return err
	}
	list, err := w.Select("", surface.CarryStack)
	if err != nil {
		return err
	}
	c.carried = &carried{continuity: Continuity{Revision: w.Revision, Resumed: w.Revision > 0}}
	if w.UpdatedAt != nil {
		c.carried.continuity.UpdatedAt = new(stamp(*w.UpdatedAt))
	}
	seen := make(map[string]bool)
	for _, one := range list {
		source, ok := action.SourceOf(one.ServiceBinding)
		if !ok {
			continue
		}
		id := c.names.Object(source)
		if focus := center.FocusedSurfaceID; focus != nil && *focus == one.SurfaceID {
			c.carried.focus = id
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		o := carriedObject{id: id, source: source, title: one.Title}
		if at, ok := attention[one.SurfaceID]; ok {
			o.focused = new(stamp(at))
		}
		c.carried.order = append(c.carried.order, o)
	}
	return nil
}
