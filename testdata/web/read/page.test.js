import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf, minutesToRead, pageOf, pageOfAddress, pageOfObject, partOf, translateOf } from "../../../assets/web/read/page.js";

const WALL = "https://drystone.example/wall";
const finding = (state = {}) => ({ surface_id: "f", surface_type: "finding_surface", title: "Wall", service_binding: { resource_id: "web:1", resource_type: "html_resource" }, runtime_state: { finding: { source_url: WALL, summary: "About walls" }, ...state }, commands: { translate_surface: "/t" } });
const part = (kind, content = {}, id = kind) => ({ surface_id: id, surface_type: `web_${kind}_surface`, title: kind, service_binding: { resource_id: "web:1", resource_type: "html_resource" }, runtime_state: { surface_object: { object_type: kind, title: `A ${kind}`, primary_url: WALL, content }, source: { host: "drystone.example" } } });
const session = (...surfaces) => ({ surface_runtime: { surfaces } });

test("a page has its parts in the order of reading", () => {
	const found = finding({ translation: { status: "expanded" } });
	const page = pageOf(session(part("contact"), found, part("gallery"), part("article")), found);
	assert.deepEqual(page.parts.map(({ kind }) => kind), ["article", "gallery", "contact"]);
	assert.equal(page.isRead, true);
	assert.equal(page.url, WALL);
	assert.equal(page.title, "A article");
});

test("a page without typed content is an article of its finding", () => {
	const found = finding({ surface_object: { object_type: "resource", title: "Wall", content: { blocks: [] } } });
	assert.deepEqual(pageOf(session(found), found).parts.map(({ id, kind }) => [id, kind]), [["f", "article"]]);
});

test("a page that has not been read has none, and says why it could not be", () => {
	const found = finding({ translation: { status: "failed", reason: "The site answered with status 500.", code: "source_fetch_failed", failed_at: "2026-11-25T19:05:04Z" } });
	const page = pageOf(session(found), found);
	assert.equal(page.isRead, false);
	assert.equal(page.failure.reason, "The site answered with status 500.");
	assert.equal(page.summary, "About walls");
});

test("a page is found by its address, also after its finding is gone", () => {
	assert.equal(pageOfAddress({ session: session(finding()) }, WALL).surface.surface_id, "f");
	assert.equal(pageOfAddress({ session: session(part("article")) }, WALL).parts.length, 1);
	assert.equal(pageOfAddress({ session: session(finding()) }, "https://other.example/"), null);
	assert.equal(pageOfAddress({ session: session(finding()) }, "javascript:alert(1)"), null);
	const place = { ...finding(), service_binding: { resource_id: "a:1", resource_type: "place" } };
	assert.equal(pageOfAddress({ session: session(place) }, WALL), null);
});

test("unknown and damaged parts are left out", () => {
	for (const surface of [part("poll"), { surface_type: "web_article_surface" }, { surface_type: "web_article_surface", runtime_state: { surface_object: { content: "text" } } }, { surface_type: "web_article_surface", runtime_state: { surface_object: { content: null } } }]) assert.equal(partOf(surface), null);
});

test("a saved page keeps what was read, without links that are none", () => {
	const object = { title: "Wall", source: { resource_id: "web:1" }, state: { source_url: "javascript:alert(1)", parts: [{ kind: "article", title: "Wall" }] } };
	const page = pageOfObject({ session: session() }, object);
	assert.deepEqual([page.isRead, page.url, page.saved.length], [false, "", 1]);
	assert.equal(pageOfObject({ session: session(part("article")) }, object).isRead, true);
});

test("a page is read by the published command only", () => {
	assert.deepEqual(translateOf(finding()), { method: "POST", url: "/t", body: {} });
	assert.deepEqual(translateOf(finding(), { refresh: true }).body, { refresh: true });
	assert.equal(translateOf(part("article")), null);
	assert.equal(translateOf(undefined), null);
});

test("language tags and lengths of a page are checked", () => {
	assert.equal(languageOf("pt-BR"), "pt-BR");
	for (const tag of ["x\" onload=", "english", "", null, 3]) assert.equal(languageOf(tag), null);
	assert.deepEqual([minutesToRead(134), minutesToRead(2200), minutesToRead(0), minutesToRead("9")], [1, 10, null, null]);
});
