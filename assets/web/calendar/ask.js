// The question which occurrences a change applies to, and values of fields as text.

import { button, el, uid } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { alarmText } from "../parts/alarm.js";
import { describe, parseRule } from "../parts/recurrence.js";
import { isEmpty, splitTime } from "../parts/value.js";
import { timesOf } from "./entries.js";

// askScope asks which entries of a series a change is for. options is a list of { value, label };
// the first one is chosen. It returns a promise of a value, or null if the member has cancelled.
export async function askScope(app, { options, object, text, act, bad = false }) {
	if (options.length === 0) return undefined;
	const { words } = app;
	const name = uid("scope");
	const details = scopeDetails(app, object);
	const inputs = options.map((option, i) => el("input", { type: "radio", name, value: option.value, checked: i === 0, autofocus: i === 0 }));
	const choice = el("fieldset", { class: "choice" }, el("legend", { class: "sr", text: words.calendar.whichOnes() }),
		options.map((option, i) => el("label", { class: "check" }, inputs[i], el("span", {}, el("b", { dir: "auto", text: option.label }), details[option.value] && el("span", { class: "quiet", text: details[option.value] })))));
	const form = el("form", { on: { submit: (event) => { event.preventDefault(); dialog.close(inputs.find(({ checked }) => checked).value); } } });
	const foot = [button({ label: words.cancel(), run: () => dialog.close(null) }), el("button", { type: "submit", class: `btn primary${bad ? " bad" : ""}`, text: act })];
	const dialog = openDialog({ words, title: words.calendar.whichOnes(), body: [el("p", { class: "scope-text", dir: "auto", text }), choice], foot, form, kind: "ask" });
	return (await dialog.closed) ?? null;
}

function scopeDetails(app, object) {
	const { words } = app;
	const times = timesOf(object, words.zone);
	if (!times) return {};
	const day = words.date(times.allDay ? times.start : dayOf(times.start, words));
	return { this: words.calendar.onlyOn(day), this_and_future: words.calendar.fromOn(day), all: object.state.recurrence?.text ?? "" };
}

function dayOf(instant, words) {
	return splitTime(new Date(instant).toISOString(), words.zone).day;
}

// valueText returns the value of a control as a text.
export function valueText(control, value, words) {
	if (isEmpty(value)) return words.noChoice();
	if (Array.isArray(value)) return words.list(value.map((part) => valueText({ ...control, multiple: false }, part, words)));
	if (control.type === "checkbox") return value ? words.calendar.yes() : words.calendar.no();
	if (control.type === "selector") return control.options?.find((option) => option.value === value)?.label ?? String(value);
	if (control.type === "alarm") return alarmText(value, words);
	if (control.type === "datetime") {
		const { day, time } = splitTime(value, words.zone);
		return day ? [words.dayField(day), time && words.clock(time)].filter(Boolean).join(", ") : String(value);
	}
	if (control.type === "recurrence") {
		const rule = parseRule(value, words.currentDay(), words.zone);
		return rule ? describe(rule, words.currentDay(), words) : String(value);
	}
	return String(value);
}
