import assert from "node:assert/strict";
import { test } from "node:test";
import { MemberCache } from "../../../assets/web/world/cache.js";
import { Client } from "../../../assets/web/world/client.js";
import { Reader } from "../../../assets/web/world/reader.js";
import { Store } from "../../../assets/web/world/store.js";
import { json, start } from "./server.js";
import { FakeDatabase } from "./storage.js";

const open = { action_id: "a", target: { kind: "member" }, type: "open" };
const lists = { objects: [], contexts: [], actions: [open], findings: [] };

// world returns a scripted World of member 1, and a function that opens a page of its app.
async function world(t) {
	const state = { down: false, panel: 1, control: "private, no-cache" };
	const server = await start(t, (request, response) => {
		const { pathname, searchParams } = new URL(request.url, "http://x");
		if (state.down) return void response.destroy();
		const data = {
			"/session": { runtime_session: { user_id: 1 }, n: 1 },
			"/dataset": { ...lists, member: { member_id: 1 }, capabilities: { changes: { revision: "1", url: "/dataset?since=1" } } },
			"/panel": { panel: state.panel },
		}[pathname];
		const etag = `W/"${pathname === "/panel" ? state.panel : 1}"`;
		if (request.headers["if-none-match"] === etag && (searchParams.get("since") === "1" || pathname !== "/dataset")) return void response.writeHead(304, { ETag: etag, "Cache-Control": state.control }).end();
		json(response, 200, data, { ETag: etag, "Cache-Control": state.control });
	});
	const database = new FakeDatabase();
	const visit = () => {
		const store = new Store();
		const stored = new MemberCache({ memberId: () => store.memberId, database, isSecure: true, cookies: () => "service_member=1", pictures: { keys: async () => [] } });
		const contacts = [];
		const client = new Client({ origin: server.origin, memberCache: stored, onContact: (reached) => contacts.push(reached) });
		const reader = new Reader({ client, store, paths: { session: "/session", dataset: "/dataset" }, wait: 1, random: () => 0.5 });
		t.after(() => reader.stop());
		return { store, stored, client, reader, contacts };
	};
	return { ...server, state, database, visit, statuses: (from) => server.requests.slice(from).map(({ url, headers }) => `${url} ${headers["if-none-match"] ?? ""}`.trim()) };
}

test("a visit begins with the stored dataset, and reads only changes", async (t) => {
	const { visit, statuses, requests } = await world(t);
	const first = visit();
	assert.equal(await first.reader.restore(), false);
	await first.reader.open();
	await first.reader.watch("/panel", [], () => {}).ready;
	await first.stored.flush();
	const { length } = requests;
	const { reader, store } = visit();
	assert.equal(await reader.restore(), true);
	assert.equal(requests.length, length);
	assert.deepEqual([store.session.n, store.memberId, store.dataset.member.member_id, store.actions(["a"])], [1, 1, 1, []]);
	const { session } = store;
	const panels = [];
	await Promise.all([reader.open(), reader.watch("/panel", [], (panel) => panels.push(panel.panel)).ready]);
	assert.equal(store.session, session);
	assert.deepEqual([store.revision, store.actions(["a"])], ["1", [open]]);
	assert.deepEqual(panels, [1]);
	assert.deepEqual(statuses(length).sort(), ['/dataset?since=1 W/"1"', '/panel W/"1"', '/session W/"1"']);
});

test("the actions of another version are not added to a restored dataset: the dataset is read as a whole", async (t) => {
	const { visit, statuses, requests, database } = await world(t);
	const first = visit();
	await first.reader.open();
	await first.stored.flush();
	const { length } = requests;
	await database.put("responses", { ...(await database.get("responses", ["1", "/dataset#rest"])), etag: 'W/"0"' });
	const { reader, store } = visit();
	assert.equal(await reader.restore(), true);
	await reader.restoreRest();
	assert.deepEqual([store.revision, store.actions(["a"])], ["", []]);
	await reader.open();
	assert.deepEqual([store.revision, store.actions(["a"])], ["1", [open]]);
	assert.deepEqual(statuses(length).sort(), ["/dataset", '/session W/"1"']);
});

test("a dataset that arrives before the rest of the restored one replaces both", async (t) => {
	const { visit } = await world(t);
	const first = visit();
	await first.reader.open();
	await first.stored.flush();
	const { reader, store } = visit();
	await reader.restore();
	const newer = { ...lists, member: { member_id: 1 }, capabilities: { changes: { revision: "2", url: "/dataset?since=2" } } };
	store.setDataset(newer);
	await reader.restoreRest();
	assert.equal(store.dataset, newer);
});

test("without a server, a panel of an earlier visit is shown and read later", async (t) => {
	const { visit, state, until, requests } = await world(t);
	const first = visit();
	await first.reader.open();
	await first.reader.watch("/panel", [], () => {}).ready;
	assert.equal(first.reader.isCurrent("/panel"), true);
	await first.stored.flush();
	state.down = true;
	state.panel = 2;
	const { reader, contacts } = visit();
	await reader.restore();
	await assert.rejects(reader.open(), { code: "network" });
	let shown;
	const seen = new Promise((done) => (shown = done));
	const panels = [];
	await reader.watch("/panel", [], ({ panel }) => (panels.push(panel), panel === 2 && shown())).ready;
	assert.deepEqual([panels, reader.isCurrent("/panel"), contacts.includes(true)], [[1], false, false]);
	await assert.rejects(reader.watch("/unknown", [], () => {}).ready, { code: "network" });
	state.down = false;
	await until((list) => list.length > requests.length - 1);
	await seen;
	assert.deepEqual([panels, reader.isCurrent("/panel")], [[1, 2], true]);
});

test("a removed record is stored again, although it has not changed", async (t) => {
	const { visit } = await world(t);
	const first = visit();
	await first.reader.open();
	await first.stored.flush();
	await first.stored.wipe(); // the session has ended, and the same member signs in again
	first.client.clearCache();
	await first.reader.open();
	await first.stored.flush();
	assert.equal(await visit().reader.restore(), true);
});

test("a response that must not be stored is not", async (t) => {
	const { visit, state } = await world(t);
	state.control = "private, no-store";
	const first = visit();
	await first.reader.open();
	await first.reader.watch("/panel", [], () => {}).ready;
	await first.stored.flush();
	const { reader, stored } = visit();
	assert.equal(await reader.restore(), false);
	assert.equal(await stored.get("/panel"), undefined);
});

test("proxies that do not reach the server, and pages of networks, are no contact", async (t) => {
	const server = await start(t, (request, response) => {
		const status = Number(request.url.slice(1));
		response.writeHead(status, { Location: "/sign-in" }).end("<p>");
	});
	const contacts = [];
	const client = new Client({ origin: server.origin, onContact: (reached) => contacts.push(reached) });
	for (const status of [502, 504, 302, 200, 404, 503]) await client.request("GET", `/${status}`).catch(() => {});
	assert.deepEqual(contacts, [false, false, false, false, true, true]);
});
