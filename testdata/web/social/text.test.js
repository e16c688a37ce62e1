import assert from "node:assert/strict";
import { test } from "node:test";
import { textParts } from "../../../assets/web/parts/text.js";

const member = (text, name, id) => ({ start: text.indexOf(name), end: text.indexOf(name) + name.length, member_id: id });

test("mentions are marked by their positions in UTF-16 code units", () => {
	const text = "👩‍🌾 @cem, you had it? Or @ann";
	assert.deepEqual(textParts(text, [member(text, "@ann", 1), member(text, "@cem", 2)]).filter((part) => part.memberId), [{ text: "@cem", memberId: 2 }, { text: "@ann", memberId: 1 }]);
});

test("hostile texts stay texts: nothing is lost, added or made a link", () => {
	const hostile = ["<img src=x onerror=alert(1)>", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "https://user:secret@evil.example/", "\u202ehttps://evil.example", "a".repeat(8000), "", "\u0000{who}"];
	for (const text of hostile) {
		const parts = textParts(text, [{ start: -1, end: 3, member_id: 1 }, { start: 2, end: 99_999, member_id: 1 }, { start: 5, end: 5, member_id: 1 }]);
		assert.equal(parts.map((part) => part.text).join(""), text);
		for (const { href } of parts) assert.ok(!href || /^https?:\/\/[^@]+$/.test(href), href);
	}
});
