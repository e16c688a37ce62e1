// Changes of the dataset, as `delta` describes them.

// KEYS names the sections of which an answer may contain only changes, with the field that
// identifies a record.
export const KEYS = { objects: "world_object_id", contexts: "context_id", actions: "action_id", findings: "finding_id" };

// applyList returns a list with its changes: without the records that are gone, and with
// the changed ones, each directly after the record that `after` names, or first. Records
// with an id that the list already contains are ignored.
export function applyList(list, records, key, { changed = [], gone = [], after = {} }) {
	const removed = new Set([...changed, ...gone]);
	const next = new Map(); // id → the record after it; null → the first record
	let last = null;
	for (const record of list) {
		const id = record[key];
		if (removed.has(id) || next.has(id)) continue;
		next.set(last, record);
		next.set((last = id), undefined);
	}
	if (last === null) next.set(null, undefined);
	for (const record of records) {
		const id = record[key];
		if (next.has(id)) continue;
		const before = next.has(after[id]) ? after[id] : null;
		next.set(id, next.get(before));
		next.set(before, record);
	}
	const result = [];
	for (let record = next.get(null); record; record = next.get(record[key])) result.push(record);
	return result;
}

// applyChanges returns the dataset that results from an answer with changes. Sections that
// are not in KEYS are complete in each answer. Records that have not changed stay the same
// values.
export function applyChanges(dataset, answer) {
	const { delta, ...result } = answer;
	const items = new Map(dataset.contexts.map((context) => [context.context_id, context.items]));
	const contexts = answer.contexts.map((context) => ({
		...context,
		items: applyList(items.get(context.context_id) ?? [], context.items, "item_id", delta.items[context.context_id] ?? {}),
	}));
	for (const [section, key] of Object.entries(KEYS)) {
		const changes = { changed: delta.changed[section], gone: delta.gone[section], after: delta.after[section] };
		result[section] = applyList(dataset[section] ?? [], section === "contexts" ? contexts : answer[section] ?? [], key, changes);
	}
	return result;
}

// changedSections returns the names of the sections of a dataset that an answer changes.
// before is the present dataset or null.
export function changedSections(before, answer) {
	const { delta } = answer;
	return Object.keys(answer).filter((section) => {
		if (section === "delta") return false;
		if (!before || !(section in before)) return true;
		if (delta && section in KEYS) return delta.changed[section].length + delta.gone[section].length > 0;
		return before[section] !== answer[section] && JSON.stringify(before[section]) !== JSON.stringify(answer[section]);
	});
}
