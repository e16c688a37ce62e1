import assert from "node:assert/strict";
import { test } from "node:test";
import { reorder } from "../../../assets/web/calendar/order.js";

// changes returns the numbers that a move stores, as [index, order].
async function changes(orders, from, to, answer) {
	const sent = [];
	await reorder(orders, from, to, async (...change) => {
		sent.push(change);
		return answer;
	});
	return sent;
}

test("a calendar moves to another position with as few changes as possible", async () => {
	assert.deepEqual(await changes([0, 1, 2, 3], 3, 2), [[3, 2], [2, 3]]);
	assert.deepEqual(await changes([0, 1, 2, 3], 0, 2), [[1, 0], [2, 1], [0, 2]]);
	assert.deepEqual(await changes([0, 1, 2], 1, 1), []);
	assert.deepEqual(await changes([0, 0, 0], 2, 1), [[2, 1], [1, 2]], "equal numbers become distinct");
	assert.deepEqual(await changes([5, undefined], 1, 0), [[1, 0], [0, 1]]);
});

test("a rejected change ends the move", async () => {
	assert.deepEqual(await changes([0, 1, 2, 3], 0, 2, null), [[1, 0]]);
});
