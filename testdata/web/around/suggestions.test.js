import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestions } from "../../../assets/web/around/suggestions.js";

const DATA = {
	dock: [{ id: "time", label: "Calendar" }, { id: "social", label: "Social" }],
	carried: [{ title: "Kajüte Café", route: { kind: "on", id: "surface_map_1" } }],
	objects: [
		{ world_object_id: "1", object_type: "profile", title: "Bea" }, { world_object_id: "2", object_type: "community", title: "Garden share" },
		{ world_object_id: "3", object_type: "place", title: "Kajute Café" }, { world_object_id: "4", object_type: "calendar_event", title: "Call with Grandma" },
		{ world_object_id: "5", object_type: "read_mark", title: "Bea read this" }, { world_object_id: "6", object_type: "task", title: "" },
	],
};
const labels = (text) => suggestions(text, DATA).map(({ label }) => label);

test("names that begin with the text come first, without accents and case", () => {
	assert.deepEqual(labels("ca"), ["Calendar", "Call with Grandma", "Kajüte Café"]);
	assert.deepEqual(labels("CAFE"), ["Kajüte Café"]);
	assert.deepEqual(labels("grand"), ["Call with Grandma"]);
});

test("parts of words are found only with three letters", () => {
	assert.deepEqual(labels("ar"), []);
	assert.deepEqual(labels("ard"), ["Garden share"]);
});

test("each thing is offered once, unknown kinds and things without a name never", () => {
	assert.deepEqual(labels("bea"), ["Bea"]);
	assert.deepEqual(suggestions("kaj", DATA)[0].route, { kind: "on", id: "surface_map_1" });
	assert.equal(suggestions("kaj", DATA).length, 1);
	assert.deepEqual(labels("  "), []);
	assert.deepEqual(suggestions("x", {}), []);
});

test("known places and recent searches are suggested beside the destinations", () => {
	const places = [{ title: "Café Corner", route: { kind: "find", id: "", query: { place: "osm:1" } } }, { title: "kajüte café", route: { kind: "find", id: "", query: { place: "osm:2" } } }];
	const recent = [{ title: "cafe open late", scope: "everywhere" }, { title: "bakery", scope: "nearby" }];
	const found = suggestions("caf", { ...DATA, places, recent });
	assert.deepEqual(found.map(({ label, kind }) => [label, kind]), [["Café Corner", "place"], ["Kajüte Café", "carried"], ["cafe open late", "recent"]]);
	assert.deepEqual(found[2].route, { kind: "find", id: "", query: { q: "cafe open late", scope: "everywhere" } });
	assert.deepEqual(suggestions("", { ...DATA, places, recent }).map(({ label }) => label), ["cafe open late", "bakery"]);
	assert.deepEqual(suggestions("bakery", { recent }), []); // what is typed needs no suggestion
});

test("the parts of a series are one suggestion with its next day, and a copy of an event is none", () => {
	const entry = (id, date, more) => ({
		world_object_id: id, object_type: "calendar_event", title: "Book circle",
		state: { start: { date }, recurrence: { is_recurring: true }, ...more },
	});
	const objects = [
		entry("1", "2026-12-20"), entry("2", "2026-12-06"), entry("3", "2026-12-13"),
		entry("4", "2026-12-02", { recurrence: { is_recurring: false } }),
		entry("5", "2026-12-09", { source_object_id: "evt_1", recurrence: {} }),
		{ world_object_id: "6", object_type: "event", title: "Book circle", source: { resource_id: "evt_1" }, state: { start: "2026-12-09T19:00:00" } },
	];
	const found = suggestions("book", { objects }).map(({ route, day }) => [route.id, day]);
	assert.deepEqual(found, [["6", "2026-12-09"], ["2", "2026-12-06"], ["4", "2026-12-02"]]);
});
