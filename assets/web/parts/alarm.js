// The field for a reminder. See fields.js for the methods of a field.

import { el } from "./el.js";
import { ALARM_MINUTES, alarmMinutes, alarmTrigger, splitTime } from "./value.js";

// alarmText returns the text of a reminder, such as "10 minutes before the start".
export function alarmText(alarm, words) {
	if (alarm.proximity) return words.alarmAtPlace(alarm.proximity);
	const text = triggerText(alarm, words);
	return alarm.action === "email" ? words.alarmByEmail(text) : text;
}

// triggerText returns the text of the time of a reminder.
function triggerText({ trigger, related = "start" }, words) {
	const minutes = alarmMinutes(trigger);
	if (minutes === 0) return words.alarmAt(related);
	if (minutes > 0) return words.alarmBefore(words.minutes(minutes), related);
	if (minutes !== null) return words.alarmAfter(words.minutes(-minutes), related);
	const { day, time } = splitTime(trigger, words.zone);
	return day ? words.alarmOn(`${words.dayShort(day)}, ${words.clock(time || "00:00")}`) : trigger;
}

// alarmField returns a select element with the common reminders and, if it is none of them, the
// present one. Another choice is the present reminder at another time. A reminder that is not editable
// is shown as a text, and isReadOnly is true.
export function alarmField(control, { id, value, words, changed }) {
	if (value?.editable === false) return fixedAlarm(value, { id, words });
	const input = el("select", { class: "input", id, on: { change: changed } });
	let options = [];

	function set(next) {
		const { editable: _, ...present } = next ?? { action: "display" };
		options = ALARM_MINUTES.map((minutes) => ({ ...present, trigger: alarmTrigger(minutes), related: "start" }));
		const isCommon = next && (next.related ?? "start") === "start";
		const sameIndex = isCommon ? options.findIndex(({ trigger }) => alarmMinutes(trigger) === alarmMinutes(next.trigger)) : -1;
		if (sameIndex >= 0) options[sameIndex] = next;
		else if (next) options.unshift(next);
		else if (!control.required) options.unshift(null);
		const textOf = (option) => (option ? alarmText(option, words) : words.noChoice());
		input.replaceChildren(...options.map((option, i) => el("option", { value: String(i), text: textOf(option) })));
		input.value = String(next ? options.indexOf(next) : 0);
	}
	set(value);
	return { element: input, input, get: () => options[Number(input.value)], set, problem: () => "" };
}

// fixedAlarm returns a field for a reminder that the member cannot change.
function fixedAlarm(alarm, { id, words }) {
	const text = alarmText(alarm, words);
	const input = el("input", { class: "input", id, type: "text", readonly: true, value: text, "aria-describedby": `${id}-note` });
	const note = el("p", { class: "hint", id: `${id}-note`, text: words.alarmReadOnly() });
	return { element: el("div", {}, input, note), input, isReadOnly: true, get: () => alarm, set: () => {}, problem: () => "" };
}
