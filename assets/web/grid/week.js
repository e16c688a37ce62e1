// The week and the day: all-day rows above columns of hours. On a phone a week is the names
// of its days above the column of one of them.

import { createAxis, instantAt, positionOf } from "./axis.js";
import { make, reconcile, setAttribute, setClass, setStyle, setText, span } from "./dom.js";
import { scrollerOf } from "./drag.js";
import { keyOf, lifted, slot } from "./entry.js";
import { stackDay, stackWeek } from "./layout.js";
import { cell, fillCells } from "./month.js";
import { weekNumber, weekOf, weekdayOf } from "./zone.js";

// ALL_DAY is the number of lanes of the all-day rows in a week.
const ALL_DAY = 4;

// createWeek returns the view of a week, or of a day if count is 1 (see grid.js for its
// functions).
export function createWeek(count) {
	const element = make("div", count === 1 ? "wk is-day" : "wk", { role: "grid" });
	const top = make("div", "wk-top", { role: "rowgroup" });
	const head = make("div", "wk-head", { role: "row" });
	const allDay = make("div", "wk-all", { role: "row" });
	const body = make("div", "wk-body", { role: "row" });
	top.append(head, allDay);
	element.append(top, body);

	let context;
	let named = []; // days in the head
	let days = []; // days with columns
	let axis;
	let axisKey;
	let previews = [];
	let hasScrolled = false;
	let lanes = 0; // of the all-day rows

	function render(next) {
		context = next;
		const { day, options, format, phone, zone } = context;
		const first = count === 1 ? day : weekOf(day, options.weekStart);
		named = Array.from({ length: count }, (_, index) => first + index);
		days = phone ? [day] : named;
		const key = `${zone} ${days[0]} ${days.length}`;
		if (key !== axisKey) axis = createAxis(zone, days);
		axisKey = key;
		setAttribute(element, "aria-label", count === 1 ? format.date(day) : format.days(first, first + count - 1));
		setStyle(element, "--days", days.length);
		setStyle(element, "--names", named.length);
		setStyle(element, "--from", 0);
		setStyle(element, "--hours", axis.total);
		drawHead(first);
		drawAllDay();
		drawBody();
	}

	function drawHead(first) {
		const { words, format, options } = context;
		const week = format.integer(weekNumber(weekOf(first, options.weekStart), options.fewestDays));
		reconcile(head, [["no", weekNo, words.week(week)], ...named.map((day, index) => [index, name, { day, context }])]);
	}

	function drawAllDay() {
		const { items, words } = context;
		const long = items.filter((item) => item.long);
		const { bars, more } = stackWeek(long, days[0], days.length, days.length === 1 ? Infinity : ALL_DAY);
		const before = lanes;
		lanes = Math.max(0, ...bars.map(({ lane }) => lane + 1), ...more.map(({ lane }) => lane + 1));
		const height = hasScrolled && lanes !== before ? allDay.offsetHeight : undefined;
		const cells = days.map((day, index) => [["cell", allDayCell, { column: index + 2, lanes }]]);
		fillCells(cells, bars, more, { firstDay: days[0], column: 2, row: 1, context });
		const wanted = cells.map((children, index) => [index, cell, { day: days[index], children, context }]);
		reconcile(allDay, [["label", allDayLabel, words.allDay()], ...wanted]);
		setClass(allDay, "wk-all", lanes === 0 && "is-empty");
		if (height !== undefined) scrollerOf(element).scrollTop += allDay.offsetHeight - height; // the hours stay where they are
	}

	function drawBody() {
		const wanted = [["hours", hours, { axis, context }]];
		axis.labels.forEach(({ at }, index) => wanted.push([`r${index}`, rule, at]));
		axis.days.forEach((day, index) => wanted.push([index, column, { day, axis, context }]));
		reconcile(body, wanted);
	}

	const columns = () => body.querySelectorAll(":scope > .wk-day");

	function stops(day) {
		const at = named.indexOf(day);
		if (at < 0) return [];
		const index = days.indexOf(day);
		if (index < 0) return [head.children[at + 1]];
		const inAllDay = [...allDay.children[index + 1].children].slice(1);
		return [head.children[at + 1], ...inAllDay, ...columns()[index].querySelectorAll("[data-entry]")];
	}

	// hit returns the day, and in the hours the instant, at a point or next to it. Area keeps a
	// drag in "days" or "time" while the pointer leaves it.
	function hit(x, y, area) {
		const nodes = [...columns()];
		const edges = nodes.map((node) => node.getBoundingClientRect());
		// The first column whose far edge is beyond the point, in the direction of reading.
		const found = edges.findIndex(({ left, right }) => (context.isRightToLeft ? x >= left : x < right));
		const index = found < 0 ? nodes.length - 1 : found;
		const box = body.getBoundingClientRect();
		const isTime = area ? area === "time" : y >= Math.max(box.top, top.getBoundingClientRect().bottom);
		if (!isTime) return { area: "days", day: days[index] };
		const position = Math.max(0, Math.min(1, (y - box.top) / box.height)) * axis.total;
		return { area: "time", day: days[index], instant: instantAt(axis.days[index], position) };
	}

	function preview(item) {
		for (const node of previews) node.remove();
		previews = [];
		if (!item) return;
		const add = (parent, node) => {
			parent.append(node);
			previews.push(node);
		};
		if (item.long) {
			for (const bar of stackWeek([item], days[0], days.length).bars) add(allDay, lifted("ev", item, context, { column: bar.column + 2, span: bar.span, row: 1 }));
			return;
		}
		axis.days.forEach((day, index) => {
			for (const part of stackDay([item], day, axis.total)) add(columns()[index], lifted("slot", item, context, part));
		});
	}

	// scrollToStart scrolls to the hour at which days start by the options, once.
	function scrollToStart(scrollTo) {
		if (hasScrolled || !body.offsetHeight) return;
		hasScrolled = true;
		const { labels } = axis;
		const label = labels.find(({ minute }) => minute >= context.dayStart - 30) ?? labels[0];
		scrollTo(body.getBoundingClientRect().top + ((label?.at ?? 0) / axis.total) * body.offsetHeight - top.getBoundingClientRect().bottom - 8);
	}

	return {
		element, render, stops, hit, preview, scrollToStart,
		first: () => named[0],
		last: () => named.at(-1),
		step: (day, steps) => day + steps * count,
		scroller: () => element,
		destroy() {},
	};
}

const weekNo = {
	create: () => make("span", "quiet tiny wk-no", { role: "columnheader" }),
	update: setText,
};

const name = {
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

const allDayLabel = {
	create: () => make("span", "quiet tiny", { role: "rowheader" }),
	update: setText,
};

const allDayCell = {
	create: () => make("div", "wk-cell"),
	update(node, { column: line, lanes }) {
		setStyle(node, "grid-column", line);
		setStyle(node, "grid-row", `1 / span ${Math.max(1, lanes)}`);
	},
};

const hours = {
	create: () => make("div", "wk-hours", { role: "rowheader" }),
	update(node, { axis, context: { words, format } }) {
		const labels = axis.labels.filter(({ at }) => at > 0);
		const wanted = labels.map(({ at, minute, again }, index) => [index, hour, { at, time: format.mark(minute), again: again && words.again() }]);
		reconcile(node, [["name", hoursName, words.hours()], ...wanted]);
	},
};

const hoursName = {
	create: () => make("b", "sr"),
	update: setText,
};

const hour = {
	create: () => make("span", "", { "aria-hidden": "true" }),
	update(node, { at, time, again }) {
		setStyle(node, "--at", at);
		setClass(node, again && "is-again");
		if (node.textContent !== time + (again || "")) node.replaceChildren(span("", time, "time"), ...(again ? [span("", again, "b")] : []));
	},
};

const rule = {
	create: () => make("i", "wk-rule", { "aria-hidden": "true" }),
	update: (node, at) => setStyle(node, "--at", at),
};

const column = {
	create: () => make("div", "", { role: "gridcell" }),
	update(node, { day, axis, context }) {
		const { today, now, options, words, items } = context;
		setClass(node, "wk-day", options.weekendDays.includes(weekdayOf(day.day)) && "rest", day.day === today && "today");
		setAttribute(node, "data-on", day.day);
		const wanted = day.voids.map((gap, index) => [`v${index}`, gapKind, gap]);
		for (const one of stackDay(items, day, axis.total)) wanted.push([keyOf(one.item), slot, { slot: one, context }]);
		if (now >= day.start && now < day.end) wanted.push(["now", nowLine, positionOf(day, now)]);
		if (day.start === day.end) wanted.push(["skipped", note, words.skippedDay()]);
		reconcile(node, wanted);
	},
};

const gapKind = {
	create: () => make("i", "wk-void", { "aria-hidden": "true" }),
	update(node, { at, length }) {
		setStyle(node, "--at", at);
		setStyle(node, "--for", length);
	},
};

const nowLine = {
	create: () => make("div", "now-line", { "aria-hidden": "true" }),
	update: (node, at) => setStyle(node, "--at", at),
};

const note = {
	create: () => make("p", "wk-note quiet tiny"),
	update: setText,
};
