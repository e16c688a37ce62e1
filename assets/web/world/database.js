// The database of the app in the browser (IndexedDB).

const VERSION = 1;

// STORES describes the object stores.
const STORES = {
	responses: { keyPath: ["memberId", "path"], indexes: { time: "time" } }, // see cache.js
	contacts: { keyPath: "memberId" }, // the time of the latest response for each member
	writes: { keyPath: "id", autoIncrement: true }, // see queue.js
};

// Database contains records in object stores. If the browser has no IndexedDB, or its settings
// forbid storage, all methods reject.
export class Database {
	#opening = null; // promise of the IDBDatabase

	// name is the name of the database. factory is replaced in tests.
	constructor(name, factory = globalThis.indexedDB) {
		Object.assign(this, { name, factory });
	}

	// get returns the record with a key, or undefined.
	get(store, key) {
		return this.#run(store, "readonly", (records) => records.get(key));
	}

	// all returns the records of a store, in the order of their keys.
	all(store) {
		return this.#run(store, "readonly", (records) => records.getAll());
	}

	// keys returns the keys of all records, in the order of an index or of the keys.
	keys(store, index) {
		return this.#run(store, "readonly", (records) => (index ? records.index(index) : records).getAllKeys());
	}

	// put adds a record or replaces the record with its key, and returns the key.
	put(store, record) {
		return this.#run(store, "readwrite", (records) => records.put(record));
	}

	// remove removes the records with the keys.
	remove(store, keys) {
		return this.#run(store, "readwrite", (records) => void keys.forEach((key) => records.delete(key)));
	}

	// clear removes all records of a store.
	clear(store) {
		return this.#run(store, "readwrite", (records) => records.clear());
	}

	// #run runs one request in a transaction and returns its result when the transaction is
	// complete.
	async #run(store, mode, request) {
		const database = await (this.#opening ??= this.#open());
		let transaction;
		try {
			transaction = database.transaction(store, mode);
		} catch (error) {
			this.#opening = null; // the browser is closing the database
			throw error;
		}
		return new Promise((resolve, reject) => {
			const idbRequest = request(transaction.objectStore(store));
			transaction.oncomplete = () => resolve(idbRequest?.result);
			transaction.onabort = transaction.onerror = () => reject(transaction.error ?? idbRequest?.error);
		});
	}

	// #open opens the database, and creates the object stores if it is new.
	#open() {
		return new Promise((resolve, reject) => {
			const request = this.factory.open(this.name, VERSION);
			request.onupgradeneeded = () => createStores(request.result);
			request.onerror = () => reject(request.error);
			request.onsuccess = () => {
				const database = request.result;
				const reopen = () => (this.#opening = null);
				database.onclose = reopen; // such as after Clear-Site-Data
				// Another tab has a version of the app with a newer VERSION.
				database.onversionchange = () => (database.close(), reopen());
				resolve(database);
			};
		}).catch((error) => {
			this.#opening = null;
			throw error;
		});
	}
}

// createStores creates the object stores and their indexes.
function createStores(database) {
	for (const [name, { indexes = {}, ...options }] of Object.entries(STORES)) {
		const store = database.createObjectStore(name, options);
		for (const [index, keyPath] of Object.entries(indexes)) store.createIndex(index, keyPath);
	}
}
