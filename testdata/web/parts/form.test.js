import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../dom.js";
import { createForm } from "../../../assets/web/parts/form.js";
import { loadWords } from "../words.js";

const control = (id, type, value, more) => ({ id, type, label: id, required: false, default: value, ...more });
const flight = () => [
	control("start", "datetime", "2026-12-01T09:00:00"), control("end", "datetime", "2026-12-02T04:00:00"),
	control("timezone", "timezone", "Europe/Berlin"), control("end_timezone", "timezone", "Asia/Tokyo"),
];

// openForm opens a form with controls. Its function type types a text into the field with an id.
async function openForm(controls) {
	const document = openPage();
	const words = await loadWords({ locale: "en-GB", zone: "Europe/Berlin", now: () => Date.parse("2026-11-26T12:00:00Z") });
	const form = createForm({ controls, words });
	document.body.append(form.element);
	const inputs = (id) => form.element.querySelector(`[data-field="${id}"]`).querySelectorAll("input");
	const type = (id, text, part = 0) => {
		const input = inputs(id)[part];
		input.type(text);
		input.dispatchEvent(new Event("change", { bubbles: true }));
	};
	return { form, type, words };
}

test("a later start moves the end by the same time, which stays in its own time zone", async () => {
	const { form, type } = await openForm(flight());
	type("start", "10:00", 1);
	assert.equal(form.values().end, "2026-12-02T05:00:00");
	type("start", "1/7/2027");
	assert.deepEqual(form.values(), { start: "2027-07-01T10:00:00", end: "2027-07-02T04:00:00", timezone: "Europe/Berlin", end_timezone: "Asia/Tokyo" }, "Berlin has summer time");
	assert.ok(form.validate());
});

const chore = (start, due, rrule) => [
	control("start", "datetime", start), control("due", "datetime", due), control("timezone", "timezone", "Europe/Berlin"),
	...(rrule ? [control("rrule", "text", rrule)] : []),
];

test("a later start moves the due time of a task", async () => {
	const { form, type } = await openForm(chore("2026-12-01T09:00:00", "2026-12-01T18:00:00"));
	type("start", "2/12/2026");
	assert.deepEqual([form.values().start, form.values().due], ["2026-12-02T09:00:00", "2026-12-02T18:00:00"]);
	type("due", "19:00", 1);
	assert.deepEqual([form.values().start, form.values().due], ["2026-12-02T09:00:00", "2026-12-02T19:00:00"]);
});

test("the equal start of a recurring task moves with the due time", async () => {
	const move = async (rrule) => {
		const { form, type } = await openForm(chore("2026-12-01T18:00:00", "2026-12-01T18:00:00", rrule));
		type("due", "30/11/2026");
		return [form.values().start, form.values().due];
	};
	assert.deepEqual(await move("FREQ=WEEKLY"), ["2026-11-30T18:00:00", "2026-11-30T18:00:00"]);
	assert.deepEqual(await move(""), ["2026-12-01T18:00:00", "2026-11-30T18:00:00"]);
});

test("an end that is earlier on the clock of its time zone is valid", async () => {
	const { form, type } = await openForm(flight());
	type("end_timezone", "America/Los_Angeles");
	type("end", "1/12/2026");
	type("end", "08:00", 1);
	assert.ok(form.validate());
	assert.equal(form.values().end, "2026-12-01T08:00:00");
	type("end_timezone", "");
	assert.equal(form.validate(), false, "08:00 in Berlin is before 09:00");
	assert.equal(form.values().end_timezone, "");
});

test("an instant is shown in the time zone of its field", async () => {
	const [start, end, ...zones] = flight();
	const { form, type } = await openForm([{ ...start, default: "2026-12-01T08:00:00Z" }, { ...end, default: "2026-12-01T19:00:00Z" }, ...zones]);
	type("end", "05:00", 1);
	assert.deepEqual([form.values().start, form.values().end], ["2026-12-01T08:00:00Z", "2026-12-01T20:00:00.000Z"]);
});

test("a reminder keeps what the form does not show, and some cannot be changed", async () => {
	const alarms = [
		{ uid: "a", trigger: "-PT30M", related: "start", action: "audio", proximity: "", editable: true },
		{ uid: "", trigger: "-P1D", related: "start", action: "email", proximity: "", editable: false },
		{ uid: "p", trigger: "1976-04-01T00:55:45Z", related: "start", action: "display", proximity: "arrive", editable: false },
	];
	const { form, words } = await openForm([control("alarms", "alarm", alarms, { multiple: true })]);
	assert.deepEqual(form.values().alarms, alarms);
	const rows = form.element.querySelectorAll("li");
	assert.deepEqual(rows.map((row) => row.querySelectorAll("button").length), [1, 0, 0], "only the first has a button to remove it");
	assert.deepEqual(rows.slice(1).map((row) => [row.querySelector("input").value, row.textContent]), [["1 day before, by email", words.alarmReadOnly()], ["On arriving at a place", words.alarmReadOnly()]]);
	const select = rows[0].querySelector("select");
	select.value = "5";
	select.dispatchEvent(new Event("change", { bubbles: true }));
	assert.deepEqual(form.values().alarms, [{ uid: "a", trigger: "-PT1H", related: "start", action: "audio", proximity: "" }, ...alarms.slice(1)]);
});
