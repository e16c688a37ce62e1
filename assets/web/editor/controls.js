// Selects and arranges the fields of the editor, without DOM.

import { EVENT_TYPE } from "../frame/editor.js";

// FULL_FORM_IDS are the ids of the fields of the full form, in their order. All other fields follow in the
// section "More".
const FULL_FORM_IDS = [
	"title", "start", "end", "due", "all_day", "timezone", "end_timezone", "among", "rrule", "calendar_id", "alarms", "alarm_minutes",
	"location", "description",
];

// SHORT_FORM_IDS are the ids of the fields of the short form for a new calendar entry or task.
const SHORT_FORM_IDS = ["title", "start", "end", "due", "all_day", "among", "calendar_id"];

// SIDE_BY_SIDE are the ids of the fields that share a line, see the option group of createForm.
export const SIDE_BY_SIDE = [["start", "end"], ["timezone", "end_timezone"], ["calendar_id", "alarms"], ["calendar_id", "alarm_minutes"]];

// arrangeControls returns { controls, more }: the controls in the order of the full form, and the ids of
// the controls in the section "More". The scope is left out, because a dialog asks for it after the form.
export function arrangeControls(controls) {
	const formControls = controls.filter(({ id }) => id !== "scope");
	const rank = ({ id }) => (FULL_FORM_IDS.includes(id) ? FULL_FORM_IDS.indexOf(id) : FULL_FORM_IDS.length);
	const sorted = [...formControls].sort((a, b) => rank(a) - rank(b));
	return { controls: sorted, more: sorted.filter(({ id, type }) => !FULL_FORM_IDS.includes(id) && type !== "hidden").map(({ id }) => id) };
}

// shortFormControls returns the controls of the short form, and the hidden controls.
export function shortFormControls(controls) {
	return arrangeControls(controls).controls.filter(({ id, type }) => SHORT_FORM_IDS.includes(id) || type === "hidden");
}

// withDefaults returns the controls with other defaults. values has the defaults by the ids of the
// controls; ids without a control are ignored. Hidden controls keep the defaults of their action.
export function withDefaults(controls, values) {
	const isChanged = ({ id, type }) => values[id] !== undefined && type !== "hidden";
	return controls.map((control) => (isChanged(control) ? { ...control, default: values[control.id] } : control));
}

// OWN_CALENDAR is the value of the audience of a calendar entry, which no Social event has.
export const OWN_CALENDAR = "calendar";

// isSocial reports whether an action creates a Social event.
export function isSocial({ type }) {
	return type === EVENT_TYPE;
}

// isTask reports whether an action creates a task.
export function isTask(action) {
	return (action.command?.body ?? action.body)?.object_type === "task" || action.id === "create_task";
}

// creations returns the actions that create a calendar entry and a Social event, as far as the member may
// perform them: { entry, event }. A task has no audience.
export function creations(actions) {
	return { event: actions.find(isSocial), entry: actions.find((action) => !isSocial(action) && !isTask(action)) };
}

// withAudience returns the controls of an action with the control that selects who sees the entry. Its
// options are those of the Social event and the calendar of the member, labelled ownLabel. Without both
// actions, and for a task, the controls stay as they are.
export function withAudience(action, actions, ownLabel) {
	const { entry, event } = creations(actions);
	const audience = event?.controls.find(({ id }) => id === "among");
	if (!entry || !audience || isTask(action)) return action.controls;
	const options = [{ value: OWN_CALENDAR, label: ownLabel }, ...audience.options];
	if (isSocial(action)) return action.controls.map((control) => (control === audience ? { ...control, options } : control));
	return [...action.controls, { ...audience, options, default: OWN_CALENDAR }];
}
