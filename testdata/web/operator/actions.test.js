import assert from "node:assert/strict";
import { test } from "node:test";
import { backUpButton } from "../../../assets/web/operator/actions.js";
import { openPage } from "../dom.js";
import { loadWords } from "../words.js";

test("the toast about a running backup is replaced when the backup has ended", async () => {
	openPage();
	const words = await loadWords({ locale: "en-GB", zone: "UTC", areas: ["operator", "frame"] });
	let poll = null; // the function that a scope calls at an interval
	const scope = { add: () => {}, every: (_, run) => (poll = run), end: () => (poll = null) };
	for (const [state, want] of [["done", "The backup is complete."], ["failed", "The last backup failed"]]) {
		const toasts = [];
		const app = {
			words, toasts: { show: (text) => toasts.push(text) }, scope: () => scope,
			store: { actionsOn: () => [{ type: "admin.backup.create", label: "Back up" }] }, actions: { perform: async () => ({}) },
		};
		const block = { scope, panel: {}, reload: async () => { block.panel = { backup_job: { state: "running" } }; } };
		backUpButton(app, block, "").click();
		await new Promise((done) => setImmediate(done));
		poll();
		assert.deepEqual(toasts, ["A backup is running."]);
		block.panel = { backup_job: { state } };
		poll();
		assert.deepEqual(toasts, ["A backup is running.", want]);
		assert.equal(poll, null);
	}
});
