import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsAround, boundsOf, filterItems, isFar, itemOfField, itemOfFinding, itemOfObject, itemOfSurface, itemsOfArea, marksOf, metresBetween, minutesOnFoot, openState, withDistance } from "../../../assets/web/around/items.js";

const VALLETTA = { latitude: 35.8989, longitude: 14.5146 };
const finding = (more, payload) => ({ finding_id: "osm:node/1", object_type: "place", title: "Café", summary: "", source_url: "", service_payload: { ...VALLETTA, category: "coffee", kind: "Café", ...payload }, ...more });

test("a place has the same fields from the field, from Find and from the workspace", () => {
	const field = itemOfField({ id: "a:1", category: "coffee", title: "Kajüte", kind: "Café", address: "Fish Quay 3", telephone: "+356 1", source_url: "https://kajuete.example/", location: { ...VALLETTA, distance: 9 }, open_now: true, next_change: null, opening_hours: { text: "24/7", timezone: "Europe/Malta" }, actions: [{ type: "open_place", url: "/x" }] });
	const found = itemOfFinding(finding({ finding_id: "a:1", title: "Kajüte", source_url: "https://kajuete.example/" }, { address: "Fish Quay 3", telephone: "+356 1", distance_meters: 9, open_now: true, opening_hours: "24/7", timezone: "Europe/Malta" }));
	const carried = itemOfObject({ title: "Kajüte", source: { resource_id: "a:1" }, state: { category: "coffee", kind: "Café", address: "Fish Quay 3", telephone: "+356 1", location: VALLETTA, source_url: "https://kajuete.example/", open_now: true, opening_hours: "24/7", timezone: "Europe/Malta" } });
	assert.deepEqual({ ...field, request: null }, found);
	assert.deepEqual({ ...found, distance: null }, carried);
	assert.equal(field.request.url, "/x");
	assert.equal(field.website, "https://kajuete.example/");
});

test("incomplete and wrong values make no place that cannot be shown", () => {
	const item = itemOfFinding({ finding_id: "x", object_type: "place", service_payload: { latitude: "35", longitude: null, open_now: "yes", distance_meters: "far" } });
	assert.deepEqual([item.title, item.latitude, item.longitude, item.distance, item.open.now, item.icon], ["", null, null, null, null, "pin"]);
	assert.deepEqual(marksOf([item]), []);
	assert.equal(itemOfSurface({ title: "x" }), null);
	assert.deepEqual(itemsOfArea(null ?? undefined), []);
});

test("a website that is no web address is not a link", () => {
	for (const url of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "ftp://x.example", " java\nscript:alert(1)", "https://user:pass@evil.example/"]) {
		assert.equal(itemOfFinding(finding({ source_url: url })).website, "", url);
		assert.equal(itemOfFinding({ ...finding(), object_type: "web_resource", source_url: url }).website, "", url);
	}
});

test("places that are too many are marks with a number", () => {
	const area = { objects: [], clusters: [{ count: 23, ...VALLETTA, bounds: { south: 35, west: 14, north: 36, east: 15 } }, { count: 0, ...VALLETTA }] };
	const [mark, ...rest] = marksOf(itemsOfArea(area));
	assert.equal(mark.count, 23);
	assert.deepEqual(mark.bounds, { south: 35, west: 14, north: 36, east: 15 });
	assert.equal(rest.length, 0);
});

test("an area with one place is a mark that leads to the place", () => {
	const bounds = { south: 35, west: 14, north: 36, east: 15 };
	const [mark] = marksOf(itemsOfArea({ objects: [], clusters: [{ count: 1, latitude: 35.5, longitude: 14.5, bounds }] }));
	assert.deepEqual([mark.count, mark.bounds], [undefined, bounds]);
});

test("distances are those of a sphere, and bounds contain their circle", () => {
	const north = { latitude: VALLETTA.latitude + 0.01, longitude: VALLETTA.longitude };
	assert.ok(Math.abs(metresBetween(VALLETTA, north) - 1112) < 2);
	assert.equal(metresBetween(VALLETTA, VALLETTA), 0);
	assert.ok(metresBetween({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }) < 23_000);
	assert.ok(Math.abs(withDistance(itemOfFinding(finding()), north).distance - 1112) < 2);
	assert.equal(withDistance(itemOfFinding(finding()), null).distance, null);
	const { north: top } = boundsAround(VALLETTA, 1000);
	assert.ok(metresBetween(VALLETTA, { ...VALLETTA, latitude: top }) >= 999);
	assert.equal(boundsOf([]), null);
	assert.deepEqual(boundsOf([VALLETTA]), { south: 35.8989, west: 14.5146, north: 35.8989, east: 14.5146 });
	const pacific = boundsOf([{ latitude: -17, longitude: 178 }, { latitude: -14, longitude: -172 }, { latitude: -21, longitude: -175 }]);
	assert.deepEqual(pacific, { south: -21, west: 178, north: -14, east: 188 }); // across the antimeridian
});

test("the map offers to look elsewhere only when it has moved far", () => {
	const moved = (by) => ({ latitude: VALLETTA.latitude + by, longitude: VALLETTA.longitude });
	assert.equal(isFar(moved(0.001), VALLETTA, 1000), false);
	assert.equal(isFar(moved(0.01), VALLETTA, 1000), true);
	assert.equal(isFar(moved(0.01), VALLETTA, 5000), false);
	assert.equal(isFar(moved(0), null, 1000), true);
});

test("a walking time is given for short distances only", () => {
	assert.equal(minutesOnFoot(410), 6);
	assert.equal(minutesOnFoot(10), 1);
	assert.equal(minutesOnFoot(9000), null);
	assert.equal(minutesOnFoot(null), null);
});

test("a place that closes within the hour is closing, and an old answer is not repeated", () => {
	const now = Date.parse("2026-11-26T12:00:00Z");
	const state = (open, change) => openState({ open: { now: open, change } }, now);
	assert.equal(state(true, "2026-11-26T17:00:00Z").state, "open");
	assert.equal(state(true, "2026-11-26T12:30:00Z").state, "closing");
	assert.equal(state(true, null).state, "open");
	assert.deepEqual(state(false, "2026-11-26T15:00:00Z"), { state: "closed", change: "2026-11-26T15:00:00Z" });
	assert.deepEqual(state(true, "2026-11-26T11:00:00Z"), { state: "closed", change: null }); // it has closed since
	assert.deepEqual(state(null, null), { state: "unknown", change: null });
	assert.equal(state(true, "nonsense").state, "open");
});

test("categories filter places, not pages", () => {
	const items = [{ category: "coffee" }, { category: "food" }, { kind: "page" }];
	assert.equal(filterItems(items, null).length, 3);
	assert.deepEqual(filterItems(items, new Set(["food"])), [{ category: "food" }, { kind: "page" }]);
});
