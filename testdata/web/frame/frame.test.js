import assert from "node:assert/strict";
import { test } from "node:test";
import { Frame } from "../../../assets/web/frame/frame.js";
import { showPending } from "../../../assets/web/frame/pending.js";
import { openPage } from "../dom.js";

test("the notice about unsent writes remains, with the focus, while its text does not change", () => {
	const document = openPage();
	const text = { notSentCount: (count) => `${count} not sent`, waitingCount: String, showPending: () => "Show" };
	let notify;
	const queue = { list: [{ state: "failed" }], subscribe: (listener) => (notify = listener) };
	const app = { words: { frame: text }, connection: { state: "online", subscribe: () => {} } };
	app.frame = new Frame(app);
	document.body.append(app.frame.notices);
	showPending(app, queue);
	const button = app.frame.notices.querySelector("button");
	button.focus();
	queue.list = [{ state: "failed" }, { state: "sending" }];
	notify();
	assert.equal(document.activeElement, button);
	queue.list = [{ state: "failed" }, { state: "failed" }];
	notify();
	assert.match(app.frame.notices.textContent, /^2 not sent/);
	queue.list = [];
	notify();
	assert.equal(app.frame.notices.textContent, "");
});
