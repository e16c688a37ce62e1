package dav

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
)

// textValue returns the value func of a property with a text; the property is
// undefined if the text is "".
func textValue(of func(*resource) string) func(*writer, *resource) bool {
	return func(x *writer, r *resource) bool {
		s := of(r)
		x.text(s)
		return s != ""
	}
}

func order(r *resource) string       { return strconv.Itoa(r.calendar.Order) }
func resourceLimit(*resource) string { return strconv.Itoa(maxResource) }
func minDateTime(*resource) string   { return ics.MinDateTime }
func maxDateTime(*resource) string   { return ics.MaxDateTime }
func maxInstances(*resource) string  { return strconv.Itoa(ics.MaxInstances) }
func maxAttendees(*resource) string  { return strconv.Itoa(ics.MaxAttendees) }

func contentType(r *resource) string {
	if r.file != nil {
		return r.file.MediaType
	}
	return "text/calendar; charset=utf-8; component=" + r.object.Component
}

func contentLength(r *resource) string {
	if r.file != nil {
		return strconv.Itoa(r.file.Size)
	}
	return strconv.Itoa(r.object.Size)
}

func lastModified(r *resource) string {
	if r.modified().IsZero() {
		return ""
	}
	return r.modified().UTC().Format(http.TimeFormat)
}

func creationDate(r *resource) string { return r.file.Created.UTC().Format(time.RFC3339) }

// data writes CALDAV:calendar-data.
func data(x *writer, r *resource) bool {
	x.octets(ics.RefoldUTF8(r.object.Data))
	return len(r.object.Data) > 0
}

// home returns the viewer's calendar home, which it loads once per document.
func (x *writer) home() Home {
	if x.homeCache == nil {
		h, err := x.snapshot.Home()
		if err != nil {
			x.err = err
		}
		x.homeCache = &h
	}
	return *x.homeCache
}

func ctag(r *resource) string { return r.calendar.SyncToken }

// syncToken writes DAV:sync-token.
func syncToken(x *writer, r *resource) bool {
	x.text(x.tokenOf(r))
	return true
}

// tokenOf returns the sync token of a collection, "" if it has none.
func (x *writer) tokenOf(r *resource) string {
	switch r.kind {
	case kindCalendar:
		return r.calendar.SyncToken
	case kindHome:
		return x.home().SyncToken
	}
	return ""
}

func quotaAvailable(x *writer, _ *resource) bool {
	x.raw(strconv.FormatInt(x.home().Available, 10))
	return true
}

func quotaUsed(x *writer, _ *resource) bool {
	x.raw(strconv.FormatInt(x.home().Used, 10))
	return true
}

// scheduleTransparency writes CALDAV:schedule-calendar-transp.
func scheduleTransparency(x *writer, r *resource) bool {
	if isTransparent(r.dead) {
		x.empty(calName("transparent"))
	} else {
		x.empty(calName("opaque"))
	}
	return true
}

// color writes calendar-color as the client spelled it, if that is still the
// color of the calendar.
func color(x *writer, r *resource) bool {
	for _, d := range r.dead {
		if d.Name != calendarColor {
			continue
		}
		if e, err := readXML(strings.NewReader(d.Element)); err == nil {
			if c, ok := ics.ParseColor(e.value()); ok && c == r.calendar.Color {
				for _, a := range e.attrs {
					if a.Name.Space == "" {
						x.attribute(a.Name.Local, a.Value)
					}
				}
				x.text(e.value())
				return true
			}
		}
	}
	x.text(r.calendar.Color)
	return r.calendar.Color != ""
}

// description writes CALDAV:calendar-description, with the xml:lang of the dead
// property (RFC 4791 §5.2.1) if that has the current text.
func description(x *writer, r *resource) bool {
	if e := deadElement(r.dead, calendarDescription.Local); e != nil && string(e.text) == r.calendar.Description {
		x.attribute("xml:lang", e.language())
	}
	x.text(r.calendar.Description)
	return r.calendar.Description != ""
}

func availability(x *writer, r *resource) bool {
	text, ok := deadText(r.dead, "calendar-availability")
	x.text(text)
	return ok
}

func displayName(x *writer, r *resource) bool {
	name := ""
	if r.principal != nil {
		name = r.principal.DisplayName
	} else {
		name = r.calendar.Name
	}
	x.text(name)
	return name != ""
}

func resourceType(x *writer, r *resource) bool {
	if r.kind&kindCollection != 0 {
		x.empty(davName("collection"))
	}
	switch r.kind {
	case kindPrincipal:
		x.empty(davName("principal"))
	case kindCalendar:
		x.empty(calName("calendar"))
	}
	return true
}

func rootHref(x *writer, r *resource) bool {
	x.href(path{kind: kindRoot})
	return true
}

func ownHref(x *writer, r *resource) bool {
	x.href(r.path)
	return true
}

func viewerHref(x *writer, r *resource) bool {
	x.href(path{kind: kindPrincipal, member: x.member})
	return true
}

// resourceID writes DAV:resource-id.
func resourceID(x *writer, r *resource) bool {
	id, err := x.snapshot.ResourceID(r.path.ref())
	if err != nil {
		x.err = err
	}
	x.element(davName("href"), id)
	return true
}

// homeHref writes exactly one href: clients only use the first.
func homeHref(x *writer, r *resource) bool {
	x.href(path{kind: kindHome, member: r.member})
	return true
}

func addresses(x *writer, r *resource) bool {
	mailAddress(x, r)
	x.href(r.path)
	return true
}

func mailAddress(x *writer, r *resource) bool {
	if r.principal.Email != "" {
		x.element(davName("href"), "mailto:"+r.principal.Email)
	}
	return true
}

func emailAddresses(x *writer, r *resource) bool {
	x.element(csName("email-address"), r.principal.Email)
	return r.principal.Email != ""
}

func userType(x *writer, _ *resource) bool {
	x.raw("INDIVIDUAL")
	return true
}

func supportedReports(x *writer, r *resource) bool {
	for _, row := range reports {
		if row.on&r.kind != 0 {
			x.start(davName("supported-report"))
			x.start(davName("report"))
			x.empty(row.name)
			x.end(davName("report"))
			x.end(davName("supported-report"))
		}
	}
	return true
}

func componentSet(x *writer, r *resource) bool {
	for _, name := range r.calendar.Components {
		x.raw(`<C:comp name="`)
		x.escape(name, true)
		x.raw(`"/>`)
	}
	return true
}

func scaleSet(x *writer, r *resource) bool {
	x.element(calName("supported-rscale"), "GREGORIAN")
	return true
}

func mediaTypes(x *writer, r *resource) bool {
	x.raw(`<C:calendar-data content-type="text/calendar" version="2.0"/>`)
	return true
}

func collationSet(x *writer, r *resource) bool {
	for _, c := range ics.Collations {
		x.element(calName("supported-collation"), c)
	}
	return true
}
