import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../../assets/web/world/client.js";
import { Dispatcher, requestOf, withQuery } from "../../../assets/web/world/dispatch.js";
import { Store } from "../../../assets/web/world/store.js";
import { json, start } from "./server.js";

const control = (id, type, value = null, more = {}) => ({ id, type, label: id, required: false, default: value, ...more });
const action = (parts = {}) => ({
	action_id: "a1", type: "create_time_object", controls: [],
	command: { method: "POST", url: "/things", encodings: ["application/json", "application/x-www-form-urlencoded"], body: {} }, ...parts,
});

test("requestOf sends the body of the command with the values of the controls", () => {
	const create = action({
		controls: [control("title", "text", ""), control("zone", "timezone", "Europe/Berlin"), control("all_day", "checkbox", false), control("remind", "duration"), control("notes", "textarea", "old")],
		command: { method: "POST", url: "/things", encodings: ["application/json"], body: { object_type: "task" } },
	});
	assert.deepEqual(requestOf(create, { title: "Taxes", notes: "" }).body, { object_type: "task", title: "Taxes", zone: "Europe/Berlin", all_day: false, notes: "" });
	assert.deepEqual(requestOf(create, { title: "x", notes: null }, { scope: "all" }).body, { object_type: "task", title: "x", zone: "Europe/Berlin", all_day: false, notes: null, scope: "all" });
	assert.throws(() => requestOf(create, { name: "x" }), /no control name/);
});

test("requestOf accepts forms of panels, items of the dock and undo", () => {
	assert.deepEqual(requestOf({ method: "GET", url: "/panel", body: {}, controls: [control("q", "text"), control("kinds", "selector", ["a"], { multiple: true })] }, { q: "ä b", kinds: ["x", "y"] }), { method: "GET", path: "/panel?q=%C3%A4+b&kinds=x&kinds=y" });
	assert.deepEqual(requestOf({ method: "PATCH", url: "/x", body: { state: "open" } }), { method: "PATCH", path: "/x", body: { state: "open" }, headers: {} });
});

test("requestOf encodes a form if the action does not accept JSON", () => {
	const form = requestOf(action({ command: { method: "POST", url: "/x", encodings: ["application/x-www-form-urlencoded"], body: { place: { area: "carry" }, ids: [1, 2], none: null, yes: true } } }));
	assert.equal(form.headers["Content-Type"], "application/x-www-form-urlencoded");
	assert.equal(decodeURIComponent(form.body), "place[area]=carry&ids=1&ids=2&yes=true");
});

test("requestOf sends a file as the body and the other controls as the query", () => {
	const upload = action({ controls: [control("file", "file", null, { accept: ["image/png", "text/calendar"] }), control("name", "text", "n")], command: { method: "PUT", url: "/x", encodings: ["image/png"], body: {} } });
	const picture = new Blob(["x"], { type: "image/png" });
	assert.deepEqual(requestOf(upload, { file: picture }), { method: "PUT", path: "/x?name=n", body: picture, headers: { "Content-Type": "image/png" }, isFile: true });
	for (const [name, type, want] of [["a.ics", "", "text/calendar"], ["a.PNG", "application/x", "image/png"], ["a.gif", "image/gif", "image/gif"], ["a", "", "image/png"]]) {
		assert.equal(requestOf(upload, { file: new File(["x"], name, { type }) }).headers["Content-Type"], want, name);
	}
	assert.throws(() => requestOf(upload, { file: "a.png" }), /not a file/);
});

test("withQuery replaces and adds parameters", () => {
	assert.equal(withQuery("/x?a=1&b=2", { a: "3", c: ["4", "5"], d: null }), "/x?b=2&a=3&c=4&c=5");
	assert.equal(withQuery("/x", {}), "/x");
});

const lists = () => ({ objects: [], contexts: [], actions: [], findings: [] });
const dataset = (revision, parts = {}) => ({ ...lists(), member: { member_id: 1 }, capabilities: { changes: { revision, url: `/dataset?radius=1000&since=${revision}` } }, field: { origin: null }, ...parts });
const changes = (since, revision) => ({ ...dataset(revision), delta: { since, revision, changed: lists(), gone: lists(), after: { objects: {}, contexts: {}, actions: {}, findings: {} }, items: {} } });

// connect returns a dispatcher of a scripted server, and the calls of its reader.
async function connect(t, respond, options = {}) {
	const server = await start(t, respond);
	const store = new Store();
	store.setDataset(dataset("r1"));
	const reads = [];
	const reader = { refreshParts: (event = {}) => reads.push(event) };
	const dispatcher = new Dispatcher({ client: new Client({ origin: server.origin }), store, reader, isLive: () => true, wait: 1, ...options });
	return { ...server, dispatcher, store, reads };
}

test("a write asks for the changes of the dataset and applies them", async (t) => {
	const { dispatcher, store, reads, requests } = await connect(t, (_, response) => json(response, 201, { id: 7, refresh: { sections: ["objects"] }, dataset: changes("r1", "r2") }));
	const data = await dispatcher.perform(action({ command: { method: "POST", url: "/things?x=1", encodings: [], body: {} } }));
	assert.equal(data.id, 7);
	assert.equal(requests[0].url, "/things?x=1&radius=1000&since=r1&return=dataset");
	assert.match(requests[0].headers["idempotency-key"], /^[0-9a-f]{32}$/);
	assert.equal(store.revision, "r2");
	assert.deepEqual(reads, []);
});

test("sections that a response does not contain are read", async (t) => {
	let data;
	const { dispatcher, store, reads } = await connect(t, (_, response) => json(response, 200, data));
	for (const [about, answer, want] of [
		["the stream reports it", {}, 0], ["changes of another revision", { dataset: changes("r0", "r9") }, 1], ["refresh without a dataset", { refresh: { sections: [] } }, 1],
		["another position", { dataset: dataset("r3", { field: { origin: { latitude: 1, longitude: 2 } } }) }, 1], ["the whole dataset", { dataset: dataset("r4") }, 0],
	]) {
		data = answer;
		reads.length = 0;
		await dispatcher.perform(action());
		assert.equal(reads.length, want, about);
	}
	assert.equal(store.revision, "r4");
});

test("without the stream, a write is followed by reads", async (t) => {
	const { dispatcher, reads } = await connect(t, (_, response) => json(response, 200, {}), { isLive: () => false });
	await dispatcher.post("/things/1/close");
	assert.deepEqual(reads, [{}]);
});

test("a whole dataset that may be older than the present one is not applied", async (t) => {
	let store;
	const connected = await connect(t, (_, response) => {
		store.setDataset(changes("r1", "r2"));
		json(response, 200, { dataset: dataset("r1b") });
	});
	({ store } = connected);
	await connected.dispatcher.perform(action());
	assert.equal(store.revision, "r2");
	assert.equal(connected.reads.length, 1);
});

test("a write without a response is repeated with the same key", async (t) => {
	let lost = 2;
	const { dispatcher, requests } = await connect(t, (_, response) => (lost-- > 0 ? response.destroy() : json(response, 201, { id: 1 })));
	assert.deepEqual(await dispatcher.perform(action(), {}, { key: "k1" }), { id: 1 });
	assert.deepEqual(requests.map(({ headers }) => headers["idempotency-key"]), ["k1", "k1", "k1"]);
});

test("writes whose responses the server does not store are not repeated", async (t) => {
	const { dispatcher, requests } = await connect(t, (_, response) => response.destroy());
	const file = action({ controls: [control("file", "file")] });
	for (const [performed, values] of [[action({ type: "member.device.create" })], [action({ type: "admin.member.add" })], [action({ type: "create_calendar_feed" })], [file, { file: new Blob(["x"]) }]]) {
		const before = requests.length;
		await assert.rejects(dispatcher.perform(performed, values), { code: "network", hasResponse: false });
		assert.equal(requests.length - before, 1, performed.type);
	}
});

test("a write that the server has answered is not repeated", async (t) => {
	let status;
	const { dispatcher, requests, reads } = await connect(t, (_, response) => json(response, status, { error: { code: "c", message: "m" } }, { "Retry-After": "3" }));
	for (const [code, read] of [[401, 0], [403, 1], [404, 1], [409, 1], [412, 0], [422, 0], [429, 0], [503, 0]]) {
		status = code;
		const before = requests.length;
		reads.length = 0;
		await assert.rejects(dispatcher.perform(action()), { status: code, retryAfter: 3 });
		assert.deepEqual([requests.length - before, reads.length], [1, read], `status ${code}`);
	}
});

test("after an intercepted write, a read shows whether other requests reach the server", async (t) => {
	const { dispatcher, reads } = await connect(t, (_, response) => { response.writeHead(403, { "Content-Type": "text/html" }).end("<h1>Blocked</h1>"); });
	reads.length = 0;
	await assert.rejects(dispatcher.perform(action(), {}, { attempts: 1 }), { code: "intercepted" });
	assert.equal(reads.length, 1);
});

test("the ETag of the record is sent as If-Match", async (t) => {
	const { dispatcher, requests } = await connect(t, (_, response) => json(response, 200, {}));
	await dispatcher.perform(action(), {}, { etag: '"v1"' });
	assert.equal(requests[0].headers["if-match"], '"v1"');
});

test("an action with the method GET is a read", async (t) => {
	const { dispatcher, requests, reads } = await connect(t, (_, response) => json(response, 200, { panel: 1 }), { isLive: () => false });
	assert.deepEqual(await dispatcher.perform({ method: "GET", url: "/panel", body: { view: "week" } }), { panel: 1 });
	assert.deepEqual([requests[0].url, requests[0].headers["idempotency-key"], reads.length], ["/panel?view=week", undefined, 0]);
});

// Surfaces replace those of the session.
test("surfaces in a response replace those of the session", async (t) => {
	const { dispatcher, store } = await connect(t, (_, response) => json(response, 200, { surface_runtime: { revision: 2, surfaces: [{ surface_id: "s2" }] } }));
	store.setSession({ runtime_session: { user_id: 1 }, surface_runtime: { revision: 1, surfaces: [{ surface_id: "s1" }] } });
	await dispatcher.post("/surfaces/s2/placement", { placement_mode: "stacked" });
	assert.ok(store.surface("s2") && !store.surface("s1"));
});

test("nothing is written after another member has signed in to the browser", async (t) => {
	let signedIn = "1";
	const { dispatcher, store, requests } = await connect(t, (_, response) => json(response, 200, {}), { signedIn: () => signedIn });
	await dispatcher.perform(action());
	let told = 0;
	store.onOtherMember = () => told++;
	signedIn = "2";
	await assert.rejects(dispatcher.perform(action()), { code: "other_member" });
	assert.deepEqual([requests.length, told], [1, 1]);
	signedIn = null; // unknown
	await dispatcher.perform(action());
	assert.equal(requests.length, 2);
});

test("writes that set the state of one record are sent one after the other, so that the last state wins", async (t) => {
	const arrived = [];
	const { dispatcher, until } = await connect(t, (request, response) => {
		arrived.push({ url: request.url.split("?")[0], ...JSON.parse(request.text), answer: (status) => json(response, status, {}) });
	});
	const set = (url, visible) => dispatcher.perform({ method: "PATCH", url, body: { visible } });
	const post = (url, visible) => dispatcher.post(url, { visible }, { ordered: true });
	const first = set("/calendars/1", false).catch(({ status }) => status);
	const second = post("/calendars/1", true);
	const other = post("/calendars/2", true);
	await until((list) => list.length === 2);
	await new Promise((done) => setTimeout(done, 20));
	assert.deepEqual(arrived.map(({ url, visible }) => [url, visible]), [["/calendars/1", false], ["/calendars/2", true]]);
	arrived[0].answer(422);
	assert.equal(await first, 422);
	await until((list) => list.length === 3);
	await new Promise((done) => setTimeout(done, 20));
	assert.deepEqual([arrived[2].url, arrived[2].visible], ["/calendars/1", true], "an error does not stop the writes after it");
	arrived[1].answer(200);
	arrived[2].answer(200);
	await Promise.all([second, other]);
});
