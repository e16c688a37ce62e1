// Functions on World's data that the screens of Social share, without DOM.

import { routeOfPanel } from "../frame/routes.js";
import { fold } from "../parts/fold.js";
import { sectionOf as find } from "../parts/panel.js";
import { withQuery } from "../world/dispatch.js";

// panelURL returns the path of a panel of Social, without empty parameters.
export function panelURL(store, query) {
	return withQuery(store.service("social").content_source, query);
}

// routeOf returns the route of a panel of Social. part is a tab inside of a community.
export function routeOf(store, query) {
	const route = routeOfPanel(store.session, panelURL(store, query));
	return route && { ...route, query };
}

// sectionOf returns a section of a panel, or one without items.
export function sectionOf(panel, id) {
	return find(panel, id) ?? { id, items: [] };
}

// formOf returns a form of a panel, or undefined.
export function formOf(panel, id) {
	return panel?.action_descriptors?.find((form) => form.id === id);
}

// actionOf returns an action of an item, or undefined.
export function actionOf(item, id) {
	return item?.actions?.find((action) => action.id === id);
}

// objectOf returns the object of the dataset of a record, such as the id of a community.
export function objectOf(store, id) {
	return store.dataset?.objects?.find(({ source }) => source?.resource_id === id);
}

// communityOf returns the id of the community of a conversation, or null.
export function communityOf(object) {
	const context = object?.state?.context;
	return context?.kind === "community" ? context.id : null;
}

// ownCommunities returns the communities of which the member is one, those with unread
// conversations first: { object, unread } each.
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

// isUnread reports whether the item of a conversation has unread posts.
export function isUnread({ metadata: data = {} }) {
	return data.unread_count > 0 || data.marked_unread === true;
}

// matching returns the items whose title, text or names contain all words of a text.
export function matching(items, text) {
	const wanted = fold(text).split(/\s+/).filter(Boolean);
	if (wanted.length === 0) return items;
	return items.filter((item) => {
		const all = fold([item.title, item.body, item.actor?.display_name, item.last_reply?.excerpt, item.last_reply?.actor?.display_name, item.context?.title].join(" "));
		return wanted.every((word) => all.includes(word));
	});
}

// countsAfter returns the counts of the answers to an event after one has changed.
export function countsAfter(counts, before, after) {
	if (!counts || before === after) return counts;
	const result = { ...counts };
	if (before in result) result[before] = Math.max(0, result[before] - 1);
	if (after in result) result[after] += 1;
	return result;
}

// ORDER is the order of the answers in the list of guests.
export const ORDER = ["going", "maybe", "declined", "none"];

// guestsOf returns the guests of an event by their answers: the host first, then the member,
// then by name.
export function guestsOf(items, { host, self }) {
	const rank = ({ actor }) => (actor?.member_id === host ? 0 : actor?.member_id === self ? 1 : 2);
	const order = ({ metadata }) => ORDER.indexOf(metadata?.response ?? "none");
	return [...items].sort((a, b) => rankOfHost(a, host) - rankOfHost(b, host) || order(a) - order(b) || rank(a) - rank(b) || a.title.localeCompare(b.title));
}

function rankOfHost({ actor }, host) {
	return actor?.member_id === host ? 0 : 1;
}
