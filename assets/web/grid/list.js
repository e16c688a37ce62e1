// The list of the entries of the selected day, below the month on a phone.

import { make, reconcile, setAttribute, setText } from "./dom.js";
import { keyOf, row } from "./entry.js";
import { itemsOnDay } from "./layout.js";

let count = 0; // number of lists, for unique ids

// createDayList returns { element, render(context) }. The element is hidden and empty on wider
// screens.
export function createDayList() {
	const heading = make("h2", "", { id: `grid-day-${++count}` });
	const list = make("ul", "rows plain-rows");
	const empty = make("p", "quiet");
	const create = make("button", "btn plain s", { type: "button" });
	const createText = make("span");
	const head = make("div", "mo-day-head");
	head.append(heading, create);
	const element = make("section", "only-phone mo-day", { "aria-labelledby": heading.id });
	element.append(head, list, empty);

	function render(context) {
		const { day, today, now, format, words, phone, items } = context;
		element.hidden = !phone;
		if (!phone) {
			reconcile(list, []);
			return;
		}
		setText(heading, format.date(day));
		if (!create.firstChild) create.append(context.icon("plus"), createText);
		setText(createText, words.create());
		setAttribute(create, "aria-label", words.createOn(format.date(day)));
		setAttribute(create, "data-create", day);
		create.hidden = !context.options.on.create;
		const dayItems = itemsOnDay(items, day);
		const childSpecs = dayItems.map((item) => [keyOf(item), row, { item, context, day }]);
		if (day === today) {
			const at = dayItems.findIndex((item) => !item.long && item.start > now);
			const line = ["now", nowRow, { time: format.time(now), free: freeText(dayItems, context), words }];
			childSpecs.splice(at < 0 ? childSpecs.length : at, 0, line);
		}
		reconcile(list, childSpecs);
		setText(empty, words.nothing());
		empty.hidden = dayItems.length > 0;
	}
	return { element, render };
}

// freeText returns a text such as "free until 15:30", or "" during an entry and after the last one.
// Cancelled and all-day entries do not count.
function freeText(items, { now, words, format }) {
	const timed = items.filter((item) => !item.long && item.entry.state !== "cancelled" && item.end > now);
	const isFree = timed.length > 0 && timed.every(({ start }) => start > now);
	return isFree ? words.freeUntil(format.time(Math.min(...timed.map(({ start }) => start)))) : "";
}

// nowRow is the line of the present time, see reconcile.
const nowRow = {
	create() {
		const node = make("li", "now");
		node.append(make("time", "", { "aria-hidden": "true" }), make("span", "sr"), make("span", "quiet"));
		return node;
	},
	update(node, { time, free, words }) {
		const [clock, name, rest] = node.children;
		setText(clock, time);
		setText(name, words.now(time));
		setText(rest, free);
	},
};
