// Sends requests to the server. The session cookie is HttpOnly: the app has no token, and the
// server rejects writes from pages of other origins.

import { RequestError, errorOf, interception, isIntercepted } from "./errors.js";
import { linkedController } from "./signals.js";

const CLIENT_VERSION = "web/1.0"; // name and version of this client, which the server requires
const READ_TIMEOUT = 30_000; // timeout of a read with its body, in milliseconds
const WRITE_TIMEOUT = 70_000; // timeout of a write; the server has one of 60 seconds
const UPLOAD_TIMEOUT = 600_000; // timeout of the upload of a file
const MAX_CACHED = 60; // maximum number of responses in the cache
const PROXY_ERRORS = [502, 504]; // statuses of a proxy that cannot reach the server

// Client sends requests to paths that the server has published.
export class Client {
	#cache = new Map(); // path → { etag, data }, the least recently used first
	#epoch = 0; // incremented by forget; responses to requests of an earlier epoch are not cached

	// base is the path of base-url, "" for none. onUnauthenticated is called with the error of each read
	// that is rejected with 401, and of each write that is rejected with 401 because there is no session,
	// but not for wrong passwords. onContact is called after each request with whether the server was
	// reached, and the code of the error. `memberCache` is the MemberCache, null for none. Tests replace
	// fetch and origin.
	constructor({
		base = "", onUnauthenticated = () => {}, onContact = () => {}, memberCache = null,
		fetch = globalThis.fetch.bind(globalThis), origin = globalThis.location?.origin,
	}) {
		Object.assign(this, { base, onUnauthenticated, onContact, memberCache, fetch, origin });
	}

	// address returns the URL of a published path. It throws for anything else, such as the
	// address of another server in the data of a provider.
	address(path) {
		const url = typeof path === "string" && path.startsWith("/") ? new URL(this.origin + this.base + path) : null;
		const isPublished = url?.origin === this.origin && url.pathname.startsWith(`${this.base}/`);
		if (!isPublished) throw new TypeError(`Not a path of the server: ${path}`);
		return url.href;
	}

	// request sends a request and returns { status, data, etag, isStorable }. data is the JSON of the
	// response, or null if it has no body. isStorable is whether Cache-Control permits storage, which
	// responses with secrets forbid. It throws a RequestError for every status except 2xx and 304,
	// and if there is no response within `time` milliseconds. `headers` are added to the headers of
	// all requests. `signal` aborts the request.
	async request(method, path, { body, headers, signal, time = READ_TIMEOUT } = {}) {
		const url = this.address(path);
		const limit = timeLimit(signal, time);
		try {
			const response = await this.#send(method, url, { body, headers, signal: limit.signal });
			const data = response.status === 304 ? null : await jsonOf(response);
			this.onContact(true);
			const isStorable = !/no-store/i.test(response.headers.get("Cache-Control") ?? "no-store");
			return { status: response.status, data, etag: response.headers.get("ETag") ?? "", isStorable };
		} catch (error) {
			throw this.#failure(error, limit, { method, signal });
		} finally {
			limit.end();
		}
	}

	// open sends a GET request and returns the response when its headers have arrived. The caller
	// reads the body. `signal` aborts the request or the body.
	async open(path, { headers, signal, time = READ_TIMEOUT } = {}) {
		const url = this.address(path);
		const limit = timeLimit(signal, time);
		try {
			const response = await this.#send("GET", url, { headers, signal: limit.signal });
			this.onContact(true);
			return response;
		} catch (error) {
			throw this.#failure(error, limit, { method: "GET", signal });
		} finally {
			limit.cancelTimeout();
		}
	}

	// read reads a path and returns { data, changed }. If the cache contains a response, it sends its
	// ETag; `changed` is false if the server replies 304 Not Modified.
	async read(path, options = {}) {
		const cachedResponse = this.#cache.get(path);
		const epoch = this.#epoch;
		const headers = cachedResponse ? { "If-None-Match": cachedResponse.etag } : {};
		const { status, data, etag, isStorable } = await this.request("GET", path, { ...options, headers });
		if (epoch !== this.#epoch) return { data, changed: true };
		this.#cache.delete(path);
		const response = status === 304 ? cachedResponse : { etag, data };
		if (response.etag) this.#cacheResponse(path, response);
		if (response.etag && isStorable) this.memberCache?.put(path, response);
		return { data: response.data, changed: status !== 304 };
	}

	// readStored returns the data of the response for a path from the cache or, if that has none,
	// from the MemberCache, or undefined. The next read of the path sends its ETag, and returns the
	// identical data (===) if it has not changed.
	async readStored(path) {
		if (this.#cache.has(path)) return this.#cache.get(path).data;
		const epoch = this.#epoch;
		const response = await this.memberCache?.get(path);
		if (!response || epoch !== this.#epoch) return undefined;
		if (!this.#cache.has(path)) this.#cacheResponse(path, response);
		return response.data;
	}

	// write sends a body: a Blob or a string unchanged, any other value as JSON. `key` is the
	// Idempotency-Key, the same one for all retries.
	write(method, path, { body, key, signal, headers } = {}) {
		const isFile = body instanceof Blob;
		return this.request(method, path, {
			signal,
			body: isFile || body === undefined || typeof body === "string" ? body : JSON.stringify(body),
			headers: {
				...(body !== undefined && !isFile && { "Content-Type": "application/json" }),
				...(key && { "Idempotency-Key": key }), ...headers,
			},
			time: isFile ? UPLOAD_TIMEOUT : WRITE_TIMEOUT,
		});
	}

	// clearCache removes all responses from the cache. It must be called when the session or the member changes.
	clearCache() {
		this.#epoch++;
		this.#cache.clear();
	}

	// #cacheResponse caches a response. Above the limit, it removes the least recently used one.
	#cacheResponse(path, { etag, data }) {
		this.#cache.set(path, { etag, data });
		if (this.#cache.size > MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value);
	}

	// #send returns the response to a request, or throws the RequestError of the server.
	async #send(method, url, { body, headers, signal }) {
		const response = await this.fetch(url, {
			method,
			body,
			signal,
			headers: { Accept: "application/json", "X-Service-Runtime": CLIENT_VERSION, ...headers },
			credentials: "same-origin",
			cache: "no-store", // the browser's cache would outlast the session
			redirect: "manual", // World does not redirect; a proxy may, to its sign-in
		});
		if (isIntercepted(response)) throw interception();
		if (response.ok || response.status === 304) return response;
		throw await errorOf(response);
	}

	// #failure returns the error of a request: the error of the server, or a RequestError that describes
	// why there is no response. It reports the contact.
	#failure(error, limit, { method, signal }) {
		if (error instanceof RequestError) {
			this.onContact(error.code !== "intercepted" && !PROXY_ERRORS.includes(error.status), error.code);
			if (error.status === 401 && (method === "GET" || error.code === "unauthenticated")) this.onUnauthenticated(error);
			return error;
		}
		if (!limit.isOver && signal?.aborted) return error;
		this.onContact(false);
		if (limit.isOver) return new RequestError({ code: "timeout" });
		return new RequestError({ code: error?.name === "SyntaxError" ? "not_json" : "network", cause: error });
	}
}

// newKey returns a new Idempotency-Key. Unlike crypto.randomUUID it needs no secure context.
export function newKey() {
	const octets = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("");
}

// makeKeys returns a function that returns the Idempotency-Key for the content of a form. The key
// changes only with the content, so that the server performs a write once even if the member
// sends it again after a lost response.
export function makeKeys() {
	let last = { text: "", key: "" };
	return (content) => {
		const text = JSON.stringify(content);
		if (text !== last.text) last = { text, key: newKey() };
		return last.key;
	};
}

// timeLimit returns { signal, isOver, cancelTimeout, end }: a signal that is aborted when outer is, or after
// a time in milliseconds, which sets isOver. cancelTimeout cancels the timeout. end also detaches the
// signal from outer.
function timeLimit(outer, time) {
	const controller = linkedController(outer);
	const limit = { signal: controller.signal, isOver: false };
	const timer = setTimeout(() => {
		limit.isOver = true;
		controller.abort();
	}, time);
	limit.cancelTimeout = () => clearTimeout(timer);
	limit.end = () => {
		clearTimeout(timer);
		controller.abort(); // removes the listener on outer
	};
	return limit;
}

// jsonOf returns the JSON of a response, or null if it has no body.
async function jsonOf(response) {
	const text = await response.text();
	return text === "" ? null : JSON.parse(text);
}
