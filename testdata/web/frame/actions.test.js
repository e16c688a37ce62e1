import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { Actions, draftKeyOf } from "../../../assets/web/frame/actions.js";

const hidden = (id, value) => ({ id, type: "hidden", default: value });
const text = { id: "title", type: "text" };

test("forms that differ in a hidden value have different drafts", () => {
	const inCommunity = (id) => draftKeyOf({ id: "create_conversation", url: "/conversations" }, [text, hidden("context_id", id)]);
	assert.notEqual(inCommunity("a"), inCommunity("b"));
	assert.equal(inCommunity("a"), inCommunity("a"));
	const to = (name) => draftKeyOf({ action_id: "act_start" }, [hidden("recipient", name), text]);
	assert.notEqual(to("bea"), to("cem"));
});

test("a draft outlasts a change of the record by another member", () => {
	const edit = (etag) => draftKeyOf({ id: "update", url: "/events/1" }, [text, hidden("etag", etag)]);
	assert.equal(edit("1"), edit("2"));
});

test("trying again repeats the key of the failed attempt", async () => {
	const keys = [];
	let retry;
	const app = {
		queue: { perform: async (_, __, { key }) => { keys.push(key); if (keys.length === 1) throw Object.assign(new Error("no connection"), { status: 0, retryable: true }); return {}; } },
		toasts: { show: (_, { action } = {}) => (retry = action?.run) }, words: { tryAgain: () => "", frame: { network: () => "" } },
	};
	const actions = new Actions(app);
	await actions.perform({ type: "social.event.create", label: "Create" }, { values: { title: "Supper" } });
	await retry();
	assert.equal(keys.length, 2);
	assert.equal(keys[0], keys[1]);
	await actions.perform({ type: "social.event.create", label: "Create" }, { values: { title: "Supper" } });
	assert.notEqual(keys[2], keys[1], "another press is another action");
});

test("an action with visible fields opens its form with the options of the action", async () => {
	const actions = new Actions({});
	let options;
	actions.openForm = async (_, given) => (options = given);
	await actions.perform({ type: "social.event.create", controls: [text] }, { doneText: "Created", fields: { context_id: 1 }, name: "Supper" });
	assert.deepEqual(options, { doneText: "Created", fields: { context_id: 1 } });
});

test("a task whose status has not been sent has the state of that status", () => {
	const tick = (status, more = {}) => ({ kind: "tick", state: "waiting", action: { url: "/tasks/1", body: { status } }, ...more });
	let list = [];
	const actions = new Actions({ queue: { entriesOf: ({ url }) => list.filter(({ action }) => action.url === url) } });
	const action = { url: "/tasks/1", body: { status: "completed" } };
	assert.equal(actions.isTicked(action), undefined);
	assert.equal(actions.isTicked(undefined), undefined);
	list = [tick("completed")];
	assert.equal(actions.isTicked(action), true);
	list = [tick("completed", { state: "failed" })];
	assert.equal(actions.isTicked(action), undefined);
	list = [tick("needs_action")];
	assert.equal(actions.isTicked(action), false);
	const allAction = { url: "/tasks/1?scope=up_to_today", body: { status: "completed" } };
	list = [tick("needs_action", { id: 1 }), tick("completed", { id: 2, action: allAction })];
	assert.equal(actions.isTicked(action, allAction), true, "the latest write counts");
	assert.equal(actions.isTicked(action), false);
});

test("the member chooses which occurrences of an overdue task are done", async () => {
	const { app, document, writes } = await openApp({ areas: ["day"] });
	app.actions = new Actions(app);
	const action = { url: "/t1?scope=this", method: "PATCH", body: { status: "completed", scope: "this" } };
	const allAction = { url: "/t1?scope=up_to_today", method: "PATCH", body: { status: "completed", scope: "up_to_today" } };
	const box = document.createElement("input");
	const tick = async (done, label, completion = allAction) => {
		box.checked = done;
		const result = app.actions.tickBox(action, box, "Bins", completion);
		await later();
		const choice = [...document.querySelectorAll("dialog button")].find((node) => `${node.textContent} ${node.getAttribute("aria-label")}`.includes(label));
		if (label) choice.click();
		const data = await result;
		const sent = writes.splice(0).map(({ action: { body } }) => `${body.scope} ${body.status}`);
		return [sent.join(), data === null, box.checked, document.querySelectorAll("dialog").length];
	};
	assert.deepEqual(await tick(true, "Only this one"), ["this completed", false, true, 0]);
	assert.deepEqual(await tick(false, ""), ["this needs_action", false, false, 0]);
	assert.deepEqual(await tick(true, "All up to today"), ["up_to_today completed", false, true, 0]);
	assert.deepEqual(await tick(false, ""), ["up_to_today needs_action", false, false, 0], "the same ones are open again");
	assert.deepEqual(await tick(true, "Close"), ["", true, false, 0], "nothing is sent");
	assert.deepEqual(await tick(true, "", null), ["this completed", false, true, 0], "no question for a task that is not overdue");
});
