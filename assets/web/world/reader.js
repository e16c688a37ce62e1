// Reads the session, the dataset and the visible panels from the server, and keeps them current.

// Reader reads parts: "session", "dataset", or a panel, identified by its path. There is one request
// for a part at a time. Calls of read during the request cause one more request after it.
export class Reader {
	isConfirmed = false; // whether the server has sent the session in this visit
	#running = new Map(); // part → { again, promise } of the read in progress
	#panels = new Map(); // path → { services, listeners, data, isCurrent, hasFailed }
	#retries = new Map(); // part → { timer, failures } of a scheduled retry
	#etag = { revision: "", value: "" }; // the ETag of the dataset with the revision
	#first = null; // the response with the restored dataset without actions, until restoreRest has added them
	#stopped = false;

	// paths has the paths of the session and the dataset. onProblem is called with the error and the
	// part of each background read that fails. wait and longest are the first and the maximum time
	// before a retry, in milliseconds. client.memberCache contains the responses of earlier visits.
	constructor({ client, store, paths, onProblem = () => {}, wait = 2000, longest = 60_000, random = Math.random }) {
		Object.assign(this, { client, store, paths, onProblem, wait, longest, random });
	}

	// open reads the session and the dataset in parallel.
	async open() {
		this.#stopped = false;
		await Promise.all([this.read("session"), this.read("dataset")]);
	}

	// restore puts the session and the dataset of the last visit into the store, unless it has newer
	// ones, and returns whether the store has both. The caller shows them and calls open, which
	// reads the changes. The dataset has no actions until restoreRest has added them.
	async restore() {
		const [session, dataset] = await Promise.all([
			this.client.readStored(this.paths.session),
			this.client.memberCache?.get(this.paths.dataset),
		]);
		if (this.#stopped || !session || !dataset) return false;
		if (!this.store.session) this.store.setSession(session);
		if (!this.store.dataset && this.store.setDataset(dataset.data)) this.#first = dataset;
		return Boolean(this.store.session && this.store.dataset);
	}

	// restoreRest adds the actions and the capabilities to the restored dataset, unless the store
	// has a newer dataset. Each read of the dataset calls it first.
	async restoreRest() {
		const first = this.#first;
		if (!first) return;
		const rest = await this.client.memberCache.get(restPath(this.paths.dataset));
		if (this.#stopped || this.#first !== first) return;
		this.#first = null;
		if (this.store.dataset !== first.data || !rest?.etag || rest.etag !== first.etag) return;
		this.store.setDataset({ ...first.data, ...rest.data });
		this.#etag = { revision: this.store.revision, value: rest.etag };
	}

	// stop cancels all retries and forgets the panels, for example after a sign-out.
	stop() {
		this.#stopped = true;
		for (const { timer } of this.#retries.values()) clearTimeout(timer);
		this.#retries.clear();
		this.#panels.clear();
		this.#etag = { revision: "", value: "" };
		this.#first = null;
	}

	// read reads a part, and returns a promise that is rejected with the error.
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

	// refreshParts reads the parts that an event of the stream concerns, in the background. null means
	// all sections or all services.
	refreshParts({ sections = null, services = null } = {}) {
		this.#refresh("session"); // its badges may change with every event
		if (!sections || sections.length > 0) this.#refresh("dataset");
		for (const [path, panel] of this.#panels) {
			if (!services || panel.services.some((service) => services.includes(service))) this.#refresh(path);
		}
	}

	// watch reads a panel, and again whenever one of the services has changed, until release is
	// called. listener is called with the panel after each change, and at once if it is known; if
	// a later read fails for good, it is called with the panel and the error. watch returns
	// { ready, release }. ready is a promise of the first read. It is rejected with the error of
	// that read, unless the failure is temporary and the panel of an earlier visit is known: then it
	// is resolved, and the read is retried in the background.
	watch(path, services, listener) {
		let panel = this.#panels.get(path);
		if (!panel) {
			panel = { services, listeners: new Set(), data: null, isCurrent: false, hasFailed: false };
			this.#panels.set(path, panel);
		}
		panel.listeners.add(listener);
		if (panel.data) listener(panel.data);
		const release = () => {
			panel.listeners.delete(listener);
			if (panel.listeners.size > 0 || this.#panels.get(path) !== panel) return;
			this.#panels.delete(path);
			this.#endRetry(path);
		};
		return { ready: this.#readFirst(path, panel), release };
	}

	// isCurrent reports whether a panel has been read from the server in this visit. Messages in it
	// must not be marked as read before: the restored panel may lack newer ones.
	isCurrent(path) {
		return this.#panels.get(path)?.isCurrent ?? false;
	}

	// #readFirst is the first read of watch.
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

	// #restorePanel shows the panel of an earlier visit until the first read is complete.
	async #restorePanel(path, panel) {
		const data = await this.client.readStored(path);
		if (!data || panel.data || this.#panels.get(path) !== panel) return;
		panel.data = data;
		for (const listener of [...panel.listeners]) listener(data);
	}

	// #run reads a part until no further read has been requested meanwhile.
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
		panel.hasFailed = false; // otherwise views would continue to show the error
		for (const listener of [...panel.listeners]) listener(data);
	}

	// #readSession reads the session. If a write has changed the surfaces during the request, the response may lack
	// the change, for example a surface that the view shows: then it reads the session again.
	async #readSession() {
		const revision = () => this.store.session?.surface_runtime?.revision;
		for (let before, isOlder = true; isOlder; ) {
			before = revision();
			const { data } = await this.client.read(this.paths.session);
			if (this.#stopped) return;
			this.isConfirmed = true;
			isOlder = revision() !== before && data.surface_runtime?.revision < revision();
			if (!isOlder && data !== this.store.session) this.store.setSession(data);
		}
	}

	// #readDataset reads the changes of the dataset, or the whole dataset if there is none. If a
	// write has changed the dataset during the request, the changes do not apply, and it reads
	// those since the new revision.
	async #readDataset() {
		await this.restoreRest();
		for (let applied = false; !applied; ) {
			const { revision } = this.store;
			const headers = revision && this.#etag.revision === revision ? { "If-None-Match": this.#etag.value } : {};
			const path = this.store.changesURL ?? this.paths.dataset;
			const { status, data, etag, isStorable } = await this.client.request("GET", path, { headers });
			if (this.#stopped) return;
			applied = status === 304 || this.store.setDataset(data);
			if (!applied) continue;
			if (status !== 304) this.#etag = { revision: this.store.revision, value: etag };
			if (isStorable && this.#etag.revision === this.store.revision) this.#storeDataset();
		}
	}

	// #storeDataset stores the dataset as two responses. The actions are most of it, and the first
	// screen does not need them. The capabilities contain the revision: without the second response,
	// the whole dataset is read again.
	#storeDataset() {
		const { actions, capabilities, ...first } = this.store.dataset;
		const { memberCache } = this.client;
		const { dataset } = this.paths;
		memberCache?.put(dataset, { data: first, etag: this.#etag.value });
		memberCache?.put(restPath(dataset), { data: { actions, capabilities }, etag: this.#etag.value });
	}

	// #refresh reads a part in the background, and retries after temporary failures.
	#refresh(part) {
		if (this.#stopped) return;
		this.read(part).catch((error) => {
			if (this.#stopped || error.status === 401) return;
			this.onProblem(error, part);
			const panel = this.#panels.get(part);
			if (!panel && part !== "session" && part !== "dataset") return; // released during the request
			if (error.retryable) return this.#retry(part, error.retryAfter);
			if (!panel) return;
			panel.hasFailed = true;
			for (const listener of [...panel.listeners]) listener(panel.data, error);
		});
	}

	// #retry schedules another read. The wait doubles with each failure, and is at least the
	// Retry-After of the server, in seconds. It is randomized, so that the clients of a server that
	// has restarted do not return at the same time.
	#retry(part, seconds = 0) {
		const { failures = 0, timer } = this.#retries.get(part) ?? {};
		clearTimeout(timer);
		const wait = Math.min(this.wait * 2 ** failures * (0.75 + this.random() / 2), this.longest);
		const next = setTimeout(() => this.#refresh(part), Math.max(wait, seconds * 1000));
		this.#retries.set(part, { failures: failures + 1, timer: next });
	}

	#endRetry(part) {
		clearTimeout(this.#retries.get(part)?.timer);
		this.#retries.delete(part);
	}
}

// restPath returns the path under which the MemberCache stores the second part of the dataset.
function restPath(path) {
	return `${path}#rest`;
}
