// Where forms store drafts.

// draftsOf returns a storage with the drafts of one member, in the storage of the tab: another
// member who signs in there does not see them.
export function draftsOf(memberId, storage = sessionStorage) {
	const own = (key) => `${memberId} ${key}`;
	return { getItem: (key) => storage.getItem(own(key)), setItem: (key, value) => storage.setItem(own(key), value), removeItem: (key) => storage.removeItem(own(key)) };
}
