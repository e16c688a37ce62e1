import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { PageEvent, atEnd, later } from "../dom.js";
import { Thread } from "../../../assets/web/messages/thread.js";

const message = (number) => ({
	id: `m${number}`, title: "Bea", actor: { member_id: 2 }, body: `text ${number}`, metadata: { created_at: "2026-11-26T12:00:00Z" },
});
const send = { id: "send_message", type: "submit_form", method: "POST", url: "/send", controls: [{ id: "body", type: "textarea" }] };
const page = (numbers, previous, canReply = false) => ({
	selected_thread: { title: "Bea", participants: [], can_reply: canReply, unread_count: 0, read_up_to: null },
	sections: [{ id: "messages", items: numbers.map(message), page: { previous } }], action_descriptors: canReply ? [send] : [],
});

test("an earlier page that arrives after many new messages leaves no gap in the thread", async () => {
	let latest = page([50, 51], "/before/50");
	const earlier = {};
	const read = (url) => (url.startsWith("/before") ? new Promise((done) => (earlier[url.split("?")[0]] = done)) : latest);
	const { app, main, update } = await openApp({ areas: ["messages"], read });
	const thread = new Thread(app, { kind: "messages", id: "t" }, { back: {} });
	atEnd(() => thread.end());
	main.append(thread.element);
	thread.start();
	await later();
	const shown = () => main.querySelectorAll(".bub").map(({ dataset }) => dataset.message);
	assert.deepEqual(shown(), ["m50", "m51"]);
	latest = page([90, 91], "/before/90"); // after a pause without a connection
	await update(thread.url);
	earlier["/before/50"](page([48, 49], "/before/48"));
	await later();
	assert.deepEqual(shown(), ["m90", "m91"], "m52 to m89 are not known yet");
	main.querySelector(".earlier").click();
	earlier["/before/90"](page([88, 89], "/before/88"));
	await later();
	assert.deepEqual(shown(), ["m88", "m89", "m90", "m91"]);
});

test("a message that was taken back is in the composer, or in the draft if the member can no longer reply", async () => {
	let latest = page([1], null, true);
	const perform = () => { throw Object.assign(new Error("Bea does not receive your messages."), { status: 403 }); };
	const { app, main, update } = await openApp({ areas: ["messages"], read: () => latest, perform });
	const thread = new Thread(app, { kind: "messages", id: "t" }, { back: {} });
	atEnd(() => thread.end());
	main.append(thread.element);
	thread.start();
	await later();
	const write = async (text) => {
		thread.composer.fill(text);
		thread.composer.element.requestSubmit();
		await later();
	};
	const takeBack = () => main.querySelectorAll(".bub-meta button").at(-1).click();
	await write("Can you help me?");
	thread.composer.fill("Please");
	takeBack();
	assert.equal(thread.composer.input.value, "Can you help me?\nPlease");
	await write("Can you help?");
	latest = page([1], null, false);
	await update(thread.url);
	assert.equal(thread.composer, null);
	takeBack();
	assert.equal(JSON.parse(app.drafts.getItem("message messages t")).body, "Can you help?");
});

test("scrolling does not read an earlier page again that could not be read", async () => {
	let count = 0;
	const read = (url) => {
		if (!url.startsWith("/before")) return page([50, 51], "/before/50");
		count++;
		throw Object.assign(new Error("no connection"), { status: 0 });
	};
	const { app, main, shown, update } = await openApp({ areas: ["messages"], read });
	const thread = new Thread(app, { kind: "messages", id: "t" }, { back: {} });
	atEnd(() => thread.end());
	main.append(thread.element);
	thread.start();
	await later();
	for (let i = 0; i < 3; i++) {
		thread.element.dispatchEvent(new PageEvent("scroll"));
		await later();
	}
	assert.deepEqual([count, shown], [1, ["no connection"]]);
	main.querySelector(".earlier").click();
	await later();
	assert.equal(count, 2, "the button reads it again");
	await update(thread.url); // the connection is back
	await later();
	assert.equal(count, 3);
});
