import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../../../assets/web/parts/outbox.js";

const action = { method: "POST", url: "/send" };
const states = (outbox) => outbox.entries("t").map(({ body, state }) => `${body}: ${state}`);

test("a message is shown at once, and leaves when the server returns it", async () => {
	const outbox = new Outbox(async () => ({ message: { id: "m1", created_at: "2026-11-25T10:00:00Z" } }));
	let changes = 0;
	outbox.subscribe(() => changes++);
	const sent = outbox.add("t", action, "hello");
	assert.deepEqual(states(outbox), ["hello: sending"]);
	await sent;
	assert.deepEqual(states(outbox), ["hello: sent"]);
	assert.ok(changes >= 2);
	assert.deepEqual(outbox.entries("t", [{ id: "m1" }]), [], "it is not shown twice");
	assert.ok(outbox.keyOf("m1"), "its bubble stays the same");
	outbox.removeReceived("t", [{ id: "m1" }]);
	assert.deepEqual(states(outbox), []);
});

test("sending again repeats the same key", async () => {
	const keys = [];
	let fails = true;
	const outbox = new Outbox(async (_, { body }, { key }) => {
		keys.push(key);
		if (fails) throw new Error("no connection");
		return { message: { id: body } };
	});
	await outbox.add("t", action, "hello");
	assert.deepEqual(states(outbox), ["hello: failed"]);
	fails = false;
	const [entry] = outbox.entries("t");
	await Promise.all([outbox.resend("t", entry), outbox.resend("t", entry)]);
	assert.deepEqual(states(outbox), ["hello: sent"]);
	assert.equal(keys.length, 2, "two presses are one request");
	assert.equal(keys[0], keys[1]);
});

test("messages of a thread are sent one after the other", async () => {
	const order = [];
	const outbox = new Outbox(async (_, { body }) => {
		order.push(`start ${body}`);
		await new Promise((done) => setTimeout(done, body === "one" ? 20 : 1));
		order.push(`end ${body}`);
		return { message: { id: body } };
	});
	await Promise.all([outbox.add("t", action, "one"), outbox.add("t", action, "two")]);
	assert.deepEqual(order, ["start one", "end one", "start two", "end two"]);
});

test("a message waits until the one before it is stored, not for its response", async () => {
	const order = [];
	const outbox = new Outbox(async (_, { body }, { stored }) => {
		order.push(`store ${body}`);
		await null;
		stored();
		await new Promise((done) => setTimeout(done, 20));
		order.push(`respond ${body}`);
		return { message: { id: body } };
	}, makeQueue());
	const stored = (text) => () => order.push(`stored ${text}`);
	await Promise.all([outbox.add("t", action, "one", stored("one")), outbox.add("t", action, "two", stored("two"))]);
	assert.deepEqual(order, ["store one", "stored one", "store two", "stored two", "respond one", "respond two"]);
});

test("a message that was not stored is stored by a later attempt, or forgotten", async () => {
	let fails = true;
	const outbox = new Outbox(async (_, { body }, { stored }) => {
		if (fails) throw new Error("no connection");
		stored();
		return { message: { id: body } };
	});
	const stored = [];
	await Promise.all(["one", "two"].map((text) => outbox.add("t", action, text, () => stored.push(text))));
	assert.deepEqual(stored, []);
	fails = false;
	const [one, two] = outbox.entries("t");
	await outbox.resend("t", one);
	outbox.remove("t", two);
	assert.deepEqual(stored, ["one", "two"]);
});

test("a message that is taken back is forgotten", async () => {
	const outbox = new Outbox(async () => { throw new Error("no connection"); });
	await outbox.add("t", action, "hello");
	outbox.remove("t", outbox.entries("t")[0]);
	assert.deepEqual(states(outbox), []);
});

// A queue with the methods that the outbox uses.
function makeQueue(list = []) {
	const listeners = [];
	return {
		list, asked: [], entriesOf: ({ url }) => list.filter(({ path }) => path === url), subscribe: (listener) => listeners.push(listener), changed: () => listeners.forEach((listener) => listener(list)),
		retry(id) { this.asked.push(`retry ${id}`); return Promise.resolve(); },
		drop(id) { this.asked.push(`drop ${id}`); return Promise.resolve(); },
	};
}

test("a message waits in the queue until it is sent", async () => {
	const queue = makeQueue();
	const outbox = new Outbox(async () => ({ queued: { id: 7, state: "waiting" } }), queue);
	queue.list.push({ id: 7, state: "waiting", path: "/send" });
	await outbox.add("t", action, "hello");
	assert.deepEqual(states(outbox), ["hello: waiting"]);
	queue.list[0].state = "sending";
	queue.changed();
	assert.deepEqual(states(outbox), ["hello: sending"]);
	queue.list.length = 0;
	queue.changed();
	assert.deepEqual(states(outbox), []);
	assert.deepEqual(queue.asked, [], "what has been sent is not dropped");
});

test("a message that the server rejects stays in the queue", async () => {
	const queue = makeQueue();
	const outbox = new Outbox(async () => ({ queued: { id: 7, state: "failed", error: { message: "no" } } }), queue);
	await outbox.add("t", action, "hello");
	assert.deepEqual(states(outbox), ["hello: failed"]);
	assert.equal(outbox.entries("t")[0].error.message, "no");
	await outbox.resend("t", outbox.entries("t")[0]);
	assert.deepEqual(queue.asked, ["retry 7"]);
	queue.list.push({ id: 7, key: "new", state: "waiting", path: "/send", values: { body: "hello" }, time: 0 });
	outbox.addQueued("t", action);
	assert.equal(outbox.entries("t").length, 1, "with its new key it is the same message");
});

test("messages of an earlier visit are shown once, and can be sent again or taken back", async () => {
	const queue = makeQueue([{ id: 1, key: "k1", state: "failed", path: "/send", values: { body: "old" }, time: 0 }, { id: 2, key: "k2", state: "waiting", path: "/other", values: { body: "elsewhere" }, time: 0 }]);
	const outbox = new Outbox(async () => ({}), queue);
	outbox.addQueued("t", action);
	outbox.addQueued("t", action);
	assert.deepEqual(states(outbox), ["old: failed"]);
	await outbox.resend("t", outbox.entries("t")[0]);
	outbox.remove("t", outbox.entries("t")[0]);
	assert.deepEqual(queue.asked, ["retry 1", "drop 1"]);
	assert.deepEqual(states(outbox), []);
});
