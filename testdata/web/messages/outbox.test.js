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
	outbox.settle("t", [{ id: "m1" }]);
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
	await Promise.all([outbox.again("t", entry), outbox.again("t", entry)]);
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

test("a message that is taken back is forgotten", async () => {
	const outbox = new Outbox(async () => { throw new Error("no connection"); });
	await outbox.add("t", action, "hello");
	outbox.remove("t", outbox.entries("t")[0]);
	assert.deepEqual(states(outbox), []);
});

// fakeQueue returns a queue whose list the test sets.
function fakeQueue() {
	const queue = { list: [], dropped: [], retried: [], listeners: [] };
	queue.subscribe = (listener) => queue.listeners.push(listener);
	queue.of = ({ url }) => queue.list.filter(({ path }) => path === url);
	queue.drop = (id) => queue.dropped.push(id);
	queue.retry = async (id) => queue.retried.push(id);
	queue.set = (...list) => {
		queue.list = list;
		queue.listeners.forEach((listener) => listener(list));
	};
	return queue;
}

const record = (id, state, error = null) => ({ id, key: `k${id}`, path: "/send", values: { body: `body ${id}` }, time: 0, state, error });

test("a message that waits for a connection stays until it has left the queue", async () => {
	const queue = fakeQueue();
	const outbox = new Outbox(async (_, values, { key }) => {
		queue.list = [{ ...record(1, "waiting"), key }];
		return { queued: queue.list[0] };
	}, queue);
	await outbox.add("t", action, "hello");
	outbox.adopt("t", action);
	assert.deepEqual(states(outbox), ["hello: sending"]);
	queue.set(record(1, "failed", { status: 403, message: "Only members may do this." }));
	const [entry] = outbox.entries("t");
	assert.deepEqual([entry.state, entry.error.message], ["failed", "Only members may do this."]);
	await outbox.again("t", entry);
	assert.deepEqual(queue.retried, [1]);
	queue.set();
	assert.deepEqual([states(outbox), queue.dropped], [[], []]);
});

test("messages of an earlier visit are shown, and can be taken back", () => {
	const queue = fakeQueue();
	const outbox = new Outbox(null, queue);
	queue.set(record(1, "waiting"), { ...record(2, "waiting"), path: "/other" }, record(3, "asks"));
	outbox.adopt("t", action);
	outbox.adopt("t", action);
	assert.deepEqual(states(outbox), ["body 1: sending", "body 3: failed"]);
	outbox.remove("t", outbox.entries("t")[0]);
	assert.deepEqual([states(outbox), queue.dropped], [["body 3: failed"], [1]]);
});
