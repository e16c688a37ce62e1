// The month: weeks of seven days with bars and chips, and on a phone the list of one day.

import { make, reconcile, setAttribute, setClass, setStyle, setText } from "./dom.js";
import { chip, keyOf, lifted } from "./entry.js";
import { stackWeek } from "./layout.js";
import { createDayList } from "./list.js";
import { addMonths, monthOf, monthWeeks, weekNumber, weekOf, weekdayOf } from "./zone.js";

// Of print: the height of a month (see grid.css) and the heights in a week, in px.
const PRINT = { month: 624, head: 30, day: 20, lane: 15 };

// PHONE_LANES is the number of lanes of bars and dots that fit on a phone.
const PHONE_LANES = 3;

// createMonth returns the view (see grid.js for its functions).
export function createMonth() {
	const element = make("div", "mo-view");
	const grid = make("div", "mo", { role: "grid" });
	const list = createDayList();
	element.append(grid, list.element);

	let context;
	let weeks = []; // first days
	let capacity; // undefined until measured
	const measured = new Map(); // number of weeks → capacity, until the size of the grid changes
	let isFixed = false;
	let previews = [];
	const observer = new ResizeObserver(() => {
		const before = capacity;
		measured.clear();
		capacity = measure();
		if (context && capacity !== before) context.redraw();
	});
	observer.observe(grid);

	function render(next) {
		context = next;
		const { format, day, options, phone } = context;
		const count = weeks.length;
		weeks = monthWeeks(day, options.weekStart);
		setAttribute(grid, "aria-label", format.month(day));
		const wasFixed = isFixed;
		isFixed = context.isPrinting || phone; // the capacity does not depend on the size of the grid
		if (!isFixed && (wasFixed || count !== weeks.length)) capacity = measured.get(weeks.length);
		if (capacity === undefined || isFixed) {
			draw([]); // the weeks, to measure them
			capacity = measure();
			if (capacity !== undefined && !isFixed) measured.set(weeks.length, capacity);
		}
		draw();
		list.render(context);
	}

	function draw(items = context.items) {
		reconcile(grid, [["head", head, context], ...weeks.map((first, index) => [index, week, { first, items, capacity, context }])]);
	}

	// measure returns the number of lanes that fit into a week.
	function measure() {
		if (!context) return undefined;
		if (context.isPrinting) return Math.floor(((PRINT.month - PRINT.head) / weeks.length - PRINT.day) / PRINT.lane);
		if (context.phone) return PHONE_LANES;
		const node = grid.children[1];
		if (!node?.clientHeight) return undefined;
		const style = getComputedStyle(node);
		const gap = parseFloat(style.rowGap) || 0;
		const lane = (parseFloat(style.gridAutoRows) || 22) + gap;
		return Math.max(1, Math.floor((node.clientHeight - parseFloat(style.gridTemplateRows)) / lane));
	}

	const weekNode = (day) => {
		const index = weeks.indexOf(weekOf(day, context.options.weekStart));
		return index < 0 ? undefined : grid.children[index + 1]; // after the head
	};
	const columnOf = (day) => (weekdayOf(day) - context.options.weekStart + 7) % 7;

	// stops returns the elements of a day that take the focus, in order.
	function stops(day) {
		const node = weekNode(day);
		if (!node) return [];
		const nodes = [...node.children[columnOf(day)].children];
		return context.phone ? nodes.slice(0, 1) : nodes;
	}

	// hit returns the day at a point, or the nearest one.
	function hit(x, y) {
		const nodes = [...grid.children].slice(1);
		const box = grid.getBoundingClientRect();
		let index = nodes.findIndex((node) => y < node.getBoundingClientRect().bottom);
		if (index < 0) index = nodes.length - 1;
		let column = Math.floor(((x - box.left) / grid.clientWidth) * 7);
		if (context.isRightToLeft) column = 6 - column;
		return { area: "days", day: weeks[index] + Math.max(0, Math.min(6, column)) };
	}

	function preview(item) {
		for (const node of previews) node.remove();
		previews = [];
		if (!item) return;
		weeks.forEach((first, index) => {
			for (const bar of stackWeek([item], first, 7).bars) {
				const node = lifted("ev", item, context, { column: bar.column + 1, span: bar.span, row: 2 });
				grid.children[index + 1].append(node);
				previews.push(node);
			}
		});
	}

	return {
		element, render, stops, hit, preview,
		first: () => weeks[0],
		last: () => weeks.at(-1) + 6,
		step: addMonths,
		scroller: () => grid,
		destroy: () => observer.disconnect(),
	};
}

const head = {
	create: () => make("div", "mo-head", { role: "row" }),
	update(node, { format, day, options }) {
		const first = weekOf(day, options.weekStart);
		reconcile(node, Array.from({ length: 7 }, (_, column) => [column, weekday, { day: first + column, format }]));
	},
};

const weekday = {
	create: () => make("span", "", { role: "columnheader" }),
	update(node, { day, format }) {
		setText(node, format.weekday(day));
		setAttribute(node, "aria-label", format.weekdayLong(day));
	},
};

const week = {
	create: () => make("div", "mo-week", { role: "row" }),
	update(node, { first, items, capacity, context }) {
		const { bars, more } = stackWeek(items, first, 7, capacity);
		const cells = Array.from({ length: 7 }, (_, index) => [["cell", dayButton, { day: first + index, column: index + 1, context }]]);
		fillCells(cells, bars, more, { firstDay: first, column: 1, row: 2, context });
		const wanted = cells.map((children, index) => [index, cell, { day: first + index, children, context }]);
		reconcile(node, [...wanted, ["number", number, { first, context }]]);
	},
};

// fillCells adds bars and "n more" to the lists of children of cells, each to the day in
// which it starts. Column and row are the grid lines of the first column and lane.
export function fillCells(cells, bars, more, { firstDay, column, row, context }) {
	for (const bar of [...bars].sort((a, b) => a.lane - b.lane)) {
		cells[bar.column].push([keyOf(bar.item), chip, { bar, context, column: column + bar.column, row: row + bar.lane }]);
	}
	for (const { column: index, count, lane } of more) {
		cells[index].push(["more", moreButton, { day: firstDay + index, count, column: column + index, row: row + lane, context }]);
	}
}

// cell is the kind of the cells of a row. They have no box (display: contents), so that their
// entries can span several columns of the row.
export const cell = {
	create: () => make("div", "grid-cell", { role: "gridcell" }),
	update(node, { day, children, context }) {
		setAttribute(node, "data-on", day);
		if (context.view === "month") setAttribute(node, "aria-selected", context.phone && (day === context.day ? "true" : "false"));
		reconcile(node, children);
	},
};

const dayButton = {
	create() {
		const node = make("div", "", { role: "button", tabindex: "-1" });
		node.append(make("span", "mo-n", { "aria-hidden": "true" }), make("span", "sr"));
		return node;
	},
	update(node, { day, column, context }) {
		const { format, today, options, words, counts, phone } = context;
		const { first, next } = monthOf(context.day);
		const isOut = day < first || day >= next;
		const isFirst = day === monthOf(day).first;
		setClass(node, "mo-cell", isOut && "out", options.weekendDays.includes(weekdayOf(day)) && "rest", day === today && "today", phone && day === context.day && "is-on");
		setStyle(node, "grid-column", column);
		setAttribute(node, "data-day", day);
		setText(node.firstChild, isFirst ? format.numberAndMonth(day) : format.number(day));
		setText(node.lastChild, words.day({ date: format.date(day), isToday: day === today, count: counts(day) }));
		setAttribute(node, "aria-current", day === today && "date");
	},
};

const number = {
	create: () => make("span", "mo-no", { "aria-hidden": "true" }),
	update: (node, { first, context }) => setText(node, context.format.integer(weekNumber(first, context.options.fewestDays))),
};

// moreButton is the kind of "n more".
const moreButton = {
	create: () => make("button", "more-ev", { type: "button", tabindex: "-1" }),
	update(node, { day, count, column, row, context: { words, format } }) {
		setAttribute(node, "data-more", day);
		setText(node, words.more(count));
		setAttribute(node, "aria-label", words.moreOn(count, format.date(day)));
		setStyle(node, "grid-column", column);
		setStyle(node, "grid-row", row);
	},
};
