// Stores responses in the browser, for visits without a connection and for the first paint of
// each visit.

import { Database } from "./database.js";

const MAX_RESPONSES = 200; // maximum number of stored responses; open removes the oldest ones
const FLUSH_DELAY = 1000; // milliseconds for which writes to the database are batched
const TIME_UPDATE_INTERVAL = 600_000; // milliseconds after which an unchanged response is stored again, to update its time
const READ_TIMEOUT = 1000; // timeout of a read from the database, in milliseconds
const CONTACT_INTERVAL = 60_000; // minimum milliseconds between two writes of the time of the latest contact

// MemberCache stores responses by member and path. A cookie of the server contains the id of the
// member who has signed in, so that a member never sees the data of another one, not even without
// a connection. Without HTTPS nothing is stored, because a sign-out could not remove it
// (Clear-Site-Data).
//
// No method throws: without storage, the cache is empty.
export class MemberCache {
	#waiting = new Map(); // path → response that flush will store
	#times = new Map(); // path → { etag, time } of the stored response, if this page has stored or read it
	#timer;
	#storing = Promise.resolve(); // resolved when all calls of flush have stored their responses
	#contactTime = 0; // the latest time that setContact has stored

	// base is the path of base-url. memberId returns the id of the member whose data the page
	// shows, or null. Tests replace the other options.
	constructor({
		base = "", memberId, database = new Database(databaseName(base)), isSecure = globalThis.isSecureContext,
		cookies = () => document.cookie, pictures = globalThis.caches, now = Date.now,
	}) {
		Object.assign(this, { base, memberId, database, isSecure, cookies, pictures, now });
	}

	// signedIn is the id of the member who has signed in to this browser, a string, or null.
	get signedIn() {
		return /(?:^|; )service_member=(\d+)/.exec(this.cookies())?.[1] ?? null;
	}

	// open removes the responses of other members and the oldest ones.
	async open() {
		await this.#attempt(async () => {
			const member = this.signedIn;
			const keys = await this.database.keys("responses", "time");
			const keptKeys = keys.filter(([id]) => id === member).slice(-MAX_RESPONSES);
			await this.database.remove("responses", keys.filter((key) => !keptKeys.includes(key)));
		});
	}

	// get returns the stored response { data, etag, time } for a path, or undefined. It waits for at
	// most READ_TIMEOUT milliseconds.
	async get(path) {
		const member = this.#member();
		if (!member) return undefined;
		let timer;
		const timeout = new Promise((done) => (timer = setTimeout(done, READ_TIMEOUT)));
		const response = await Promise.race([timeout, this.#attempt(() => this.database.get("responses", [member, path]))]);
		clearTimeout(timer);
		if (response && !this.#times.has(path)) this.#times.set(path, { etag: response.etag, time: response.time });
		return response;
	}

	// put stores a response { data, etag } at the next flush, at most FLUSH_DELAY milliseconds later.
	put(path, { data, etag }) {
		const latest = this.#times.get(path);
		if (!this.isSecure || (etag && latest?.etag === etag && this.now() - latest.time < TIME_UPDATE_INTERVAL)) return;
		this.#waiting.set(path, { data, etag, time: this.now() });
		this.#timer ??= setTimeout(() => this.flush(), FLUSH_DELAY);
	}

	// flush stores the responses that put has received, for example before the page is closed. It
	// returns a promise that is resolved when these responses and the responses of earlier calls are stored.
	flush() {
		const storage = this.#storeWaiting();
		return (this.#storing = this.#storing.then(() => storage));
	}

	// #storeWaiting stores the waiting responses, unless they may belong to another member than the
	// one who has signed in.
	async #storeWaiting() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const member = this.#member();
		const responses = [...this.#waiting];
		this.#waiting.clear();
		if (!member || String(this.memberId() ?? "") !== member) return;
		for (const [path, { etag, time }] of responses) this.#times.set(path, { etag, time });
		const records = responses.map(([path, response]) => ({ memberId: member, path, ...response }));
		await this.#attempt(() => Promise.all(records.map((record) => this.database.put("responses", record))));
	}

	// setContact stores the time of the latest response of the server, at most once in CONTACT_INTERVAL
	// milliseconds.
	async setContact(time) {
		const member = this.#member();
		if (!member || time - this.#contactTime < CONTACT_INTERVAL) return;
		this.#contactTime = time;
		await this.#attempt(() => this.database.put("contacts", { memberId: member, time }));
	}

	// lastContact returns the time that setContact has stored, or 0.
	async lastContact() {
		const member = this.#member();
		return (member && (await this.#attempt(() => this.database.get("contacts", member)))?.time) || 0;
	}

	// wipe removes the data of all members except unsent writes. It is called when the session has
	// ended and when another member has signed in.
	async wipe() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#waiting.clear();
		this.#times.clear();
		this.#contactTime = 0;
		await this.#attempt(() => Promise.all(["responses", "contacts"].map((store) => this.database.clear(store))));
		await this.#attempt(async () => {
			// The service worker stores pictures under these names.
			const names = (await this.pictures.keys()).filter((name) => name.startsWith(`pictures ${this.base} `));
			await Promise.all(names.map((name) => this.pictures.delete(name)));
		});
	}

	// #member returns the id of the member whose responses may be read and stored, or null.
	#member() {
		const pageMember = this.memberId();
		return this.isSecure && (pageMember === null || String(pageMember) === this.signedIn) ? this.signedIn : null;
	}

	// #attempt returns the result of an action on the storage, or undefined if it fails.
	async #attempt(action) {
		if (!this.isSecure) return undefined;
		try {
			return await action();
		} catch {
			return undefined; // storage is disabled or full
		}
	}
}

// databaseName returns the name of the database. Servers with different paths may share an origin,
// and so the databases of a browser.
export function databaseName(base) {
	return `world ${base}`;
}
