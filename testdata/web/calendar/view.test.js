import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { CalendarView } from "../../../assets/web/calendar/view.js";

const boundaries = { week_start: "monday", weekend_days: ["saturday", "sunday"], day_start: "08:00", week_number_rule: "iso" };

// openCalendar opens the view of the calendar with one calendar, whose visibility the writes change.
async function openCalendar({ view = "agenda", read, perform, ...options } = {}) {
	const calendar = { id: "c1", name: "Home", color: "sea", visible: true, order: 0, actions: { arrange: "/calendars/c1" } };
	const panel = () => ({ boundaries, nav: [], calendars: [{ ...calendar }], appointments: [], tasks: [], action_descriptors: [] });
	const opened = await openApp({
		areas: ["calendar", "day"], read: read ?? panel,
		perform: perform ?? ((action, values, fields) => void (calendar.visible = fields.visible)),
		...options,
	});
	opened.app.route = { kind: "in", id: "time", query: { view, date: "2026-11-26" } };
	const calendarView = new CalendarView(opened.app, opened.app.route, { url: "/panels/time" });
	atEnd(() => calendarView.close());
	opened.main.append(...calendarView.element);
	await later();
	const box = () => opened.document.querySelector(".callist input");
	return { ...opened, calendar, calendarView, box };
}

test("the last of several quick changes of the visibility of a calendar is stored", async () => {
	const pending = [];
	const stored = [];
	const perform = (action, values, { visible }) => new Promise((done) => pending.push(() => done(void stored.push(visible))));
	const { box, calendar, writes } = await openCalendar({ perform });
	for (let i = 0; i < 2; i++) box().tick();
	assert.deepEqual(writes.map(({ ordered }) => ordered), [true, true], "the dispatcher sends one after the other");
	calendar.visible = false;
	pending.shift()();
	await later();
	assert.equal(box().checked, true, "the panel after the first write does not change the checkbox");
	calendar.visible = true;
	pending.shift()();
	await later();
	assert.deepEqual(stored, [false, true]);
	assert.equal(box().checked, true);
});

test("a calendar whose visibility could not be stored has its earlier one", async () => {
	const { box, shown } = await openCalendar({ perform: () => { throw new Error("no connection"); } });
	box().tick();
	assert.equal(box().checked, false);
	await later();
	assert.equal(box().checked, true);
	assert.deepEqual(shown, ["no connection"]);
});

test("the agenda shows a placeholder while it is read, also again after a failure", async () => {
	let answer = () => Promise.reject(Object.assign(new Error("unavailable"), { status: 503 }));
	const { app, calendarView: { host }, document } = await openCalendar({ read: () => answer() });
	await later();
	assert.equal(host.querySelector(".note").textContent.includes("unavailable"), true);
	const button = host.querySelector("button");
	button.focus();
	for (const listener of app.store.subscribers) listener();
	assert.equal(document.activeElement, button, "a change of other data does not replace the note");
	answer = () => new Promise(() => {});
	button.click();
	await later();
	assert.equal(document.activeElement.tagName, "H1");
	assert.equal(host.querySelector(".note"), null);
	assert.ok(host.querySelector(".skel"), "the page would be empty");
	assert.ok(document.body.contains(host));
});

test("the focus returns to the chosen day of the agenda after its panel is read", async () => {
	const { calendarView, document } = await openCalendar({ isPhone: true });
	const days = calendarView.host.querySelectorAll(".strip button");
	days[1].focus();
	days[1].click();
	await later();
	assert.equal(calendarView.date, "2026-11-24");
	assert.equal(document.activeElement.getAttribute("aria-current"), "date");
});

test("the focus moves to the title when the focused view is replaced by one of another kind", async () => {
	const { app, calendarView, document } = await openCalendar({ isPhone: true });
	calendarView.host.querySelector(".strip button").focus();
	calendarView.update({ ...app.route, query: { view: "tasks" } });
	assert.equal(document.activeElement.tagName, "H1");
});

test("the present day is followed after midnight, but not another day", async (t) => {
	t.mock.timers.enable({ apis: ["setInterval"] });
	let now = Date.parse("2026-11-26T22:59:00Z");
	const { calendarView } = await openCalendar({ now: () => now, view: "agenda" });
	assert.equal(calendarView.date, "2026-11-26");
	now += 60_000;
	t.mock.timers.tick(60_000);
	assert.equal(calendarView.date, "2026-11-27");
	calendarView.go("2026-12-24");
	now += 86_400_000;
	t.mock.timers.tick(60_000);
	assert.equal(calendarView.date, "2026-12-24");
});
