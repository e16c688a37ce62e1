// The view of the calendar, which shows a month, a week, a day, the agenda or the tasks.

import { el, icon } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { pickDay } from "../parts/picker.js";
import { EVENT_TYPE } from "../frame/editor.js";
import { problem } from "../frame/problem.js";
import { itemOfNode } from "../grid/entry.js";
import { createGrid } from "../grid/grid.js";
import { createAgenda } from "./agenda.js";
import { formTimes, suggestRange } from "../editor/suggestion.js";
import { daysOf, entryOf, invitationEntries, timesOf } from "./entries.js";
import { PanelSource } from "./source.js";
import { VIEWS, stepDay, titleOf, viewOf, weekdayNumber } from "./ranges.js";
import { createSide } from "./side.js";
import { onSwipe } from "./swipe.js";
import { createTaskList } from "./tasklist.js";
import { createBar } from "./bar.js";
import { move, withForms } from "./writes.js";

const VIEW_KEY = "calendar-view"; // key of the latest view in localStorage
const DAYS_KEY = "calendar-week-days"; // key of the number of days of a week on a phone in localStorage
const GRID_VIEWS = new Set(["day", "week", "month"]); // views that are shown by a grid
const PHONE_QUERY = "(max-width: 47.99rem)";
const NARROW_QUERY = "(max-width: 79.99rem)"; // widths with a short title

// CalendarView is the view of the panel of Time, see frame/frame.js.
//
// Its property view is one of VIEWS, and date is the date whose period is visible.
export class CalendarView {
	usesFullWidth = true;
	#movedRanges = new Map(); // id of a moved entry → its new range, until the panel contains it
	#latestMove = Promise.resolve(); // resolved after the latest move
	#visibility = new Map(); // id of a calendar → { visible }, its new visibility until the panel contains it
	#content = null; // result of #makeContent for the present view
	#entryCache = { inputs: [], list: [] }; // the latest result of entries, and the data that it depends on
	#failure = null; // error of the latest read, null after a success
	#noticeFailure = null; // error that the note shows
	#isCreating = false; // whether the form for a new entry is open
	#followsToday = false; // whether the date was the present day when it was chosen
	#shownTitle = "";
	#hasLostFocus = false; // whether the placeholder has replaced the focused element, such as a day of the agenda

	// match is the result of matchRoute for the route.
	constructor(app, route, match) {
		this.app = app;
		this.route = { kind: route.kind, id: route.id };
		this.scope = app.scope();
		this.source = new PanelSource(app, match.url, this.scope, {
			show: () => this.#onPanel(),
			fail: (error) => this.#onFailure(error),
		});
		this.bar = createBar(app, {
			step: (count) => this.step(count),
			today: () => this.go(app.words.currentDay()),
			choose: (view) => this.choose(view),
			create: () => this.create(),
			pick: (anchor) => pickDay(anchor, { words: app.words, day: this.date, pick: (date) => this.go(date) }),
			calendars: () => this.side.openCalendars(),
			phoneDays,
			showDays: (count) => {
				localStorage.setItem(DAYS_KEY, count);
				this.#draw();
			},
		});
		this.side = createSide(app, {
			go: (date) => this.go(date),
			show: (calendar, visible) => this.#showCalendar(calendar, visible),
			tasksRoute: () => this.routeOf({ view: "tasks" }),
		});
		this.host = el("div", { class: "cal-main" });
		onSwipe(this.host, (count, target) => this.#swipe(count, target));
		this.element = [this.bar.element, el("div", { class: "pane flush" }, el("div", { class: "cal" }, this.side.element, this.host))];
		this.keys = this.#keys();
		this.title = () => titleOf(this.view, this.date, this.#titleOptions());
		this.scope.on(["objects"], () => {
			this.side.showTasks();
			this.#draw();
		});
		this.scope.add(app.queue.subscribe(() => this.side.showTicks()));
		this.scope.every(60_000, () => this.#onMinute());
		this.update(route);
	}

	// update shows the view and the date of a route. It returns false for the route of an entry.
	update({ kind, query }) {
		if (kind === "at" || query.entry) return false;
		const { words } = this.app;
		Object.assign(this, viewOf(query, { today: words.currentDay(), usual: usualView() }));
		if (query.view && !(matchMedia(PHONE_QUERY).matches && query.view === "day")) localStorage.setItem(VIEW_KEY, this.view);
		this.#show();
		return true;
	}

	// close ends the subscriptions and removes the listeners of the grid.
	close() {
		this.#content?.destroy?.();
		this.scope.end();
	}

	// weekStart is the first day of the week, 1 for Monday to 7.
	get weekStart() {
		return weekdayNumber(this.source.latest?.boundaries.week_start) || this.app.words.weekStart;
	}

	// routeOf returns the route of a view and a date, by default the present ones.
	routeOf({ view = this.view, date = this.date } = {}) {
		return { ...this.route, query: { view, date: date === this.app.words.currentDay() ? "" : date } };
	}

	// step shows the period that is count periods after the visible one. The view of tasks has none. In the week of a
	// phone, the period are the visible days.
	step(count) {
		if (this.view === "tasks") return;
		if (this.#isPhoneWeek()) this.go(stepDay("day", this.date, count * phoneDays()));
		else this.go(stepDay(this.view, this.date, count));
	}

	#isPhoneWeek() {
		return this.view === "week" && matchMedia(PHONE_QUERY).matches;
	}

	// #swipe handles a swipe in a grid, see onSwipe. In the week of a phone, it shows the next or previous
	// days, and only a swipe in the head another week.
	#swipe(count, target) {
		if (!this.#content.grid) return;
		if (this.#isPhoneWeek() && target.closest(".wk-head")) this.go(stepDay("week", this.date, count));
		else this.step(count);
	}

	// go shows another date in the same view, or its day in the view of tasks. In the same view, it
	// changes the address without a new entry of the history.
	go(date) {
		if (this.view === "tasks") return this.app.go(this.routeOf({ view: "day", date }));
		this.date = date;
		this.app.router.set(this.routeOf());
		this.#show();
		return undefined;
	}

	// choose shows another view of the same date.
	choose(view) {
		if (view !== this.view) this.app.go(this.routeOf({ view }));
	}

	// create opens the form for a new entry, by default with a suggested range. In the view of tasks, it
	// focuses the form for new tasks.
	async create(range) {
		const actions = (this.source.latest?.action_descriptors ?? []).filter(({ id }) => id === "create_event" || id === "create_task");
		if (actions.length === 0 || this.#isCreating) return;
		if (this.view === "tasks") return this.#content.focus();
		this.#isCreating = true; // a double click calls create twice
		const { words } = this.app;
		const dayStart = () => this.source.latest.boundaries.day_start;
		const suggestion = () => suggestRange(this.date, { now: Date.now(), zone: words.zone, dayStart: dayStart() });
		const values = formTimes(range ?? this.#content.grid?.suggest() ?? suggestion(), words.zone);
		if (range) values.due = values.start; // a task has a due time only if the member has chosen a range
		const event = this.app.store.actionOn("workspace", EVENT_TYPE);
		const offered = [...actions, event].filter(Boolean);
		const data = await withForms(this.app, ({ createEntry }) => createEntry(this.app, offered, values));
		this.#isCreating = false;
		if (data) await this.source.refresh().catch(() => {});
	}

	// edit opens the form of the object of an entry. It ignores undefined.
	async edit(object) {
		if (!object) return;
		const { app } = this;
		const result = await withForms(app, async ({ editEntry, readEntry }) => editEntry(app, await readEntry(app, object)));
		if (result) await this.source.refresh().catch(() => {});
	}

	// #keys returns the keyboard shortcuts of the view.
	#keys() {
		const rtl = () => getComputedStyle(this.host).direction === "rtl";
		const step = (count) => () => this.step(count);
		const views = Object.fromEntries(VIEWS.map((view, i) => [String(i + 1), () => this.choose(view)]));
		return {
			...views,
			"[": step(-1), "]": step(1),
			ArrowLeft: () => this.step(rtl() ? 1 : -1), ArrowRight: () => this.step(rtl() ? -1 : 1),
			".": () => this.go(this.app.words.currentDay()),
			n: () => { this.create(); },
			e: () => { this.edit(itemOfNode(document.activeElement)?.entry.object); },
		};
	}

	// #titleOptions returns the options of titleOf.
	#titleOptions() {
		const labels = Object.fromEntries((this.source.latest?.nav ?? []).map(({ id, label }) => [id, label]));
		const widths = { isShort: matchMedia(NARROW_QUERY).matches, isPhone: matchMedia(PHONE_QUERY).matches };
		const visibleDays = this.#isPhoneWeek() ? phoneDays() : 7;
		return { words: this.app.words, weekStart: this.weekStart, visibleDays, labels, ...widths };
	}

	// #onMinute draws the present time. After midnight, it shows the new day if the previous one was shown
	// as the present day: the address without a date means the present day.
	#onMinute() {
		const today = this.app.words.currentDay();
		if (!this.#followsToday || this.date === today) return this.#draw();
		this.date = today;
		return this.#show();
	}

	// #show shows the period of this.view and this.date.
	#show() {
		this.#followsToday = this.date === this.app.words.currentDay();
		this.#failure = null;
		this.source.follow(this.view, this.date, this.weekStart);
		const kind = GRID_VIEWS.has(this.view) ? "grid" : this.view;
		const hadFocus = this.#content?.kind !== kind && this.host.contains(document.activeElement);
		if (this.#content?.kind !== kind) {
			this.#content?.destroy?.();
			this.#content = this.#makeContent(kind);
			this.host.replaceChildren(this.#content.element);
		}
		this.#draw();
		if (hadFocus) this.app.frame.focusTitle();
	}

	// #makeContent returns the content for a kind of views, "grid", "agenda" or "tasks", as an object
	// with kind, element and the functions of createAgenda or createTaskList. The content of grids has
	// grid, the result of createGrid or null until the panel is read, and showSkeleton().
	#makeContent(kind) {
		const { app } = this;
		if (kind === "tasks") return { kind, ...createTaskList(app) };
		if (kind === "agenda") return { kind, ...createAgenda(app, { go: (date) => this.go(date), create: () => this.create() }) };
		const element = el("div", { class: "cal-grid" });
		const showSkeleton = () => element.firstChild ?? element.append(this.#makeSkeleton());
		return { kind, element, showSkeleton, grid: null, destroy() { this.grid?.destroy(); } };
	}

	#makeSkeleton() {
		return el("div", { class: "agenda" }, skeleton({ words: this.app.words, rows: 6 }));
	}

	#onPanel() {
		this.#failure = null;
		this.#draw();
	}

	#onFailure(error) {
		this.#failure = error;
		this.#draw();
	}

	// #draw draws the title, the bar, the column and the content.
	#draw() {
		const { latest: panel, current } = this.source;
		const canCreate = (panel?.action_descriptors ?? []).some(({ id }) => id === "create_event");
		this.#showTitle();
		this.bar.update({ title: this.title(), view: this.view, nav: panel?.nav, canCreate });
		if (this.#content.kind === "grid") this.#drawGrid(panel, canCreate);
		const visibleRange = this.#content.grid?.range();
		this.side.update({
			panel: panel && { ...panel, calendars: this.#calendars(panel) }, date: this.date,
			shown: visibleRange && { start: visibleRange.start, end: visibleRange.end }, weekStart: this.weekStart,
			hasTasks: this.view !== "tasks",
		});
		this.#drawFailure(!current);
		if (this.#content.kind === "grid") return;
		if (!current) {
			this.placeholder ??= this.#makeSkeleton();
			if (this.#failure || this.placeholder.parentNode === this.host) return;
			this.#hasLostFocus = this.host.contains(document.activeElement);
			this.host.replaceChildren(this.placeholder);
			return;
		}
		if (this.#content.element.parentNode !== this.host) this.host.replaceChildren(this.#content.element);
		this.placeholder = null;
		if (this.#content.kind === "tasks") {
			const routeOf = (task) => this.#routeOfEntry(task);
			this.#content.update({ panel: current, weekStart: this.weekStart, url: this.source.url, routeOf });
		} else {
			this.#content.update({ entries: this.entries(), date: this.date, weekStart: this.weekStart, canCreate });
		}
		if (this.#hasLostFocus && document.activeElement === document.body) {
			this.#content.element.querySelector("[aria-current=date]")?.focus({ preventScroll: true });
		}
		this.#hasLostFocus = false;
	}

	// #showTitle sets the title of the page, if it has changed.
	#showTitle() {
		const title = this.title();
		if (title === this.#shownTitle) return;
		this.#shownTitle = title;
		const { frame } = this.app;
		if (frame.view === this) frame.showTitle();
	}

	// #drawFailure shows the error of the panel, if the panel was not read. isUnread is whether the
	// source has no panel of the visible period.
	#drawFailure(isUnread) {
		const failure = isUnread ? this.#failure : null;
		if (failure && failure === this.#noticeFailure && this.note.parentNode === this.host) return;
		this.note?.remove();
		this.note = null;
		this.#noticeFailure = failure;
		if (!failure) return;
		const retry = () => {
			this.#failure = null;
			this.source.refresh().catch((error) => this.#onFailure(error));
			this.#draw();
			this.app.frame.focusTitle(); // the button has been removed
		};
		this.note = el("div", { class: "cal-note" }, problem(failure, this.app.words, retry));
		if (this.#content.kind !== "grid") this.host.replaceChildren();
		this.host.prepend(this.note);
	}

	// #drawGrid creates or updates the grid. panel is the panel of the source, or null.
	#drawGrid(panel, canCreate) {
		const { app } = this;
		const { words } = app;
		const bounds = panel?.boundaries;
		const options = {
			view: this.view, day: this.date, entries: this.entries(), zone: words.zone, locale: words.locale,
			weekStart: this.weekStart, weekendDays: this.#weekend(bounds), fewestDays: bounds?.week_number_rule === "first_day" ? 1 : 4,
			phoneDays: phoneDays(), dayStart: bounds?.day_start ?? "", on: this.#gridListeners(canCreate),
		};
		if (this.#content.grid) return this.#content.grid.update(options);
		// Without entries, the grid would be shown with another layout first: the all-day entries move the
		// hours, and the list of the day on a phone is empty.
		const needsEntries = this.view !== "month" || matchMedia(PHONE_QUERY).matches;
		if (!panel && !this.#failure && needsEntries) return this.#content.showSkeleton();
		this.#content.grid = createGrid(this.#content.element, { ...options, words: words.calendar.grid, icon });
		return undefined;
	}

	// #weekend returns the weekdays of the weekend as numbers: those of the first panel that was read or,
	// before it, Saturday and Sunday.
	#weekend(bounds) {
		this.weekend ??= bounds && bounds.weekend_days.map(weekdayNumber);
		return this.weekend ?? [6, 7];
	}

	// #gridListeners returns the option on of the grid.
	#gridListeners(canCreate) {
		const { app } = this;
		return {
			open: (id) => {
				const entry = this.entries().find((other) => other.id === id);
				if (entry) app.go(entry.route);
			},
			create: canCreate ? (range) => this.create(range) : undefined,
			move: (entry, range) => this.#move(entry, range),
			more: (date) => app.go(this.routeOf({ view: "day", date })),
			go: (date) => this.go(date),
			announce: (text) => app.say(text),
		};
	}

	// #move moves an entry after the earlier moves have ended, so that it has the ETag of the latest
	// version. It returns a promise that is resolved after the move.
	#move(entry, range) {
		const moveEnd = this.#latestMove.then(() => this.#moveNow(entry, range));
		this.#latestMove = moveEnd.catch(() => {});
		return moveEnd;
	}

	// #moveNow moves an entry, and shows it at its new time without waiting for the response. The panel
	// may not contain the entry any more, if an earlier move has moved it to another period: then
	// #moveNow moves the object that the grid had.
	async #moveNow({ id, object: earlier }, range) {
		const { object } = this.entries().find((entry) => entry.id === id) ?? { object: earlier };
		if (!object) return;
		const isMoved = await move(this.app, object, range, () => {
			this.#movedRanges.set(id, range);
			this.#draw();
		});
		if (isMoved) await this.source.refresh().catch(() => {});
		this.#movedRanges.delete(id);
		this.#draw();
	}

	// entries returns the entries for the grid and the agenda: the entries of the panel of the visible period
	// or, until it is read, of the previous panel, and the invitations. It returns the same list until
	// an entry has changed, because the grid compares lists by identity.
	entries() {
		const { app, source } = this;
		const panel = source.current ?? source.latest;
		const { objects } = app.store.dataset;
		const movesKey = this.#movedRanges.size > 0 ? JSON.stringify([...this.#movedRanges]) : "";
		const inputs = [panel, objects, movesKey, JSON.stringify([...this.#visibility])];
		const last = this.#entryCache;
		if (inputs.every((input, i) => input === last.inputs[i])) return last.list;
		const list = this.#makeEntries(panel, objects);
		const isSame = panel === last.inputs[0] && listKey(list) === listKey(last.list);
		this.#entryCache = { inputs, list: isSame ? last.list : list };
		return this.#entryCache.list;
	}

	#makeEntries(panel, objects) {
		const { app } = this;
		const { words, store } = app;
		const unansweredEvents = objects.filter(({ object_type: type, state }) => type === "event" && state.rsvp?.mine === "none");
		const unanswered = new Set(unansweredEvents.map(({ source }) => source.resource_id));
		const worldIds = new Map(objects.map(({ source, world_object_id: id }) => [source?.resource_id, id]));
		const options = { zone: words.zone, unanswered };
		const panelObjects = panel ? [...panel.appointments, ...panel.tasks] : [];
		const isVisible = ({ state }) => this.#visibility.get(state.calendar_id)?.visible !== false && state.local_visibility !== "hidden";
		const withRoute = (entry, route) => {
			let href; // formatted at the first use: a month may hide most of its entries
			return { ...entry, route, get href() { return (href ??= app.href(route)); } };
		};
		const panelEntries = panelObjects.filter(isVisible).map((object) => {
			const entry = entryOf(object, options);
			const newRange = entry && this.#movedRanges.get(entry.id);
			return entry && withRoute(newRange ? { ...entry, ...newRange } : entry, this.#routeOfEntry(object, worldIds));
		}).filter(Boolean);
		const invitations = invitationEntries(objects, { memberId: store.memberId, zone: words.zone, asks: words.calendar.asks });
		return [...panelEntries, ...invitations.map((entry) => withRoute(entry, { kind: "at", id: entry.id }))];
	}

	// #routeOfEntry returns the route of an object of the panel: that of its object in the dataset or,
	// if the dataset does not contain it, one with its panel. worldIds maps ids of the panel to ids of
	// the dataset; without it, #routeOfEntry searches the dataset.
	#routeOfEntry(object, worldIds) {
		const worldObject = () => this.app.store.dataset.objects.find(({ source }) => source?.resource_id === object.id);
		const id = worldIds ? worldIds.get(object.id) : worldObject()?.world_object_id;
		const occurrence = object.state.occurrence?.recurrence_id ?? "";
		if (id) return { kind: "at", id, query: { occurrence } };
		const { zone } = this.app.words;
		const times = timesOf(object, zone);
		const panel = times ? { view: "day", date: daysOf(times, zone).first } : { view: "tasks" };
		return { ...this.route, query: { ...panel, entry: object.id, occurrence } };
	}

	// #calendars returns the calendars of the panel with the visibility that the member has set.
	#calendars(panel) {
		return panel.calendars.map((calendar) => ({ ...calendar, ...this.#visibility.get(calendar.id) }));
	}

	// #showCalendar shows or hides the entries of a calendar, and then stores its visibility. If that
	// fails, it shows the stored one again. The member may change the visibility again meanwhile: the last
	// change counts.
	async #showCalendar({ id, actions }, visible) {
		const { app } = this;
		const change = { visible };
		this.#visibility.set(id, change);
		this.#draw();
		try {
			await app.dispatcher.post(actions.arrange, { visible }, { ordered: true });
			if (this.#visibility.get(id) === change) await this.source.refresh().catch(() => {});
		} catch (error) {
			if (this.#visibility.get(id) === change) app.actions.showError(error);
		}
		if (this.#visibility.get(id) !== change) return;
		this.#visibility.delete(id);
		this.#draw();
	}
}

// phoneDays returns the number of days that the week of a phone shows at a time in this browser: 7, 3 or, at
// first, 1.
function phoneDays() {
	return [7, 3].find((count) => String(count) === localStorage.getItem(DAYS_KEY)) ?? 1;
}

// usualView returns the view for an address without one: the view that was opened last in this browser
// or, at first, the agenda on a phone and the month otherwise.
export function usualView() {
	return localStorage.getItem(VIEW_KEY) ?? (matchMedia(PHONE_QUERY).matches ? "agenda" : "month");
}

// listKey returns a text that is different if an entry of a list has changed.
function listKey(entries) {
	return JSON.stringify(entries.map(({ object, ...entry }) => [entry, object?.state.etag]));
}
