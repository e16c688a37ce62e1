import assert from "node:assert/strict";
import { test } from "node:test";
import { memberParts } from "../../../assets/web/operator/member.js";
import { membersParts } from "../../../assets/web/operator/members.js";
import { Scope } from "../../../assets/web/frame/scope.js";
import { PageEvent, openPage } from "../dom.js";
import { loadWords } from "../words.js";

const wordsIn = (zone) => loadWords({
	locale: "en-GB", zone, now: () => Date.parse("2026-12-03T12:00:00Z"), areas: ["operator", "settings", "frame"],
});

test("a search that begins after its view has ended does not replace the address of the next view", async (t) => {
	openPage();
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const addresses = [];
	const app = {
		words: await wordsIn("UTC"), router: { route: { kind: "operator", id: "members", query: {} }, set: (route) => addresses.push(route) },
		store: { actionsOn: () => [] },
	};
	const scope = new Scope(app);
	const block = { scope, setQuery: () => {} };
	const panel = { sections: [], action_descriptors: [{ id: "open_members", controls: [{ id: "q", label: "Name" }] }] };
	const form = membersParts(app, panel, block)[0].make();
	const input = form.querySelector("input");
	input.value = "ann";
	input.dispatchEvent(new PageEvent("input", { bubbles: true }));
	t.mock.timers.tick(250);
	assert.deepEqual(addresses.map(({ query }) => query.q), ["ann"]);
	input.value = "anna";
	input.dispatchEvent(new PageEvent("input", { bubbles: true }));
	scope.end();
	t.mock.timers.tick(250);
	assert.equal(addresses.length, 1);
});

test("the day on which a member has joined is that in the time zone of the operator", async () => {
	openPage();
	const app = { words: await wordsIn("Pacific/Auckland"), store: { session: {} } };
	const member = { id: "2", display_name: "Ann", username: "ann", status: "active", created_at: "2026-11-30T12:00:00Z" };
	const panel = { members: [member], sections: [{ id: "members", items: [{ id: "2" }] }] };
	const [who] = memberParts(app, panel, {});
	assert.match(who.make().textContent, /1 Dec/);
});

test("the toast after an action on a member says what it did", async () => {
	const { operator } = await wordsIn("UTC");
	assert.deepEqual(
		["disable", "enable", "end_sessions", "demote", "update"].map((id) => operator.changed("Dora", id)),
		["Dora is disabled.", "Dora is enabled.", "All sessions of Dora are ended.", "Dora is no longer an operator.", "Dora is changed."],
	);
});
