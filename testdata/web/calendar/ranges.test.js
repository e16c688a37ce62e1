import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf, stepDay, titleOf, viewOf, weekdayNumber } from "../../../assets/web/calendar/ranges.js";
import { distanceText, nameOfDay } from "../../../assets/web/calendar/dates.js";
import { makeWords } from "../words.js";

const words = makeWords({ locale: "en-GB", zone: "Europe/Berlin", now: () => Date.parse("2026-11-25T12:00:00Z") });

test("all days of a month or a week have the same panel", () => {
	assert.equal(anchorOf("month", "2026-11-26", 1), "2026-11-01");
	assert.equal(anchorOf("week", "2026-11-26", 1), "2026-11-23");
	assert.equal(anchorOf("week", "2026-11-26", 7), "2026-11-22");
	assert.equal(anchorOf("day", "2026-11-26", 1), "2026-11-26");
});

test("a step keeps the day where the month has it", () => {
	assert.equal(stepDay("month", "2026-10-31", 1), "2026-11-30");
	assert.equal(stepDay("week", "2026-11-26", -1), "2026-11-19");
	assert.equal(stepDay("agenda", "2026-11-26", 1), "2026-12-26");
	assert.equal(stepDay("day", "2026-11-30", 1), "2026-12-01");
});

test("unknown parameters of an address are those of the usual view and of today", () => {
	const usual = { today: "2026-11-25", usual: "month" };
	assert.deepEqual(viewOf({ view: "week", date: "2026-12-02" }, usual), { view: "week", date: "2026-12-02" });
	assert.deepEqual(viewOf({ view: "year", date: "2026-02-30" }, usual), { view: "month", date: "2026-11-25" });
});

test("the title names the range, with the year if it is another one", () => {
	const title = (view, day, more) => titleOf(view, day, { words, weekStart: 1, labels: { agenda: "Agenda" }, ...more });
	assert.equal(title("month", "2026-11-26"), "November 2026");
	assert.match(title("week", "2026-11-26"), /^23\s?–\s?29 November$/u); // the spaces depend on the data of the engine
	assert.match(title("week", "2026-12-30"), /2026.*2027/);
	assert.match(title("week", "2026-12-03", { isShort: true, isPhone: true }), /^Nov\s–\sDec$/u);
	assert.match(title("week", "2026-12-03", { visibleDays: 3, isShort: true, isPhone: true }), /^3\s?–\s?5 Dec$/u);
	assert.match(title("week", "2026-12-06", { visibleDays: 3, isShort: true, isPhone: true }), /^4\s?–\s?6 Dec$/u, "the last days of the week");
	assert.match(title("week", "2026-11-30", { visibleDays: 3, isShort: true, isPhone: true }), /^30 Nov\s?–\s?2 Dec$/u);
	assert.equal(title("week", "2026-12-03", { visibleDays: 1, isShort: true, isPhone: true }), title("day", "2026-12-03", { isShort: true }));
	assert.equal(title("day", "2026-11-26"), "Thursday 26 November");
	assert.match(title("day", "2027-11-26"), /2027/);
	assert.match(title("agenda", "2026-11-26"), /^26 Nov\s?–\s?25 Dec$/u);
	assert.equal(title("agenda", "2026-11-26", { isShort: true }), "Nov 2026");
	assert.equal(title("month", "2026-11-26", { isShort: true }), "Nov 2026");
});

test("days near the present one have names", () => {
	assert.equal(nameOfDay(words, "2026-11-25").strong, "Today");
	assert.equal(nameOfDay(words, "2026-11-26").strong, "Tomorrow");
	assert.deepEqual(nameOfDay(words, "2026-11-28"), { strong: "Saturday", rest: "28 November" });
	assert.equal(distanceText(words, "2026-11-27"), "in 2 days");
	assert.equal(distanceText(words, "2026-11-24"), "yesterday");
});

test("weekdays of World have numbers", () => {
	assert.equal(weekdayNumber("sunday"), 7);
	assert.equal(weekdayNumber(undefined), 0);
});
