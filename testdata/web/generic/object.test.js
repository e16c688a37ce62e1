import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd } from "../dom.js";
import { objectView } from "../../../assets/web/generic/object.js";

test("the page has the new title of an object that was renamed", async () => {
	const object = { world_object_id: "wo_1", title: "Ladder", state: {}, actions: [] };
	const { app } = await openApp({ dataset: { objects: [object] } });
	app.store.object = () => app.store.dataset.objects[0];
	const titles = [];
	const view = objectView(app, { kind: "at", id: "wo_1" }, { object });
	atEnd(() => view.close());
	Object.assign(app.frame, { view, showTitle: () => titles.push(view.title) });
	app.store.dataset.objects = [{ ...object, title: "Long ladder" }];
	for (const listener of app.store.subscribers) listener();
	assert.deepEqual(titles, ["Long ladder"]);
});
