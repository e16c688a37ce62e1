import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../../assets/web/world/client.js";
import { Reader } from "../../../assets/web/world/reader.js";
import { Store } from "../../../assets/web/world/store.js";
import { json, queue, start } from "./server.js";

const lists = () => ({ objects: [], contexts: [], actions: [], findings: [] });

// world returns a scripted World: its state is `world.revision` and `world.panel`, and
// `world.before` is called before each response.
async function world(t, options = {}) {
	const state = { revision: 1, panel: 1, before: async () => {} };
	const server = await start(t, async (request, response) => {
		const answer = await state.before(request, response);
		if (answer === "done") return;
		const { pathname, searchParams } = new URL(request.url, "http://x");
		const versions = { "/session": state.revision, "/dataset": state.revision, "/panel": state.panel };
		const etag = `W/"${versions[pathname]}"`;
		if (request.headers["if-none-match"] === etag) return void response.writeHead(304, { ETag: etag }).end();
		if (pathname === "/session") return json(response, 200, { runtime_session: { user_id: 1 }, revision: state.revision }, { ETag: etag });
		if (pathname === "/panel") return json(response, 200, { panel: state.panel }, { ETag: etag });
		const since = searchParams.get("since");
		const revision = String(state.revision);
		const dataset = { ...lists(), member: { member_id: 1 }, capabilities: { changes: { revision, url: `/dataset?since=${revision}` } } };
		if (since) {
			const changed = since === revision ? [] : [`o${revision}`];
			dataset.objects = changed.map((id) => ({ world_object_id: id }));
			dataset.delta = { since, revision, changed: { ...lists(), objects: changed }, gone: lists(), after: { ...lists(), objects: Object.fromEntries(changed.map((id) => [id, null])) }, items: {} };
		}
		json(response, 200, dataset, { ETag: etag });
	});
	const client = new Client({ origin: server.origin });
	const store = new Store();
	const problems = queue();
	const reader = new Reader({ client, store, paths: { session: "/session", dataset: "/dataset" }, onProblem: (error, part) => problems.put([error.status, part]), wait: 1, ...options });
	t.after(() => reader.stop());
	return { ...server, state, client, store, reader, problems, urls: () => server.requests.map(({ url }) => url) };
}

test("open reads session and dataset, later only changes", async (t) => {
	const { reader, store, state, requests, urls } = await world(t);
	await reader.open();
	assert.deepEqual(urls().sort(), ["/dataset", "/session"]);
	await reader.read("dataset");
	assert.equal(requests.at(-1).headers["if-none-match"], 'W/"1"');
	state.revision = 2;
	await reader.read("dataset");
	assert.deepEqual(urls().slice(2), ["/dataset?since=1", "/dataset?since=1"]);
	assert.ok(store.object("o2"));
	assert.equal(store.revision, "2");
});

test("events during a read cause one more read", async (t) => {
	const { reader, state, until, urls } = await world(t);
	let release;
	const held = new Promise((done) => (release = done));
	state.before = async () => held;
	const first = reader.read("dataset");
	await until((list) => list.length === 1);
	const others = [reader.read("dataset"), reader.read("dataset"), reader.read("dataset")];
	release();
	await Promise.all([first, ...others]);
	assert.deepEqual(urls(), ["/dataset", "/dataset?since=1"]);
});

test("changes that do not apply, because a write has changed the dataset, are read again", async (t) => {
	const { reader, store, state, urls } = await world(t);
	await reader.open();
	state.revision = 2;
	state.before = async (request) => {
		if (request.url !== "/dataset?since=1") return;
		state.before = async () => {};
		store.setDataset({ ...lists(), member: { member_id: 1 }, capabilities: { changes: { revision: "1b", url: "/dataset?since=1b" } } });
	};
	await reader.read("dataset");
	assert.deepEqual(urls().slice(2), ["/dataset?since=1", "/dataset?since=1b"]);
	assert.equal(store.revision, "2");
});

test("keep reads a panel, and again when one of its services has changed", async (t) => {
	const { reader, state, urls } = await world(t);
	const panels = queue();
	const { ready, release } = reader.watch("/panel", ["time", "social"], ({ panel }) => panels.put(panel));
	await ready;
	assert.equal(await panels.next(), 1);
	state.panel = 2;
	reader.refreshParts({ sections: [], services: ["messages"] });
	reader.refreshParts({ sections: [], services: ["social"] });
	assert.equal(await panels.next(), 2);
	assert.deepEqual(urls().filter((url) => url === "/panel").length, 2);
	const second = queue();
	const again = reader.watch("/panel", ["time", "social"], ({ panel }) => second.put(panel));
	assert.deepEqual(second.values, [2], "a known panel is there at once");
	await again.ready;
	assert.deepEqual(panels.values, [], "a panel that has not changed is not reported");
	release();
	again.release();
	state.panel = 3;
	reader.refreshParts({});
	await reader.read("session");
	await reader.read("dataset");
	assert.equal(urls().filter((url) => url === "/panel").length, 3, "a panel that is not shown is not read");
});

test("an event without sections of the dataset reads the session and panels only", async (t) => {
	const { reader, urls } = await world(t);
	await reader.open();
	reader.refreshParts({ sections: [], services: ["identity"] });
	await reader.read("session");
	assert.deepEqual(urls().slice(2).filter((url) => url.startsWith("/dataset")), []);
});

test("the first read of a panel reports its error", async (t) => {
	const { reader, state } = await world(t);
	state.before = async (_, response) => (json(response, 403, { error: { code: "permission_denied", message: "No." } }), "done");
	await assert.rejects(reader.watch("/panel", [], () => {}).ready, { status: 403 });
});

test("a panel that cannot be read any more is reported with the error", async (t) => {
	const { reader, state } = await world(t);
	const calls = queue();
	await reader.watch("/panel", ["time"], (panel, error) => calls.put([panel.panel, error?.status])).ready;
	assert.deepEqual(await calls.next(), [1, undefined]);
	state.before = async (request, response) => request.url === "/panel" && (json(response, 404, { error: { code: "not_found", message: "Gone." } }), "done");
	reader.refreshParts({ sections: [], services: ["time"] });
	assert.deepEqual(await calls.next(), [1, 404]);
});

test("a panel is shown again after an error, also if it has not changed", async (t) => {
	const { reader, state } = await world(t);
	const calls = queue();
	const { ready } = reader.watch("/panel", ["x"], (data, error) => calls.put(error ? error.status : data.panel));
	await ready;
	assert.equal(await calls.next(), 1);
	state.before = async (_, response) => { json(response, 403, { error: { code: "permission_denied", message: "No." } }); return "done"; };
	reader.refreshParts({ services: ["x"] });
	assert.equal(await calls.next(), 403);
	state.before = async () => {};
	reader.refreshParts({ services: ["x"] });
	assert.equal(await calls.next(), 1);
});

test("a read in the background that fails for a time is repeated", async (t) => {
	const { reader, store, state, problems } = await world(t);
	await reader.open();
	state.revision = 2;
	let failures = 3;
	state.before = async (request, response) => {
		if (!request.url.startsWith("/dataset") || failures-- <= 0) return;
		json(response, 503, { error: { code: "service_unavailable", message: "Busy.", retryable: true } });
		return "done";
	};
	const updated = new Promise((done) => store.subscribe(["objects"], done));
	reader.refreshParts({});
	await updated;
	assert.equal(store.revision, "2");
	assert.deepEqual(problems.values.filter(([, part]) => part === "dataset"), [[503, "dataset"], [503, "dataset"], [503, "dataset"]]);
});

test("a read that cannot succeed is not repeated", async (t) => {
	const { reader, state, problems, urls } = await world(t);
	await reader.open();
	state.before = async (_, response) => (json(response, 403, { error: { code: "permission_denied", message: "No.", retryable: false } }), "done");
	reader.refreshParts({});
	assert.deepEqual([await problems.next(), await problems.next()].sort(), [[403, "dataset"], [403, "session"]]);
	assert.equal(urls().length, 4);
});

test("nothing is read after stop", async (t) => {
	const { reader, store, state, until, urls } = await world(t);
	await reader.open();
	let release;
	const held = new Promise((done) => (release = done));
	state.revision = 2;
	state.before = () => held;
	const reading = reader.read("dataset");
	await until((list) => list.length === 3);
	reader.stop();
	release();
	await reading;
	reader.refreshParts({});
	assert.equal(store.revision, "1", "the response of the read in progress is not applied");
	assert.equal(urls().length, 3);
});

test("a panel that is released is not read again after a failure", async (t) => {
	const { reader, state, urls } = await world(t);
	await reader.open();
	const { ready, release } = reader.watch("/panel", ["time"], () => {});
	await ready;
	state.before = async (request, response) => {
		if (request.url !== "/panel") return undefined;
		json(response, 503, { error: { code: "service_unavailable", message: "Busy.", retryable: true } });
		return "done";
	};
	reader.refreshParts({ sections: [], services: ["time"] });
	const panelReads = () => urls().filter((url) => url === "/panel").length;
	while (panelReads() < 3) await new Promise((done) => setTimeout(done, 5));
	release();
	await new Promise((done) => setTimeout(done, 20)); // a request may be in progress
	const count = panelReads();
	await new Promise((done) => setTimeout(done, 100));
	assert.equal(panelReads(), count);
});

test("a session that is older than the surfaces of a write meanwhile is read again", async (t) => {
	const { reader, store, state, urls } = await world(t);
	await reader.open();
	const surfaces = (ids) => ids.map((id) => ({ surface_id: id }));
	const session = (revision, ...ids) => ({ runtime_session: { user_id: 1 }, surface_runtime: { revision, surfaces: surfaces(ids) } });
	store.setSession(session(4, "a"));
	let isFirst = true;
	state.before = async (_, response) => {
		if (isFirst) store.setSurfaces(session(5, "a", "b").surface_runtime);
		json(response, 200, isFirst ? session(4, "a") : session(5, "a", "b"));
		isFirst = false;
		return "done";
	};
	await null; // the subscribers of setSession
	const seen = [];
	store.subscribe(["session"], () => seen.push(Boolean(store.surface("b"))));
	await reader.read("session");
	assert.equal(urls().filter((url) => url === "/session").length, 3);
	assert.ok(store.surface("b"));
	assert.deepEqual(seen.filter((has) => !has), [], "the new surface is never missing");
});

test("a session with an older revision is accepted if no write has changed it meanwhile", async (t) => {
	const { reader, store, state } = await world(t);
	await reader.open();
	const session = (revision) => ({ runtime_session: { user_id: 1 }, surface_runtime: { revision, surfaces: [] } });
	store.setSession(session(9));
	state.before = async (_, response) => (json(response, 200, session(2)), "done"); // such as after the restore of a backup
	await reader.read("session");
	assert.equal(store.session.surface_runtime.revision, 2);
});
