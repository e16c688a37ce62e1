import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { later } from "../dom.js";
import { createEntry } from "../../../assets/web/calendar/edit.js";

const control = (id, type, more) => ({ id, type, label: id, required: false, default: null, ...more });
const actions = [
	{ id: "create_event", label: "New event", controls: [control("title", "text"), control("start", "datetime")] },
	{ id: "create_task", label: "New task", controls: [control("title", "text"), control("due", "datetime")] },
];

test("a typed title is discarded only after a confirmation, also when the type of the entry has changed", async () => {
	const { app, document } = await openApp({ areas: ["calendar"] });
	const created = createEntry(app, actions, { start: "2026-11-26T19:00:00" });
	const dialogs = () => document.querySelectorAll("dialog");
	dialogs()[0].querySelector(".title-input").type("Bring the ladder");
	dialogs()[0].querySelectorAll(".seg button")[1].click();
	await later();
	assert.equal(dialogs()[0].querySelector("h2").textContent, "New task");
	assert.equal(dialogs()[0].querySelector(".title-input").value, "Bring the ladder");
	dialogs()[0].querySelector(".dialog-head button").click();
	await later();
	assert.equal(dialogs().length, 2, "the second dialog asks for the confirmation");
	dialogs()[1].querySelector(".bad").click();
	await later();
	assert.equal(dialogs().length, 0);
	assert.equal(await created, null);
});
