// The fields of forms for calendar entries and tasks, and their changes, without DOM.

import { initialValue, isEqual } from "../parts/value.js";

// ORDER are the fields of a form in the order in which they stand. All others follow under "More".
const ORDER = ["title", "start", "end", "due", "all_day", "timezone", "rrule", "calendar_id", "alarms", "alarm_minutes", "location", "description"];

// QUICK are the fields of the short form for a new entry.
const QUICK = ["title", "start", "end", "due", "all_day", "calendar_id"];

// SIDE_BY_SIDE are the fields that stand beside each other.
export const SIDE_BY_SIDE = [["start", "end"], ["calendar_id", "alarms"], ["calendar_id", "alarm_minutes"]];

// TIMES are the fields that are sent together, because they are only valid together.
const TIMES = ["start", "end", "due", "all_day", "timezone"];

// OF_SERIES are the fields that one occurrence of a series cannot have for itself.
const OF_SERIES = new Set(["rrule", "rdates", "exdates", "calendar_id"]);

// arranged returns the controls of a form in order, without the scope, which is a question after
// the form: { controls, more } with the ids of those under "More".
export function arranged(controls) {
	const shown = controls.filter(({ id }) => id !== "scope");
	const rank = ({ id }) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);
	const sorted = [...shown].sort((a, b) => rank(a) - rank(b));
	return { controls: sorted, more: sorted.filter(({ id, type }) => !ORDER.includes(id) && type !== "hidden").map(({ id }) => id) };
}

// quick returns the controls of the short form: those of QUICK, and the hidden ones.
export function quick(controls) {
	return arranged(controls).controls.filter(({ id, type }) => QUICK.includes(id) || type === "hidden");
}

// withDefaults returns controls with other values to begin with. Values without a control are
// left out.
export function withDefaults(controls, values) {
	return controls.map((control) => (values[control.id] === undefined ? control : { ...control, default: values[control.id] }));
}

// changedFields returns the values of a form that differ from those with which it began, with all
// times if one of them differs. An empty object says that nothing is to be sent: a request
// without changes would make an occurrence of a series an exception. before and after are what
// the form returned as values.
export function changedFields(before, after) {
	const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
	const changed = [...ids].filter((id) => !isEqual(before[id] ?? null, after[id] ?? null));
	if (changed.some((id) => TIMES.includes(id))) changed.push(...TIMES.filter((id) => id in after && !changed.includes(id)));
	return Object.fromEntries(changed.filter((id) => id in after).map((id) => [id, after[id]]));
}

// scopesFor returns the scopes of an action that a change can have.
export function scopesFor(action, fields = {}) {
	const scopes = action.scopes ?? action.controls?.find(({ id }) => id === "scope")?.options ?? [];
	const isOfSeries = Object.keys(fields).some((id) => OF_SERIES.has(id));
	return isOfSeries ? scopes.filter(({ value }) => value !== "this") : scopes;
}

// conflicts returns the fields of a change that the present record has otherwise, as { control,
// mine, theirs }. controls are those of the present record.
export function conflicts(controls, fields) {
	return controls.filter(({ id }) => id in fields && id !== "scope")
		.map((control) => ({ control, mine: fields[control.id], theirs: initialValue(control) }))
		.filter(({ mine, theirs }) => !isEqual(mine ?? "", theirs ?? ""));
}
