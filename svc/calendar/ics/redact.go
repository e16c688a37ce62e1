package ics

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Redaction determines what a reader of an object sees who is neither its owner nor
// permitted to change it, such as the client of a link.
type Redaction struct {
	Title     string // of components of which the reader sees the times only
	TimesOnly bool   // whether the reader sees only times, and only those that are busy
}

// Redact removes from the lines what the reader may not see. It returns false if
// nothing is left.
//
// A component of the class PRIVATE, or of an unknown class (RFC 5545 §3.8.1.3), is
// removed; the series of a removed override excludes its date. Of a component of
// the class CONFIDENTIAL only the times and the rule are left. An override is at least
// as restricted as its series. Alarms, attachments, the organizer and attendees are
// always removed. If only times are left, the UID, which often names a person or a
// subject, is replaced by a hash of it.
func (d *Document) Redact(r Redaction) (visible bool) {
	var master *Block
	seriesClass, detailed := ClassPublic, false
	for _, b := range d.components {
		if b.Name != "VTIMEZONE" && !b.isOverride() {
			master, seriesClass = b, max(seriesClass, parseClass(b.Value("CLASS")))
		}
	}
	for _, b := range d.components {
		if b.Name == "VTIMEZONE" {
			continue
		}
		class := max(seriesClass, parseClass(b.Value("CLASS")))
		switch {
		case class == ClassPrivate || r.TimesOnly && !b.isBusy():
			if b.isOverride() && master != nil && !master.exclude(b) {
				return false // the rules of later dates are in a component that the reader may not see
			}
			d.Calendar.RemoveBlocks(b)
			continue
		case class == ClassConfidential || r.TimesOnly:
			b.reduceToTimes(r.Title)
		default:
			b.Remove("ATTACH", "ATTENDEE", "ORGANIZER", "REQUEST-STATUS")
			b.RemoveBlocks(b.Blocks("VALARM", "PARTICIPANT")...)
			detailed = true
		}
		visible = true
	}
	if !detailed {
		d.hideUID()
	}
	return visible
}

// hideUID replaces the UID of all components by a hash of it.
func (d *Document) hideUID() {
	for _, b := range d.components {
		if b.Name != "VTIMEZONE" {
			sum := sha256.Sum256([]byte(b.Value("UID")))
			b.Set(TextProp("UID", hex.EncodeToString(sum[:16])))
		}
	}
}

// Class is the access class of a component, the least restrictive first.
type Class int

// The access classes.
const (
	ClassPublic Class = iota
	ClassConfidential
	ClassPrivate
)

// parseClass returns the class of a value of CLASS. An unknown one is PRIVATE, an empty one
// PUBLIC (RFC 5545 §3.8.1.3).
func parseClass(value string) Class {
	switch strings.ToUpper(strings.TrimSpace(value)) {
	case "", "PUBLIC":
		return ClassPublic
	case "CONFIDENTIAL":
		return ClassConfidential
	}
	return ClassPrivate
}

// String returns the value of CLASS.
func (c Class) String() string {
	return [...]string{"PUBLIC", "CONFIDENTIAL", "PRIVATE"}[c]
}

// ClassOf returns the class of component c of o for a reader: an override is at least as
// restricted as its series.
func (o *Object) ClassOf(c *Component) Class {
	class := parseClass(firstValue(c.tree, "CLASS"))
	if o.Master != nil {
		class = max(class, parseClass(firstValue(o.Master.tree, "CLASS")))
	}
	return class
}

func (b *Block) isOverride() bool {
	_, ok := b.find("RECURRENCE-ID")
	return ok
}

// isBusy reports whether the component is an event that is busy.
func (b *Block) isBusy() bool {
	return b.Name == "VEVENT" &&
		!strings.EqualFold(strings.TrimSpace(b.Value("TRANSP")), "TRANSPARENT") && !strings.EqualFold(strings.TrimSpace(b.Value("STATUS")), "CANCELLED")
}

// exclude adds the date of an override to the EXDATEs of its series. It returns false
// if the override also applies to later dates.
func (b *Block) exclude(override *Block) bool {
	i, _ := override.find("RECURRENCE-ID")
	id := override.items[i].line()
	if slices.ContainsFunc(id.params, func(p param) bool { return strings.EqualFold(string(p.name), "RANGE") }) {
		return false
	}
	line := "EXDATE" + string(id.text[len("RECURRENCE-ID"):]) // both have the same parameters
	b.items = slices.Insert(b.items, b.firstBlockIndex(), item{name: "EXDATE", raw: fold(line, b.newline)})
	return true
}

// timeProperties are the properties that a component without details keeps.
var timeProperties = []string{
	"UID", "DTSTAMP", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID", "SEQUENCE", "STATUS", "TRANSP",
}

// reduceToTimes removes everything but times and the rule, and sets the title.
func (b *Block) reduceToTimes(title string) {
	b.items = slices.DeleteFunc(b.items, func(it item) bool {
		return it.block != nil || !slices.Contains(timeProperties, it.name)
	})
	b.Add(TextProp("SUMMARY", title))
}
