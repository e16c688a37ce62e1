package surface

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"appliance/svc"
)

// Placement is where a surface is.
type Placement struct {
	Mode string `json:"mode"` // "stacked", "docked", "detached", "shared" or "field_anchored"

	// Metadata may have stack_id, region, display, x, y, width, height, z and
	// matches_surface_id, and what else a runtime has noted.
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

// permit reports whether a surface may be in a mode.
func (p Permissions) permit(mode string) error {
	if mode == "detached" && !p.CanDetach || mode == "shared" && !p.CanShare || mode == "field_anchored" && !p.CanFieldAnchor {
		return svc.Errorf(svc.PermissionDenied, "This surface cannot be %s.", mode)
	}
	return nil
}

// Position is how the metadata of a placement are to change: what is named is
// set, null takes it away, the rest stays. Its fields say what a form's texts
// stand for; all that was sent is in given.
type Position struct {
	StackID string  `json:"stack_id"`
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Width   float64 `json:"width"`
	Height  float64 `json:"height"`
	Z       float64 `json:"z"`

	given svc.Map
}

// UnmarshalJSON keeps what is known and what is not. Whether it may be is seen
// when it is known under which name it came.
func (p *Position) UnmarshalJSON(text []byte) error {
	*p = Position{}
	if err := json.Unmarshal(text, &p.given); err != nil {
		return err
	}
	p.StackID, _ = p.given["stack_id"].(string)
	return nil
}

// maxUnknown is how many entries metadata may have that mean nothing here.
const maxUnknown = 20

// numbers and names are the entries that do mean something.
var (
	numbers = []string{"x", "y", "width", "height", "z"}
	names   = []string{"stack_id", "region", "display", "matches_surface_id"}
)

// onto returns the metadata as p changes them. field is what p is called in
// the request.
func (p Position) onto(metadata svc.Map, field string) (svc.Map, error) {
	all := maps.Clone(metadata)
	if all == nil {
		all = make(svc.Map)
	}
	for _, key := range slices.Sorted(maps.Keys(p.given)) {
		if err := checkEntry(field, key, p.given[key]); err != nil {
			return nil, err
		}
		if all[key] = p.given[key]; all[key] == nil {
			delete(all, key)
		}
	}
	unknown := 0
	for key := range all {
		if !slices.Contains(numbers, key) && !slices.Contains(names, key) {
			unknown++
		}
	}
	if unknown > maxUnknown {
		return nil, svc.FieldError(svc.TooLong, field, "%s may have up to %d entries of your own.", field, maxUnknown)
	}
	return all, nil
}

// checkEntry checks one entry of metadata. Numbers are finite: JSON has no
// others.
func checkEntry(field, key string, value any) error {
	if err := svc.CheckLine(field, key, svc.MaxName); err != nil {
		return err
	}
	name := field + "." + svc.Excerpt(key)
	text, isText := value.(string)
	_, isNumber := value.(float64)
	_, isBool := value.(bool)
	switch {
	case value == nil:
		return nil
	case slices.Contains(numbers, key) && !isNumber:
		return svc.FieldError(svc.MalformedBody, name, "%s must be a number.", name)
	case slices.Contains(names, key) && !isText:
		return svc.FieldError(svc.MalformedBody, name, "%s must be a text.", name)
	case isText && slices.Contains(names, key):
		return svc.CheckLine(name, text, maxID)
	case isText:
		return svc.CheckText(name, text, svc.MaxTitle)
	case !isNumber && !isBool:
		return svc.FieldError(svc.InvalidValue, name, "%s must be a text, a number or true or false.", name)
	}
	return nil
}
