// Detects that the server has a newer version of the app than this page, and registers the
// service worker, which stores the files of one version.

const CHECK_INTERVAL = 3_600_000; // milliseconds between two regular checks
const MIN_CHECK_INTERVAL = 5000; // minimum milliseconds between two checks by checkAgain

// Version compares the version of the app on the server with the version of this page.
export class Version {
	isOld = false; // whether the server has another version
	#registration = null;
	#checkTime; // time of the latest check, or of the load of the page

	// base is the path of base-url, assets the path of the files of this page, which contains the
	// version. onOld is called once, when the server has another version. Tests replace the other
	// options.
	constructor({
		base, assets, onOld = () => {}, fetch = globalThis.fetch.bind(globalThis), now = Date.now,
		workers = globalThis.isSecureContext ? globalThis.navigator?.serviceWorker : undefined,
	}) {
		Object.assign(this, { base, assets, onOld, workers, fetch, now });
		this.#checkTime = now();
	}

	// start checks whenever the page becomes visible, at intervals, and at once if the page comes
	// from the service worker, which may have an older version than the server. The caller calls
	// checkAgain after a lost connection, because the server may have been updated meanwhile.
	start({ page = globalThis.document } = {}) {
		page.addEventListener("visibilitychange", () => page.hidden || this.checkAgain());
		setInterval(() => this.check(), CHECK_INTERVAL);
		this.workers?.addEventListener("message", ({ data }) => data?.kind === "version" && this.#compare(data.assets));
		this.workers?.startMessages();
		if (this.workers?.controller) this.check();
	}

	// register registers the service worker for a member. Without HTTPS browsers have no service
	// workers, and the app works without one.
	async register(memberId) {
		const options = { scope: `${this.base}/app/`, updateViaCache: "none" };
		const registering = this.workers?.register(`${this.base}/app/worker.js?member=${memberId}`, options);
		this.#registration = (await registering?.catch(() => null)) ?? null;
	}

	// check requests the page and compares its version. It returns a promise of isOld. The browser
	// sends the ETag of the page, so that the response is usually 304.
	async check() {
		this.#checkTime = this.now();
		try {
			const response = await this.fetch(`${this.base}/app/`, { cache: "no-cache", redirect: "error", priority: "low" });
			if (response.ok) this.#compare(/ data-assets="([^"]+)"/.exec(await response.text())?.[1]);
		} catch {
			// no connection: the next check tries again
		}
		return this.isOld;
	}

	// checkAgain checks unless the latest check was less than MIN_CHECK_INTERVAL milliseconds ago.
	checkAgain() {
		if (this.now() - this.#checkTime >= MIN_CHECK_INTERVAL) this.check();
	}

	// #compare sets isOld if assets, the path on the server, differs from the path of this page. The service
	// worker then stores the new files, and forwards loads of the page to the server until it has
	// all of them.
	#compare(assets) {
		if (!assets || assets === this.assets || this.isOld) return;
		this.isOld = true;
		this.workers?.controller?.postMessage({ kind: "old", assets: this.assets });
		this.#registration?.update().catch(() => {});
		this.onOld();
	}
}
