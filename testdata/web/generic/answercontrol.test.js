import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { answerControl } from "../../../assets/web/generic/answercontrol.js";

const options = ["going", "maybe", "declined", "none"].map((value) => ({ value, label: value }));
const action = { id: "rsvp", controls: [{ id: "response", type: "selector", options }] };

// openControl returns an answerControl, and the pending writes as functions that end them.
async function openControl(value) {
	const pending = [];
	const { app } = await openApp({ perform: () => new Promise((done, fail) => pending.push({ done, fail })) });
	const changes = [];
	const control = answerControl(app, action, { title: "Supper", value, changed: (answer) => changes.push(answer) });
	const shown = () => control.element.querySelector("[aria-pressed=true]")?.textContent ?? "none";
	return { control, pending, changes, shown, buttons: control.element.querySelectorAll("button") };
}

test("a panel that arrives while an answer is being sent does not replace it", async () => {
	const { control, pending, shown, buttons } = await openControl("none");
	buttons[0].click();
	control.set("none"); // another guest has answered
	assert.deepEqual([control.value, shown()], ["going", "going"]);
	pending[0].done({});
	await later();
	control.set("maybe"); // changed on another device
	assert.deepEqual([control.value, shown()], ["maybe", "maybe"]);
});

test("a rejected answer is replaced by the one before", async () => {
	const { control, pending, changes, shown, buttons } = await openControl("maybe");
	buttons[0].click();
	pending[0].fail(new Error("All places are taken."));
	await later();
	assert.deepEqual([control.value, shown(), changes], ["maybe", "maybe", ["going", "maybe"]]);
});

test("after two rejected answers, the control shows the one that the server has", async () => {
	const { control, pending, shown, buttons } = await openControl("none");
	buttons[0].click();
	buttons[1].click();
	for (const { fail } of pending) fail(new Error("The event is cancelled."));
	await later();
	assert.deepEqual([control.value, shown()], ["none", "none"]);
});
