import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { notificationsView } from "../../../assets/web/social/notifications.js";

test("an unread notification of an earlier day has its day", async () => {
	const now = new Date().toISOString();
	const old = new Date(Date.now() - 40 * 86_400_000).toISOString();
	const item = (id, at, unread) => ({
		id, title: id, actor: { member_id: 2, display_name: "Bea" }, metadata: { kind: "dm", created_at: at, unread }, actions: [],
		context: { id, title: "Direct message", type: "dm" },
	});
	const items = [item("a", now, true), item("b", old, true), item("c", old, false)];
	const session = { shell: { dock: { items: [{ id: "social", action: { type: "open_panel", url: "/panels/social" } }] } } };
	const { app, main } = await openApp({ areas: ["social"], session, read: () => ({ sections: [{ id: "notifications", items }] }) });
	const view = notificationsView(app);
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	const { words } = app;
	const texts = main.querySelectorAll("time").map(({ textContent }) => textContent);
	assert.deepEqual(texts, ["now", words.when(old), words.time(old)]);
});
