// The field of a reminder. See fields.js for what a field is.

import { el } from "./el.js";
import { ALARM_MINUTES, alarmMinutes, alarmTrigger, splitTime } from "./value.js";

// alarmText returns a reminder in words.
export function alarmText({ trigger, related = "start" }, words) {
	const minutes = alarmMinutes(trigger);
	if (minutes === 0) return words.alarmAt(related);
	if (minutes !== null) return minutes > 0 ? words.alarmBefore(words.minutes(minutes), related) : words.alarmAfter(words.minutes(-minutes), related);
	const { day, time } = splitTime(trigger, words.zone);
	return day ? words.alarmOn(`${words.dayShort(day)}, ${words.clock(time || "00:00")}`) : trigger;
}

// alarmField offers frequent reminders. Another one stays in the list as it is.
export function alarmField(control, { id, value, words, changed }) {
	const input = el("select", { class: "input", id, on: { change: changed } });
	let options = [];

	function set(next) {
		options = ALARM_MINUTES.map((minutes) => ({ trigger: alarmTrigger(minutes), related: "start", action: "display" }));
		const same = options.findIndex((option) => next && alarmMinutes(option.trigger) === alarmMinutes(next.trigger) && (next.related ?? "start") === "start");
		if (next && same >= 0) options[same] = next; // keeps its action
		else if (next) options.unshift(next);
		else if (!control.required) options.unshift(null);
		input.replaceChildren(...options.map((option, i) => el("option", { value: String(i), text: option ? alarmText(option, words) : words.noChoice() })));
		input.value = String(next ? options.indexOf(next) : 0);
	}
	set(value);
	return { element: input, input, get: () => options[Number(input.value)], set, problem: () => "" };
}
