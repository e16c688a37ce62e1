// The suggestions of the input "Find or go to", without DOM.

import { dayIn } from "../parts/day.js";
import { fold } from "../parts/fold.js";

const MAX_SUGGESTIONS = 8;
const MAX_RECENT = 3; // maximum number of recent searches among other suggestions

// OBJECT_TYPES are the types of objects that are suggested, in the order of the suggestions.
const OBJECT_TYPES = [
	"profile", "community", "conversation", "event", "message_thread", "social_dm", "calendar_event", "task", "place", "web_resource",
];

// dayOf returns the next day of a calendar entry, a task or an event in a time zone, or "".
function dayOf({ object_type: type, state = {} }, zone) {
	if (!["calendar_event", "task", "event"].includes(type)) return "";
	const time = state.occurrence?.start ?? state.start ?? state.occurrence?.end ?? state.due;
	if (typeof time === "string") return time.slice(0, 10);
	return time?.utc ? dayIn(zone, Date.parse(time.utc)) : time?.date ?? time?.date_time?.slice(0, 10) ?? "";
}

// withoutRepetitions returns the entries without the copies of events in calendars, if the event is among the
// objects, and with one entry for the parts of a series that was split: that with the next day.
function withoutRepetitions(objects, zone) {
	const eventIds = new Set(objects.filter(({ object_type: type }) => type === "event").map(({ source }) => source?.resource_id));
	const nextParts = new Map(); // type and title of a series → its part with the next day
	const keyOf = ({ object_type: type, title }) => `${type} ${fold(title)}`;
	const isPart = ({ state }) => Boolean(state?.recurrence?.is_recurring);
	for (const object of objects.filter(isPart)) {
		const known = nextParts.get(keyOf(object));
		if (!known || (dayOf(object, zone) || "9") < (dayOf(known, zone) || "9")) nextParts.set(keyOf(object), object);
	}
	return objects.filter((object) => (
		!eventIds.has(object.state?.source_object_id) && (!isPart(object) || nextParts.get(keyOf(object)) === object)));
}

// suggestions returns up to MAX_SUGGESTIONS suggestions for a text, as { label, kind, route, day }. kind is
// "dock", "carried", "recent" or the type of an object. day is the next day of an entry in the time zone, or
// undefined. Without a text, it returns the recent searches.
// The other suggestions are ordered by rankOf, by kind, and by the length of their labels. Recent
// searches come last, without a search for exactly this text. Sources:
//
//   dock     the items of the dock
//   carried  the carried entries, { title, route }
//   objects  the objects of the dataset
//   places   known places, { title, route }
//   recent   recent searches, { title, scope }
export function suggestions(text, { dock = [], carried = [], objects = [], places = [], recent = [], zone = "UTC" }) {
	const searchText = fold(text).trim();
	const searches = recent.map(({ title, scope }) => ({
		label: title, kind: "recent", route: { kind: "find", id: "", query: { q: title, scope } },
	}));
	if (!searchText) return searches.slice(0, MAX_SUGGESTIONS);
	const candidates = [
		...dock.map(({ id, label }) => ({ label, kind: "dock", route: { kind: "in", id } })),
		...carried.map(({ title, route }) => ({ label: title, kind: "carried", route })),
		...withoutRepetitions(objects.filter(({ object_type: type, title }) => title && OBJECT_TYPES.includes(type)), zone)
			.map((object) => ({
				label: object.title, kind: object.object_type, route: { kind: "at", id: object.world_object_id }, day: dayOf(object, zone),
			})),
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
		.map(({ label, kind, route, day }) => ({ label, kind, route, ...(day && { day }) }));
}

// rankOf returns the rank of a name for a text, both folded: 0 if the name begins with the text, 1 if one
// of its words does, 2 if the name contains the text and that has at least 3 characters, otherwise 3.
function rankOf(name, searchText) {
	if (name.startsWith(searchText)) return 0;
	if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(searchText))) return 1;
	return searchText.length >= 3 && name.includes(searchText) ? 2 : 3;
}
