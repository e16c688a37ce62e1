import assert from "node:assert/strict";
import { test } from "node:test";
import { HUES, countText, hueOf, initials } from "../../../assets/web/parts/person.js";

test("initials", () => {
	for (const [name, want, count] of [["Ada Lovelace", "AL"], ["Bea", "B"], ["bea von der mill", "BM"], ["  ", "?"], [undefined, "?"], ["\"Mill\" (Lane)", "ML"], ["😀 Zoë", "Z"], ["Élise", "É"], ["李 小龙", "李小"], ["House Council", "H", 1], ["42nd Street", "4S"]]) {
		assert.equal(initials(name, count), want);
	}
});

test("colors follow the given color, else the id", () => {
	assert.equal(hueOf("plum", 3), "plum");
	assert.equal(hueOf("#3b82f6", 3), "");
	assert.equal(hueOf(null, 14), HUES[2]);
	assert.equal(hueOf("violet", "14"), HUES[2]);
	assert.ok(HUES.includes(hueOf(undefined, "mem_01j")));
	assert.ok(HUES.includes(hueOf(undefined, undefined)));
});

test("badges count to 99", () => {
	assert.deepEqual([countText(1), countText(99), countText(100)], ["1", "99", "99+"]);
});
