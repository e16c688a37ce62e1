// Reads the panels of the calendar, and prefetches the panels of the periods before and after the visible
// one.

import { withQuery } from "../world/dispatch.js";
import { anchorOf, stepDay } from "./ranges.js";

const MAX_CACHED_PANELS = 12; // maximum number of panels in the cache
const PREFETCH_DELAY = 600; // milliseconds from a change of the visible panel to the prefetches

// PANEL_LISTS are the lists of the panel that the calendar needs. The list sections would repeat the
// others as texts.
const PANEL_LISTS = "calendars,appointments,tasks,action_descriptors";

// panelOf returns the path of the panel of a view for the period that contains a day. base is the
// path of the panel without parameters.
export function panelOf(base, view, day, weekStart) {
	return withQuery(base, { view, date: view === "tasks" ? null : anchorOf(view, day, weekStart), fields: PANEL_LISTS });
}

// PanelSource reads the panel of the visible period and keeps it current. It prefetches the panels of
// the periods before and after, so that a step to them does not wait for the server.
export class PanelSource {
	url = ""; // path of the panel of the visible period
	latest = null; // the panel that was visible last, for its calendars and preferences until current is read
	#cache = new Map(); // path → panel, the least recently used first
	#scope = null; // Scope of the subscription to the visible panel
	#timer = 0; // delay of the prefetches

	// base is the path of the panel without parameters. The source stops at the end of scope. show is
	// called after each change of the visible panel, fail with the error if the panel cannot be read.
	constructor(app, base, scope, { show, fail }) {
		Object.assign(this, { app, base, show, fail });
		scope.add(() => this.#stop());
	}

	// current is the panel of the visible period, or null until it is read.
	get current() {
		return this.#cache.get(this.url) ?? null;
	}

	// follow makes the period of a view that contains a date the visible one.
	follow(view, date, weekStart) {
		const urlOf = (day) => panelOf(this.base, view, day, weekStart);
		const url = urlOf(date);
		if (url === this.url) return;
		this.#stop();
		this.url = url;
		this.#scope = this.app.scope();
		if (this.current) this.latest = this.current;
		const neighbors = view === "tasks" ? [] : [urlOf(stepDay(view, date, 1)), urlOf(stepDay(view, date, -1))];
		this.#scope.panel(url, ["time"], (panel) => {
			const isShown = panel === this.latest;
			this.#store(url, panel);
			this.latest = panel;
			if (!isShown) this.show();
			this.#prefetch(neighbors);
		}, (error) => this.fail(error));
	}

	// refresh reads the visible panel again. It returns a promise that is rejected with the error.
	refresh() {
		return this.app.reader.read(this.url);
	}

	#stop() {
		clearTimeout(this.#timer);
		this.#scope?.end();
	}

	// #store adds a panel to the cache, and removes the least recently used one above the limit.
	#store(url, panel) {
		this.#cache.delete(url);
		this.#cache.set(url, panel);
		if (this.#cache.size > MAX_CACHED_PANELS) this.#cache.delete(this.#cache.keys().next().value);
	}

	// #prefetch reads panels into the cache after PREFETCH_DELAY, unless the browser is set to reduce
	// the use of data.
	#prefetch(urls) {
		clearTimeout(this.#timer);
		if (navigator.connection?.saveData) return;
		this.#timer = setTimeout(async () => {
			for (const url of urls) {
				if (document.hidden || this.url === url || !navigator.onLine) continue;
				try {
					this.#store(url, (await this.app.client.read(url, { signal: this.#scope.signal })).data);
				} catch {
					return; // follow reads the panel when its period becomes visible
				}
			}
		}, PREFETCH_DELAY);
	}
}
