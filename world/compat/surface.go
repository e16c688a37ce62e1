package compat

import (
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world"
)

// SurfaceRuntime is the member's surfaces and their arrangement, with the URLs
// of the commands that change it. Schema: service.surface.runtime.
type SurfaceRuntime struct {
	Contract  surface.Contract           `json:"contract"`
	Revision  int64                      `json:"revision"` // increases with every change; send it as expected_revision
	Surfaces  svc.List[Surface]          `json:"surfaces"`
	Stacks    svc.List[Stack]            `json:"stacks"`
	Viewports svc.List[surface.Viewport] `json:"viewports"`
	Commands  Commands                   `json:"commands"`
}

// Commands are the URLs of all commands, as RFC 6570 level 1 templates over the
// fields of a stack or a surface. Every stack and every surface also has its own
// URLs. All commands except focus, reorder and open take a placement.
type Commands struct {
	FocusSurface       string `json:"focus_surface"`
	ReorderStack       string `json:"reorder_stack"`
	UpdatePlacement    string `json:"update_placement"`
	DetachSurface      string `json:"detach_surface"`
	DockSurface        string `json:"dock_surface"`
	FieldAnchorSurface string `json:"field_anchor_surface"`
	ShareSurface       string `json:"share_surface"`
	SaveObject         string `json:"save_object"`
	OpenFinding        string `json:"open_finding,omitzero"` // only if a finding is a place; the body is {}
}

// Surface is a surface with the URLs of its commands. Schema:
// service.surface.surface.
type Surface struct {
	surface.Surface
	Commands SurfaceCommands `json:"commands"`
}

// SurfaceCommands are the URLs of the commands of a surface.
type SurfaceCommands struct {
	UpdatePlacement string `json:"update_placement"`
	OpenFinding     string `json:"open_finding,omitzero"` // only of a finding that is a place; the body is {}
}

// Stack is a stack with the URLs of its commands. Schema:
// service.surface.stack.
type Stack struct {
	surface.Stack
	Commands StackCommands `json:"commands"`
}

// StackCommands are the URLs of the commands of a stack.
type StackCommands struct {
	FocusSurface string `json:"focus_surface"`
	ReorderStack string `json:"reorder_stack"`
}

// Arranged is the response to a command. Schema: service.surface.arranged.
type Arranged struct {
	Status         string         `json:"status"`           // "ok"
	Surface        *Surface       `json:"surface,omitzero"` // the surface that was placed or opened
	Created        *bool          `json:"created,omitzero"` // of open only: whether the surface is new
	SurfaceRuntime SurfaceRuntime `json:"surface_runtime"`
}

// Brief is what is kept of an Arranged that is long: what was done, and not how
// everything was arranged then.
type Brief struct {
	Status    string `json:"status"`
	SurfaceID string `json:"surface_id,omitzero"`
	Created   *bool  `json:"created,omitzero"`
}

// Short implements [world.Shortener].
func (a Arranged) Short() any {
	b := Brief{Status: a.Status, Created: a.Created}
	if a.Surface != nil {
		b.SurfaceID = a.Surface.SurfaceID
	}
	return b
}

// With returns the whole answer to what was done, with everything as it is then.
func (b Brief) With(r SurfaceRuntime) Arranged {
	a := Arranged{Status: b.Status, Created: b.Created, SurfaceRuntime: r}
	for i, s := range r.Surfaces {
		if s.SurfaceID == b.SurfaceID {
			a.Surface = &r.Surfaces[i]
		}
	}
	return a
}

// placement is the address of a surface's placement; id may be a template's
// variable.
func placement(id string) string { return "/world/surface/surfaces/" + id + "/placement" }

// opening is the address where a place that was found is opened; id may be a
// template's variable.
func opening(id string) string { return "/world/surface/surfaces/" + id + "/open" }

func stackCommands(id string) StackCommands {
	return StackCommands{"/world/surface/stacks/" + id + "/focus", "/world/surface/stacks/" + id + "/reorder"}
}

// NewSurface returns a surface as World has it.
func NewSurface(s surface.Surface, titles world.Titles) Surface {
	s = titles.Apply(s)
	one := Surface{s, SurfaceCommands{UpdatePlacement: placement(s.SurfaceID)}}
	if f := s.RuntimeState.Finding; f != nil && s.SurfaceType == surface.FindingType {
		if _, _, ok := f.Location(); ok {
			one.Commands.OpenFinding = opening(s.SurfaceID)
		}
	}
	return one
}

// NewSurfaceRuntime returns all that a member has before them as World has it.
func NewSurfaceRuntime(r surface.Runtime, titles world.Titles) SurfaceRuntime {
	// The value of {stack_key} is a stack's stack_id.
	stack, place := stackCommands("{stack_key}"), placement("{surface_id}")
	all := SurfaceRuntime{
		Contract: r.Contract, Revision: r.Revision, Viewports: r.Viewports,
		Commands: Commands{stack.FocusSurface, stack.ReorderStack, place, place, place, place, place, place, ""},
	}
	for _, s := range r.Surfaces {
		one := NewSurface(s, titles)
		if all.Surfaces = append(all.Surfaces, one); one.Commands.OpenFinding != "" {
			all.Commands.OpenFinding = opening("{surface_id}")
		}
	}
	for _, s := range r.Stacks {
		all.Stacks = append(all.Stacks, Stack{s, stackCommands(s.StackID)})
	}
	return all
}
