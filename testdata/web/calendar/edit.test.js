import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { duplicateEntry, editEntry } from "../../../assets/web/calendar/edit.js";
import { createEntry } from "../../../assets/web/editor/editor.js";

const control = (id, type, more) => ({ id, type, label: id, required: false, default: null, ...more });
const actions = [
	{ id: "create_event", label: "New event", controls: [control("title", "text"), control("start", "datetime")] },
	{ id: "create_task", label: "New task", controls: [control("title", "text"), control("due", "datetime")] },
];

test("a typed title is discarded only after a confirmation, also when the type of the entry has changed", async () => {
	const { app, document } = await openApp({ areas: ["calendar", "editor"] });
	const created = createEntry(app, actions, { start: "2026-11-26T19:00:00" });
	const dialogs = () => document.querySelectorAll("dialog");
	dialogs()[0].querySelector(".title-input").type("Bring the ladder");
	dialogs()[0].querySelectorAll(".seg button")[1].click();
	await later();
	assert.equal(dialogs()[0].querySelector("h2").textContent, "New task");
	assert.equal(dialogs()[0].querySelector(".title-input").value, "Bring the ladder");
	dialogs()[0].querySelector(".dialog-head button").click();
	await later();
	assert.equal(dialogs().length, 2, "the second dialog asks for the confirmation");
	dialogs()[1].querySelector(".bad").click();
	await later();
	assert.equal(dialogs().length, 0);
	assert.equal(await created, null);
});

const zones = (zone, endZone) => [control("timezone", "timezone", { default: zone }), control("end_timezone", "timezone", { default: endZone })];
const update = (controls) => ({ id: "update", controls: [control("title", "text", { default: "Flight" }), control("start", "datetime"), control("end", "datetime"), control("all_day", "checkbox"), ...controls] });

test("a form shows the time zones if one is not that of the member", async () => {
	for (const [zone, endZone, isShown] of [["Europe/Berlin", "", false], ["Europe/Berlin", "Asia/Tokyo", true], ["Asia/Tokyo", "", true]]) {
		const { app, document } = await openApp({ areas: ["calendar", "editor"] });
		editEntry(app, { id: "e", object_type: "calendar_event", title: "Flight", state: { etag: "1" }, action_descriptors: [update(zones(zone, endZone))] });
		const fields = document.querySelector(".zones");
		assert.equal(fields.hidden, !isShown, `${zone} ${endZone}`);
		assert.deepEqual(fields.querySelectorAll("input").map(({ value }) => value), [zone, endZone]);
		document.querySelector(".zone-line .btn").click();
		assert.equal(fields.hidden, false, "the button shows both");
	}
});

test("a copy of a task has the time zone of the due time", async () => {
	const create = { id: "create_task", label: "New task", controls: [control("title", "text"), control("due", "datetime"), control("timezone", "timezone")] };
	const { app, document } = await openApp({ areas: ["calendar", "editor"], read: () => ({ action_descriptors: [create] }) });
	const task = { id: "t", object_type: "task", state: {}, action_descriptors: [update([control("due", "datetime", { default: "2026-12-02T04:00:00" }), ...zones("Europe/Berlin", "Asia/Tokyo")])] };
	duplicateEntry(app, task);
	await later();
	assert.equal(document.querySelector("[data-field=timezone] input").value, "Asia/Tokyo");
});

test("a saved series offers the undo of the server, with its notice", async () => {
	const { app, document } = await openApp({ areas: ["calendar", "editor"] });
	const undo = { label: "Undo", method: "PATCH", url: "/x", body: { restore_version: "v" } };
	app.dispatcher.perform = async () => ({ object: { title: "Flight home" }, undo, notice: "The series begins on Monday." });
	const announced = [];
	app.actions.announce = (...values) => announced.push(values);
	const saved = editEntry(app, { id: "e", object_type: "calendar_event", title: "Flight", state: { etag: "1" }, action_descriptors: [update(zones("Europe/Berlin", ""))] });
	document.querySelector(".title-input").type("Flight home");
	document.querySelector("dialog form").dispatchEvent(new Event("submit", { cancelable: true }));
	await saved;
	assert.deepEqual(announced, [[{ undo, notice: "The series begins on Monday." }, "Flight home is saved."]]);
});

test("a changed start moves the rule on the server, and the form shows it", async () => {
	const { app, document } = await openApp({ areas: ["calendar", "editor"] });
	let sent;
	app.dispatcher.perform = async (action, values, { fields }) => ((sent = fields), { object: { title: "Review" } });
	const controls = [
		control("title", "text", { default: "Review" }), control("start", "datetime", { default: "2027-09-24T10:00:00" }),
		control("timezone", "timezone", { default: "Europe/Berlin" }), control("rrule", "recurrence", { default: "FREQ=MONTHLY;BYDAY=-1FR" }),
		control("scope", "selector", { options: [{ value: "this", label: "This" }, { value: "all", label: "All" }] }),
	];
	const object = { id: "e", object_type: "calendar_event", title: "Review", state: { etag: "1" }, action_descriptors: [{ id: "update", controls }] };
	const saved = editEntry(app, object);
	const input = document.querySelector("[data-field=start] input");
	input.type("23/9/2027");
	input.dispatchEvent(new Event("change", { bubbles: true }));
	assert.match(document.querySelector("[data-field=rrule] .repeat").textContent, /second to last Thursday/);
	document.querySelector("dialog form").dispatchEvent(new Event("submit", { cancelable: true }));
	await later();
	const question = document.querySelectorAll("dialog")[1];
	const all = question.querySelectorAll("input").find(({ value }) => value === "all");
	for (const choice of question.querySelectorAll("input")) choice.checked = choice === all;
	question.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
	await saved;
	assert.deepEqual(sent, { start: "2027-09-23T10:00:00", timezone: "Europe/Berlin", scope: "all" });
});

test("a copy of a task has its start and its reminders", async () => {
	const create = { id: "create_task", label: "New task", url: "/objects", method: "POST", controls: [control("title", "text"), control("due", "datetime"), control("timezone", "timezone")] };
	const { app, document } = await openApp({ areas: ["calendar", "editor"], read: () => ({ action_descriptors: [create] }) });
	const alarms = [{ trigger: "-PT15M", related: "start", action: "display", editable: true }];
	const controls = [
		control("title", "text", { default: "Bins" }), control("start", "datetime", { default: "2026-12-01T18:00:00" }), control("due", "datetime", { default: "2026-12-02T18:00:00" }),
		control("timezone", "timezone", { default: "Europe/Berlin" }), control("alarms", "alarms", { default: alarms }), control("status", "selector", { default: "completed", options: [] }),
	];
	duplicateEntry(app, { id: "t", object_type: "task", state: {}, action_descriptors: [{ id: "update", controls }] });
	await later();
	const ids = [...document.querySelectorAll("[data-field]")].map((field) => field.getAttribute("data-field"));
	assert.deepEqual(ids.filter((id) => ["start", "due", "alarms", "status"].includes(id)), ["start", "due", "alarms"]);
	assert.equal(document.querySelector("[data-field=start] input").value, "Tue, 1 Dec 2026");
});
