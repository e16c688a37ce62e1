// The pop-up calendar in which the member picks a day.

import { addDays, addMonths, isDay, monthGrid, splitDay, weekdayOf } from "./day.js";
import { button, el, uid } from "./el.js";
import { catchEscape, showPopup } from "./popup.js";

// pickDay shows a month below an element, and returns a function that closes it. The arrow keys move
// the focus by a day or a week, PageUp and PageDown by a month or, with Shift, by a year, Home and
// End to the first and the last day of the week. Options: day, the selected day, or ""; pick(day),
// called with the day that the member has picked; label, the label of the pop-up.
export function pickDay(anchor, { words, day, pick, label = words.pickDay() }) {
	const opener = document.activeElement;
	let focusedDay = isDay(day) ? day : words.currentDay(); // the month of this day is displayed
	const title = el("span", { class: "strong", id: uid("month"), "aria-live": "polite" });
	const monthButton = (iconName, text, months) => button({
		label: text, icon: iconName, iconOnly: true, kind: "plain s", run: () => move(addMonths(focusedDay, months), false),
	});
	const body = el("tbody");
	const table = el("table", { class: "mini", role: "grid", "aria-labelledby": title.id }, weekdayRow(words), body);
	const chip = (text, value) => el("button", { type: "button", class: "chip", text, on: { click: () => choose(value) } });
	const popup = el("div", { class: "menu picker", role: "dialog", "aria-label": label }, el("div", { class: "picker-in" },
		el("div", { class: "line between" },
			title, el("span", { class: "line" }, monthButton("left", words.previous(), -1), monthButton("right", words.following(), 1))),
		table,
		el("div", { class: "chips" }, chip(words.today(), words.currentDay()), chip(words.tomorrow(), addDays(words.currentDay(), 1)))));

	draw();
	const hide = showPopup(popup, anchor, { close: () => popup.contains(document.activeElement) && opener?.focus() });
	focusDay();

	function choose(value) {
		close();
		pick(value);
	}

	function close() {
		opener?.focus();
		hide();
	}

	// move displays the month of another day and, with takeFocus, focuses that day.
	function move(next, takeFocus = true) {
		if (!next) return;
		focusedDay = next;
		draw();
		if (takeFocus) focusDay();
	}

	function draw() {
		title.textContent = words.month(focusedDay);
		body.replaceChildren(...monthGrid(focusedDay, words.weekStart).map((week) => el("tr", {}, week.map(dayCell))));
	}

	function dayCell(value) {
		const isOut = splitDay(value)[1] !== splitDay(focusedDay)[1]; // whether the day is in another month
		return el("td", { role: "gridcell", "aria-selected": String(value === day) }, el("button", {
			type: "button", "data-day": value, tabindex: value === focusedDay ? "0" : "-1",
			class: [isOut && "out", value === words.currentDay() && "today"].filter(Boolean).join(" "),
			"aria-label": words.dayFull(value), "aria-current": value === words.currentDay() ? "date" : null,
			text: words.number(splitDay(value)[2]), on: { click: () => choose(value) },
		}));
	}

	function focusDay() {
		body.querySelector("[tabindex='0']").focus();
	}

	popup.addEventListener("keydown", (event) => {
		if (catchEscape(event, close)) return;
		if (!event.target.dataset.day) return;
		const rtl = getComputedStyle(popup).direction === "rtl";
		const inWeek = (weekdayOf(focusedDay) - words.weekStart + 7) % 7; // days since the first day of the week
		const months = event.shiftKey ? 12 : 1;
		const next = {
			ArrowLeft: () => addDays(focusedDay, rtl ? 1 : -1), ArrowRight: () => addDays(focusedDay, rtl ? -1 : 1),
			ArrowUp: () => addDays(focusedDay, -7), ArrowDown: () => addDays(focusedDay, 7),
			Home: () => addDays(focusedDay, -inWeek), End: () => addDays(focusedDay, 6 - inWeek),
			PageUp: () => addMonths(focusedDay, -months), PageDown: () => addMonths(focusedDay, months),
		}[event.key];
		if (!next) return;
		event.preventDefault();
		move(next());
	});
	popup.addEventListener("focusout", (event) => {
		if (event.relatedTarget && !popup.contains(event.relatedTarget)) hide();
	});
	return hide;
}

// weekdayRow returns the head of the table with the names of the weekdays.
function weekdayRow(words) {
	const cells = Array.from({ length: 7 }, (_, i) => {
		const weekday = ((words.weekStart - 1 + i) % 7) + 1;
		return el("th", { scope: "col" }, el("abbr", { title: words.weekday(weekday), text: words.weekday(weekday, "narrow") }));
	});
	return el("thead", {}, el("tr", {}, cells));
}
