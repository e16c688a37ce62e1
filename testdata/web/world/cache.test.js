import assert from "node:assert/strict";
import { test } from "node:test";
import { MemberCache } from "../../../assets/web/world/cache.js";
import { FakeDatabase } from "./storage.js";

// browser returns what the pages of one browser share.
function browser() {
	const shared = { database: new FakeDatabase(), cookies: "theme=dark; service_member=1", now: 1_000_000, pictures: new Set(["pictures  1", "app  v1", "pictures /other 1"]) };
	shared.open = ({ memberId = 1, isSecure = true } = {}) => {
		const cache = new MemberCache({
			memberId: () => memberId, isSecure, database: shared.database, cookies: () => shared.cookies, now: () => shared.now,
			pictures: { keys: async () => [...shared.pictures], delete: async (name) => shared.pictures.delete(name) },
		});
		return cache;
	};
	return shared;
}

test("a later page of the same member gets the stored responses", async () => {
	const b = browser();
	const cache = b.open();
	cache.put("/panel", { data: { n: 1 }, etag: '"1"' });
	cache.put("/panel", { data: { n: 2 }, etag: '"2"' });
	await cache.flush();
	const next = b.open({ memberId: null }); // its session has not been read yet
	assert.deepEqual((await next.get("/panel")).data, { n: 2 });
	assert.equal((await next.get("/panel")).etag, '"2"');
	assert.equal(await next.get("/other"), undefined);
});

test("flush ends when the responses of an earlier call are stored, too", async () => {
	const b = browser();
	const cache = b.open();
	let stored = () => {};
	b.database.put = () => new Promise((done) => (stored = done));
	cache.put("/panel", { data: 1, etag: '"1"' });
	cache.flush(); // as by the timer
	let ended = false;
	const flushed = cache.flush().then(() => (ended = true));
	await new Promise((done) => setImmediate(done));
	assert.equal(ended, false);
	stored();
	await flushed;
});

test("a page of another member gets and stores nothing", async () => {
	const b = browser();
	const ann = b.open();
	ann.put("/panel", { data: "of ann", etag: '"1"' });
	await ann.flush();
	ann.put("/late", { data: "of ann or bea", etag: '"1"' });
	b.cookies = "service_member=2"; // bea signs in, in another tab
	await ann.flush();
	assert.equal(await ann.get("/panel"), undefined);
	const bea = b.open({ memberId: 2 });
	assert.equal(await bea.get("/panel"), undefined);
	assert.equal(await bea.get("/late"), undefined);
	bea.put("/panel", { data: "of bea", etag: '"1"' });
	await bea.flush();
	await bea.open();
	b.cookies = "service_member=1";
	assert.equal(await b.open().get("/panel"), undefined, "open removes what other members have stored");
});

test("after a sign-out there is nothing to show", async () => {
	const b = browser();
	const cache = b.open();
	cache.put("/panel", { data: 1, etag: '"1"' });
	await cache.flush();
	b.cookies = "";
	assert.equal(await b.open({ memberId: null }).get("/panel"), undefined);
});

test("wipe removes responses, times and pictures, but no writes", async () => {
	const b = browser();
	const cache = b.open();
	cache.put("/panel", { data: 1, etag: '"1"' });
	await cache.flush();
	await cache.setContact(b.now);
	await b.database.put("writes", { memberId: 1 });
	cache.put("/waiting", { data: 1, etag: '"1"' });
	await cache.wipe();
	await cache.flush();
	assert.deepEqual([await b.database.keys("responses"), await cache.lastContact(), (await b.database.all("writes")).length], [[], 0, 1]);
	assert.deepEqual([...b.pictures], ["app  v1", "pictures /other 1"]);
});

test("open removes the oldest responses", async () => {
	const b = browser();
	const cache = b.open();
	for (let n = 0; n < 210; n++) {
		b.now++;
		cache.put(`/${n}`, { data: n, etag: `"${n}"` });
	}
	await cache.flush();
	await cache.open();
	const keys = await b.database.keys("responses", "time");
	assert.deepEqual([keys.length, keys[0], keys.at(-1)], [200, ["1", "/10"], ["1", "/209"]]);
});

test("an unchanged response is stored again after a while only", async () => {
	const b = browser();
	const cache = b.open();
	const timeAfter = async (milliseconds) => {
		b.now += milliseconds;
		cache.put("/panel", { data: 1, etag: '"1"' });
		await cache.flush();
		return (await cache.get("/panel")).time;
	};
	const first = await timeAfter(0);
	assert.equal(await timeAfter(60_000), first);
	assert.equal(await timeAfter(600_000), b.now);
});

test("a page that shows a stored response does not store it again while it is unchanged", async () => {
	const b = browser();
	const first = b.open();
	first.put("/panel", { data: { n: 1 }, etag: '"1"' });
	await first.flush();
	const next = b.open();
	await next.get("/panel");
	const puts = [];
	const { put } = b.database;
	b.database.put = (store, record) => (puts.push(record.etag), put.call(b.database, store, record));
	next.put("/panel", { data: { n: 1 }, etag: '"1"' });
	await next.flush();
	assert.deepEqual(puts, []);
	next.put("/panel", { data: { n: 2 }, etag: '"2"' });
	await next.flush();
	assert.deepEqual(puts, ['"2"']);
});

test("without HTTPS or storage, nothing is stored and nothing fails", async () => {
	const b = browser();
	for (const cache of [b.open({ isSecure: false }), b.open()]) {
		b.database.fails = cache.isSecure;
		cache.put("/panel", { data: 1, etag: '"1"' });
		await cache.flush();
		await cache.open();
		await cache.setContact(1);
		await cache.wipe();
		assert.deepEqual([await cache.get("/panel"), await cache.lastContact()], [undefined, 0]);
	}
	b.database.fails = false;
	assert.deepEqual(await b.database.keys("responses"), []);
});
