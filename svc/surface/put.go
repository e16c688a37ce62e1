package surface

import (
	"appliance/store"
	"appliance/svc"
)

// PutRequest creates a surface or changes one. Fields that it omits keep their
// values.
type PutRequest struct {
	SurfaceID      *string         `json:"surface_id"` // null or unknown: creates a surface
	SurfaceType    Type            `json:"surface_type"`
	Title          string          `json:"title"`
	ServiceBinding *ServiceBinding `json:"service_binding"`
	ContentSource  *ContentSource  `json:"content_source"`
	RuntimeState   *RuntimeState   `json:"runtime_state"`
	Permissions    *Permissions    `json:"permissions"`
	RenderingHints *RenderingHints `json:"rendering_hints"`
	Placement      struct {
		Mode     Mode     `json:"mode"`
		Metadata Position `json:"metadata"`
	} `json:"placement"`
}

// Put creates a surface or changes target, and reports whether it created it. A
// surface without a stack is appended to the carry stack.
func (s *Service) Put(tx *store.Tx, v svc.Viewer, in PutRequest) (surface Surface, created bool, err error) {
	id := svc.NewID("surface")
	if in.SurfaceID != nil {
		id = *in.SurfaceID
	}
	var target *Surface
	_, err = s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		stored, err := s.surfacesByID(tx, v.Member(), id)
		if err != nil {
			return err
		}
		target = w.surface(id)
		created = target == nil && stored[id] == nil
		switch {
		case created:
			target = w.create(Surface{SurfaceID: id, SurfaceType: in.SurfaceType, Placement: Placement{Mode: Stacked}})
		case target == nil:
			target = stored[id]
			w.insert(target)
		}
		in.applyTo(target)
		if err := target.check(); err != nil {
			return err
		}
		if in.SurfaceType != "" && in.SurfaceType != target.SurfaceType {
			return svc.FieldError(svc.InvalidValue, "surface_type", "The type of a surface cannot change. This surface is a %s.", target.SurfaceType)
		}
		return w.applyPlacement(target, in)
	})
	if err != nil {
		return Surface{}, false, err
	}
	return *target, created, nil
}

// applyPlacement applies the placement of a PutRequest to a surface.
func (w *Workspace) applyPlacement(surface *Surface, in PutRequest) error {
	mode := surface.Placement.Mode
	if in.Placement.Mode != "" {
		mode = in.Placement.Mode
	}
	if err := w.setPlacement(surface, mode, in.Placement.Metadata, "placement.metadata"); err != nil {
		return err
	}
	if !w.isStacked(surface.SurfaceID) { // setPlacement moves surfaces only in the modes stacked and docked
		stack := in.Placement.Metadata.StackID
		if stack == "" {
			stack = CarryStack
			surface.Placement.Metadata["stack_id"] = stack
		}
		if err := w.moveTo(stack, surface, "placement.metadata"); err != nil {
			return err
		}
	}
	return w.checkLimit()
}

// applyTo sets the fields of s that the request contains.
func (in PutRequest) applyTo(s *Surface) {
	if in.Title != "" {
		s.Title = in.Title
	}
	set(&s.ServiceBinding, in.ServiceBinding)
	set(&s.ContentSource, in.ContentSource)
	set(&s.RuntimeState, in.RuntimeState)
	set(&s.Permissions, in.Permissions)
	set(&s.RenderingHints, in.RenderingHints)
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// Detail is a surface with its sessions.
type Detail struct {
	Surface  Surface           `json:"surface"`
	Sessions svc.List[Session] `json:"sessions"`
}

// Surface returns a surface of v, even if it is in no stack.
func (s *Service) Surface(tx *store.Tx, v svc.Viewer, id string) (d Detail, err error) {
	w, err := s.Read(tx, v)
	if err != nil {
		return d, err
	}
	surface := w.surface(id)
	if surface == nil {
		stored, err := s.surfacesByID(tx, v.Member(), id)
		if err != nil {
			return d, err
		}
		if surface = stored[id]; surface == nil {
			return d, errNoSurface
		}
	}
	d.Surface = *surface
	d.Sessions, err = s.sessions(tx, v.Member(), id)
	return d, err
}
