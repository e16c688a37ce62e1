import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { eventView } from "../../../assets/web/social/event.js";
import { conversationsView } from "../../../assets/web/social/conversations.js";

const actor = { member_id: 2, display_name: "Bea" };
const at = "2026-11-26T12:00:00Z";
const conversation = {
	id: "con_1", title: "Bea", summary: "Who brings the ladder?", body: "Who brings the ladder?", actor, reply_count: 0,
	metadata: { state: "open", unread_count: 0, read_up_to: null, created_at: at }, actions: [],
};
const event = {
	id: "evt_1", title: "Supper", description: "Bring bread", actor, host: actor, reply_count: 0, counts: { going: 1, maybe: 0, declined: 0, none: 0 },
	start: { utc: "2026-11-28T18:00:00Z", date_time: "2026-11-28T19:00:00", timezone: "Europe/Berlin" },
	end: { utc: "2026-11-28T20:00:00Z", date_time: "2026-11-28T21:00:00", timezone: "Europe/Berlin" },
	metadata: { status: "scheduled", start: "2026-11-28T19:00:00", rsvp: "none" }, actions: [],
};
const lost = Object.assign(new Error("not found"), { status: 404 });

// openView opens a view of Social. panel returns the panel for a path.
async function openView(make, panel) {
	const session = { shell: { dock: { items: [{ id: "social", action: { type: "open_panel", url: "/panels/social" } }] } } };
	const opened = await openApp({ areas: ["social"], read: panel, session });
	const view = make(opened.app);
	atEnd(() => view.close());
	opened.main.append(...view.element);
	await later();
	return opened;
}

test("a conversation that the member sees again after it was lost is shown again", async () => {
	const url = "/panels/social?view=conversations&id=con_1";
	const panel = (path) => (path === url ? { title: "Ladder", sections: [{ id: "conversation", items: [conversation] }] } : { sections: [] });
	const { app, main, update } = await openView((of) => conversationsView(of, { community: "", conversation: "con_1" }), panel);
	assert.match(main.textContent, /Who brings the ladder/);
	app.reader.fail(url, lost);
	assert.doesNotMatch(main.textContent, /Who brings the ladder/);
	await update(url);
	assert.match(main.textContent, /Who brings the ladder/);
});

test("an event that the member sees again after it was lost is shown again", async () => {
	const url = "/panels/social?view=events&id=evt_1";
	const panel = { title: "Supper", sections: [{ id: "event", items: [event] }] };
	const { app, main, update } = await openView((of) => eventView(of, "evt_1"), () => panel);
	assert.match(main.textContent, /Bring bread/);
	app.reader.fail(url, lost);
	assert.doesNotMatch(main.textContent, /Bring bread/);
	await update(url);
	assert.match(main.textContent, /Bring bread/);
});

test("a community that the member sees again after it was lost is shown again", async () => {
	const url = "/panels/social?view=communities&id=com_1";
	const about = { id: "com_1", title: "Garden", metadata: { visibility: "private", member_count: 2 }, actions: [] };
	const panel = { title: "Garden", sections: [{ id: "about", items: [about] }, { id: "latest_conversations", items: [conversation] }] };
	const read = (path) => (path === url ? panel : { title: "Ladder", sections: [{ id: "conversation", items: [conversation] }] });
	const { app, main, update } = await openView((of) => conversationsView(of, { community: "com_1", conversation: "" }), read);
	assert.ok(main.querySelector(".comm-list"));
	app.reader.fail(url, lost);
	assert.equal(main.querySelector(".comm-list"), null);
	await update(url);
	assert.ok(main.querySelector(".comm-list"));
});
