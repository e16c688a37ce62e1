package ics

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

// ProdID identifies this program in the objects that it creates (RFC 5545 §3.7.3).
const ProdID = "-//appliance//time//EN"

// maxLineOctets limits a physical line, without its line ending
// (RFC 5545 §3.1).
const maxLineOctets = 75

// TextProp returns a TEXT property.
func TextProp(name, text string) ical.Prop { return ical.Prop{Name: name, Value: escapeText(text)} }

// ListProp returns a property whose value is a list of TEXT, such as
// CATEGORIES.
func ListProp(name string, items []string) ical.Prop {
	escaped := make([]string, len(items))
	for i, item := range items {
		escaped[i] = escapeText(item)
	}
	return ical.Prop{Name: name, Value: strings.Join(escaped, ",")}
}

// TimeProp returns a DATE or DATE-TIME property. Several times must have the
// same form and zone.
func TimeProp(name string, times ...Time) ical.Prop {
	values := make([]string, len(times))
	for i, t := range times {
		values[i] = t.String()
	}
	p := ical.Prop{Name: name, Params: ical.Params{}, Value: strings.Join(values, ",")}
	switch t := times[0]; {
	case t.form == formDate:
		p.Params.Set("VALUE", "DATE")
	case t.form == formZoned && t.zone != utc:
		p.Params.Set("TZID", t.zone.TZID)
	}
	return p
}

// IntProp returns an INTEGER property.
func IntProp(name string, n int) ical.Prop {
	return ical.Prop{Name: name, Value: strconv.Itoa(n)}
}

// DurationProp returns a DURATION property.
func DurationProp(name string, d Duration) ical.Prop {
	return ical.Prop{Name: name, Value: d.String()}
}

// RuleProp returns an RRULE property.
func RuleProp(r *Rule) ical.Prop { return ical.Prop{Name: "RRULE", Value: r.String()} }

// AddAlarm adds a VALARM (RFC 5545 §3.6.6).
func (b *Block) AddAlarm(a Alarm) {
	v := b.NewBlock("VALARM")
	v.Add(TextProp("ACTION", a.Action))
	v.Add(TriggerProp(a))
	if a.Description != "" {
		v.Add(TextProp("DESCRIPTION", a.Description))
	}
	if a.Repeat > 0 {
		v.Add(IntProp("REPEAT", a.Repeat))
		v.Add(DurationProp("DURATION", a.Interval))
	}
}

// TriggerProp returns the TRIGGER property of an alarm.
func TriggerProp(a Alarm) ical.Prop {
	trigger := DurationProp("TRIGGER", a.Offset)
	switch {
	case !a.At.IsZero():
		trigger = TimeProp("TRIGGER", a.At)
		trigger.Params.Set("VALUE", "DATE-TIME")
	case a.RelatedToEnd:
		trigger.Params = ical.Params{"RELATED": {"END"}}
	}
	return trigger
}

// formatLine formats a property as a folded content line. It removes control
// characters, so no value can start another line.
func formatLine(p ical.Prop, newline string) []byte {
	params := ""
	if len(p.Params) > 0 {
		params = formatParams(p.Params)
	}
	text := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isControl(byte(r)) {
			return -1
		}
		return r
	}, strings.ToUpper(p.Name)+params+":"+p.Value) // replaces invalid UTF-8 by U+FFFD
	return fold(text, newline)
}

func formatParams(params ical.Params) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(params)) {
		for i, value := range params[name] {
			if i == 0 {
				b.WriteString(";" + name + "=")
			} else {
				b.WriteByte(',')
			}
			b.WriteString(encodeParam(value))
		}
	}
	return b.String()
}

// fold breaks a line into physical lines, without breaking UTF-8 sequences.
func fold(text, newline string) []byte {
	out := make([]byte, 0, len(text)+len(text)/maxLineOctets*3+len(newline))
	for room := maxLineOctets; len(text) > room; room = maxLineOctets - 1 {
		end := room
		for !utf8.RuneStart(text[end]) {
			end--
		}
		out = append(append(out, text[:end]...), newline+" "...)
		text = text[end:]
	}
	return append(append(out, text...), newline...)
}

var (
	escaper      = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)
	paramEncoder = strings.NewReplacer("^", "^^", "\r\n", "^n", "\n", "^n", `"`, "^'")
	paramDecoder = strings.NewReplacer("^n", "\n", "^'", `"`, "^^", "^")
)

// escapeText encodes a TEXT value (RFC 5545 §3.3.11).
func escapeText(s string) string { return escaper.Replace(s) }

// decodeParam decodes a parameter value (RFC 6868 §3.2).
func decodeParam(s string) string { return paramDecoder.Replace(s) }

// encodeParam encodes a parameter value (RFC 6868 §3.1) and quotes it if
// necessary.
func encodeParam(s string) string {
	s = paramEncoder.Replace(s)
	if strings.ContainsAny(s, ";:,") {
		return `"` + s + `"`
	}
	return s
}
