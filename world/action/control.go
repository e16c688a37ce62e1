package action

import (
	"strings"

	"appliance/svc"
)

// TextControl is a required line of text.
func TextControl(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "text", Label: label, Required: true, Default: now, MaxLength: max}
}

// OptionalControl is a line of text that may be empty.
func OptionalControl(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "text", Label: label, Default: now, MaxLength: max}
}

// AreaControl is a text of several lines that may be empty.
func AreaControl(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "textarea", Label: label, Default: now, MaxLength: max}
}

// PostControl is the required text of a message, a reply or a conversation.
func PostControl(id, label, now string) Control {
	return Control{ID: id, Type: "textarea", Label: label, Required: true, Default: now, MaxLength: svc.MaxBody}
}

// ChoiceControl is a required choice of one value.
func ChoiceControl(id, label, now string, values ...string) Control {
	return Control{ID: id, Type: "selector", Label: label, Required: true, Default: now, Options: Options(values...)}
}

// HiddenControl is a value that the member does not enter.
func HiddenControl(id string, value any) Control {
	return Control{ID: id, Type: "hidden", Label: id, Required: true, Default: value}
}

// DateTimeControl is a date with a time.
func DateTimeControl(id, label string, required bool, now string) Control {
	return Control{ID: id, Type: "datetime", Label: label, Required: required, Default: now}
}

// CheckboxControl is a boolean.
func CheckboxControl(id, label string, now bool) Control {
	return Control{ID: id, Type: "checkbox", Label: label, Default: now}
}

// TitleControl is the title of an entry, an event or a conversation.
func TitleControl(now string) Control { return TextControl("title", "Title", svc.MaxTitle, now) }

// RecipientControl names a member.
func RecipientControl() Control {
	return TextControl("recipient", "Who: a name or an address", svc.MaxTitle, "")
}

// RepeatControl is a recurrence rule.
func RepeatControl(now string) Control {
	return OptionalControl("rrule", "Repeats (RRULE)", svc.MaxSummary, now)
}

// Options returns one option per value, labelled with the value in words.
func Options(values ...string) (list svc.List[Option]) {
	for _, v := range values {
		label := strings.ReplaceAll(v, "_", " ")
		list = append(list, Option{v, strings.ToUpper(label[:1]) + label[1:]})
	}
	return list
}
