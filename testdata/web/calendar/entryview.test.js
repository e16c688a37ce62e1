import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { EntryView } from "../../../assets/web/calendar/entryview.js";

const choir = () => ({
	id: "e1", object_type: "calendar_event", title: "Choir", actions: { open: "/e1" }, action_descriptors: [],
	state: {
		start: { utc: "2026-11-26T18:00:00Z" }, end: { utc: "2026-11-26T19:30:00Z" }, status: "confirmed", calendar_name: "Home",
		recurrence: { is_recurring: false }, etag: "1",
	},
});

// openEntry opens the view of the entry choir. answer returns the entry, or throws.
async function openEntry(answer) {
	const read = (url) => (url.startsWith("/e1") ? { object: answer() } : { appointments: [choir()], tasks: [] });
	const opened = await openApp({ areas: ["calendar"], read });
	const route = { kind: "in", id: "time", query: { entry: "e1", occurrence: "", view: "day", date: "2026-11-26" } };
	const view = new EntryView(opened.app, route, { url: "/panels/time" });
	atEnd(() => view.close());
	opened.main.append(...view.element);
	await later();
	return { ...opened, view, route, text: () => opened.main.textContent };
}

const error = (status) => Object.assign(new Error(`status ${status}`), { status });

test("an entry that could not be read is read again by the button", async () => {
	const { app, view, route, main } = await openEntry(() => { throw error(503); });
	main.querySelector(".note button").click();
	assert.equal(app.showCount, 1);
	assert.equal(view.update(route), false, "App.show opens a new view");
});

test("an entry that is restored from the trash is visible again", async () => {
	let answer = choir;
	const { app, text, update } = await openEntry(() => answer());
	assert.match(text(), /Choir/);
	answer = () => { throw error(404); };
	app.reader.fail("/e1", error(404));
	assert.doesNotMatch(text(), /November, 19:00/);
	for (const listener of app.store.subscribers) listener();
	assert.doesNotMatch(text(), /November, 19:00/, "a change of other objects does not show it");
	answer = choir;
	await update("/e1");
	assert.match(text(), /November, 19:00/);
});

test("the times of a flight are shown in the zone of the member, and each in its own", async () => {
	const flight = (startZone, endZone) => {
		const entry = choir();
		entry.state.start = { utc: "2026-12-01T08:00:00Z", timezone: startZone };
		entry.state.end = { utc: "2026-12-01T19:00:00Z", timezone: endZone };
		return entry;
	};
	const textOf = async (...zones) => (await openEntry(() => flight(...zones))).text().replaceAll(/[\u2009\u202f]/g, " ");
	const both = await textOf("Europe/Berlin", "Asia/Tokyo");
	assert.match(both, /09:00–20:00/);
	assert.match(both, /Tue 1 Dec, 09:00 \(Europe\/Berlin, GMT\+1\) – Wed 2 Dec, 04:00 \(Asia\/Tokyo, GMT\+9\)/);
	assert.match(await textOf("Asia/Tokyo", "Asia/Tokyo"), /Tue 1 Dec, 17:00 – Wed 2 Dec, 04:00 \(Asia\/Tokyo, GMT\+9\)/);
	assert.doesNotMatch(await textOf("Europe/Berlin", "Europe/Berlin"), /GMT/);
});
