import assert from "node:assert/strict";
import { test } from "node:test";
import {
	DAY, HOUR, MINUTE, addMonths, dayAt, dayStart, formatDay, instantOf, instantsOf, isAmbiguous, isZone, monthOf,
	monthWeeks, nextHour, offsetAt, parseDay, parseInstant, segments, wallAt, weekNumber, weekOf, weekdayOf,
} from "../../../assets/web/grid/zone.js";

const ZONES = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu", "America/Nuuk", "Atlantic/Azores", "Africa/Casablanca", "Pacific/Chatham"];

const iso = (instant) => new Date(instant).toISOString().slice(0, 16);
const wall = (text) => Date.parse(`${text}Z`);
const start = (zone, date) => iso(dayStart(zone, parseDay(date)));
const hours = (zone, date) => (dayStart(zone, parseDay(date) + 1) - dayStart(zone, parseDay(date))) / HOUR;

// read returns the wall time by a formatter that the module does not use.
const readers = new Map();
function read(zone, instant) {
	if (!readers.has(zone)) readers.set(zone, new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" }));
	return Date.parse(`${readers.get(zone).format(instant).replace(" ", "T")}Z`);
}

test("wall times equal those of Intl, through changes of clocks", () => {
	for (const zone of ZONES) {
		for (const year of [2010, 2011, 2018, 2024, 2026]) {
			for (let t = Date.UTC(year, 0, 1, 0, 30); t < Date.UTC(year + 1, 0, 1); t += 5 * HOUR + 30 * MINUTE) {
				if (wallAt(zone, t) !== read(zone, t)) assert.equal(iso(wallAt(zone, t)), iso(read(zone, t)), `${zone} at ${iso(t)}`);
			}
		}
	}
});

test("the offset changes at the exact instant", () => {
	for (const [zone, change, before, after] of [
		["Europe/Berlin", "2026-03-29T01:00", 1, 2],
		["Europe/Berlin", "2026-10-25T01:00", 2, 1],
		["Australia/Lord_Howe", "2026-04-04T15:00", 11, 10.5],
		["Australia/Lord_Howe", "2026-10-03T15:30", 10.5, 11],
		["America/Sao_Paulo", "2018-11-04T03:00", -3, -2],
		["America/Sao_Paulo", "2018-02-18T02:00", -2, -3],
		["Pacific/Apia", "2011-12-30T10:00", -10, 14],
	]) {
		assert.equal(offsetAt(zone, wall(change) - 1) / HOUR, before, `${zone} before ${change}`);
		assert.equal(offsetAt(zone, wall(change)) / HOUR, after, `${zone} at ${change}`);
	}
});

test("every day contains exactly the instants from its start to the next one's", () => {
	for (const zone of ZONES) {
		for (const year of [1990, 2006, 2011, 2018, 2026]) {
			const first = Date.UTC(year, 0, 1) / DAY;
			for (let day = first; day < first + 366; day++) {
				const from = dayStart(zone, day);
				const to = dayStart(zone, day + 1);
				const name = `${zone} ${formatDay(day)}`;
				assert.ok(to >= from, name);
				if (to === from) continue;
				assert.equal(dayAt(zone, from), day, name);
				assert.equal(dayAt(zone, to - 1), day, name);
				assert.notEqual(dayAt(zone, from - 1), day, name);
				assert.ok((to - from) / HOUR >= 22 && (to - from) / HOUR <= 26, name);
			}
		}
	}
});

test("wall times and instants are inverse", () => {
	for (const zone of ZONES) {
		for (let t = Date.UTC(2011, 0, 1); t < Date.UTC(2012, 0, 5); t += 3 * HOUR + 15 * MINUTE) {
			if (!instantsOf(zone, wallAt(zone, t)).includes(t)) assert.fail(`${zone} ${iso(t)}`);
		}
	}
});

test("Berlin: a day of 23 hours, a skipped hour", () => {
	const zone = "Europe/Berlin";
	assert.equal(hours(zone, "2026-03-29"), 23);
	assert.equal(start(zone, "2026-03-29"), "2026-03-28T23:00");
	assert.equal(start(zone, "2026-03-30"), "2026-03-29T22:00");
	assert.deepEqual(instantsOf(zone, wall("2026-03-29T02:30")), []);
	assert.equal(iso(instantOf(zone, wall("2026-03-29T02:30"))), "2026-03-29T01:30"); // 03:30 on the clock
	assert.equal(iso(instantOf(zone, wall("2026-03-29T02:00"))), "2026-03-29T01:00");
	assert.equal(iso(instantOf(zone, wall("2026-03-29T03:00"))), "2026-03-29T01:00");
	assert.equal(iso(instantOf(zone, wall("2026-03-29T01:59"))), "2026-03-29T00:59");
});

test("Berlin: a day of 25 hours, a repeated hour", () => {
	const zone = "Europe/Berlin";
	assert.equal(hours(zone, "2026-10-25"), 25);
	assert.deepEqual(instantsOf(zone, wall("2026-10-25T02:30")).map(iso), ["2026-10-25T00:30", "2026-10-25T01:30"]);
	assert.equal(iso(instantOf(zone, wall("2026-10-25T02:30"))), "2026-10-25T00:30");
	assert.deepEqual(instantsOf(zone, wall("2026-10-25T03:00")).map(iso), ["2026-10-25T02:00"]);
	assert.equal(isAmbiguous(zone, wall("2026-10-25T00:30")), true);
	assert.equal(isAmbiguous(zone, wall("2026-10-25T01:30")), true);
	assert.equal(isAmbiguous(zone, wall("2026-10-25T02:30")), false);
	assert.equal(isAmbiguous(zone, wall("2026-10-24T00:30")), false);
});

test("Lord Howe: clocks change by 30 minutes", () => {
	const zone = "Australia/Lord_Howe";
	assert.equal(hours(zone, "2026-04-05"), 24.5);
	assert.equal(hours(zone, "2026-10-04"), 23.5);
	assert.deepEqual(instantsOf(zone, wall("2026-04-05T01:45")).map(iso), ["2026-04-04T14:45", "2026-04-04T15:15"]);
	assert.deepEqual(instantsOf(zone, wall("2026-04-05T01:15")).map(iso), ["2026-04-04T14:15"]);
	assert.deepEqual(instantsOf(zone, wall("2026-10-04T02:15")), []);
	assert.equal(iso(wallAt(zone, instantOf(zone, wall("2026-10-04T02:15")))), "2026-10-04T02:45");
});

test("São Paulo: clocks change at midnight", () => {
	const zone = "America/Sao_Paulo";
	assert.equal(hours(zone, "2018-11-04"), 23);
	assert.equal(start(zone, "2018-11-04"), "2018-11-04T03:00"); // 01:00 on the clock
	assert.equal(iso(wallAt(zone, dayStart(zone, parseDay("2018-11-04")))), "2018-11-04T01:00");
	assert.equal(hours(zone, "2018-02-17"), 25);
	assert.equal(start(zone, "2018-02-18"), "2018-02-18T03:00");
	assert.equal(formatDay(dayAt(zone, wall("2018-02-18T02:30"))), "2018-02-17"); // the second 23:30
	assert.equal(iso(instantOf(zone, wall("2018-11-04T00:30"))), "2018-11-04T03:30");
});

test("Apia: 30 December 2011 was skipped", () => {
	const zone = "Pacific/Apia";
	assert.equal(hours(zone, "2011-12-29"), 24);
	assert.equal(hours(zone, "2011-12-30"), 0);
	assert.equal(hours(zone, "2011-12-31"), 24);
	assert.equal(start(zone, "2011-12-30"), start(zone, "2011-12-31"));
	assert.equal(formatDay(dayAt(zone, wall("2011-12-30T09:59"))), "2011-12-29");
	assert.equal(formatDay(dayAt(zone, wall("2011-12-30T10:00"))), "2011-12-31");
	assert.deepEqual(instantsOf(zone, wall("2011-12-30T12:00")), []);
	assert.equal(iso(wallAt(zone, instantOf(zone, wall("2011-12-30T12:00")))), "2011-12-31T12:00");
});

test("St. John's: clocks were put back across midnight after the day had begun", () => {
	const zone = "America/St_Johns"; // 2006-10-29 00:01 → 2006-10-28 23:01
	assert.equal(hours(zone, "2006-10-28"), 24);
	assert.equal(hours(zone, "2006-10-29"), 25);
	assert.equal(formatDay(dayAt(zone, dayStart(zone, parseDay("2006-10-29")) + 30 * MINUTE)), "2006-10-29");
});

test("Nuuk: the last hour of a Saturday is skipped", () => {
	const zone = "America/Nuuk";
	assert.equal(hours(zone, "2024-03-30"), 23);
	assert.equal(iso(wallAt(zone, dayStart(zone, parseDay("2024-03-31")) - 1)), "2024-03-30T22:59");
	assert.equal(hours(zone, "2024-10-26"), 25);
});

test("segments cover a range without gaps", () => {
	const list = segments("Europe/Berlin", wall("2026-01-01T00:00"), wall("2027-01-01T00:00"));
	assert.equal(list.length, 3);
	assert.equal(list[0].to, list[1].from);
	assert.equal(list[1].to, list[2].from);
	assert.equal(segments("UTC", 0, 10 * DAY).length, 1);
	assert.equal(segments("Europe/Berlin", wall("2026-03-29T01:00"), wall("2026-03-30T00:00")).length, 1); // starts at the change
});

test("names of zones", () => {
	assert.equal(isZone("Europe/Berlin"), true);
	assert.equal(isZone("Europe/Nowhere"), false);
	assert.equal(isZone(""), false);
	assert.equal(isZone(undefined), false);
});

test("dates, weekdays and weeks", () => {
	assert.equal(formatDay(parseDay("2026-11-26")), "2026-11-26");
	assert.equal(parseDay("1970-01-01"), 0);
	assert.equal(formatDay(-1), "1969-12-31");
	assert.equal(parseInstant("2026-11-26T12:30:00Z"), wall("2026-11-26T12:30"));
	assert.equal(parseInstant(5), 5);
	assert.equal(weekdayOf(parseDay("2026-11-26")), 4);
	assert.equal(weekdayOf(parseDay("1969-12-28")), 7);
	assert.equal(formatDay(weekOf(parseDay("2026-11-26"), 1)), "2026-11-23");
	assert.equal(formatDay(weekOf(parseDay("2026-11-26"), 7)), "2026-11-22");
	assert.equal(formatDay(weekOf(parseDay("2026-11-26"), 6)), "2026-11-21");
	assert.equal(formatDay(weekOf(parseDay("2026-11-23"), 1)), "2026-11-23");
});

test("week numbers", () => {
	const number = (date, weekStart, fewest) => weekNumber(weekOf(parseDay(date), weekStart), fewest);
	assert.equal(number("2026-11-26", 1), 48);
	assert.equal(number("2026-01-01", 1), 1);
	assert.equal(number("2027-01-01", 1), 53);
	assert.equal(number("2024-12-30", 1), 1);
	assert.equal(number("2027-01-01", 7, 1), 1);
	assert.equal(number("2026-12-26", 7, 1), 52);
	assert.equal(number("2026-11-26", 7, 1), 48);
});

test("months", () => {
	const weeks = (date, weekStart) => monthWeeks(parseDay(date), weekStart).map(formatDay);
	assert.deepEqual(weeks("2026-11-26", 1), ["2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23", "2026-11-30"]);
	assert.deepEqual(weeks("2027-02-10", 1), ["2027-02-01", "2027-02-08", "2027-02-15", "2027-02-22"]);
	assert.equal(weeks("2026-11-26", 7).length, 5);
	assert.equal(formatDay(addMonths(parseDay("2026-01-31"), 1)), "2026-02-28");
	assert.equal(formatDay(addMonths(parseDay("2026-03-31"), -1)), "2026-02-28");
	assert.equal(formatDay(addMonths(parseDay("2026-12-15"), 1)), "2027-01-15");
	const { first, next } = monthOf(parseDay("2026-12-15"));
	assert.deepEqual([formatDay(first), formatDay(next)], ["2026-12-01", "2027-01-01"]);
});

test("the next full hour is one of the clocks of the zone", () => {
	const next = (zone, text) => new Date(nextHour(zone, Date.parse(text))).toISOString().slice(11, 16);
	assert.equal(next("Europe/Berlin", "2026-11-26T12:42:10Z"), "13:00");
	assert.equal(next("Europe/Berlin", "2026-11-26T13:00:00Z"), "14:00", "an hour that has begun is not the next one");
	assert.equal(next("Asia/Kolkata", "2026-11-26T12:42:10Z"), "13:30");
	assert.equal(next("Asia/Kathmandu", "2026-11-26T12:42:10Z"), "13:15");
	assert.equal(next("America/St_Johns", "1969-11-26T12:42:10Z"), "13:30", "before 1970");
	assert.equal(next("Europe/Berlin", "2026-10-25T00:30:00Z"), "01:00", "the clocks are put back");
});
