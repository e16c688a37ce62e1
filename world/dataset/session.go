package dataset

import (
	"strings"

	"appliance/svc"
)

// Harness is what POST /world/session may say of the runtime and of where it
// is (B-06). It stands above the header and the query.
type Harness struct {
	Profile struct {
		Runtime      string   `json:"runtime"`      // its name
		Capabilities []string `json:"capabilities"` // null if it does not say
	} `json:"profile"`
	Context struct {
		Location   *Coordinates `json:"location"`
		Radius     *int         `json:"radius"`     // metres
		Categories []string     `json:"categories"` // null for all
	} `json:"context"`
}

// With returns the question as a harness asks it.
func (q Request) With(h Harness) (Request, error) {
	q.Contract = HarnessContract
	caps := strings.Join(h.Profile.Capabilities, " ")
	err := svc.Join(svc.CheckText("profile.runtime", h.Profile.Runtime, maxRuntimeHeader), svc.CheckText("profile.capabilities", caps, maxRuntimeHeader))
	if err != nil {
		return q, err
	}
	if h.Profile.Runtime != "" {
		q.Runtime.ID = RuntimeID{ID: h.Profile.Runtime}
	}
	if h.Profile.Capabilities != nil {
		q.Runtime.redeclare(words(caps))
	}
	at := &q.Params
	if h.Context.Location != nil {
		if at.Origin, err = h.Context.Location.Check("context.location"); err != nil {
			return q, err
		}
	}
	if r := h.Context.Radius; r != nil {
		at.Radius = servedRadius(*r)
	}
	if h.Context.Categories != nil {
		at.Categories = knownCategories(h.Context.Categories)
	}
	return q, nil
}

// Coordinates are where a runtime says that it is. What it leaves out is not
// made up.
type Coordinates struct {
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
}

// Check returns the place that is meant; field is where it stands.
func (at Coordinates) Check(field string) (*Location, error) {
	err := svc.Join(checkDegrees(field+".latitude", at.Latitude, 90), checkDegrees(field+".longitude", at.Longitude, 180))
	if err != nil {
		return nil, err
	}
	return &Location{*at.Latitude, *at.Longitude}, nil
}

// checkDegrees checks an angle that may be up to so much, either way.
func checkDegrees(field string, d *float64, most float64) error {
	switch {
	case d == nil:
		return svc.Required(field)
	case !(*d >= -most && *d <= most):
		return svc.FieldError(svc.InvalidValue, field, "%s must be a number from %v to %v.", field, -most, most)
	}
	return nil
}
