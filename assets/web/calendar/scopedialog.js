// The dialog that asks to which occurrences of a series a change applies, and the texts of field
// values.

import { button, el, uid } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { alarmText } from "../parts/alarm.js";
import { ruleText, parseRule } from "../parts/recurrence.js";
import { isEmpty, splitTime } from "../parts/value.js";
import { timesOf } from "./entries.js";

// askScope asks to which occurrences of a series a change applies. options is a list of scopes as
// { value, label }; the first one is selected. text describes the change, submit is the label of the
// button that confirms it, bad whether the button is shown as destructive. askScope returns a promise
// of the value of a scope, null if the member has cancelled, or undefined without options.
export async function askScope(app, { options, object, text, submit, bad = false }) {
	if (options.length === 0) return undefined;
	const { words } = app;
	const name = uid("scope");
	const details = scopeDetails(app, object);
	const inputs = options.map((option, i) => el("input", {
		type: "radio", name, value: option.value, checked: i === 0, autofocus: i === 0,
	}));
	const labels = options.map((option, i) => {
		const detail = details[option.value] && el("span", { class: "quiet", text: details[option.value] });
		return el("label", { class: "check" }, inputs[i], el("span", {}, el("b", { dir: "auto", text: option.label }), detail));
	});
	const choice = el("fieldset", { class: "choice" }, el("legend", { class: "sr", text: words.calendar.whichOnes() }), labels);
	const form = el("form", { on: { submit: (event) => {
		event.preventDefault();
		dialog.close(inputs.find(({ checked }) => checked).value);
	} } });
	const cancel = button({ label: words.cancel(), run: () => dialog.close(null) });
	const confirm = el("button", { type: "submit", class: `btn primary${bad ? " bad" : ""}`, text: submit });
	const dialog = openDialog({
		words, title: words.calendar.whichOnes(), body: [el("p", { class: "scope-text", dir: "auto", text }), choice],
		foot: [cancel, confirm], form, kind: "ask",
	});
	return (await dialog.closed) ?? null;
}

// scopeDetails returns the texts below the labels of the scopes, by scope.
function scopeDetails(app, object) {
	const { words } = app;
	const times = timesOf(object, words.zone);
	if (!times) return {};
	const day = words.date(times.allDay ? times.start : dayOf(times.start, words));
	return { this: words.calendar.onlyOn(day), this_and_future: words.calendar.fromOn(day), all: object.state.recurrence?.text ?? "" };
}

// dayOf returns the day of an instant in the time zone of the member.
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
		return rule ? ruleText(rule, words.currentDay(), words) : String(value);
	}
	return String(value);
}
