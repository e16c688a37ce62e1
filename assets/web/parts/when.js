// Fields for days and times. See fields.js for the methods of a field.

import { parseDay, parseDayTime, parseTime, quarterHours } from "./day.js";
import { button, el, icon } from "./el.js";
import { attachList } from "./list.js";
import { pickDay } from "./picker.js";
import { instantText, isInstant, joinTime, splitTime } from "./value.js";

// dayInput returns a field for a day: a text input, and a button with the calendar of pickDay or, with isNative,
// with that of the browser. Options: label, which the input needs without a visible label; setTime(time), which is
// called with the time of day in a typed text such as "tomorrow 7pm", that is otherwise no day; and those of the
// context of a field.
export function dayInput({ id, label, value, words, changed, isNative, setTime }) {
	const input = el("input", { class: "bare-input num", type: "text", id, autocomplete: "off", "aria-label": label });
	let day = ""; // day of the latest call of set
	let text = ""; // displayed text of that day
	const readWithTime = () => setTime && parseDayTime(input.value, { locale: words.locale, today: words.currentDay() });
	const read = () => {
		if (input.value.trim() === text) return day;
		return parseDay(input.value, { locale: words.locale, today: words.currentDay() }) ?? readWithTime()?.day ?? "";
	};
	const set = (next) => {
		day = next ?? "";
		text = input.value = day ? words.dayField(day) : "";
		if (isNative) picker.value = day;
	};
	// showFullText replaces the typed text with the full text of the day.
	const showFullText = () => {
		const next = read();
		const withTime = input.value.trim() === text ? null : readWithTime();
		if (next && withTime?.day === next) setTime(withTime.time);
		if (next) set(next);
		else if (isNative) picker.value = ""; // otherwise picking its day again would be no change
	};
	input.addEventListener("input", changed);
	input.addEventListener("change", () => {
		showFullText();
		changed();
	});
	input.addEventListener("keydown", (event) => {
		if (event.key === "Enter") showFullText();
		if (!(event.key === "ArrowDown" && event.altKey)) return;
		event.preventDefault();
		open();
	});
	const pickerLabel = `${words.pickDay()}${label ? `, ${label}` : ""}`;
	const picker = isNative
		? el("input", { type: "date", "aria-label": pickerLabel, on: { change: () => setPicked(input, set, picker.value) } })
		: button({ label: pickerLabel, icon: "calendar", iconOnly: true, kind: "plain s", "aria-haspopup": "dialog", run: open });
	const pickerElement = isNative ? el("span", { class: "native-picker" }, icon("calendar"), picker) : picker;
	const element = el("div", { class: "input has-end" }, input, pickerElement);

	function open() {
		pickDay(element, { words, day: read(), pick: (next) => setPicked(input, set, next) });
	}
	set(value);
	return {
		element, input, get: read, set, problem: () => (input.value.trim() && !read() ? words.notADay() : ""),
		disable: (off) => (input.disabled = picker.disabled = off),
	};
}

// setPicked sets the value that the member has picked for an input, and dispatches the change event
// of a typed value, so that other fields follow it.
function setPicked(input, set, value) {
	set(value);
	input.dispatchEvent(new Event("change", { bubbles: true }));
}

// timeInput returns a field for a time of day: a text input that suggests quarter-hours or, with
// isNative, a time input of the browser. The options are those of dayInput.
function timeInput({ id, label, value, words, changed, isNative }) {
	if (isNative) {
		const input = el("input", {
			class: "input num at", type: "time", id, value, "aria-label": label, on: { change: changed, input: changed },
		});
		return {
			element: input, input, get: () => input.value, set: (time) => (input.value = time),
			problem: () => (input.validity.badInput ? words.notATime() : ""),
		};
	}
	const input = el("input", { class: "input num at", type: "text", id, "aria-label": label });
	let time = ""; // time of the latest call of set
	let text = ""; // displayed text of that time
	const read = () => (input.value.trim() === text ? time : parseTime(input.value, { locale: words.locale }) ?? "");
	const set = (next) => {
		time = next ?? "";
		text = input.value = time ? words.clock(time) : "";
	};
	const optionOf = (value) => ({ value, label: words.clock(value) });
	input.addEventListener("input", changed);
	input.addEventListener("change", () => {
		if (read()) set(read());
		changed();
	});
	attachList(input, {
		words, label: label ?? "", openOnFocus: true,
		search: (typed) => {
			const searchText = typed === text ? "" : typed;
			const exact = parseTime(searchText, { locale: words.locale });
			const options = quarterHours().map(optionOf);
			const matches = options.filter(({ value, label: shown }) => (
				!searchText || shown.startsWith(searchText) || value.startsWith(searchText.padStart(2, "0")) || value === exact));
			if (matches.length > 0) return matches;
			return exact ? quarterHours(exact).map(optionOf) : options;
		},
		// Enter picks the active suggestion: it must not differ from the time of the field.
		current: (options) => options.findIndex((option) => option.value === (read() || "09:00")),
		pick: (option) => setPicked(input, set, option.value),
	});
	set(value);
	return {
		element: input, input, get: read, set, problem: () => (input.value.trim() && !read() ? words.notATime() : ""),
		disable: (off) => (input.disabled = off),
	};
}

// dateField returns a field for a day.
export function dateField(control, context) {
	return dayInput({ ...context, value: context.value ?? "" });
}

// timeField returns a field for a time of day.
export function timeField(control, context) {
	return timeInput({ ...context, value: (context.value ?? "").slice(0, 5) });
}

// dateTimeField returns a field for a day with a time of day. showTime(visible, proposal) shows or
// hides the time. If the field has a day and no time, showing sets the time to the proposal, if one is
// given. A changed value with a time is an instant if the initial value, or the value of the
// latest call of set, is an instant. In a form that shows and hides the time, a visible time is required with a day.
export function dateTimeField(control, { id, words, value, changed, isNative, zone }) {
	const initial = { text: value ?? "", ...splitTime(value, zone()) }; // value of the latest call of set
	const dayField = dayInput({
		id, words, value: initial.day, changed, isNative, setTime: (time) => hasTime && clockField.set(time),
	});
	const clockField = timeInput({ id: `${id}-time`, label: words.timeOf(control.label), words, value: initial.time, changed, isNative });
	let hasTime = true; // whether the time is visible
	let needsTime = false; // whether a visible time is required
	const get = () => {
		const [day, time] = [dayField.get(), hasTime ? clockField.get() : ""];
		if (initial.text && day === initial.day && time === initial.time) return initial.text;
		return isInstant(initial.text) && day && time ? instantText(day, time, zone()) : joinTime(day, time);
	};
	const timeProblem = () => {
		if (clockField.problem()) return clockField.problem();
		if (clockField.get() && !dayField.input.value) return words.timeWithoutDay();
		return needsTime && dayField.get() && !clockField.get() ? words.dayWithoutTime() : "";
	};
	const problem = () => dayField.problem() || (hasTime ? timeProblem() : "");
	return {
		element: el("div", { class: "line when" }, dayField.element, clockField.element), input: dayField.input, get, problem,
		set: (next) => {
			const parts = splitTime(next, zone());
			Object.assign(initial, { text: next ?? "", ...parts });
			dayField.set(parts.day);
			clockField.set(parts.time);
		},
		showTime: (visible, proposal) => {
			needsTime = true;
			hasTime = visible;
			clockField.element.hidden = !visible;
			if (visible && proposal && dayField.get() && !clockField.input.value) clockField.set(proposal);
		},
		disable: (off) => { dayField.disable?.(off); clockField.disable?.(off); },
	};
}
