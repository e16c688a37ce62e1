// The small month beside the calendar, which selects a day.

import { make, reconcile, setAttribute, setClass, setText, span } from "./dom.js";
import { createFormat } from "./format.js";
import { addMonths, formatDay, monthOf, monthWeeks, parseDay, weekOf } from "./zone.js";

// createMini shows the month of a day in a host element. It returns { update(options), destroy() };
// update changes some of the options. Options:
//
//   day        the date whose month is shown
//   today      the present date, which is marked
//   shown      { start, end }, the dates of the grid, end exclusive: a week or a single day is marked
//   locale     of the texts; default: that of the browser
//   weekStart  the first day of the week, 1 (Monday) to 7
//   go(date)   called when the member selects a day
//
// The arrow keys, Home, End, Page Up and Page Down move the focus among the days.
export function createMini(host, initial) {
	const options = { weekStart: 1 };
	const table = make("table", "mini", { role: "grid" });
	const caption = make("caption", "sr");
	const head = make("thead");
	const headRow = make("tr");
	const body = make("tbody");
	head.append(headRow);
	table.append(caption, head, body);
	host.replaceChildren(table);
	let format;
	let focusedDay; // the day whose button is in the tab order

	function update(changes) {
		if (!format || ("locale" in changes && changes.locale !== options.locale)) format = createFormat(changes.locale ?? options.locale, "UTC");
		const isNewDay = "day" in changes && changes.day !== options.day;
		Object.assign(options, changes);
		if (isNewDay || focusedDay === undefined) focusedDay = parseDay(options.day);
		render();
	}

	function render() {
		const { weekStart } = options;
		const weeks = monthWeeks(focusedDay, weekStart);
		setText(caption, format.month(focusedDay));
		reconcile(headRow, Array.from({ length: 7 }, (_, index) => [index, weekday, { day: weeks[0] + index, format }]));
		reconcile(body, weeks.map((first, index) => [index, weekRow, { first, focused: focusedDay, format, ...markedDays() }]));
	}

	// markedDays returns { today, week, chosen } as numbers of days: the present day, the first day of a
	// week that is shown, and a single day that is shown.
	function markedDays() {
		const { today, shown } = options;
		const first = shown ? parseDay(shown.start) : 0;
		const count = shown ? parseDay(shown.end) - first : 0;
		return { today: today && parseDay(today), week: count === 7 ? first : undefined, chosen: count === 1 ? first : undefined };
	}

	function onKeyDown(event) {
		const { weekStart } = options;
		const forward = getComputedStyle(table).direction === "rtl" ? -1 : 1;
		const week = weekOf(focusedDay, weekStart);
		const target = {
			ArrowLeft: focusedDay - forward, ArrowRight: focusedDay + forward, ArrowUp: focusedDay - 7, ArrowDown: focusedDay + 7,
			Home: week, End: week + 6, PageUp: addMonths(focusedDay, -1), PageDown: addMonths(focusedDay, 1),
		}[event.key];
		if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
		event.preventDefault();
		event.stopPropagation();
		focusedDay = target;
		render();
		table.querySelector("[tabindex='0']").focus();
	}

	function onClick({ target }) {
		const { day } = target.closest("[data-day]")?.dataset ?? {};
		if (!day) return;
		focusedDay = Number(day);
		options.go(formatDay(focusedDay));
	}

	table.addEventListener("keydown", onKeyDown);
	table.addEventListener("click", onClick);
	update(initial);
	return { update, destroy: () => table.remove() };
}

// weekday is the kind of the names of the weekdays, see reconcile.
const weekday = {
	create() {
		const node = make("th", "", { scope: "col" });
		node.append(make("abbr"));
		return node;
	},
	update(node, { day, format }) {
		setText(node.firstChild, format.weekdayNarrow(day));
		setAttribute(node.firstChild, "title", format.weekdayLong(day));
	},
};

// weekRow is the kind of the rows, one for each week.
const weekRow = {
	create: () => make("tr"),
	update(node, data) {
		setClass(node, data.week === data.first && "on");
		reconcile(node, Array.from({ length: 7 }, (_, index) => [index, dayCell, { ...data, day: data.first + index }]));
	},
};

// dayCell is the kind of the cells of the days. Days of other months are marked.
const dayCell = {
	create() {
		const node = make("td");
		const button = make("button", "", { type: "button" });
		button.append(span("", ""));
		node.append(button);
		return node;
	},
	update(node, { day, today, focused, chosen, format }) {
		const button = node.firstChild;
		const { first, next } = monthOf(focused);
		setClass(button, (day < first || day >= next) && "out", day === today && "today", day === chosen && "is-on");
		setAttribute(button, "data-day", day);
		setText(button.firstChild, format.number(day));
		setAttribute(button, "aria-label", format.date(day));
		setAttribute(button, "aria-current", day === today && "date");
		setAttribute(button, "tabindex", day === focused ? 0 : -1);
	},
};
