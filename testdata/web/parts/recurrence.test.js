import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PRESETS, ruleText, followRule, formatRule, newRule, nextDates, parseRule, presetOf, presetRule, countOccurrences } from "../../../assets/web/parts/recurrence.js";
import { addDays, daysBetween } from "../../../assets/web/parts/day.js";
import { loadWords } from "../words.js";

const start = "2026-11-26"; // the fourth and last Thursday of November
const now = () => Date.parse("2026-11-26T12:00:00Z");
const next = (text, from = start, count = 4) => nextDates(parseRule(text, from), from, count);

test("rules that a form shows are read and written unchanged", () => {
	for (const text of [
		"FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;COUNT=5", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;UNTIL=20261217",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=-2TH", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=15", "FREQ=YEARLY;INTERVAL=4",
	]) assert.equal(formatRule(parseRule(text, start)), text);
});

test("other writings of the same rule", () => {
	for (const [text, want] of [
		["RRULE:FREQ=DAILY", "FREQ=DAILY"], ["freq=weekly;byday=fr,mo", "FREQ=WEEKLY;BYDAY=MO,FR"], ["INTERVAL=1;FREQ=DAILY", "FREQ=DAILY"],
		["FREQ=MONTHLY;BYMONTHDAY=26", "FREQ=MONTHLY"], ["FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=26", "FREQ=YEARLY"], ["FREQ=DAILY;UNTIL=20261217T225959Z", "FREQ=DAILY;UNTIL=20261217"],
		["FREQ=WEEKLY;WKST=SU", "FREQ=WEEKLY"],
	]) assert.equal(formatRule(parseRule(text, start)), want);
});

test("an instant in UNTIL is a day of the zone", () => {
	for (const [until, zone, want] of [
		["20261218T045959Z", "America/New_York", "2026-12-17"], ["20261217T225959Z", "Europe/Berlin", "2026-12-17"], ["20261217T105959Z", "Pacific/Auckland", "2026-12-17"], ["20261218T045959Z", undefined, "2026-12-18"],
		["20261217T235959", "America/New_York", "2026-12-17"], ["20261217", "Pacific/Auckland", "2026-12-17"],
	]) assert.equal(parseRule(`FREQ=DAILY;UNTIL=${until}`, start, zone).until, want);
	for (const until of ["20261317", "2026", "20261217T99", "20261217T259999Z"]) assert.equal(parseRule(`FREQ=DAILY;UNTIL=${until}`, start, "Europe/Berlin"), null, until);
});

test("rules that a form cannot show", () => {
	for (const text of [
		"", "FREQ=HOURLY", "FREQ=SECONDLY;COUNT=3", "FREQ=DAILY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=MO,TU", "FREQ=MONTHLY;BYDAY=MO", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2", "FREQ=MONTHLY;BYMONTHDAY=1,15",
		"FREQ=MONTHLY;BYMONTHDAY=-2", "FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=YEARLY;BYMONTH=3", "FREQ=YEARLY;BYMONTHDAY=26", "FREQ=YEARLY;BYWEEKNO=3", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=x", "FREQ=DAILY;COUNT=2;UNTIL=20270101",
		"FREQ=DAILY;UNTIL=20260230", "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;X-A=1", "FREQ=DAILY;RSCALE=GREGORIAN", "every day",
	]) assert.equal(parseRule(text, start), null, text);
});

test("the next days of a series", () => {
	for (const [text, want, from] of [
		["FREQ=DAILY;INTERVAL=2", ["2026-11-26", "2026-11-28", "2026-11-30", "2026-12-02"]],
		["FREQ=WEEKLY;BYDAY=TH;UNTIL=20261210", ["2026-11-26", "2026-12-03", "2026-12-10"]],
		["FREQ=WEEKLY;BYDAY=MO,FR", ["2026-11-26", "2026-11-27", "2026-11-30", "2026-12-04"]],
		["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU", ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"], "1997-08-05"],
		["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"], "1997-08-05"],
		["FREQ=MONTHLY", ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"], "2026-01-31"],
		["FREQ=MONTHLY;BYMONTHDAY=-1", ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"], "2026-01-31"],
		["FREQ=MONTHLY;BYDAY=-1TH", ["2026-11-26", "2026-12-31", "2027-01-28", "2027-02-25"]],
		["FREQ=MONTHLY;BYDAY=-5TH", ["2026-12-03", "2027-04-01", "2027-07-01", "2027-09-02"], "2026-12-03"],
		["FREQ=MONTHLY;BYDAY=5TH", ["2026-12-31", "2027-04-29", "2027-07-29", "2027-09-30"], "2026-12-31"],
		["FREQ=YEARLY", ["2028-02-29", "2032-02-29", "2036-02-29", "2040-02-29"], "2028-02-29"],
		["FREQ=DAILY;COUNT=2", ["2026-11-26", "2026-11-27"]],
	]) assert.deepEqual(next(text, from), want, text);
});

test("the days from a later day on", () => {
	assert.deepEqual(nextDates(presetRule("weekly", start), start, 2, "2027-01-01"), ["2027-01-07", "2027-01-14"]);
	assert.deepEqual(nextDates(newRule("DAILY", { until: "2026-01-01" }), start, 4), []);
});

test("a daily series that began long ago has next days, and still ends after its number of times", () => {
	const daily = (more) => nextDates(newRule("DAILY", more), "2010-01-01", 2, "2026-11-26");
	assert.deepEqual(daily({}), ["2026-11-26", "2026-11-27"]);
	assert.deepEqual(daily({ interval: 3 }), ["2026-11-27", "2026-11-30"]);
	assert.deepEqual(daily({ interval: 4 }), ["2026-11-29", "2026-12-03"]);
	assert.deepEqual(daily({ count: daysBetween("2010-01-01", "2026-11-27") }), ["2026-11-26"]);
	assert.deepEqual(daily({ count: daysBetween("2010-01-01", "2026-11-26") }), []);
	assert.deepEqual(daily({ until: "2026-11-25" }), []);
});

test("a rule that no day matches ends", () => {
	assert.deepEqual(nextDates(newRule("MONTHLY", { interval: 12, monthly: { date: 31 } }), "2026-02-28", 4), ["2026-02-28"]);
});

test("the number of occurrences", () => {
	assert.equal(countOccurrences(parseRule("FREQ=WEEKLY;BYDAY=TH;UNTIL=20261217", start), start), 4);
	assert.equal(countOccurrences(newRule("DAILY", { count: 7 }), start), 7);
	assert.equal(countOccurrences(newRule("DAILY"), start), null);
	assert.equal(countOccurrences(newRule("DAILY", { until: "2036-01-01" }), start), null);
});

// A Go test of svc/calendar/ics reads the same table.
test("a rule follows the start as it does on the server", () => {
	for (const { rule, from, to, want } of JSON.parse(readFileSync(new URL("follow.json", import.meta.url), "utf8"))) {
		assert.equal(formatRule(followRule(parseRule(rule, from), from, to)), want, `${rule} from ${from} to ${to}`);
	}
	const other = parseRule("FREQ=MONTHLY;BYDAY=2TU", start);
	assert.equal(followRule(other, start, "2026-11-27"), other, "the start is outside the rule");
});

test("presets are recognized", () => {
	for (const name of PRESETS) {
		for (let day = start; day < "2027-02-01"; day = addDays(day, 5)) {
			const text = formatRule(presetRule(name, day));
			assert.equal(presetOf(parseRule(text, day), day), name, `${name} ${day}`);
		}
	}
	assert.equal(presetOf(parseRule("FREQ=WEEKLY", start), start), "weekly");
	assert.equal(presetOf(parseRule("FREQ=WEEKLY;BYDAY=FR", start), start), "custom");
	assert.equal(presetOf(parseRule("FREQ=DAILY;COUNT=3", start), start), "custom");
});

test("rules in words", async () => {
	const words = { en: await loadWords({ locale: "en-GB", zone: "UTC", now }), de: await loadWords({ locale: "de", zone: "UTC", now }) };
	for (const [text, en, de] of [
		["FREQ=DAILY", "Every day", "Jeden Tag"],
		["FREQ=WEEKLY;BYDAY=TH;UNTIL=20261217", "Every week on Thursday, until 17 December", "Jede Woche am Donnerstag, bis 17. Dezember"],
		["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "Every 2 weeks on Monday and Friday", "Alle 2 Wochen am Montag und Freitag"],
		["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=1", "Every week on weekdays, once", "Jede Woche an Werktagen, einmal"],
		["FREQ=MONTHLY", "Every month on the 26th", "Jeden Monat am 26."],
		["FREQ=MONTHLY;BYMONTHDAY=22", "Every month on the 22nd", "Jeden Monat am 22."],
		["FREQ=MONTHLY;BYMONTHDAY=-1", "Every month on the last day", "Jeden Monat am letzten Tag"],
		["FREQ=MONTHLY;BYDAY=-1TH", "Every month on the last Thursday", "Jeden Monat am letzten Donnerstag"],
		["FREQ=MONTHLY;BYDAY=-2TH", "Every month on the second to last Thursday", "Jeden Monat am vorletzten Donnerstag"],
		["FREQ=YEARLY;COUNT=3", "Every year on 26 November, 3 times", "Jedes Jahr am 26. November, 3-mal"],
	]) {
		assert.equal(ruleText(parseRule(text, start), start, words.en), en);
		assert.equal(ruleText(parseRule(text, start), start, words.de), de);
	}
});
