import assert from "node:assert/strict";
import { test } from "node:test";
import { compileMessage } from "../../../assets/web/words/message.js";

const rules = { cardinal: new Intl.PluralRules("en"), ordinal: new Intl.PluralRules("en", { type: "ordinal" }) };
const tools = {
	number: (value) => new Intl.NumberFormat("en").format(value), plural: (value) => rules.cardinal.select(value), ordinal: (value) => rules.ordinal.select(value),
};
const text = (message, ...args) => compileMessage(message, tools)(...args);

test("arguments, plurals and choices", () => {
	for (const [message, args, want] of [
		["Save", [], "Save"], ["Copy: {0}", ["it"], "Copy: it"], ["{1} of {0}", [1200, "a"], "a of 1,200"], ["{0}, {2}", ["a"], "a, "],
		["{0, plural, one {# member} other {# members}}", [1], "1 member"], ["{0, plural, one {# member} other {# members}}", [1200], "1,200 members"],
		["{0, plural, =0 {none} one {one of {1}} other {{1}: #}}", [0, 5], "none"], ["{0, plural, =0 {none} one {one of {1}} other {{1}: #}}", [1, 5], "one of 5"],
		["{0, plural, =0 {none} one {one of {1}} other {{1}: #}}", [7, "all"], "all: 7"],
		["{0}{0, selectordinal, one {st} two {nd} few {rd} other {th}}", [22], "22nd"],
		["{0, select, private {Private} other {Public}}", ["private"], "Private"], ["{0, select, private {Private} other {Public}}", ["constructor"], "Public"],
		["{0, select, true {yes} other {}}", [true], "yes"], ["{0, select, true {yes} other {}}", [undefined], ""], ["{0, select, -1 {last} other {}}", [-1], "last"],
		["{0, plural, =1 {{1, select, a {a} other {b}}} other {{1, select, a {# a} other {# b}}}}", [3, "a"], "3 a"],
		["{0, select, a {#1} other {}}", ["a"], "#1"], ["#3b82f6", [], "#3b82f6"], ["{0}", ["{1} # {"], "{1} # {"],
	]) assert.equal(text(message, ...args), want, message);
});

test("no message throws, and a message without arguments is shown as it is", () => {
	const pieces = ["{", "}", "{0", "{0}", "{1, plural, ", "{0, select, ", "{0, selectordinal,", "one {", "other {", "=1 {", "#", "a", ", ", " ", "9", "ß"];
	let seed = 1;
	const random = (n) => (seed = (seed * 48271) % 2147483647) % n; // always the same messages
	for (let i = 0; i < 20_000; i++) {
		const message = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
		const got = text(message, "x", 2);
		assert.equal(typeof got, "string");
		if (!/\{\s*\d/.test(message)) assert.equal(got, message);
	}
});
