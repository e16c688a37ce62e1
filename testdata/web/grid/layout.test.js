import assert from "node:assert/strict";
import { test } from "node:test";
import { createAxis } from "../../../assets/web/grid/axis.js";
import {
	createAt, createBetween, itemOf, moveBy, moveDays, itemsOnDay, itemsOf, rangeOf, rangeOfDays, resizeBy, resizeTo, spread, stackDay, stackWeek,
} from "../../../assets/web/grid/layout.js";
import { DAY, HOUR, MINUTE, dayStart, parseDay, wallAt } from "../../../assets/web/grid/zone.js";

const BERLIN = "Europe/Berlin";
const at = (text) => Date.parse(`${text}Z`);
const iso = (instant) => new Date(instant).toISOString().slice(0, 16);
const timed = (id, start, end) => ({ id, title: id, start: `${start}:00Z`, end: `${end}:00Z` });
const dated = (id, start, end) => ({ id, title: id, start, end, allDay: true });
const prepared = (...entries) => itemsOf(entries, BERLIN);
const week = (items, date, capacity) => stackWeek(items, parseDay(date), 7, capacity);
const brief = ({ bars }) => bars.map(({ item, column, span, lane }) => [item.id, column, span, lane]);
const times = ({ start, end }) => [iso(start), iso(end)];

test("items know their days and whether they are long", () => {
	const one = (entry) => {
		const [{ first, last, long }] = prepared(entry);
		return [first - parseDay("2026-11-26"), last - first, long];
	};
	assert.deepEqual(one(timed("hour", "2026-11-26T18:00", "2026-11-26T19:00")), [0, 0, false]);
	assert.deepEqual(one(timed("to midnight", "2026-11-26T18:00", "2026-11-26T23:00")), [0, 0, false]);
	assert.deepEqual(one(timed("past midnight", "2026-11-26T18:00", "2026-11-26T23:01")), [0, 1, false]);
	assert.deepEqual(one(timed("a day", "2026-11-26T11:00", "2026-11-27T11:00")), [0, 1, true]);
	assert.deepEqual(one(timed("less than a day", "2026-11-26T11:00", "2026-11-27T10:59")), [0, 1, false]);
	assert.deepEqual(one(timed("no length", "2026-11-25T23:00", "2026-11-25T23:00")), [0, 0, false]);
	assert.deepEqual(one(dated("day", "2026-11-26", "2026-11-27")), [0, 0, true]);
	assert.deepEqual(one(dated("three days", "2026-11-26", "2026-11-29")), [0, 2, true]);
	assert.deepEqual(one({ id: "without an end", start: "2026-11-26", allDay: true }), [0, 0, true]);
	assert.deepEqual(one({ id: "end before start", start: at("2026-11-26T10:00"), end: at("2026-11-26T09:00") }), [0, 0, false]);
});

test("a day of 23 hours from midnight to midnight is long, 24 hours in one of 25 are not", () => {
	const [short] = prepared({ id: "a", start: dayStart(BERLIN, parseDay("2026-03-29")), end: dayStart(BERLIN, parseDay("2026-03-30")) });
	assert.equal(short.long, true);
	const start = dayStart(BERLIN, parseDay("2026-10-25"));
	const [long] = prepared({ id: "b", start, end: start + DAY });
	assert.equal(long.long, false);
});

test("entries without a valid start are left out", () => {
	assert.equal(prepared({ id: "a" }, { id: "b", start: "soon" }, { id: "c", start: "x", allDay: true }, { id: "d", allDay: true }).length, 0);
});

test("long items are first, by start and length; then timed ones", () => {
	const items = prepared(
		timed("t2", "2026-11-24T10:00", "2026-11-24T11:00"),
		timed("t1", "2026-11-24T10:00", "2026-11-24T12:00"),
		timed("t0", "2026-11-23T20:00", "2026-11-23T21:00"),
		dated("l2", "2026-11-24", "2026-11-25"),
		dated("l1", "2026-11-24", "2026-11-27"),
		dated("l0", "2026-11-20", "2026-11-24"),
	);
	assert.deepEqual(items.map(({ id }) => id), ["l0", "l1", "l2", "t0", "t1", "t2"]);
});

test("a week puts items into the first lane that is free in all their days", () => {
	const items = prepared(
		dated("fair", "2026-11-24", "2026-11-26"),
		dated("bins", "2026-11-25", "2026-11-26"),
		dated("visit", "2026-11-27", "2026-11-30"),
		timed("ergs", "2026-11-24T17:00", "2026-11-24T18:00"),
		timed("walk", "2026-11-25T16:30", "2026-11-25T17:30"),
		timed("choir", "2026-11-26T18:00", "2026-11-26T19:00"),
	);
	assert.deepEqual(brief(week(items, "2026-11-23")), [["fair", 1, 2, 0], ["bins", 2, 1, 1], ["visit", 4, 3, 0], ["ergs", 1, 1, 1], ["walk", 2, 1, 2], ["choir", 3, 1, 0]]);
});

test("bars are cut at the ends of the week", () => {
	const items = prepared(dated("long", "2026-11-20", "2026-12-04"), dated("before", "2026-11-22", "2026-11-23"), dated("after", "2026-11-30", "2026-12-01"));
	const { bars } = week(items, "2026-11-23");
	assert.equal(bars.length, 1);
	const [{ column, span, before, after }] = bars;
	assert.deepEqual([column, span, before, after], [0, 7, true, true]);
	const last = week(items, "2026-11-30").bars.find(({ item }) => item.id === "long");
	assert.deepEqual([last.column, last.span, last.before, last.after], [0, 4, true, false]);
});

test("a short item past midnight is only in its first day of the month", () => {
	const items = prepared(timed("party", "2026-11-28T19:00", "2026-11-29T01:00"));
	assert.deepEqual(brief(week(items, "2026-11-23")), [["party", 5, 1, 0]]);
	assert.deepEqual(brief(week(prepared(timed("late", "2026-11-29T20:00", "2026-11-30T01:00")), "2026-11-30")), []);
});

test("entries that do not fit are counted for each of their days", () => {
	const day = (n) => timed(`t${n}`, `2026-11-24T1${n}:00`, `2026-11-24T1${n}:30`);
	const items = prepared(dated("bar", "2026-11-23", "2026-11-26"), ...[0, 1, 2, 3].map(day));
	assert.deepEqual(week(items, "2026-11-23", 5).more, []);
	const { bars, more } = week(items, "2026-11-23", 3);
	assert.deepEqual(bars.map(({ item }) => item.id), ["bar", "t0"]);
	assert.deepEqual(more, [{ column: 1, count: 3, lane: 2 }]);
	assert.deepEqual(week(items, "2026-11-23", 1).more, [{ column: 0, count: 1, lane: 0 }, { column: 1, count: 5, lane: 0 }, { column: 2, count: 1, lane: 0 }]);
});

test("lanes never overlap and nothing is lost", () => {
	let seed = 7;
	const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
	for (let round = 0; round < 200; round++) {
		const entries = Array.from({ length: random(40) }, (_, i) => {
			const start = at("2026-11-15T00:00") + random(20 * 24) * HOUR;
			return random(3) === 0
				? dated(`e${i}`, iso(start).slice(0, 10), iso(start + (1 + random(9)) * DAY).slice(0, 10))
				: { id: `e${i}`, start, end: start + random(40) * HOUR };
		});
		const items = itemsOf(entries, BERLIN);
		const capacity = 1 + random(8);
		const { bars, more } = week(items, "2026-11-23", capacity);
		const taken = new Set();
		const perDay = new Array(7).fill(0);
		for (const { column, span, lane } of bars) {
			for (let i = column; i < column + span; i++) {
				assert.ok(!taken.has(`${i}/${lane}`) && lane < capacity);
				taken.add(`${i}/${lane}`);
				perDay[i]++;
			}
		}
		for (const { column, count, lane } of more) {
			assert.ok(lane < capacity && !taken.has(`${column}/${lane}`), "the lane of \"n more\" is free");
			perDay[column] += count;
		}
		for (let i = 0; i < 7; i++) {
			const day = parseDay("2026-11-23") + i;
			assert.equal(perDay[i], items.filter(({ first, last, long }) => first <= day && (long ? last : first) >= day).length);
		}
	}
});

const slot = (id, from, to) => ({ item: { id, index: 0 }, at: from, length: to - from });
const lanes = (list) => Object.fromEntries(spread(list).map(({ item, lane, lanes: count, wide }) => [item.id, [lane, count, wide]]));

test("slots that do not overlap have the whole width", () => {
	assert.deepEqual(lanes([slot("a", 9, 10), slot("b", 10, 11)]), { a: [0, 1, 1], b: [0, 1, 1] });
});

test("a cluster has the same number of lanes; slots widen while lanes are free", () => {
	assert.deepEqual(lanes([slot("a", 9, 12), slot("b", 9, 10), slot("c", 9, 10), slot("d", 10.5, 11.5)]), {
		a: [0, 3, 1], b: [1, 3, 1], c: [2, 3, 1], d: [1, 3, 2],
	});
	assert.deepEqual(lanes([slot("a", 9, 10), slot("b", 9.5, 11), slot("c", 10.5, 12)]), { a: [0, 2, 1], b: [1, 2, 1], c: [0, 2, 1] });
});

test("of slots with the same start the longer one is first", () => {
	assert.deepEqual(lanes([slot("short", 9, 10), slot("long", 9, 11)]), { long: [0, 2, 1], short: [1, 2, 1] });
});

test("widened slots never overlap", () => {
	let seed = 3;
	const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
	for (let round = 0; round < 200; round++) {
		const list = Array.from({ length: random(30) }, (_, i) => slot(`s${i}`, random(40) / 4, 0));
		for (const one of list) one.length = 0.5 + random(16) / 4;
		spread(list);
		for (const a of list) {
			assert.ok(a.lane + a.wide <= a.lanes);
			for (const b of list) {
				if (a === b || a.at >= b.at + b.length || b.at >= a.at + a.length) continue;
				assert.ok(a.lane + a.wide <= b.lane || b.lane + b.wide <= a.lane);
				assert.equal(a.lanes, b.lanes);
			}
		}
	}
});

test("a day has the parts of items in it", () => {
	const axis = createAxis(BERLIN, [parseDay("2026-11-25"), parseDay("2026-11-26")]);
	const items = prepared(
		timed("night", "2026-11-25T21:00", "2026-11-26T01:00"), timed("point", "2026-11-26T11:00", "2026-11-26T11:00"),
		timed("midnight", "2026-11-25T23:00", "2026-11-25T23:00"), timed("last", "2026-11-26T22:50", "2026-11-26T23:00"),
		timed("day", "2026-11-25T11:00", "2026-11-26T11:00"), dated("bar", "2026-11-26", "2026-11-27"),
	);
	const day = (i) => stackDay(items, axis.days[i], axis.total).map(({ item, at: from, length, before, after }) => [item.id, from, length, before, after]);
	assert.deepEqual(day(0), [["night", 22, 2, false, true]]);
	assert.deepEqual(day(1), [["night", 0, 2, true, false], ["midnight", 0, 25 / 60, false, false], ["point", 12, 25 / 60, false, false], ["last", 24 - 25 / 60, 25 / 60, false, false]]);
});

test("slots of the repeated hour are at their own heights", () => {
	const axis = createAxis(BERLIN, [parseDay("2026-10-25")]);
	const items = prepared(timed("first", "2026-10-25T00:00", "2026-10-25T01:00"), timed("second", "2026-10-25T01:00", "2026-10-25T02:00"));
	assert.deepEqual(stackDay(items, axis.days[0], axis.total).map(({ item, at: from, length, lanes: count }) => [item.id, from, length, count]), [["first", 2, 1, 1], ["second", 3, 1, 1]]);
});

test("the skipped day of Apia has no slots", () => {
	const axis = createAxis("Pacific/Apia", [29, 30, 31].map((n) => parseDay(`2011-12-${n}`)));
	const items = itemsOf([timed("a", "2011-12-30T09:00", "2011-12-30T11:00")], "Pacific/Apia");
	assert.deepEqual(axis.days.map((day) => stackDay(items, day, axis.total).length), [1, 0, 1]);
});

test("the items of a day", () => {
	const items = prepared(timed("b", "2026-11-26T10:00", "2026-11-26T11:00"), dated("a", "2026-11-25", "2026-11-27"), timed("c", "2026-11-27T10:00", "2026-11-27T11:00"));
	assert.deepEqual(itemsOnDay(items, parseDay("2026-11-26")).map(({ id }) => id), ["a", "b"]);
});

test("ranges", () => {
	assert.deepEqual(rangeOf(prepared(dated("a", "2026-11-25", "2026-11-27"))[0]), { allDay: true, start: "2026-11-25", end: "2026-11-27" });
	assert.deepEqual(rangeOfDays(parseDay("2026-11-27"), parseDay("2026-11-25")), { allDay: true, start: "2026-11-25", end: "2026-11-28" });
	const { id, first, last } = itemOf({ allDay: true, start: "2026-11-25", end: "2026-11-28" }, BERLIN, { id: "x" });
	assert.deepEqual([id, last - first], ["x", 2]);
});

test("moving by days keeps the time on the clock", () => {
	const [evening] = prepared(timed("a", "2026-10-24T16:00", "2026-10-24T18:00"));
	assert.deepEqual(times(moveDays(evening, 1, BERLIN)), ["2026-10-25T17:00", "2026-10-25T19:00"]);
	assert.deepEqual(times(moveDays(evening, -7, BERLIN)), ["2026-10-17T16:00", "2026-10-17T18:00"]);
	assert.deepEqual(moveDays(prepared(dated("b", "2026-10-24", "2026-10-26"))[0], 3, BERLIN), { allDay: true, start: "2026-10-27", end: "2026-10-29" });
	const [night] = prepared(timed("c", "2026-03-28T00:30", "2026-03-28T03:00")); // 01:30 to 04:00
	assert.deepEqual(times(moveDays(night, 1, BERLIN)), ["2026-03-29T00:30", "2026-03-29T03:00"]); // keeps its 2½ hours
	const [long] = prepared(timed("d", "2026-10-23T10:00", "2026-10-24T16:00"));
	const moved = moveDays(long, 1, BERLIN);
	assert.equal(wallAt(BERLIN, moved.end) - wallAt(BERLIN, long.end), DAY);
	const apia = itemsOf([timed("e", "2011-12-29T20:00", "2011-12-29T21:00")], "Pacific/Apia")[0]; // 29 December, 10:00
	assert.equal(iso(wallAt("Pacific/Apia", moveDays(apia, 1, "Pacific/Apia").start)), "2011-12-31T10:00");
});

test("moving and resizing by steps", () => {
	const step = 15 * MINUTE;
	const [item] = prepared(timed("a", "2026-11-26T10:10", "2026-11-26T11:10"));
	assert.deepEqual(times(moveBy(item, 22 * MINUTE, step)), ["2026-11-26T10:25", "2026-11-26T11:25"]);
	assert.deepEqual(times(moveBy(item, 7 * MINUTE, step)), ["2026-11-26T10:10", "2026-11-26T11:10"]);
	assert.deepEqual(times(resizeBy(item, 40 * MINUTE, step)), ["2026-11-26T10:10", "2026-11-26T11:55"]);
	assert.deepEqual(times(resizeBy(item, -3 * HOUR, step)), ["2026-11-26T10:10", "2026-11-26T10:25"]);
	const [bar] = prepared(dated("b", "2026-11-24", "2026-11-26"));
	assert.deepEqual(resizeTo(bar, parseDay("2026-11-27"), BERLIN), { allDay: true, start: "2026-11-24", end: "2026-11-28" });
	assert.deepEqual(resizeTo(bar, parseDay("2026-11-20"), BERLIN), { allDay: true, start: "2026-11-24", end: "2026-11-25" });
	const [long] = prepared(timed("c", "2026-11-24T10:00", "2026-11-25T11:00"));
	assert.deepEqual(times(resizeTo(long, parseDay("2026-11-26"), BERLIN)), ["2026-11-24T10:00", "2026-11-26T11:00"]);
});

test("a new range has whole steps on the clock", () => {
	const step = 15 * MINUTE;
	const between = (a, b, zone = BERLIN) => times(createBetween(at(a), at(b), step, zone));
	assert.deepEqual(between("2026-11-26T10:07", "2026-11-26T10:50"), ["2026-11-26T10:00", "2026-11-26T11:00"]);
	assert.deepEqual(between("2026-11-26T10:50", "2026-11-26T10:07"), ["2026-11-26T10:00", "2026-11-26T11:00"]);
	assert.deepEqual(between("2026-11-26T10:07", "2026-11-26T10:07"), ["2026-11-26T10:00", "2026-11-26T10:15"]);
	assert.deepEqual(between("2026-11-26T10:07", "2026-11-26T10:20", "Asia/Kathmandu"), ["2026-11-26T10:00", "2026-11-26T10:30"]);
});

test("a new range at an instant starts with its step", () => {
	assert.deepEqual(times(createAt(at("2026-11-26T10:44"), HOUR, 15 * MINUTE, BERLIN)), ["2026-11-26T10:30", "2026-11-26T11:30"]);
});
