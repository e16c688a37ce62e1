// Compares the two versions of a record that another member has changed meanwhile, and asks the member
// for the version to keep.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";

// versions returns the fields in which the values of a form differ from the present record, as a list of
// { label, mine, theirs } with texts. Fields that the record does not have are left out. values are by
// the id of the control; current is the record of the error of the server.
export function versions(controls, values, current) {
	const rows = [];
	for (const control of controls) {
		const theirs = presentValue(control.id, current);
		if (theirs === undefined || control.type === "hidden" || control.type === "password" || !(control.id in values)) continue;
		const texts = [textOf(control, values[control.id]), textOf(control, theirs)];
		if (texts[0] !== texts[1]) rows.push({ label: control.label, mine: texts[0], theirs: texts[1] });
	}
	return rows;
}

// etagOf returns the ETag of a record, which may be undefined, or undefined.
export function etagOf(record) {
	return record?.etag ?? record?.state?.etag;
}

// presentValue returns the value of a record for the control with an id, or undefined. Objects of the
// dataset have their fields in state, other records have them directly.
function presentValue(id, { state, ...record }) {
	if (id === "rrule") return (state?.recurrence ?? record.recurrence)?.rrule ?? state?.rrule ?? record.rrule;
	const value = state?.[id] ?? record[id];
	if (value && typeof value === "object" && ("date_time" in value || "date" in value)) return value.date_time ?? value.date;
	return value;
}

// textOf returns the text of a value of a control: the label of a chosen option, or the value.
function textOf(control, value) {
	if (value === null || value === undefined) return "";
	if (Array.isArray(value)) return value.map((part) => textOf(control, part)).join(", ");
	if (typeof value === "object") return JSON.stringify(value);
	return control.options?.find((option) => String(option.value) === String(value))?.label ?? String(value);
}

// askVersion shows the rows of versions in a dialog with a button for each version. text explains the
// conflict, keep is the label of the button for the version of the member, or false if it cannot be
// kept. It returns a promise of "mine" or "theirs", or of null if the member has closed the dialog.
export async function askVersion({ words, rows, text = words.frame.conflictText(), keep: keepLabel = words.frame.keepMine() }) {
	const keep = keepLabel && button({ label: keepLabel, kind: "primary", run: () => dialog.close("mine") });
	const take = button({ label: words.frame.takeTheirs(), autofocus: true, run: () => dialog.close("theirs") });
	const cell = (text) => el("td", { dir: "auto", text: text || "–" });
	const table = el("table", { class: "versions" },
		el("thead", {}, el("tr", {},
			el("td", {}), el("th", { scope: "col", text: words.frame.mine() }), el("th", { scope: "col", text: words.frame.theirs() }))),
		el("tbody", {}, rows.map(({ label, mine, theirs }) => (
			el("tr", {}, el("th", { scope: "row", text: label, dir: "auto" }), cell(mine), cell(theirs))
		))));
	const dialog = openDialog({
		words, title: words.frame.conflict(), body: [el("p", { text }), rows.length > 0 && table].filter(Boolean),
		foot: [take, keep].filter(Boolean), kind: "ask",
	});
	return (await dialog.closed) ?? null;
}
