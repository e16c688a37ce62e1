import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRoute, matchRoute, movedRoute, parseRoute, routeOfPanel } from "../../../assets/web/frame/routes.js";

const session = {
	shell: {
		today: "/w/panels/today",
		dock: {
			items: [
				{ id: "find", action: { type: "open_panel", method: "GET", url: "/w/panels/find" } },
				{ id: "people", action: { type: "focus_surface", method: "POST", url: "/w/focus", body: { surface_id: "s_social" } } },
				{ id: "chess", action: { type: "open_panel", method: "GET", url: "/w/panels/chess" } },
				{ id: "field", action: { type: "open_field", method: "GET", url: "/w/session" } },
				{ id: "odd", action: { type: "dance" } },
			],
		},
	},
	services: [
		{ id: "social", content_source: "/w/panels/social", entry_surface_id: "s_social" },
		{ id: "find", content_source: "/w/panels/find", entry_surface_id: null },
		{ id: "settings", content_source: "/w/panels/settings", entry_surface_id: null },
	],
};
const surfaces = [
	{ surface_id: "s_social", content_source: { url: "/w/panels/social" }, service_binding: { service_id: "social" } },
	{ surface_id: "s_page", surface_type: "web_article_surface", content_source: {}, service_binding: { service_id: "find", resource_id: "p1" } },
	{ surface_id: "s_thing", surface_type: "sculpture", content_source: { url: "" }, service_binding: { service_id: "chess", resource_id: "c1" } },
];
const objects = [
	{ world_object_id: "wo_1", object_type: "conversation", source: { service: "social", resource_id: "cnv" } },
	{ world_object_id: "wo_2", object_type: "sculpture", source: { service: "chess", resource_id: "c1" } },
];
const store = {
	session, dataset: { objects }, service: (id) => session.services.find((service) => service.id === id),
	surface: (id) => surfaces.find((surface) => surface.surface_id === id), object: (id) => objects.find((object) => object.world_object_id === id),
};
const at = (address) => matchRoute(parseRoute(address), store);

test("an address and its route are the same thing", () => {
	for (const address of ["/", "/in/time?view=month&date=2026-11-26", "/on/surface_1", "/at/wo_1", "/find?q=caf%C3%A9+%26+tea", "/settings/devices", "/operator", "/in/a%2Fb"]) {
		assert.equal(formatRoute(parseRoute(address)), address);
	}
	assert.deepEqual(parseRoute("/in/a%2Fb?view=%26"), { kind: "in", id: "a/b", query: { view: "&" } });
});

test("an incomplete or malformed address is unknown", () => {
	for (const address of ["/in", "/at/", "/elsewhere", "/in?view=month"]) assert.equal(parseRoute(address).kind, "unknown");
	assert.equal(parseRoute("/at/%E0%A4%A").id, "%E0%A4%A");
});

test("items of the dock, surfaces and objects have areas; unknown ones are shown as any (R-05)", () => {
	assert.deepEqual({ ...at("/in/people"), surface: at("/in/people").surface.surface_id }, { area: "social", dock: "people", surface: "s_social", object: undefined, url: "/w/panels/social" });
	assert.equal(at("/in/people?view=circles").area, "people");
	assert.equal(at("/in/people?view=dms").area, "messages");
	assert.deepEqual(at("/in/chess"), { area: "generic", dock: "chess", url: "/w/panels/chess" });
	assert.deepEqual([at("/in/field").area, at("/find").area, at("/on/s_page").area, at("/on/s_thing").area], ["around", "around", "read", "generic"]);
	assert.equal(at("/on/s_thing").object.world_object_id, "wo_2");
	assert.deepEqual([at("/at/wo_1").area, at("/at/wo_1").dock, at("/at/wo_2").area], ["social", "people", "generic"]);
});

test("the blocks of Social have moved to the settings", () => {
	const moved = (address) => movedRoute(parseRoute(address), at(address), store);
	assert.deepEqual(moved("/in/people?view=blocks"), { kind: "settings", id: "blocks", query: {} });
	for (const address of ["/in/people?view=people", "/in/people", "/in/chess?view=blocks", "/in/none"]) assert.equal(moved(address), null);
});

test("a route without a record is not match", () => {
	for (const address of ["/at/wo_9", "/on/none", "/in/none", "/operator", "/elsewhere"]) assert.equal(at(address), null);
	assert.doesNotThrow(() => matchRoute(parseRoute("/in/odd"), store));
});

test("a published panel leads to its route", () => {
	assert.deepEqual(routeOfPanel(session, "/w/panels/social?view=events&id=evt"), { kind: "in", id: "people", query: { view: "events", id: "evt" } });
	assert.deepEqual(routeOfPanel(session, "/w/panels/settings?view=devices"), { kind: "settings", id: "devices", query: {} });
	assert.deepEqual(routeOfPanel(session, "/w/panels/today"), { kind: "today", id: "", query: {} });
	assert.equal(routeOfPanel(session, "/w/elsewhere"), null);
	assert.equal(routeOfPanel(session, undefined), null);
});
