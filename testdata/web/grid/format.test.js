import assert from "node:assert/strict";
import { test } from "node:test";
import { createFormat } from "../../../assets/web/grid/format.js";
import { parseDay } from "../../../assets/web/grid/zone.js";

const at = (text) => Date.parse(`${text}Z`);
const plain = (text) => text.replace(/[\u2009\u202f]/g, " ");

test("times are those of the zone", () => {
	const format = createFormat("en-GB", "Europe/Berlin");
	assert.equal(format.time(at("2026-11-26T08:05")), "09:05");
	assert.equal(format.range(at("2026-11-26T08:00"), at("2026-11-26T09:30")), "09:00–10:30");
	assert.equal(format.range(at("2026-11-26T08:00"), at("2026-11-26T08:00")), "09:00");
	assert.equal(format.timeIn("America/New_York", at("2026-11-26T08:00")), "03:00");
	assert.equal(createFormat("en-GB", "Asia/Kathmandu").time(at("1969-12-31T18:35")), "00:05"); // then UTC+05:30, before 1970
});

test("a repeated time has the name of its offset", () => {
	const format = createFormat("en-GB", "Europe/Berlin");
	assert.equal(format.time(at("2026-10-25T00:30")), "02:30 CEST");
	assert.equal(format.time(at("2026-10-25T01:30")), "02:30 CET");
	assert.equal(format.time(at("2026-10-25T02:30")), "03:30");
});

test("12 or 24 hours by the locale or by the option", () => {
	const british = createFormat("en-GB", "UTC");
	const american = createFormat("en-US", "UTC");
	assert.deepEqual([british.mark(540), british.mark(555)], ["09:00", "09:15"]);
	assert.deepEqual([american.mark(540), american.mark(555)].map(plain), ["9 AM", "9:15 AM"]);
	assert.equal(plain(american.time(at("2026-11-26T00:05"))), "12:05 AM");
	assert.equal(createFormat("en-US", "UTC", false).time(at("2026-11-26T00:05")), "00:05");
	assert.equal(plain(createFormat("en-GB", "UTC", true).mark(540)), "9 am");
});

test("days are Gregorian in every locale", () => {
	const day = parseDay("2026-11-01");
	const german = createFormat("de-DE", "UTC");
	assert.equal(german.date(day), "Sonntag, 1. November");
	assert.equal(german.month(day), "November 2026");
	assert.equal(german.weekday(day), "So");
	const english = createFormat("en-GB", "UTC");
	assert.deepEqual([english.number(day), english.numberAndMonth(day), english.weekdayNarrow(day)], ["1", "1 Nov", "S"]);
	assert.match(createFormat("fa-IR", "UTC").month(day), /۲۰۲۶/);
	assert.match(plain(english.days(day, day + 2)), /^1 ?– ?3 November$/);
});
