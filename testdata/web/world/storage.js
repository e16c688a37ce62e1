// Fakes of what browsers store, for tests.

// FakeDatabase has the methods of Database with the same results. Records are copied, as by a
// browser.
export class FakeDatabase {
	#stores = { responses: new Map(), contacts: new Map(), writes: new Map() };
	#lastId = 0;
	fails = false; // whether all calls are rejected

	async get(store, key) {
		return structuredClone(this.#records(store).get(text(key)));
	}

	async all(store) {
		return [...this.#records(store).values()].map((record) => structuredClone(record));
	}

	async keys(store, index) {
		const records = [...this.#records(store).values()];
		if (index) records.sort((a, b) => a[index] - b[index]);
		return records.map((record) => keyOf(store, record));
	}

	async put(store, record) {
		const records = this.#records(store);
		const copy = structuredClone(record);
		if (store === "writes") copy.id ??= ++this.#lastId;
		records.set(text(keyOf(store, copy)), copy);
		return keyOf(store, copy);
	}

	async remove(store, keys) {
		for (const key of keys) this.#records(store).delete(text(key));
	}

	async clear(store) {
		this.#records(store).clear();
	}

	#records(store) {
		if (this.fails) throw new Error("no storage");
		return this.#stores[store];
	}
}

const text = (key) => JSON.stringify(key);

function keyOf(store, record) {
	if (store === "responses") return [record.memberId, record.path];
	return store === "writes" ? record.id : record.memberId;
}

// FakeLocks has locks that are shared by all that have the same FakeLocks.
export class FakeLocks {
	#last = new Map(); // name → promise of the latest holder

	request(name, { signal }, work) {
		const before = this.#last.get(name) ?? Promise.resolve();
		const run = before.then(() => {
			if (signal.aborted) throw signal.reason;
			return work();
		});
		this.#last.set(name, run.catch(() => {}));
		return run;
	}
}

// channels returns a function that opens channels, whose messages the others receive.
export function channels() {
	const open = new Set();
	return () => {
		const channel = {
			postMessage: (data) => open.forEach((other) => other !== channel && queueMicrotask(() => other.onmessage?.({ data }))),
			close: () => open.delete(channel),
		};
		open.add(channel);
		return channel;
	};
}
