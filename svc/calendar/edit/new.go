package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// New returns a new object of a component, with times in zone unless the change
// names another one.
func New(component string, c Change, zone *ics.Zone, now time.Time) (r Result, err error) {
	doc := ics.NewDocument(ics.ProdID)
	block := doc.Calendar.NewBlock(component)
	block.Add(ics.TextProp("UID", newUID()))
	block.Add(ics.TimeProp("CREATED", ics.UTC(now)))
	e := &componentEditor{
		doc: doc, block: block, isMaster: true, isTask: component == "VTODO", now: now, zones: timeZones{zone, zone}, outcome: &r.Outcome,
	}
	if err := e.apply(c); err != nil {
		return r, err
	}
	r.Object, err = parse(doc.Bytes())
	return r, err
}

// CheckTimezone checks an IANA name in a field; "" is valid.
func CheckTimezone(field, name string) error {
	if _, ok := svc.Zone(name); !ok && name != "" {
		return svc.FieldError(svc.InvalidValue, field, "%.64q is not a known time zone. Enter a name such as Europe/Berlin.", name)
	}
	return nil
}
