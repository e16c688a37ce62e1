import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { move, patch } from "../../../assets/web/calendar/writes.js";
import { Actions } from "../../../assets/web/frame/actions.js";
import { waysOf } from "../../../assets/web/frame/ways.js";

const moved = { moved_from: "2026-01-30T09:00:00", moved_to: "2026-01-29T09:00:00" };
const options = [
	{ rrule: "FREQ=MONTHLY;BYMONTHDAY=29", label: "Every month on day 29 of the month", next: ["2026-01-29T09:00:00", "2026-03-29T09:00:00"], ends: [], ...moved },
	{ rrule: "FREQ=MONTHLY;BYDAY=-1TH", label: "Every month on the last Thursday", next: ["2026-01-29T09:00:00"], ends: ["2026-02-28T09:00:00"], ...moved },
];
const ambiguous = Object.assign(new Error("There are several ways"), { status: 422, code: "recurrence_ambiguous", fields: [{ name: "rrule", options }] });

// openRefusing opens the app with a server that refuses a change without a rule as ambiguous.
async function openRefusing(answer = {}) {
	const opened = await openApp({ areas: ["calendar"] });
	const sent = [];
	opened.app.dispatcher.perform = async (_, __, { fields }) => {
		sent.push(fields);
		if (!fields.rrule) throw ambiguous;
		return answer;
	};
	return { ...opened, sent };
}

test("a change that a series can follow in several ways is sent again with the chosen rule", async () => {
	const { app, document, sent } = await openRefusing({ object: { title: "Pay" } });
	const done = patch(app, { id: "update", body: {} }, { start: "2026-01-29T09:00:00" });
	await later();
	const dialog = document.querySelector("dialog");
	assert.match(dialog.textContent, /Every month on the last Thursday/);
	assert.match(dialog.textContent, /Next: 29 Jan, 29 Mar/);
	dialog.querySelectorAll("input")[1].checked = true;
	dialog.querySelectorAll("input")[0].checked = false;
	dialog.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
	assert.deepEqual(await done, { object: { title: "Pay" }, choseRule: true });
	assert.deepEqual(sent, [{ start: "2026-01-29T09:00:00" }, { start: "2026-01-29T09:00:00", rrule: "FREQ=MONTHLY;BYDAY=-1TH" }]);
});

test("a form keeps the error if the member closes the choice, and a drag shows nothing", async () => {
	const { app, document } = await openRefusing();
	const close = async () => {
		await later();
		document.querySelector("dialog .dialog-foot button").click();
	};
	const refused = patch(app, { id: "update", body: {} }, { start: "2026-01-29T09:00:00" });
	await close();
	await assert.rejects(refused, { code: "recurrence_ambiguous" });

	const toasts = [];
	app.actions.showError = (error) => toasts.push(error);
	const time = (utc) => ({ utc, date_time: utc.slice(0, 19), timezone: "UTC" });
	const object = {
		id: "tob_1", title: "Pay", object_type: "calendar_event", action_descriptors: [{ id: "move", method: "PATCH", url: "/x", body: {} }],
		state: { timezone: "UTC", occurrence: { start: time("2026-01-30T09:00:00Z"), end: time("2026-01-30T10:00:00Z") } },
	};
	const range = { allDay: false, start: Date.parse("2026-01-29T09:00:00Z"), end: Date.parse("2026-01-29T10:00:00Z") };
	const moved = move(app, object, range);
	await close();
	assert.equal(await moved, false);
	assert.deepEqual(toasts, []);
});

test("a moved series is moved back by the undo of the server, and the toast has its notice", async () => {
	const { app } = await openApp({ areas: ["calendar"] });
	const undo = { label: "Undo", method: "PATCH", url: "/x", body: { restore_version: "v" } };
	app.dispatcher.perform = async () => ({ object: {}, undo, notice: "2 exceptions were removed." });
	const actions = new Actions(app);
	const shown = [];
	app.actions.announce = (data, text) => actions.announce(data, text);
	app.toasts.show = (text, { action }) => shown.push([text, action.label]);
	const time = (utc) => ({ utc, date_time: utc.slice(0, 19), timezone: "UTC" });
	const object = {
		id: "tob_1", title: "Pay", object_type: "calendar_event", action_descriptors: [{ id: "move", method: "PATCH", url: "/x", body: {} }],
		state: { timezone: "UTC", occurrence: { start: time("2026-01-30T09:00:00Z"), end: time("2026-01-30T10:00:00Z") } },
	};
	const range = { allDay: false, start: Date.parse("2026-01-29T09:00:00Z"), end: Date.parse("2026-01-29T10:00:00Z") };
	assert.equal(await move(app, object, range), true);
	assert.match(shown[0][0], /Pay is now on .* 2 exceptions were removed\.$/);
	assert.equal(actions.lastUndo, undo);
});

test("the toast does not name a time that the chosen rule may not have", async () => {
	const { app, document } = await openRefusing({ object: {}, notice: "The series begins on 20 December." });
	const announced = [];
	app.actions.announce = (...values) => announced.push(values);
	const time = (utc) => ({ utc, date_time: utc.slice(0, 19), timezone: "UTC" });
	const object = {
		id: "tob_1", title: "Rent", object_type: "calendar_event", action_descriptors: [{ id: "move", method: "PATCH", url: "/x", body: {} }],
		state: { timezone: "UTC", occurrence: { start: time("2026-12-10T09:00:00Z"), end: time("2026-12-10T10:00:00Z") } },
	};
	const moved = move(app, object, { allDay: false, start: Date.parse("2026-12-11T09:00:00Z"), end: Date.parse("2026-12-11T10:00:00Z") });
	await later();
	document.querySelector("dialog form").dispatchEvent(new Event("submit", { cancelable: true }));
	assert.equal(await moved, true);
	const [[{ notice }, text]] = announced;
	assert.deepEqual([notice, text], ["The series begins on 20 December.", "Rent is saved."]);
});

test("other errors have no ways", () => {
	assert.deepEqual(waysOf({ code: "invalid_recurrence", fields: [{ name: "rrule" }] }), []);
	assert.deepEqual(waysOf({ code: "recurrence_ambiguous" }), []);
});
