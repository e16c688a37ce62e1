package dav

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"slices"

	"appliance/svc"
)

// outcome is the result of one property of a request.
type outcome struct {
	name     xml.Name
	property *property
	err      *Error // nil if the property can be set
}

// Errors of properties that cannot be set.
var (
	errProtected        = forbidden(davName("cannot-modify-protected-property"), "The property is protected.")
	errNoDeadProperties = &Error{Status: http.StatusForbidden, Message: "This resource does not store dead properties."}
)

// Limits of dead properties. The backend enforces the sum.
const (
	MaxDeadProperty   = 16 << 10 // octets of one property
	MaxDeadProperties = 64 << 10 // octets of all properties of one resource
)

// patch collects the property instructions of a request, which take effect
// together or not at all (RFC 4918 §9.2).
type patch struct {
	kind     kind // of the resource
	creation bool // whether the resource is being created
	set      PropertyUpdate
	outcomes []outcome
}

// read applies the DAV:set and DAV:remove elements in document order
// (RFC 4918 §9.2).
func (p *patch) read(body *element) error {
	for _, instruction := range body.children {
		remove := instruction.name == davName("remove")
		prop := instruction.child(davName("prop"))
		if !remove && instruction.name != davName("set") || prop == nil {
			continue
		}
		for _, value := range prop.children {
			if len(p.outcomes) == maxProps {
				return svc.Errorf(svc.BodyTooLarge, "The request has more than %d properties.", maxProps)
			}
			if p.apply(value, remove); p.set.err != nil {
				return p.set.err
			}
		}
	}
	return nil
}

// apply applies one instruction. For a property that occurs twice, the first
// error is kept.
func (p *patch) apply(value *element, remove bool) {
	o := outcome{name: value.name, property: propertyOf[value.name]}
	set := p.setter(o.property)
	switch {
	case p.isDeadProperty(o.property):
		o.err = p.setDeadProperty(value, remove)
	case set == nil:
		o.err = errProtected
	case remove:
		o.err = set(&p.set, nil)
	default:
		o.err = set(&p.set, value)
	}
	for i, earlier := range p.outcomes {
		if earlier.name == o.name {
			if earlier.err == nil {
				p.outcomes[i].err = o.err
			}
			return
		}
	}
	p.outcomes = append(p.outcomes, o)
}

// isDeadProperty reports whether the property is stored without interpretation:
// the server does not define it, or defines it as writable for calendars only
// and the resource is a file or a folder.
func (p *patch) isDeadProperty(known *property) bool {
	return known == nil || known.set != nil && known.kinds&p.kind == 0 && p.kind&(kindFolder|kindFile) != 0
}

// setDeadProperty sets or removes a dead property.
func (p *patch) setDeadProperty(value *element, remove bool) *Error {
	if p.kind&kindWithDeadProperties == 0 {
		return errNoDeadProperties
	}
	if remove {
		return p.set.setDead(value.name, nil)
	}
	return p.set.setDead(value.name, value)
}

// setter returns the function that sets the property, nil if it is protected.
// All properties of principals are protected.
func (p *patch) setter(known *property) func(*PropertyUpdate, *element) *Error {
	switch {
	case known == nil || known.kinds&p.kind == 0 || p.kind == kindPrincipal:
		return nil
	case p.creation && known.initial != nil:
		return known.initial
	}
	return known.set
}

// hasFailed reports whether an instruction was rejected.
func (p *patch) hasFailed() bool {
	return slices.ContainsFunc(p.outcomes, func(o outcome) bool { return o.err != nil })
}

// assignErrors assigns an error of the backend to the properties whose fields
// it names. It returns false if it names no field of a property in the request.
func (p *patch) assignErrors(err error) bool {
	var svcError *svc.Error
	if !errors.As(err, &svcError) || svcError.Code.Kind != svc.Unprocessable && svcError.Code.Kind != svc.Malformed {
		return false
	}
	for i, o := range p.outcomes {
		for _, f := range svcError.Fields {
			if o.property != nil && o.property.field == f.Name {
				p.outcomes[i].err = &Error{Status: http.StatusConflict, Message: f.Message}
			}
		}
	}
	return p.hasFailed()
}

// proppatch handles PROPPATCH (RFC 4918 §9.2).
func (q *request) proppatch() error {
	body, err := q.body()
	if err == io.EOF || err == nil && body.name != davName("propertyupdate") {
		return svc.Errorf(svc.MalformedBody, "The body of PROPPATCH must be DAV:propertyupdate.")
	}
	if err != nil {
		return err
	}
	p := &patch{kind: q.at.kind, set: PropertyUpdate{work: svc.WorkOf(q.Context())}}
	if err := p.read(body); err != nil {
		return err
	}
	if len(p.outcomes) == 0 {
		return svc.Errorf(svc.MalformedBody, "DAV:propertyupdate contains no property.")
	}
	if err := q.update(p); err != nil {
		return err
	}
	if !p.hasFailed() && q.prefersMinimal() { // RFC 8144 §2
		q.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return q.sendOutcomes(p)
}

// sendOutcomes responds with a DAV:multistatus that contains the outcome of each
// property.
func (q *request) sendOutcomes(p *patch) error {
	x := q.newDocument()
	x.root(davName("multistatus"))
	x.start(davName("response"))
	x.href(q.at)
	x.propstats(p)
	x.end(davName("response"))
	x.end(davName("multistatus"))
	return q.send(http.StatusMultiStatus)
}

// update applies p, unless an instruction failed.
func (q *request) update(p *patch) error {
	precondition, err := q.precondition()
	if err != nil {
		return err
	}
	err = q.view(func(snap Snapshot) error {
		_, err := findOne(snap, q.at)
		return err
	})
	if err != nil || p.hasFailed() || p.set.isEmpty() {
		return err
	}
	err = q.h.backend.Update(q.Context(), q.viewer, q.at.ref(), p.set, precondition)
	if err != nil && p.assignErrors(err) {
		return nil
	}
	return err
}

// propstats writes the outcomes, grouped by error, in the order of the request.
// If a property failed, the other properties have the status 424 (RFC 4918 §9.2).
func (x *writer) propstats(p *patch) {
	for i, first := range p.outcomes {
		same := func(o outcome) bool { return o.err == first.err }
		if slices.ContainsFunc(p.outcomes[:i], same) {
			continue
		}
		x.raw("<D:propstat><D:prop>")
		for _, o := range p.outcomes[i:] {
			if same(o) {
				x.empty(o.name)
			}
		}
		x.raw("</D:prop>")
		switch {
		case first.err != nil:
			x.propstatError(first.err)
		case p.hasFailed():
			x.statusLine(http.StatusFailedDependency)
		default:
			x.statusLine(http.StatusOK)
		}
		x.raw("</D:propstat>")
	}
}

func (x *writer) propstatError(e *Error) {
	x.statusLine(e.Status)
	if e.Condition.Local != "" {
		x.start(davName("error"))
		x.condition(e)
		x.end(davName("error"))
	}
	if e.Message != "" {
		x.element(davName("responsedescription"), e.Message)
	}
}
