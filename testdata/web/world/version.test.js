import assert from "node:assert/strict";
import { test } from "node:test";
import { Version } from "../../../assets/web/world/version.js";

const response = (assets, status = 200) => async () => new Response(`<html lang="en" data-base="" data-assets="${assets}" data-session="/s">`, { status });

// watch returns a Version of a page with the files v1, and what it has told the service worker.
function watch(serve) {
	const sent = [];
	const told = [];
	const version = new Version({ base: "", assets: "/v1/", onOld: () => told.push("old"), workers: { controller: { postMessage: (message) => sent.push(message) } }, fetch: (...request) => serve(...request) });
	return { version, sent, told };
}

test("another version of the server is announced once", async () => {
	let serve = response("/v1/");
	const { version, sent, told } = watch((...request) => serve(...request));
	assert.equal(await version.check(), false);
	serve = response("/v2/");
	assert.equal(await version.check(), true);
	serve = response("/v3/");
	assert.equal(await version.check(), true);
	assert.deepEqual(told, ["old"]);
	assert.deepEqual(sent, [{ kind: "old", assets: "/v1/" }]);
});

test("errors and pages of proxies are no version", async () => {
	for (const serve of [response("/v2/", 503), async () => new Response("<html><title>Sign in to the network</title>"), async () => { throw new TypeError("no network"); }]) {
		const { version, told } = watch(serve);
		assert.equal(await version.check(), false);
		assert.deepEqual(told, []);
	}
});
