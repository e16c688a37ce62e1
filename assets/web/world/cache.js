// The responses of a member that outlast the page, for a visit without a connection and for
// the first paint of each visit.

import { Database } from "./database.js";

const RECORDS = 200; // responses that are stored; the oldest ones are removed
const DELAY = 1000; // milliseconds in which several versions of one response are stored once
const CONFIRMED = 600_000; // milliseconds after which an unchanged response is stored again, for its time
const PATIENCE = 1000; // milliseconds to wait for a database that does not respond, before the server is asked
const CONTACT = 60_000; // milliseconds between two times of a contact that are stored

// MemberCache stores responses by member and path. The server names the member who has signed
// in by a cookie, so that the data of another one is never shown, not even without a
// connection. Without HTTPS nothing is stored, because the sign-out could not remove it.
//
// No method throws: a browser without storage is one in which nothing has been stored.
export class MemberCache {
	#waiting = new Map(); // path → response that will be stored
	#times = new Map(); // path → { etag, time } of a response that this page has stored
	#timer;
	#storing = Promise.resolve(); // until the responses of all calls of flush are stored
	#contact = 0; // the time of a contact that was stored last

	// base is the path of base-url. memberId returns the id of the member whose data the page
	// has, or null. The others are replaced in tests.
	constructor({
		base = "", memberId, database = new Database(databaseName(base)), isSecure = globalThis.isSecureContext,
		cookies = () => document.cookie, pictures = globalThis.caches, now = Date.now,
	}) {
		Object.assign(this, { base, memberId, database, isSecure, cookies, pictures, now });
	}

	// signedIn is the id of the member who has signed in to this browser, as a string, or null.
	get signedIn() {
		return /(?:^|; )service_member=(\d+)/.exec(this.cookies())?.[1] ?? null;
	}

	// open removes the responses of other members and the oldest ones.
	async open() {
		await this.#attempt(async () => {
			const member = this.signedIn;
			const keys = await this.database.keys("responses", "time");
			const own = keys.filter(([id]) => id === member);
			const others = keys.filter(([id]) => id !== member);
			await this.database.remove("responses", [...others, ...own.slice(0, Math.max(0, own.length - RECORDS))]);
		});
	}

	// get returns the stored response { data, etag, time } for a path, or undefined.
	async get(path) {
		const member = this.#member();
		if (!member) return undefined;
		let timer;
		const late = new Promise((done) => (timer = setTimeout(done, PATIENCE)));
		const response = await Promise.race([late, this.#attempt(() => this.database.get("responses", [member, path]))]);
		clearTimeout(timer);
		return response;
	}

	// put stores a response { data, etag }, after a short time.
	put(path, { data, etag }) {
		const known = this.#times.get(path);
		if (!this.isSecure || (etag && known?.etag === etag && this.now() - known.time < CONFIRMED)) return;
		this.#waiting.set(path, { data, etag, time: this.now() });
		this.#timer ??= setTimeout(() => this.flush(), DELAY);
	}

	// flush stores at once what is waiting, such as when the member leaves the page. It returns a
	// promise that is resolved when that and what was stored before is in the database.
	flush() {
		const stored = this.#storeWaiting();
		return (this.#storing = this.#storing.then(() => stored));
	}

	async #storeWaiting() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const member = this.#member();
		const responses = [...this.#waiting];
		this.#waiting.clear();
		if (!member || String(this.memberId() ?? "") !== member) return; // the responses may be those of another member
		for (const [path, { etag, time }] of responses) this.#times.set(path, { etag, time });
		await this.#attempt(() => Promise.all(responses.map(([path, response]) => this.database.put("responses", { memberId: member, path, ...response }))));
	}

	// setContact stores the time of the latest response of any kind, once in a while.
	async setContact(time) {
		const member = this.#member();
		if (!member || time - this.#contact < CONTACT) return;
		this.#contact = time;
		await this.#attempt(() => this.database.put("contacts", { memberId: member, time }));
	}

	// lastContact returns the time that setContact has stored, 0 for none.
	async lastContact() {
		const member = this.#member();
		return (member && (await this.#attempt(() => this.database.get("contacts", member)))?.time) || 0;
	}

	// wipe removes everything of all members, except writes that have not been sent. The caller
	// does so when the session has ended and when another member has signed in.
	async wipe() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#waiting.clear();
		this.#times.clear();
		this.#contact = 0;
		await this.#attempt(() => Promise.all(["responses", "contacts"].map((store) => this.database.clear(store))));
		await this.#attempt(async () => {
			const names = (await this.pictures.keys()).filter((name) => name.startsWith(`pictures ${this.base} `)); // see worker.js
			await Promise.all(names.map((name) => this.pictures.delete(name)));
		});
	}

	// #member returns the id of the member whose responses may be read and stored now, or null.
	#member() {
		const own = this.memberId();
		return this.isSecure && (own === null || String(own) === this.signedIn) ? this.signedIn : null;
	}

	async #attempt(action) {
		if (!this.isSecure) return undefined;
		try {
			return await action();
		} catch {
			return undefined; // no storage, or no space in it
		}
	}
}

// databaseName returns the name of the database. A browser may know several servers with the
// same origin and different paths.
export function databaseName(base) {
	return `world ${base}`;
}
