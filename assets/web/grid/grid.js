// The calendar grid: shows entries in a month, a week or a day.
//
//	const grid = createGrid(host, { view, day, entries, words, icon, on, … });
//	grid.update({ entries });
//
// Options:
//
//   view         "month", "week" or "day"
//   day          the date, such as "2026-11-26", whose month, week or day is shown; default: the
//                present day. On a phone it is also the selected day
//   entries      a list of entries, see below
//   chosen       the id of the entry to mark
//   zone         the time zone of the grid; default: that of the browser
//   locale       of the texts; default: that of the browser
//   hour12       whether the clock has 12 hours; default: as usual in the locale
//   weekStart    the first day of the week, 1 (Monday) to 7
//   weekendDays  a list of weekdays
//   fewestDays   the minimum number of days of the first week of a year, 4 or 1
//   phoneDays    the number of days that a week shows at a time on a phone; default: 1
//   dayStart     "07:00": the time to which the week scrolls at first, and of suggested entries; ""
//                does not scroll
//   step         the step of a drag in minutes; default: 15
//   length       the length of a new entry without an end, in milliseconds; default: 1 hour
//   now          a fixed instant, for tests
//   words        functions that return texts, see the end of this file
//   icon(name)   returns the SVG element of "check", "repeat" or "plus"
//   on           callbacks, see below
//
// An entry has:
//
//   id           unique; each occurrence of a series has a different one
//   title        a text
//   detail       a text, shown if there is room for it
//   calendar     optional: the name of its calendar, shown before detail in the list of a day
//   start, end   instants (milliseconds or "2026-11-26T12:30:00Z"), or dates if allDay; end is exclusive
//   allDay, movable, resizable, done, recurring
//   zone         the time zone of the entry; shown if it is not that of the grid
//   color        the name of a hue or "#rrggbb"
//   state        "hatched" (not confirmed), "cancelled" or undefined
//   href         optional: the URL of the entry, for a new tab
//
// The callbacks, which are optional except open:
//
//   open(id, event)  opens an entry
//   create(range)    creates an entry; without it, none can be created
//   move(entry, range, kind)  changes the range of an entry; kind is "move" or "resize". Without it, no
//                    entry can be moved
//   more(date)       shows the entries of a day
//   go(date)         shows another day by a call of update; without it, the grid shows it itself
//   announce(text)   announces a text to screen readers
//
// If create or move returns a promise, the grid shows the new range until the promise is settled. A
// range is { allDay, start, end } with instants in milliseconds or, if allDay, with dates; end is
// exclusive.

import { createDrag, scrollerOf } from "./drag.js";
import { itemOfNode, timeText } from "./entry.js";
import { createFormat } from "./format.js";
import { createKeys } from "./keys.js";
import { isSameRange, itemOf, itemsOf } from "./layout.js";
import { createMonth } from "./month.js";
import { createWeek } from "./week.js";
import { DAY, HOUR, MINUTE, dayAt, dayStart, formatDay, instantOf, isZone, nextHour, parseDay } from "./zone.js";

const DEFAULTS = {
	view: "month", entries: [], weekStart: 1, weekendDays: [6, 7], fewestDays: 4, phoneDays: 1, dayStart: "07:00", step: 15,
	length: HOUR, on: {},
	icon: () => document.createTextNode(""),
};

// VIEWS are the functions that create the views. A view has:
//
//   element            its element
//   render(context)    draws the entries and the days
//   drawPreview(item)  draws an item that is being moved, resized or created, null for none
//   focusables(day)    returns the elements of a day that can be focused, in order; none if the day is
//                      not visible
//   hit(x, y, area)    returns the position at a point of the viewport or next to it, as { area, day,
//                      instant }: area is "days" or, in the hours, "time", which has an instant. The
//                      parameter area selects one of them, by default that at the point
//   first(), last()    return the first and the last visible day
//   step(day, count)   returns the day to show for the count-th next period
//   scroller()         returns the element from which scrollerOf finds the scrolling element
//   scrollToStart(scrollBy)  optional: scrolls to dayStart at its first call, and at the first one after forgetScroll
//   forgetScroll()     optional: is called when the view is shown, which loses the position of its scrolling element
//   destroy()          ends its observers
//
// The context has these options, some of them in another form, and the state of the grid:
//
//   options, view, words, icon, chosen, zone
//   step, dayStart     in milliseconds, and in minutes after midnight
//   format             the result of createFormat
//   isZone, redraw()
//   items              the items of the entries, see layout.js
//   counts(day)        returns the number of items of a day
//   day, today         the day of the options, and the present day
//   now                the present instant
//   phone              whether the grid has the layout of a phone
//   isPrinting, isRightToLeft
//   preview            the item that is being moved, resized or created, without its new range
const VIEWS = { month: createMonth, week: () => createWeek(7), day: () => createWeek(1) };

// createGrid shows a grid in a host element. It returns:
//
//   update(options)  changes some of the options
//   range()          returns { start, end, from, to }: the visible dates, end exclusive, and the instants
//                    at which they start
//   step(count)      returns the date of the count-th next month, week or day; count may be negative
//   suggest()        returns a range for a new entry on the focused day
//   focus()          moves the focus into the grid
//   cancel()         ends a drag or a change by keys without a change
//   destroy()        removes the content and the listeners
export function createGrid(host, initial) {
	const options = { ...DEFAULTS };
	const context = { isZone, redraw: () => draw(false) };
	const phoneQuery = matchMedia("(max-width: 47.99rem)");
	const views = new Map(); // name → view, of all views that were shown: to draw one again is faster than to create it
	let view;
	let tabStop; // the element in the tab order
	let focus = {}; // { day, id } of tabStop; id is that of an entry, "more" for "n more", or undefined for the day
	let isDrawing = false;
	let preview; // { item, range } of an entry that is being moved, resized or created
	let timer;

	function update(changes) {
		const isChanged = (name) => name in changes && changes[name] !== options[name];
		const isNewView = !view || isChanged("view");
		const isNewFormat = !view || ["locale", "zone", "hour12", "words"].some(isChanged);
		const isNewItems = !view || isChanged("entries") || isChanged("zone");
		const isNewDay = isChanged("day");
		if (isNewDay && parseDay(changes.day) !== focus.day) focus = { day: parseDay(changes.day) };
		Object.assign(options, changes);
		context.zone = isZone(options.zone) ? options.zone : new Intl.DateTimeFormat().resolvedOptions().timeZone;
		if (isNewFormat) context.format = createFormat(options.locale, context.zone, options.hour12);
		if (isNewItems) readItems();
		const hadFocus = isNewView && host.contains(document.activeElement);
		if (isNewView) {
			tabStop?.setAttribute("tabindex", -1);
			tabStop = undefined;
			if (!views.has(options.view)) views.set(options.view, VIEWS[options.view]());
			view = views.get(options.view);
			host.replaceChildren(view.element);
			view.forgetScroll?.();
		}
		draw(isNewDay);
		if (isNewItems) cancelIfDeleted();
		if (options.dayStart) view.scrollToStart?.((distance) => (scrollerOf(view.scroller()).scrollTop += distance));
		if (hadFocus) tabStop?.focus(); // after the first scroll, because it scrolls to the element
	}

	// readItems sets the items and counts of the context. The counts are computed at the first use.
	function readItems() {
		context.items = itemsOf(options.entries, context.zone);
		let countByDay;
		context.counts = (day) => {
			countByDay ??= countDays(context.items);
			return countByDay.get(day) ?? 0;
		};
	}

	// cancelIfDeleted cancels the move of an entry that does not exist any more: its days are visible, but
	// it is not among the entries.
	function cancelIfDeleted() {
		if (!preview || preview.item.entry.title === undefined) return; // a new entry has no title
		const isVisible = preview.item.first <= view.last() && preview.item.last >= view.first();
		if (isVisible && !options.entries.some(({ id }) => id === preview.item.id)) cancel();
	}

	// draw draws the view, which changes only the elements that differ. If isNewDay, it scrolls to the
	// element that gets the focus.
	function draw(isNewDay) {
		const now = options.now ?? Date.now();
		const hadFocus = tabStop && document.activeElement === tabStop;
		Object.assign(context, {
			options, now,
			view: options.view, words: options.words, icon: options.icon, chosen: options.chosen,
			today: dayAt(context.zone, now),
			step: options.step * MINUTE,
			dayStart: minutesOf(options.dayStart),
			phone: phoneQuery.matches && !context.isPrinting,
			isRightToLeft: host.closest("[dir]")?.dir === "rtl",
			preview: preview && preview.item,
		});
		context.day = options.day ? parseDay(options.day) : context.today;
		focus.day ??= context.day;
		isDrawing = true;
		view.render(context);
		view.drawPreview(preview ? itemOf(preview.range, context.zone, preview.item.entry) : null);
		updateTabStop();
		if (hadFocus && document.activeElement !== tabStop) tabStop?.focus({ preventScroll: !isNewDay });
		isDrawing = false;
	}

	// updateTabStop puts the element of focus into the tab order, and removes the previous one.
	function updateTabStop() {
		const node = findTabStop();
		if (tabStop === node) return;
		tabStop?.setAttribute("tabindex", -1);
		node?.setAttribute("tabindex", 0);
		tabStop = node;
	}

	// findTabStop returns the element of focus. If there is none, it returns the first element of the
	// focused day or, if that is not visible, of the visible day that is nearest to the day of the options.
	function findTabStop() {
		const isVisible = focus.day >= view.first() && focus.day <= view.last();
		if (focus.id !== undefined) {
			const item = context.items.find(({ id }) => id === focus.id);
			for (const day of [focus.day, item?.first]) {
				const tabStopNode = day !== undefined && view.focusables(day).find((node) => idOf(node) === focus.id);
				if (tabStopNode) return tabStopNode;
			}
		}
		return view.focusables(isVisible ? focus.day : Math.min(Math.max(context.day, view.first()), view.last()))[0];
	}

	// idOf returns the id in focus for an element.
	const idOf = (node) => (node.dataset.more ? "more" : itemOfNode(node)?.id);

	// focusOn focuses an element of a day. Without node, it shows the day, and draw focuses its element.
	function focusOn(day, node) {
		focus = { day, id: node && idOf(node) };
		if (node) {
			updateTabStop();
			node.focus();
		} else {
			go(day);
		}
	}

	// go shows another day.
	function go(day) {
		const date = formatDay(day);
		if (options.on.go) options.on.go(date);
		else update({ day: date });
	}

	// openDay selects a day on a phone, and otherwise shows its entries.
	function openDay(day) {
		if (context.phone) go(day);
		else if (options.view !== "day") options.on.more?.(formatDay(day));
	}

	// revealItem makes an item the focused one, and shows its day.
	function revealItem(item) {
		focus = { day: item.first, id: item.id };
		if (item.first >= view.first() && item.first <= view.last()) return;
		go(item.first);
	}

	// setPreview shows an item with another range, or no preview if item is null.
	function setPreview(item, range) {
		const previousPreview = preview;
		preview = item ? { item, range } : undefined;
		if (previousPreview?.item.id !== item?.id || !item) draw(false);
		else view.drawPreview(itemOf(range, context.zone, item.entry));
	}

	// commit calls the callback for a range, and removes the preview when the callback is done. item is
	// null for a new entry.
	function commit(item, range, kind) {
		if (item && isSameRange(item, range)) return setPreview(null, null);
		const committedPreview = preview;
		const result = kind === "create" ? options.on.create?.(range) : options.on.move?.(item.entry, range, kind);
		const clear = () => preview === committedPreview && setPreview(null, null);
		if (typeof result?.then === "function") result.then(clear, clear);
		else clear();
	}

	function cancel() {
		drag.cancel();
		keys.cancel();
		if (preview) setPreview(null, null);
	}

	function onClick(event) {
		const { target } = event;
		const item = itemOfNode(target);
		const day = target.closest("[data-day]")?.dataset.day;
		const more = target.closest("[data-more]")?.dataset.more;
		const createDay = target.closest("[data-create]")?.dataset.create;
		if (createDay) {
			options.on.create?.(suggest(Number(createDay)));
		} else if (item) {
			if (item.entry.href && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
			event.preventDefault();
			options.on.open(item.id, event);
		} else if (more) {
			options.on.more?.(formatDay(Number(more)));
		} else if (day && (context.phone || event.detail === 0 || target.closest(".mo-n, .wk-name"))) { // 0: by assistive technology
			openDay(Number(day));
		}
	}

	// onFocusIn puts the focused element into the tab order.
	function onFocusIn({ target }) {
		if (isDrawing || target === tabStop || !target.closest(".mo, .wk") || target.tabIndex === undefined) return;
		const node = target.closest("[data-entry], [data-more], [data-day]");
		if (!node) return;
		focus = { day: Number(node.dataset.day ?? node.closest("[data-on]").dataset.on), id: idOf(node) };
		updateTabStop();
	}

	// suggest returns a range of the length of a new entry on a day: from the next full hour if it is the
	// present day, otherwise from dayStart.
	function suggest(day = focus.day) {
		const { zone, now, today } = context;
		const next = nextHour(zone, now);
		const isToday = day === today && dayAt(zone, next) === today;
		const start = isToday ? next : instantOf(zone, day * DAY + (context.dayStart || 9 * 60) * MINUTE);
		return { allDay: false, start, end: start + options.length };
	}

	function onPrint({ type }) {
		context.isPrinting = type === "beforeprint";
		draw(false);
	}

	// drawEveryMinute draws the grid, now and after the start of each minute.
	function drawEveryMinute() {
		draw(false);
		timer = setTimeout(drawEveryMinute, MINUTE - (Date.now() % MINUTE) + 50);
	}

	const env = {
		context: () => context, view: () => view, tabStop: () => tabStop, focusDay: () => focus.day, isDrawing: () => isDrawing,
		focusOn, openDay, revealItem, setPreview, commit, timeText: (item) => timeText(item, context),
	};
	host.classList.add("grid-host");
	const drag = createDrag(host, env);
	const keys = createKeys(host, env);
	const listeners = [
		[host, "click", onClick], [host, "focusin", onFocusIn],
		[phoneQuery, "change", context.redraw], [window, "beforeprint", onPrint], [window, "afterprint", onPrint],
	];
	for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
	update(initial);
	timer = setTimeout(drawEveryMinute, MINUTE - (Date.now() % MINUTE) + 50);

	return {
		update, cancel,
		suggest: () => suggest(),
		range() {
			const [first, end] = [view.first(), view.last() + 1];
			return { start: formatDay(first), end: formatDay(end), from: dayStart(context.zone, first), to: dayStart(context.zone, end) };
		},
		step: (count) => formatDay(view.step(context.day, count)),
		focus: () => tabStop?.focus(),
		destroy() {
			clearTimeout(timer);
			drag.destroy();
			keys.destroy();
			for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
			for (const created of views.values()) created.destroy();
			host.replaceChildren();
		},
	};
}

// countDays returns a Map from days to their numbers of items. Of a longer item, it counts the first
// 366 days.
function countDays(items) {
	const countByDay = new Map();
	for (const { first, last } of items) {
		for (let day = first; day <= last && day < first + 366; day++) countByDay.set(day, (countByDay.get(day) ?? 0) + 1);
	}
	return countByDay;
}

// minutesOf returns the minutes after midnight of a time such as "07:00", 0 for "".
function minutesOf(time) {
	const [hours, minutes] = (time || "0:0").split(":").map(Number);
	return hours * 60 + minutes;
}

// The option words has these functions; the texts are examples:
//
//   allDay()             "All day"
//   more(count)          "3 more"
//   moreOn(count, date)  "3 more on Thursday, 26 November"
//   week(number)         "W 48"
//   hours()              "Hours", the name of the column of hours
//   again()              "again", at the second 02:00
//   day({ date, isToday, isChosen, count })  "Thursday, 26 November, today, chosen, 4 entries"
//   create()             "New"
//   createOn(date)       "New on Thursday, 26 November"
//   entry({ date, time, state, done, recurring, zone, zoneTime })  "19:00–20:30, Thursday, 26 November,
//                        repeats", after the title; zone and zoneTime are only given if the entry has
//                        another time zone than the grid
//   moving({ title, date, time })  "Choir: Thursday, 26 November, 19:15–20:45"
//   nothing()            "Nothing on this day"
//   now(time)            "It is 13:42"
//   freeUntil(time)      "free until 15:30"
//   skippedDay()         "The clocks skipped this day"
