package action

import (
	"strings"

	"appliance/svc"
)

// requiredControl returns a control for one line of text that must not be empty.
func requiredControl(id, label string, max int, value string) Control {
	return Control{ID: id, Type: "text", Label: label, Required: true, Default: value, MaxLength: max}
}

// textControl returns a control for one line of text.
func textControl(id, label string, max int, value string) Control {
	return Control{ID: id, Type: "text", Label: label, Default: value, MaxLength: max}
}

// areaControl returns a control for a text of several lines.
func areaControl(id, label string, max int, value string) Control {
	return Control{ID: id, Type: "textarea", Label: label, Default: value, MaxLength: max}
}

// bodyControl returns a control for the required text of a message, a reply or a
// conversation.
func bodyControl(label, value string) Control {
	return Control{ID: "body", Type: "textarea", Label: label, Required: true, Default: value, MaxLength: svc.MaxBody}
}

// selectorControl returns a control that requires the choice of one option.
func selectorControl(id, label, value string, options svc.List[Option]) Control {
	return Control{ID: id, Type: "selector", Label: label, Required: true, Default: value, Options: options}
}

// dateTimeControl returns a control for a date with a time.
func dateTimeControl(id, label string, required bool, value string) Control {
	return Control{ID: id, Type: "datetime", Label: label, Required: required, Default: value}
}

func checkboxControl(id, label string, value bool) Control {
	return Control{ID: id, Type: "checkbox", Label: label, Default: value}
}

// HiddenControl returns a control for a fixed value in a form.
func HiddenControl(id string, value any) Control {
	return Control{ID: id, Type: "hidden", Label: id, Required: true, Default: value}
}

// namedColorControl returns a control for the color of a member or a community.
func namedColorControl(value string) Control {
	return Control{ID: "color", Type: "color", Label: "Color", Required: true, Default: value, Options: Options(svc.Colors...)}
}

// MaxPicture limits the file of an avatar, in bytes.
const MaxPicture = 10 << 20

// PictureTypes are the media types of the files of avatars.
var PictureTypes = svc.List[string]{"image/png", "image/jpeg", "image/webp"}

// pictureControl returns a control for the file of an avatar.
func pictureControl() Control {
	return Control{ID: "file", Type: "file", Label: "Picture", Required: true, Accept: PictureTypes, MaxBytes: MaxPicture}
}

func titleControl(value string) Control {
	return requiredControl("title", "Title", svc.MaxTitle, value)
}

// recipientControl returns a control for a member, who is chosen from the directory
// or named by a display name, a user name or an e-mail address.
func recipientControl() Control { return memberControl("recipient", "Name or e-mail address") }

// recipientsControl returns a control for one or more members.
func recipientsControl() Control {
	c := recipientControl()
	c.Type, c.Label, c.Multiple = "members", "Names or e-mail addresses", true
	return c
}

func rruleControl(value string) Control {
	return textControl("rrule", "Repeat rule (RRULE)", svc.MaxSummary, value)
}

// Options returns one option per value, labelled with the value in words.
func Options(values ...string) (list svc.List[Option]) {
	for _, v := range values {
		label := strings.ReplaceAll(v, "_", " ")
		list = append(list, Option{v, strings.ToUpper(label[:1]) + label[1:]})
	}
	return list
}
