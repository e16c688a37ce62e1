import assert from "node:assert/strict";
import { test } from "node:test";
import { matchingThreads, panelOf, panelsOf, sortThreads, threadOfItem, threadOfPanel, threadOfRoute } from "../../../assets/web/messages/model.js";

const store = { service: (id) => ({ messages: { content_source: "/m" }, social: { content_source: "/s" } })[id] };

test("routes name threads of both kinds", () => {
	assert.deepEqual(threadOfRoute({ kind: "in", query: { thread: "thr_1" } }, { url: "/m" }), { kind: "messages", id: "thr_1" });
	assert.deepEqual(threadOfRoute({ kind: "in", query: { view: "dms", id: "sdm_1" } }, { url: "/s" }), { kind: "dms", id: "sdm_1" });
	assert.deepEqual(threadOfRoute({ kind: "on", query: {} }, { url: "/m?thread=thr_2" }), { kind: "messages", id: "thr_2" });
	assert.deepEqual(threadOfRoute({ kind: "at", query: {} }, { object: { object_type: "social_dm", source: { resource_id: "sdm_3" } } }), { kind: "dms", id: "sdm_3" });
	assert.equal(threadOfRoute({ kind: "in", query: {} }, { url: "/m" }), null);
});

test("panels are those of the services that the server has", () => {
	assert.deepEqual(panelsOf(store), { messages: "/m?sections=threads", dms: "/s?view=dms&sections=direct_messages" });
	assert.deepEqual(panelsOf({ service: (id) => id === "social" && { content_source: "/s" } }), { dms: "/s?view=dms&sections=direct_messages" });
	assert.equal(panelOf(store, { kind: "messages", id: "thr_1" }), "/m?thread=thr_1&sections=messages");
	assert.equal(panelOf({ service: () => undefined }, { kind: "dms", id: "x" }), null);
});

test("threads of both kinds are one list, the latest first", () => {
	const item = (id, at) => ({ id, title: id, metadata: { last_message_at: at, unread_count: 2 } });
	const threads = [item("a", "2026-11-25T10:00:00Z"), item("b", "2026-11-25T12:00:00Z")].map((thread) => threadOfItem(thread, "messages"));
	const others = [threadOfItem(item("c", "2026-11-25T11:00:00Z"), "dms")];
	assert.deepEqual(sortThreads([...threads, ...others, ...threads]).map(({ id }) => id), ["b", "c", "a"]);
	assert.equal(threads[0].count, 2);
});

test("a search finds all words in title and last message", () => {
	const threads = [{ title: "Bea", excerpt: "I bring Bread" }, { title: "Cem", excerpt: "Bread?" }];
	assert.deepEqual(matchingThreads(threads, "bea bread").map(({ title }) => title), ["Bea"]);
	assert.equal(matchingThreads(threads, " ").length, 2);
	assert.equal(matchingThreads([{ title: "Jürgen", excerpt: "" }], "jurgen").length, 1);
});

test("a thread that cannot be answered has a reason and no form", () => {
	const panel = {
		selected_thread: { title: "Bea", participants: [], can_reply: false, can_reply_reason: "Bea has left.", unread_count: 0, read_up_to: "m1", actions: { mark_read: "/r", mark_unread: "/u" } },
		sections: [{ id: "messages", items: [{ id: "m1", title: "Bea", body: "hi", actor: null, metadata: { created_at: "2026-11-25T10:00:00Z", sender_identity_user_id: 4 } }], page: { previous: "/p" } }], action_descriptors: [],
	};
	const thread = threadOfPanel(panel, "messages");
	assert.equal(thread.send, undefined);
	assert.equal(thread.reason, "Bea has left.");
	assert.equal(thread.markRead, undefined, "everything is read");
	assert.equal(thread.markUnread.url, "/u");
	assert.deepEqual(thread.page, { messages: [{ id: "m1", senderId: 4, name: "Bea", body: "hi", entities: [], at: "2026-11-25T10:00:00Z" }], previous: "/p" });
	assert.equal(threadOfPanel({ sections: [] }, "dms"), null);
});
