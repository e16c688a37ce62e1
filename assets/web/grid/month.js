// The view of a month: weeks of seven days with bars and chips and, on a phone, the list of the entries
// of the selected day.

import { make, reconcile, setAttribute, setClass, setStyle, setText } from "./dom.js";
import { chip, dot, keyOf, makePreview } from "./entry.js";
import { stackWeek } from "./layout.js";
import { createDayList } from "./list.js";
import { addMonths, monthOf, monthWeeks, weekNumber, weekOf, weekdayOf } from "./zone.js";

// PRINT_HEIGHTS has the heights in print, in CSS pixels: of the month (see grid.css), of its head, and of the
// number of a day and a lane in a week.
const PRINT_HEIGHTS = { month: 624, head: 30, day: 20, lane: 15 };

// PHONE_LANES is the number of lanes of a week on a phone, and PHONE_DOTS the number of dots of a day.
const PHONE_LANES = 2;
const PHONE_DOTS = 3;

// createMonth returns the view of a month, see VIEWS in grid.js.
export function createMonth() {
	const element = make("div", "mo-view");
	const grid = make("div", "mo", { role: "grid" });
	const list = createDayList();
	element.append(grid, list.element);

	let context;
	let weeks = []; // the first days of the weeks
	let capacity; // number of lanes of a week, undefined until it is measured
	const capacities = new Map(); // number of weeks → capacity, until the size of the grid changes
	let isFixed = false; // whether the capacity does not depend on the size of the grid
	let previews = []; // the elements of the preview
	const observer = new ResizeObserver(() => {
		if (!grid.isConnected) return;
		const previousCapacity = capacity;
		capacities.clear();
		capacity = measure();
		if (context && capacity !== previousCapacity) context.redraw();
	});
	observer.observe(grid);

	function render(next) {
		context = next;
		const { format, day, options, phone } = context;
		const count = weeks.length;
		weeks = monthWeeks(day, options.weekStart);
		setAttribute(grid, "aria-label", format.month(day));
		const wasFixed = isFixed;
		isFixed = context.isPrinting || phone;
		if (!isFixed && (wasFixed || count !== weeks.length)) capacity = capacities.get(weeks.length);
		if (isFixed) {
			capacity = measure();
		} else if (capacity === undefined) {
			draw([]); // measure needs the elements of the weeks
			capacity = measure();
			if (capacity !== undefined) capacities.set(weeks.length, capacity);
		}
		draw();
		list.render(context);
	}

	function draw(items = context.items) {
		const rows = weeks.map((first, index) => [index, week, { first, items, capacity, context }]);
		reconcile(grid, [["head", head, context], ...rows]);
	}

	// measure returns the number of lanes that fit into a week, or undefined if the grid has no height.
	function measure() {
		if (!context) return undefined;
		if (context.isPrinting) {
			const { month, head: headHeight, day, lane } = PRINT_HEIGHTS;
			return Math.floor(((month - headHeight) / weeks.length - day) / lane);
		}
		if (context.phone) return PHONE_LANES;
		const node = grid.children[1];
		if (!node?.clientHeight) return undefined;
		const style = getComputedStyle(node);
		const gap = parseFloat(style.rowGap) || 0;
		const lane = (parseFloat(style.gridAutoRows) || 22) + gap;
		return Math.max(1, Math.floor((node.clientHeight - parseFloat(style.gridTemplateRows)) / lane));
	}

	// weekNode returns the element of the week of a day, or undefined.
	const weekNode = (day) => {
		const index = weeks.indexOf(weekOf(day, context.options.weekStart));
		return index < 0 ? undefined : grid.children[index + 1]; // after the head
	};
	const columnOf = (day) => (weekdayOf(day) - context.options.weekStart + 7) % 7;

	function focusables(day) {
		const node = weekNode(day);
		if (!node) return [];
		const nodes = [...node.children[columnOf(day)].children];
		return context.phone ? nodes.slice(0, 1) : nodes; // a phone shows the entries of the day in the list
	}

	function hit(x, y) {
		const nodes = [...grid.children].slice(1);
		const box = grid.getBoundingClientRect();
		let index = nodes.findIndex((node) => y < node.getBoundingClientRect().bottom);
		if (index < 0) index = nodes.length - 1;
		let column = Math.floor(((x - box.left) / grid.clientWidth) * 7);
		if (context.isRightToLeft) column = 6 - column;
		return { area: "days", day: weeks[index] + Math.max(0, Math.min(6, column)) };
	}

	function drawPreview(item) {
		for (const node of previews) node.remove();
		previews = [];
		if (!item) return;
		weeks.forEach((first, index) => {
			for (const bar of stackWeek([item], first, 7).bars) {
				const node = makePreview("ev", item, context, { column: bar.column + 1, span: bar.span, row: 2 });
				grid.children[index + 1].append(node);
				previews.push(node);
			}
		});
	}

	return {
		element, render, focusables, hit, drawPreview,
		first: () => weeks[0],
		last: () => weeks.at(-1) + 6,
		step: addMonths,
		scroller: () => grid,
		destroy: () => observer.disconnect(),
	};
}

// head is the kind of the row with the names of the weekdays. Its data is the context.
const head = {
	create: () => make("div", "mo-head", { role: "row" }),
	update(node, { format, day, options }) {
		const first = weekOf(day, options.weekStart);
		reconcile(node, Array.from({ length: 7 }, (_, column) => [column, weekday, { day: first + column, format }]));
	},
};

// weekday is the kind of the names of the weekdays.
const weekday = {
	create: () => make("span", "", { role: "columnheader" }),
	update(node, { day, format }) {
		setText(node, format.weekday(day));
		setAttribute(node, "aria-label", format.weekdayLong(day));
	},
};

// week is the kind of the rows of the weeks. Its data is { first, items, capacity, context }: first is
// the first day of the week, capacity that of stackWeek.
const week = {
	create: () => make("div", "mo-week", { role: "row" }),
	update(node, { first, items, capacity, context }) {
		const { bars, more, dots } = context.phone ? stackPhoneWeek(items, first) : stackWeek(items, first, 7, capacity);
		const cells = Array.from({ length: 7 }, (_, index) => (
			[["cell", dayButton, { day: first + index, column: index + 1, dots: dots?.[index], context }]]
		));
		fillCells(cells, bars, more, { firstDay: first, column: 1, row: 2, context });
		const childSpecs = cells.map((children, index) => [index, cell, { day: first + index, children, context }]);
		reconcile(node, [...childSpecs, ["number", weekNumberLabel, { first, context }]]);
	},
};

// stackPhoneWeek returns the bars of a week on a phone, see stackWeek, and dots, a list of { items, count }
// for each day: the items that are shown as dots, and the number of those that are not shown.
function stackPhoneWeek(items, first) {
	const { bars } = stackWeek(items.filter(({ long }) => long), first, 7);
	const dots = Array.from({ length: 7 }, () => ({ items: [], count: 0 }));
	for (const item of items) {
		if (item.long || item.first < first || item.first >= first + 7) continue;
		const day = dots[item.first - first];
		if (day.items.length < PHONE_DOTS) day.items.push(item);
		else day.count++;
	}
	for (const { lane, column, span } of bars) {
		if (lane < PHONE_LANES) continue;
		for (let index = column; index < column + span; index++) dots[index].count++;
	}
	return { bars: bars.filter(({ lane }) => lane < PHONE_LANES), more: [], dots };
}

// fillCells adds the bars and the buttons "n more" of stackWeek to cells, the lists of the children of
// the days from firstDay on: each bar to its first day. column and row are the lines of the CSS grid
// of the first day and of the first lane.
export function fillCells(cells, bars, more, { firstDay, column, row, context }) {
	for (const bar of [...bars].sort((a, b) => a.lane - b.lane)) {
		cells[bar.column].push([keyOf(bar.item), chip, { bar, context, column: column + bar.column, row: row + bar.lane }]);
	}
	for (const { column: index, count, lane } of more) {
		cells[index].push(["more", moreButton, { day: firstDay + index, count, column: column + index, row: row + lane, context }]);
	}
}

// cell is the kind of the cells of the days in a row. Its data is { day, children, context }. Cells have
// no box (display: contents), so that their entries can span several columns of the row.
export const cell = {
	create: () => make("div", "grid-cell", { role: "gridcell" }),
	update(node, { day, children, context }) {
		setAttribute(node, "data-on", day);
		if (context.view === "month") setAttribute(node, "aria-selected", context.phone && (day === context.day ? "true" : "false"));
		reconcile(node, children);
	},
};

// dayButton is the kind of the buttons with the number of a day, which are behind its entries.
const dayButton = {
	create: () => make("div", "", { role: "button", tabindex: "-1" }),
	update(node, { day, column, dots, context }) {
		const { format, today, options, words, counts, phone } = context;
		const { first, next } = monthOf(context.day);
		const isOut = day < first || day >= next;
		const isFirst = day === monthOf(day).first;
		const isWeekend = options.weekendDays.includes(weekdayOf(day));
		const isSelected = phone && day === context.day;
		setClass(node, "mo-cell", isFirst && "has-month", isOut && "out", isWeekend && "rest", day === today && "today", isSelected && "is-on");
		setStyle(node, "grid-column", column);
		setAttribute(node, "data-day", day);
		const name = { date: format.date(day), isToday: day === today, isChosen: isSelected, count: counts(day) };
		setAttribute(node, "aria-current", day === today && "date");
		const number = isFirst ? format.numberAndMonth(day) : format.number(day);
		const childSpecs = [["number", dayNumber, number], ["name", dayName, words.day(name)]];
		if (dots) childSpecs.push(["dots", dotList, { dots, format }]);
		reconcile(node, childSpecs);
	},
};

// dayNumber is the kind of the number of a day. Its data is the text.
const dayNumber = {
	create: () => make("span", "mo-n", { "aria-hidden": "true" }),
	update: setText,
};

// dayName is the kind of the accessible name of a day. Its data is the text.
const dayName = {
	create: () => make("span", "sr"),
	update: setText,
};

// dotList is the kind of the dots of a day on a phone. Its data is { dots, format }: dots is that of stackPhoneWeek.
const dotList = {
	create: () => make("span", "mo-dots", { "aria-hidden": "true" }),
	update(node, { dots: { items, count }, format }) {
		const dotSpecs = items.map((item) => [item.id, dot, item]);
		if (count > 0) dotSpecs.push(["more", moreDots, `+${format.integer(count)}`]);
		reconcile(node, dotSpecs);
	},
};

// moreDots is the kind of the number after the dots. Its data is the text.
const moreDots = {
	create: () => make("b"),
	update: setText,
};

// weekNumberLabel is the kind of the numbers of the weeks.
const weekNumberLabel = {
	create: () => make("span", "mo-no", { "aria-hidden": "true" }),
	update: (node, { first, context }) => setText(node, context.format.integer(weekNumber(first, context.options.fewestDays))),
};

// moreButton is the kind of the buttons "n more".
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
