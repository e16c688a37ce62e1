import assert from "node:assert/strict";
import { test } from "node:test";
import { requestOf } from "../../../assets/web/world/dispatch.js";

const MINUTES = 60_000;

const CONTROLS = [
	{ id: "state", type: "selector", default: "online" }, { id: "note", type: "text", default: "" },
	{ id: "visible_to", type: "selector", default: "members" }, { id: "ttl_seconds", type: "number", default: 300 },
];

// member returns an app whose member has a presence, and the presences that were sent, as the
// server receives them. The clock of the test advances the time.
async function member(t, { presence, hidden = false, state = "online" }) {
	t.mock.timers.enable({ apis: ["setInterval"] });
	globalThis.document = { hidden };
	const { renewPresence } = await import("../../../assets/web/frame/membermenu.js");
	const sent = [];
	const profile = { object_type: "profile", world_object_id: "wo_ann", state: { member_id: 1, presence } };
	const app = {
		store: { dataset: { member: { member_id: 1 }, objects: [profile] }, actionOn: (id, type) => ({ id, type, controls: CONTROLS }) }, connection: { state },
		dispatcher: { perform: async (action, values) => sent.push([action.type, requestOf(action, values).body]) },
	};
	renewPresence(app);
	return { app, profile, sent };
}

test("a presence is renewed before it expires after five minutes", async (t) => {
	const { profile, sent } = await member(t, { presence: { state: "busy", note: "in the garden" } });
	for (let minute = 0; minute < 15; minute++) {
		const before = sent.length;
		t.mock.timers.tick(4.75 * MINUTES);
		assert.ok(sent.length > before, "a presence has expired");
	}
	assert.deepEqual(sent[0], ["social.presence.set", { state: "busy", note: "in the garden" }]);
	profile.state.presence = null;
	const before = sent.length;
	t.mock.timers.tick(10 * MINUTES);
	assert.equal(sent.length, before, "a presence was set that the member does not have");
});

test("a presence is not renewed on a hidden page, without a connection, or while offline", async (t) => {
	for (const options of [{ hidden: true }, { state: "unreachable" }, { presence: { state: "offline", note: "" } }]) {
		const { sent } = await member(t, { presence: { state: "online", note: "" }, ...options });
		t.mock.timers.tick(10 * MINUTES);
		assert.deepEqual(sent, [], JSON.stringify(options));
		t.mock.timers.reset();
	}
});

test("a presence is set and renewed without its audience, which the server keeps", async (t) => {
	const { sent } = await member(t, { presence: { state: "busy", note: "" } });
	t.mock.timers.tick(3 * MINUTES);
	assert.deepEqual(sent, [["social.presence.set", { state: "busy", note: "" }]]);
	const { withoutAudience } = await import("../../../assets/web/frame/membermenu.js");
	assert.deepEqual(requestOf(withoutAudience({ controls: CONTROLS }), { state: "away" }).body, { state: "away" });
});
