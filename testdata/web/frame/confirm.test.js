import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { Acts } from "../../../assets/web/frame/acts.js";

test("a public community becomes private, which is final, only after a confirmation", async () => {
	const { app, document, writes } = await openApp();
	const acts = new Acts(app);
	const action = { id: "make_private", type: "social.community.make_private", label: "Make private", method: "PATCH", url: "/c" };
	for (const [button, want] of [[0, 0], [1, 1]]) {
		const done = acts.act(action, { name: "The garden" });
		await later();
		document.querySelectorAll("dialog .dialog-foot button")[button]?.click();
		await done;
		assert.equal(writes.length, want);
	}
});
