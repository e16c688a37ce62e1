package action

import (
	"strings"

	"appliance/svc"
)

// requiredControl is a line of text that must not be empty.
func requiredControl(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "text", Label: label, Required: true, Default: now, MaxLength: max}
}

// textControl is a line of text.
func textControl(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "text", Label: label, Default: now, MaxLength: max}
}

// areaControl is a text of several lines.
func areaControl(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "textarea", Label: label, Default: now, MaxLength: max}
}

// bodyControl is the required text of a message, a reply or a conversation.
func bodyControl(label, now string) Control {
	return Control{ID: "body", Type: "textarea", Label: label, Required: true, Default: now, MaxLength: svc.MaxBody}
}

// selectorControl is a required choice of one option.
func selectorControl(id, label, now string, options svc.List[Option]) Control {
	return Control{ID: id, Type: "selector", Label: label, Required: true, Default: now, Options: options}
}

// dateTimeControl is a date with a time.
func dateTimeControl(id, label string, required bool, now string) Control {
	return Control{ID: id, Type: "datetime", Label: label, Required: required, Default: now}
}

func checkboxControl(id, label string, now bool) Control {
	return Control{ID: id, Type: "checkbox", Label: label, Default: now}
}

// HiddenControl is a fixed value in a form.
func HiddenControl(id string, value any) Control {
	return Control{ID: id, Type: "hidden", Label: id, Required: true, Default: value}
}

func titleControl(now string) Control { return requiredControl("title", "Title", svc.MaxTitle, now) }

// recipientControl names a member by display name, user name or e-mail address.
func recipientControl() Control {
	return requiredControl("recipient", "Name or e-mail address", svc.MaxTitle, "")
}

func rruleControl(now string) Control {
	return textControl("rrule", "Repeat rule (RRULE)", svc.MaxSummary, now)
}

// Options returns one option per value, labelled with the value in words.
func Options(values ...string) (list svc.List[Option]) {
	for _, v := range values {
		label := strings.ReplaceAll(v, "_", " ")
		list = append(list, Option{v, strings.ToUpper(label[:1]) + label[1:]})
	}
	return list
}
