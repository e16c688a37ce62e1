package surface

import (
	"appliance/store"
	"appliance/svc"
)

// PutRequest is a surface as another service adds or changes it. What it does
// not say of one that is there stays.
type PutRequest struct {
	SurfaceID      *string         `json:"surface_id"` // null or one that is not there: a new one
	SurfaceType    string          `json:"surface_type"`
	Title          string          `json:"title"`
	ServiceBinding *ServiceBinding `json:"service_binding"`
	ContentSource  *ContentSource  `json:"content_source"`
	RuntimeState   *RuntimeState   `json:"runtime_state"`
	Permissions    *Permissions    `json:"permissions"`
	RenderingHints *RenderingHints `json:"rendering_hints"`
	Placement      struct {
		Mode     string   `json:"mode"`
		Metadata Position `json:"metadata"`
	} `json:"placement"`
}

// Most of a member's surfaces: in stacks, and of those that have left them.
const (
	maxSurfaces = 500
	maxLeft     = 500
)

// Put adds a surface or changes one, and reports whether it is new (B-34). A
// new one that names no stack is in the center.
func (s *Service) Put(tx *store.Tx, v svc.Viewer, in PutRequest) (one Surface, added bool, err error) {
	id := svc.NewID("surface")
	if in.SurfaceID != nil {
		id = *in.SurfaceID
	}
	var put *Surface
	_, err = s.change(tx, v, nil, func(w *Workspace) error {
		left, err := s.left(tx, v.Member(), id)
		if err != nil {
			return err
		}
		if put, added = w.surface(id), w.surface(id) == nil && left[id] == nil; put == nil {
			if put = left[id]; put != nil {
				w.show(put)
			}
		}
		if added {
			put = w.add(Surface{SurfaceID: id, SurfaceType: in.SurfaceType, Placement: Placement{Mode: "stacked"}})
		}
		in.onto(put)
		if err := put.check(); err != nil {
			return err
		}
		if in.SurfaceType != "" && in.SurfaceType != put.SurfaceType {
			return svc.FieldError(svc.InvalidValue, "surface_type", "This surface is a %s and stays one.", put.SurfaceType)
		}
		return w.put(put, in)
	})
	if err != nil {
		return Surface{}, false, err
	}
	return *put, added, nil
}

// put puts a surface that is new, or has changed, where it is to be.
func (w *Workspace) put(one *Surface, in PutRequest) error {
	mode := one.Placement.Mode
	if in.Placement.Mode != "" {
		mode = in.Placement.Mode
	}
	if err := checkMode("placement.mode", mode); err != nil {
		return err
	}
	if err := w.place(one, mode, in.Placement.Metadata, "placement.metadata"); err != nil {
		return err
	}
	if !w.stacked(one.SurfaceID) { // it may be in a mode that moves nothing
		stack := in.Placement.Metadata.StackID
		if stack == "" {
			stack = CarryStack
			one.Placement.Metadata["stack_id"] = stack
		}
		if err := w.moveTo(stack, one, "placement.metadata"); err != nil {
			return err
		}
	}
	return w.bounded()
}

// bounded reports whether there are too many surfaces.
func (w *Workspace) bounded() error {
	if len(w.Surfaces) > maxSurfaces {
		return svc.Errorf(svc.QuotaExceeded, "A member may have up to %d surfaces.", maxSurfaces)
	}
	return nil
}

// onto changes what in says of a surface.
func (in PutRequest) onto(s *Surface) {
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

// left returns those of the surfaces that are there, be they in a stack or
// not, by their ids.
func (s *Service) left(tx *store.Tx, member svc.MemberID, ids ...string) (map[string]*Surface, error) {
	var records []record
	if err := tx.Select(&records, s.q.SurfacesByID, store.Args{"member": member, "ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	list := make(map[string]*Surface, len(records))
	for _, r := range records {
		one, err := r.surface()
		if err != nil {
			return nil, err
		}
		list[one.SurfaceID] = one
	}
	return list, nil
}

// Detail is a surface with what its service knows of its use.
type Detail struct {
	Surface  Surface           `json:"surface"`
	Sessions svc.List[Session] `json:"sessions"`
}

// Surface returns one surface of a member's, even one that has left its stack.
func (s *Service) Surface(tx *store.Tx, v svc.Viewer, id string) (d Detail, err error) {
	w, err := s.Read(tx, v)
	if err != nil {
		return d, err
	}
	one := w.surface(id)
	if one == nil {
		left, err := s.left(tx, v.Member(), id)
		if err != nil {
			return d, err
		}
		if one = left[id]; one == nil {
			return d, errNoSurface
		}
	}
	d.Surface = *one
	d.Sessions, err = s.sessions(tx, v.Member(), id)
	return d, err
}
