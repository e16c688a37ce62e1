// Where forms and messages store drafts.

const MOST = 50; // drafts of a member; the oldest is removed for another one

// draftsOf returns a storage with the drafts of one member, which outlasts the page and which
// all tabs share: the methods of Web Storage for a draft, and clear. The browser stores the
// drafts of one member at a time: those of others are removed.
export function draftsOf({ base, memberId }, storage = localStorage) {
	const prefix = `drafts ${base} `;
	const name = prefix + memberId;
	let known = { text: null, drafts: {} }; // what was read last: a list of threads reads a draft for each
	const read = () => { // in the order in which they were written
		const text = storage.getItem(name);
		if (text !== known.text) known = { text, drafts: JSON.parse(text ?? "{}") };
		return known.drafts;
	};
	const change = (key, value) => {
		const { [key]: before, ...drafts } = read();
		if (value !== undefined) drafts[key] = value;
		else if (before === undefined) return;
		const entries = Object.entries(drafts).slice(-MOST);
		if (entries.length > 0) storage.setItem(name, JSON.stringify(Object.fromEntries(entries)));
		else storage.removeItem(name);
	};
	for (const other of Object.keys(storage)) if (other.startsWith(prefix) && other !== name) storage.removeItem(other);
	return { name, getItem: (key) => read()[key] ?? null, setItem: change, removeItem: (key) => change(key), clear: () => storage.removeItem(name) };
}
