package dav

import (
	"encoding/xml"
	"time"

	"appliance/svc"
)

// resource is an existing resource. The fields that do not apply to its kind
// are nil.
type resource struct {
	path
	principal *Principal // of a principal
	calendar  *Calendar  // of a calendar or an object
	object    *Object    // of an object
	file      *File      // of a file or a folder
	dead      []DeadProperty
}

// etag returns the ETag of GET, "" if there is none.
func (r *resource) etag() string {
	switch {
	case r.object != nil:
		return r.object.ETag
	case r.file != nil:
		return r.file.ETag
	case r.kind == kindCalendar:
		return r.calendar.ExportETag
	}
	return ""
}

// modified returns the time of the last change of the content, the zero time if
// there is none.
func (r *resource) modified() time.Time {
	switch {
	case r.object != nil:
		return r.object.Modified
	case r.file != nil:
		return r.file.Modified
	}
	return time.Time{}
}

// property is a row of the table of properties.
type property struct {
	name    xml.Name
	kinds   kind // of the resources that can have it
	allprop bool // whether DAV:allprop includes it (RFC 4918 §9.1)

	// value writes the value of the property. It returns false if the property
	// is not defined for the resource; its output is discarded then.
	value func(*writer, *resource) bool

	// set sets a new value, or removes the property if the element is nil.
	// initial sets the value only during the creation of the calendar. A property
	// with neither func is protected (RFC 3253 §1.4.2).
	set, initial func(*PropertyUpdate, *element) *Error

	field            string // name in the errors of the backend
	inDeadProperties bool   // whether it is stored as a dead property
}

// properties is the table of properties, in the order of DAV:allprop and
// DAV:propname.
var properties = []property{
	{name: davName("resourcetype"), kinds: kindAny, allprop: true, value: resourceType, initial: checkType},                             // RFC 4918 §15.9
	{name: davName("displayname"), kinds: kindPrincipal | kindCalendar, allprop: true, value: displayName, set: setName, field: "name"}, // RFC 4918 §15.2
	{name: davName("getetag"), kinds: kindLeaf, allprop: true, value: textValue((*resource).etag)},                                      // RFC 4918 §15.6
	{name: davName("getcontenttype"), kinds: kindLeaf, allprop: true, value: textValue(contentType)},                                    // RFC 4918 §15.5
	{name: davName("getcontentlength"), kinds: kindLeaf, allprop: true, value: textValue(contentLength)},                                // RFC 4918 §15.4
	{name: davName("getlastmodified"), kinds: kindLeaf | kindFolder, allprop: true, value: textValue(lastModified)},                     // RFC 4918 §15.7
	{name: davName("creationdate"), kinds: kindFile | kindFolder, allprop: true, value: textValue(creationDate)},                        // RFC 4918 §15.1
	{name: davName("sync-token"), kinds: kindHome | kindCalendar, value: syncToken},                                                     // RFC 6578 §4
	{name: davName("supported-report-set"), kinds: kindAny, value: supportedReports},                                                    // RFC 3253 §3.1.5
	{name: davName("current-user-principal"), kinds: kindAny, value: viewerHref},                                                        // RFC 5397 §3
	{name: davName("principal-URL"), kinds: kindRoot | kindPrincipal, value: viewerHref},                                                // RFC 3744 §4.2
	{name: davName("alternate-URI-set"), kinds: kindPrincipal, value: mailAddress},                                                      // RFC 3744 §4.1
	{name: davName("group-member-set"), kinds: kindPrincipal, value: emptyValue},                                                        // RFC 3744 §4.3
	{name: davName("group-membership"), kinds: kindPrincipal, value: emptyValue},                                                        // RFC 3744 §4.4
	{name: davName("owner"), kinds: kindHome | kindCalendar | kindFolder | kindLeaf, value: viewerHref},                                 // RFC 3744 §5.1
	{name: davName("current-user-privilege-set"), kinds: kindAny, value: privileges},                                                    // RFC 3744 §5.4
	{name: davName("group"), kinds: kindHome | kindCalendar | kindFolder | kindLeaf, value: emptyValue},                                 // RFC 3744 §5.2
	{name: davName("supported-privilege-set"), kinds: kindAny, value: supportedPrivileges},                                              // RFC 3744 §5.3
	{name: davName("acl"), kinds: kindAny, value: accessList},                                                                           // RFC 3744 §5.5
	{name: davName("acl-restrictions"), kinds: kindAny, value: accessRestrictions},                                                      // RFC 3744 §5.6
	{name: davName("inherited-acl-set"), kinds: kindAny, value: emptyValue},                                                             // RFC 3744 §5.7
	{name: davName("principal-collection-set"), kinds: kindAny, value: rootHref},                                                        // RFC 3744 §5.8
	{name: davName("add-member"), kinds: kindCalendar, value: ownHref},                                                                  // RFC 5995 §3.2.1
	{name: davName("resource-id"), kinds: kindWithDeadProperties, value: resourceID},                                                    // RFC 5842 §3.1
	{name: davName("quota-available-bytes"), kinds: kindHome | kindFolder, value: quotaAvailable},                                       // RFC 4331 §3
	{name: davName("quota-used-bytes"), kinds: kindHome | kindFolder, value: quotaUsed},                                                 // RFC 4331 §4
	{name: calName("calendar-home-set"), kinds: kindPrincipal, value: homeHref},                                                         // RFC 4791 §6.2.1
	{name: calName("calendar-user-address-set"), kinds: kindPrincipal, value: addresses},                                                // RFC 6638 §2.4.1
	{name: calName("calendar-user-type"), kinds: kindPrincipal, value: userType},                                                        // RFC 6638 §2.4.2
	{name: csName("email-address-set"), kinds: kindPrincipal, value: emailAddresses},
	{name: calendarDescription, kinds: kindCalendar, value: description, set: setDescription, inDeadProperties: true, field: "description"},        // RFC 4791 §5.2.1
	{name: calName("calendar-timezone"), kinds: kindCalendar, value: timeZoneText, set: setTimeZone, inDeadProperties: true, field: "timezone"},    // RFC 4791 §5.2.2
	{name: calName("calendar-timezone-id"), kinds: kindCalendar, value: timeZoneID, set: setTimeZoneID, inDeadProperties: true, field: "timezone"}, // RFC 7809 §5.2
	{name: calName("supported-calendar-component-set"), kinds: kindCalendar, value: componentSet, initial: setComponents},                          // RFC 4791 §5.2.3
	{name: calName("supported-calendar-data"), kinds: kindCalendar, value: mediaTypes},                                                             // RFC 4791 §5.2.4
	{name: calName("max-resource-size"), kinds: kindCalendar, value: textValue(resourceLimit)},                                                     // RFC 4791 §5.2.5
	{name: calName("min-date-time"), kinds: kindCalendar, value: textValue(minDateTime)},                                                           // RFC 4791 §5.2.6
	{name: calName("max-date-time"), kinds: kindCalendar, value: textValue(maxDateTime)},                                                           // RFC 4791 §5.2.7
	{name: calName("max-instances"), kinds: kindCalendar, value: textValue(maxInstances)},                                                          // RFC 4791 §5.2.8
	{name: calName("max-attendees-per-instance"), kinds: kindCalendar, value: textValue(maxAttendees)},                                             // RFC 4791 §5.2.9
	{name: calName("schedule-calendar-transp"), kinds: kindCalendar, value: scheduleTransparency, set: setTransparency, inDeadProperties: true},    // RFC 6638 §9.1
	{name: calName("calendar-availability"), kinds: kindHome, value: availability, set: setAvailability, inDeadProperties: true},                   // RFC 7953 §7.2.4
	{name: calName("timezone-service-set"), kinds: kindHome | kindCalendar, value: emptyValue},                                                     // RFC 7809 §5.1
	{name: calName("supported-collation-set"), kinds: kindCalendar | kindObject, value: collationSet},                                              // RFC 4791 §7.5.1
	{name: calName("supported-rscale-set"), kinds: kindCalendar, value: scaleSet},                                                                  // RFC 7529 §7
	{name: csName("getctag"), kinds: kindCalendar, allprop: true, value: textValue(ctag)},                                                          // caldav-ctag-02 §4.1
	{name: calendarColor, kinds: kindCalendar, value: color, set: setColor, initial: withDefault(setColor), inDeadProperties: true, field: "color"},
	{name: xml.Name{Space: nsApple, Local: "calendar-order"}, kinds: kindCalendar, value: textValue(order), set: setOrder, initial: withDefault(setOrder), field: "order"},
}

// calendarData is a pseudo-property that only reports define (RFC 4791 §9.6).
var calendarData = property{name: calName("calendar-data"), kinds: kindObject, value: data}

var propertyOf = func() map[xml.Name]*property {
	m := make(map[xml.Name]*property)
	for i := range properties {
		m[properties[i].name] = &properties[i]
	}
	return m
}()

// Limits of the properties that one request names. Clients name about fifty.
const (
	maxProps     = 256
	maxPropNames = 16 << 10 // octets of all names, which each response repeats
)

// selection is the set of properties that a request names.
type selection struct {
	properties []requestedProperty
	namesOnly  bool      // DAV:propname
	all        bool      // DAV:allprop or DAV:propname
	dead       bool      // whether dead properties must be loaded
	data       *dataSpec // CALDAV:calendar-data; nil if it was not requested
}

// etagOnly reports whether the ETag is the only requested property that differs
// between the objects of a calendar.
func (s *selection) etagOnly() bool {
	if s.data != nil {
		return false
	}
	for _, w := range s.properties {
		switch {
		case w.property == nil, w.property.kinds&kindObject == 0:
		case w.name == davName("getcontenttype"), w.name == davName("getcontentlength"), w.name == davName("getlastmodified"):
			return false
		}
	}
	return true
}

// requestedProperty is a property that a request names.
type requestedProperty struct {
	name     xml.Name
	property *property // nil if the table does not have it
	optional bool      // whether it is omitted if undefined, instead of reported as 404
}

// liveProperty returns the row of the property if the server defines it for r,
// otherwise nil.
func (w requestedProperty) liveProperty(r *resource) *property {
	if w.property == nil || w.property.kinds&r.kind == 0 {
		return nil
	}
	return w.property
}

// readSelection parses DAV:prop, DAV:allprop with DAV:include, or DAV:propname
// (RFC 4918 §14.20) from the children of e. found is false if e has no such
// child.
func (q *request) readSelection(e *element, report bool) (s *selection, found bool, err error) {
	if n := e.count(davName("prop")) + e.count(davName("allprop")) + e.count(davName("propname")); n > 1 {
		return nil, false, svc.Errorf(svc.MalformedBody, "The request may contain one of DAV:prop, DAV:allprop and DAV:propname.")
	}
	s = new(selection)
	minimal := q.prefersMinimal()
	prop, allprop := e.child(davName("prop")), e.child(davName("allprop"))
	s.namesOnly = e.child(davName("propname")) != nil
	s.all = s.namesOnly || allprop != nil
	s.dead = s.all || q.at.kind&(kindFolder|kindFile) != 0
	for i := range properties {
		if s.namesOnly || allprop != nil && properties[i].allprop {
			s.properties = append(s.properties, requestedProperty{properties[i].name, &properties[i], true})
		}
	}
	n := 0
	for _, list := range []*element{prop, e.child(davName("include"))} {
		if list == nil {
			continue
		}
		n += len(list.children)
		if n > maxProps {
			return nil, false, svc.Errorf(svc.BodyTooLarge, "The request names more than %d properties.", maxProps)
		}
		for _, c := range list.children {
			s.add(c.name, report, minimal)
		}
	}
	octets := 0
	for _, w := range s.properties {
		octets += len(w.name.Space) + len(w.name.Local)
	}
	if octets > maxPropNames {
		return nil, false, svc.Errorf(svc.BodyTooLarge, "The property names have more than %d octets in total.", maxPropNames)
	}
	return s, prop != nil || allprop != nil || s.namesOnly, nil
}

// add adds a property, unless it is already present.
func (s *selection) add(name xml.Name, report, optional bool) {
	for _, w := range s.properties {
		if w.name == name {
			return
		}
	}
	p := propertyOf[name]
	if report && name == calendarData.name {
		p = &calendarData
	}
	s.dead = s.dead || p == nil || p.inDeadProperties
	s.properties = append(s.properties, requestedProperty{name, p, optional})
}
