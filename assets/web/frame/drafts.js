// Stores the drafts of forms and messages.

const MAX_DRAFTS = 50; // maximum number of drafts; the oldest one is removed

// draftsOf returns the drafts of a member in localStorage, with the methods getItem, setItem and
// removeItem of Web Storage, clear, and count, the number of the drafts. name is the key in localStorage. The drafts of other members
// are removed, because members who share a browser must not see them.
export function draftsOf({ base, memberId }, storage = localStorage) {
	const prefix = `drafts ${base} `;
	const name = prefix + memberId;
	let cache = { text: null, drafts: {} }; // the latest parsed text: a list of threads reads a draft for each
	const read = () => { // the drafts, the least recently written first
		const text = storage.getItem(name);
		if (text !== cache.text) cache = { text, drafts: JSON.parse(text ?? "{}") };
		return cache.drafts;
	};
	const change = (key, value) => {
		const { [key]: before, ...drafts } = read();
		if (value !== undefined) drafts[key] = value;
		else if (before === undefined) return;
		const entries = Object.entries(drafts).slice(-MAX_DRAFTS);
		if (entries.length > 0) storage.setItem(name, JSON.stringify(Object.fromEntries(entries)));
		else storage.removeItem(name);
	};
	for (const other of Object.keys(storage)) if (other.startsWith(prefix) && other !== name) storage.removeItem(other);
	return {
		name, getItem: (key) => read()[key] ?? null, setItem: change, removeItem: (key) => change(key),
		get count() { return Object.keys(read()).length; },
		clear: () => storage.removeItem(name),
	};
}
