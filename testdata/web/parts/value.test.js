import assert from "node:assert/strict";
import { test } from "node:test";
import {
	addMinutes, alarmMinutes, alarmTrigger, bodyOf, errorsByField, initialValue, joinTime, minutesBetween, parseDuration, parseNumber, sentTime, shownTime, splitTime, validate, validateOrder,
} from "../../../assets/web/parts/value.js";
import { loadWords } from "../words.js";

const words = await loadWords({ locale: "en-GB", zone: "Europe/Berlin" });
const control = (type, more = {}) => ({ id: "x", type, label: "Label", required: false, default: null, ...more });

test("the first value of each type", () => {
	for (const [given, want] of [
		[control("text"), ""], [control("text", { default: "a" }), "a"], [control("text", { multiple: true, default: ["a"] }), ["a"]], [control("text", { multiple: true }), []], [control("datetime", { multiple: true, default: "" }), []],
		[control("checkbox"), false], [control("checkbox", { default: true }), true], [control("number", { default: 0 }), 0], [control("number"), null], [control("duration", { default: "45" }), 45],
		[control("members", { default: "" }), []], [control("members", { default: "ann" }), ["ann"]], [control("hidden", { default: 7 }), 7], [control("alarm"), null], [control("file", { default: "x" }), null], [control("hologram", { default: 3 }), "3"],
	]) assert.deepEqual(initialValue(given), want, given.type);
});

test("a body has the values and defaults, and removes emptied values", () => {
	const controls = [
		control("text", { id: "kept", default: "a" }), control("text", { id: "emptied", default: "b" }), control("text", { id: "empty" }), control("number", { id: "count", default: 3 }), control("number", { id: "zero" }),
		control("checkbox", { id: "flag" }), control("alarm", { id: "alarms", multiple: true, default: [{ trigger: "-PT5M" }] }), control("members", { id: "recipient" }), control("hidden", { id: "etag", default: "\"1\"" }), control("file", { id: "file" }),
		control("selector", { id: "scope", default: "this" }),
	];
	const body = bodyOf(controls, { emptied: "", empty: "", count: null, zero: 0, flag: false, alarms: [], recipient: ["ann"], file: {} });
	assert.deepEqual(body, { kept: "a", emptied: "", count: null, zero: 0, flag: false, alarms: [], recipient: ["ann"], etag: "\"1\"", scope: "this" });
});

test("numbers", () => {
	for (const [text, want] of [["", null], ["3", 3], ["3,5", 3.5], ["-2", -2], ["\u22122", -2], [" 1 000 ", 1000], [".5", 0.5], ["3.", 3], ["x", NaN], ["1e9", NaN], ["1,2,3", NaN]]) assert.deepEqual(parseNumber(text), want, text);
});

test("times are divided and joined", () => {
	assert.deepEqual(splitTime("2026-12-01T09:00:00"), { day: "2026-12-01", time: "09:00" });
	assert.deepEqual(splitTime("2026-12-01T09:00"), { day: "2026-12-01", time: "09:00" });
	assert.deepEqual(splitTime("2026-12-01"), { day: "2026-12-01", time: "" });
	assert.deepEqual(splitTime("2026-12-01T23:30:00Z", "Europe/Berlin"), { day: "2026-12-02", time: "00:30" });
	assert.deepEqual(splitTime("soon"), { day: "", time: "" });
	assert.deepEqual(splitTime(null), { day: "", time: "" });
	assert.equal(joinTime("2026-12-01", "09:00"), "2026-12-01T09:00:00");
	assert.equal(joinTime("2026-12-01", ""), "2026-12-01");
	assert.equal(joinTime("", "09:00"), "");
});

test("the end of whole days is sent as the day after", () => {
	const controls = [control("datetime", { id: "start" }), control("datetime", { id: "end" }), control("datetime", { id: "due" }), control("checkbox", { id: "all_day" })];
	const [start, end, due] = controls;
	assert.equal(shownTime(end, controls, "2026-12-03"), "2026-12-02");
	assert.equal(shownTime(start, controls, "2026-12-03"), "2026-12-03");
	assert.equal(shownTime(end, controls, "2026-12-03T09:00:00"), "2026-12-03T09:00:00");
	assert.equal(sentTime(end, controls, "2026-12-02T09:00:00", true), "2026-12-03");
	assert.equal(sentTime(start, controls, "2026-12-02T09:00:00", true), "2026-12-02");
	assert.equal(sentTime(due, controls, "2026-12-02", true), "2026-12-02");
	assert.equal(sentTime(end, controls, "2026-12-02T09:00:00", false), "2026-12-02T09:00:00");
	assert.equal(sentTime(end, controls, "", true), "");
	const move = [control("date", { id: "start" }), control("date", { id: "end" })];
	assert.equal(sentTime(move[1], move, "2026-12-02", false), "2026-12-03");
	assert.equal(shownTime(move[1], move, "2026-12-03"), "2026-12-02");
	const event = [control("datetime", { id: "start", default: "2026-12-24" }), control("datetime", { id: "end", default: "2026-12-25" })];
	assert.equal(shownTime(event[1], event, "2026-12-25"), "2026-12-24", "without all_day, the start says it");
	assert.equal(sentTime(event[1], event, "2026-12-26"), "2026-12-27");
	assert.equal(sentTime(event[1], event, "2026-12-26T18:00:00"), "2026-12-26T18:00:00");
	assert.equal(sentTime(control("datetime", { id: "start" }), [], "2026-12-02T09:00:00", true), "2026-12-02T09:00:00");
});

test("a later start moves the end", () => {
	assert.equal(minutesBetween("2026-12-01T09:00:00", "2026-12-02T10:30:00"), 25 * 60 + 30);
	assert.equal(minutesBetween("2026-12-01", "2026-12-03"), 2880);
	assert.equal(minutesBetween("", "2026-12-03"), null);
	assert.equal(minutesBetween("2026-12-01T09:00:00Z", "2026-12-03"), null);
	assert.equal(addMinutes("2026-12-31T23:30:00", 60), "2027-01-01T00:30:00");
	assert.equal(addMinutes("2026-12-31", 1440), "2027-01-01");
	assert.equal(minutesBetween("2026-12-01T09:00:00", "2026-12-02T04:00:00", "Europe/Berlin", "Asia/Tokyo"), 11 * 60);
	assert.equal(addMinutes("2027-07-01T09:00:00", 11 * 60, "Europe/Berlin", "Asia/Tokyo"), "2027-07-02T03:00:00");
	assert.equal(addMinutes("2026-12-31", 1440, "Europe/Berlin", "Asia/Tokyo"), "2027-01-01");
	const arrivesEarlier = { start: "2026-12-01T18:00:00", end: "2026-12-01T11:00:00" };
	assert.deepEqual(validateOrder(arrivesEarlier, words, "Asia/Tokyo", "America/Los_Angeles"), {});
	assert.deepEqual(validateOrder({ start: "2026-12-01T09:00:00", end: "2026-12-01T08:00:00" }, words), { end: "This is before it starts." });
	assert.deepEqual(validateOrder({ start: "2026-12-01T09:00:00", end: "" }, words), {});
	assert.deepEqual(validateOrder({}, words), {});
});

test("why a value is wrong", () => {
	const file = (size, type) => ({ size, type });
	for (const [given, value, want] of [
		[control("text", { required: true }), "", "Label is missing."], [control("text"), "", ""], [control("members", { required: true }), [], "Label is missing."], [control("hidden", { required: true }), null, ""],
		[control("checkbox", { required: true }), false, "Confirm this first."], [control("checkbox"), false, ""],
		[control("text", { max_length: 3 }), "äöü", ""], [control("text", { max_length: 3 }), "😀😀😀", ""], [control("text", { max_length: 3 }), "abcde", "At most 3 characters: 2 too many."], [control("text", { max_length: 3, multiple: true }), ["a", "abcd"], "At most 3 characters: 1 too many."],
		[control("number"), NaN, "This is not a number."], [control("number"), 0, ""],
		[control("color"), "#12345", "This is not a color. Try #3b82f6."], [control("color"), "#3B82F6", ""], [control("color", { options: [{ value: "sea" }] }), "sea", ""],
		[control("file", { max_bytes: 1048576 }), file(1048577, ""), "The file is larger than 1 MB."], [control("file", { accept: ["image/png", "image/jpeg"] }), file(1, "image/gif"), "Choose a file of the type PNG or JPEG."], [control("file", { accept: ["image/*"] }), file(1, "image/gif"), ""],
	]) assert.equal(validate(given, value, words), want, `${given.type} ${JSON.stringify(value)}`);
});

test("errors belong to the fields that they name", () => {
	const controls = [control("text", { id: "title" }), control("alarm", { id: "alarms" }), control("hidden", { id: "etag" })];
	const { byId, others } = errorsByField([
		{ name: "title", message: "Too long." }, { name: "title", message: "Second." }, { pointer: "/alarms/0/trigger", name: "trigger", message: "No time." }, { name: "etag", message: "Old." }, { name: "other", message: "Unknown." },
	], controls);
	assert.deepEqual(byId, { title: "Too long.", alarms: "No time." });
	assert.deepEqual(others, ["Old.", "Unknown."]);
	assert.deepEqual(errorsByField(undefined, controls), { byId: {}, others: [] });
});

test("triggers of reminders", () => {
	for (const [trigger, minutes] of [["-PT15M", 15], ["PT0S", 0], ["PT0M", 0], ["-P1D", 1440], ["-P1W", 10080], ["-P1DT2H30M", 1590], ["PT1H", -60], ["+PT1H", -60], ["2026-12-01T08:45:00Z", null], ["-PT30S", null], ["", null]]) {
		assert.equal(alarmMinutes(trigger), minutes, trigger);
	}
	for (const [minutes, trigger] of [[15, "-PT15M"], [0, "PT0M"], [60, "-PT1H"], [90, "-PT1H30M"], [1440, "-P1D"], [10080, "-P7D"], [1500, "-P1DT1H"], [-60, "PT1H"]]) {
		assert.equal(alarmTrigger(minutes), trigger);
		assert.equal(alarmMinutes(trigger), minutes);
	}
});

test("texts name durations", () => {
	for (const [text, want] of [["", null], ["90", 90], ["1:30", 90], ["1.5 h", 90], ["1,5h", 90], ["1h30", 90], ["1 h 30 min", 90], ["45 min", 45], ["2 days", 2880], ["2 Tage", 2880], ["1 Stunde", 60], ["soon", NaN], ["3 parsecs", NaN], ["-5", NaN], ["1:75", NaN]]) {
		assert.deepEqual(parseDuration(text), want, text);
	}
	for (const minutes of [0, 1, 15, 60, 90, 1440, 2880, 10080]) assert.equal(parseDuration(words.minutes(minutes).replace("week", "x")), minutes === 10080 ? NaN : minutes);
});

test("numbers and durations have the digits of any script", () => {
	assert.equal(parseNumber("۱۲٫۵"), 12.5);
	assert.equal(parseNumber("-٣"), -3);
	assert.equal(parseNumber("１５"), 15);
	assert.equal(parseDuration("۴۵"), 45);
	assert.equal(parseDuration("१:३०"), 90);
});
