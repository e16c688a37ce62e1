import assert from "node:assert/strict";
import { test } from "node:test";
import { followDay } from "../../../assets/web/frame/daychange.js";
import { Scope } from "../../../assets/web/frame/scope.js";

// useClock replaces the timers and the document, and returns show(visible).
function useClock(t, now = "2026-12-03T22:00:00Z") {
	t.mock.timers.enable({ apis: ["setInterval", "Date"] });
	t.mock.timers.tick(Date.parse(now) - Date.now());
	globalThis.document = Object.assign(new EventTarget(), { hidden: false });
	return (visible) => {
		document.hidden = !visible;
		document.dispatchEvent(new Event("visibilitychange"));
	};
}

test("an interval that has passed while the page was hidden is made up for when it is visible", (t) => {
	const show = useClock(t);
	const scope = new Scope({});
	let count = 0;
	scope.every(60_000, () => count++);
	show(false);
	show(true);
	assert.equal(count, 0, "no interval has passed");
	t.mock.timers.tick(60_000);
	assert.equal(count, 1);
	show(false);
	t.mock.timers.tick(3_600_000);
	assert.equal(count, 1);
	show(true);
	assert.equal(count, 2);
	show(false);
	t.mock.timers.tick(60_000);
	scope.end();
	show(true);
	assert.equal(count, 2, "not after the end of the scope");
});

test("all data is read again when a day begins, once, also for a page that is hidden then", (t) => {
	const show = useClock(t);
	let reads = 0;
	const words = { currentDay: () => new Date(Date.now() + 3_600_000).toISOString().slice(0, 10) }; // one hour ahead of UTC
	followDay({ words, reader: { refreshParts: () => reads++ } }, new Scope({}));
	t.mock.timers.tick(59 * 60_000);
	assert.equal(reads, 0);
	t.mock.timers.tick(2 * 60_000);
	assert.equal(reads, 1);
	show(false);
	t.mock.timers.tick(24 * 3_600_000);
	assert.equal(reads, 1);
	show(true);
	assert.equal(reads, 2);
});
