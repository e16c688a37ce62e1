import assert from "node:assert/strict";
import { test } from "node:test";
import { draftsOf } from "../../../assets/web/frame/drafts.js";

test("members who use the same tab do not see the drafts of each other", () => {
	const map = new Map();
	const tab = { getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value), removeItem: (key) => map.delete(key) };
	const [ann, bea] = [draftsOf(1, tab), draftsOf(2, tab)];
	ann.setItem("reply", "not yet");
	assert.deepEqual([ann.getItem("reply"), bea.getItem("reply")], ["not yet", null]);
	bea.removeItem("reply");
	assert.equal(ann.getItem("reply"), "not yet");
});
