// Panels that are stored before the member opens them, for a visit without a connection.

import { panelsOf } from "./areas.js";
import { locate } from "./routes.js";

const AFTER = 8000; // milliseconds before the first request, so that what the member does comes first
const PAUSE = 1000; // milliseconds between two requests
const FRESH = 86_400_000; // milliseconds for which a stored panel is not read again

// storeAhead reads the first panels of Today and of the items of the dock, once a day and one
// after the other, while the page is visible. It reads none if the browser stores none, or if the
// member saves data. The others are replaced in tests.
export async function storeAhead(app, { saveData = navigator.connection?.saveData, after = AFTER, pause = PAUSE, now = Date.now, panels = panelsOf } = {}) {
	if (!app.stored.isSecure || saveData) return;
	const items = app.store.session.shell?.dock?.items ?? [];
	const routes = [{ kind: "today", id: "", query: {} }, ...items.map(({ id }) => ({ kind: "in", id, query: {} }))];
	await wait(after);
	try {
		for (const located of routes.map((route) => locate(route, app.store)).filter(Boolean)) {
			for (const url of await panels(app, located)) {
				const stored = await app.stored.get(url);
				if (stored && now() - stored.time < FRESH) continue;
				if (document.hidden || app.connection.state !== "online") return;
				await app.client.read(url);
				await wait(pause);
			}
		}
	} catch {
		// The next visit reads the rest.
	}
}

function wait(milliseconds) {
	return new Promise((done) => setTimeout(done, milliseconds));
}
