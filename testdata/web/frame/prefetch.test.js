import assert from "node:assert/strict";
import { test } from "node:test";
import { prefetchPanels } from "../../../assets/web/frame/prefetch.js";

// visit runs prefetchPanels with stored panels, and returns the paths that it has read.
async function visit({ stored = {}, hidden = false, state = "online", isSecure = true, saveData = false, fails = "" } = {}) {
	globalThis.document = { hidden };
	const read = [];
	const item = (id) => ({ id, action: { type: "open_panel", url: `/panels/${id}` } });
	const session = { shell: { today: "/panels/today", dock: { items: ["a", "b"].map(item) } }, services: [] };
	const app = {
		store: { session, service: () => undefined, surface: () => undefined }, connection: { state }, memberCache: { isSecure, get: async (url) => stored[url] },
		client: { read: async (url) => (read.push(url), url === fails && Promise.reject(new Error("503"))) },
	};
	await prefetchPanels(app, { saveData, after: 0, pause: 0, now: () => 100_000_000, panels: async (_, { url }) => [url, `${url}?next`] });
	return read.map((url) => url.replace("/panels/", ""));
}

test("the first panels of the dock are read, unless they were stored on the same day", async () => {
	assert.deepEqual(await visit(), ["today", "today?next", "a", "a?next", "b", "b?next"]);
	assert.deepEqual(await visit({ stored: { "/panels/today": { time: 90_000_000 }, "/panels/a": { time: 1 } } }), ["today?next", "a", "a?next", "b", "b?next"]);
	assert.deepEqual(await visit({ fails: "/panels/a" }), ["today", "today?next", "a"]);
});

test("nothing is read ahead on a hidden page, without a connection or storage, or if the member saves data", async () => {
	for (const options of [{ hidden: true }, { state: "unreachable" }, { isSecure: false }, { saveData: true }]) assert.deepEqual(await visit(options), [], JSON.stringify(options));
});
