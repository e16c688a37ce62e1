import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../../assets/web/read/read.js";
import { openPage } from "../dom.js";

// texts returns an object whose functions return their names.
const texts = (more = {}) => new Proxy(more, { get: (own, name) => own[name] ?? (() => String(name)) });

const finding = (id) => ({
	surface_id: id, surface_type: "finding_surface", title: `Page ${id}`, service_binding: { resource_id: `web:${id}` },
	runtime_state: { finding: { source_url: `https://${id}.example/` } }, commands: { translate_surface: `/translate/${id}` },
});

// setUp returns the view of the page a, which the server reads, and reads, the requests to read pages.
function setUp() {
	openPage();
	const surfaces = { a: finding("a"), b: finding("b") };
	const reads = [];
	const scope = { signal: new AbortController().signal, on: () => {}, end: () => {} };
	const app = {
		words: texts({ read: texts({ reading: (host) => `reading ${host}` }), frame: texts(), locale: "en", language: "en" }),
		scope: () => scope, router: {}, frame: { focusTitle: () => {} }, paths: { session: "/world/session" },
		dispatcher: { perform: ({ url }) => new Promise((done, failed) => reads.push({ url, done, failed })) },
		store: { session: { surface_runtime: { surfaces: Object.values(surfaces) } }, actionOn: () => undefined, surface: (id) => surfaces[id] },
	};
	const view = open(app, { kind: "on", id: "a", query: {} }, { area: "read", surface: surfaces.a });
	document.body.append(...view.element);
	return { view, reads, surfaces, body: view.body };
}

test("a page that is opened while another one is read is read too, and does not show the error of the other one", async () => {
	const { view, reads, surfaces, body } = setUp();
	assert.match(body.textContent, /reading a\.example/);
	view.update({ kind: "on", id: "b", query: {} }, { area: "read", surface: surfaces.b });
	assert.deepEqual(reads.map(({ url }) => url), ["/translate/a", "/translate/b"]);
	reads[0].failed(Object.assign(new Error("a is broken"), { status: 502 }));
	await new Promise((done) => setTimeout(done));
	assert.match(body.textContent, /reading b\.example/);
	reads[1].failed(Object.assign(new Error("b is broken"), { status: 502 }));
	await new Promise((done) => setTimeout(done));
	assert.match(body.textContent, /b is broken/);
	assert.doesNotMatch(body.textContent, /a is broken/);
});

test("a page is read once while its parts are shown", () => {
	const { view, reads, surfaces } = setUp();
	view.update({ kind: "on", id: "a", query: { x: "1" } }, { area: "read", surface: surfaces.a });
	assert.equal(reads.length, 1);
});

test("the menu has a line only between two groups", () => {
	const { view } = setUp();
	view.head.querySelector("[aria-haspopup=menu]").click();
	const { children } = document.querySelector(".menu");
	assert.deepEqual(children.map(({ tagName, textContent }) => [tagName, textContent]), [["BUTTON", "openPage"]]);
});
