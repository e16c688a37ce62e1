import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { invitationPicture } from "../../../assets/web/social/colors.js";
import { entryText } from "../../../assets/web/social/notifications.js";
import { startText } from "../../../assets/web/social/rows.js";

const supper = {
	object_type: "event", world_object_id: "wo_1", title: "Supper", source: { resource_id: "evt_1" },
	state: { start: "2027-03-04T18:00:00", end: "2027-03-04T22:00:00", timezone: "Europe/Berlin", all_day: false, host: { id: 2 } },
};
const invitation = (kind, id) => ({ id: "inv_1", title: "Supper", metadata: { kind }, context: { id }, actions: [] });

test("the picture of an event that waits is its date, and that of a community its letter", async () => {
	const { app } = await openApp({ areas: ["social"], dataset: { objects: [supper] } });
	const textOf = (item) => invitationPicture(app, item).textContent;
	assert.equal(textOf({ id: "evt_1", title: "Supper", metadata: { object_type: "event" } }), "Mar4");
	assert.equal(textOf(invitation("event", "evt_1")), "Mar4");
	assert.equal(textOf(invitation("event", "evt_unknown")), "S");
	assert.equal(textOf(invitation("community", "com_1")), "S");
});

test("the start of an event after the next six days has its weekday and its date", async () => {
	const { app } = await openApp({ areas: ["social"], now: () => Date.parse("2026-12-01T12:00:00Z") });
	const textOf = (date) => startText(app, { start: { date } });
	assert.equal(textOf("2026-12-02"), "Tomorrow, all day");
	assert.equal(textOf("2026-12-05"), "Sat, all day");
	assert.equal(textOf("2026-12-10"), "Thu 10 Dec, all day");
});

test("Lately emphasizes the record of an entry, and notifications also the actor", async () => {
	const { app } = await openApp({ areas: ["social"] });
	const item = { title: "x", actor: { display_name: "Bea" }, metadata: { kind: "invitation" }, context: { type: "event", title: "Supper" } };
	const strongOf = (nodes) => nodes.filter((node) => node.textContent).map(({ textContent }) => textContent);
	assert.deepEqual(strongOf(entryText(app, item)), ["Bea", "Supper"]);
	assert.deepEqual(strongOf(entryText(app, item, { isActorStrong: false })), ["Supper"]);
});
