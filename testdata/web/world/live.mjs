// Performs actions on a server as the web app does, and compares what it keeps with what the
// server returns. Usage: TOKEN=… node live.mjs ORIGIN BASE_PATH, with the token of a member
// who sees a member bea.

import assert from "node:assert/strict";
import { Client } from "../../../assets/web/world/client.js";
import { Dispatcher } from "../../../assets/web/world/dispatch.js";
import { Follower } from "../../../assets/web/world/follow.js";
import { Reader } from "../../../assets/web/world/reader.js";
import { Store } from "../../../assets/web/world/store.js";

const [origin, base] = process.argv.slice(2);
const requests = [];
const client = new Client({
	base, origin,
	fetch: (url, options) => {
		requests.push(`${options.method ?? "GET"} ${url}`);
		return fetch(url, { ...options, headers: { ...options.headers, Authorization: `Bearer ${process.env.TOKEN}` } });
	},
});
const store = new Store();
const fail = (error, part) => {
	console.error(part, error);
	process.exit(1);
};
const reader = new Reader({ client, store, paths: { session: "/world/session", dataset: "/world/runtime" }, onProblem: fail });
await reader.open();

// connected is resolved when the stream works.
let connect;
const connected = new Promise((done) => (connect = done));
const page = Object.assign(new EventTarget(), { hidden: false });
const follower = new Follower({ client, name: "live", url: store.streamURL, page, locks: null, onEvent: (event) => reader.refreshParts(event), onLive: connect });
const dispatcher = new Dispatcher({ client, store, reader, isLive: () => follower.isLive });
follower.start();
await connected;

// until waits for a condition on the store.
const until = (condition) =>
	new Promise((done) => {
		const end = store.subscribe(null, () => condition() && (end(), done()));
		if (condition()) end(), done();
	});

// compare makes the dataset current and compares it with the whole one.
async function compare(after) {
	await reader.read("dataset");
	const { data } = await client.request("GET", "/world/runtime");
	for (const section of Object.keys(data).filter((name) => !["capabilities", "sources"].includes(name))) {
		assert.deepEqual(store.dataset[section], data[section], `${section} after ${after}`);
	}
}

const titled = (title) => store.dataset.objects.find((object) => object.title === title);
const actionOfType = (type, label = "") => store.dataset.actions.find((action) => action.type === type && action.label.includes(label));
const panels = [];
const panel = reader.watch(store.session.shell.today, ["time", "social", "messages"], (today, error) => panels.push(error ?? today));
await panel.ready;

const created = await dispatcher.perform(actionOfType("create_time_object", "task"), { title: "Taxes" });
assert.ok(created.dataset.delta, "the response to a write contains the changes");
assert.ok(titled("Taxes"), "the store has them at once");
await compare("a new task");

const id = titled("Taxes").world_object_id;
const focused = await dispatcher.perform(store.actionOn(id, "focus_object"));
assert.ok(focused.dataset.delta, "the response to an action contains the changes");
assert.equal(store.dataset.workspace.focus.world_object_id, id);
await compare("the focus");

await assert.rejects(dispatcher.perform(actionOfType("create_time_object", "task"), { title: "" }), { status: 400, code: "field_required", fields: [{ name: "title", pointer: "/title", code: "field_required", message: "Title is required." }] });

const { undo } = await dispatcher.perform(store.actionOn(id, "delete_time_object"));
assert.equal(store.object(id), undefined);
await compare("a deletion");
await dispatcher.perform(undo);
await until(() => store.object(id));
await compare("the undo");

await dispatcher.perform(actionOfType("start_thread"), { recipient: "bea", body: "Hello" });
await until(() => store.dataset.objects.some((object) => object.object_type === "message_thread"));
await compare("a message");

// A change by another client, as which this one writes past the store.
await client.write("POST", actionOfType("create_time_object", "task").command.url, { body: { object_type: "task", title: "From elsewhere" } });
await until(() => titled("From elsewhere"));
await compare("a change by another client");

const ended = panels.length;
assert.ok(ended > 1 && panels.every((content) => content.sections), "the panel has followed");
assert.equal(requests.filter((request) => request === `GET ${origin}${base}/world/runtime`).length, 1 + 6, "the whole dataset is read once, and once for each comparison");
follower.stop();
reader.stop();
console.log("The store agrees with the server.");
