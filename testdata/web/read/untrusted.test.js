import assert from "node:assert/strict";
import { test } from "node:test";
import { hostOf, listOf, mailURL, phoneURL, pictureURL, plainText, shortText, webURL } from "../../../assets/web/read/untrusted.js";

test("only web addresses are links", () => {
	assert.equal(webURL("https://kajuete.example/menu?x=1#y"), "https://kajuete.example/menu?x=1#y");
	assert.equal(webURL("  HTTP://Kajuete.example "), "http://kajuete.example/");
	const hostile = [
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\u0001javascript:alert(1)", " javascript:alert(1)", "data:text/html,<script>", "vbscript:x", "file:///etc/passwd", "blob:https://x/1",
		"//evil.example/", "/app/settings", "https:evil.example", "https://", "https://user@evil.example", "https://bank.example:pw@evil.example/", "mailto:a@b.example", "intent://x", "ftp://x.example", `https://x.example/${"a".repeat(3000)}`,
		null, undefined, 7, {}, ["https://x.example"], { toString: () => "https://x.example" },
	];
	for (const value of hostile) assert.equal(webURL(value), "", String(value).slice(0, 40));
});

test("the host says where a link leads", () => {
	assert.equal(hostOf("https://www.kajuete.example/x"), "kajuete.example");
	assert.equal(hostOf("http://127.0.0.1:8080/x"), "127.0.0.1:8080");
	assert.equal(hostOf("https://bücher.example/"), "xn--bcher-kva.example"); // no letters that imitate others
	assert.equal(hostOf("javascript:alert(1)"), "");
});

test("a telephone link has digits only", () => {
	assert.equal(phoneURL("+356 2100 0000"), "tel:+35621000000");
	assert.equal(phoneURL("(030) 12/34-56"), "tel:030123456");
	for (const value of ["call me", "*#06#", "+1;ext=1", "tel:+1234", "12", "1".repeat(20), "+356 2100 0000?x=1", null, {}]) assert.equal(phoneURL(value), "", String(value));
});

test("a mail link has one recipient and nothing else", () => {
	assert.equal(mailURL("ahoy@kajuete.example"), "mailto:ahoy@kajuete.example");
	for (const value of ["a@b.example?bcc=c@d.example", "a@b.example,c@d.example", "a@b", "a b@c.example", "javascript:x@y.example", "a@b.example&subject=x", "a%0a@b.example", "<a@b.example>", "", null]) assert.equal(mailURL(value), "", String(value));
});

test("pictures come from the server only", () => {
	const address = (path) => `https://home.example${path}`;
	const of = (path) => pictureURL(path, address, "/data/session");
	assert.equal(of("/data/pictures/picture_1"), "https://home.example/data/pictures/picture_1");
	for (const path of ["https://evil.example/1.png", "//evil.example/1.png", "/\\evil.example/1.png", "/data/../account", "/account", "/identity/logout", "data:image/png;base64,x", "javascript:x", "", null, {}]) assert.equal(of(path), "", String(path));
	assert.equal(pictureURL("/data/1", address, undefined), "");
	assert.equal(pictureURL("/data/1", () => { throw new TypeError(); }, "/data/session"), "");
});

test("characters that change the text direction are removed from texts", () => {
	assert.equal(plainText("a\u202egnp.exe"), "agnp.exe");
	assert.equal(plainText("<b>\u0000bold</b>\nnext"), "<b>bold</b>\nnext");
	assert.equal(plainText("עברית العربية"), "עברית العربية");
	assert.equal(plainText(3), "3");
	for (const value of [null, undefined, {}, [], true]) assert.equal(plainText(value), "");
	assert.deepEqual([listOf(null), listOf("x"), listOf({ length: 2 })], [[], [], []]);
});

test("titles are short, and lists have no holes", () => {
	assert.equal(shortText("x".repeat(1_000_000)).length, 301);
	assert.equal(shortText("  Title "), "Title");
	assert.equal(shortText({ toString: () => "x" }), "");
	assert.deepEqual(listOf([null, { a: 1 }, undefined, 0, ""]), [{ a: 1 }, 0, ""]);
	for (const value of [null, undefined, {}, "text", 7]) assert.deepEqual(listOf(value), []);
});
