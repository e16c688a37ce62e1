import assert from "node:assert/strict";
import { test } from "node:test";
import { later } from "../dom.js";
import { latestWrites } from "../../../assets/web/parts/latest.js";

// writer returns a function of latestWrites, and its pending writes as { value, done, fail }.
function writer() {
	const pending = [];
	const write = latestWrites((value) => new Promise((done, fail) => pending.push({ value, done, fail })));
	return { write, pending };
}

test("of the values that are given during a write, only the latest one is written afterwards", async () => {
	const { write, pending } = writer();
	const all = Promise.all(["a", "b", "c"].map((value) => write(value)));
	assert.deepEqual(pending.map(({ value }) => value), ["a"]);
	pending[0].done();
	await later();
	assert.deepEqual(pending.map(({ value }) => value), ["a", "c"]);
	pending[1].done();
	await all;
	const again = write("d");
	pending[2].done();
	await again;
	assert.deepEqual(pending.map(({ value }) => value), ["a", "c", "d"]);
});

test("a failure counts only if no later value is written", async () => {
	const { write, pending } = writer();
	const all = Promise.all([write("a"), write("b")]);
	pending[0].fail(new Error("first"));
	await later();
	pending[1].done();
	await all;
	const last = write("c");
	pending[2].fail(new Error("last"));
	await assert.rejects(last, /last/);
	const next = write("d");
	pending[3].done();
	await next;
});
