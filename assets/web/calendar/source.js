// The panel of Time for the days that are shown.

import { withQuery } from "../world/dispatch.js";
import { anchorOf, stepped } from "./ranges.js";

const KNOWN = 12; // panels of days that were shown or read ahead
const IDLE = 600; // milliseconds before neighbouring days are read

// LISTS are the lists of the panel that the calendar shows. The texts of `sections` repeat them.
const LISTS = "calendars,appointments,tasks,action_descriptors";

// panelOf returns the path of the panel of a view and a day. base is the published path.
export function panelOf(base, view, day, weekStart) {
	return withQuery(base, { view, date: view === "tasks" ? null : anchorOf(view, day, weekStart), fields: LISTS });
}

// PanelSource reads the panel of a view and a day and keeps it current. It reads the days before
// and after ahead, so that a step shows them at once.
export class PanelSource {
	url = ""; // of the present days
	latest = null; // the panel that was shown last, with the calendars and preferences
	#known = new Map(); // path → panel, the least recently used first
	#scope = null;
	#timer = 0;

	// base is the published path of the panel; show is called after each change of the present
	// panel, fail if it cannot be read.
	constructor(app, base, scope, { show, fail }) {
		Object.assign(this, { app, base, show, fail });
		scope.add(() => this.#stop());
	}

	// current is the panel of the present days, or null until it is read.
	get current() {
		return this.#known.get(this.url) ?? null;
	}

	// follow shows the panel of other days.
	follow(view, date, weekStart) {
		const urlOf = (day) => panelOf(this.base, view, day, weekStart);
		const url = urlOf(date);
		if (url === this.url) return;
		this.#stop();
		this.url = url;
		this.#scope = this.app.scope();
		if (this.current) this.latest = this.current;
		const ahead = view === "tasks" ? [] : [urlOf(stepped(view, date, 1)), urlOf(stepped(view, date, -1))];
		this.#scope.panel(url, ["time"], (panel) => {
			const isShown = panel === this.latest;
			this.#keep(url, panel);
			this.latest = panel;
			if (!isShown) this.show();
			this.#readAhead(ahead);
		}, (error) => this.fail(error));
	}

	// refresh reads the present panel again.
	refresh() {
		return this.app.reader.read(this.url);
	}

	#stop() {
		clearTimeout(this.#timer);
		this.#scope?.end();
	}

	#keep(url, panel) {
		this.#known.delete(url);
		this.#known.set(url, panel);
		if (this.#known.size > KNOWN) this.#known.delete(this.#known.keys().next().value);
	}

	// #readAhead reads panels while the app is idle, unless the member saves data.
	#readAhead(urls) {
		clearTimeout(this.#timer);
		if (navigator.connection?.saveData) return;
		this.#timer = setTimeout(async () => {
			for (const url of urls) {
				if (document.hidden || this.url === url || !navigator.onLine) continue;
				try {
					this.#keep(url, (await this.app.client.read(url, { signal: this.#scope.signal })).data);
				} catch {
					return; // read when it is shown
				}
			}
		}, IDLE);
	}
}
