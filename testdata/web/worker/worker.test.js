import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";

const text = await readFile(new URL("../../../assets/web/worker.js", import.meta.url), "utf8");
const ORIGIN = "https://example.org";

// FakeCaches has the methods of CacheStorage that the worker uses. A cache is in the order of
// writes.
class FakeCaches {
	byName = new Map();

	async open(name) {
		if (!this.byName.has(name)) this.byName.set(name, new FakeCache((url) => this.fetch(url)));
		return this.byName.get(name);
	}

	async match(key, { cacheName }) {
		for (const [name, cache] of this.byName) {
			const found = (cacheName ?? name) === name && (await cache.match(key));
			if (found) return found;
		}
	}

	keys = async () => [...this.byName.keys()];
	delete = async (name) => this.byName.delete(name);
}

class FakeCache {
	entries = new Map();

	constructor(fetch) {
		this.fetch = fetch;
	}

	#url = (key) => new URL(key.url ?? key, ORIGIN).href;
	match = async (key) => this.entries.get(this.#url(key))?.clone();
	delete = async (key) => this.entries.delete(this.#url(key));
	keys = async () => [...this.entries.keys()].map((url) => ({ url }));
	matchAll = async () => [...this.entries.values()];

	async put(key, response) {
		this.entries.delete(this.#url(key));
		this.entries.set(this.#url(key), response);
	}

	async addAll(paths) {
		for (const path of paths) await this.put(path, await this.fetch(path));
	}
}

// browser returns the caches and pages of a browser, and a function that starts a worker. `serve`
// is called with the path of each request and returns the response.
function browser(serve) {
	const shared = { caches: new FakeCaches(), requests: [], messages: [], routes: [], serve };
	const fetch = async (request) => {
		const path = (request.url ?? request).replace(ORIGIN, "");
		shared.requests.push(path);
		const response = shared.serve(path);
		if (!response) throw new TypeError("no network");
		return Object.defineProperty(response, "type", { value: "basic" });
	};
	shared.caches.fetch = fetch;
	shared.start = async (version, member = 1, base = "") => {
		const app = { version, base, page: `${base}/app/`, assets: `${base}/assets/app/${version}/`, files: [`${base}/assets/app/${version}/main.js`] };
		const listeners = {};
		const worker = vm.createContext({
			APP: app, URL, Number, Date, Headers, Response, fetch, caches: shared.caches, location: new URL(`${ORIGIN}/app/worker.js?member=${member}`), skipWaiting: async () => {},
			addEventListener: (name, listener) => (listeners[name] = listener),
			clients: { claim: async () => {}, matchAll: async () => [{ postMessage: (message) => shared.messages.push(message.assets) }] },
		});
		vm.runInContext(text, worker);
		const run = async (name, event = {}) => {
			const waits = [];
			let response;
			listeners[name]({ ...event, waitUntil: (promise) => waits.push(promise), respondWith: (promise) => (response = promise) });
			const result = await response;
			await Promise.all(waits);
			return result;
		};
		await run("install", shared.routes && { addRoutes: async (rule) => void shared.routes.push(rule) });
		await run("activate");
		// get returns the text of a response, or "untouched" if the browser is to send the request;
		// get.tell sends a message of a page.
		const get = async (path, options = {}) => {
			const response = await run("fetch", { request: { url: new URL(path, ORIGIN).href, method: "GET", mode: "cors", destination: "", ...options } });
			return response ? response.text() : "untouched";
		};
		get.tell = (data) => run("message", { data });
		return get;
	};
	return shared;
}

const navigate = { mode: "navigate", destination: "document" };
const image = { mode: "no-cors", destination: "image" };
const page = (version) => (path) => new Response(path.startsWith("/app/") ? `<script src=/assets/app/${version}/main.js>` : `${version} ${path}`);

// picture is a response with a picture.
const picture = (body, { control = "private, max-age=86400", date = new Date(), length = 4, status = 200, type = "image/png" } = {}) =>
	new Response(body, { status, headers: { "Content-Type": type, "Cache-Control": control, Date: date.toUTCString(), "Content-Length": length } });

test("without a network, every path of the app has the page and its files", async () => {
	const b = browser(page("v1"));
	const get = await b.start("v1");
	b.serve = () => null;
	assert.match(await get("/app/in/time?view=week", navigate), /v1\/main/);
	assert.equal(await get("/assets/app/v1/main.js"), "v1 /assets/app/v1/main.js");
	await assert.rejects(get("/assets/app/v1/unknown.js"), TypeError);
	for (const [path, options] of [["/world/session"], ["/app/", { method: "POST", ...navigate }], ["/account", navigate], ["https://other.example/app/", navigate], ["https://other.example/a.png", image]]) {
		assert.equal(await get(path, options), "untouched", path);
	}
});

test("the stored page requests only what its first paint needs, and names the rest", async () => {
	const html = await readFile(new URL("../../../assets/pages/app.html", import.meta.url), "utf8");
	const headers = { "Content-Security-Policy": "default-src 'none'", "Content-Encoding": "gzip", "Content-Length": "1" };
	const b = browser((path) => new Response(path === "/app/" ? html.replaceAll("{{.Assets}}", "/assets/app/v1/") : path, { headers }));
	await b.start("v1");
	const stored = await b.caches.match("/app/", {});
	const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
	const requests = / (?:src|rel)="([^"]*(?:\.js|Entry}}|preload))"/g;
	assert.deepEqual(names(html, requests), ["{{.Base}}{{.Assets}}early.js", "preload", "{{.Base}}{{.Assets}}{{.Entry}}"]);
	const text = await stored.text();
	assert.deepEqual(names(text, requests), ["{{.Base}}/assets/app/v1/early.js"]);
	assert.deepEqual(names(text, / data-(?:src|rel)="([^"]*)"/g), ["preload", "{{.Base}}/assets/app/v1/{{.Entry}}"]);
	assert.deepEqual([...stored.headers.keys()].sort(), ["content-security-policy", "content-type"]);
});

test("browsers with static routes read the files of the version without the worker", async () => {
	const b = browser(() => new Response("/a+b/assets/app/v1/main.js"));
	await b.start("v1", 1, "/a+b");
	assert.deepEqual(b.routes.map(({ condition, source }) => [condition.urlPattern, source.cacheName]), [["/a\\+b/assets/app/v1/*", "app /a+b v1"]]);
	const without = browser(page("v1"));
	without.routes = null;
	assert.equal(await (await without.start("v1"))("/assets/app/v1/main.js"), "v1 /assets/app/v1/main.js");
});

test("a new version is announced, and the one before stays for open pages", async () => {
	const b = browser(page("v1"));
	await b.start("v1");
	for (const version of ["v2", "v3"]) {
		b.serve = page(version);
		const get = await b.start(version);
		assert.match(await get("/app/", navigate), new RegExp(version));
	}
	assert.deepEqual([...b.caches.byName.keys()], ["app  v2", "app  v3"]);
	assert.deepEqual(b.messages, ["/assets/app/v1/", "/assets/app/v2/", "/assets/app/v3/"]);
});

test("the page comes from the server as soon as a page has found another version", async () => {
	const b = browser(page("v1"));
	const get = await b.start("v1");
	b.serve = page("v2");
	await get.tell({ kind: "old", assets: "/assets/app/v0/" });
	assert.match(await get("/app/", navigate), /v1/);
	await get.tell({ kind: "old", assets: "/assets/app/v1/" });
	assert.match(await get("/app/", navigate), /v2/);
	assert.equal(await get("/assets/app/v2/main.js"), "v2 /assets/app/v2/main.js");
	b.serve = () => new Response("starting", { status: 503 });
	assert.match(await get("/app/", navigate), /v1/);
	b.serve = () => null;
	assert.match(await get("/app/", navigate), /v1/);
});

test("a worker does not install the page of another version", async () => {
	const b = browser(page("v2"));
	await assert.rejects(b.start("v1"), /version/);
	b.serve = () => new Response("v1 not found", { status: 404 });
	await assert.rejects(b.start("v1"), /version/);
});

test("a picture is stored while it is fresh, and longer without a network", async () => {
	const b = browser(page("v1"));
	const get = await b.start("v1");
	b.serve = () => picture("tile", { date: new Date(Date.now() - 3_600_000) });
	assert.equal(await get("/tiles/1", image), "tile");
	b.serve = () => picture("new");
	assert.equal(await get("/tiles/1", image), "tile");
	b.serve = () => picture("old", { date: new Date(Date.now() - 90_000_000) });
	assert.equal(await get("/tiles/2", image), "old");
	b.serve = () => null;
	assert.equal(await get("/tiles/2", image), "old");
	b.serve = () => picture("error", { status: 503 });
	assert.equal(await get("/tiles/2", image), "old");
	b.serve = () => picture("newer");
	assert.equal(await get("/tiles/2", image), "newer");
	await assert.rejects(async () => (b.serve = () => null, get("/tiles/3", image)), TypeError);
});

test("other responses for pictures are not stored, and remove a stored picture", async () => {
	const b = browser(page("v1"));
	const get = await b.start("v1");
	for (const options of [{ control: "private, no-store" }, { type: "text/html" }, { status: 403 }]) {
		b.serve = () => picture("stale", { date: new Date(0) });
		await get("/tiles/1", image);
		b.serve = () => picture("other", options);
		assert.equal(await get("/tiles/1", image), "other");
		b.serve = () => null;
		await assert.rejects(get("/tiles/1", image), TypeError, JSON.stringify(options));
	}
});

test("each member has pictures of their own", async () => {
	const b = browser(page("v1"));
	const get = await b.start("v1", 1);
	b.serve = () => picture("of ann");
	await get("/avatar", image);
	b.serve = page("v1");
	const next = await b.start("v1", 2);
	b.serve = () => picture("of bea");
	assert.equal(await next("/avatar", image), "of bea");
	assert.deepEqual([...b.caches.byName.keys()], ["app  v1", "pictures  2"]);
});

test("the least recently used pictures are removed beyond 50 MB", async () => {
	const b = browser(page("v1"));
	const store = async (get, from, to) => {
		b.serve = () => picture("tile", { length: 1_000_000 });
		for (let n = from; n <= to; n++) await get(`/tiles/${n}`, image);
	};
	await store(await b.start("v1"), 0, 9);
	b.serve = page("v1");
	const get = await b.start("v1"); // the browser ends workers after a short time
	await store(get, 10, 107);
	await store(get, 0, 0);
	await store(get, 108, 108);
	const left = (await b.caches.byName.get("pictures  1").keys()).map(({ url }) => Number(url.split("/").at(-1)));
	assert.deepEqual(left, [...Array.from({ length: 50 }, (_, n) => 58 + n), 0, 108]);
});

test("pictures beyond 50 MB are removed, even if each worker stores few of them", async () => {
	const b = browser(page("v1"));
	for (let worker = 0; worker < 3; worker++) {
		b.serve = page("v1");
		const get = await b.start("v1");
		b.serve = () => picture("tile", { length: 1_000_000 });
		for (let n = 0; n < (worker < 2 ? 60 : 1); n++) await get(`/tiles/${worker}-${n}`, image);
	}
	assert.equal((await b.caches.byName.get("pictures  1").keys()).length, 52); // 50 << 20 bytes
});
