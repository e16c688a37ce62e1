// The start of the web app: it reads the session and the dataset and keeps them current.

import { Client } from "./world/client.js";
import { Dispatcher } from "./world/dispatch.js";
import { Follower } from "./world/follow.js";
import { Reader } from "./world/reader.js";
import { Waiter } from "./world/signals.js";
import { Store } from "./world/store.js";

// App contains the connection to World. paths are those that the app has to know, as its
// page names them: base, that of base-url; session and dataset; signIn and account, the
// sign-in page and the account page. All other paths come from the session and the dataset.
class App {
	#hasEnded = false;

	constructor(paths) {
		this.paths = paths;
		this.client = new Client({ base: paths.base, onUnauthenticated: () => this.leave() });
		this.store = new Store({ onOtherMember: () => location.reload() });
		this.reader = new Reader({ client: this.client, store: this.store, paths });
		this.dispatcher = new Dispatcher({ client: this.client, store: this.store, reader: this.reader, isLive: () => this.follower.isLive });
		this.follower = null; // the stream, from the first dataset on
	}

	// open reads the session and the dataset, and follows the changes. It waits for the server
	// if it is not available; the wait doubles with each attempt.
	async open() {
		const waiter = new Waiter();
		for (let wait = 2000; !this.#hasEnded; wait = Math.min(wait * 2, 60_000)) {
			try {
				await this.reader.open();
				this.#follow();
				return;
			} catch (error) {
				if (error.code === "second_factor_enrollment_required") location.assign(this.paths.account); // it leads to the page on which to add one
				if (!error.retryable) throw error;
				await waiter.wait(Math.max(wait, error.retryAfter * 1000));
			}
		}
	}

	// leave ends the connection and opens the sign-in page, which leads back.
	leave() {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.reader.stop();
		this.follower?.stop();
		this.client.forget();
		const { base, signIn } = this.paths;
		location.assign(`${signIn}?return_to=${encodeURIComponent(location.pathname.slice(base.length) + location.search)}`);
	}

	#follow() {
		const { client, store, reader } = this;
		const name = `changes ${this.paths.base} ${store.memberId}`;
		this.follower = new Follower({ client, name, url: store.streamURL, onEvent: (event) => reader.changed(event) });
		this.follower.start();
		addEventListener("pagehide", () => this.follower.stop()); // browsers do not keep a page with a stream for the way back
		addEventListener("pageshow", ({ persisted }) => {
			if (!persisted || this.#hasEnded) return;
			this.follower.start();
			reader.changed();
		});
	}
}

const app = new App({ ...document.documentElement.dataset });
const name = document.createElement("p");
document.querySelector("main").append(name);
app.store.subscribe(["member"], () => (name.textContent = app.store.dataset?.member.display_name ?? ""));
app.open().catch((error) => {
	if (error.status !== 401) name.textContent = error.message;
});
