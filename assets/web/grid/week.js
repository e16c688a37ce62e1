// The view of a week or a day: all-day rows above columns of hours. On a phone, a week shows phoneDays of its
// days from the selected one on; a single one is below the names of all days, which select it.

import { createAxis, instantAt, positionOf } from "./axis.js";
import { make, reconcile, setAttribute, setClass, setStyle, setText, span } from "./dom.js";
import { scrollerOf } from "./drag.js";
import { keyOf, makePreview, slot } from "./entry.js";
import { stackDay, stackWeek } from "./layout.js";
import { cell, fillCells } from "./month.js";
import { weekNumber, weekOf, weekdayOf } from "./zone.js";

// ALL_DAY_LANES is the maximum number of lanes of the all-day rows, unless they have a single day.
const ALL_DAY_LANES = 4;

// createWeek returns the view of a week, or of a day if count is 1, see VIEWS in grid.js.
export function createWeek(count) {
	const element = make("div", count === 1 ? "wk is-day" : "wk", { role: "grid" });
	const header = make("div", "wk-top", { role: "rowgroup" });
	const head = make("div", "wk-head", { role: "row" });
	const allDay = make("div", "wk-all", { role: "row" });
	const body = make("div", "wk-body", { role: "row" });
	header.append(head, allDay);
	element.append(header, body);

	let context;
	let headDays = []; // the days with names in the head
	let days = []; // the days with columns
	let axis;
	let axisKey; // identifies the zone and the days of the axis
	let previews = []; // the elements of the preview
	let hasScrolled = false; // whether scrollToStart has scrolled
	let lanes = 0; // number of lanes of the all-day rows

	function render(next) {
		context = next;
		const { day, options, format, phone, zone } = context;
		const first = count === 1 ? day : weekOf(day, options.weekStart);
		const week = Array.from({ length: count }, (_, index) => first + index);
		const visible = phone ? Math.min(options.phoneDays, count) : count;
		const start = Math.min(day - first, count - visible);
		days = week.slice(start, start + visible);
		headDays = visible === 1 ? week : days;
		setClass(element, "wk", count === 1 && "is-day", phone && visible > 1 && "has-columns");
		const key = `${zone} ${days[0]} ${days.length}`;
		if (key !== axisKey) axis = createAxis(zone, days);
		axisKey = key;
		setAttribute(element, "aria-label", count === 1 ? format.date(day) : format.days(first, first + count - 1));
		setStyle(element, "--days", days.length);
		setStyle(element, "--names", headDays.length);
		setStyle(element, "--from", 0);
		setStyle(element, "--hours", axis.total);
		drawHead(first);
		drawAllDay();
		drawBody();
	}

	function drawHead(first) {
		const { words, options } = context;
		const week = weekNumber(weekOf(first, options.weekStart), options.fewestDays);
		reconcile(head, [["no", weekNumberLabel, words.week(week)], ...headDays.map((day, index) => [index, dayName, { day, context }])]);
	}

	function drawAllDay() {
		const { items, words } = context;
		const long = items.filter((item) => item.long);
		const { bars, more } = stackWeek(long, days[0], days.length, days.length === 1 ? Infinity : ALL_DAY_LANES);
		const previousLanes = lanes;
		lanes = Math.max(0, ...bars.map(({ lane }) => lane + 1), ...more.map(({ lane }) => lane + 1));
		const height = hasScrolled && lanes !== previousLanes ? allDay.offsetHeight : undefined;
		const cells = days.map((day, index) => [["cell", allDayCell, { column: index + 2, lanes }]]);
		fillCells(cells, bars, more, { firstDay: days[0], column: 2, row: 1, context });
		const childSpecs = cells.map((children, index) => [index, cell, { day: days[index], children, context }]);
		reconcile(allDay, [["label", allDayLabel, words.allDay()], ...childSpecs]);
		setClass(allDay, "wk-all", lanes === 0 && "is-empty");
		// Keeps the position of the hours in the viewport.
		if (height !== undefined) scrollerOf(element).scrollTop += allDay.offsetHeight - height;
	}

	function drawBody() {
		const childSpecs = [["hours", hours, { axis, context }]];
		axis.labels.forEach(({ at }, index) => childSpecs.push([`r${index}`, hourLine, at]));
		axis.days.forEach((day, index) => childSpecs.push([index, dayColumn, { day, axis, context }]));
		reconcile(body, childSpecs);
	}

	const columns = () => body.querySelectorAll(":scope > .wk-day");

	function focusables(day) {
		const headIndex = headDays.indexOf(day);
		if (headIndex < 0) return [];
		const index = days.indexOf(day);
		const name = head.children[headIndex + 1]; // after the number of the week
		if (index < 0) return [name];
		const allDayEntries = [...allDay.children[index + 1].children].slice(1); // after the label and the empty cell
		return [name, ...allDayEntries, ...columns()[index].querySelectorAll("[data-entry]")];
	}

	function hit(x, y, area) {
		const nodes = [...columns()];
		const boxes = nodes.map((node) => node.getBoundingClientRect());
		// The first column that ends after the point, in the direction of reading.
		const columnIndex = boxes.findIndex(({ left, right }) => (context.isRightToLeft ? x >= left : x < right));
		const index = columnIndex < 0 ? nodes.length - 1 : columnIndex;
		const box = body.getBoundingClientRect();
		const isTime = area ? area === "time" : y >= Math.max(box.top, header.getBoundingClientRect().bottom);
		if (!isTime) return { area: "days", day: days[index] };
		const position = Math.max(0, Math.min(1, (y - box.top) / box.height)) * axis.total;
		return { area: "time", day: days[index], instant: instantAt(axis.days[index], position) };
	}

	function drawPreview(item) {
		for (const node of previews) node.remove();
		previews = [];
		if (!item) return;
		const add = (parent, node) => {
			parent.append(node);
			previews.push(node);
		};
		if (item.long) {
			for (const bar of stackWeek([item], days[0], days.length).bars) {
				add(allDay, makePreview("ev", item, context, { column: bar.column + 2, span: bar.span, row: 1 }));
			}
			return;
		}
		axis.days.forEach((day, index) => {
			for (const part of stackDay([item], day, axis.total)) add(columns()[index], makePreview("slot", item, context, part));
		});
	}

	// scrollToStart calls scrollBy with the distance in CSS pixels to the first label after half an hour
	// before dayStart. Only the first call for a visible grid has an effect, and the first one after forgetScroll.
	function scrollToStart(scrollBy) {
		if (hasScrolled || !body.offsetHeight) return;
		hasScrolled = true;
		const { labels } = axis;
		const label = labels.find(({ minute }) => minute >= context.dayStart - 30) ?? labels[0];
		const position = body.getBoundingClientRect().top + ((label?.at ?? 0) / axis.total) * body.offsetHeight;
		scrollBy(position - header.getBoundingClientRect().bottom - 8);
	}

	return {
		element, render, focusables, hit, drawPreview, scrollToStart,
		first: () => headDays[0],
		last: () => headDays.at(-1),
		step: (day, steps) => day + steps * count,
		scroller: () => element,
		forgetScroll: () => (hasScrolled = false),
		destroy() {},
	};
}

// weekNumberLabel is the kind of the number of the week. Its data is the text.
const weekNumberLabel = {
	create: () => make("span", "quiet tiny wk-no", { role: "columnheader" }),
	update: setText,
};

// dayName is the kind of the names of the days in the head. On a phone, they select the day.
const dayName = {
	create() {
		const node = make("div", "", { role: "columnheader", tabindex: "-1" });
		node.append(span("", ""), span("", "", "b"));
		return node;
	},
	update(node, { day, context: { format, today, words, counts, day: chosen, phone } }) {
		setClass(node, "wk-name", day === today && "today", phone && day === chosen && "is-on");
		setAttribute(node, "data-day", day);
		setText(node.firstChild, format.weekday(day));
		setText(node.lastChild, format.number(day));
		setAttribute(node, "aria-label", words.day({ date: format.date(day), isToday: day === today, count: counts(day) }));
		setAttribute(node, "aria-current", day === today && "date");
		setAttribute(node, "aria-selected", phone && (day === chosen ? "true" : "false"));
	},
};

// allDayLabel is the kind of the label of the all-day rows. Its data is the text.
const allDayLabel = {
	create: () => make("span", "quiet tiny", { role: "rowheader" }),
	update: setText,
};

// allDayCell is the kind of the empty cells behind the all-day entries of a day. Its data is
// { column, lanes }: a line of the CSS grid and the number of lanes.
const allDayCell = {
	create: () => make("div", "wk-cell"),
	update(node, { column, lanes }) {
		setStyle(node, "grid-column", column);
		setStyle(node, "grid-row", `1 / span ${Math.max(1, lanes)}`);
	},
};

// hours is the kind of the column with the labels of the axis, except the label at its start.
const hours = {
	create: () => make("div", "wk-hours", { role: "rowheader" }),
	update(node, { axis, context: { words, format } }) {
		const labels = axis.labels.filter(({ at }) => at > 0);
		const childSpecs = labels.map(({ at, minute, again }, index) => (
			[index, hourLabel, { at, time: format.mark(minute), again: again && words.again() }]
		));
		reconcile(node, [["name", hoursName, words.hours()], ...childSpecs]);
	},
};

// hoursName is the kind of the name of the column of hours, which only screen readers get.
const hoursName = {
	create: () => make("b", "sr"),
	update: setText,
};

// hourLabel is the kind of the labels of hours. Its data is { at, time, again }; again is a text, or
// false for the first occurrence of a time.
const hourLabel = {
	create: () => make("span", "", { "aria-hidden": "true" }),
	update(node, { at, time, again }) {
		setStyle(node, "--at", at);
		setClass(node, again && "is-again");
		if (node.textContent === time + (again || "")) return;
		node.replaceChildren(span("", time, "time"), ...(again ? [span("", again, "b")] : []));
	},
};

// hourLine is the kind of the lines at the labels of the axis. Its data is the position.
const hourLine = {
	create: () => make("i", "wk-rule", { "aria-hidden": "true" }),
	update: (node, at) => setStyle(node, "--at", at),
};

// dayColumn is the kind of the columns of the days. Its data is { day, axis, context }: day is a day of
// the axis.
const dayColumn = {
	create: () => make("div", "", { role: "gridcell" }),
	update(node, { day, axis, context }) {
		const { today, now, options, words, items } = context;
		setClass(node, "wk-day", options.weekendDays.includes(weekdayOf(day.day)) && "rest", day.day === today && "today");
		setAttribute(node, "data-on", day.day);
		const childSpecs = day.voids.map((part, index) => [`v${index}`, voidBox, part]);
		for (const part of stackDay(items, day, axis.total)) childSpecs.push([keyOf(part.item), slot, { slot: part, context }]);
		if (now >= day.start && now < day.end) childSpecs.push(["now", nowLine, positionOf(day, now)]);
		if (day.start === day.end) childSpecs.push(["skipped", skippedNote, words.skippedDay()]);
		reconcile(node, childSpecs);
	},
};

// voidBox is the kind of the voids of a day, see createAxis.
const voidBox = {
	create: () => make("i", "wk-void", { "aria-hidden": "true" }),
	update(node, { at, length }) {
		setStyle(node, "--at", at);
		setStyle(node, "--for", length);
	},
};

// nowLine is the kind of the line at the present time. Its data is the position.
const nowLine = {
	create: () => make("div", "now-line", { "aria-hidden": "true" }),
	update: (node, at) => setStyle(node, "--at", at),
};

// skippedNote is the kind of the note in a day that the zone has skipped. Its data is the text.
const skippedNote = {
	create: () => make("p", "wk-note quiet tiny"),
	update: setText,
};
