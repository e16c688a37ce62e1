package compat

import (
	goMaps "maps"

	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/panel"
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
// URLs. All commands except focus, reorder, remove and open take a placement.
type Commands struct {
	FocusSurface       string `json:"focus_surface"`
	ReorderStack       string `json:"reorder_stack"`
	UpdatePlacement    string `json:"update_placement"`
	DetachSurface      string `json:"detach_surface"`
	DockSurface        string `json:"dock_surface"`
	FieldAnchorSurface string `json:"field_anchor_surface"`
	ShareSurface       string `json:"share_surface"`
	SaveObject         string `json:"save_object"`
	RemoveSurface      string `json:"remove_surface"`             // only for removable surfaces
	TranslateSurface   string `json:"translate_surface,omitzero"` // only for findings that are web pages; the body may have refresh
	OpenFinding        string `json:"open_finding,omitzero"`      // only for findings that are places; the body is {}
}

// Surface is a surface with the URLs of its commands. Schema:
// service.surface.surface.
type Surface struct {
	surface.Surface
	Icon      string          `json:"icon"`
	Badge     *panel.Badge    `json:"badge"`     // null for none
	Removable bool            `json:"removable"` // whether the surface has the command remove_surface
	Commands  SurfaceCommands `json:"commands"`
}

// SurfaceCommands are the URLs of the commands of a surface.
type SurfaceCommands struct {
	UpdatePlacement  string `json:"update_placement"`
	RemoveSurface    string `json:"remove_surface,omitzero"`    // takes the surface out of its stack; the body is {}
	TranslateSurface string `json:"translate_surface,omitzero"` // only for a finding that is a web page; the body may have refresh
	OpenFinding      string `json:"open_finding,omitzero"`      // only for a finding that is a place; the body is {}
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

// CommandResponse is the response to a command. Schema: service.surface.arranged.
type CommandResponse struct {
	Status         string               `json:"status"`               // "ok"
	Translation    *world.PreviewResult `json:"translation,omitzero"` // only for translate
	Surface        *Surface             `json:"surface,omitzero"`     // the surface that was placed, opened or translated
	Created        *bool                `json:"created,omitzero"`     // whether the surface is new; only for open
	SurfaceRuntime SurfaceRuntime       `json:"surface_runtime"`
}

// ShortCommandResponse is a CommandResponse without the surfaces. It is stored
// for replays if the CommandResponse is too long.
type ShortCommandResponse struct {
	Status    string `json:"status"`
	SurfaceID string `json:"surface_id,omitzero"`
	Created   *bool  `json:"created,omitzero"`

	Translation *world.PreviewResult `json:"translation,omitzero"`
}

// Short implements [world.Shortener].
func (a CommandResponse) Short() any {
	b := ShortCommandResponse{Status: a.Status, Created: a.Created, Translation: a.Translation}
	if a.Surface != nil {
		b.SurfaceID = a.Surface.SurfaceID
	}
	return b
}

// WithSurfaces returns the response to a replay, with the current surfaces.
func (b ShortCommandResponse) WithSurfaces(r SurfaceRuntime) CommandResponse {
	a := CommandResponse{Status: b.Status, Created: b.Created, Translation: b.Translation, SurfaceRuntime: r}
	for i, s := range r.Surfaces {
		if s.SurfaceID == b.SurfaceID {
			a.Surface = &r.Surfaces[i]
		}
	}
	return a
}

// placementURL returns the URL of the placement of a surface. id may be a
// variable of a template.
func placementURL(id string) string { return "/world/surface/surfaces/" + id + "/placement" }

// removeURL returns the URL that takes a surface out of its stack. id may be a variable
// of a template.
func removeURL(id string) string { return "/world/surface/surfaces/" + id + "/remove" }

// openURL returns the URL that opens the finding of a surface. id may be a
// variable of a template.
func openURL(id string) string { return "/world/surface/surfaces/" + id + "/open" }

// translateURL returns the URL that translates the page of a surface. id may be a
// variable of a template.
func translateURL(id string) string { return "/world/surface/surfaces/" + id + "/translate" }

// stackCommands returns the commands of a stack. id may be a variable of a
// template.
func stackCommands(id string) StackCommands {
	return StackCommands{"/world/surface/stacks/" + id + "/focus", "/world/surface/stacks/" + id + "/reorder"}
}

// newSurface returns a surface with its current title, its commands, and if it shows a
// place, the map with the layers.
func newSurface(s surface.Surface, removable bool, current world.Presented) Surface {
	s = withMap(current.Apply(s), current.Layers)
	result := Surface{s, surfaceIcon(s), current.BadgeOf(s), removable, SurfaceCommands{UpdatePlacement: placementURL(s.SurfaceID)}}
	if removable {
		result.Commands.RemoveSurface = removeURL(s.SurfaceID)
	}
	if f := s.RuntimeState.Finding; f != nil && s.SurfaceType == surface.FindingType {
		if _, _, ok := f.Location(); ok {
			result.Commands.OpenFinding = openURL(s.SurfaceID)
		} else if f.ObjectType == svc.PageFinding {
			result.Commands.TranslateSurface = translateURL(s.SurfaceID)
		}
	}
	return result
}

// withMap adds the map to the object of a surface that shows a place.
func withMap(s surface.Surface, layers []maps.Layer) surface.Surface {
	f, object := s.RuntimeState.Finding, s.RuntimeState.SurfaceObject
	if s.SurfaceType != surface.MapType || f == nil || object == nil || len(layers) == 0 {
		return s
	}
	if latitude, longitude, ok := f.Location(); ok {
		object = goMaps.Clone(object)
		object["runtime_hints"] = svc.Map{
			"presentation_status": "ready", "map": maps.NewRuntime(geo.Point{Latitude: latitude, Longitude: longitude}, s.Title, layers),
		}
		s.RuntimeState.SurfaceObject = object
	}
	return s
}

// NewSurfaceRuntime returns the surfaces of a member with their current data and their
// commands.
func NewSurfaceRuntime(r surface.Runtime, current world.Presented) SurfaceRuntime {
	// {stack_key} stands for a stack_id.
	stack, place := stackCommands("{stack_key}"), placementURL("{surface_id}")
	runtime := SurfaceRuntime{
		Contract: r.Contract, Revision: r.Revision, Viewports: r.Viewports,
		Commands: Commands{stack.FocusSurface, stack.ReorderStack, place, place, place, place, place, place, removeURL("{surface_id}"), "", ""},
	}
	for _, s := range r.Surfaces {
		presented := newSurface(s, r.IsRemovable(s.SurfaceID), current)
		if runtime.Surfaces = append(runtime.Surfaces, presented); presented.Commands.OpenFinding != "" {
			runtime.Commands.OpenFinding = openURL("{surface_id}")
		}
		if presented.Commands.TranslateSurface != "" {
			runtime.Commands.TranslateSurface = translateURL("{surface_id}")
		}
	}
	for _, s := range r.Stacks {
		runtime.Stacks = append(runtime.Stacks, Stack{s, stackCommands(s.StackID)})
	}
	return runtime
}
