import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { ownProfileView } from "../../../assets/web/people/own.js";

test("the last of several quick changes of the presence is set", async () => {
	const options = ["online", "away", "busy"].map((value) => ({ value, label: value }));
	const action = { id: "set_presence", url: "/presence", controls: [{ id: "state", type: "selector", options, default: "online" }] };
	const about = { title: "Ann", actor: { member_id: 1, presence: { state: "online" } } };
	const panel = { sections: [{ id: "about", items: [about] }], action_descriptors: [action] };
	const pending = [];
	const set = [];
	const perform = (_, { state }) => new Promise((done) => pending.push(() => done(void set.push(state))));
	const { app, main } = await openApp({ areas: ["people"], read: () => panel, perform });
	const view = ownProfileView(app);
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	const [, away, busy] = main.querySelectorAll(".seg button");
	away.click();
	busy.click();
	await later();
	while (pending.length > 0) {
		pending.pop()(); // the server performs the requests of a moment in any order
		await later();
	}
	assert.equal(set.at(-1), "busy");
});
