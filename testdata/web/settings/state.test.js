import assert from "node:assert/strict";
import { test } from "node:test";
import { byDay, doneShare, readyCount, stateOf } from "../../../assets/web/operator/state.js";

test("a tile shows the worst warning about its checks", () => {
	const warnings = [{ check: "backups", state: "warning" }, { check: "backups", state: "problem" }, { check: "disk", state: "warning" }];
	assert.equal(stateOf(warnings, "backups"), "problem");
	assert.equal(stateOf(warnings, "disk"), "warning");
	assert.equal(stateOf(warnings, "database"), "ok");
	assert.equal(stateOf(warnings, "database", "disk"), "warning");
	assert.equal(stateOf(undefined, "disk"), "ok");
	assert.equal(stateOf([{ check: "disk", state: "unheard of" }], "disk"), "unheard of", "an unknown state is no good one");
});

test("services that are not ready are counted", () => {
	assert.deepEqual(readyCount([{ state: "ready" }, { state: "degraded" }, { state: "unavailable" }]), { ready: 1, all: 3 });
});

test("a backup of unknown size has not begun", () => {
	assert.equal(doneShare({ done_bytes: 10, total_bytes: 0 }), 0);
	assert.equal(doneShare({ done_bytes: 10, total_bytes: 40 }), 0.25);
	assert.equal(doneShare({ done_bytes: 50, total_bytes: 40 }), 1);
	assert.equal(doneShare(null), 0);
});

test("entries are in groups of one day, in their order", () => {
	const entry = (at) => ({ metadata: { at } });
	const groups = byDay([entry("2026-11-25T20:00Z"), entry("2026-11-25T08:00Z"), entry("2026-11-24T08:00Z")], (at) => at.slice(0, 10));
	assert.deepEqual(groups.map(([day, entries]) => [day, entries.length]), [["2026-11-25", 2], ["2026-11-24", 1]]);
	assert.deepEqual(byDay([], () => ""), []);
});
