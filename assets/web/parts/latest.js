// Stores values that the member may change again before they are stored, without DOM.

// latestWrites returns a function that writes a value with write(value), a function that returns a
// promise. There is one write at a time, so that the server does not perform two of them in the wrong
// order; of the values that are given during a write, only the latest one is written afterwards. The
// function returns a promise that is resolved when all values are written, and rejected if the write
// of the latest one has failed.
export function latestWrites(write) {
	let next = null; // { value } of the next write
	let running = null; // promise of the writes in progress

	async function run() {
		while (next) {
			const { value } = next;
			next = null;
			await Promise.resolve(write(value)).catch((error) => {
				if (!next) throw error;
			});
		}
	}

	return (value) => {
		next = { value };
		return (running ??= run().finally(() => (running = null)));
	};
}
