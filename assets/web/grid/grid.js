// The calendar grid: a month, a week or a day of entries.
//
//	const grid = createGrid(host, { view, day, entries, words, icon, on, … });
//	grid.update({ entries });
//
// Options:
//   view         "month", "week" or "day"
//   day          the date "2026-11-26" whose month, week or day is shown; on a phone also the
//                chosen day
//   entries      a list of
//     id         unique; each occurrence of a series has its own
//     title, detail   texts; detail is one more line where there is room
//     start, end      instants (ms or "2026-11-26T12:30:00Z"), or dates if allDay; end exclusive
//     allDay, movable, resizable, done, recurring
//     zone       the zone in which the entry was written; named if it is not the shown one
//     color      the name of a hue or "#rrggbb"
//     state      "hatched" (no answer yet), "cancelled" or nothing
//     href       optional: the URL of the entry, for a new tab
//   chosen       the id of the entry to mark
//   zone, locale, hour12   of the texts; default: those of the browser
//   weekStart    1 (Monday) to 7; weekendDays a list of such numbers; fewestDays of the first
//                week of a year (4 or 1)
//   dayStart     "07:00": the hour to which the week scrolls at first; "" does not scroll
//   step         minutes of a step of dragging, 15
//   length       of a new entry that is not dragged to its end, in ms, 1 hour
//   now          a fixed instant, for tests
//   words        functions that return texts: see the end of this file
//   icon         (name) returns the SVG element of "check" or "repeat"
//   on           functions: open(id, event), create(range), move(entry, range, kind), more(date),
//                go(date), announce(text). All but open are optional. Without create and move
//                nothing can be made or moved. If create or move returns a promise, the entry
//                stays where it was dropped until the promise is settled. go asks to show
//                another day; without it the grid does so itself.
//
// A range is { allDay, start, end } with instants in ms, or dates if allDay.

import { createDrag, scrollerOf } from "./drag.js";
import { itemOfNode, timesOf } from "./entry.js";
import { createFormat } from "./format.js";
import { createKeys } from "./keys.js";
import { isSameRange, itemOf, prepare } from "./layout.js";
import { createMonth } from "./month.js";
import { createWeek } from "./week.js";
import { DAY, HOUR, MINUTE, dayAt, dayStart, formatDay, instantOf, isZone, parseDay } from "./zone.js";

const DEFAULTS = {
	view: "month", entries: [], weekStart: 1, weekendDays: [6, 7], fewestDays: 4, dayStart: "07:00", step: 15, length: HOUR, on: {},
	icon: () => document.createTextNode(""),
};

const VIEWS = { month: createMonth, week: () => createWeek(7), day: () => createWeek(1) };

// createGrid shows a grid in a host element. It returns:
//   update(options)  changes some options
//   range()          { start, end, from, to }: the dates shown, end exclusive, and their instants
//   step(count)      the date to show for the previous (-1) or next (1) month, week or day
//   suggest()        a range for a new entry on the focused day
//   focus()          moves the focus into the grid
//   cancel()         ends dragging
//   destroy()
export function createGrid(host, initial) {
	const options = { ...DEFAULTS };
	const context = { isZone, redraw: () => draw(false) };
	const phone = matchMedia("(max-width: 47.99rem)");
	let view;
	let stop; // the element in the tab order
	let focus = {}; // { day, id }; id is that of an entry, or "more" for "n more"
	let isDrawing = false;
	let lifted; // { item, range } while dragging
	let timer;

	function update(changes) {
		const isSeen = (name) => name in changes && changes[name] !== options[name];
		const isNewView = !view || isSeen("view");
		const isNewFormat = !view || ["locale", "zone", "hour12", "words"].some(isSeen);
		const isNewItems = !view || isSeen("entries") || isSeen("zone");
		const isNewDay = isSeen("day");
		if (isNewDay && parseDay(changes.day) !== focus.day) focus = { day: parseDay(changes.day) };
		Object.assign(options, changes);
		context.zone = isZone(options.zone) ? options.zone : new Intl.DateTimeFormat().resolvedOptions().timeZone;
		if (isNewFormat) context.format = createFormat(options.locale, context.zone, options.hour12);
		if (isNewItems) readItems();
		if (isNewView) {
			view?.destroy();
			view = VIEWS[options.view]();
			host.replaceChildren(view.element);
			stop = undefined;
		}
		draw(isNewDay);
		if (isNewItems) endLift();
		if (options.dayStart) view.scrollToStart?.((by) => (scrollerOf(view.scroller()).scrollTop += by));
	}

	function readItems() {
		context.items = prepare(options.entries, context.zone);
		let perDay;
		context.counts = (day) => {
			perDay ??= countDays(context.items);
			return perDay.get(day) ?? 0;
		};
	}

	// endLift ends the move of an entry that does not exist any more: it is none of those of its days.
	function endLift() {
		if (!lifted || lifted.item.entry.title === undefined) return; // nothing, or a new one
		const isShown = lifted.item.first <= view.last() && lifted.item.last >= view.first();
		if (isShown && !options.entries.some(({ id }) => id === lifted.item.id)) cancel();
	}

	// draw draws what has changed, and scrolls to the focused element if isNewDay.
	function draw(isNewDay) {
		const now = options.now ?? Date.now();
		const hadFocus = stop && document.activeElement === stop;
		Object.assign(context, {
			options, now,
			view: options.view, words: options.words, icon: options.icon, chosen: options.chosen,
			today: dayAt(context.zone, now),
			step: options.step * MINUTE,
			dayStart: minutesOf(options.dayStart),
			phone: phone.matches && !context.isPrinting,
			isRightToLeft: getComputedStyle(host).direction === "rtl",
			preview: lifted && lifted.item,
		});
		context.day = options.day ? parseDay(options.day) : context.today;
		focus.day ??= context.day;
		isDrawing = true;
		view.render(context);
		view.preview(lifted ? itemOf(lifted.range, context.zone, lifted.item.entry) : null);
		placeStop();
		if (hadFocus && document.activeElement !== stop) stop?.focus({ preventScroll: !isNewDay });
		isDrawing = false;
	}

	// placeStop puts one element into the tab order.
	function placeStop() {
		const node = findStop();
		if (stop === node) return;
		stop?.setAttribute("tabindex", -1);
		node?.setAttribute("tabindex", 0);
		stop = node;
	}

	function findStop() {
		const isShown = focus.day >= view.first() && focus.day <= view.last();
		if (focus.id !== undefined) {
			const item = context.items.find(({ id }) => id === focus.id);
			for (const day of [focus.day, item?.first]) {
				const found = day !== undefined && view.stops(day).find((node) => idOf(node) === focus.id);
				if (found) return found;
			}
		}
		return view.stops(isShown ? focus.day : Math.min(Math.max(context.day, view.first()), view.last()))[0];
	}

	const idOf = (node) => (node.dataset.more ? "more" : itemOfNode(node)?.id);

	// focusOn focuses an element of a day, or a day that is not shown yet.
	function focusOn(day, node) {
		focus = { day, id: node && idOf(node) };
		if (node) {
			placeStop();
			node.focus();
		} else {
			go(day);
		}
	}

	function go(day) {
		const date = formatDay(day);
		if (options.on.go) options.on.go(date);
		else update({ day: date });
	}

	function openDay(day) {
		if (context.phone) go(day);
		else if (options.view !== "day") options.on.more?.(formatDay(day));
	}

	function follow(item) {
		focus = { day: item.first, id: item.id };
		if (item.first >= view.first() && item.first <= view.last()) return;
		go(item.first);
	}

	function lift(item, range) {
		const before = lifted;
		lifted = item ? { item, range } : undefined;
		if (before?.item.id !== item?.id || !item) draw(false);
		else view.preview(itemOf(range, context.zone, item.entry));
	}

	function commit(item, range, kind) {
		if (item && isSameRange(item, range)) return lift(null, null);
		const shown = lifted;
		const result = kind === "create" ? options.on.create?.(range) : options.on.move?.(item.entry, range, kind);
		const clear = () => lifted === shown && lift(null, null);
		if (typeof result?.then === "function") result.then(clear, clear);
		else clear();
	}

	function cancel() {
		drag.cancel();
		keys.cancel();
		if (lifted) lift(null, null);
	}

	function click(event) {
		const { target } = event;
		const item = itemOfNode(target);
		const day = target.closest("[data-day]")?.dataset.day;
		const more = target.closest("[data-more]")?.dataset.more;
		if (item) {
			if (item.entry.href && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
			event.preventDefault();
			options.on.open(item.id, event);
		} else if (more) {
			options.on.more?.(formatDay(Number(more)));
		} else if (day && (context.phone || event.detail === 0 || target.closest(".mo-n, .wk-name"))) { // 0: by assistive technology
			openDay(Number(day));
		}
	}

	function focusIn({ target }) {
		if (isDrawing || target === stop || !target.closest(".mo, .wk") || target.tabIndex === undefined) return;
		const node = target.closest("[data-entry], [data-more], [data-day]");
		if (!node) return;
		focus = { day: Number(node.dataset.day ?? node.closest("[data-on]").dataset.on), id: idOf(node) };
		placeStop();
	}

	function suggest() {
		const { zone, now, today } = context;
		const next = Math.ceil((now + 1) / HOUR) * HOUR;
		const start = focus.day === today && dayAt(zone, next) === today ? next : instantOf(zone, focus.day * DAY + (context.dayStart || 9 * 60) * MINUTE);
		return { allDay: false, start, end: start + options.length };
	}

	function print({ type }) {
		context.isPrinting = type === "beforeprint";
		draw(false);
	}

	function tick() {
		draw(false);
		timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE) + 50);
	}

	const env = {
		context: () => context, view: () => view, stop: () => stop, focusDay: () => focus.day, isDrawing: () => isDrawing,
		focusOn, openDay, follow, lift, commit, timesOf: (item) => timesOf(item, context),
	};
	host.classList.add("grid-host");
	const drag = createDrag(host, env);
	const keys = createKeys(host, env);
	const listeners = [
		[host, "click", click], [host, "focusin", focusIn],
		[phone, "change", context.redraw], [window, "beforeprint", print], [window, "afterprint", print],
	];
	for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
	update(initial);
	timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE) + 50);

	return {
		update, suggest, cancel,
		range() {
			const end = view.last() + 1;
			return { start: formatDay(view.first()), end: formatDay(end), from: dayStart(context.zone, view.first()), to: dayStart(context.zone, end) };
		},
		step: (count) => formatDay(view.step(context.day, count)),
		focus: () => stop?.focus(),
		destroy() {
			clearTimeout(timer);
			drag.destroy();
			keys.destroy();
			for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
			view.destroy();
			host.replaceChildren();
		},
	};
}

function countDays(items) {
	const perDay = new Map();
	for (const { first, last } of items) {
		for (let day = first; day <= last && day < first + 366; day++) perDay.set(day, (perDay.get(day) ?? 0) + 1);
	}
	return perDay;
}

function minutesOf(time) {
	const [hours, minutes] = (time || "0:0").split(":").map(Number);
	return hours * 60 + minutes;
}

// The words, with examples:
//   allDay()            "All day"
//   more(count)         "3 more"
//   moreOn(count, date) "3 more on Thursday, 26 November"
//   week(number)        "W 48"
//   hours()             "Hours", of the column of hours
//   again()             "again", at the second 02:00
//   day({ date, isToday, count })  "Thursday, 26 November, today, 4 entries"
//   entry({ date, time, state, done, recurring, zone, zoneTime })  what follows the title:
//                       "19:00–20:30, Thursday, 26 November, repeats"; zone and zoneTime only
//                       if the entry is of another zone
//   moving({ title, date, time })  "Choir: Thursday, 26 November, 19:15–20:45"
//   nothing()           "Nothing on this day"
//   now(time)           "It is 13:42"; freeUntil(time) "free until 15:30"
//   skippedDay()        "The clocks skipped this day"
