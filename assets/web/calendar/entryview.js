// The screen of a calendar entry or a task.

import { linkItem } from "../frame/link.js";
import { button, el, icon, spoken } from "../parts/el.js";
import { alarmText } from "../parts/alarm.js";
import { empty, skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { notice } from "../parts/notice.js";
import { keepFocus } from "../frame/focus.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { answerControl } from "../generic/answers.js";
import { withQuery } from "../world/dispatch.js";
import { dayAndTimes, daysText, distance, monthShort } from "./dates.js";
import { actionOf, daysOf, startOf, timesOf } from "./entries.js";
import { dueOf, isDone } from "./duetasks.js";
import { colorProps } from "./side.js";
import { remove, withEditor } from "./writes.js";

// EntryView is the view of an entry (see frame/frame.js). The address names its object in the
// dataset, or the panel of the day on which it is and its id.
export class EntryView {
	noRail = true;
	isDeep = true;
	#drawn = "";
	#titled = "";
	#isGone = false; // the server has no entry at this address
	#hasMoved = false; // the member has changed the entry, which was not read since
	#url = ""; // of the entry
	#reading = null; // a scope
	#deletion = { before: () => this.#reading.end(), failed: () => this.#read() }; // a deleted entry is not read

	constructor(app, route, located) {
		this.app = app;
		this.route = route;
		this.located = located;
		this.scope = app.scope();
		this.object = null;
		this.head = el("header", { class: "bar" });
		this.body = el("div", { class: "ev-page is-plain" }, el("div", { class: "ev-main" }, skeleton({ words: app.words })));
		this.element = [this.head, el("div", { class: "pane flush" }, this.body)];
		this.title = () => this.object?.title ?? located.object?.title ?? app.words.loading();
		this.keys = { e: () => { this.change(); } };
		this.#drawHead();
		this.#open().catch((error) => this.#fail(error));
		this.scope.on(["objects"], () => this.object && this.#draw());
	}

	update(route) {
		return route.kind === this.route.kind && route.id === this.route.id && route.query.entry === this.route.query.entry && route.query.occurrence === this.route.query.occurrence;
	}

	close() {
		this.#reading?.end();
		this.scope.end();
	}

	// #open finds the path of the entry and reads it.
	async #open() {
		const { occurrence } = this.route.query;
		const url = this.located.object && this.route.kind === "at" ? this.#urlOfObject() : await this.#urlOfPanel();
		if (!url) return this.#gone();
		this.#url = withQuery(url, occurrence ? { recurrence_id: occurrence } : {});
		return this.#read();
	}

	// #read reads the entry and keeps it current, until #reading ends.
	#read() {
		this.#reading = this.app.scope();
		this.#reading.panel(this.#url, ["time", "social"], ({ object }) => { this.object = object; this.#hasMoved = false; this.#draw(); }, (error) => this.#fail(error));
	}

	// #remove deletes the entry and goes back to its day.
	async #remove() {
		if (await remove(this.app, this.object, this.#deletion)) this.app.router.back(this.#calendarRoute());
	}

	#urlOfObject() {
		const { app, located } = this;
		return app.store.actionOn(located.object.world_object_id, "open_time_object")?.command.url;
	}

	async #urlOfPanel() {
		const { view, date, entry } = this.route.query;
		const path = withQuery(this.located.url, { view, date, fields: "appointments,tasks" });
		const { appointments, tasks } = (await this.app.client.read(path, { signal: this.scope.signal })).data;
		return [...appointments, ...tasks].find(({ id }) => id === entry)?.actions.open;
	}

	#gone() {
		const { words } = this.app;
		this.#isGone = true;
		if (this.#hasMoved) return this.app.go(this.#calendarRoute(), { replace: true });
		this.body.replaceChildren(empty({ art: "lamp", title: words.frame.gone(), text: words.frame.goneText(), level: 2, action: { label: words.calendar.toCalendar(), icon: "calendar", run: () => this.app.go(this.#calendarRoute()) } }));
		return undefined;
	}

	#fail(error) {
		if (error.status === 404) return this.#gone();
		if (!this.object) this.body.replaceChildren(el("div", { class: "ev-main" }, problem(error, this.app.words, () => this.app.show())));
		return undefined;
	}

	// #calendarRoute is the route of the day of the entry in the calendar.
	#calendarRoute() {
		const { app, object } = this;
		const source = app.store.service("time")?.content_source;
		const base = (source && routeOfPanel(app.store.session, source)) ?? { kind: "today" };
		const day = object && this.#day();
		return base.kind === "today" ? base : { ...base, query: object?.object_type === "task" ? { view: "tasks" } : day ? { view: "day", date: day } : {} };
	}

	#day() {
		const { words } = this.app;
		if (this.object.object_type === "task") return dueOf(this.object, words.zone);
		const times = timesOf(this.object, words.zone);
		return times ? daysOf(times, words.zone).first : "";
	}

	// worldObject is the object of the dataset, if it is in it.
	get worldObject() {
		return this.app.store.dataset.objects.find(({ source }) => source?.resource_id === this.object?.id);
	}

	async change() {
		if (!this.object) return;
		const result = await withEditor(this.app, ({ editEntry }) => editEntry(this.app, this.object, this.#deletion));
		if (result?.deleted) this.app.router.back(this.#calendarRoute());
		if (!result?.object) return;
		this.object = result.object;
		this.#hasMoved = true; // a changed part of a series may have another address
		if (this.#isGone) this.#gone();
	}

	async #duplicate() {
		const { app, object } = this;
		await withEditor(app, ({ duplicateEntry }) => duplicateEntry(app, object));
	}

	#drawHead() {
		const { app, object } = this;
		const { words } = app;
		const text = words.calendar;
		const day = object && this.#day();
		const toBack = button({ label: words.frame.back(), icon: "back", only: true, kind: "plain s only-phone", run: () => app.router.back(this.#calendarRoute()) });
		const route = this.#calendarRoute();
		const crumbs = el("nav", { class: "crumbs quiet not-phone", "aria-label": text.whereThisIs() }, el("a", { href: app.href({ ...route, query: {} }), text: text.calendarName() }),
			object && [icon("right", "i-s"), el("a", { href: app.href(route), text: day ? words.dayAndWeekday(day) : text.tasksName() })]);
		const edit = object && actionOf(object, "update")?.controls && button({ label: words.change(), icon: "edit", kind: "s", run: () => this.change() });
		const items = object ? this.#menuItems() : [];
		const more = items.length > 0 && menuButton(button({ label: words.frame.moreFor(object.title), icon: "more", only: true, kind: "plain s" }), () => this.#menuItems(), { label: words.frame.more(), end: true });
		this.head.replaceChildren(...[toBack, crumbs, el("span", { class: "grow" }), edit, more].filter(Boolean));
	}

	#menuItems() {
		const { app, object } = this;
		const { words, store } = app;
		const world = this.worldObject;
		const carry = world && store.actionOn(world.world_object_id, "focus_object");
		const canDelete = ["delete", "delete_occurrence"].some((id) => actionOf(object, id));
		return [
			{ label: words.calendar.showDay(), icon: "calendar", run: () => app.go(this.#calendarRoute()) },
			linkItem(app),
			actionOf(object, "update")?.controls && { label: words.calendar.duplicate(), icon: "copy", run: () => this.#duplicate() },
			carry && { label: words.frame.carry(), icon: "carry", run: () => app.acts.act(carry, { done: words.frame.done() }) },
			canDelete && null,
			canDelete && { label: words.calendar.erase(), icon: "trash", bad: true, run: () => this.#remove() },
		].filter((item) => item !== false && item !== undefined);
	}

	#draw() {
		const { app, object } = this;
		const { words } = app;
		const social = this.#socialEvent();
		const key = JSON.stringify([object, social?.state.rsvp, words.currentDay()]);
		if (key === this.#drawn) return;
		this.#drawn = key;
		this.#drawHead();
		const main = [this.#titleBlock(), ...this.#notices(social), social && this.#answerBox(social), this.#taskBox(), this.#facts(social),
			object.state.description && el("p", { class: "read ev-notes", dir: "auto", text: object.state.description })].filter(Boolean);
		keepFocus(this.body, () => this.body.replaceChildren(el("div", { class: "ev-col" }, el("div", { class: "ev-main" }, main))));
		if (document.activeElement === document.body || document.activeElement === app.frame?.main) this.body.querySelector("h1").focus({ preventScroll: true });
		if (app.frame.view === this && this.#titled !== object.title) app.frame.refresh();
		this.#titled = object.title;
	}

	#titleBlock() {
		const { app, object } = this;
		const { words } = app;
		const { state } = object;
		const color = colorProps(state.color);
		const day = this.#day();
		const box = day && el("span", { class: `datebox ${color.class}`, vars: color.vars, "aria-hidden": "true" }, el("span", { text: monthShort(words, day) }), el("b", { text: words.number(Number(day.slice(8))) }));
		const isStruck = state.status === "cancelled" || isDone(object);
		return el("div", { class: "ev-title" }, box, el("div", { class: "grow" }, el("h1", { tabindex: "-1", dir: "auto", class: isStruck ? "struck" : "", text: object.title }),
			el("p", { class: "quiet", dir: "auto" }, this.#distance(), object.permissions?.can_update === false && [" ", el("span", { class: "tag" }, icon("lock", "i-s"), words.calendar.readOnly())])));
	}

	// #distance returns how far the day of the entry is: in 2 days.
	#distance() {
		const day = this.#day();
		return day ? distance(this.app.words, day) : "";
	}

	#notices(social) {
		const { words } = this.app;
		if (this.object.object_type === "calendar_event" && this.object.state.status === "cancelled") return [notice({ kind: "warn", text: words.calendar.isCancelled(Boolean(social)) })];
		return [];
	}

	// #socialEvent is the event of Social of which this is the entry in the calendar, or undefined.
	#socialEvent() {
		const { source_service: service, source_object_id: id } = this.object.state;
		return service === "social" && id ? this.app.store.dataset.objects.find(({ source }) => source?.service === "social" && source.resource_id === id) : undefined;
	}

	#answerBox(social) {
		const { app } = this;
		const { words, store } = app;
		const rsvp = store.actionOn(social.world_object_id, "social.event.rsvp");
		if (!rsvp || social.state.status === "cancelled") return null;
		return el("div", { class: "answer-box" }, el("p", { class: "strong", text: words.calendar.willYouCome() }), answerControl(app, rsvp, { title: social.title, value: social.state.rsvp?.mine }).element);
	}

	#taskBox() {
		const { app, object } = this;
		const done = isDone(object);
		const action = actionOf(object, done ? "reopen" : "complete");
		if (!action) return null;
		return el("div", {}, button({ label: action.label, icon: done ? "undo" : "check", kind: done ? "" : "primary", run: () => app.acts.tick(action, !done, object.title) }));
	}

	#facts(social) {
		const { app, object } = this;
		const { words } = app;
		const { state } = object;
		const text = words.calendar;
		const fact = (name, label, ...content) => el("div", {}, el("dt", {}, icon(name), spoken(label)), el("dd", {}, content));
		const line = (value, className = "") => value && el("span", { class: className, dir: "auto", text: value });
		const color = colorProps(state.color);
		const place = state.location && el("a", { class: "link", href: app.href({ kind: "find", query: { q: state.location } }), dir: "auto", text: state.location });
		const alarms = (state.alarms ?? []).map((alarm) => alarmText(alarm, words));
		return el("dl", { class: "facts" },
			this.#whenFact(fact, line),
			state.recurrence?.is_recurring && fact("repeat", text.repeats(), line(state.recurrence.text)),
			place && fact("pin", text.where(), place),
			fact("calendar", text.inCalendar(), el("span", { class: "line" }, el("span", { class: `dot sq ${color.class}`, vars: color.vars }), el("span", { dir: "auto", text: state.calendar_name })),
				social && line(text.fromSocial(), "quiet")),
			social && fact("people", text.socialEvent(), el("a", { class: "link", href: app.href({ kind: "at", id: social.world_object_id }), text: text.toSocial() }), social.state.rsvp?.counts && line(text.counts(social.state.rsvp.counts), "quiet")),
			alarms.length > 0 && fact("alarm", text.reminder(), alarms.map((value) => line(value))),
			state.categories?.length > 0 && fact("filter", text.categories(), line(words.list(state.categories))),
			state.priority > 0 && fact("up", text.priority(), line(words.number(state.priority))));
	}

	#whenFact(fact, line) {
		const { words } = this.app;
		const { object } = this;
		const times = timesOf(object, words.zone);
		const text = words.calendar;
		if (!times) return null;
		const { first, last } = daysOf(times, words.zone);
		const isTask = object.object_type === "task";
		const when = times.allDay ? daysText(words, times.start, times.end) : first === last ? dayAndTimes(words, first, words.time(times.start), times.end > times.start ? words.time(times.end) : "") : words.range(times.start, times.end);
		const { timezone } = object.state;
		const other = !times.allDay && timezone && timezone !== words.zone && words.range(times.start, times.end, timezone);
		const late = isTask && object.state.is_overdue && text.taskGroup("overdue");
		const begin = isTask && startOf(object, words.zone);
		const starts = begin && text.starts(begin.allDay ? words.dayShort(begin.start) : words.range(begin.start, begin.start));
		return fact("clock", isTask ? text.due() : text.when(), line(when, "strong"), line(late, "late"), starts && line(starts, "quiet"), other && line(other, "quiet"));
	}
}
