import assert from "node:assert/strict";
import { test } from "node:test";
import { applyChanges, applyList, changedSections } from "../../../assets/web/world/delta.js";

const records = (text) => [...text].map((id) => ({ id }));
const ids = (list) => list.map(({ id }) => id).join("");

test("applyList removes, replaces, moves and inserts records", () => {
	for (const [before, changed, gone, after, want] of [
		["abc", "", "", {}, "abc"],
		["abc", "", "b", {}, "ac"],
		["abc", "x", "", { x: null }, "xabc"],
		["abc", "x", "", { x: "b" }, "abxc"],
		["abc", "xy", "", { x: "c", y: "x" }, "abcxy"],
		["abc", "a", "", { a: "c" }, "bca"],
		["abc", "c", "", { c: null }, "cab"],
		["", "xy", "", { x: null, y: "x" }, "xy"],
		["abc", "xyz", "abc", { x: null, y: "x", z: "y" }, "xyz"],
	]) {
		const got = applyList(records(before), records(changed), "id", { changed: [...changed], gone: [...gone], after });
		assert.equal(ids(got), want, `${before} ${changed} ${gone}`);
	}
});

test("applyList keeps the values of records that have not changed", () => {
	const list = records("ab");
	const got = applyList(list, records("c"), "id", { changed: ["c"], gone: [], after: { c: "b" } });
	assert.equal(got[0], list[0]);
	assert.equal(got[1], list[1]);
});

test("applyList ends with contradictory changes", () => {
	for (const [before, changed, after] of [
		["aba", "", {}],
		["ab", "xx", { x: "a" }],
		["ab", "x", { x: "x" }],
		["ab", "xy", { x: "y", y: "x" }],
		["ab", "x", { x: "unknown" }],
		["ab", "x", {}],
	]) {
		const got = applyList(records(before), records(changed), "id", { changed: [...changed], gone: [], after });
		assert.equal(new Set(got).size, got.length);
		assert.deepEqual([...new Set(ids(got))].sort(), [...new Set(before + changed)].sort());
	}
});

// The reference is the loop of the manual.
test("applyList agrees with the manual for random changes", () => {
	const reference = (list, records, { changed, gone, after }) => {
		const removed = new Set([...changed, ...gone]);
		const result = list.filter(({ id }) => !removed.has(id));
		for (const record of records) result.splice(result.findIndex(({ id }) => id === after[record.id]) + 1, 0, record);
		return result;
	};
	let seed = 7;
	const random = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
	for (let round = 0; round < 500; round++) {
		const before = records("abcdefgh".slice(0, random(9)));
		const target = [..."abcdefghxyz"].filter(() => random(3) > 0).sort(() => random(3) - 1);
		const kept = new Set(before.filter(() => random(2)).map(({ id }) => id));
		const order = before.map(({ id }) => id).filter((id) => kept.has(id) && target.includes(id));
		const final = [...target.filter((id) => !order.includes(id))];
		for (const id of order) final.push(id); // the kept ones keep their order
		const changed = final.filter((id) => !order.includes(id));
		const after = Object.fromEntries(changed.map((id) => [id, final[final.indexOf(id) - 1] ?? null]));
		const gone = before.map(({ id }) => id).filter((id) => !final.includes(id));
		const changes = { changed, gone, after };
		assert.equal(ids(applyList(before, records(changed.join("")), "id", changes)), ids(reference(before, records(changed.join("")), changes)));
		assert.equal(ids(applyList(before, records(changed.join("")), "id", changes)), final.join(""));
	}
});

const dataset = () => ({
	member: { member_id: 1 }, objects: [{ world_object_id: "o1" }], actions: [{ action_id: "a1" }], findings: [],
	contexts: [{ context_id: "c1", label: "Time", items: [{ item_id: "i1" }, { item_id: "i2" }] }, { context_id: "c2", items: [] }],
	fallbacks: [], capabilities: { changes: { revision: "r1" } },
});
const none = () => ({ objects: [], contexts: [], actions: [], findings: [] });
const changes = () => ({
	member: { member_id: 1 }, objects: [{ world_object_id: "o2" }], actions: [], findings: [], fallbacks: [{ fallback_id: "f" }],
	contexts: [{ context_id: "c1", label: "Calendar", items: [{ item_id: "i3" }] }], capabilities: { changes: { revision: "r2" } },
	delta: {
		since: "r1", revision: "r2", changed: { ...none(), objects: ["o2"], contexts: ["c1"] }, gone: { ...none(), actions: ["a1"] },
		after: { objects: { o2: null }, contexts: { c1: null }, actions: {}, findings: {} },
		items: { c1: { changed: ["i3"], gone: ["i1"], after: { i3: "i2" } } },
	},
});

test("applyChanges applies lists, items of contexts and complete sections", () => {
	assert.deepEqual(applyChanges(dataset(), changes()), {
		member: { member_id: 1 }, objects: [{ world_object_id: "o2" }, { world_object_id: "o1" }], actions: [], findings: [],
		contexts: [{ context_id: "c1", label: "Calendar", items: [{ item_id: "i2" }, { item_id: "i3" }] }, { context_id: "c2", items: [] }],
		fallbacks: [{ fallback_id: "f" }], capabilities: { changes: { revision: "r2" } },
	});
});

test("changedSections names the sections that differ", () => {
	assert.deepEqual(changedSections(dataset(), changes()), ["objects", "actions", "fallbacks", "contexts", "capabilities"]);
	assert.deepEqual(changedSections(dataset(), dataset()), []);
	assert.deepEqual(changedSections(null, { objects: [], member: {} }), ["objects", "member"]);
});
