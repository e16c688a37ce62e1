import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../../assets/web/world/client.js";
import { Follower } from "../../../assets/web/world/follow.js";
import { json, queue, start } from "./server.js";

// Page is the visibility of a page, as `document` has it.
class Page extends EventTarget {
	hidden = false;

	show(visible) {
		this.hidden = !visible;
		this.dispatchEvent(new Event("visibilitychange"));
	}
}

// Locks are Web Locks with one lock, as navigator.locks has them.
class Locks {
	holder = null;
	waiting = [];

	request(_, options, callback) {
		return new Promise((resolve, reject) => {
			const entry = { callback, resolve, reject };
			if (options.signal?.aborted) return reject(new DOMException("", "AbortError"));
			if (options.steal) {
				this.holder?.reject(new DOMException("", "AbortError"));
				this.grant(entry);
				return;
			}
			options.signal?.addEventListener("abort", () => {
				if (!this.waiting.includes(entry)) return;
				this.waiting = this.waiting.filter((other) => other !== entry);
				reject(new DOMException("", "AbortError"));
			});
			this.waiting.push(entry);
			this.next();
		});
	}

	next() {
		if (!this.holder && this.waiting.length > 0) this.grant(this.waiting.shift());
	}

	async grant(entry) {
		this.holder = entry;
		await Promise.resolve().then(entry.callback).then(entry.resolve, entry.reject);
		if (this.holder !== entry) return;
		this.holder = null;
		this.next();
	}
}

// streams returns a server of streams. `open` waits for the next connection of a client.
async function streams(t, respond = null) {
	const opened = queue();
	const server = await start(t, (request, response) => {
		if (respond?.(request, response)) return;
		response.writeHead(200, { "Content-Type": "text/event-stream" });
		response.write("retry: 1\nid: r1\n\n");
		const closed = new Promise((done) => response.on("close", done));
		opened.put({
			headers: request.headers, closed, end: () => response.end(), comment: () => response.write(": comment\n\n"),
			send: (id, services) => response.write(`event: changed\nid: ${id}\ndata: ${JSON.stringify({ sections: [], services })}\n\n`),
		});
	});
	return { ...server, open: opened.next, opened };
}

// follow starts a follower as one tab. Its events and states are queues.
function follow(t, server, { times = {}, ...options } = {}) {
	const events = queue();
	const states = queue();
	const problems = [];
	const page = options.page ?? new Page();
	const client = new Client({ origin: server.origin, onUnauthenticated: (error) => problems.push(error.code) });
	const follower = new Follower({
		client, name: `test ${server.origin}`, url: "/stream", page, locks: null, onEvent: events.put, onLive: states.put,
		times: { poll: 1e6, hiddenPoll: 1e6, answer: 1e6, leader: 1e6, ...times }, ...options,
	});
	t.after(() => follower.stop());
	follower.start();
	return { follower, events, states, page, problems };
}

// named waits for the event that names a service.
async function named(events, service) {
	for (let event; !event?.services?.includes(service); ) event = await events.next();
}

test("a stream reports everything at first, then its events", async (t) => {
	const server = await streams(t);
	const { events, states, follower } = follow(t, server);
	const stream = await server.open();
	assert.equal(stream.headers.accept, "text/event-stream");
	assert.equal(await states.next(), true);
	assert.deepEqual(await events.next(), {});
	stream.comment();
	stream.send("r2", ["time"]);
	assert.deepEqual(await events.next(), { sections: [], services: ["time"] });
	follower.stop();
	await stream.closed;
	assert.equal(await states.next(), false);
});

test("after an end, the stream continues from the latest event", async (t) => {
	const server = await streams(t);
	const { events } = follow(t, server);
	const first = await server.open();
	await events.next();
	first.send("r2", ["time"]);
	await events.next();
	first.end();
	const second = await server.open();
	assert.equal(second.headers["last-event-id"], "r2");
	second.send("r3", ["social"]);
	assert.deepEqual(await events.next(), { sections: [], services: ["social"] }, "no event without names, because nothing was missed");
});

test("a stream that is silent is given up", async (t) => {
	const server = await streams(t);
	follow(t, server, { times: { silence: 20 } });
	const first = await server.open();
	await server.open();
	await first.closed;
});

test("data that cannot be read means that everything may have changed", async (t) => {
	const server = await streams(t, (_, response) => {
		response.writeHead(200, { "Content-Type": "text/event-stream" });
		response.write("id: r1\n\nevent: changed\nid: r2\ndata: {broken\n\nevent: unknown\ndata: 1\n\n" + 'event: changed\ndata: {"sections":["new"],"services":["new"],"more":1}\n\n');
		return true;
	});
	const { events } = follow(t, server);
	assert.deepEqual([await events.next(), await events.next(), await events.next()], [{}, {}, { sections: ["new"], services: ["new"] }]);
});

test("after failures, the stream is opened again", async (t) => {
	const failures = [[503, 0], [429, 0], [200, 0]];
	const server = await streams(t, (_, response) => {
		if (failures.length === 0) return false;
		const [status] = failures.shift();
		json(response, status, {}); // a page of a proxy has status 200
		return true;
	});
	const { states } = follow(t, server, { times: { longest: 5 } });
	await server.open();
	assert.equal(await states.next(), true);
	assert.equal(server.requests.length, 4);
});

test("the stream waits for Retry-After, or until the member looks at the page again", async (t) => {
	let failed = false;
	const server = await streams(t, (_, response) => !failed && (json(response, 503, {}, { "Retry-After": "3600" }), (failed = true)));
	const { page } = follow(t, server, { locks: new Locks(), times: { longest: 1 } });
	await server.until((list) => list.length === 1);
	const opened = server.open();
	let isOpen = false;
	opened.then(() => (isOpen = true));
	for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 1)); // more than the wait without Retry-After
	assert.equal(isOpen, false);
	page.show(false);
	page.show(true);
	await opened;
});

test("a stream is not opened again after the end of the session", async (t) => {
	const server = await streams(t, (_, response) => (json(response, 401, { error: { code: "unauthenticated", message: "Sign in first." } }), true));
	const { problems, follower } = follow(t, server, { times: { longest: 1 } });
	while (problems.length === 0) await new Promise((done) => setImmediate(done));
	follower.stream.wake();
	assert.deepEqual([problems, server.requests.length], [["unauthenticated"], 1]);
});

test("without a stream, everything is reported at intervals and when the page is shown", async (t) => {
	const server = await streams(t);
	const { events, page, follower } = follow(t, server, { url: undefined, times: { poll: 1 } });
	assert.deepEqual([await events.next(), await events.next()], [{}, {}]);
	follower.stop();
	const slow = follow(t, server, { url: undefined, page: new Page() });
	slow.page.show(false);
	slow.page.show(true);
	assert.deepEqual(await slow.events.next(), {});
	assert.equal(server.requests.length, 0);
	assert.ok(page);
});

test("without locks, a hidden page has no stream", async (t) => {
	const server = await streams(t);
	const page = new Page();
	page.hidden = true;
	const { states, events } = follow(t, server, { page });
	page.show(true);
	const first = await server.open();
	assert.equal(await states.next(), true);
	first.send("r2", ["time"]);
	await named(events, "time");
	page.show(false);
	await first.closed;
	assert.equal(await states.next(), false);
	page.show(true);
	const second = await server.open();
	assert.equal(second.headers["last-event-id"], "r2");
});

test("one tab reads the stream for all", async (t) => {
	const server = await streams(t);
	const locks = new Locks();
	const first = follow(t, server, { locks });
	const stream = await server.open();
	await first.events.next();
	const second = follow(t, server, { locks });
	assert.equal(await second.states.next(), true, "the first tab answers that the stream works");
	stream.send("r2", ["time"]);
	assert.deepEqual(await first.events.next(), { sections: [], services: ["time"] });
	assert.deepEqual(await second.events.next(), { sections: [], services: ["time"] });
	assert.equal(server.requests.length, 1);
	first.follower.stop();
	const next = await server.open();
	assert.equal(next.headers["last-event-id"], "r2", "the second tab continues where the first one stopped");
	next.send("r3", ["social"]);
	assert.deepEqual(await second.events.next(), { sections: [], services: ["social"] });
});

test("a visible tab takes the stream from a silent one", async (t) => {
	const server = await streams(t);
	const locks = new Locks();
	// The holder of the lock never answers, like a tab that the system has suspended.
	let stolen;
	const lost = new Promise((done) => (stolen = done));
	locks.request("", {}, () => new Promise(() => {})).catch(stolen);
	const { events, states } = follow(t, server, { locks, times: { answer: 5 } });
	await server.open();
	assert.equal((await lost).name, "AbortError");
	assert.equal(await states.next(), true);
	assert.deepEqual(await events.next(), {});
});

test("a hidden tab takes the stream only when it becomes visible", async (t) => {
	const server = await streams(t);
	const locks = new Locks();
	locks.request("", {}, () => new Promise(() => {})).catch(() => {});
	const page = new Page();
	page.hidden = true;
	const { events } = follow(t, server, { locks, page, times: { answer: 5, hiddenPoll: 20 } });
	assert.deepEqual(await events.next(), {}, "it asks at intervals meanwhile");
	assert.equal(server.requests.length, 0);
	page.show(true);
	await server.open();
});

test("a tab whose lock has been taken closes its stream and listens to the new one", async (t) => {
	const server = await streams(t);
	const locks = new Locks();
	const first = follow(t, server, { locks });
	const stream = await server.open();
	stream.send("r2", ["social"]);
	await named(first.events, "social");
	first.follower.election.answer = () => ({ kind: "ask" }); // it does not answer, but still runs
	const second = follow(t, server, { locks, times: { answer: 5 } });
	const taken = await server.open();
	await stream.closed;
	taken.send("r5", ["time"]);
	await named(second.events, "time");
	await named(first.events, "time");
	second.follower.stop();
	assert.equal((await server.open()).headers["last-event-id"], "r5", "it reads the stream again when the other tab is closed");
});

test("when the device is back online, everything is read, even if the stream seems to work", async (t) => {
	const target = new EventTarget();
	globalThis.addEventListener = target.addEventListener.bind(target);
	t.after(() => delete globalThis.addEventListener);
	const server = await streams(t);
	const { events, states } = follow(t, server);
	await server.open();
	assert.equal(await states.next(), true);
	assert.deepEqual(await events.next(), {});
	target.dispatchEvent(new Event("online"));
	assert.deepEqual(events.values, [{}]);
});
