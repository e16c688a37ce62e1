import assert from "node:assert/strict";
import { test } from "node:test";
import { later, openPage } from "../dom.js";
import { attachList } from "../../../assets/web/parts/list.js";
import { repeatField } from "../../../assets/web/parts/repeat.js";
import { typeAhead } from "../../../assets/web/parts/menu.js";
import { findZones } from "../../../assets/web/parts/pick.js";
import { alarmText } from "../../../assets/web/parts/alarm.js";
import { loadWords } from "../words.js";

test("typed letters find the next entry of a menu", () => {
	const names = ["Carry", "Copy the link", "Hide here", "Ändern", "Delete…"];
	for (const [typed, at, want] of [["c", -1, 0], ["c", 0, 1], ["cc", 1, 0], ["co", 0, 1], ["co", 1, 1], ["a", -1, 3], ["ä", 0, 3], ["d", 4, 4], ["x", 0, -1], ["hide", 2, 2], ["c", 4, 0]]) {
		assert.equal(typeAhead(names, typed, at), want, `${typed} from ${at}`);
	}
});

test("time zones are found by their words", () => {
	const zones = ["Africa/Cairo", "America/New_York", "America/North_Dakota/New_Salem", "Europe/Berlin", "Asia/Yekaterinburg"];
	for (const [text, want] of [["new y", ["America/New_York"]], ["york", ["America/New_York"]], ["berlin europe", ["Europe/Berlin"]], ["ber", ["Europe/Berlin"]], ["new", ["America/New_York", "America/North_Dakota/New_Salem"]], ["mars", []], ["", zones]]) {
		assert.deepEqual(findZones(text, zones), want, text);
	}
	assert.equal(findZones("burg", zones)[0], "Asia/Yekaterinburg");
});

test("reminders in words", async () => {
	const words = await loadWords({ locale: "en-GB", zone: "Europe/Berlin", now: () => Date.parse("2026-11-26T12:00:00Z") });
	for (const [alarm, want] of [
		[{ trigger: "PT0S" }, "When it starts"], [{ trigger: "-PT30M", related: "start" }, "30 minutes before"], [{ trigger: "-P1D" }, "1 day before"], [{ trigger: "PT1H", related: "start" }, "1 hour after it starts"],
		[{ trigger: "-PT5M", related: "end" }, "5 minutes before it ends"], [{ trigger: "2026-12-01T08:45:00Z" }, "On 1 Dec, 09:45"], [{ trigger: "P1Y" }, "P1Y"],
	]) assert.equal(alarmText(alarm, words), want);
});

test("keys of the composition of an input method do not pick a suggestion", async () => {
	const document = openPage();
	const input = document.createElement("input");
	document.body.append(input);
	const picked = [];
	const words = await loadWords({ locale: "ja" });
	attachList(input, {
		words, label: "Names", search: () => [{ value: 1, label: "花子" }], current: () => 0, pick: ({ value }) => picked.push(value),
	});
	input.focus();
	input.type("はなこ");
	await later();
	input.press("Enter", { isComposing: true });
	assert.deepEqual(picked, []);
	input.press("Enter");
	assert.deepEqual(picked, [1]);
});

test("the interval of a recurrence has the digits of any script", async () => {
	openPage();
	const words = await loadWords({ locale: "fa", zone: "UTC" });
	const context = { id: "r", words, value: "FREQ=DAILY", changed() {}, start: () => "2026-11-26", onStart() {}, zone: () => "UTC" };
	const field = repeatField({}, context);
	field.element.querySelectorAll("input")[0].type("۳");
	assert.equal(field.get(), "FREQ=DAILY;INTERVAL=3");
});
