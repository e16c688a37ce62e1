// The small month beside the grid.

import { make, reconcile, setAttribute, setClass, setText, span } from "./dom.js";
import { createFormat } from "./format.js";
import { addMonths, formatDay, monthOf, monthWeeks, parseDay, weekOf } from "./zone.js";

// createMini shows the month of a day in a host element. Options: day, today (dates), shown
// ({ start, end }: the dates of the grid, end exclusive; a week or a day is marked), locale,
// weekStart, and go(date) for a chosen day. Keys: arrows, Home, End, PgUp, PgDn, Enter.
// It returns { update, destroy }.
export function createMini(host, initial) {
	const options = { weekStart: 1 };
	const table = make("table", "mini", { role: "grid" });
	const caption = make("caption", "sr");
	const head = make("thead");
	const line = make("tr");
	const body = make("tbody");
	head.append(line);
	table.append(caption, head, body);
	host.replaceChildren(table);
	let format;
	let focused; // the day in the tab order

	function update(changes) {
		if (!format || ("locale" in changes && changes.locale !== options.locale)) format = createFormat(changes.locale ?? options.locale, "UTC");
		const isNewDay = "day" in changes && changes.day !== options.day;
		Object.assign(options, changes);
		if (isNewDay || focused === undefined) focused = parseDay(options.day);
		render();
	}

	function render() {
		const { weekStart } = options;
		const weeks = monthWeeks(focused, weekStart);
		setText(caption, format.month(focused));
		reconcile(line, Array.from({ length: 7 }, (_, index) => [index, weekday, { day: weeks[0] + index, format }]));
		reconcile(body, weeks.map((first, index) => [index, week, { first, focused, format, ...marks() }]));
	}

	function marks() {
		const { today, shown } = options;
		const first = shown ? parseDay(shown.start) : 0;
		const count = shown ? parseDay(shown.end) - first : 0;
		return { today: today && parseDay(today), week: count === 7 ? first : undefined, chosen: count === 1 ? first : undefined };
	}

	function key(event) {
		const { weekStart } = options;
		const forward = getComputedStyle(table).direction === "rtl" ? -1 : 1;
		const week = weekOf(focused, weekStart);
		const target = {
			ArrowLeft: focused - forward, ArrowRight: focused + forward, ArrowUp: focused - 7, ArrowDown: focused + 7,
			Home: week, End: week + 6, PageUp: addMonths(focused, -1), PageDown: addMonths(focused, 1),
		}[event.key];
		if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
		event.preventDefault();
		event.stopPropagation();
		focused = target;
		render();
		table.querySelector("[tabindex='0']").focus();
	}

	function click({ target }) {
		const { day } = target.closest("[data-day]")?.dataset ?? {};
		if (!day) return;
		focused = Number(day);
		options.go(formatDay(focused));
	}

	table.addEventListener("keydown", key);
	table.addEventListener("click", click);
	update(initial);
	return { update, destroy: () => table.remove() };
}

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

const week = {
	create: () => make("tr"),
	update(node, data) {
		setClass(node, data.week === data.first && "on");
		reconcile(node, Array.from({ length: 7 }, (_, index) => [index, dayCell, { ...data, day: data.first + index }]));
	},
};

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
