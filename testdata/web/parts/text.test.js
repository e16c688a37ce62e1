import assert from "node:assert/strict";
import { test } from "node:test";
import { textParts } from "../../../assets/web/parts/text.js";

const links = (text) => textParts(text).filter(({ href }) => href).map((part) => part.text);

test("addresses of the web are links", () => {
	assert.deepEqual(textParts("See https://bread.example/a?b=1#c, then call."), [{ text: "See " }, { text: "https://bread.example/a?b=1#c", href: "https://bread.example/a?b=1#c" }, { text: ", then call." }]);
	assert.deepEqual(links("(https://en.example/wiki/Wall_(stone)) and [http://a.example/]."), ["https://en.example/wiki/Wall_(stone)", "http://a.example/"]);
	assert.deepEqual(links("https://a.example\nhttps://b.example/ü!"), ["https://a.example", "https://b.example/ü"]);
});

test("nothing else is a link", () => {
	for (const text of ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "ftp://a.example/", "www.example.org", "https://", "https:///etc", "file:///etc/passwd", "vbscript:x", "https://ann:secret@bank.example/"]) {
		assert.deepEqual(links(text), [], text);
	}
});

test("markup stays text", () => {
	const hostile = `<img src=x onerror="alert(1)"><a href="javascript:alert(1)">x</a> https://a.example/"onmouseover="alert(1)`;
	const parts = textParts(hostile);
	assert.equal(parts.map(({ text }) => text).join(""), hostile, "no character is lost");
	assert.deepEqual(links(hostile), ["https://a.example/"]);
});

test("a link has no characters that change the direction of the text", () => {
	assert.deepEqual(links("https://good.example/\u202egnp.exe"), ["https://good.example/"]);
});

test("mentions are marked, and wrong ones ignored", () => {
	const text = "😀 @bea come";
	assert.deepEqual(textParts(text, [{ start: 3, end: 7, member_id: 4 }]), [{ text: "😀 " }, { text: "@bea", memberId: 4 }, { text: " come" }]);
	assert.deepEqual(textParts("abc", [{ start: 2, end: 9, member_id: 4 }, { start: -1, end: 2, member_id: 4 }]), [{ text: "abc" }]);
});
