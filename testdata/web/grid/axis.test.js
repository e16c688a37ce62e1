import assert from "node:assert/strict";
import { test } from "node:test";
import { createAxis, instantAt, positionOf } from "../../../assets/web/grid/axis.js";
import { HOUR, parseDay } from "../../../assets/web/grid/zone.js";

const at = (text) => Date.parse(`${text}Z`);
const iso = (instant) => new Date(instant).toISOString().slice(0, 16);
const days = (date, count) => Array.from({ length: count }, (_, i) => parseDay(date) + i);
const clock = ({ minute, again }) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}${again ? " again" : ""}`;
const labels = (axis, from, to) => axis.labels.filter((label) => label.at >= from && label.at <= to).map((label) => [label.at, clock(label)]);

test("an ordinary day", () => {
	const { total, labels: all, days: [day] } = createAxis("Europe/Berlin", days("2026-11-26", 1));
	assert.equal(total, 24);
	assert.equal(all.length, 24);
	assert.deepEqual(day.voids, []);
	assert.equal(positionOf(day, at("2026-11-26T12:42")), 13.7);
	assert.equal(iso(instantAt(day, 13.5)), "2026-11-26T12:30");
	assert.equal(instantAt(day, 24), day.end);
	assert.equal(positionOf(day, day.end, true), 24);
});

test("Berlin: a day of 25 hours has 25 rows, the second 02:00 is marked", () => {
	const axis = createAxis("Europe/Berlin", days("2026-10-25", 1));
	assert.equal(axis.total, 25);
	assert.equal(axis.labels.length, 25);
	assert.deepEqual(labels(axis, 1, 4), [[1, "01:00"], [2, "02:00"], [3, "02:00 again"], [4, "03:00"]]);
	assert.equal(positionOf(axis.days[0], at("2026-10-25T00:30")), 2.5);
	assert.equal(positionOf(axis.days[0], at("2026-10-25T01:30")), 3.5);
});

test("Berlin: a day of 23 hours has 23 rows", () => {
	const axis = createAxis("Europe/Berlin", days("2026-03-29", 1));
	assert.equal(axis.total, 23);
	assert.deepEqual(labels(axis, 0, 3), [[0, "00:00"], [1, "01:00"], [2, "03:00"], [3, "04:00"]]);
});

test("Berlin: a week with a repeated hour keeps times of all days level", () => {
	const axis = createAxis("Europe/Berlin", days("2026-10-19", 7));
	const [monday, sunday] = [axis.days[0], axis.days[6]];
	assert.equal(axis.total, 25);
	assert.deepEqual(labels(axis, 1, 4), [[1, "01:00"], [2, "02:00"], [3, "02:00 again"], [4, "03:00"]]);
	assert.deepEqual(monday.voids, [{ at: 3, length: 1 }]);
	assert.deepEqual(sunday.voids, []);
	assert.equal(positionOf(monday, at("2026-10-19T08:00")), 11); // 10:00
	assert.equal(positionOf(sunday, at("2026-10-25T09:00")), 11); // 10:00
	assert.equal(positionOf(sunday, at("2026-10-25T01:00")), 3);
	assert.equal(positionOf(monday, at("2026-10-19T01:00"), true), 3); // an end at 03:00
	assert.equal(positionOf(monday, at("2026-10-19T01:00")), 4); // a start at 03:00
	assert.equal(iso(instantAt(monday, 3.5)), "2026-10-19T01:00"); // in the void
});

test("Berlin: a week with a skipped hour has a void in one day", () => {
	const axis = createAxis("Europe/Berlin", days("2026-03-23", 7));
	assert.equal(axis.total, 24);
	assert.deepEqual(axis.days[0].voids, []);
	assert.deepEqual(axis.days[6].voids, [{ at: 2, length: 1 }]);
	assert.equal(positionOf(axis.days[6], at("2026-03-29T01:00")), 3);
	assert.equal(iso(instantAt(axis.days[6], 2.25)), "2026-03-29T01:00");
});

test("Lord Howe: half an hour is repeated or skipped", () => {
	const one = createAxis("Australia/Lord_Howe", days("2026-04-05", 1));
	assert.equal(one.total, 24.5);
	assert.deepEqual(labels(one, 1, 4), [[1, "01:00"], [2, "01:30 again"], [2.5, "02:00"], [3.5, "03:00"]]);
	const week = createAxis("Australia/Lord_Howe", days("2026-03-30", 7));
	assert.equal(week.total, 24.5);
	assert.deepEqual(labels(week, 1, 4), labels(one, 1, 4));
	assert.deepEqual(week.days[0].voids, [{ at: 2, length: 0.5 }]);
	const short = createAxis("Australia/Lord_Howe", days("2026-10-04", 1));
	assert.equal(short.total, 23.5);
	assert.deepEqual(labels(short, 1, 3), [[1, "01:00"], [2, "02:30"], [2.5, "03:00"]]);
	assert.deepEqual(createAxis("Australia/Lord_Howe", days("2026-09-28", 7)).days[6].voids, [{ at: 2, length: 0.5 }]);
});

test("São Paulo: changes at midnight", () => {
	const short = createAxis("America/Sao_Paulo", days("2018-11-04", 1));
	assert.equal(short.total, 23);
	assert.deepEqual(labels(short, 0, 1), [[0, "01:00"], [1, "02:00"]]);
	assert.deepEqual(createAxis("America/Sao_Paulo", days("2018-10-29", 7)).days[6].voids, [{ at: 0, length: 1 }]);
	const week = createAxis("America/Sao_Paulo", days("2018-02-12", 7)); // Saturday the 17th has 25 hours
	assert.equal(week.total, 25);
	assert.deepEqual(labels(week, 22, 25), [[22, "22:00"], [23, "23:00"], [24, "23:00 again"]]);
	assert.deepEqual(week.days[6].voids, [{ at: 24, length: 1 }]);
	assert.deepEqual(week.days[5].voids, []);
});

test("Apia: the skipped day has no time", () => {
	const week = createAxis("Pacific/Apia", days("2011-12-26", 7));
	assert.equal(week.total, 24);
	assert.deepEqual(week.days[4].voids, [{ at: 0, length: 24 }]);
	assert.deepEqual(week.days[4].pieces, []);
	const one = createAxis("Pacific/Apia", days("2011-12-30", 1));
	assert.equal(one.total, 0);
	assert.equal(instantAt(one.days[0], 3), one.days[0].start);
	assert.equal(positionOf(one.days[0], 0), 0);
});

test("positions and instants are inverse in weeks with changes of clocks", () => {
	for (const [zone, date] of [
		["Europe/Berlin", "2026-10-19"], ["Europe/Berlin", "2026-03-23"], ["Australia/Lord_Howe", "2026-03-30"],
		["Australia/Lord_Howe", "2026-09-28"], ["America/Sao_Paulo", "2018-02-12"], ["America/Sao_Paulo", "2018-10-29"],
		["America/St_Johns", "2006-10-23"], ["America/Nuuk", "2024-03-25"], ["Pacific/Apia", "2011-12-26"], ["Atlantic/Azores", "2026-10-19"],
	]) {
		for (const count of [1, 7]) {
			for (const day of createAxis(zone, days(date, 7).slice(7 - count)).days) {
				for (let t = day.start; t < day.end; t += HOUR / 4) {
					assert.equal(iso(instantAt(day, positionOf(day, t))), iso(t), `${zone} ${date} ${count}`);
				}
				const drawn = day.pieces.reduce((sum, { from, to }) => sum + to - from, 0);
				assert.equal(drawn, day.end - day.start);
			}
		}
	}
});
