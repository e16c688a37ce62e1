// The suggestions of the input "Find or go to", without DOM.

import { fold } from "../parts/fold.js";

const MAX_SUGGESTIONS = 8;
const MAX_RECENT = 3; // maximum number of recent searches among other suggestions

// OBJECT_TYPES are the types of objects that are suggested, in the order of the suggestions.
const OBJECT_TYPES = [
	"profile", "community", "conversation", "event", "message_thread", "social_dm", "calendar_event", "task", "place", "web_resource",
];

// suggestions returns up to MAX_SUGGESTIONS suggestions for a text, as { label, kind, route }. kind is
// "dock", "carried", "recent" or the type of an object. Without a text, it returns the recent searches.
// The other suggestions are ordered by rankOf, by kind, and by the length of their labels. Recent
// searches come last, without a search for exactly this text. Sources:
//
//   dock     the items of the dock
//   carried  the carried entries, { title, route }
//   objects  the objects of the dataset
//   places   known places, { title, route }
//   recent   recent searches, { title, scope }
export function suggestions(text, { dock = [], carried = [], objects = [], places = [], recent = [] }) {
	const searchText = fold(text).trim();
	const searches = recent.map(({ title, scope }) => ({
		label: title, kind: "recent", route: { kind: "find", id: "", query: { q: title, scope } },
	}));
	if (!searchText) return searches.slice(0, MAX_SUGGESTIONS);
	const candidates = [
		...dock.map(({ id, label }) => ({ label, kind: "dock", route: { kind: "in", id } })),
		...carried.map(({ title, route }) => ({ label: title, kind: "carried", route })),
		...objects.filter(({ object_type: type, title }) => title && OBJECT_TYPES.includes(type))
			.map(({ object_type: kind, title, world_object_id: id }) => ({ label: title, kind, route: { kind: "at", id } })),
		...places.filter(({ title }) => title).map(({ title, route }) => ({ label: title, kind: "place", route })),
	];
	const matches = candidates.map((entry) => ({ ...entry, rank: rankOf(fold(entry.label), searchText) })).filter(({ rank }) => rank < 3);
	const kinds = ["dock", "carried", ...OBJECT_TYPES];
	matches.sort((a, b) => a.rank - b.rank || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.label.length - b.label.length);
	const names = new Set(matches.filter(({ kind }) => kind === "carried").map(({ label }) => fold(label)));
	// A place or page can be found as a carried entry, as an object and as a known place. Only the first
	// one is suggested.
	const isDuplicate = ({ kind, label }) => {
		if (!["place", "web_resource"].includes(kind)) return false;
		if (names.has(fold(label))) return true;
		names.add(fold(label));
		return false;
	};
	const isMatch = ({ label }) => rankOf(fold(label), searchText) < 3 && fold(label) !== searchText;
	const matchingSearches = searches.filter(isMatch).slice(0, MAX_RECENT);
	return [...matches.filter((entry) => !isDuplicate(entry)).slice(0, MAX_SUGGESTIONS - matchingSearches.length), ...matchingSearches]
		.map(({ label, kind, route }) => ({ label, kind, route }));
}

// rankOf returns the rank of a name for a text, both folded: 0 if the name begins with the text, 1 if one
// of its words does, 2 if the name contains the text and that has at least 3 characters, otherwise 3.
function rankOf(name, searchText) {
	if (name.startsWith(searchText)) return 0;
	if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(searchText))) return 1;
	return searchText.length >= 3 && name.includes(searchText) ? 2 : 3;
}
