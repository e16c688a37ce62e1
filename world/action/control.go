package action

import (
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/words"
)

// requiredControl returns a control for one line of text that must not be empty.
func requiredControl(id, label string, max int, value string) Control {
	return Control{ID: id, Type: TextInput, Label: label, Required: true, Default: value, MaxLength: max}
}

// textControl returns a control for one line of text.
func textControl(id, label string, max int, value string) Control {
	return Control{ID: id, Type: TextInput, Label: label, Default: value, MaxLength: max}
}

// areaControl returns a control for a text of several lines.
func areaControl(id, label string, max int, value string) Control {
	return Control{ID: id, Type: AreaInput, Label: label, Default: value, MaxLength: max}
}

// bodyControl returns a control for the required text of a message, a reply or a
// conversation.
func bodyControl(label, value string) Control {
	return Control{ID: "body", Type: AreaInput, Label: label, Required: true, Default: value, MaxLength: svc.MaxBody}
}

// selectorControl returns a control that requires the choice of one option.
func selectorControl[T ~string](id, label string, value T, options svc.List[Option]) Control {
	return Control{ID: id, Type: SelectorInput, Label: label, Required: true, Default: string(value), Options: options}
}

func dateTimeControl(id, label string, required bool, value string) Control {
	return Control{ID: id, Type: DateTimeInput, Label: label, Required: required, Default: value}
}

func checkboxControl(id, label string, value bool) Control {
	return Control{ID: id, Type: CheckboxInput, Label: label, Default: value}
}

// HiddenControl returns a control for a fixed value in a form.
func HiddenControl(id string, value any) Control {
	return Control{ID: id, Type: HiddenInput, Label: id, Required: true, Default: value}
}

// namedColorControl returns a control for the color of a member or a community.
func namedColorControl(value svc.Color) Control {
	return Control{ID: "color", Type: ColorInput, Label: "Color", Required: true, Default: string(value), Options: Options(value.Values()...)}
}

// MaxPicture limits the file of an avatar, in bytes.
const MaxPicture = 10 << 20

// PictureTypes are the media types of the files of avatars.
var PictureTypes = svc.List[string]{"image/png", "image/jpeg", "image/webp"}

// pictureControl returns a control for the file of an avatar.
func pictureControl() Control { return fileControl("file", "Picture", MaxPicture, PictureTypes...) }

func titleControl(value string) Control {
	return requiredControl("title", "Title", svc.MaxTitle, value)
}

// recipientControl returns a control for a member, who is chosen from the directory
// or named by a display name, a user name or an e-mail address.
func recipientControl() Control { return memberControl("recipient", "Name or e-mail address") }

// recipientsControl returns a control for one or more members.
func recipientsControl() Control {
	c := recipientControl()
	c.Type, c.Label, c.Multiple = MembersInput, "Names or e-mail addresses", true
	return c
}

// recurrenceControl returns the control for a recurrence rule. A rule that a form
// cannot show does not change if the form sends it back.
func recurrenceControl(value string) Control {
	return Control{
		ID: "rrule", Type: RecurrenceInput, Label: "Repeats", Default: value, MaxLength: svc.MaxSummary, OptionsURL: RecurrenceURL,
	}
}

// frequencies are the values of FREQ that the form of a recurrence offers.
var frequencies = svc.List[Option]{{Value: "DAILY", Label: "Daily"}, {Value: "WEEKLY", Label: "Weekly"}, {Value: "MONTHLY", Label: "Monthly"}, {Value: "YEARLY", Label: "Yearly"}}

// Frequencies returns the values of FREQ that the form of a recurrence offers, with labels
// in the language l.
func Frequencies(l words.Language) svc.List[Option] { return translateOptions(l, frequencies) }

// Weekdays returns the values of BYDAY that the form of a recurrence offers, from the
// first day of the week on, with labels in the language l.
func Weekdays(l words.Language, weekStart calendar.Weekday) (list svc.List[Option]) {
	days := weekStart.Values()
	first := slices.Index(days, string(weekStart))
	for i := range days {
		name := days[(first+i)%len(days)]
		list = append(list, Option{Value: strings.ToUpper(name[:2]), Label: words.Capitalize(name)})
	}
	return translateOptions(l, list)
}

// locationControl returns the control for the name of a place. A search of Find
// suggests places.
func locationControl(value string) Control {
	return Control{
		ID: "location", Type: LocationInput, Label: "Location", Default: value, MaxLength: svc.MaxSummary, OptionsURL: FindQueryURL, OptionsMethod: http.MethodPost,
	}
}

func option[T ~string](value T, label string) Option {
	return Option{Value: string(value), Label: label}
}

// Options returns one option per value, labelled with the value in words.
func Options(values ...string) (list svc.List[Option]) {
	for _, v := range values {
		list = append(list, Option{Value: v, Label: words.Capitalize(strings.ReplaceAll(v, "_", " "))})
	}
	return list
}
