// The view of a calendar entry or a task.

import { linkItem } from "../frame/link.js";
import { button, el, icon, screenReaderText } from "../parts/el.js";
import { alarmText } from "../parts/alarm.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { notice } from "../parts/notice.js";
import { keepFocus } from "../frame/focus.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { answerControl } from "../generic/answercontrol.js";
import { withQuery } from "../world/dispatch.js";
import { dayAndTimes, daysText, distanceText, monthShort } from "./dates.js";
import { actionOf, daysOf, startOf, timesOf, zonesOf } from "./entries.js";
import { dueOf, isDone } from "./duetasks.js";
import { colorProps } from "../parts/person.js";
import { remove, withForms } from "./writes.js";

// EntryView is the view of an entry, see frame/frame.js. Its route contains the id of an object of the
// dataset, or the panel that lists the entry and the id of the entry. For an occurrence of a series, it
// also contains the recurrence id.
export class EntryView {
	usesFullWidth = true;
	isDeep = true;
	#drawnKey = ""; // identifies the data that the view shows
	#drawnTitle = "";
	#isMissing = false; // whether the server has no entry at this address
	#hasFailed = false; // whether the view shows the error of the first read
	#hasChanged = false; // whether the member has changed the entry, and it was not read since
	#url = ""; // path of the entry
	#readScope = null; // Scope of the subscription to the entry
	#deletion = { // stops reading the entry, see remove
		before: () => this.#readScope.end(), failed: () => this.scope.signal.aborted || this.#read(),
	};

	// match is the result of matchRoute for the route.
	constructor(app, route, match) {
		this.app = app;
		this.route = route;
		this.match = match;
		this.scope = app.scope();
		this.object = null;
		this.head = el("header", { class: "bar" });
		this.body = el("div", { class: "ev-page is-plain" }, el("div", { class: "ev-main" }, skeleton({ words: app.words })));
		this.element = [this.head, el("div", { class: "pane flush" }, this.body)];
		this.title = () => this.object?.title ?? match.object?.title ?? app.words.loading();
		this.keys = { e: () => { this.change(); } };
		this.#drawHead();
		this.#open().catch((error) => this.#fail(error));
		this.scope.on(["objects"], () => this.object && !this.#isMissing && this.#draw());
	}

	// update reports whether the view already shows the entry of a route. After a failure, the caller opens
	// a new view, which reads the entry again.
	update({ kind, id, query }) {
		if (this.#hasFailed) return false;
		const { entry, occurrence } = this.route.query;
		return kind === this.route.kind && id === this.route.id && query.entry === entry && query.occurrence === occurrence;
	}

	// close ends the subscriptions.
	close() {
		this.#readScope?.end();
		this.scope.end();
	}

	// #open finds the path of the entry and reads it.
	async #open() {
		const { occurrence } = this.route.query;
		const url = this.match.object && this.route.kind === "at" ? this.#urlOfObject() : await this.#urlOfPanel();
		if (!url) return this.#showMissing();
		this.#url = withQuery(url, occurrence ? { recurrence_id: occurrence } : {});
		return this.#read();
	}

	// #read reads the entry and keeps it current, until #readScope ends.
	#read() {
		this.#readScope = this.app.scope();
		const show = ({ object }) => {
			this.object = object;
			this.#hasChanged = this.#isMissing = this.#hasFailed = false;
			this.#draw();
		};
		this.#readScope.panel(this.#url, ["time", "social"], show, (error) => this.#fail(error));
	}

	// #remove deletes the entry and returns to the previous view.
	async #remove() {
		if (await remove(this.app, this.object, this.#deletion)) this.app.router.back(this.#calendarRoute());
	}

	// #urlOfObject returns the path of the entry according to the dataset, or undefined.
	#urlOfObject() {
		const { app, match } = this;
		return app.store.actionOn(match.object.world_object_id, "open_time_object")?.command.url;
	}

	// #urlOfPanel returns a promise of the path of the entry according to the panel of the route, or of
	// undefined.
	async #urlOfPanel() {
		const { view, date, entry } = this.route.query;
		const path = withQuery(this.match.url, { view, date, fields: "appointments,tasks" });
		const { appointments, tasks } = (await this.app.client.read(path, { signal: this.scope.signal })).data;
		return [...appointments, ...tasks].find(({ id }) => id === entry)?.actions.open;
	}

	// #showMissing shows that there is no entry at this address. If a change by the member has removed
	// it from the address, it shows the day of the entry in the calendar instead.
	#showMissing() {
		const { words } = this.app;
		this.#isMissing = true;
		this.#drawnKey = ""; // an entry that is restored from the trash may be the same as before
		if (this.#hasChanged) return this.app.go(this.#calendarRoute(), { replace: true });
		const action = { label: words.calendar.toCalendar(), icon: "calendar", run: () => this.app.go(this.#calendarRoute()) };
		this.body.replaceChildren(emptyView({ art: "lamp", title: words.frame.gone(), text: words.frame.goneText(), level: 2, action }));
		return undefined;
	}

	// #fail shows the error of a read, unless an earlier read has succeeded.
	#fail(error) {
		if (error.status === 404) return this.#showMissing();
		if (this.object) return undefined;
		this.#hasFailed = true;
		this.body.replaceChildren(el("div", { class: "ev-main" }, problem(error, this.app.words, () => this.app.show())));
		return undefined;
	}

	// #calendarRoute returns the route of the calendar: the view of tasks for a task, and the day of the
	// entry for another entry.
	#calendarRoute() {
		const { app, object } = this;
		const source = app.store.service("time")?.content_source;
		const base = (source && routeOfPanel(app.store.session, source)) ?? { kind: "today" };
		const day = object && this.#day();
		if (base.kind === "today") return base;
		return { ...base, query: object?.object_type === "task" ? { view: "tasks" } : day ? { view: "day", date: day } : {} };
	}

	// #day returns the first day of the entry, or the due date of a task, or "".
	#day() {
		const { words } = this.app;
		if (this.object.object_type === "task") return dueOf(this.object, words.zone);
		const times = timesOf(this.object, words.zone);
		return times ? daysOf(times, words.zone).first : "";
	}

	// worldObject is the object of the entry in the dataset, or undefined.
	get worldObject() {
		return this.app.store.dataset.objects.find(({ source }) => source?.resource_id === this.object?.id);
	}

	// change opens the form of the entry.
	async change() {
		if (!this.object) return;
		const result = await withForms(this.app, ({ editEntry }) => editEntry(this.app, this.object, this.#deletion));
		if (result?.deleted) this.app.router.back(this.#calendarRoute());
		if (!result?.object) return;
		this.object = result.object;
		this.#hasChanged = true;
		if (this.#isMissing) this.#showMissing(); // a changed part of a series gets another address
	}

	async #duplicate() {
		const { app, object } = this;
		await withForms(app, ({ duplicateEntry }) => duplicateEntry(app, object));
	}

	#drawHead() {
		const { app, object } = this;
		const { words } = app;
		const text = words.calendar;
		const day = object && this.#day();
		const goBack = () => app.router.back(this.#calendarRoute());
		const backButton = button({ label: words.frame.back(), icon: "back", iconOnly: true, kind: "plain s only-phone", run: goBack });
		const route = this.#calendarRoute();
		const calendarLink = el("a", { href: app.href({ ...route, query: {} }), text: text.calendarName() });
		const dayLink = () => el("a", { href: app.href(route), text: day ? words.dayAndWeekday(day) : text.tasksName() });
		const crumbs = el("nav", { class: "crumbs quiet not-phone", "aria-label": text.whereThisIs() },
			calendarLink, object && [icon("right", "i-s"), dayLink()]);
		const canEdit = object && actionOf(object, "update")?.controls;
		const edit = canEdit && button({ label: words.change(), icon: "edit", kind: "s", run: () => this.change() });
		const items = object ? this.#menuItems() : [];
		const moreButton = () => button({ label: words.frame.moreFor(object.title), icon: "more", iconOnly: true, kind: "plain s" });
		const more = items.length > 0 && menuButton(moreButton(), () => this.#menuItems(), { label: words.frame.more(), end: true });
		this.head.replaceChildren(...[backButton, crumbs, el("span", { class: "grow" }), edit, more].filter(Boolean));
	}

	// #menuItems returns the items of the menu of the entry; null separates the deletion.
	#menuItems() {
		const { app, object } = this;
		const { words, store } = app;
		const worldObject = this.worldObject;
		const carry = worldObject && store.actionOn(worldObject.world_object_id, "focus_object");
		const deletion = actionOf(object, "delete") ?? actionOf(object, "delete_occurrence");
		return [
			{ label: words.calendar.showDay(), icon: "calendar", run: () => app.go(this.#calendarRoute()) },
			linkItem(app),
			actionOf(object, "update")?.controls && { label: words.calendar.duplicate(), icon: "copy", run: () => this.#duplicate() },
			carry && { label: words.frame.carry(), icon: "carry", run: () => app.actions.perform(carry, { doneText: words.frame.done() }) },
			null,
			deletion && { label: words.calendar.erase(), icon: "trash", bad: deletion.destructive, run: () => this.#remove() },
		];
	}

	#draw() {
		const { app, object } = this;
		const { words } = app;
		const social = this.#socialEvent();
		const key = JSON.stringify([object, social?.state.rsvp, words.currentDay()]);
		if (key === this.#drawnKey) return;
		this.#drawnKey = key;
		this.#drawHead();
		const description = object.state.description && el("p", { class: "read ev-notes", dir: "auto", text: object.state.description });
		const main = [
			this.#titleBlock(), ...this.#notices(social), social && this.#answerBox(social), this.#taskBox(), this.#facts(social), description,
		].filter(Boolean);
		keepFocus(this.body, () => this.body.replaceChildren(el("div", { class: "ev-col" }, el("div", { class: "ev-main" }, main))));
		const { activeElement } = document;
		if (activeElement === document.body || activeElement === app.frame?.main) this.body.querySelector("h1").focus({ preventScroll: true });
		if (app.frame.view === this && this.#drawnTitle !== object.title) app.frame.refresh();
		this.#drawnTitle = object.title;
	}

	#titleBlock() {
		const { app, object } = this;
		const { words } = app;
		const { state } = object;
		const color = colorProps(state.color);
		const day = this.#day();
		const dateBox = day && el("span", { class: `datebox ${color.class}`, vars: color.vars, "aria-hidden": "true" },
			el("span", { text: monthShort(words, day) }), el("b", { text: words.number(Number(day.slice(8))) }));
		const isStruck = state.status === "cancelled" || isDone(object);
		const heading = el("h1", { tabindex: "-1", dir: "auto", class: isStruck ? "struck" : "", text: object.title });
		const readOnly = () => el("span", { class: "tag" }, icon("lock", "i-s"), words.calendar.readOnly());
		const details = el("p", { class: "quiet", dir: "auto" }, this.#distance(), object.permissions?.can_update === false && [" ", readOnly()]);
		return el("div", { class: "ev-title" }, dateBox, el("div", { class: "grow" }, heading, details));
	}

	// #distance returns the distance of the day of the entry from the present day, such as "in 2 days",
	// or "".
	#distance() {
		const day = this.#day();
		return day ? distanceText(this.app.words, day) : "";
	}

	#notices(social) {
		const { words } = this.app;
		const { object_type: type, state } = this.object;
		if (type !== "calendar_event" || state.status !== "cancelled") return [];
		return [notice({ kind: "warn", text: words.calendar.isCancelled(Boolean(social)) })];
	}

	// #socialEvent returns the event of Social that has created the entry, from the dataset, or
	// undefined.
	#socialEvent() {
		const { source_service: service, source_object_id: id } = this.object.state;
		if (service !== "social" || !id) return undefined;
		return this.app.store.dataset.objects.find(({ source }) => source?.service === "social" && source.resource_id === id);
	}

	// #answerBox returns the control that answers an event of Social, or null.
	#answerBox(social) {
		const { app } = this;
		const { words, store } = app;
		const rsvp = store.actionOn(social.world_object_id, "social.event.rsvp");
		if (!rsvp || social.state.status === "cancelled") return null;
		const control = answerControl(app, rsvp, { title: social.title, value: social.state.rsvp?.mine });
		return el("div", { class: "answer-box" }, el("p", { class: "strong", text: words.calendar.willYouCome() }), control.element);
	}

	// #taskBox returns the button that completes or reopens a task, or null.
	#taskBox() {
		const { app, object } = this;
		const done = isDone(object);
		const action = actionOf(object, done ? "reopen" : "complete");
		if (!action) return null;
		const tick = async () => {
			const chosen = await app.actions.tickAction(action, actionOf(object, "complete_up_to_today"), !done, object.title);
			return chosen && app.actions.tick(chosen, !done, object.title);
		};
		return el("div", {}, button({ label: action.label, icon: done ? "undo" : "check", kind: done ? "" : "primary", run: tick }));
	}

	// #facts returns the description list of the entry, with its time, place, calendar, reminders and others.
	// social is the result of #socialEvent.
	#facts(social) {
		const { app, object } = this;
		const { words } = app;
		const { state } = object;
		const text = words.calendar;
		const fact = (name, label, ...content) => el("div", {}, el("dt", {}, icon(name), screenReaderText(label)), el("dd", {}, content));
		const line = (value, className = "") => value && el("span", { class: className, dir: "auto", text: value });
		const color = colorProps(state.color);
		const findPlace = app.href({ kind: "find", query: { q: state.location } });
		const place = state.location && el("a", { class: "link", href: findPlace, dir: "auto", text: state.location });
		const calendar = el("span", { class: "line" },
			el("span", { class: `dot sq ${color.class}`, vars: color.vars }), el("span", { dir: "auto", text: state.calendar_name }));
		const toSocial = () => el("a", { class: "link", href: app.href({ kind: "at", id: social.world_object_id }), text: text.toSocial() });
		const counts = social?.state.rsvp?.counts;
		const alarms = (state.alarms ?? []).map((alarm) => alarmText(alarm, words));
		return el("dl", { class: "facts" },
			this.#whenFact(fact, line),
			state.recurrence?.is_recurring && fact("repeat", text.repeats(), line(state.recurrence.text)),
			place && fact("pin", text.where(), place),
			fact("calendar", text.inCalendar(), calendar, social && line(text.fromSocial(), "quiet")),
			social && fact("people", text.socialEvent(), toSocial(), counts && line(text.counts(counts), "quiet")),
			alarms.length > 0 && fact("alarm", text.reminder(), alarms.map((value) => line(value))),
			state.categories?.length > 0 && fact("filter", text.categories(), line(words.list(state.categories))),
			state.priority > 0 && fact("up", text.priority(), line(words.number(state.priority))),
			text.restriction(state.class) && fact("lock", text.visibleToOthers(), line(text.restriction(state.class))));
	}

	// #whenFact returns the fact of the time of the entry, also in its time zones, or null. For a task it
	// contains the due time, whether it is overdue, and the start. fact and line are those of #facts.
	#whenFact(fact, line) {
		const { words } = this.app;
		const { object } = this;
		const times = timesOf(object, words.zone);
		const text = words.calendar;
		if (!times) return null;
		const isTask = object.object_type === "task";
		const timeText = this.#timeText(times);
		const zones = zonesOf(object);
		const isOther = !times.allDay && [zones.start, zones.end].some((zone) => zone && zone !== words.zone);
		const other = isOther && words.rangeInZones(times.start, times.end, zones.start ?? words.zone, zones.end ?? words.zone);
		const overdueText = isTask && object.state.is_overdue && text.taskGroup("overdue");
		const begin = isTask && startOf(object, words.zone);
		const startText = begin && text.starts(begin.allDay ? words.dayShort(begin.start) : words.range(begin.start, begin.start));
		const lines = [line(timeText, "strong"), line(overdueText, "late"), startText && line(startText, "quiet"), other && line(other, "quiet")];
		return fact("clock", isTask ? text.due() : text.when(), ...lines);
	}

	// #timeText returns the text of a range of the grid, with its days.
	#timeText(times) {
		const { words } = this.app;
		if (times.allDay) return daysText(words, times.start, times.end);
		const { first, last } = daysOf(times, words.zone);
		if (first !== last) return words.range(times.start, times.end);
		return dayAndTimes(words, first, words.time(times.start), times.end > times.start ? words.time(times.end) : "");
	}
}
