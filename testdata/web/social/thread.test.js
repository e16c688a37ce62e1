import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd } from "../dom.js";
import { Thread } from "../../../assets/web/social/thread.js";

const bea = { member_id: 2, display_name: "Bea" };
const post = (id) => ({ id, title: "Bea", actor: bea, body: id, metadata: { created_at: "2026-11-26T12:00:00Z" } });
const item = (more) => ({ id: "con_1", actor: { member_id: 2 }, metadata: { state: "open", unread_count: 0, read_up_to: "p1", ...more } });
const panel = (ids, { canReply = true } = {}) => ({
	sections: [{ id: "replies", items: ids.map(post) }],
	action_descriptors: canReply ? [{ id: "reply", label: "Reply", url: "/reply", controls: [{ id: "body", type: "textarea" }] }] : [],
});

// openThread opens a conversation whose posts are below each other, 100 pixels each, in a viewport of 300 pixels.
async function openThread() {
	const opened = await openApp({ areas: ["social"] });
	const scope = opened.app.scope();
	atEnd(() => scope.end());
	const { main } = opened;
	const thread = new Thread(opened.app, scope, { id: "con_1", url: "/con_1", label: "Posts", scroll: true, scroller: () => main });
	main.append(thread.element, thread.foot);
	main.clientHeight = 300;
	const rows = () => main.querySelector(".posts").children;
	Object.defineProperty(main, "scrollHeight", { get: () => 100 * rows().length });
	let position = 0;
	const limit = (value) => Math.max(0, Math.min(value, main.scrollHeight - main.clientHeight));
	Object.defineProperty(main, "scrollTop", { get: () => position, set: (value) => (position = limit(value)) });
	const create = opened.document.createElement;
	opened.document.createElement = (tag) => {
		const node = create(tag);
		node.getBoundingClientRect = () => ({ top: 100 * rows().indexOf(node) - position, bottom: 0, left: 0, right: 0 });
		return node;
	};
	return { ...opened, thread };
}

test("a draft is stored, and its field ends, when the conversation is closed while the member writes", async () => {
	const { app, document, thread } = await openThread();
	thread.show(panel(["p1"]), { item: item() });
	thread.composer.input.type("I can bring the ladder");
	thread.show(panel(["p1"], { canReply: false }), { item: item({ state: "closed" }) });
	assert.equal(JSON.parse(app.drafts.getItem("reply con_1")).body, "I can bring the ladder");
	assert.equal(document.listenerCount("pagehide"), 0);
	thread.show(panel(["p1"]), { item: item() });
	assert.equal(thread.composer.input.value, "I can bring the ladder", "the conversation is open again");
	assert.equal(document.listenerCount("pagehide"), 1);
});

test("posts that arrive while the page is hidden are not scrolled out of view", async () => {
	const { document, main, thread } = await openThread();
	const ids = Array.from({ length: 5 }, (_, i) => `p${i + 1}`);
	thread.show(panel(ids), { item: item({ read_up_to: "p5" }) });
	main.scrollTop = 1000;
	document.hidden = true;
	const later = Array.from({ length: 9 }, (_, i) => `n${i + 1}`);
	thread.show(panel([...ids, ...later]), { item: item({ read_up_to: "p5", unread_count: 9 }) });
	const rows = main.querySelector(".posts").children;
	const at = rows.findIndex((node) => node.className === "new-line");
	assert.equal(at, 5);
	assert.ok(main.scrollTop <= 100 * at && main.scrollTop + 300 > 100 * at, "the line New is in view");
});
