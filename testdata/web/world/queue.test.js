import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../../assets/web/world/connection.js";
import { RequestError, interception } from "../../../assets/web/world/errors.js";
import { Queue, kindOf } from "../../../assets/web/world/queue.js";
import { FakeDatabase, FakeLocks, channels } from "./storage.js";

const HOUR = 3_600_000;
const send = { type: "send_message", command: { url: "/threads/1/messages", method: "POST", body: {} }, controls: [{ id: "body", type: "textarea" }] };
const rsvp = (response) => ({ type: "social.event.rsvp", url: "/events/1/rsvp", method: "POST", body: { response } });
const noNetwork = () => new RequestError({ code: "network" });

// browser returns what the tabs of one browser share. `answer` is called with the key and the
// values of each request and returns its data or throws.
function browser(answer = () => ({ ok: true })) {
	const shared = { now: 1_000_000, answer, requests: [], database: new FakeDatabase(), locks: new FakeLocks(), openChannel: channels(), signedIn: 1 };
	shared.open = async (t, { memberId = 1, locks = shared.locks, hidden = false, responseTimeout } = {}) => {
		const dispatcher = {
			expectMember: () => true,
			async perform(action, values, { key, fields }) {
				shared.requests.push({ text: values.body ?? action.body?.response ?? "", key, fields });
				await new Promise((done) => setTimeout(done, 1));
				return shared.answer({ key, values, action });
			},
		};
		const connection = new Connection({ unreachableDelay: 0, now: () => shared.now, events: {}, hasNetwork: () => true });
		const page = Object.assign(new EventTarget(), { hidden });
		const queue = new Queue({
			dispatcher, connection, page, locks, events: new EventTarget(), memberId: () => memberId, signedIn: () => shared.signedIn,
			database: shared.database, openChannel: shared.openChannel, now: () => shared.now, wait: 1_000_000, responseTimeout,
		});
		t.after(() => queue.stop());
		await queue.start();
		return { queue, connection, page };
	};
	shared.texts = () => shared.requests.map(({ text }) => text);
	return shared;
}

const states = (queue) => queue.list.map(({ state, values }) => `${values.body ?? ""} ${state}`);

test("only messages, answers and ticks may wait", () => {
	const tick = { type: "update_time_object", command: { url: "/x", method: "PATCH", body: { status: "completed", scope: "this", recurrence_id: "r" } } };
	const cases = [
		[send, { body: "x" }, {}, "message"],
		[{ id: "reply", type: "submit_form", url: "/x", method: "POST" }, { body: "x" }, {}, "message"],
		[{ type: "social.conversation.reply", command: { url: "/x" } }, { body: "x" }, {}, "message"],
		[rsvp("going"), {}, {}, "answer"],
		[tick, {}, {}, "tick"],
		[{ ...tick, command: { ...tick.command, body: { status: "needs_action" } } }, {}, {}, "tick"],
		[tick, { title: "New" }, {}, null],
		[tick, {}, { fields: { start: "2026-12-01" } }, null],
		[tick, {}, { etag: '"1"' }, null],
		[{ type: "update_time_object", url: "/x", body: { etag: '"1"', status: "completed" } }, {}, {}, null],
		[{ type: "mark_read", url: "/x" }, {}, {}, null],
		[{ type: "social.conversation.read", url: "/x" }, {}, {}, null],
		[{ id: "create_event", type: "submit_form", url: "/x" }, {}, {}, null],
		[{ type: "start_thread", url: "/x" }, {}, {}, null],
		[{ method: "POST", url: "/x" }, {}, {}, null],
	];
	for (const [action, values, options, want] of cases) assert.equal(kindOf(action, values, options), want, JSON.stringify(action));
});

test("with a connection, a write is sent at once and returns the data", async (t) => {
	const b = browser();
	const { queue } = await b.open(t);
	const order = [];
	b.answer = () => (order.push("sent"), { ok: true });
	assert.deepEqual(await queue.perform(send, { body: "a" }, { stored: () => order.push("stored") }), { ok: true });
	assert.deepEqual(order, ["stored", "sent"]);
	assert.deepEqual(queue.list, []);
	assert.match(b.requests[0].key, /^[0-9a-f]{32}$/);
});

test("without a connection, writes wait and are sent once and in order", async (t) => {
	const b = browser(() => { throw noNetwork(); });
	const { queue, connection } = await b.open(t);
	connection.setContact(false);
	await new Promise((done) => setTimeout(done, 5));
	const { queued } = await queue.perform(send, { body: "a" }, { label: "To Bea: a" });
	assert.deepEqual([queued.label, queued.state, queued.kind], ["To Bea: a", "waiting", "message"]);
	await queue.perform(send, { body: "b" });
	await queue.flush();
	assert.deepEqual(states(queue), ["a waiting", "b waiting"]);
	assert.deepEqual(queue.entriesOf(send).map(({ values }) => values.body), ["a", "b"]);
	b.requests.length = 0;
	b.answer = () => ({});
	connection.setContact(true);
	await queue.flush();
	assert.deepEqual(b.texts(), ["a", "b"]);
	assert.equal(b.requests[0].key, queued.key);
	assert.deepEqual(queue.list, []);
});

test("a write that was sent while the page was closed is sent again with its key", async (t) => {
	const b = browser(() => new Promise(() => {}));
	const { queue } = await b.open(t, { locks: null });
	queue.perform(send, { body: "a" });
	while (b.requests.length === 0) await new Promise((done) => setTimeout(done, 1));
	assert.deepEqual(states(queue), ["a sending"]);
	queue.stop();
	b.answer = () => ({});
	const next = await b.open(t, { locks: null });
	assert.deepEqual(b.texts(), ["a", "a"]);
	assert.equal(b.requests[0].key, b.requests[1].key);
	assert.deepEqual(next.queue.list, []);
});

test("two tabs send each write once", async (t) => {
	const b = browser(() => { throw noNetwork(); });
	const [one, two] = [await b.open(t), await b.open(t)];
	await one.queue.perform(send, { body: "a" });
	await two.queue.perform(send, { body: "b" });
	await new Promise((done) => setTimeout(done, 5));
	assert.deepEqual(states(one.queue), ["a waiting", "b waiting"]);
	b.requests.length = 0;
	b.answer = () => ({});
	await Promise.all([one.queue.flush(), two.queue.flush(), one.queue.flush()]);
	await new Promise((done) => setTimeout(done, 5));
	assert.deepEqual([b.texts(), states(one.queue), states(two.queue)], [["a", "b"], [], []]);
});

test("without locks, a hidden tab does not send", async (t) => {
	const b = browser();
	const { queue, page } = await b.open(t, { locks: null, hidden: true });
	await queue.perform(send, { body: "a" });
	assert.deepEqual([b.texts(), states(queue)], [[], ["a waiting"]]);
	page.hidden = false;
	page.dispatchEvent(new Event("visibilitychange"));
	await queue.flush();
	assert.deepEqual([b.texts(), states(queue)], [["a"], []]);
});

test("an answer and a tick replace the ones before, a message does not", async (t) => {
	const b = browser(() => { throw noNetwork(); });
	const { queue } = await b.open(t);
	await queue.perform(rsvp("going"));
	await queue.perform(send, { body: "a" });
	await queue.perform(rsvp("maybe"));
	await queue.perform(send, { body: "a" });
	b.requests.length = 0;
	b.answer = () => ({});
	await queue.flush();
	assert.deepEqual(b.texts(), ["a", "maybe", "a"]);
});

test("after 23 hours, a write asks before it is sent as a new one", async (t) => {
	const b = browser(() => { throw noNetwork(); });
	const { queue } = await b.open(t);
	await queue.perform(send, { body: "a" });
	const { key } = b.requests[0];
	b.requests.length = 0;
	b.answer = () => ({});
	b.now += 23 * HOUR + 1;
	await queue.flush();
	assert.deepEqual([b.texts(), states(queue)], [[], ["a asks"]]);
	await queue.retry(queue.list[0].id);
	assert.deepEqual([b.texts(), states(queue)], [["a"], []]);
	assert.notEqual(b.requests[0].key, key);
});

test("a write that the server rejects is an error of its call, or stays as failed", async (t) => {
	const rejection = () => new RequestError({ status: 403, code: "forbidden", message: "Only members may do this." });
	const b = browser(() => { throw rejection(); });
	const { queue } = await b.open(t);
	await assert.rejects(queue.perform(send, { body: "a" }), { status: 403 });
	assert.deepEqual(queue.list, []);
	b.answer = () => { throw noNetwork(); };
	await queue.perform(send, { body: "b" });
	await queue.perform(send, { body: "c" });
	b.answer = ({ values }) => { if (values.body === "b") throw rejection(); };
	await queue.flush();
	assert.deepEqual(states(queue), ["b failed"]);
	assert.deepEqual(queue.list[0].error, { status: 403, code: "forbidden", message: "Only members may do this." });
	await queue.flush();
	assert.equal(b.texts().filter((text) => text === "c").length, 1);
	await queue.drop(queue.list[0].id);
	assert.deepEqual(queue.list, []);
});

test("a write that only a proxy answers waits while it answers all requests, and fails if others reach the server", async (t) => {
	const b = browser(({ values }) => { if (values.body === "a") throw interception(); });
	const { queue, connection } = await b.open(t);
	await queue.perform(send, { body: "a" });
	const { queued } = await queue.perform(send, { body: "b" });
	assert.equal(queued.state, "waiting");
	b.now += 5000;
	await queue.flush();
	assert.deepEqual(states(queue), ["a waiting", "b waiting"]);
	connection.setContact(true); // a read has reached the server
	await queue.flush();
	assert.deepEqual(states(queue), ["a failed"]);
	assert.equal(queue.list[0].error.code, "intercepted");
	assert.equal(b.texts().at(-1), "b");
});

test("a rejected write that is kept outlasts the page", async (t) => {
	const b = browser(() => { throw new RequestError({ status: 403, code: "forbidden", message: "Only members may do this." }); });
	const { queue } = await b.open(t);
	const { queued } = await queue.perform(send, { body: "a" }, { keep: true });
	assert.deepEqual([queued.state, queued.error.message], ["failed", "Only members may do this."]);
	const { queue: later } = await b.open(t);
	assert.deepEqual(states(later), ["a failed"]);
	assert.equal(b.requests.length, 1, "it is sent again only if the member says so");
	b.answer = () => ({});
	await later.retry(queued.id);
	assert.deepEqual(later.list, []);
});

test("a caller does not wait long for a server that does not respond", async (t) => {
	const b = browser(() => new Promise(() => {}));
	const { queue } = await b.open(t, { responseTimeout: 5 });
	const { queued } = await queue.perform(send, { body: "a" });
	assert.equal(queued.values.body, "a");
	assert.deepEqual(states(queue), ["a sending"]);
});

test("clear removes the unsent writes of the member", async (t) => {
	const b = browser(() => { throw noNetwork(); });
	await b.database.put("writes", { memberId: 2, state: "waiting" });
	const { queue } = await b.open(t);
	await queue.perform(send, { body: "a" });
	await queue.clear();
	assert.deepEqual([queue.list, (await b.database.all("writes")).map(({ memberId }) => memberId)], [[], [2]]);
});

test("a busy server and an ended session leave the write in the queue", async (t) => {
	const b = browser(() => { throw new RequestError({ status: 503, code: "service_unavailable", detail: { retryable: true } }); });
	const { queue } = await b.open(t);
	assert.ok((await queue.perform(send, { body: "a" })).queued);
	b.answer = () => { throw new RequestError({ status: 401, code: "unauthenticated", detail: { retryable: false } }); };
	await queue.flush();
	assert.deepEqual(states(queue), ["a waiting"]);
});

test("writes of another member are neither shown nor sent", async (t) => {
	const b = browser(() => { throw noNetwork(); });
	const ann = await b.open(t);
	await ann.queue.perform(send, { body: "a" });
	b.requests.length = 0;
	b.answer = () => ({});
	b.signedIn = 2; // in another tab
	await ann.queue.flush();
	ann.queue.stop();
	const bea = await b.open(t, { memberId: 2 });
	assert.deepEqual([b.texts(), bea.queue.list], [[], []]);
	bea.queue.stop();
	b.signedIn = 1;
	await b.open(t);
	assert.deepEqual(b.texts(), ["a"]);
});

test("a browser that stores nothing sends at once", async (t) => {
	const b = browser();
	b.database.fails = true;
	const { queue } = await b.open(t);
	assert.deepEqual(await queue.perform(send, { body: "a" }), { ok: true });
});

test("unsent writes of other members are counted by their names", async (t) => {
	const shared = browser(() => { throw noNetwork(); });
	const named = async (memberId, name, ...texts) => {
		shared.signedIn = memberId;
		const { queue } = await shared.open(t, { memberId, responseTimeout: 1 });
		queue.memberName = () => name;
		for (const body of texts) await queue.perform(send, { body });
		await queue.flush();
		return queue;
	};
	await named(2, "Bea", "One", "Two");
	await named(3, "", "Three");
	const queue = await named(1, "Ann", "Four");
	assert.deepEqual(await queue.othersUnsent(), [{ memberId: 2, name: "Bea", count: 2 }, { memberId: 3, name: "", count: 1 }]);
	shared.database.fails = true;
	assert.deepEqual(await queue.othersUnsent(), []);
});
