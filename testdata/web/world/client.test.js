import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, makeKeys, newKey } from "../../../assets/web/world/client.js";
import { secondsOf } from "../../../assets/web/world/errors.js";
import { json, start } from "./server.js";

// connect returns a client of a scripted server.
async function connect(t, respond, options = {}) {
	const server = await start(t, respond);
	return { ...server, client: new Client({ origin: server.origin, ...options }) };
}

test("address accepts paths of the server only", () => {
	const client = new Client({ base: "/home", origin: "https://example.org", fetch });
	assert.equal(client.address("/things/1?x=%2F"), "https://example.org/home/things/1?x=%2F");
	assert.equal(client.address("//other.example/x"), "https://example.org/home//other.example/x");
	for (const path of ["https://other.example/x", "things", "", "javascript:alert(1)", "/../account", "/%2e%2e/account", null, undefined, 7]) {
		assert.throws(() => client.address(path), TypeError, `${path}`);
	}
});

test("a request has the header of the runtime and no id of a member", async (t) => {
	const { client, requests } = await connect(t, (_, response) => json(response, 200, { ok: true }), { base: "/home" });
	assert.deepEqual(await client.request("GET", "/things"), { status: 200, data: { ok: true }, etag: "", isStorable: false });
	const [{ url, headers }] = requests;
	assert.equal(url, "/home/things");
	assert.match(headers["x-service-runtime"], /^web\/\d/);
	assert.equal(headers["x-service-member-id"], undefined);
	assert.equal(headers.authorization, undefined);
});

test("a read uses the ETag of the cached response", async (t) => {
	let version = 1;
	const { client, requests } = await connect(t, (request, response) => {
		const etag = `W/"${version}"`;
		if (request.headers["if-none-match"] === etag) response.writeHead(304, { ETag: etag }).end();
		else json(response, 200, { version }, { ETag: etag });
	});
	const first = await client.read("/panel");
	const second = await client.read("/panel");
	assert.deepEqual([first.changed, second.changed], [true, false]);
	assert.equal(second.data, first.data);
	version = 2;
	assert.deepEqual(await client.read("/panel"), { data: { version: 2 }, changed: true });
	client.clearCache();
	await client.read("/panel");
	assert.deepEqual(requests.map(({ headers }) => headers["if-none-match"]), [undefined, 'W/"1"', 'W/"1"', undefined]);
});

test("a response that arrives after forget is not cached", async (t) => {
	let respond;
	const arrived = new Promise((done) => (respond = done));
	const { client, requests, until } = await connect(t, async (_, response) => {
		await arrived;
		json(response, 200, {}, { ETag: 'W/"1"' });
	});
	const reading = client.read("/panel");
	await until((list) => list.length === 1);
	client.clearCache();
	respond();
	await reading;
	await client.read("/panel");
	assert.equal(requests[1].headers["if-none-match"], undefined);
});

test("the cache keeps the latest responses only", async (t) => {
	const { client, requests } = await connect(t, (_, response) => json(response, 200, {}, { ETag: 'W/"1"' }));
	for (let n = 0; n < 70; n++) await client.read(`/panel?n=${n}`);
	await client.read("/panel?n=0");
	await client.read("/panel?n=69");
	assert.deepEqual(requests.slice(-2).map(({ headers }) => headers["if-none-match"]), [undefined, 'W/"1"']);
});

test("an error of the server becomes a RequestError", async (t) => {
	const detail = {
		code: "version_conflict", message: "The entry has changed.", retryable: false, fields: [{ name: "title", code: "too_long", message: "Too long.", max: 200 }],
		guidance: { actions: [{ label: "Start a conversation", type: "social.conversation.create", method: "POST", url: "/x" }] }, current: { id: 1 }, request_id: "req_1",
	};
	const { client } = await connect(t, (_, response) => json(response, 412, { error: detail }, { "Retry-After": "7" }));
	const error = await client.request("GET", "/x").catch((error) => error);
	const { status, code, message, retryable, fields, guidance, current, requestId, retryAfter, hasResponse } = error;
	assert.deepEqual(
		{ status, code, message, retryable, fields, guidance, current, requestId, retryAfter, hasResponse },
		{ status: 412, code: "version_conflict", message: "The entry has changed.", retryable: false, fields: detail.fields, guidance: detail.guidance.actions, current: { id: 1 }, requestId: "req_1", retryAfter: 7, hasResponse: true },
	);
});

//
test("only a status of 2xx is a success", async (t) => {
	const { client } = await connect(t, (request, response) => {
		const status = Number(request.url.slice(1));
		const type = status < 300 ? "application/json" : "text/html";
		response.writeHead(status, { Location: "/200", "Content-Type": type }).end(status === 204 ? undefined : status < 300 ? "{}" : "<p>");
	});
	assert.deepEqual((await client.request("POST", "/204")).data, null);
	for (const status of [201, 299]) assert.deepEqual((await client.request("POST", `/${status}`)).data, {});
	for (const [status, code] of [[404, "http"], [418, "http"], [502, "http"]]) {
		const error = await client.request("GET", `/${status}`).catch((error) => error);
		assert.deepEqual([error.status, error.code, error.retryable], [status, code, status === 502]);
	}
});

test("a sign-in of a proxy is an error without a response, which is retried", async (t) => {
	const { client } = await connect(t, (request, response) => {
		response.writeHead(Number(request.url.slice(1)), { Location: "https://sign-in.example/", "Content-Type": "text/html" }).end("<p>");
	});
	for (const status of [200, 302, 401, 403, 511]) {
		const error = await client.request("GET", `/${status}`).catch((error) => error);
		assert.deepEqual([error.status, error.code, error.retryable], [0, "intercepted", true], String(status));
	}
});

test("responses that are not JSON, and missing ones, are errors without a response", async (t) => {
	const { client, origin } = await connect(t, (request, response) => {
		if (request.url === "/page") response.end("<p>Sign in to this network</p>");
		else if (request.url === "/cut") response.destroy();
	});
	for (const [path, code, options] of [["/page", "not_json"], ["/cut", "network"], ["/slow", "timeout", { time: 20 }]]) {
		const error = await client.request("GET", path, options).catch((error) => error);
		assert.deepEqual([error.name, error.code, error.status, error.hasResponse, error.retryable], ["RequestError", code, 0, false, true], path);
	}
	const controller = new AbortController();
	const request = client.request("GET", "/slow", { signal: controller.signal });
	controller.abort();
	await assert.rejects(request, { name: "AbortError" });
	assert.ok(origin);
});

// Covers R-12 for 401.
test("401 calls onUnauthenticated for all reads, but not for a write with a wrong password", async (t) => {
	const seen = [];
	const respond = (request, response) => json(response, 401, { error: { code: request.url.slice(1), message: "Sign in first." } });
	const { client } = await connect(t, respond, { onUnauthenticated: (error) => seen.push(error.code) });
	for (const code of ["unauthenticated", "invalid_credentials", "session_ended"]) {
		await assert.rejects(client.request("GET", `/${code}`), { code });
		await assert.rejects(client.request("POST", `/${code}`), { code });
	}
	assert.deepEqual(seen, ["unauthenticated", "unauthenticated", "invalid_credentials", "session_ended"]);
});

test("write sends JSON or a file, with the key", async (t) => {
	const { client, requests } = await connect(t, (_, response) => json(response, 201, {}));
	await client.write("POST", "/x", { body: { title: "Ä" }, key: "k1" });
	await client.write("PUT", "/y", { body: new Blob(["abc"], { type: "image/png" }) });
	await client.write("DELETE", "/z");
	assert.deepEqual(
		requests.map(({ method, headers, text }) => [method, headers["content-type"], headers["idempotency-key"], text]),
		[["POST", "application/json", "k1", '{"title":"Ä"}'], ["PUT", "image/png", undefined, "abc"], ["DELETE", undefined, undefined, ""]],
	);
});

test("keys are new and within the limit of the server", () => {
	assert.match(newKey(), /^[0-9a-f]{32}$/);
	assert.notEqual(newKey(), newKey());
});

test("Retry-After is a number or a date", () => {
	const now = Date.parse("2026-12-01T08:00:00Z");
	assert.deepEqual(["5", "Tue, 01 Dec 2026 08:01:00 GMT", "Tue, 01 Dec 2026 07:00:00 GMT", "soon", "", null].map((value) => secondsOf(value, now)), [5, 60, 0, 0, 0, 0]);
});

test("a form repeats the key of the same content, so that it is performed once", () => {
	const keyOf = makeKeys();
	const key = keyOf({ body: "hello" });
	assert.equal(keyOf({ body: "hello" }), key);
	assert.notEqual(keyOf({ body: "hello!" }), key);
	assert.notEqual(makeKeys()({ body: "hello" }), key, "another form is another action");
});
