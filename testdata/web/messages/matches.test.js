import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmoji, patternOf, split } from "../../../assets/web/messages/matches.js";

const shown = (text, query) => split(text, patternOf(query)).map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part)).join("");

test("a search marks all places with the text, without regard to case", () => {
	assert.equal(shown("Bread and BREAD", "bread"), "[Bread] and [BREAD]");
	assert.equal(shown("Straße über", "ÜBER"), "Straße [über]");
	assert.equal(shown("nothing", "bread"), "nothing");
	assert.equal(shown("", "bread"), "");
	assert.equal(patternOf(""), null);
});

test("the text of a search is no expression", () => {
	assert.equal(shown("a.b (c) [d] {e} $1 x|y ^ \\ a/b", "(c) [d] {e} $1 x|y ^ \\ a/b"), "a.b [(c) [d] {e} $1 x|y ^ \\ a/b]");
	assert.equal(shown("a.b axb", "a.b"), "[a.b] axb");
	assert.equal(shown("a-b 2*3 what? ", "?"), "a-b 2*3 what[?] ");
});

test("one to three emoji are shown large", () => {
	for (const text of ["👍", "👍🏽", "❤️", "👨‍👩‍👧", "🇲🇹", "🎉 🎉", "👍👍👍", "1️⃣"]) assert.equal(isEmoji(text), true, text);
	for (const text of ["", " ", "123", "#", "ok 👍", "👍👍👍👍", "a"]) assert.equal(isEmoji(text), false, text);
});
