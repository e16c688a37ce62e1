// Functions on panels and objects of World that the views of Social share, without DOM.

import { routeOfPanel } from "../frame/routes.js";
import { fold } from "../parts/fold.js";
import { sectionOf as findSection } from "../parts/panel.js";
import { withQuery } from "../world/dispatch.js";

// PLACES are the tabs of Social in their order. A place contains views of the panel, and opens the first
// one that the panel has.
const PLACES = [
	{ id: "lately", views: ["dashboard", "activity", "invitations"] },
	{ id: "talk", views: ["conversations"] },
	{ id: "events", views: ["events"] },
	{ id: "communities", views: ["communities"] },
	{ id: "people", views: ["people", "circles"] },
];

// VIEWS_ELSEWHERE are the entries of the navigation without a tab: the bell opens the notifications, Messages
// contains the direct messages, the item of the dock opens the profile, Settings contain the blocks, and a
// button below a list opens its next page ("more").
const VIEWS_ELSEWHERE = ["notifications", "dms", "profile", "blocks", "more"];

// placesOf returns the tabs for the navigation of a panel, as a list of { id, entry, isCurrent }: entry is the
// entry that the tab opens. An entry that belongs to no place is a further tab with the id "".
export function placesOf(nav = []) {
	const known = new Set([...PLACES.flatMap(({ views }) => views), ...VIEWS_ELSEWHERE]);
	const places = PLACES.map(({ id, views }) => {
		const entries = views.map((view) => nav.find((entry) => entry.id === view)).filter(Boolean);
		return { id, entry: entries[0], isCurrent: entries.some(({ selected }) => selected) };
	});
	const others = nav.filter(({ id }) => !known.has(id)).map((entry) => ({ id: "", entry, isCurrent: Boolean(entry.selected) }));
	return [...places.filter(({ entry }) => entry), ...others];
}

// panelURL returns the path of a panel of Social. query contains its parameters; null and undefined
// are left out.
export function panelURL(store, query) {
	return withQuery(store.service("social").content_source, query);
}

// routeOf returns the route of a panel of Social, or null if no surface shows it. query contains its
// parameters; `part` is the tab of a community.
export function routeOf(store, query) {
	const route = routeOfPanel(store.session, panelURL(store, query));
	return route && { ...route, query };
}

// sectionOf returns the section of a panel with an id, or a section without items.
export function sectionOf(panel, id) {
	return findSection(panel, id) ?? { id, items: [] };
}

// formOf returns the action of a panel with an id, or undefined.
export function formOf(panel, id) {
	return panel?.action_descriptors?.find((form) => form.id === id);
}

// actionOf returns the action of an item with an id, or undefined.
export function actionOf(item, id) {
	return item?.actions?.find((action) => action.id === id);
}

// communityOf returns the id of the community to which the object of a conversation belongs, or null.
export function communityOf(object) {
	const context = object?.state?.context;
	return context?.kind === "community" ? context.id : null;
}

// ownCommunities returns { object, unread } for each community of which the member is a member or has
// asked to be one. unread is the number of its unread conversations. They are sorted by title, those
// with unread conversations first.
export function ownCommunities(objects = []) {
	const unread = new Map();
	for (const object of objects) {
		const { object_type: type, state } = object;
		if (type !== "conversation" || !(state?.unread_count > 0 || state?.marked_unread)) continue;
		const id = communityOf(object);
		unread.set(id, (unread.get(id) ?? 0) + 1);
	}
	return objects
		.filter(({ object_type: type, state }) => type === "community" && ["active", "requested"].includes(state?.membership?.state))
		.map((object) => ({ object, unread: unread.get(object.source?.resource_id) ?? 0 }))
		.sort((a, b) => Number(b.unread > 0) - Number(a.unread > 0) || a.object.title.localeCompare(b.object.title));
}

// latestTalks returns the conversation with the latest activity of each community, by the id of the community.
export function latestTalks(objects = []) {
	const latest = new Map();
	const timeOf = ({ state }) => Date.parse(state.last_reply_at ?? state.created_at);
	for (const object of objects) {
		const id = object.object_type === "conversation" && communityOf(object);
		if (id && !(latest.has(id) && timeOf(latest.get(id)) >= timeOf(object))) latest.set(id, object);
	}
	return latest;
}

// isUnread reports whether a conversation has unread posts, or the member has marked it as unread. Its
// parameter is the item of the conversation.
export function isUnread({ metadata: data = {} }) {
	return data.unread_count > 0 || data.marked_unread === true;
}

// isClosedEvent reports whether an event is visible only to members who are admitted to its audience: those of a
// circle, the invited ones or those of a private community. community is the object of its community, or undefined.
export function isClosedEvent({ context }, community) {
	return context?.type !== "open" && community?.state.visibility !== "public";
}

// matchingItems returns the items that contain all words of a text in their title, their text, the latest
// reply, or the names of the authors and the community. It ignores case and diacritics.
export function matchingItems(items, text) {
	const searchWords = fold(text).split(/\s+/).filter(Boolean);
	if (searchWords.length === 0) return items;
	return items.filter((item) => {
		const { last_reply: reply } = item;
		const texts = [item.title, item.body, item.actor?.display_name, reply?.excerpt, reply?.actor?.display_name, item.context?.title];
		const content = fold(texts.join(" "));
		return searchWords.every((word) => content.includes(word));
	});
}

// countsAfter returns the numbers of members by answer to an event, after one member has changed the
// answer.
export function countsAfter(counts, before, after) {
	if (!counts || before === after) return counts;
	const result = { ...counts };
	if (before in result) result[before] = Math.max(0, result[before] - 1);
	if (after in result) result[after] += 1;
	return result;
}

// ANSWERS are the answers to an event, in the order of the list of guests.
export const ANSWERS = ["going", "maybe", "declined", "none"];

// guestsOf returns the guests of an event in the order of the list: the host, then the other guests
// by their answers. Guests with the same answer are sorted by name, the member before them. host and
// self are the ids of the host and the member.
export function guestsOf(items, { host, self }) {
	const rank = ({ actor }) => (actor?.member_id === host ? 0 : actor?.member_id === self ? 1 : 2);
	const order = ({ metadata }) => ANSWERS.indexOf(metadata?.response ?? "none");
	return [...items].sort((a, b) => rankOfHost(a, host) - rankOfHost(b, host)
		|| order(a) - order(b) || rank(a) - rank(b) || a.title.localeCompare(b.title));
}

// rankOfHost returns 0 for the host and 1 for all other guests.
function rankOfHost({ actor }, host) {
	return actor?.member_id === host ? 0 : 1;
}
