// Reading: it makes the session, the dataset and the panels that are shown current.

// Reader reads what has changed. Each part is read by one request at a time: an event during
// the request causes one more afterwards, however many events there are.
export class Reader {
	isConfirmed = false; // whether the server has sent the session in this visit
	#running = new Map(); // part → { again, promise } of a read in progress
	#panels = new Map(); // path → { services, listeners, data, isCurrent, hasFailed }
	#retries = new Map(); // part → { timer, failures } of a read that will be repeated
	#etag = { revision: "", value: "" }; // of the dataset with that revision
	#first = null; // the restored part of the dataset and its ETag, until the rest is there
	#stopped = false;

	// paths has the paths of the bootstrap: session and dataset. onProblem is called with the
	// error and the part of a read in the background that failed and will be repeated; the
	// waits before repetitions begin with `wait` milliseconds. Responses of earlier visits are
	// those in client.stored.
	constructor({ client, store, paths, onProblem = () => {}, wait = 2000, longest = 60_000, random = Math.random }) {
		Object.assign(this, { client, store, paths, onProblem, wait, longest, random });
	}

	// open reads the session and the dataset, at the same time.
	async open() {
		this.#stopped = false;
		await Promise.all([this.read("session"), this.read("dataset")]);
	}

	// restore puts the session and the dataset of the last visit into the store, unless it has
	// newer ones, and returns whether the store has both. The caller shows them and calls open,
	// which reads only what has changed since. The dataset has no actions before restoreRest.
	async restore() {
		const [session, dataset] = await Promise.all([this.client.readStored(this.paths.session), this.client.stored?.get(this.paths.dataset)]);
		if (this.#stopped || !session || !dataset) return false;
		if (!this.store.session) this.store.setSession(session);
		if (!this.store.dataset && this.store.setDataset(dataset.data)) this.#first = dataset;
		return Boolean(this.store.session && this.store.dataset);
	}

	// restoreRest adds what the restored dataset lacks, unless the store has a newer one. Each
	// read of the dataset calls it before.
	async restoreRest() {
		const first = this.#first;
		if (!first) return;
		const rest = await this.client.stored.get(restOf(this.paths.dataset));
		if (this.#stopped || this.#first !== first) return;
		this.#first = null;
		if (this.store.dataset !== first.data || !rest?.etag || rest.etag !== first.etag) return;
		this.store.setDataset({ ...first.data, ...rest.data });
		this.#etag = { revision: this.store.revision, value: rest.etag };
	}

	// stop ends all repetitions, such as after a sign-out, and forgets the panels.
	stop() {
		this.#stopped = true;
		for (const { timer } of this.#retries.values()) clearTimeout(timer);
		this.#retries.clear();
		this.#panels.clear();
		this.#etag = { revision: "", value: "" };
		this.#first = null;
	}

	// read makes a part current: "session", "dataset" or the path of a panel.
	read(part) {
		const running = this.#running.get(part);
		if (running) {
			running.again = true;
			return running.promise;
		}
		const run = { again: false, promise: null };
		this.#running.set(part, run);
		run.promise = this.#run(part, run).finally(() => this.#running.delete(part));
		return run.promise;
	}

	// changed reads what an event of the stream names, in the background. Without names, it
	// reads everything.
	changed({ sections = null, services = null } = {}) {
		this.#refresh("session"); // its badges may change with every event
		if (!sections || sections.length > 0) this.#refresh("dataset");
		for (const [path, panel] of this.#panels) {
			if (!services || panel.services.some((service) => services.includes(service))) this.#refresh(path);
		}
	}

	// keep reads a panel, and reads it again when one of the services has changed. listener is
	// called with the panel after each change, the first time at once if it is known; it is
	// called with the panel and an error if the panel cannot be read any more. keep returns
	// { ready, release }: a promise of the first read, which is rejected with its error, and a
	// function that ends the reading. If the panel of an earlier visit is known and the failure is
	// temporary, ready is resolved, and the read is repeated in the background.
	keep(path, services, listener) {
		let panel = this.#panels.get(path);
		if (!panel) this.#panels.set(path, (panel = { services, listeners: new Set(), data: null, isCurrent: false, hasFailed: false }));
		panel.listeners.add(listener);
		if (panel.data) listener(panel.data);
		const release = () => {
			panel.listeners.delete(listener);
			if (panel.listeners.size === 0 && this.#panels.get(path) === panel) this.#panels.delete(path);
		};
		return { ready: this.#readFirst(path, panel), release };
	}

	// isCurrent reports whether a panel has been read from the server in this visit. Only then
	// may messages in it be marked as read: the member has not seen newer ones.
	isCurrent(path) {
		return this.#panels.get(path)?.isCurrent ?? false;
	}

	async #readFirst(path, panel) {
		if (!panel.data) await this.#restorePanel(path, panel);
		try {
			await this.read(path);
		} catch (error) {
			if (!panel.data || !error.retryable) {
				panel.hasFailed = true;
				throw error;
			}
			this.#retry(path, error.retryAfter);
		}
	}

	async #restorePanel(path, panel) {
		const data = await this.client.readStored(path);
		if (!data || panel.data || this.#panels.get(path) !== panel) return;
		panel.data = data;
		for (const listener of [...panel.listeners]) listener(data);
	}

	async #run(part, run) {
		do {
			run.again = false;
			await this.#readOnce(part);
			this.#endRetry(part);
		} while (run.again && !this.#stopped);
	}

	async #readOnce(part) {
		if (part === "session") return this.#readSession();
		if (part === "dataset") return this.#readDataset();
		const panel = this.#panels.get(part);
		const { data } = await this.client.read(part);
		if (!panel || this.#stopped) return;
		panel.isCurrent = true;
		if (panel.data === data && !panel.hasFailed) return;
		panel.data = data;
		panel.hasFailed = false; // the views may show the error
		for (const listener of [...panel.listeners]) listener(data);
	}

	async #readSession() {
		const { data } = await this.client.read(this.paths.session);
		if (this.#stopped) return;
		this.isConfirmed = true;
		if (data !== this.store.session) this.store.setSession(data);
	}

	// #readDataset reads the changes, or the whole dataset at first. If a write has changed
	// the dataset in the meantime, the changes do not apply, and it reads those since then.
	async #readDataset() {
		await this.restoreRest();
		for (let applied = false; !applied; ) {
			const { revision } = this.store;
			const headers = revision && this.#etag.revision === revision ? { "If-None-Match": this.#etag.value } : {};
			const { status, data, etag, isStorable } = await this.client.request("GET", this.store.changesURL ?? this.paths.dataset, { headers });
			if (this.#stopped) return;
			applied = status === 304 || this.store.setDataset(data);
			if (!applied) continue;
			if (status !== 304) this.#etag = { revision: this.store.revision, value: etag };
			if (isStorable && this.#etag.revision === this.store.revision) this.#storeDataset();
		}
	}

	// #storeDataset stores the dataset in two parts. Its actions are most of it, and a first
	// screen needs none. The revision is in the rest: the first part alone is read as a whole
	// again.
	#storeDataset() {
		const { actions, capabilities, ...first } = this.store.dataset;
		const { stored } = this.client;
		const { dataset } = this.paths;
		stored?.put(dataset, { data: first, etag: this.#etag.value });
		stored?.put(restOf(dataset), { data: { actions, capabilities }, etag: this.#etag.value });
	}

	// #refresh reads a part in the background and repeats that after temporary failures.
	#refresh(part) {
		if (this.#stopped) return;
		this.read(part).catch((error) => {
			if (this.#stopped || error.status === 401) return;
			this.onProblem(error, part);
			if (error.retryable) return this.#retry(part, error.retryAfter);
			const panel = this.#panels.get(part);
			if (!panel) return;
			panel.hasFailed = true;
			for (const listener of [...panel.listeners]) listener(panel.data, error);
		});
	}

	// #retry repeats a read after a wait, which doubles with each failure and is at least as
	// long as the server demands. Its random part keeps clients from returning all at once.
	#retry(part, seconds = 0) {
		const { failures = 0, timer } = this.#retries.get(part) ?? {};
		clearTimeout(timer);
		const wait = Math.min(this.wait * 2 ** failures * (0.75 + this.random() / 2), this.longest);
		const retry = { failures: failures + 1, timer: setTimeout(() => this.#refresh(part), Math.max(wait, seconds * 1000)) };
		this.#retries.set(part, retry);
	}

	#endRetry(part) {
		clearTimeout(this.#retries.get(part)?.timer);
		this.#retries.delete(part);
	}
}

// restOf returns the path under which the rest of the dataset is stored.
function restOf(path) {
	return `${path}#rest`;
}
