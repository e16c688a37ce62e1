import assert from "node:assert/strict";
import { test } from "node:test";
import { targetOf } from "../../../assets/web/social/social.js";

const app = { store: { objectOfRecord: () => undefined } };
const event = { object_type: "event", source: { resource_id: "evt_1" } };

test("a carried event is shown at the address of its surface", () => {
	const route = { kind: "on", id: "surface_1", query: {} };
	for (const match of [{ object: event }, { url: "/panels/social?view=events&id=evt_1" }]) {
		const { view, id } = targetOf(app, route, match);
		assert.deepEqual([view, id], ["events", "evt_1"]);
	}
	assert.equal(targetOf(app, route, { url: "/panels/social" }).view, "dashboard");
});

test("the parameters of an address precede those of its surface, but not of its object", () => {
	const url = "/panels/social?view=events";
	assert.equal(targetOf(app, { kind: "on", id: "surface_1", query: { view: "communities" } }, { url }).view, "communities");
	assert.equal(targetOf(app, { kind: "at", id: "wo_1", query: { view: "communities" } }, { object: event }).view, "events");
});
