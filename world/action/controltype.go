package action

import (
	"maps"
	"slices"

	"golang.org/x/text/language"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// ControlType is the type of a [Control]. A runtime shows a control of an unknown type as
// text.
type ControlType string

const (
	TextInput       ControlType = "text"       // one line of text
	AreaInput       ControlType = "textarea"   // a text of several lines
	SelectorInput   ControlType = "selector"   // the value of one of the options
	CheckboxInput   ControlType = "checkbox"   // true or false
	DateInput       ControlType = "date"       // a date, such as 2026-12-01
	DateTimeInput   ControlType = "datetime"   // a date with a time, such as 2026-12-01T09:00:00
	TimeInput       ControlType = "time"       // a time of day, such as 09:00
	NumberInput     ControlType = "number"     // a number
	HiddenInput     ControlType = "hidden"     // the default, which the member does not see
	PasswordInput   ControlType = "password"   // a password or another secret, which the runtime does not show
	TimezoneInput   ControlType = "timezone"   // the IANA name of a time zone, such as Europe/Berlin
	ColorInput      ControlType = "color"      // the value of one of the options; if there are none or they are colors such as #4e7cfe, any such color
	MemberInput     ControlType = "member"     // the value of one of the options, or the user name, the e-mail address or the display name of a member
	MembersInput    ControlType = "members"    // a list of such values
	RecurrenceInput ControlType = "recurrence" // a recurrence rule (RFC 5545 §3.3.10), such as FREQ=WEEKLY;BYDAY=MO
	DurationInput   ControlType = "duration"   // a number of minutes
	AlarmInput      ControlType = "alarm"      // a reminder: an object with trigger, related and action
	LocationInput   ControlType = "location"   // one line of text that names a place
	FileInput       ControlType = "file"       // a file; it is the body of the request, and the other controls are parameters of the query
)

// Values implements [svc.Set].
func (ControlType) Values() []string {
	return svc.Values(
		TextInput, AreaInput, SelectorInput, CheckboxInput, DateInput, DateTimeInput, TimeInput, NumberInput, HiddenInput,
		PasswordInput, TimezoneInput, ColorInput, MemberInput, MembersInput, RecurrenceInput, DurationInput, AlarmInput,
		LocationInput, FileInput,
	)
}

// maxPassword limits the length of a password in characters.
const maxPassword = 1024

// passwordControl returns a control for a required secret. It has no default: no read
// contains a secret.
func passwordControl(id, label string) Control {
	return Control{ID: id, Type: PasswordInput, Label: label, Required: true, MaxLength: maxPassword}
}

// timezoneControl returns a control for a required time zone.
func timezoneControl(id, label, value string) Control {
	return Control{ID: id, Type: TimezoneInput, Label: label, Required: true, Default: value, OptionsURL: TimezoneOptionsURL}
}

// zoneControl returns the control for the time zone of the times in a form. It may be
// empty for whole days.
func zoneControl(value string) Control {
	c := timezoneControl("timezone", "Time zone", value)
	c.Required = false
	return c
}

// colorControl returns a control for the color of a calendar, with those of the palette as
// options. The member may leave it empty.
func colorControl(id, label, value string) Control {
	return Control{ID: id, Type: ColorInput, Label: label, Default: value, MaxLength: 7, Options: paletteOptions}
}

// paletteOptions are the colors of calendars by name.
var paletteOptions = func() (list svc.List[Option]) {
	for _, c := range calendar.Palette() {
		list = append(list, Option{Value: c.Light, Label: c.Name})
	}
	return list
}()

// memberControl returns a control for one other member.
func memberControl(id, label string) Control {
	return Control{ID: id, Type: MemberInput, Label: label, Required: true, Default: "", MaxLength: svc.MaxTitle, OptionsURL: MemberOptionsURL}
}

// fileControl returns a control for a required file of a media type with at most max
// bytes.
func fileControl(id, label string, max int, mediaTypes ...string) Control {
	return Control{ID: id, Type: FileInput, Label: label, Required: true, Accept: mediaTypes, MaxBytes: max}
}

// localeControl returns a control for a locale: a selector of the languages with a catalog. If the
// member has one of them with a region, the value of its option has this region. Texts for another
// locale are in English.
func localeControl(value string) Control {
	var options svc.List[Option]
	for _, l := range words.Languages() {
		options = append(options, Option{Value: l.Tag().String(), Label: l.Catalog().Name, Name: true})
	}
	if i := slices.IndexFunc(options, func(o Option) bool { return languageOf(o.Value) == languageOf(value) }); i >= 0 {
		options[i].Value = value
	} else {
		english := words.English.Catalog().Name
		options = slices.Insert(options, 0, Option{Value: value, Label: value + ": " + english, Name: true})
	}
	return selectorControl("locale", "Language", value, options)
}

// formatsControl returns a control for the formats of dates and numbers of a member: a selector of
// the regions of the language, with examples. An option has the value of the member if it has its region.
func formatsControl(m identity.Member) Control {
	value := ""
	if m.Formats != nil {
		value = *m.Formats
	}
	options := svc.List[Option]{{Value: "", Label: "Automatic, from the language and the browser"}}
	l := words.For(m.Locale)
	for _, region := range slices.Sorted(maps.Keys(l.Catalog().Regions)) {
		options = append(options, Option{Value: l.Tag().String() + "-" + region, Label: l.Example(region), Name: true})
	}
	switch i := slices.IndexFunc(options, func(o Option) bool { return regionOf(o.Value) == regionOf(value) }); {
	case i >= 0:
		options[i].Value = value
	default:
		options = append(options, Option{Value: value, Label: value, Name: true})
	}
	c := selectorControl("formats", "Dates and numbers", value, options)
	c.Required = false
	return c
}

// FormatsText returns what a member has chosen for dates and numbers, as the form shows it.
func FormatsText(l words.Language, m identity.Member) string {
	c := formatsControl(m)
	i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Value == c.Default })
	if chosen := c.Options[i]; chosen.Name {
		return chosen.Label
	}
	return l.Text(c.Options[i].Label)
}

// languageOf returns the language of a locale, such as de.
func languageOf(locale string) string {
	base, _ := language.Make(locale).Base()
	return base.String()
}

// regionOf returns the region of a locale, or "" if it has none.
func regionOf(locale string) string {
	if region, confidence := language.Make(locale).Region(); confidence == language.Exact {
		return region.String()
	}
	return ""
}
