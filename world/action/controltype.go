package action

import "appliance/svc"

// ControlType describes a type of controls.
type ControlType struct {
	Name  string
	Value string // what the member enters
}

// ControlTypes lists the types of controls. A runtime shows a control of a type that
// it does not know as text.
var ControlTypes = []ControlType{
	{"text", "one line of text"},
	{"textarea", "a text of several lines"},
	{"selector", "the value of one of the options"},
	{"checkbox", "true or false"},
	{"date", "a date, such as 2026-12-01"},
	{"datetime", "a date with a time, such as 2026-12-01T09:00:00"},
	{"time", "a time of day, such as 09:00"},
	{"number", "a number"},
	{"hidden", "the default, which the member does not see"},
	{"password", "a password or another secret, which the runtime does not show"},
	{"timezone", "the IANA name of a time zone, such as Europe/Berlin"},
	{"color", "the value of one of the options, or a color such as #3b82f6 if there are none"},
	{"member", "the value of one of the options, or the user name, the e-mail address or the display name of a member"},
	{"members", "a list of such values"},
	{"recurrence", "a recurrence rule (RFC 5545 §3.3.10), such as FREQ=WEEKLY;BYDAY=MO"},
	{"duration", "a number of minutes"},
	{"alarm", "a reminder: an object with trigger, related and action"},
	{"location", "one line of text that names a place"},
	{"file", "a file; it is the body of the request, and the other controls are parameters of the query"},
}

// maxPassword limits the length of a password in characters.
const maxPassword = 1024

// passwordControl returns a control for a required secret. It has no default: no read
// contains a secret.
func passwordControl(id, label string) Control {
	return Control{ID: id, Type: "password", Label: label, Required: true, MaxLength: maxPassword}
}

// timezoneControl returns a control for a required time zone.
func timezoneControl(id, label, value string) Control {
	return Control{ID: id, Type: "timezone", Label: label, Required: true, Default: value, OptionsURL: TimezoneOptionsURL}
}

// zoneControl returns the control for the time zone of the times in a form. It may be
// empty for whole days.
func zoneControl(value string) Control {
	c := timezoneControl("timezone", "Time zone", value)
	c.Required = false
	return c
}

// colorControl returns a control for a color. The member may leave it empty.
func colorControl(id, label, value string) Control {
	return Control{ID: id, Type: "color", Label: label, Default: value, MaxLength: 7}
}

// memberControl returns a control for one other member.
func memberControl(id, label string) Control {
	return Control{ID: id, Type: "member", Label: label, Required: true, Default: "", MaxLength: svc.MaxTitle, OptionsURL: MemberOptionsURL}
}

// fileControl returns a control for a required file of a media type with at most max
// bytes.
func fileControl(id, label string, max int, mediaTypes ...string) Control {
	return Control{ID: id, Type: "file", Label: label, Required: true, Accept: mediaTypes, MaxBytes: max}
}

// localeControl returns a control for a locale: a selector that contains the current
// value, which may be any language tag.
func localeControl(value string) Control {
	options, found := locales, false
	for _, o := range locales {
		found = found || o.Value == value
	}
	if !found && value != "" {
		options = append(svc.List[Option]{{value, value}}, locales...)
	}
	return selectorControl("locale", "Language and region", value, options)
}

// locales are frequent locales (BCP 47) with their names in their own language, as in
// the CLDR.
var locales = svc.List[Option]{
	{"bg", "Български"}, {"ca", "Català"}, {"cs", "Čeština"}, {"da", "Dansk"}, {"de", "Deutsch"}, {"de-AT", "Deutsch (Österreich)"},
	{"de-CH", "Deutsch (Schweiz)"}, {"el", "Ελληνικά"}, {"en", "English"}, {"en-AU", "English (Australia)"}, {"en-CA", "English (Canada)"},
	{"en-GB", "English (United Kingdom)"}, {"en-US", "English (United States)"}, {"es", "Español"}, {"es-MX", "Español (México)"}, {"et", "Eesti"},
	{"eu", "Euskara"}, {"fi", "Suomi"}, {"fr", "Français"}, {"fr-CA", "Français (Canada)"}, {"fr-CH", "Français (Suisse)"}, {"ga", "Gaeilge"},
	{"gl", "Galego"}, {"hr", "Hrvatski"}, {"hu", "Magyar"}, {"is", "Íslenska"}, {"it", "Italiano"}, {"ja", "日本語"}, {"ko", "한국어"},
	{"lt", "Lietuvių"}, {"lv", "Latviešu"}, {"mt", "Malti"}, {"nb", "Norsk bokmål"}, {"nl", "Nederlands"}, {"nl-BE", "Nederlands (België)"},
	{"nn", "Norsk nynorsk"}, {"pl", "Polski"}, {"pt", "Português"}, {"pt-BR", "Português (Brasil)"}, {"ro", "Română"}, {"ru", "Русский"},
	{"sk", "Slovenčina"}, {"sl", "Slovenščina"}, {"sr", "Српски"}, {"sv", "Svenska"}, {"tr", "Türkçe"}, {"uk", "Українська"}, {"zh-Hans", "简体中文"},
	{"zh-Hant", "繁體中文"},
}
