import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeAfter } from "../../../assets/web/around/sheet.js";

test("a slow drag ends at the nearest height", () => {
	assert.deepEqual([0.1, 0.3, 0.5, 0.65, 0.7, 0.95].map((part) => sizeAfter(part, 0)), ["low", "half", "half", "half", "full", "full"]);
	assert.equal(sizeAfter(0.6, -0.3), "half");
});

test("a fast drag goes on to the next height in its direction", () => {
	assert.equal(sizeAfter(0.15, -1), "half");
	assert.equal(sizeAfter(0.55, -1), "full");
	assert.equal(sizeAfter(0.9, 1), "half");
	assert.equal(sizeAfter(0.45, 1), "low");
});
