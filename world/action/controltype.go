package action

import (
	"appliance/svc"
	"appliance/svc/calendar"
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

// localeControl returns a control for a locale: a selector that contains the current
// value, which may be any language tag.
func localeControl(value string) Control {
	options, found := locales, false
	for _, o := range locales {
		found = found || o.Value == value
	}
	if !found && value != "" {
		options = append(svc.List[Option]{{Value: value, Label: value, Name: true}}, locales...)
	}
	return selectorControl("locale", "Language and region", value, options)
}

// locales are frequent locales (BCP 47) with their names in their own language, as in
// the CLDR.
var locales = svc.List[Option]{
	{Value: "bg", Label: "Български", Name: true}, {Value: "ca", Label: "Català", Name: true}, {Value: "cs", Label: "Čeština", Name: true}, {Value: "da", Label: "Dansk", Name: true}, {Value: "de", Label: "Deutsch", Name: true}, {Value: "de-AT", Label: "Deutsch (Österreich)", Name: true},
	{Value: "de-CH", Label: "Deutsch (Schweiz)", Name: true}, {Value: "el", Label: "Ελληνικά", Name: true}, {Value: "en", Label: "English", Name: true}, {Value: "en-AU", Label: "English (Australia)", Name: true}, {Value: "en-CA", Label: "English (Canada)", Name: true},
	{Value: "en-GB", Label: "English (United Kingdom)", Name: true}, {Value: "en-US", Label: "English (United States)", Name: true}, {Value: "es", Label: "Español", Name: true}, {Value: "es-MX", Label: "Español (México)", Name: true}, {Value: "et", Label: "Eesti", Name: true},
	{Value: "eu", Label: "Euskara", Name: true}, {Value: "fi", Label: "Suomi", Name: true}, {Value: "fr", Label: "Français", Name: true}, {Value: "fr-CA", Label: "Français (Canada)", Name: true}, {Value: "fr-CH", Label: "Français (Suisse)", Name: true}, {Value: "ga", Label: "Gaeilge", Name: true},
	{Value: "gl", Label: "Galego", Name: true}, {Value: "hr", Label: "Hrvatski", Name: true}, {Value: "hu", Label: "Magyar", Name: true}, {Value: "is", Label: "Íslenska", Name: true}, {Value: "it", Label: "Italiano", Name: true}, {Value: "ja", Label: "日本語", Name: true}, {Value: "ko", Label: "한국어", Name: true},
	{Value: "lt", Label: "Lietuvių", Name: true}, {Value: "lv", Label: "Latviešu", Name: true}, {Value: "mt", Label: "Malti", Name: true}, {Value: "nb", Label: "Norsk bokmål", Name: true}, {Value: "nl", Label: "Nederlands", Name: true}, {Value: "nl-BE", Label: "Nederlands (België)", Name: true},
	{Value: "nn", Label: "Norsk nynorsk", Name: true}, {Value: "pl", Label: "Polski", Name: true}, {Value: "pt", Label: "Português", Name: true}, {Value: "pt-BR", Label: "Português (Brasil)", Name: true}, {Value: "ro", Label: "Română", Name: true}, {Value: "ru", Label: "Русский", Name: true},
	{Value: "sk", Label: "Slovenčina", Name: true}, {Value: "sl", Label: "Slovenščina", Name: true}, {Value: "sr", Label: "Српски", Name: true}, {Value: "sv", Label: "Svenska", Name: true}, {Value: "tr", Label: "Türkçe", Name: true}, {Value: "uk", Label: "Українська", Name: true}, {Value: "zh-Hans", Label: "简体中文", Name: true},
	{Value: "zh-Hant", Label: "繁體中文", Name: true},
}
