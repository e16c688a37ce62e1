// The field of a recurrence rule. See fields.js for what a field is.

import { fields, weekdayOf } from "./day.js";
import { el, uid } from "./el.js";
import { FREQUENCIES, PRESETS, describe, formatRule, isLastOf, nextDates, nthOf, parseRule, presetOf, presetRule, total } from "./recurrence.js";
import { dayInput } from "./when.js";

// NEXT is the number of days that are spelt out.
const NEXT = 4;

// repeatField offers presets, and below them every so many units, the days and the end, with
// the next days. A rule that it cannot show stays as it is until the member selects another
// one. Presets follow the day of the start.
export function repeatField(control, { id, words, value, changed, start, onStart, isNative, zone }) {
	const day = () => start() || words.currentDay();
	let text = value ?? ""; // of the given rule, which is sent back if nothing changes
	let rule = null;
	let kept = false; // whether the given rule cannot be shown
	let custom = false; // whether the member wants to choose the parts
	let isSame = true; // whether the rule is the given one
	let follows = false; // whether the rule differs from the given one only because the start has moved

	const preset = el("select", { class: "input", id, on: { change: choosePreset } });
	const every = el("input", { class: "input num tiny-input", type: "text", inputmode: "numeric", "aria-label": words.interval(), on: { input: () => edit({ interval: positive(every.value) ?? rule.interval }, false) } });
	const unit = el("select", { class: "input auto", "aria-label": words.unit(), on: { change: () => edit({ freq: unit.value, weekdays: unit.value === "WEEKLY" ? [weekdayOf(day())] : [], monthly: null }) } });
	const weekdays = el("span", { class: "wds", role: "group", "aria-label": words.weekdays() });
	const monthly = el("select", { class: "input auto", "aria-label": words.weekdays(), on: { change: () => edit({ monthly: JSON.parse(monthly.value) }) } });
	const on = el("span", { text: words.onDays() });
	const ends = el("select", { class: "input auto", "aria-label": words.ends(), on: { change: chooseEnd } });
	const until = dayInput({ id: uid("until"), label: words.lastDay(), value: "", words, isNative, changed: () => (until.get() ? edit({ until: until.get() }, false) : changed()) });
	until.element.classList.add("last-day");
	const count = el("input", { class: "input num tiny-input", type: "text", inputmode: "numeric", "aria-label": words.times(), on: { input: () => edit({ count: positive(count.value) ?? rule.count }, false) } });
	const times = el("span", { text: words.times() });
	const summary = el("p", { class: "quiet small", "aria-live": "polite" });
	const parts = el("div", { class: "line wrap" }, el("span", { text: words.every() }), every, unit, on, weekdays, monthly);
	const well = el("div", { class: "well repeat stack-s" }, parts, el("div", { class: "line wrap" }, el("span", { text: words.ends() }), ends, until.element, count, times), summary);
	const note = el("p", { class: "hint" });
	const element = el("div", { class: "stack-s" }, preset, well, note);

	ends.append(...[["never", words.endsNever()], ["until", words.endsOn()], ["count", words.endsAfter()]].map(([name, label]) => el("option", { value: name, text: label })));

	function set(next) {
		text = next ?? "";
		isSame = true;
		follows = false;
		custom = false;
		rule = text ? parseRule(text, day(), zone()) : null;
		kept = Boolean(text) && !rule;
		draw();
	}

	function choosePreset() {
		const name = preset.value;
		isSame = name === "kept";
		follows = false;
		kept = kept && name === "kept";
		custom = name === "custom";
		if (name === "never" || name === "kept") rule = null;
		else if (name !== "custom") rule = { ...presetRule(name, day(), words.weekStart), until: rule?.until ?? null, count: rule?.count ?? null };
		else rule ??= presetRule("weekly", day(), words.weekStart);
		draw();
		changed();
	}

	// edit changes parts of the rule; redraw is false while the member types in one of them.
	function edit(change, redraw = true) {
		rule = { ...rule, ...change };
		isSame = follows = false;
		if (redraw) draw();
		else summarize();
		preset.value = custom ? "custom" : nameOf();
		changed();
	}

	function chooseEnd() {
		const name = ends.value;
		edit({ until: name === "until" ? nextDates({ ...rule, until: null, count: null }, day(), NEXT).at(-1) : null, count: name === "count" ? NEXT : null });
	}

	// nameOf returns the preset of the rule without its end.
	function nameOf() {
		if (kept) return "kept";
		return rule ? presetOf({ ...rule, until: null, count: null }, day()) : "never";
	}

	function draw() {
		drawPresets();
		well.hidden = !rule;
		note.hidden = !kept;
		note.textContent = kept ? words.repeatKept(text) : "";
		if (!rule) return;
		if (document.activeElement !== every) every.value = rule.interval;
		unit.replaceChildren(...FREQUENCIES.map((freq) => el("option", { value: freq, text: words.repeatUnit(rule.interval, freq) })));
		unit.value = rule.freq;
		drawDays();
		ends.value = rule.until ? "until" : rule.count ? "count" : "never";
		until.element.hidden = !rule.until;
		if (rule.until) until.set(rule.until);
		count.hidden = times.hidden = !rule.count;
		if (rule.count && document.activeElement !== count) count.value = rule.count;
		summarize();
	}

	function drawPresets() {
		const [date, weekday, nth] = [fields(day())[2], words.weekday(weekdayOf(day())), isLastOf(day()) ? -1 : nthOf(day())];
		const names = ["never", ...PRESETS, "custom", ...(kept ? ["kept"] : [])];
		preset.replaceChildren(...names.map((name) => el("option", {
			value: name, text: { never: words.repeatNever(), custom: words.repeatCustom(), kept: text }[name] ?? words.repeatPreset(name, weekday, date, nth),
		})));
		preset.value = custom ? "custom" : nameOf();
	}

	function drawDays() {
		on.hidden = !["WEEKLY", "MONTHLY"].includes(rule.freq);
		weekdays.hidden = rule.freq !== "WEEKLY";
		monthly.hidden = rule.freq !== "MONTHLY";
		const chosen = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(day())];
		const order = Array.from({ length: 7 }, (_, i) => ((words.weekStart - 1 + i) % 7) + 1);
		if (!weekdays.firstChild) {
			weekdays.append(...order.map((weekday) => el("button", { type: "button", "aria-label": words.weekday(weekday), title: words.weekday(weekday), text: words.weekday(weekday, "narrow"), on: { click: () => toggle(weekday) } })));
		}
		order.forEach((weekday, i) => weekdays.children[i].setAttribute("aria-pressed", String(chosen.includes(weekday))));
		const choices = [null, { nth: nthOf(day()), weekday: weekdayOf(day()) }, ...(isLastOf(day()) ? [{ nth: -1, weekday: weekdayOf(day()) }] : []), { date: -1 }];
		if (rule.monthly && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(rule.monthly))) choices.push(rule.monthly);
		monthly.replaceChildren(...choices.map((choice) => el("option", { value: JSON.stringify(choice), text: monthlyText(choice) })));
		monthly.value = JSON.stringify(rule.monthly);
	}

	function monthlyText(choice) {
		if (choice?.nth) return words.repeatOnNth(choice.nth, words.weekday(choice.weekday));
		return choice?.date === -1 ? words.repeatOnLastDay() : words.repeatOnDate(choice?.date ?? fields(day())[2]);
	}

	function toggle(weekday) {
		const chosen = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(day())];
		const next = chosen.includes(weekday) ? chosen.filter((other) => other !== weekday) : [...chosen, weekday].sort();
		if (next.length > 0) edit({ weekdays: next });
	}

	function summarize() {
		const number = rule.until ? total(rule, day()) : null;
		const next = nextDates(rule, day(), NEXT).map((date) => words.dayShort(date));
		const times = number ? [": ", el("strong", { text: words.repeatTotal(number) }), "."] : ["."];
		const then = next.length > 0 ? ` ${words.repeatNext(next).replace(/\.?$/, ".")}` : "";
		summary.replaceChildren(describe(rule, day(), words), ...times, then);
	}

	set(value);
	let before = day();
	onStart(() => {
		const name = rule && !custom && day() !== before && isPreset(before) ? preset.value : null;
		before = day();
		if (PRESETS.includes(name)) {
			const moved = { ...presetRule(name, day(), words.weekStart), until: rule.until, count: rule.count };
			if (formatRule(moved) !== formatRule(rule)) {
				rule = moved;
				follows ||= isSame;
				isSame = false;
			}
		}
		draw();
	});

	function problemOfEnd() {
		if (!until.get()) return until.problem() || words.requiredField(words.lastDay());
		return !isSame && rule.until < day() ? words.lastDayBeforeStart() : "";
	}

	function isPreset(from) {
		return presetOf({ ...rule, until: null, count: null }, from) !== "custom";
	}

	return { element, input: preset, get: () => (isSame || kept ? text : rule ? formatRule(rule) : ""), set, follows: () => follows, problem: () => (rule?.until ? problemOfEnd() : "") };
}

// positive returns the number of a text, from 1 to 999, or null.
function positive(text) {
	return /^[1-9]\d{0,2}$/.test(text.trim()) ? Number(text) : null;
}
