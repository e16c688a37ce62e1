import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestPlaces } from "../../../assets/web/editor/places.js";

test("places are suggested without regard to case and accents", () => {
	const objects = [
		{ object_type: "calendar_event", state: { location: "Café Blume" } }, { object_type: "task", state: { location: "" } },
		{ object_type: "event", state: { location: { label: "CAFÉ BLUME" } } }, { object_type: "place", title: "Cafeteria", state: {} },
	];
	const suggest = (text) => suggestPlaces({ store: { dataset: { objects } } }, text).map(({ label }) => label);
	assert.deepEqual(suggest(" cafe"), ["Café Blume", "CAFÉ BLUME", "Cafeteria"]);
	assert.deepEqual(suggest("blume"), ["Café Blume", "CAFÉ BLUME"]);
});
