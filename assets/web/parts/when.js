// Fields of forms for days and times. See fields.js for what a field is.

import { parseDay, parseTime, quarterHours } from "./day.js";
import { button, el } from "./el.js";
import { attachList } from "./list.js";
import { pickDay } from "./picker.js";
import { instantText, isInstant, joinTime, splitTime } from "./value.js";

// dayInput returns an input for a day: a text with a picker, or the browser's own on touch.
// Options: id, label, value, words, changed, isNative. It returns { element, input, get(),
// set(day), problem() }.
export function dayInput({ id, label, value, words, changed, isNative }) {
	if (isNative) {
		const input = el("input", { class: "input num", type: "date", id, value, "aria-label": label, on: { change: changed, input: changed } });
		return { element: input, input, get: () => input.value, set: (day) => (input.value = day), problem: () => (input.validity.badInput ? words.notADay() : "") };
	}
	const input = el("input", { class: "bare-input num", type: "text", id, autocomplete: "off", "aria-label": label });
	let day = "";
	let text = ""; // the text of the day
	const read = () => (input.value.trim() === text ? day : parseDay(input.value, { locale: words.locale, today: words.currentDay() }) ?? "");
	const set = (next) => {
		day = next ?? "";
		text = input.value = day ? words.dayField(day) : "";
	};
	const settle = () => read() && set(read()); // the text that was typed becomes the day in full
	input.addEventListener("input", changed);
	input.addEventListener("change", () => {
		settle();
		changed();
	});
	input.addEventListener("keydown", (event) => {
		if (event.key === "Enter") settle();
		if (!(event.key === "ArrowDown" && event.altKey)) return;
		event.preventDefault();
		open();
	});
	const pick = button({ label: `${words.pickDay()}${label ? `, ${label}` : ""}`, icon: "calendar", only: true, kind: "plain s", "aria-haspopup": "dialog", run: open });
	const element = el("div", { class: "input has-end" }, input, pick);

	function open() {
		pickDay(element, { words, day: read(), pick: (next) => enter(input, set, next) });
	}
	set(value);
	return { element, input, get: read, set, problem: () => (input.value.trim() && !read() ? words.notADay() : ""), disable: (off) => (input.disabled = pick.disabled = off) };
}

// enter sets the value that the member has picked for an input, with the event of one that was
// typed: other fields follow it.
function enter(input, set, value) {
	set(value);
	input.dispatchEvent(new Event("change", { bubbles: true }));
}

// timeInput returns an input for a time of day: a text with the quarter-hours, or the
// browser's own on touch.
function timeInput({ id, label, value, words, changed, isNative }) {
	if (isNative) {
		const input = el("input", { class: "input num at", type: "time", id, value, "aria-label": label, on: { change: changed, input: changed } });
		return { element: input, input, get: () => input.value, set: (time) => (input.value = time), problem: () => (input.validity.badInput ? words.notATime() : "") };
	}
	const input = el("input", { class: "input num at", type: "text", id, "aria-label": label });
	let time = "";
	let text = "";
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
			const wanted = typed === text ? "" : typed;
			const exact = parseTime(wanted, { locale: words.locale });
			const all = quarterHours().map(optionOf);
			const found = all.filter(({ value, label: shown }) => !wanted || shown.startsWith(wanted) || value.startsWith(wanted.padStart(2, "0")) || value === exact);
			if (found.length > 0) return found;
			return exact ? quarterHours(exact).map(optionOf) : all;
		},
		// Enter picks the time that the field has, and none in the place of another one.
		current: (options) => options.findIndex((option) => option.value === (read() || "09:00")),
		pick: (option) => enter(input, set, option.value),
	});
	set(value);
	return { element: input, input, get: read, set, problem: () => (input.value.trim() && !read() ? words.notATime() : ""), disable: (off) => (input.disabled = off) };
}

export function dateField(control, context) {
	return dayInput({ ...context, value: context.value ?? "" });
}

export function timeField(control, context) {
	return timeInput({ ...context, value: (context.value ?? "").slice(0, 5) });
}

// dateTimeField is a day with a time. showTime(visible, proposal) hides the time of whole days,
// or shows it; a day without a time gets the proposed one. An instant stays one.
export function dateTimeField(control, { id, words, value, changed, isNative, zone }) {
	const given = { text: value ?? "", ...splitTime(value, zone()) };
	const day = dayInput({ id, words, value: given.day, changed, isNative });
	const time = timeInput({ id: `${id}-time`, label: words.timeOf(control.label), words, value: given.time, changed, isNative });
	let hasTime = true;
	const get = () => {
		const [d, t] = [day.get(), hasTime ? time.get() : ""];
		if (given.text && d === given.day && t === given.time) return given.text;
		return isInstant(given.text) && d && t ? instantText(d, t, zone()) : joinTime(d, t);
	};
	const problem = () => day.problem() || (hasTime ? time.problem() || (time.get() && !day.input.value ? words.timeWithoutDay() : "") : "");
	return {
		element: el("div", { class: "line when" }, day.element, time.element), input: day.input, get, problem,
		set: (next) => {
			const parts = splitTime(next, zone());
			Object.assign(given, { text: next ?? "", ...parts });
			day.set(parts.day);
			time.set(parts.time);
		},
		showTime: (visible, proposal) => {
			hasTime = visible;
			time.element.hidden = !visible;
			if (visible && proposal && day.get() && !time.input.value) time.set(proposal);
		},
		disable: (off) => { day.disable?.(off); time.disable?.(off); },
	};
}
