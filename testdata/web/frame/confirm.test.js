import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { Actions } from "../../../assets/web/frame/actions.js";

const action = { id: "make_private", type: "social.community.make_private", label: "Make private", method: "PATCH", url: "/c" };

test("an action with the field confirm is sent only after a confirmation", async () => {
	const { app, document, writes } = await openApp();
	const runner = new Actions(app);
	for (const [button, want] of [[0, 0], [1, 1]]) {
		const done = runner.perform({ ...action, confirm: "This is final." }, { name: "The garden" });
		await later();
		assert.equal(document.querySelector("dialog p").textContent, "This is final.");
		document.querySelectorAll("dialog .dialog-foot button")[button]?.click();
		await done;
		assert.equal(writes.length, want);
	}
});

test("an action without the field confirm is sent at once, whatever its type and its method are", async () => {
	const { app, document, writes } = await openApp();
	await new Actions(app).perform({ ...action, type: "delete_calendar", method: "DELETE", destructive: true }, { name: "Home" });
	assert.equal(document.querySelector("dialog"), null);
	assert.equal(writes.length, 1);
});

test("buttons and items of menus show whether an action is destructive", async () => {
	const { app } = await openApp();
	const runner = new Actions(app);
	const actions = [{ ...action, method: "DELETE" }, { ...action, destructive: true }];
	assert.deepEqual(actions.map((each) => runner.button(each).classList.contains("bad")), [false, true]);
	assert.deepEqual(runner.items(actions).map(({ bad }) => Boolean(bad)), [false, true]);
});
