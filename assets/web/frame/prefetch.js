// Prefetches panels for a visit without a connection.

import { panelsOf } from "./areas.js";
import { matchRoute } from "./routes.js";

const START_DELAY = 8000; // milliseconds before the first request, which would delay the requests of the first screen
const REQUEST_INTERVAL = 1000; // milliseconds between two requests
const MAX_AGE = 86_400_000; // age up to which a stored panel is not read again, in milliseconds

// prefetchPanels reads the first panels of Today and of each item of the dock, one after the other,
// so that the MemberCache stores them. It stops when the page is hidden or the connection is lost.
// It does nothing if the cache is disabled, or if saveData is true, because the member has asked
// the browser to reduce traffic. Tests replace the other options.
export async function prefetchPanels(app, {
	saveData = navigator.connection?.saveData, after = START_DELAY, pause = REQUEST_INTERVAL, now = Date.now, panels = panelsOf,
} = {}) {
	if (!app.memberCache.isSecure || saveData) return;
	const items = app.store.session.shell?.dock?.items ?? [];
	const routes = [{ kind: "today", id: "", query: {} }, ...items.map(({ id }) => ({ kind: "in", id, query: {} }))];
	await wait(after);
	try {
		for (const match of routes.map((route) => matchRoute(route, app.store)).filter(Boolean)) {
			for (const url of await panels(app, match)) {
				const storedPanel = await app.memberCache.get(url);
				if (storedPanel && now() - storedPanel.time < MAX_AGE) continue;
				if (document.hidden || app.connection.state !== "online") return;
				await app.client.read(url);
				await wait(pause);
			}
		}
	} catch {
		// A request has failed: the next visit continues.
	}
}

function wait(milliseconds) {
	return new Promise((done) => setTimeout(done, milliseconds));
}
