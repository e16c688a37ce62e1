package surface

import "appliance/svc"

// Stack is an ordered list of surfaces.
type Stack struct {
	NumericID        int64            `json:"numeric_id"` // has no meaning outside this service
	StackID          string           `json:"stack_id"`
	StackType        string           `json:"stack_type"`
	Region           string           `json:"region"`
	Display          string           `json:"display"`
	Slot             string           `json:"slot"`        // may be empty
	Orientation      string           `json:"orientation"` // axis of the order: "horizontal" or "vertical"
	FocusedSurfaceID *string          `json:"focused_surface_id"`
	SurfaceOrder     svc.List[string] `json:"surface_order"` // surface ids
	ViewportID       string           `json:"viewport_id"`
}

// Viewport presents a stack. Schema: service.surface.viewport.
type Viewport struct {
	ViewportID         string  `json:"viewport_id"`
	ViewportType       string  `json:"viewport_type"` // "stack"
	Region             string  `json:"region"`
	Slot               string  `json:"slot"` // may be empty
	Display            string  `json:"display"`
	NeighborVisibility float64 `json:"neighbor_visibility"` // visible fraction of the surfaces next to the focused one, 0 to 1
}

// Ids of the stacks that every member has.
const (
	CarryStack   = "carry_primary"
	LeftStack    = "left_context"
	RightStack   = "right_context"
	OverlayStack = "finding_overlay"
)

// defaultStacks are the stacks of a new member, in the order of NumericID.
var defaultStacks = []Stack{
	{1, CarryStack, "carry_stack", "carry", "full", "center", "horizontal", nil, nil, "viewport_center"},
	{2, LeftStack, "context_stack", "context", "rail", "left", "vertical", nil, nil, "viewport_left"},
	{3, RightStack, "context_stack", "context", "rail", "right", "vertical", nil, nil, "viewport_right"},
	{4, OverlayStack, "overlay_stack", "overlay", "full", "", "horizontal", nil, nil, "viewport_overlay"},
}

// viewports returns the viewports, one for each stack.
func viewports() []Viewport {
	list := make([]Viewport, len(defaultStacks))
	for i, s := range defaultStacks {
		list[i] = Viewport{s.ViewportID, "stack", s.Region, s.Slot, s.Display, 0}
		if s.StackID == CarryStack {
			list[i].NeighborVisibility = 0.15
		}
	}
	return list
}
