// Selects the fields of forms for calendar entries and tasks, and compares their values, without DOM.

import { initialValue, isEqual, shownTime } from "../parts/value.js";

// FULL_FORM_IDS are the ids of the fields of the full form, in their order. All other fields follow in the
// section "More".
const FULL_FORM_IDS = [
	"title", "start", "end", "due", "all_day", "timezone", "end_timezone", "rrule", "calendar_id", "alarms", "alarm_minutes",
	"location", "description",
];

// SHORT_FORM_IDS are the ids of the fields of the short form for a new entry.
const SHORT_FORM_IDS = ["title", "start", "end", "due", "all_day", "calendar_id"];

// SIDE_BY_SIDE are the ids of the fields that share a line, see the option group of createForm.
export const SIDE_BY_SIDE = [["start", "end"], ["timezone", "end_timezone"], ["calendar_id", "alarms"], ["calendar_id", "alarm_minutes"]];

// TIME_IDS are the ids of the fields that are sent together, because they are only valid together.
export const TIME_IDS = ["start", "end", "due", "all_day", "timezone", "end_timezone"];

// SERIES_IDS are the ids of the fields that apply to a whole series: the server rejects a change of
// them for a single occurrence.
const SERIES_IDS = new Set(["rrule", "rdates", "exdates", "calendar_id"]);

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
// controls; ids without a control are ignored.
export function withDefaults(controls, values) {
	return controls.map((control) => (values[control.id] === undefined ? control : { ...control, default: values[control.id] }));
}

// changedFields returns the values of a form that have changed, by field id, and all TIME_IDS if one of
// them has changed. before and after are results of values of the form. The caller must not send an
// empty result: a request without changes would make an occurrence of a series an exception.
export function changedFields(before, after) {
	const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
	const changedIds = [...ids].filter((id) => !isEqual(before[id] ?? null, after[id] ?? null));
	if (changedIds.some((id) => TIME_IDS.includes(id))) changedIds.push(...TIME_IDS.filter((id) => id in after && !changedIds.includes(id)));
	return Object.fromEntries(changedIds.filter((id) => id in after).map((id) => [id, after[id]]));
}

// scopesFor returns the scopes of an action, as { value, label }, that are valid for a change of
// fields. It returns an empty list for an entry that does not repeat.
export function scopesFor(action, fields = {}) {
	const scopes = action.scopes ?? action.controls?.find(({ id }) => id === "scope")?.options ?? [];
	const isOfSeries = Object.keys(fields).some((id) => SERIES_IDS.has(id));
	return isOfSeries ? scopes.filter(({ value }) => value !== "this") : scopes;
}

// conflicts returns the fields whose values in a change differ from the present record, as
// { control, mine, theirs } with the values that a form displays. controls are the controls of the
// present record.
export function conflicts(controls, fields) {
	return controls.filter(({ id }) => id in fields && id !== "scope")
		.map((control) => {
			const [mine, theirs] = [fields[control.id], initialValue(control)].map((value) => shownTime(control, controls, value));
			return { control, mine, theirs };
		})
		.filter(({ mine, theirs }) => !isEqual(mine ?? "", theirs ?? ""));
}
