import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { open } from "../../../assets/web/messages/messages.js";

const item = (id, title, at) => ({ id, title, metadata: { last_message_at: at }, actions: [] });
const items = [
	item("a", "Ann", "2026-11-26T12:00:00Z"), item("b", "Bea", "2026-11-26T11:00:00Z"), item("c", "Cem", "2026-11-26T10:00:00Z"),
];

// openMessages opens the list of three threads, of Ann, Bea and Cem. Searches of messages fail.
async function openMessages() {
	const read = (url) => {
		const { thread } = Object.fromEntries(new URLSearchParams(url.split("?")[1]));
		if (thread) return { selected_thread: { title: thread, participants: [] }, sections: [], action_descriptors: [] };
		return { sections: [{ id: "threads", items: url.startsWith("/panels/messages") ? items : [] }] };
	};
	const session = { shell: { dock: { items: [{ id: "messages", action: { type: "open_panel", url: "/panels/messages" } }] } } };
	const dataset = { actions: [{ type: "search_messages", method: "GET", url: "/search", controls: [{ id: "q", type: "text" }] }] };
	const perform = () => { throw Object.assign(new Error("no connection"), { status: 0 }); };
	const opened = await openApp({ areas: ["messages"], read, session, dataset, perform });
	const route = (query = {}) => [{ kind: "in", id: "messages", query }, { url: "/panels/messages" }];
	const view = open(opened.app, ...route());
	atEnd(() => view.close());
	opened.main.append(view.element);
	await later();
	return { ...opened, view, show: (query) => view.update(...route(query)), input: view.element.querySelector("input") };
}

test("the row of the closed thread gets the focus, also among the results of a search", async () => {
	const { document, show, input } = await openMessages();
	show({ thread: "b" });
	await later();
	show({});
	assert.match(document.activeElement.textContent, /Bea/);
	input.type("bea");
	show({ thread: "b" });
	await later();
	show({});
	assert.match(document.activeElement.textContent, /Bea/);
});

test("the Enter that ends the composition of an input method does not open a thread", async () => {
	const { view, input } = await openMessages();
	let opened = 0;
	for (const row of view.element.querySelectorAll("a.row")) row.addEventListener("click", () => opened++);
	input.type("a");
	input.press("Enter", { isComposing: true });
	input.press("Enter", { keyCode: 229 });
	assert.equal(opened, 0);
	input.press("Enter");
	assert.equal(opened, 1);
});

test("a search shows once that messages cannot be searched", async () => {
	const { input, shown } = await openMessages();
	for (const text of ["be", "bea", "bean"]) {
		input.type(text);
		await later(320);
	}
	assert.deepEqual(shown, ["no connection"]);
});
