import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { Thread } from "../../../assets/web/messages/thread.js";

const message = (number) => ({
	id: `m${number}`, title: "Bea", actor: { member_id: 2 }, body: `text ${number}`, metadata: { created_at: "2026-11-26T12:00:00Z" },
});
const page = (numbers, previous) => ({
	selected_thread: { title: "Bea", participants: [], can_reply: true, unread_count: 0, read_up_to: null },
	sections: [{ id: "messages", items: numbers.map(message), page: { previous } }], action_descriptors: [],
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
