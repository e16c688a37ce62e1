// The subscriptions and panels of a view, which end with it.

// Scope collects subscriptions, panels and timers. end ends all of them.
export class Scope {
	#ends = [];
	#hasEnded = false;

	constructor(app) {
		this.app = app;
		this.controller = new AbortController();
	}

	// signal is aborted when the scope ends; it ends requests and event listeners.
	get signal() {
		return this.controller.signal;
	}

	// add calls a function when the scope ends.
	add(end) {
		if (this.#hasEnded) end();
		else this.#ends.push(end);
	}

	// on calls a listener after changes of the named sections of the dataset, and of "session".
	on(sections, listener) {
		this.add(this.app.store.subscribe(sections, listener));
	}

	// panel reads a panel and keeps it current. services are those that it shows. show is
	// called with the panel after each change; fail(error, wasShown, again) if it cannot be read:
	// wasShown is whether show was called before, undefined for a panel that cannot be read any
	// more, and again() reads it once more. panel returns a promise of the first read.
	panel(url, services, show, fail = () => {}) {
		let wasShown = false;
		const failed = (error) => { if (!this.#hasEnded && error.status !== 401) fail(error, wasShown, again); };
		const again = () => this.app.reader.read(url).catch(failed);
		const kept = this.app.reader.keep(url, services, (panel, error) => {
			if (this.#hasEnded) return;
			if (error) fail(error, undefined, again);
			else {
				wasShown = true;
				show(panel);
			}
		});
		this.add(kept.release);
		return kept.ready.catch(failed);
	}

	// every calls a function at intervals, in milliseconds, while the page is visible.
	every(interval, run) {
		const timer = setInterval(() => document.hidden || run(), interval);
		this.add(() => clearInterval(timer));
	}

	end() {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.controller.abort();
		for (const end of this.#ends.splice(0).reverse()) end();
	}
}
