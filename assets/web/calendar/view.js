// The views of the calendar: month, week, day, agenda and tasks.

import { el, icon } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { pickDay } from "../parts/picker.js";
import { problem } from "../frame/problem.js";
import { itemOfNode } from "../grid/entry.js";
import { createGrid } from "../grid/grid.js";
import { createAgenda } from "./agenda.js";
import { daysOf, entryOf, formTimes, invitations, suggested, timesOf } from "./entries.js";
import { PanelSource } from "./source.js";
import { VIEWS, stepped, titleOf, viewOf, weekdayNumber } from "./ranges.js";
import { createSide } from "./side.js";
import { onSwipe } from "./swipe.js";
import { createTaskList } from "./tasklist.js";
import { createBar } from "./bar.js";
import { move, withEditor } from "./writes.js";

const USUAL = "calendar-view"; // where the latest view is stored
const GRIDS = new Set(["day", "week", "month"]);
const PHONE = "(max-width: 47.99rem)";
const NARROW = "(max-width: 79.99rem)"; // where the title is short

// CalendarView is the view of the panel of Time (see frame/frame.js).
export class CalendarView {
	noRail = true;
	#moved = new Map(); // key of an entry → its range, until the panel has it
	#moving = Promise.resolve(); // the end of the latest move
	#shown = new Map(); // id of a calendar → whether it is shown, until the panel has it
	#content = null; // { kind, element, … } of the present view
	#entries = { parts: [], list: [] }; // of entries()
	#failure = null;
	#isCreating = false; // whether the form for a new entry is shown
	#titled = ""; // the title that was shown last

	constructor(app, route, located) {
		this.app = app;
		this.route = { kind: route.kind, id: route.id };
		this.scope = app.scope();
		this.source = new PanelSource(app, located.url, this.scope, { show: () => this.#onPanel(), fail: (error) => this.#onFailure(error) });
		this.top = createBar(app, {
			step: (count) => this.step(count), today: () => this.go(app.words.currentDay()), choose: (view) => this.choose(view), create: () => this.create(),
			pick: (anchor) => pickDay(anchor, { words: app.words, day: this.date, pick: (date) => this.go(date) }), calendars: () => this.side.openCalendars(),
		});
		this.side = createSide(app, { go: (date) => this.go(date), show: (calendar, visible, back) => this.#showCalendar(calendar, visible, back), tasksRoute: () => this.routeOf({ view: "tasks" }) });
		this.host = el("div", { class: "cal-main" });
		onSwipe(this.host, (count, target) => this.#swipe(count, target));
		this.element = [this.top.element, el("div", { class: "pane flush" }, el("div", { class: "cal" }, this.side.element, this.host))];
		this.keys = this.#keys();
		this.title = () => titleOf(this.view, this.date, this.#names());
		this.scope.on(["objects"], () => { this.side.showTasks(); this.#draw(); });
		this.scope.every(60_000, () => this.#draw());
		this.update(route);
	}

	// update shows another view or day; it returns false for another screen.
	update({ kind, query }) {
		if (kind === "at" || query.entry) return false;
		const { words } = this.app;
		Object.assign(this, viewOf(query, { today: words.currentDay(), usual: usualView() }));
		if (query.view && !(matchMedia(PHONE).matches && query.view === "day")) localStorage.setItem(USUAL, this.view);
		this.#show();
		return true;
	}

	close() {
		this.#content?.destroy?.();
		this.scope.end();
	}

	// weekStart is the first day of the week, 1 for Monday to 7.
	get weekStart() {
		return weekdayNumber(this.source.latest?.boundaries.week_start) || this.app.words.weekStart;
	}

	// routeOf returns the route of a view and a day.
	routeOf({ view = this.view, date = this.date } = {}) {
		return { ...this.route, query: { view, date: date === this.app.words.currentDay() ? "" : date } };
	}

	step(count) {
		if (this.view !== "tasks") this.go(stepped(this.view, this.date, count));
	}

	// #swipe shows the time before or after in a grid. The hours of a phone are those of one day.
	#swipe(count, target) {
		if (!this.#content.grid) return;
		if (this.view === "week" && matchMedia(PHONE).matches && !target.closest(".wk-head")) this.go(stepped("day", this.date, count));
		else this.step(count);
	}

	// go shows another day in the same view. The address changes, the history does not.
	go(date) {
		if (this.view === "tasks") return this.app.go(this.routeOf({ view: "day", date }));
		this.date = date;
		this.app.router.set(this.routeOf());
		this.#show();
		return undefined;
	}

	choose(view) {
		if (view !== this.view) this.app.go(this.routeOf({ view }));
	}

	// create asks for a new entry, or a task in the view of tasks.
	async create(range) {
		const actions = (this.source.latest?.action_descriptors ?? []).filter(({ id }) => id === "create_event" || id === "create_task");
		if (actions.length === 0 || this.#isCreating) return;
		if (this.view === "tasks") return this.#content.focus();
		this.#isCreating = true; // a double click asks twice
		const { words } = this.app;
		const wanted = range ?? this.#content.grid?.suggest() ?? suggested(this.date, { now: Date.now(), zone: words.zone, dayStart: this.source.latest.boundaries.day_start });
		const values = formTimes(wanted, words.zone);
		if (range) values.due = values.start; // of a task, which otherwise has no date
		const object = await withEditor(this.app, ({ createEntry }) => createEntry(this.app, actions, values));
		this.#isCreating = false;
		if (object) await this.source.refresh().catch(() => {});
	}

	async edit(object) {
		if (!object) return;
		const result = await withEditor(this.app, async ({ editEntry, readEntry }) => editEntry(this.app, await readEntry(this.app, object)));
		if (result) await this.source.refresh().catch(() => {});
	}

	#keys() {
		const rtl = () => getComputedStyle(this.host).direction === "rtl";
		const step = (count) => () => this.step(count);
		const views = Object.fromEntries(VIEWS.map((view, i) => [String(i + 1), () => this.choose(view)]));
		return {
			...views, "[": step(-1), "]": step(1), ArrowLeft: () => this.step(rtl() ? 1 : -1), ArrowRight: () => this.step(rtl() ? -1 : 1),
			".": () => this.go(this.app.words.currentDay()), n: () => { this.create(); }, e: () => { this.edit(itemOfNode(document.activeElement)?.entry.object); },
		};
	}

	#names() {
		const labels = Object.fromEntries((this.source.latest?.nav ?? []).map(({ id, label }) => [id, label]));
		return { words: this.app.words, weekStart: this.weekStart, labels, isShort: matchMedia(NARROW).matches, isPhone: matchMedia(PHONE).matches };
	}

	#show() {
		this.#failure = null;
		this.source.follow(this.view, this.date, this.weekStart);
		const kind = GRIDS.has(this.view) ? "grid" : this.view;
		if (this.#content?.kind !== kind) {
			this.#content?.destroy?.();
			this.#content = this.#make(kind);
			this.host.replaceChildren(this.#content.element);
		}
		this.#draw();
	}

	#make(kind) {
		const { app } = this;
		if (kind === "tasks") return { kind, ...createTaskList(app) };
		if (kind === "agenda") return { kind, ...createAgenda(app, { go: (date) => this.go(date), create: () => this.create() }) };
		const element = el("div", { class: "cal-grid" });
		const wait = () => element.firstChild ?? element.append(el("div", { class: "agenda" }, skeleton({ words: app.words, rows: 6 })));
		return { kind, element, wait, grid: null, destroy() { this.grid?.destroy(); } };
	}

	#onPanel() {
		this.#failure = null;
		this.#draw();
	}

	#onFailure(error) {
		this.#failure = error;
		this.#draw();
	}

	#draw() {
		const { words } = this.app;
		const { latest: panel, current } = this.source;
		const canCreate = (panel?.action_descriptors ?? []).some(({ id }) => id === "create_event");
		this.#showTitle();
		this.top.update({ title: this.title(), view: this.view, nav: panel?.nav, canCreate });
		if (this.#content.kind === "grid") this.#drawGrid(panel, canCreate);
		const shown = this.#content.grid?.range();
		this.side.update({ panel: panel && { ...panel, calendars: this.#calendars(panel) }, date: this.date, shown: shown && { start: shown.start, end: shown.end }, weekStart: this.weekStart });
		this.#drawFailure(!current);
		if (this.#content.kind === "grid") return;
		if (!current) {
			if (!this.#content.element.isConnected) return;
			this.waiting ??= el("div", { class: "agenda" }, skeleton({ words, rows: 6 }));
			if (!this.#failure) this.host.replaceChildren(this.waiting);
			return;
		}
		if (!this.#content.element.isConnected) this.host.replaceChildren(this.#content.element);
		this.waiting = null;
		if (this.#content.kind === "tasks") this.#content.update({ panel: current, weekStart: this.weekStart, url: this.source.url, routeOf: (task) => this.#routeOfEntry(task) });
		else this.#content.update({ entries: this.entries(), date: this.date, weekStart: this.weekStart, canCreate });
	}

	// #showTitle changes the title of the page when the range has changed.
	#showTitle() {
		const title = this.title();
		if (title === this.#titled) return;
		this.#titled = title;
		const { frame } = this.app;
		if (frame.view === this) frame.showTitle();
	}

	#drawFailure(isUnread) {
		this.note?.remove();
		this.note = null;
		if (!this.#failure || !isUnread) return;
		this.note = el("div", { class: "cal-note" }, problem(this.#failure, this.app.words, () => { this.#failure = null; this.source.refresh().catch((error) => this.#onFailure(error)); this.#draw(); }));
		if (this.#content.kind !== "grid") this.host.replaceChildren();
		this.host.prepend(this.note);
	}

	#drawGrid(panel, canCreate) {
		const { app } = this;
		const { words } = app;
		const bounds = panel?.boundaries;
		const options = {
			view: this.view, day: this.date, entries: this.entries(), zone: words.zone, locale: words.locale, weekStart: this.weekStart, weekendDays: this.#weekend(bounds),
			fewestDays: bounds?.week_number_rule === "first_day" ? 1 : 4, dayStart: bounds?.day_start ?? "", on: this.#onGrid(canCreate),
		};
		if (this.#content.grid) return this.#content.grid.update(options);
		if (!panel && !this.#failure && (this.view !== "month" || matchMedia(PHONE).matches)) return this.#content.wait(); // the entries would move the hours, or the list of the day
		this.#content.grid = createGrid(this.#content.element, { ...options, words: words.calendar.grid, icon });
		return undefined;
	}

	#weekend(bounds) {
		this.weekend ??= bounds && bounds.weekend_days.map(weekdayNumber);
		return this.weekend ?? [6, 7];
	}

	#onGrid(canCreate) {
		const { app } = this;
		return {
			open: (id) => { const entry = this.entries().find((other) => other.id === id); if (entry) app.go(entry.route); },
			create: canCreate ? (range) => this.create(range) : undefined,
			move: (entry, range) => this.#move(entry, range),
			more: (date) => app.go(this.routeOf({ view: "day", date })),
			go: (date) => this.go(date),
			announce: (text) => app.say(text),
		};
	}

	// #move moves an entry after the moves before have ended, so that it has the latest version.
	#move(entry, range) {
		const moved = this.#moving.then(() => this.#moveNow(entry, range));
		this.#moving = moved.catch(() => {});
		return moved;
	}

	// #moveNow moves an entry and shows it at its new time at once. One that was moved beyond the
	// shown days is not in the panel any more.
	async #moveNow({ id, object: known }, range) {
		const { object } = this.entries().find((entry) => entry.id === id) ?? { object: known };
		if (!object) return;
		const ok = await move(this.app, object, range, () => {
			this.#moved.set(id, range);
			this.#draw();
		});
		if (ok) await this.source.refresh().catch(() => {});
		this.#moved.delete(id);
		this.#draw();
	}

	// entries returns the entries of the panel, or of the one before while it is read.
	entries() {
		const { app, source } = this;
		const panel = source.current ?? source.latest;
		const { objects } = app.store.dataset;
		const parts = [panel, objects, this.#moved.size > 0 ? JSON.stringify([...this.#moved]) : "", JSON.stringify([...this.#shown])];
		const last = this.#entries;
		if (parts.every((part, i) => part === last.parts[i])) return last.list;
		const list = this.#makeEntries(panel, objects);
		const isSame = panel === last.parts[0] && keyOfList(list) === keyOfList(last.list); // the grid draws only another list
		this.#entries = { parts, list: isSame ? last.list : list };
		return this.#entries.list;
	}

	#makeEntries(panel, objects) {
		const { app } = this;
		const { words, store } = app;
		const unanswered = new Set(objects.filter(({ object_type: type, state }) => type === "event" && state.rsvp?.mine === "none").map(({ source }) => source.resource_id));
		const worlds = new Map(objects.map(({ source, world_object_id: id }) => [source?.resource_id, id]));
		const options = { zone: words.zone, unanswered };
		const own = panel ? [...panel.appointments, ...panel.tasks] : [];
		const visible = own.filter(({ state }) => this.#shown.get(state.calendar_id) !== false && state.local_visibility !== "hidden");
		const withRoute = (entry, route) => {
			let href; // made when it is shown: a month may hide most of its entries
			return { ...entry, route, get href() { return (href ??= app.href(route)); } };
		};
		const made = visible.map((object) => {
			const entry = entryOf(object, options);
			const moved = entry && this.#moved.get(entry.id);
			return entry && withRoute({ ...entry, ...moved }, this.#routeOfEntry(object, worlds));
		}).filter(Boolean);
		const asked = invitations(objects, { memberId: store.memberId, zone: words.zone, asks: words.calendar.asks });
		return [...made, ...asked.map((entry) => withRoute(entry, { kind: "at", id: entry.id }))];
	}

	// #routeOfEntry returns the route of an entry: its object in the dataset, or, beyond the days of
	// the dataset, the panel of its day.
	#routeOfEntry(object, worlds) {
		const id = worlds ? worlds.get(object.id) : this.app.store.dataset.objects.find(({ source }) => source?.resource_id === object.id)?.world_object_id;
		const occurrence = object.state.occurrence?.recurrence_id ?? "";
		if (id) return { kind: "at", id, query: { occurrence } };
		const { zone } = this.app.words;
		const times = timesOf(object, zone);
		return { ...this.route, query: { ...(times ? { view: "day", date: daysOf(times, zone).first } : { view: "tasks" }), entry: object.id, occurrence } };
	}

	#calendars(panel) {
		return panel.calendars.map((calendar) => (this.#shown.has(calendar.id) ? { ...calendar, visible: this.#shown.get(calendar.id) } : calendar));
	}

	// #showCalendar shows or hides the entries of a calendar, at once.
	async #showCalendar(calendar, visible, back) {
		const { app } = this;
		this.#shown.set(calendar.id, visible);
		this.#draw();
		try {
			await app.dispatcher.post(calendar.actions.arrange, { visible });
			await this.source.refresh().catch(() => {});
		} catch (error) {
			back();
			app.acts.showError(error);
		}
		this.#shown.delete(calendar.id);
		this.#draw();
	}
}

// usualView returns the view that an address without one shows: the last one on this device.
export function usualView() {
	return localStorage.getItem(USUAL) ?? (matchMedia(PHONE).matches ? "agenda" : "month");
}

function keyOfList(entries) {
	return JSON.stringify(entries.map(({ object, ...entry }) => [entry, object?.state.etag]));
}
