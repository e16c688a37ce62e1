import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../../assets/web/world/store.js";

// dataset returns a dataset of a member at a revision.
const dataset = (revision, parts = {}) => ({
	member: { member_id: 1 }, capabilities: { changes: { revision, url: `/changes?since=${revision}` }, stream: { url: "/stream" } },
	objects: [], contexts: [], actions: [], findings: [], fallbacks: [], ...parts,
});
// changes returns the changes from one revision to another, with the given objects.
const changes = (since, revision, objects) => ({
	...dataset(revision, { objects }),
	delta: {
		since, revision, changed: { objects: objects.map((o) => o.world_object_id), contexts: [], actions: [], findings: [] },
		gone: { objects: [], contexts: [], actions: [], findings: [] },
		after: { objects: Object.fromEntries(objects.map((o) => [o.world_object_id, null])), contexts: {}, actions: {}, findings: {} }, items: {},
	},
});
const session = (parts = {}) => ({ runtime_session: { user_id: 1 }, capabilities: {}, services: [], ...parts });
const settled = () => new Promise((done) => setImmediate(done));

test("subscribers learn the changed sections once for each task", async () => {
	const store = new Store();
	const [all, objects, ended] = [[], [], []];
	store.subscribe(null, (changed) => all.push([...changed].sort()));
	store.subscribe(["objects"], (changed) => objects.push([...changed].length));
	const end = store.subscribe(["objects"], () => ended.push(1));
	end();
	store.setSession(session());
	store.setDataset(dataset("r1"));
	await settled();
	store.setDataset(changes("r1", "r2", [{ world_object_id: "o1" }]));
	await settled();
	store.setSession(session());
	await settled();
	assert.equal(all.length, 3);
	assert.deepEqual(all[1], ["capabilities", "objects"]);
	assert.deepEqual(all[2], ["session"]);
	assert.equal(objects.length, 2);
	assert.deepEqual(ended, []);
});

test("a subscriber that fails does not stop the others", async (t) => {
	const errors = [];
	t.mock.method(console, "error", () => {});
	globalThis.reportError = (error) => errors.push(error.message);
	t.after(() => delete globalThis.reportError);
	const store = new Store();
	const seen = [];
	store.subscribe(null, () => {
		throw new Error("broken");
	});
	store.subscribe(null, () => seen.push(1));
	store.setDataset(dataset("r1"));
	await settled();
	assert.deepEqual([errors, seen], [["broken"], [1]]);
});

test("changes apply to their own revision only", () => {
	const store = new Store();
	assert.equal(store.setDataset(dataset("r1")), true);
	assert.equal(store.setDataset(changes("r0", "r2", [{ world_object_id: "o1" }])), false);
	assert.equal(store.object("o1"), undefined);
	assert.equal(store.setDataset(changes("r1", "r2", [{ world_object_id: "o1" }])), true);
	assert.ok(store.object("o1"));
	assert.equal(store.setDataset(changes("r1", "r2", [])), true, "the same changes again");
	assert.ok(store.object("o1"));
	assert.equal(store.changesURL, "/changes?since=r2");
});

test("records are found by their ids, also after changes", () => {
	const store = new Store();
	assert.equal(store.object("o1"), undefined);
	store.setDataset(dataset("r1", {
		objects: [{ world_object_id: "o1", title: "old", actions: ["a1", "unknown"] }], contexts: [{ context_id: "c1", items: [] }], findings: [{ finding_id: "f1" }],
		actions: [
			{ action_id: "a1", type: "update", target: { kind: "object", world_object_id: "o1" } }, { action_id: "a2", type: "create", target: { kind: "workspace" } },
			{ action_id: "a3", type: "new kind" },
		],
	}));
	assert.equal(store.object("o1").title, "old");
	assert.ok(store.context("c1") && store.finding("f1"));
	assert.deepEqual(store.actions(store.object("o1").actions).map((a) => a.action_id), ["a1"]);
	assert.equal(store.actionOn("o1", "update").action_id, "a1");
	assert.equal(store.actionOn("workspace", "create").action_id, "a2");
	assert.equal(store.actionOn("o1", "delete"), undefined);
	store.setDataset(changes("r1", "r2", [{ world_object_id: "o1", title: "new" }]));
	assert.equal(store.object("o1").title, "new");
	store.setDataset(dataset("r3"));
	assert.equal(store.object("o1"), undefined);
	assert.deepEqual(store.actionsOn("o1"), []);
});

test("reason returns the fallback of an action that is not available", () => {
	const store = new Store();
	store.setDataset(dataset("r1", { fallbacks: [{ fallback_id: "fb", message: "Switched off." }] }));
	assert.equal(store.reason({ availability: "disabled", fallback: "fb" }).message, "Switched off.");
	assert.equal(store.reason({ availability: "enabled", fallback: null }), undefined);
});

test("data of another member replaces everything", () => {
	let others = 0;
	const store = new Store({ onOtherMember: () => others++ });
	store.setSession(session());
	store.setDataset(dataset("r1", { objects: [{ world_object_id: "o1" }] }));
	assert.equal(others, 0);
	store.setSession(session({ runtime_session: { user_id: 2 } }));
	assert.equal(others, 1);
	assert.equal(store.dataset, null);
	store.setDataset({ ...dataset("x"), member: { member_id: 3 } });
	assert.equal(others, 2);
	assert.equal(store.session, null);
});

//
test("setSurfaces replaces the surfaces, except by older ones", async () => {
	const store = new Store();
	store.setSession(session({ surface_runtime: { revision: 5, surfaces: [{ surface_id: "s1" }] } }));
	store.setSurfaces({ revision: 4, surfaces: [] });
	assert.ok(store.surface("s1"));
	store.setSurfaces({ revision: 6, surfaces: [{ surface_id: "s2" }] });
	assert.equal(store.surface("s1"), undefined);
	assert.ok(store.surface("s2"));
});

test("clear removes everything and tells the subscribers", async () => {
	const store = new Store();
	store.setSession(session());
	store.setDataset(dataset("r1"));
	await settled();
	let changed;
	store.subscribe(null, (sections) => (changed = sections));
	store.clear();
	await settled();
	assert.ok(changed.has("session") && changed.has("objects"));
	assert.deepEqual([store.memberId, store.revision, store.streamURL], [null, "", undefined]);
});
