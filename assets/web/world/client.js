// Requests to World. The browser adds the session cookie, which scripts cannot read, so the
// app never has a token; the server rejects writes from pages of other origins.

import { RequestError, errorOf } from "./errors.js";
import { linked } from "./signals.js";

const RUNTIME = "web/1.0"; // name and version of this runtime, which the server requires
const READ_TIME = 30_000; // milliseconds for a read, with its body
const WRITE_TIME = 70_000; // the server works on a request for up to 60 seconds
const UPLOAD_TIME = 600_000;
const CACHED = 60; // responses that are kept for their ETags
const PROXY_ERRORS = [502, 504]; // of a proxy that does not reach the server

// Client sends requests to paths that the server has published.
export class Client {
	#cache = new Map(); // path → { etag, data }, the least recently used first
	#epoch = 0; // number of the member's session in this page; older responses are not cached

	// base is the path of base-url, "" for none. onUnauthenticated is called with the error
	// of each request that gets 401 because there is no session; it is not called for wrong
	// passwords. onContact is called after each request with whether the server was reached.
	// `stored` is the MemberCache of the responses that outlast the page, null for none. fetch
	// and origin are replaced in tests.
	constructor({
		base = "", onUnauthenticated = () => {}, onContact = () => {}, stored = null,
		fetch = globalThis.fetch.bind(globalThis), origin = globalThis.location?.origin,
	}) {
		Object.assign(this, { base, onUnauthenticated, onContact, stored, fetch, origin });
	}

	// address returns the URL of a published path. It throws for anything else, such as the
	// address of another server in the data of a provider.
	address(path) {
		const url = typeof path === "string" && path.startsWith("/") ? new URL(this.origin + this.base + path) : null;
		if (!url || url.origin !== this.origin || !url.pathname.startsWith(`${this.base}/`)) throw new TypeError(`Not a path of the server: ${path}`);
		return url.href;
	}

	// request sends a request and returns { status, data, etag, isStorable }. data is the JSON
	// of the response, or null if it has none. isStorable is whether the response may be stored:
	// those with secrets may not. It throws a RequestError for every status except 2xx and 304,
	// and if there was no response within `time` milliseconds. `body` is sent as it is;
	// `headers` are added to those of every request. `signal` ends the request.
	async request(method, path, { body, headers, signal, time = READ_TIME } = {}) {
		const url = this.address(path);
		const limit = limited(signal, time);
		try {
			const response = await this.#send(method, url, { body, headers, signal: limit.signal });
			const data = response.status === 304 ? null : await jsonOf(response);
			this.onContact(true);
			const isStorable = !/no-store/i.test(response.headers.get("Cache-Control") ?? "no-store");
			return { status: response.status, data, etag: response.headers.get("ETag") ?? "", isStorable };
		} catch (error) {
			throw this.#failure(error, limit, signal);
		} finally {
			limit.end();
		}
	}

	// open sends a GET request and returns the response as soon as its headers are there. The
	// caller reads the body, until `signal` ends it.
	async open(path, { headers, signal, time = READ_TIME } = {}) {
		const url = this.address(path);
		const limit = limited(signal, time);
		try {
			const response = await this.#send("GET", url, { headers, signal: limit.signal });
			this.onContact(true);
			return response;
		} catch (error) {
			throw this.#failure(error, limit, signal);
		} finally {
			limit.settle();
		}
	}

	// read reads a path and returns { data, changed }. If the response is in the cache, the
	// server sends it only if it has changed; `changed` is false if it has not.
	async read(path, options = {}) {
		const cached = this.#cache.get(path);
		const epoch = this.#epoch;
		const { status, data, etag, isStorable } = await this.request("GET", path, { ...options, headers: cached ? { "If-None-Match": cached.etag } : {} });
		if (epoch !== this.#epoch) return { data, changed: true };
		this.#cache.delete(path);
		const response = status === 304 ? cached : { etag, data };
		if (response.etag) this.#remember(path, response);
		if (response.etag && isStorable) this.stored?.put(path, response);
		return { data: response.data, changed: status !== 304 };
	}

	// readStored returns the data of the latest response for a path that was stored in an
	// earlier visit, or undefined. The next read of the path uses its ETag. Data in the cache is
	// newer than stored data, and the same object as that of the next read if it has not changed.
	async readStored(path) {
		if (this.#cache.has(path)) return this.#cache.get(path).data;
		const epoch = this.#epoch;
		const response = await this.stored?.get(path);
		if (!response || epoch !== this.#epoch) return undefined;
		if (!this.#cache.has(path)) this.#remember(path, response);
		return response.data;
	}

	// write sends a body as JSON, or a Blob as it is with its media type. `key` is the
	// Idempotency-Key: the same for all attempts of one action of the member.
	write(method, path, { body, key, signal, headers } = {}) {
		const isFile = body instanceof Blob;
		return this.request(method, path, {
			signal,
			body: isFile || body === undefined || typeof body === "string" ? body : JSON.stringify(body),
			headers: { ...(body !== undefined && !isFile && { "Content-Type": "application/json" }), ...(key && { "Idempotency-Key": key }), ...headers },
			time: isFile ? UPLOAD_TIME : WRITE_TIME,
		});
	}

	// forget empties the cache. The caller does so when the session or the member changes.
	forget() {
		this.#epoch++;
		this.#cache.clear();
	}

	#remember(path, { etag, data }) {
		this.#cache.set(path, { etag, data });
		if (this.#cache.size > CACHED) this.#cache.delete(this.#cache.keys().next().value);
	}

	async #send(method, url, { body, headers, signal }) {
		const response = await this.fetch(url, {
			method,
			body,
			signal,
			headers: { Accept: "application/json", "X-Service-Runtime": RUNTIME, ...headers },
			credentials: "same-origin",
			cache: "no-store", // this class has a cache of its own, which contains nothing of other members
			redirect: "manual", // World has no redirects: one comes from a proxy that wants its own sign-in
		});
		if (response.ok || response.status === 304) return response;
		throw await errorOf(response);
	}

	// #failure returns the error of a request: the one of the server, or the reason why there
	// is no response.
	#failure(error, limit, signal) {
		if (error instanceof RequestError) {
			this.onContact(error.code !== "redirected" && !PROXY_ERRORS.includes(error.status));
			if (error.status === 401 && error.code === "unauthenticated") this.onUnauthenticated(error);
			return error;
		}
		if (!limit.isOver && signal?.aborted) return error;
		this.onContact(false);
		if (limit.isOver) return new RequestError({ code: "timeout" });
		return new RequestError({ code: error?.name === "SyntaxError" ? "not_json" : "network", cause: error });
	}
}

// newKey returns a new Idempotency-Key. It needs no secure context, unlike
// crypto.randomUUID.
export function newKey() {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (octet) => octet.toString(16).padStart(2, "0")).join("");
}

// makeKeys returns a function that returns the Idempotency-Key of what a form sends: the same one as
// before for the same content, so that the server does not perform it twice if its response was
// lost, and a new one for other content.
export function makeKeys() {
	let last = { text: "", key: "" };
	return (content) => {
		const text = JSON.stringify(content);
		if (text !== last.text) last = { text, key: newKey() };
		return last.key;
	};
}

// limited returns a signal that is aborted after a time, or by another signal. `settle` ends
// the limit of the time, `end` both.
function limited(outer, time) {
	const controller = linked(outer);
	const limit = { signal: controller.signal, isOver: false };
	const timer = setTimeout(() => {
		limit.isOver = true;
		controller.abort();
	}, time);
	limit.settle = () => clearTimeout(timer);
	limit.end = () => {
		clearTimeout(timer);
		controller.abort(); // the response has been read; this removes the listener of `outer`
	};
	return limit;
}

// jsonOf returns the JSON of a response, or null if it has no body.
async function jsonOf(response) {
	const text = await response.text();
	return text === "" ? null : JSON.parse(text);
}
