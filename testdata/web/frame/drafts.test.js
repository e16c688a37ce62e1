import assert from "node:assert/strict";
import { test } from "node:test";
import { draftsOf } from "../../../assets/web/frame/drafts.js";

// memory returns a storage whose keys are its own properties, as those of Web Storage.
function memory() {
	const methods = { getItem(key) { return this[key] ?? null; }, setItem(key, value) { this[key] = String(value); }, removeItem(key) { delete this[key]; } };
	return Object.create(methods);
}

test("tabs of a member share the drafts, and the last one to write wins", () => {
	const storage = memory();
	const [first, second] = [draftsOf({ base: "", memberId: 1 }, storage), draftsOf({ base: "", memberId: 1 }, storage)];
	first.setItem("reply", "not yet");
	second.setItem("other", "x");
	second.setItem("reply", "now");
	assert.deepEqual([first.getItem("reply"), first.getItem("other"), first.getItem("none")], ["now", "x", null]);
	first.removeItem("reply");
	assert.equal(second.getItem("reply"), null);
	second.removeItem("other");
	assert.deepEqual(Object.keys(storage), [], "nothing is left");
});

test("another member of the browser does not find the drafts of the one before", () => {
	const storage = memory();
	draftsOf({ base: "", memberId: 1 }, storage).setItem("reply", "not yet");
	draftsOf({ base: "/club", memberId: 1 }, storage).setItem("reply", "elsewhere");
	draftsOf({ base: "", memberId: 2 }, storage);
	assert.equal(draftsOf({ base: "", memberId: 1 }, storage).getItem("reply"), null);
	assert.equal(draftsOf({ base: "/club", memberId: 1 }, storage).getItem("reply"), "elsewhere", "another server of the same address");
});

test("a sign-out removes all drafts", () => {
	const storage = memory();
	const drafts = draftsOf({ base: "", memberId: 1 }, storage);
	drafts.setItem("reply", "not yet");
	drafts.clear();
	assert.equal(drafts.getItem("reply"), null);
});

test("the oldest of many drafts go", () => {
	const drafts = draftsOf({ base: "", memberId: 1 }, memory());
	for (let i = 0; i < 50; i++) drafts.setItem(`form ${i}`, "x");
	drafts.setItem("form 0", "changed");
	drafts.setItem("form 50", "x");
	assert.deepEqual([0, 1, 2, 50].map((i) => drafts.getItem(`form ${i}`)), ["changed", null, "x", "x"]);
});
