// What the field "Find or go to" suggests for a text, without DOM.

import { fold } from "../parts/fold.js";

const MOST = 8;
const MOST_RECENT = 3; // searches beside other suggestions

// OFFERED are the types of objects that are suggested, the most wanted first.
const OFFERED = ["profile", "community", "conversation", "event", "message_thread", "social_dm", "calendar_event", "task", "place", "web_resource"];

// suggestions returns the destinations for a text: items of the dock, carried entries, objects of
// the dataset, places { title, route } and recent searches { title, scope }, as { label, kind,
// route }. Names that begin with the text come first, then those with a word that does. kind is
// "dock", "carried", "recent" or the type of the object. Without a text, it returns the recent
// searches.
export function suggestions(text, { dock = [], carried = [], objects = [], places = [], recent = [] }) {
	const wanted = fold(text).trim();
	const searches = recent.map(({ title, scope }) => ({ label: title, kind: "recent", route: { kind: "find", id: "", query: { q: title, scope } } }));
	if (!wanted) return searches.slice(0, MOST);
	const all = [
		...dock.map(({ id, label }) => ({ label, kind: "dock", route: { kind: "in", id } })),
		...carried.map(({ title, route }) => ({ label: title, kind: "carried", route })),
		...objects.filter(({ object_type: type, title }) => title && OFFERED.includes(type)).map((object) => ({ label: object.title, kind: object.object_type, route: { kind: "at", id: object.world_object_id } })),
		...places.filter(({ title }) => title).map(({ title, route }) => ({ label: title, kind: "place", route })),
	];
	const found = all.map((entry) => ({ ...entry, rank: rankOf(fold(entry.label), wanted) })).filter(({ rank }) => rank < 3);
	const kinds = ["dock", "carried", ...OFFERED];
	found.sort((a, b) => a.rank - b.rank || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.label.length - b.label.length);
	const names = new Set(found.filter(({ kind }) => kind === "carried").map(({ label }) => fold(label)));
	const isTwice = ({ kind, label }) => { // a carried object and its surface, or a place of the workspace that is near
		if (!["place", "web_resource"].includes(kind)) return false;
		if (names.has(fold(label))) return true;
		names.add(fold(label));
		return false;
	};
	const asked = searches.filter(({ label }) => rankOf(fold(label), wanted) < 3 && fold(label) !== wanted).slice(0, MOST_RECENT);
	return [...found.filter((entry) => !isTwice(entry)).slice(0, MOST - asked.length), ...asked].map(({ label, kind, route }) => ({ label, kind, route }));
}

function rankOf(name, wanted) {
	if (name.startsWith(wanted)) return 0;
	if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 1;
	return wanted.length >= 3 && name.includes(wanted) ? 2 : 3;
}
