// Applies responses that contain only the changes of the dataset, which their field `delta`
// describes.

// ID_FIELDS has the sections of which a response may contain only changes, each with the field that
// contains the id of a record.
export const ID_FIELDS = { objects: "world_object_id", contexts: "context_id", actions: "action_id", findings: "finding_id" };

// applyList returns a list after its changes: the records whose ids are in `gone` or `changed`
// are removed, then `records` are inserted in order, each directly after the record with the id
// `after[id]`, or at the beginning. A record whose id the list already contains is ignored.
export function applyList(list, records, key, { changed = [], gone = [], after = {} }) {
	const removedIds = new Set([...changed, ...gone]);
	const next = new Map(); // a linked list: id → the record that follows it; null → the first record
	let last = null;
	for (const record of list) {
		const id = record[key];
		if (removedIds.has(id) || next.has(id)) continue;
		next.set(last, record);
		next.set((last = id), undefined);
	}
	if (last === null) next.set(null, undefined);
	for (const record of records) {
		const id = record[key];
		if (next.has(id)) continue;
		const previousId = next.has(after[id]) ? after[id] : null;
		next.set(id, next.get(previousId));
		next.set(previousId, record);
	}
	const result = [];
	for (let record = next.get(null); record; record = next.get(record[key])) result.push(record);
	return result;
}

// applyChanges returns the dataset after the changes of a response. Sections that are not in
// ID_FIELDS are complete in each response. Unchanged records stay identical (===).
export function applyChanges(dataset, response) {
	const { delta, ...result } = response;
	const items = new Map(dataset.contexts.map((context) => [context.context_id, context.items]));
	const contexts = response.contexts.map((context) => ({
		...context,
		items: applyList(items.get(context.context_id) ?? [], context.items, "item_id", delta.items[context.context_id] ?? {}),
	}));
	for (const [section, key] of Object.entries(ID_FIELDS)) {
		const changes = { changed: delta.changed[section], gone: delta.gone[section], after: delta.after[section] };
		result[section] = applyList(dataset[section] ?? [], section === "contexts" ? contexts : response[section] ?? [], key, changes);
	}
	return result;
}

// changedSections returns the names of the sections that a response changes. before is the
// present dataset or null.
export function changedSections(before, response) {
	const { delta } = response;
	return Object.keys(response).filter((section) => {
		if (section === "delta") return false;
		if (!before || !(section in before)) return true;
		if (delta && section in ID_FIELDS) return delta.changed[section].length + delta.gone[section].length > 0;
		return before[section] !== response[section] && JSON.stringify(before[section]) !== JSON.stringify(response[section]);
	});
}
