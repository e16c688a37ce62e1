// Selects the scopes of changes of calendar entries and tasks, and compares the values of their forms, without DOM.

import { initialValue, isEqual, shownTime } from "../parts/value.js";

// TIME_IDS are the ids of the fields that are sent together, because they are only valid together.
export const TIME_IDS = ["start", "end", "due", "all_day", "timezone", "end_timezone"];

// SERIES_IDS are the ids of the fields that apply to a whole series: the server rejects a change of
// them for a single occurrence.
const SERIES_IDS = new Set(["rrule", "rdates", "exdates", "calendar_id"]);

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
