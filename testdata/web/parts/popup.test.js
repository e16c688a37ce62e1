import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, PageEvent } from "../dom.js";
import { el } from "../../../assets/web/parts/el.js";
import { showPopup } from "../../../assets/web/parts/popup.js";

test("a pop-up that was removed with its view ends its listeners at the next press", () => {
	const document = openPage();
	const anchor = el("button", {});
	const main = el("main", {}, anchor);
	document.body.append(main);
	let closed = 0;
	const counts = () => ["pointerdown", "scroll", "resize"].map((type) => document.listenerCount(type));
	const before = counts();
	showPopup(el("div", {}), anchor, { close: () => closed++ });
	assert.deepEqual(counts(), before.map((count) => count + 1));
	main.replaceChildren(el("h1", {}));
	document.body.dispatchEvent(new PageEvent("pointerdown", { bubbles: true }));
	assert.deepEqual([counts(), closed], [before, 1]);
});

test("a pop-up of an element that has left the page closes at once", () => {
	const document = openPage();
	const popup = el("div", {});
	let closed = 0;
	const counts = () => ["pointerdown", "scroll", "resize"].map((type) => document.listenerCount(type));
	const before = counts();
	showPopup(popup, el("button", {}), { close: () => closed++ });
	assert.deepEqual([popup.isConnected, counts(), closed], [false, before, 1]);
});
