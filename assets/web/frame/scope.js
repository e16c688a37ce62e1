// The lifetime of the subscriptions, panels and timers of a view.

import { permittedPanel } from "../world/permissions.js";

// Scope collects subscriptions, panels and timers, and ends them together.
export class Scope {
	#cleanups = [];
	#hasEnded = false;

	constructor(app) {
		this.app = app;
		this.controller = new AbortController();
	}

	// signal is aborted when the scope ends. It is for requests and event listeners.
	get signal() {
		return this.controller.signal;
	}

	// add calls a function when the scope ends, or at once if it has ended.
	add(cleanup) {
		if (this.#hasEnded) cleanup();
		else this.#cleanups.push(cleanup);
	}

	// on calls a listener after changes of sections, as Store.subscribe does.
	on(sections, listener) {
		this.add(this.app.store.subscribe(sections, listener));
	}

	// panel reads a panel and keeps it current, see Reader.watch. services are the services with the data
	// that it contains. show is called with the permitted panel after each change. If a read fails,
	// fail(error, wasShown, retry) is called: wasShown is whether show has been called, or undefined
	// if the panel cannot be read any more; retry() reads it again. panel returns a promise of the
	// first read, which is never rejected.
	panel(url, services, show, fail = () => {}) {
		let wasShown = false;
		const onError = (error) => { if (!this.#hasEnded && error.status !== 401) fail(error, wasShown, retry); };
		const retry = () => this.app.reader.read(url).catch(onError);
		const panelRead = this.app.reader.watch(url, services, (panel, error) => {
			if (this.#hasEnded) return;
			if (error) fail(error, undefined, retry);
			else {
				wasShown = true;
				show(permittedPanel(panel, (id) => this.app.store.objectOfRecord(id)));
			}
		});
		this.add(panelRead.release);
		return panelRead.ready.catch(onError);
	}

	// every calls a function at an interval in milliseconds, while the page is visible. When the page becomes visible,
	// it calls the function at once if an interval has passed since the latest call.
	every(interval, run) {
		let isDue = false; // whether the page was hidden at the latest interval
		const call = () => {
			isDue = document.hidden;
			if (!isDue) run();
		};
		const timer = setInterval(call, interval);
		this.add(() => clearInterval(timer));
		document.addEventListener("visibilitychange", () => isDue && call(), { signal: this.signal });
	}

	// end calls the functions that were added, the latest first.
	end() {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.controller.abort();
		for (const cleanup of this.#cleanups.splice(0).reverse()) cleanup();
	}
}
