import assert from "node:assert/strict";
import { test } from "node:test";
import { Block } from "../../../assets/web/settings/block.js";
import { openPage } from "../dom.js";

const settled = () => new Promise((done) => setTimeout(done));

// setUp returns a Block of a paginated panel, its requests for pages, and its panels: path → { show, fail }.
async function setUp(options) {
	const document = openPage();
	const panels = {};
	const requests = [];
	const errors = [];
	const controller = new AbortController();
	const scope = { signal: controller.signal, add: () => {} };
	const frame = { more: () => "More", network: () => "No network" };
	const app = {
		words: new Proxy({ frame }, { get: (own, name) => own[name] ?? (() => String(name)) }),
		scope: () => ({ end: () => {}, panel: (url, _, show, fail) => (panels[url] = { show, fail }) }),
		reader: { read: async () => {} }, actions: { showError: (error) => errors.push(error.code) },
		client: { read: (url) => new Promise((done, failed) => requests.push({ url, done: (data) => done({ data }), failed })) },
	};
	const rows = [];
	const block = new Block(app, scope, {
		url: "/members", lists: ["members"],
		parts: (panel) => (rows.splice(0, rows.length, ...panel.members.map(({ id }) => id)), []), ...options,
	});
	document.body.append(block.element);
	await settled();
	return { app, block, panels, requests, errors, rows, controller };
}

const page = (ids, next = null) => ({ members: ids.map((id) => ({ id })), sections: [], page: { next } });

test("later pages that are read again do not appear among the results of a new search", async () => {
	const { block, panels, requests, rows } = await setUp();
	panels["/members"].show(page(["ann"], "/members?cursor=1"));
	block.element.querySelector(".more-btn").click();
	requests[0].done(page(["bea"]));
	await settled();
	assert.deepEqual(rows, ["ann", "bea"]);
	const reload = block.reload();
	await settled();
	block.setQuery({ q: "cem" });
	panels["/members?q=cem"].show(page(["cem"]));
	requests[1].done(page(["bea"]));
	await reload;
	assert.deepEqual(rows, ["cem"]);
});

test("a search that fails is reported, because the shown rows are not its results", async () => {
	const { block, panels, errors, rows } = await setUp();
	panels["/members"].show(page(["ann"]));
	block.setQuery({ q: "cem" });
	panels["/members?q=cem"].fail({ status: 0, code: "network", retryable: true }, false);
	assert.deepEqual(errors, ["network"]);
	assert.deepEqual(rows, ["ann"]);
});

test("a reload that fails after the view has ended does not leave the next view", async () => {
	let count = 0;
	const { app, block, panels, controller } = await setUp({ gone: () => count++ });
	panels["/members"].show(page(["ann"]));
	app.reader.read = async () => {
		controller.abort();
		throw Object.assign(new Error("gone"), { status: 404 });
	};
	await block.reload();
	assert.equal(count, 0);
});

test("an action is reported after the panel was read again, a canceled one is not", async () => {
	const calls = [];
	const { app, block } = await setUp({ acted: () => calls.push("acted") });
	app.reader.read = async () => calls.push("read");
	app.actions.perform = async () => ({});
	await block.perform({ label: "Disable" });
	assert.deepEqual(calls, ["read", "acted"]);
	app.actions.perform = async () => null;
	await block.perform({ label: "Disable" });
	assert.deepEqual(calls, ["read", "acted"]);
});
