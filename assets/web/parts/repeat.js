// The field for a recurrence rule. See fields.js for the methods of a field.

import { splitDay, toASCIIDigits, weekdayOf } from "./day.js";
import { el, uid } from "./el.js";
import {
	FREQUENCIES, PRESETS, ruleText, formatRule, isLastOf, followRule, nextDates, nthOf, parseRule, presetOf, presetRule, countOccurrences,
} from "./recurrence.js";
import { dayInput } from "./when.js";

const MAX_NEXT_DAYS = 4; // number of days in the summary, and of occurrences when the member adds an end

// repeatField returns a field for a recurrence rule. It has a select element with presets and, if
// there is a rule, the editor, which has inputs for its parts and a summary with the next days. The
// field keeps a rule that parseRule does not accept until the member selects another rule.
//
// When the start of the series changes, the rule of the control becomes the rule that the server gives
// the series, see followRule. follows reports whether this is the only change of the rule. A rule that
// the member has selected and that is equal to a preset becomes the rule of this preset for the new start.
export function repeatField(control, { id, words, value, changed, start, onStart, isNative, zone }) {
	const day = () => start() || words.currentDay(); // the first day of the series
	let initialText = value ?? ""; // text of the rule of the latest call of set
	let initialRule = null; // rule of initialText
	let initialDay = day(); // start at the latest call of set
	let rule = null; // displayed rule, see recurrence.js; null without a rule and if isUnsupported
	let isUnsupported = false; // whether parseRule does not accept initialText
	let isCustom = false; // whether the member has selected the preset "custom"
	let isUnchanged = true; // whether the rule is the rule of initialText
	let hasFollowed = false; // whether the rule differs from the rule of initialText only because of the start

	const presetSelect = el("select", { class: "input", id, on: { change: choosePreset } });
	const intervalInput = el("input", {
		class: "input num tiny-input", type: "text", inputmode: "numeric", "aria-label": words.interval(),
		on: { input: () => edit({ interval: parsePositive(intervalInput.value) ?? rule.interval }, false) },
	});
	const unitSelect = el("select", {
		class: "input auto", "aria-label": words.unit(),
		on: {
			change: () => edit({
				freq: unitSelect.value, weekdays: unitSelect.value === "WEEKLY" ? [weekdayOf(day())] : [], monthly: null,
			}),
		},
	});
	const weekdayButtons = el("span", { class: "wds", role: "group", "aria-label": words.weekdays() });
	const monthlySelect = el("select", {
		class: "input auto", "aria-label": words.weekdays(),
		on: { change: () => edit({ monthly: JSON.parse(monthlySelect.value) }) },
	});
	const daysLabel = el("span", { text: words.onDays() });
	const endSelect = el("select", { class: "input auto", "aria-label": words.ends(), on: { change: chooseEnd } });
	const untilInput = dayInput({
		id: uid("until"), label: words.lastDay(), value: "", words, isNative,
		changed: () => (untilInput.get() ? edit({ until: untilInput.get() }, false) : changed()),
	});
	untilInput.element.classList.add("last-day");
	const countInput = el("input", {
		class: "input num tiny-input", type: "text", inputmode: "numeric", "aria-label": words.times(),
		on: { input: () => edit({ count: parsePositive(countInput.value) ?? rule.count }, false) },
	});
	const countLabel = el("span", { text: words.times() });
	const summary = el("p", { class: "quiet small", "aria-live": "polite" });
	const parts = el("div", { class: "line wrap" },
		el("span", { text: words.every() }), intervalInput, unitSelect, daysLabel, weekdayButtons, monthlySelect);
	const editor = el("div", { class: "well repeat stack-s" },
		parts,
		el("div", { class: "line wrap" }, el("span", { text: words.ends() }), endSelect, untilInput.element, countInput, countLabel),
		summary);
	const hint = el("p", { class: "hint" });
	const element = el("div", { class: "stack-s" }, presetSelect, editor, hint);

	endSelect.append(...[["never", words.endsNever()], ["until", words.endsOn()], ["count", words.endsAfter()]].map(([name, label]) => (
		el("option", { value: name, text: label }))));

	function set(next) {
		initialText = next ?? "";
		isUnchanged = true;
		hasFollowed = false;
		isCustom = false;
		rule = initialText ? parseRule(initialText, day(), zone()) : null;
		[initialRule, initialDay] = [rule, day()];
		isUnsupported = Boolean(initialText) && !rule;
		draw();
	}

	function choosePreset() {
		const name = presetSelect.value;
		isUnchanged = name === "kept";
		hasFollowed = false;
		isUnsupported = isUnsupported && name === "kept";
		isCustom = name === "custom";
		if (name === "never" || name === "kept") {
			rule = null;
		} else if (name !== "custom") {
			rule = { ...presetRule(name, day(), words.weekStart), until: rule?.until ?? null, count: rule?.count ?? null };
		} else {
			rule ??= presetRule("weekly", day(), words.weekStart);
		}
		draw();
		changed();
	}

	// edit changes members of the rule. redraw is false while the member types, so that the inputs
	// keep the typed texts.
	function edit(change, redraw = true) {
		rule = { ...rule, ...change };
		isUnchanged = hasFollowed = false;
		if (redraw) draw();
		else summarize();
		presetSelect.value = isCustom ? "custom" : presetName();
		changed();
	}

	function chooseEnd() {
		const name = endSelect.value;
		edit({
			until: name === "until" ? nextDates({ ...rule, until: null, count: null }, day(), MAX_NEXT_DAYS).at(-1) : null,
			count: name === "count" ? MAX_NEXT_DAYS : null,
		});
	}

	// presetName returns the name of the option of presetSelect for the rule without its end.
	function presetName() {
		if (isUnsupported) return "kept";
		return rule ? presetOf({ ...rule, until: null, count: null }, day()) : "never";
	}

	function draw() {
		drawPresets();
		editor.hidden = !rule;
		hint.hidden = !isUnsupported;
		hint.textContent = isUnsupported ? words.repeatKept(initialText) : "";
		if (!rule) return;
		if (document.activeElement !== intervalInput) intervalInput.value = rule.interval;
		unitSelect.replaceChildren(...FREQUENCIES.map((freq) => el("option", { value: freq, text: words.repeatUnit(rule.interval, freq) })));
		unitSelect.value = rule.freq;
		drawDays();
		endSelect.value = rule.until ? "until" : rule.count ? "count" : "never";
		untilInput.element.hidden = !rule.until;
		if (rule.until) untilInput.set(rule.until);
		countInput.hidden = countLabel.hidden = !rule.count;
		if (rule.count && document.activeElement !== countInput) countInput.value = rule.count;
		summarize();
	}

	function drawPresets() {
		const [date, weekday, nth] = [splitDay(day())[2], words.weekday(weekdayOf(day())), isLastOf(day()) ? -1 : nthOf(day())];
		const names = ["never", ...PRESETS, "custom", ...(isUnsupported ? ["kept"] : [])];
		presetSelect.replaceChildren(...names.map((name) => el("option", {
			value: name,
			text: { never: words.repeatNever(), custom: words.repeatCustom(), kept: initialText }[name]
				?? words.repeatPreset(name, weekday, date, nth),
		})));
		presetSelect.value = isCustom ? "custom" : presetName();
	}

	// drawDays draws the days of a week or a month on which the entry repeats.
	function drawDays() {
		daysLabel.hidden = !["WEEKLY", "MONTHLY"].includes(rule.freq);
		weekdayButtons.hidden = rule.freq !== "WEEKLY";
		monthlySelect.hidden = rule.freq !== "MONTHLY";
		const weekdays = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(day())];
		const order = Array.from({ length: 7 }, (_, i) => ((words.weekStart - 1 + i) % 7) + 1);
		if (!weekdayButtons.firstChild) {
			weekdayButtons.append(...order.map((weekday) => el("button", {
				type: "button", "aria-label": words.weekday(weekday), title: words.weekday(weekday), text: words.weekday(weekday, "narrow"),
				on: { click: () => toggle(weekday) },
			})));
		}
		order.forEach((weekday, i) => weekdayButtons.children[i].setAttribute("aria-pressed", String(weekdays.includes(weekday))));
		const choices = [
			null, { nth: nthOf(day()), weekday: weekdayOf(day()) },
			...(isLastOf(day()) ? [{ nth: -1, weekday: weekdayOf(day()) }] : []), { date: -1 },
		];
		if (rule.monthly && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(rule.monthly))) choices.push(rule.monthly);
		monthlySelect.replaceChildren(...choices.map((choice) => el("option", { value: JSON.stringify(choice), text: monthlyText(choice) })));
		monthlySelect.value = JSON.stringify(rule.monthly);
	}

	// monthlyText returns the text of a value of monthly, see recurrence.js.
	function monthlyText(choice) {
		if (choice?.nth) return words.repeatOnNth(choice.nth, words.weekday(choice.weekday));
		return choice?.date === -1 ? words.repeatOnLastDay() : words.repeatOnDate(choice?.date ?? splitDay(day())[2]);
	}

	// toggle adds a weekday to the rule or removes it, unless it is the only weekday.
	function toggle(weekday) {
		const weekdays = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(day())];
		const next = weekdays.includes(weekday) ? weekdays.filter((other) => other !== weekday) : [...weekdays, weekday].sort();
		if (next.length > 0) edit({ weekdays: next });
	}

	function summarize() {
		const number = rule.until ? countOccurrences(rule, day()) : null;
		const nextDays = nextDates(rule, day(), MAX_NEXT_DAYS).map((date) => words.dayShort(date));
		const numberText = number ? [": ", el("strong", { text: words.repeatTotal(number) }), "."] : ["."];
		const nextText = nextDays.length > 0 ? ` ${words.repeatNext(nextDays).replace(/\.?$/, ".")}` : "";
		const text = ruleText(rule, day(), words);
		// A rule that follows the start applies only if the member then changes all dates.
		const follows = initialRule && (isUnchanged || hasFollowed) && day() !== initialDay;
		summary.replaceChildren(follows ? words.repeatForAll(text) : text, ...numberText, nextText);
	}

	set(value);
	let previousDay = day();
	onStart(() => {
		if (rule && (isUnchanged || hasFollowed)) {
			rule = followRule(initialRule, initialDay, day());
			hasFollowed = formatRule(rule) !== formatRule(initialRule);
			isUnchanged = !hasFollowed;
		} else if (rule && !isCustom && day() !== previousDay && isPreset(previousDay) && PRESETS.includes(presetSelect.value)) {
			rule = { ...presetRule(presetSelect.value, day(), words.weekStart), until: rule.until, count: rule.count };
		}
		previousDay = day();
		draw();
	});

	// problemOfEnd returns the error message of the last day, or "".
	function problemOfEnd() {
		if (!untilInput.get()) return untilInput.problem() || words.requiredField(words.lastDay());
		return !isUnchanged && rule.until < day() ? words.lastDayBeforeStart() : "";
	}

	// isPreset reports whether the rule is the rule of a preset for a series that starts on a day.
	function isPreset(startDay) {
		return presetOf({ ...rule, until: null, count: null }, startDay) !== "custom";
	}

	return {
		element, input: presetSelect, get: () => (isUnchanged || isUnsupported ? initialText : rule ? formatRule(rule) : ""), set,
		follows: () => hasFollowed, problem: () => (rule?.until ? problemOfEnd() : ""),
	};
}

// parsePositive returns the number of a text if it is an integer from 1 to 999, or else null.
function parsePositive(text) {
	const plain = toASCIIDigits(text).trim();
	return /^[1-9]\d{0,2}$/.test(plain) ? Number(plain) : null;
}
