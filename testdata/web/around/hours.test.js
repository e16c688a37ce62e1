import assert from "node:assert/strict";
import { test } from "node:test";
import { groupDays, parseHours, weekOfPage } from "../../../assets/web/around/hours.js";

const days = (text, first) => groupDays(parseHours(text), first).map(({ days: list, ranges }) => `${list.join("")} ${ranges.join(",")}`);

test("hours of OpenStreetMap are a week", () => {
	assert.deepEqual(days("Mo-Th 08:00-18:00; Fr-Sa 08:00-22:00"), ["1234 08:00–18:00", "56 08:00–22:00", "7 "]);
	assert.deepEqual(days("24/7"), ["1234567 00:00–24:00"]);
	assert.deepEqual(days("08:00-17:00"), ["1234567 08:00–17:00"]);
	assert.deepEqual(days("Mo,We 9:00-12:00, 14:00-18:00; PH off"), ["1 09:00–12:00,14:00–18:00", "2 ", "3 09:00–12:00,14:00–18:00", "4567 "]);
	assert.deepEqual(days("Sa-Mo 20:00-26:00"), ["1 20:00–02:00", "2345 ", "67 20:00–02:00"]);
	assert.deepEqual(days("Mo-Su 08:00-20:00; Su off"), ["123456 08:00–20:00", "7 "]);
});

test("the week begins with the member's first day", () => {
	assert.deepEqual(days("Su 08:00-10:00", 7), ["7 08:00–10:00", "123456 "]);
});

test("hours that are more than days and times stay a text", () => {
	for (const text of ["", null, "sunrise-sunset", "Mo-Fr 08:00-18:00 \"by appointment\"", "Apr-Oct: Mo 08:00-18:00", "Xx 08:00-18:00", "Mo 8-18", "Mo-Tu-We 08:00-18:00", "Mo 25:00-26:00"]) assert.equal(parseHours(text), null, text);
});

test("days without hours on the page are unknown", () => {
	const week = weekOfPage({ weekly: { mon: [{ open: "08:00", close: "18:00" }] }, closed_days: ["sun"] });
	assert.deepEqual(week[0], ["08:00–18:00"]);
	assert.equal(week[1], null); // not known
	assert.deepEqual(week[6], []); // closed
	assert.deepEqual(weekOfPage({ weekly: { mon: [{ open: "08:00", close: "18:00" }] } })[1], []);
	assert.deepEqual(weekOfPage({ always_open: true })[3], ["00:00–24:00"]);
	assert.equal(weekOfPage({ weekly: {} }), null);
	assert.equal(weekOfPage({ weekly: null, raw: ["by appointment"] }), null);
	assert.equal(weekOfPage({ weekly: { mon: "08:00" } }), null);
});
