package surface

import (
	"encoding/json"
	"maps"
	"slices"

	"appliance/svc"
)

// Placement is the position of a surface.
type Placement struct {
	Mode Mode `json:"mode"`

	// Metadata may have stack_id, region, display, x, y, width, height, z,
	// matches_surface_id and entries of the runtime.
	Metadata svc.Map `json:"metadata"`
}

// Mode is the mode of a placement.
type Mode string

const (
	Stacked       Mode = "stacked"
	Docked        Mode = "docked"
	Detached      Mode = "detached"
	Shared        Mode = "shared"
	FieldAnchored Mode = "field_anchored"
)

// Values implements [svc.Set].
func (Mode) Values() []string { return svc.Values(Stacked, Docked, Detached, Shared, FieldAnchored) }

// checkPlacementMode returns an error if the permissions exclude the mode.
func (p Permissions) checkPlacementMode(mode Mode) error {
	if mode == Detached && !p.CanDetach || mode == Shared && !p.CanShare || mode == FieldAnchored && !p.CanFieldAnchor {
		return svc.Errorf(svc.PermissionDenied, "This surface does not permit the placement mode %s.", mode)
	}
	return nil
}

// Position is a change to placement metadata: a value sets an entry, null deletes
// it, and other entries remain. The exported fields declare the types of form
// values; fields holds everything that was sent.
type Position struct {
	StackID string  `json:"stack_id"`
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Width   float64 `json:"width"`
	Height  float64 `json:"height"`
	Z       float64 `json:"z"`

	fields svc.Map
}

// UnmarshalJSON implements [json.Unmarshaler]. It does not validate the values:
// apply does, because its errors contain the name of the field.
func (p *Position) UnmarshalJSON(text []byte) error {
	*p = Position{}
	if err := json.Unmarshal(text, &p.fields); err != nil {
		return err
	}
	p.StackID, _ = p.fields["stack_id"].(string)
	return nil
}

// maxCustomEntries limits the metadata entries whose keys this service does not
// define.
const maxCustomEntries = 20

// The metadata entries that this service defines.
var (
	numberEntries = []string{"x", "y", "width", "height", "z"}
	stringEntries = []string{"stack_id", "region", "display", "matches_surface_id"}
)

// apply returns the metadata after the change. field is the name of the position
// in the request.
func (p Position) apply(metadata svc.Map, field string) (svc.Map, error) {
	merged := maps.Clone(metadata)
	if merged == nil {
		merged = make(svc.Map)
	}
	for _, key := range slices.Sorted(maps.Keys(p.fields)) {
		if err := checkEntry(field, key, p.fields[key]); err != nil {
			return nil, err
		}
		if merged[key] = p.fields[key]; merged[key] == nil {
			delete(merged, key)
		}
	}
	custom := 0
	for key := range merged {
		if !slices.Contains(numberEntries, key) && !slices.Contains(stringEntries, key) {
			custom++
		}
	}
	if custom > maxCustomEntries {
		return nil, svc.FieldError(svc.TooLong, field, "%s may have up to %d custom entries.", svc.FieldLabel(field), maxCustomEntries)
	}
	return merged, nil
}

// checkEntry validates one metadata entry.
func checkEntry(field, key string, value any) error {
	if err := svc.CheckLine(field, key, svc.MaxName); err != nil {
		return err
	}
	name := field + "." + svc.Excerpt(key)
	text, isString := value.(string)
	_, isNumber := value.(float64)
	_, isBool := value.(bool)
	switch {
	case value == nil:
		return nil
	case slices.Contains(numberEntries, key) && !isNumber:
		return svc.FieldError(svc.MalformedBody, name, "%s must be a number.", svc.FieldLabel(name))
	case slices.Contains(stringEntries, key) && !isString:
		return svc.FieldError(svc.MalformedBody, name, "%s must be a string.", svc.FieldLabel(name))
	case isString && slices.Contains(stringEntries, key):
		return svc.CheckLine(name, text, maxID)
	case isString:
		return svc.CheckText(name, text, svc.MaxTitle)
	case !isNumber && !isBool:
		return svc.FieldError(svc.InvalidValue, name, "%s must be a string, a number or a boolean.", svc.FieldLabel(name))
	}
	return nil
}
