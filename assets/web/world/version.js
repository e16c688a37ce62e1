// The version of the app in this page, and the service worker that stores one.

const CHECK = 3_600_000; // milliseconds between two checks of a page that stays open
const LEAST = 5000; // milliseconds between two checks for another reason

// Version finds out whether the server has another version of the app than this page.
export class Version {
	isOld = false; // whether the server has another version
	#registration = null;
	#checked; // time of the last check, or of the load of the page

	// base is the path of base-url, assets the path of the files of this page. onOld is called
	// once, when the server has another version. The others are replaced in tests.
	constructor({ base, assets, onOld = () => {}, workers = globalThis.isSecureContext ? globalThis.navigator?.serviceWorker : undefined, fetch = globalThis.fetch.bind(globalThis), now = Date.now }) {
		Object.assign(this, { base, assets, onOld, workers, fetch, now });
		this.#checked = now();
	}

	// start begins to check: now, if this page comes from the service worker, which may have an
	// older version than the server; when the page is looked at again; and at intervals. The
	// caller calls checkAgain when the connection is back, because a server that has started
	// again may have another version.
	start({ page = globalThis.document } = {}) {
		page.addEventListener("visibilitychange", () => page.hidden || this.checkAgain());
		setInterval(() => this.check(), CHECK);
		this.workers?.addEventListener("message", ({ data }) => data?.kind === "version" && this.#compare(data.assets));
		this.workers?.startMessages();
		if (this.workers?.controller) this.check();
	}

	// register registers the service worker for a member. Browsers permit none without HTTPS: the
	// app then works without it.
	async register(memberId) {
		this.#registration = (await this.workers?.register(`${this.base}/app/worker.js?member=${memberId}`, { scope: `${this.base}/app/`, updateViaCache: "none" }).catch(() => null)) ?? null;
	}

	// check asks the server for its version, and returns a promise of isOld. The browser sends
	// the ETag of the page, so that the response is short.
	async check() {
		this.#checked = this.now();
		try {
			const response = await this.fetch(`${this.base}/app/`, { cache: "no-cache", redirect: "error", priority: "low" });
			if (response.ok) this.#compare(/ data-assets="([^"]+)"/.exec(await response.text())?.[1]);
		} catch {
			// no connection: the next check finds out
		}
		return this.isOld;
	}

	// checkAgain checks unless that was done a moment ago.
	checkAgain() {
		if (this.now() - this.#checked >= LEAST) this.check();
	}

	// #compare notes that the server has other files than this page. The service worker stores
	// them, and until it has them, it passes loads of the page on to the server.
	#compare(assets) {
		if (!assets || assets === this.assets || this.isOld) return;
		this.isOld = true;
		this.workers?.controller?.postMessage({ kind: "old", assets: this.assets });
		this.#registration?.update().catch(() => {});
		this.onOld();
	}
}
