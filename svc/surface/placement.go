package surface

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"appliance/svc"
)

// Placement says where a surface is.
type Placement struct {
	Mode string `json:"mode"` // "stacked", "docked", "detached", "shared" or "field_anchored"

	// Metadata may have stack_id, region, display, x, y, width, height, z,
	// matches_surface_id and entries of the runtime.
	Metadata svc.Map `json:"metadata"`
}

var modes = []string{"stacked", "docked", "detached", "shared", "field_anchored"}

func checkMode(field, mode string) error {
	if mode == "" {
		return svc.Required(field)
	}
	if !slices.Contains(modes, mode) {
		return svc.FieldError(svc.InvalidValue, field, "%s must be one of %s.", field, strings.Join(modes, ", "))
	}
	return nil
}

// permit returns an error if the permissions exclude the mode.
func (p Permissions) permit(mode string) error {
	if mode == "detached" && !p.CanDetach || mode == "shared" && !p.CanShare || mode == "field_anchored" && !p.CanFieldAnchor {
		return svc.Errorf(svc.PermissionDenied, "This surface does not permit the placement mode %s.", mode)
	}
	return nil
}

// Position is a change of placement metadata: a value sets an entry, null deletes
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

// UnmarshalJSON implements [json.Unmarshaler]. The values are validated by
// apply, which knows the name of the field for its errors.
func (p *Position) UnmarshalJSON(text []byte) error {
	*p = Position{}
	if err := json.Unmarshal(text, &p.fields); err != nil {
		return err
	}
	p.StackID, _ = p.fields["stack_id"].(string)
	return nil
}

// maxCustomEntries limits the metadata entries that this service does not know.
const maxCustomEntries = 20

// Metadata entries that this service knows.
var (
	numberEntries = []string{"x", "y", "width", "height", "z"}
	stringEntries = []string{"stack_id", "region", "display", "matches_surface_id"}
)

// apply returns the metadata after the change. field is the name of the position
// in the request.
func (p Position) apply(metadata svc.Map, field string) (svc.Map, error) {
	changed := maps.Clone(metadata)
	if changed == nil {
		changed = make(svc.Map)
	}
	for _, key := range slices.Sorted(maps.Keys(p.fields)) {
		if err := checkEntry(field, key, p.fields[key]); err != nil {
			return nil, err
		}
		if changed[key] = p.fields[key]; changed[key] == nil {
			delete(changed, key)
		}
	}
	custom := 0
	for key := range changed {
		if !slices.Contains(numberEntries, key) && !slices.Contains(stringEntries, key) {
			custom++
		}
	}
	if custom > maxCustomEntries {
		return nil, svc.FieldError(svc.TooLong, field, "%s may have up to %d custom entries.", field, maxCustomEntries)
	}
	return changed, nil
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
		return svc.FieldError(svc.MalformedBody, name, "%s must be a number.", name)
	case slices.Contains(stringEntries, key) && !isString:
		return svc.FieldError(svc.MalformedBody, name, "%s must be a string.", name)
	case isString && slices.Contains(stringEntries, key):
		return svc.CheckLine(name, text, maxID)
	case isString:
		return svc.CheckText(name, text, svc.MaxTitle)
	case !isNumber && !isBool:
		return svc.FieldError(svc.InvalidValue, name, "%s must be a string, a number or a boolean.", name)
	}
	return nil
}
