import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, addMonths, dayIn, daysBetween, isDay, monthGrid, parseDay, parseDayTime, parseTime, quarterHours, weekOf, weekdayOf } from "../../../assets/web/parts/day.js";

const today = "2026-11-26"; // a Thursday

function days(locale, table, base = today) {
	for (const [text, want] of table) assert.equal(parseDay(text, { locale, today: base }), want, `${locale}: ${JSON.stringify(text)}`);
}

// LOCALES are those that the server offers, and some from right to left.
const LOCALES = ("bg ca cs da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-MX et eu fi fr fr-CA fr-CH ga gl hr hu is it ja ko lt lv mt nb nl nl-BE nn pl pt pt-BR ro ru sk sl sr sv tr uk zh-Hans zh-Hant "
	+ "ar-EG fa").split(" ");

test("English texts name days", () => {
	days("en-GB", [
		["2026-12-03", "2026-12-03"], ["2026-1-3", "2026-01-03"], ["2026-02-29", null],
		["today", "2026-11-26"], ["tomorrow", "2026-11-27"], ["Tom", null], ["tomo", "2026-11-27"], ["yesterday", "2026-11-25"],
		["fri", "2026-11-27"], ["Friday", "2026-11-27"], ["thu", "2026-11-26"], ["we", "2026-12-02"], ["t", null], ["s", null],
		["3.12.", "2026-12-03"], ["3.12", "2026-12-03"], ["3/12", "2026-12-03"], ["3.12.27", "2027-12-03"], ["3/12/2027", "2027-12-03"], ["3-12-2027", "2027-12-03"], ["25.11.", "2027-11-25"], ["26.11.", "2026-11-26"],
		["3 Dec", "2026-12-03"], ["Dec 3", "2026-12-03"], ["3rd of December", "2026-12-03"], ["December 3, 2028", "2028-12-03"], ["3 dec 28", "2028-12-03"], ["1 mar", "2027-03-01"],
		["Thu, 26 Nov 2026", "2026-11-26"], ["Monday 3 December", "2026-12-03"],
		["3", "2026-12-03"], ["26", "2026-11-26"], ["27.", "2026-11-27"], ["31", "2026-12-31"], ["+3", "2026-11-29"], ["-1", "2026-11-25"], ["+ 14", "2026-12-10"],
		["29.2.", "2028-02-29"], ["30.2.", null], ["32", null], ["0", null], ["13/13", null], ["20/12", "2026-12-20"],
		["", null], ["soon", null], ["ma 3", null], ["3 4 5 6", null], ["3 Dec Jan", null], ["99999", null],
	]);
});

test("the order of day and month follows the locale", () => {
	days("en-US", [["12/3", "2026-12-03"], ["12/3/27", "2027-12-03"], ["20/12", "2026-12-20"], ["3.12.", "2026-12-03"], ["12-3", "2026-12-03"]]);
	days("de", [["3.12.", "2026-12-03"], ["3/12", "2026-12-03"]]);
	days("ja", [["12/3", "2026-12-03"], ["2026/12/3", "2026-12-03"]]);
	days("hu", [["12. 3.", "2026-12-03"], ["2026. 12. 03.", "2026-12-03"]]);
});

test("names in the language of the locale", () => {
	days("de", [["Fr", "2026-11-27"], ["freitag", "2026-11-27"], ["morgen", "2026-11-27"], ["übermorgen", "2026-11-28"], ["ubermorgen", "2026-11-28"], ["heute", today], ["3. Dezember", "2026-12-03"], ["3. Dez. 2026", "2026-12-03"], ["1. März", "2027-03-01"], ["1 mar", "2027-03-01"], ["Do., 26. Nov. 2026", "2026-11-26"], ["Mi", "2026-12-02"], ["tomorrow", "2026-11-27"]]);
	days("fr", [["demain", "2026-11-27"], ["ven.", "2026-11-27"], ["3 déc.", "2026-12-03"], ["1er février", "2027-02-01"], ["mar. 1 déc. 2026", "2026-12-01"], ["3 fevrier", "2027-02-03"]]);
	days("pl", [["3 grudnia", "2026-12-03"], ["grudzień 3", "2026-12-03"]]);
	days("ar-EG", [["٣/١٢", "2026-12-03"], ["غدًا", "2026-11-27"]]);
});

test("the format of the field is read back, in each locale of the product", () => {
	for (const locale of LOCALES) {
		const format = new Intl.DateTimeFormat(locale, { calendar: "gregory", weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
		for (let day = "2026-01-01"; day < "2027-01-01"; day = addDays(day, 13)) {
			const text = format.format(new Date(`${day}T00:00:00Z`));
			assert.equal(parseDay(text, { locale, today }), day, `${locale}: ${text}`);
		}
	}
});

test("arithmetic of days", () => {
	assert.equal(addDays("2026-12-31", 1), "2027-01-01");
	assert.equal(addMonths("2026-01-31", 1), "2026-02-28");
	assert.equal(addMonths("2026-01-31", -1), "2025-12-31");
	assert.equal(addMonths("2026-11-30", 15), "2028-02-29");
	assert.equal(daysBetween("2026-03-28", "2026-03-30"), 2);
	assert.equal(weekdayOf("2026-11-29"), 7);
	assert.equal(weekOf("2026-11-26", 1), "2026-11-23");
	assert.equal(weekOf("2026-11-29", 7), "2026-11-29");
	assert.equal(weekOf("2026-11-28", 7), "2026-11-22");
	assert.deepEqual([isDay("2026-02-29"), isDay("2028-02-29"), isDay("2026-2-1"), isDay("")], [false, true, false, false]);
});

test("the grid of a month has six weeks and contains it", () => {
	for (let month = 1; month <= 12; month++) {
		for (const weekStart of [1, 6, 7]) {
			const grid = monthGrid(`2026-${String(month).padStart(2, "0")}-15`, weekStart);
			assert.deepEqual([grid.length, ...grid.map((week) => week.length)], [6, 7, 7, 7, 7, 7, 7]);
			assert.equal(weekdayOf(grid[0][0]), weekStart);
			assert.ok(grid[0].includes(`2026-${String(month).padStart(2, "0")}-01`));
			assert.equal(grid.flat().filter((day) => Number(day.slice(5, 7)) === month).length, new Date(2026, month, 0).getDate());
		}
	}
});

test("the day of an instant is that of the zone", () => {
	const instant = Date.parse("2026-11-26T23:30:00Z");
	assert.equal(dayIn("Europe/Berlin", instant), "2026-11-27");
	assert.equal(dayIn("America/New_York", instant), "2026-11-26");
	assert.equal(dayIn("Pacific/Kiritimati", instant), "2026-11-27");
});

test("texts name times of day", () => {
	for (const [text, want, locale] of [
		["9", "09:00"], ["09", "09:00"], ["930", "09:30"], ["0930", "09:30"], ["9:30", "09:30"], ["9.30", "09:30"], ["9h30", "09:30"], ["9h", "09:00"], ["9 30", "09:30"],
		["9pm", "21:00"], ["9:30 p.m.", "21:30"], ["12 am", "00:00"], ["12pm", "12:00"], ["9:30 PM", "21:30", "en-US"], ["9:30\u202fPM", "21:30", "en-US"],
		["21", "21:00"], ["23:59", "23:59"], ["0", "00:00"], ["21 Uhr", "21:00", "de"], ["9:30 Uhr", "09:30", "de"],
		["٩:٣٠", "09:30", "ar-EG"],
		["24", null], ["24:00", null], ["9:60", null], ["13pm", null], ["0pm", null], ["", null], ["noonish", null], ["9:3", null], ["99999", null], ["-1", null],
	]) assert.equal(parseTime(text, { locale }), want, `${locale ?? "en"}: ${text}`);
});

test("the clock of each locale is read back", () => {
	for (const locale of ["en-GB", "en-US", "de", "fr", "es", "bg", "da", "fi", "ja", "ko", "zh-Hans", "sr", "ru"]) {
		const format = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC" });
		for (const time of quarterHours()) {
			const text = format.format(new Date(`2026-01-01T${time}:00Z`));
			assert.equal(parseTime(text, { locale }), time, `${locale}: ${text}`);
		}
	}
});

test("quarter-hours start at a time and pass midnight", () => {
	assert.equal(quarterHours().length, 96);
	assert.deepEqual(quarterHours("23:31").slice(0, 3), ["23:45", "00:00", "00:15"]);
});

test("a text has a day and a time of day", () => {
	const today = "2026-12-01"; // a Tuesday
	const read = (text, locale) => {
		const found = parseDayTime(text, { locale, today });
		return found && `${found.day} ${found.time}`;
	};
	for (const [text, locale, want] of [
		["tomorrow 7pm", "en-GB", "2026-12-02 19:00"], ["tomorrow at 7", "en-GB", "2026-12-02 07:00"], ["7:30 pm, fri", "en-US", "2026-12-04 19:30"],
		["3 Dec 19:00", "en-GB", "2026-12-03 19:00"], ["3 Dec 19", "en-GB", null], ["morgen 19 Uhr", "de-DE", "2026-12-02 19:00"],
		["übermorgen um 9", "de-DE", "2026-12-03 09:00"], ["19 Uhr morgen", "de-DE", "2026-12-02 19:00"], ["3.12. 18:30", "de-DE", "2026-12-03 18:30"],
		["tomorrow", "en-GB", null], ["7pm", "en-GB", null], ["tomorrow soon", "en-GB", null], ["", "en-GB", null],
	]) assert.equal(read(text, locale), want, text);
});
