package dataset

import (
	"strings"

	"appliance/svc"
)

// SessionRequest is the body of POST /world/session. Its fields override the
// header and the query.
type SessionRequest struct {
	Profile struct {
		Runtime      string   `json:"runtime"`      // name of the runtime; "" for the name in the header
		Capabilities []string `json:"capabilities"` // null for the capabilities in the header
	} `json:"profile"`
	Context struct {
		Location   *Coordinates `json:"location"`
		Radius     *int         `json:"radius"`     // metres
		Categories []string     `json:"categories"` // null for the categories in the query
	} `json:"context"`
}

// With returns the request with the fields of s.
func (q Request) With(s SessionRequest) (Request, error) {
	q.Contract = SessionContract
	caps := strings.Join(s.Profile.Capabilities, " ")
	err := svc.Join(svc.CheckText("profile.runtime", s.Profile.Runtime, maxRuntimeHeader), svc.CheckText("profile.capabilities", caps, maxRuntimeHeader))
	if err != nil {
		return q, err
	}
	if s.Profile.Runtime != "" {
		q.Runtime.ID = RuntimeID{ID: s.Profile.Runtime}
	}
	if s.Profile.Capabilities != nil {
		q.Runtime.redeclare(splitWords(caps))
	}
	if s.Context.Location != nil {
		if q.Params.Origin, err = s.Context.Location.Check("context.location"); err != nil {
			return q, err
		}
	}
	if s.Context.Radius != nil {
		q.Params.Radius = clampRadius(*s.Context.Radius)
	}
	if s.Context.Categories != nil {
		q.Params.Categories = filterRequested(allCategories, s.Context.Categories)
	}
	return q, nil
}

// Coordinates are the position of the runtime as a request body contains it.
type Coordinates struct {
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
}

// Check validates the coordinates. field is the name of the field that contains
// them.
func (at Coordinates) Check(field string) (*Location, error) {
	err := svc.Join(checkDegrees(field+".latitude", at.Latitude, 90), checkDegrees(field+".longitude", at.Longitude, 180))
	if err != nil {
		return nil, err
	}
	return &Location{*at.Latitude, *at.Longitude}, nil
}

// checkDegrees validates an angle from -most to most.
func checkDegrees(field string, d *float64, most float64) error {
	switch {
	case d == nil:
		return svc.Required(field)
	case !(*d >= -most && *d <= most):
		return svc.FieldError(svc.InvalidValue, field, "%s must be a number from %v to %v.", svc.FieldLabel(field), -most, most)
	}
	return nil
}
