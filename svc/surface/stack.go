package surface

import "appliance/svc"

// Stack is an ordered list of surfaces.
type Stack struct {
	NumericID        int64            `json:"numeric_id"` // of no meaning outside
	StackID          string           `json:"stack_id"`
	StackType        string           `json:"stack_type"`
	Region           string           `json:"region"`
	Display          string           `json:"display"`
	Slot             string           `json:"slot"`        // may be empty
	Orientation      string           `json:"orientation"` // the axis along which one moves through it
	FocusedSurfaceID *string          `json:"focused_surface_id"`
	SurfaceOrder     svc.List[string] `json:"surface_order"`
	ViewportID       string           `json:"viewport_id"`
}

// Viewport presents a stack. Schema: service.surface.viewport.
type Viewport struct {
	ViewportID         string  `json:"viewport_id"`
	ViewportType       string  `json:"viewport_type"` // "stack"
	Region             string  `json:"region"`
	Slot               string  `json:"slot"` // may be empty
	Display            string  `json:"display"`
	NeighborVisibility float64 `json:"neighbor_visibility"` // how much shows of the surfaces beside the focused one, of 1
}

// The stacks that every member has.
const (
	CarryStack   = "carry_primary"
	LeftStack    = "left_context"
	RightStack   = "right_context"
	OverlayStack = "finding_overlay"
)

// stacks are those stacks, as they begin (B-36).
var stacks = []Stack{
	{1, CarryStack, "carry_stack", "carry", "full", "center", "horizontal", nil, nil, "viewport_center"},
	{2, LeftStack, "context_stack", "context", "rail", "left", "vertical", nil, nil, "viewport_left"},
	{3, RightStack, "context_stack", "context", "rail", "right", "vertical", nil, nil, "viewport_right"},
	{4, OverlayStack, "overlay_stack", "overlay", "full", "", "horizontal", nil, nil, "viewport_overlay"},
}

// viewports returns what presents the stacks: one for each.
func viewports() []Viewport {
	list := make([]Viewport, len(stacks))
	for i, s := range stacks {
		list[i] = Viewport{s.ViewportID, "stack", s.Region, s.Slot, s.Display, 0}
		if s.StackID == CarryStack {
			list[i].NeighborVisibility = 0.15
		}
	}
	return list
}
