// Elements of entries: chips of months and all-day rows, slots of days, rows of lists.

import { make, setAttribute, setClass, setStyle, span } from "./dom.js";

const HUES = new Set(["harbour", "sea", "pine", "moss", "straw", "clay", "brick", "rose", "plum", "iris", "slate", "bark"]);

const items = new WeakMap(); // element → item
const drawn = new WeakMap(); // element → { format, text } of what its children show

// itemOfNode returns the item of the entry element that contains a node.
export function itemOfNode(node) {
	const element = node?.closest?.("[data-entry]");
	return element ? items.get(element) : undefined;
}

// keyOf returns the key of the element of an item among its siblings.
export function keyOf({ entry, id }) {
	return `${entry.href ? "a" : "b"}:${id}`;
}

function create({ item }) {
	const { href } = item.entry;
	const node = href ? make("a") : make("button", "", { type: "button" });
	node.dataset.entry = "";
	node.tabIndex = -1;
	node.draggable = false;
	return node;
}

function update(node, item, context, classes, redraw, children) {
	items.set(node, item);
	const { entry } = item;
	const { preview, chosen } = context;
	const isStruck = entry.state === "cancelled" || entry.done;
	setClass(node, ...classes, colorClass(entry.color), entry.state === "hatched" && "maybe", isStruck && "gone",
		preview && preview.id === item.id && "ghost", chosen === item.id && "is-on");
	setStyle(node, "--own", colorClass(entry.color) === "c-own" && entry.color);
	setAttribute(node, "aria-current", chosen === item.id && "true");
	const text = [entry.title, item.start, item.end, entry.state, entry.done, entry.recurring, entry.zone, entry.detail, entry.href, ...redraw].join("\n");
	const last = drawn.get(node);
	if (last?.text === text && last.format === context.format) return;
	if (entry.href) setAttribute(node, "href", entry.href);
	node.replaceChildren(...children(), span("sr", `, ${detailsOf(item, context)}`));
	drawn.set(node, { format: context.format, text });
}

// colorClass returns the class of the name of a hue or of a color "#rrggbb".
function colorClass(color) {
	if (HUES.has(color)) return `c-${color}`;
	return /^#[0-9a-f]{6}$/i.test(color ?? "") ? "c-own" : "c-slate";
}

// clock returns an element for times, which assistive technology reads after the title.
function clock(className, text = "", tag = "span") {
	const node = span(className, text, tag);
	node.setAttribute("aria-hidden", "true");
	return node;
}

// timesOf returns the text of the time of an item, for one day or with days.
export function timesOf({ allDay, start, end, first, last }, { format, words }) {
	if (allDay) return first === last ? words.allDay() : format.days(first, last);
	if (first === last) return format.range(start, end);
	return `${format.dateShort(first)} ${format.time(start)} – ${format.dateShort(last)} ${format.time(end)}`;
}

// detailsOf returns the details after the title in the accessible name of an entry.
function detailsOf(item, context) {
	const { entry, first, start } = item;
	const { format, words, zone, isZone } = context;
	const other = entry.zone && entry.zone !== zone && !item.allDay && isZone(entry.zone) ? entry.zone : undefined;
	return words.entry({
		date: format.date(first), time: timesOf(item, context),
		state: entry.state, done: entry.done, recurring: entry.recurring,
		zone: other, zoneTime: other && format.timeIn(other, start),
	});
}

function title(text, className) {
	const node = span(className, text);
	node.dir = "auto";
	return node;
}

// chip is the kind of the bars and chips in weeks. Its data is { bar, context, column, row }:
// a bar of stackWeek, and the grid lines at which it starts.
export const chip = {
	create: ({ bar }) => create(bar),
	update(node, { bar, context, column, row }) {
		const { item, span: columns, before, after } = bar;
		const { entry, long } = item;
		update(node, item, context, ["ev", !long && "timed", before && "cut-start", after && "cut-end"], [long, after, context.phone], () => {
			const parts = long ? [] : [clock("", context.format.time(item.start), "time")];
			parts.push(title(entry.title, "clip"));
			if (entry.done) parts.push(context.icon("check"));
			if (long && entry.resizable && !after) parts.push(make("span", "ev-end", { "aria-hidden": "true" }));
			return parts;
		});
		setStyle(node, "grid-column", `${column} / span ${columns}`);
		setStyle(node, "grid-row", row);
		setAttribute(node, "aria-hidden", context.phone && context.view === "month" && "true");
	},
};

// slot is the kind of the slots in days. Its data is { slot, context }: a slot of stackDay.
export const slot = {
	create: ({ slot: { item } }) => create({ item }),
	update(node, { slot: { item, at, length, lane, lanes, wide, before, after }, context }) {
		const { entry } = item;
		const isShort = length < 1;
		update(node, item, context, ["slot", isShort && "short", before && "cut-start", after && "cut-end"], [isShort, after], () => {
			const heading = title(entry.title, "slot-title");
			if (entry.done || entry.recurring) heading.append(context.icon(entry.done ? "check" : "repeat"));
			const parts = [heading];
			if (!isShort) parts.push(slotTime(item, context));
			if (!isShort && entry.detail) parts.push(title(entry.detail, "slot-sub clip"));
			if (entry.resizable && !after) parts.push(make("span", "slot-end", { "aria-hidden": "true" }));
			return parts;
		});
		placeSlot(node, { at, length, lane, lanes, wide });
	},
};

function slotTime({ start, end }, { format }) {
	const node = clock("slot-time");
	node.append(span("", format.time(start), "time"));
	if (end > start) {
		const to = span("slot-to", "–");
		to.append(span("", format.time(end), "time"));
		node.append(to);
	}
	return node;
}

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
		const line = make("li");
		const link = create({ item });
		link.tabIndex = 0;
		line.append(link);
		return line;
	},
	update(line, { item, context, day }) {
		const { entry, start, end, first, last, allDay } = item;
		const isPast = !allDay && end <= context.now;
		const from = allDay || first < day ? "" : context.format.time(start);
		const to = allDay || last > day || end === start ? "" : context.format.time(end);
		update(line.firstChild, item, context, ["row", "ag", isPast && "past", entry.state === "hatched" && "hatched"], [from, to], () => {
			const times = clock("ag-time num");
			times.append(from ? span("", from, "time") : span("", item.long || !to ? context.words.allDay() : "…"));
			if (to) times.append(span("quiet", to));
			const main = make("span", "row-main");
			main.append(title(entry.title, "clip strong"));
			if (entry.detail) main.append(title(entry.detail, "row-sub clip"));
			const parts = [times, make("span", "ag-bar"), main];
			if (entry.done) parts.push(context.icon("check"));
			return parts;
		});
	},
};

// lifted returns the element of an entry while it is dragged, without interaction. Kind is
// "ev" or "slot"; place places it.
export function lifted(kind, item, context, place) {
	const node = make("div", `${kind} drag ${colorClass(item.entry.color)}`, { "aria-hidden": "true" });
	setStyle(node, "--own", colorClass(item.entry.color) === "c-own" && item.entry.color);
	const text = item.entry.title ?? "";
	if (kind === "slot") {
		node.append(title(text, "slot-title"), span("slot-time", context.format.range(item.start, item.end)));
		placeSlot(node, place);
	} else {
		node.append(title(text || timesOf(item, context), "clip"));
		setStyle(node, "grid-column", `${place.column} / span ${place.span}`);
		setStyle(node, "grid-row", place.row);
	}
	return node;
}
