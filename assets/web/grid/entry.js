// The elements of entries: bars and chips of weeks, slots of days, and rows of lists. See layout.js for
// items, bars, chips and slots, and reconcile for kinds.

import { colorProps } from "../parts/person.js";
import { make, setAttribute, setClass, setStyle, span } from "./dom.js";

const items = new WeakMap(); // element → item
const drawnChildren = new WeakMap(); // element → { format, key } of its children: key identifies the data that they show

// itemOfNode returns the item of the entry element that contains a node.
export function itemOfNode(node) {
	const element = node?.closest?.("[data-entry]");
	return element ? items.get(element) : undefined;
}

// keyOf returns the key of the element of an item, see reconcile. An entry with a URL has a link,
// another one a button.
export function keyOf({ entry, id }) {
	return `${entry.href ? "a" : "b"}:${id}`;
}

// create returns the element of an item, without content.
function create({ item }) {
	const { href } = item.entry;
	const node = href ? make("a") : make("button", "", { type: "button" });
	node.dataset.entry = "";
	node.tabIndex = -1;
	node.draggable = false;
	return node;
}

// update shows an item in its element. context is that of grid.js. children returns the children;
// they are replaced only if the item or one of the values of childInputs has changed.
function update(node, item, context, classes, childInputs, children) {
	items.set(node, item);
	const { entry } = item;
	const { preview, chosen } = context;
	const isStruck = entry.state === "cancelled" || entry.done;
	const color = colorProps(entry.color);
	setClass(node, ...classes, color.class, entry.state === "hatched" && "maybe", isStruck && "gone",
		preview && preview.id === item.id && "ghost", chosen === item.id && "is-on");
	setStyle(node, "--own", color.vars["--own"]);
	setAttribute(node, "aria-current", chosen === item.id && "true");
	const key = [
		entry.title, item.start, item.end, entry.state, entry.done, entry.recurring, entry.zone, entry.detail, entry.href, ...childInputs,
	].join("\n");
	const last = drawnChildren.get(node);
	if (last?.key === key && last.format === context.format) return;
	if (entry.href) setAttribute(node, "href", entry.href);
	node.replaceChildren(...children(), span("sr", `, ${detailsOf(item, context)}`));
	drawnChildren.set(node, { format: context.format, key });
}

// timeElement returns an element for a time. It is hidden from assistive technology, because the details after
// the title contain the time.
function timeElement(className, text = "", tag = "span") {
	const node = span(className, text, tag);
	node.setAttribute("aria-hidden", "true");
	return node;
}

// timeText returns the text of the time of an item, which includes the days if there are several.
export function timeText({ allDay, start, end, first, last }, { format, words }) {
	if (allDay) return first === last ? words.allDay() : format.days(first, last);
	if (first === last) return format.range(start, end);
	return `${format.dateShort(first)} ${format.time(start)} – ${format.dateShort(last)} ${format.time(end)}`;
}

// detailsOf returns the last part of the accessible name of an entry, such as its date and time. It is hidden text: a
// label would have to contain the visible texts in their order.
function detailsOf(item, context) {
	const { entry, first, start } = item;
	const { format, words, zone, isZone } = context;
	const otherZone = entry.zone && entry.zone !== zone && !item.allDay && isZone(entry.zone) ? entry.zone : undefined;
	return words.entry({
		date: format.date(first), time: timeText(item, context),
		state: entry.state, done: entry.done, recurring: entry.recurring,
		zone: otherZone, zoneTime: otherZone && format.timeIn(otherZone, start),
	});
}

function titleElement(text, className) {
	const node = span(className, text);
	node.dir = "auto";
	return node;
}

// chip is the kind of the bars and chips of weeks. Its data is { bar, context, column, row }: a bar of
// stackWeek, and the lines of the CSS grid at which it starts.
export const chip = {
	create: ({ bar }) => create(bar),
	update(node, { bar, context, column, row }) {
		const { item, span: columns, before, after } = bar;
		const { entry, long } = item;
		update(node, item, context, ["ev", !long && "timed", before && "cut-start", after && "cut-end"], [long, after, context.phone], () => {
			const parts = long ? [] : [timeElement("", context.format.time(item.start), "time")];
			parts.push(titleElement(entry.title, "clip"));
			if (entry.done) parts.push(context.icon("check"));
			if (long && entry.resizable && !after) parts.push(make("span", "ev-end", { "aria-hidden": "true" }));
			return parts;
		});
		setStyle(node, "grid-column", `${column} / span ${columns}`);
		setStyle(node, "grid-row", row);
		setAttribute(node, "aria-hidden", context.phone && context.view === "month" && "true");
	},
};

// dot is the kind of the dots of a month on a phone. Its data is an item.
export const dot = {
	create: () => make("i"),
	update(node, { entry }) {
		const color = colorProps(entry.color);
		setClass(node, color.class, entry.state === "hatched" && "maybe", (entry.state === "cancelled" || entry.done) && "gone");
		setStyle(node, "--own", color.vars["--own"]);
	},
};

// slot is the kind of the slots of days. Its data is { slot, context }: a slot of stackDay. The style sheet
// hides the texts for which the slot has no room.
export const slot = {
	create: ({ slot: { item } }) => create({ item }),
	update(node, { slot: { item, at, length, lane, lanes, wide, before, after }, context }) {
		const { entry } = item;
		update(node, item, context, ["slot", before && "cut-start", after && "cut-end"], [after], () => {
			const texts = make("span", "slot-texts");
			texts.append(titleElement(entry.title, "slot-title"), slotTime(item, context));
			if (entry.detail) texts.append(titleElement(entry.detail, "slot-sub"));
			const parts = [texts];
			if (entry.done || entry.recurring) parts.push(context.icon(entry.done ? "check" : "repeat"));
			if (entry.resizable && !after) parts.push(make("span", "slot-end", { "aria-hidden": "true" }));
			return parts;
		});
		placeSlot(node, { at, length, lane, lanes, wide });
	},
};

// slotTime returns the element of the time of a slot: the start, and the end if there is one.
function slotTime({ start, end }, { format }) {
	const node = timeElement("slot-time");
	node.append(span("", format.time(start), "time"));
	if (end > start) {
		const to = span("slot-to", "–");
		to.append(span("", format.time(end), "time"));
		node.append(to);
	}
	return node;
}

// placeSlot sets the position and the size of a slot of stackDay.
function placeSlot(node, { at, length, lane, lanes, wide }) {
	setStyle(node, "--at", at);
	setStyle(node, "--for", length);
	setStyle(node, "--lane", lane);
	setStyle(node, "--lanes", lanes);
	setStyle(node, "--wide", wide);
}

// row is the kind of the rows in the list of a day. Its data is { item, context, day }.
export const row = {
	create({ item }) {
		const node = make("li");
		const link = create({ item });
		link.tabIndex = 0;
		node.append(link);
		return node;
	},
	update(node, { item, context, day }) {
		const { entry, start, end, first, last, allDay } = item;
		const isPast = !allDay && end <= context.now;
		const from = allDay || first < day ? "" : context.format.time(start);
		const to = allDay || last > day || end === start ? "" : context.format.time(end);
		const classes = ["row", "ag", isPast && "past", entry.state === "hatched" && "hatched"];
		const sub = [entry.calendar, entry.detail].filter(Boolean).join(" · ");
		update(node.firstChild, item, context, classes, [from, to, sub], () => {
			const times = timeElement("ag-time num");
			times.append(from ? span("", from, "time") : span("", item.long || !to ? context.words.allDay() : "…"));
			if (to) times.append(span("quiet", to));
			const main = make("span", "row-main");
			main.append(titleElement(entry.title, "clip strong"));
			if (sub) main.append(titleElement(sub, "row-sub clip"));
			const parts = [times, make("span", "ag-bar"), main];
			if (entry.done) parts.push(context.icon("check"));
			return parts;
		});
	},
};

// makePreview returns the element that shows an item while it is moved, resized or created. It takes
// no input. kind is "ev" for a bar or chip, whose place is { column, span, row } as lines of the CSS
// grid, or "slot", whose place is a slot of stackDay.
export function makePreview(kind, item, context, place) {
	const color = colorProps(item.entry.color);
	const node = make("div", `${kind} drag ${color.class}`, { "aria-hidden": "true" });
	setStyle(node, "--own", color.vars["--own"]);
	const text = item.entry.title ?? "";
	if (kind === "slot") {
		const texts = make("span", "slot-texts");
		texts.append(titleElement(text, "slot-title"), span("slot-time", context.format.range(item.start, item.end)));
		node.append(texts);
		placeSlot(node, place);
	} else {
		node.append(titleElement(text || timeText(item, context), "clip"));
		setStyle(node, "grid-column", `${place.column} / span ${place.span}`);
		setStyle(node, "grid-row", place.row);
	}
	return node;
}
