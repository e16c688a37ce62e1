// The items in panels of all services.

import { avatar } from "../parts/avatar.js";
import { el, icon } from "../parts/el.js";
import { sectionOf } from "../parts/panel.js";
import { row } from "../parts/row.js";
import { routeOfPanel } from "../frame/routes.js";

// itemsOf returns the items of the section with an id, or [] if the panel has no such section.
export function itemsOf(panel, id) {
	return sectionOf(panel, id)?.items ?? [];
}

// openRoute returns the route of an item: the route of the panel that its action opens, or of the object
// of the dataset with the same id, or null.
export function openRoute(app, item) {
	const reads = (item.actions ?? []).filter(({ method }) => method === "GET");
	const open = reads.find(({ type }) => type === "open_panel") ?? reads.find(({ id }) => id === "open");
	const route = open && routeOfPanel(app.store.session, open.url);
	if (route) return route;
	const object = objectOfItem(app.store, item);
	if (!object) return null;
	const occurrence = item.metadata?.recurrence_id;
	return { kind: "at", id: object.world_object_id, query: occurrence ? { occurrence } : {} };
}

// objectOfItem returns the object of the dataset that an item describes, or undefined. The id of an
// occurrence of a series is the id of the object, followed by "@" and a time.
export function objectOfItem(store, item) {
	const id = String(item.id ?? "").split("@")[0];
	return id ? store.dataset?.objects?.find(({ source }) => source?.resource_id === id) : undefined;
}

// itemRow returns the row of an item: its picture, title, summary, latest time, and a menu of its
// actions. Options: brief, whether the menu is left out; sub, a text instead of summaryOf.
export function itemRow(app, item, { brief = false, sub = summaryOf(app, item) } = {}) {
	const { words } = app;
	const route = openRoute(app, item);
	const { title, metadata: data = {} } = item;
	const at = item.last_reply?.created_at ?? data?.last_message_at ?? data?.created_at ?? data?.updated_at;
	const isLink = ({ method, url }) => method === "GET" && routeOfPanel(app.store.session, url);
	const actions = brief ? [] : (item.actions ?? []).filter((action) => !isLink(action));
	return row({
		words, title, sub, time: at && isTime(at) ? words.when(at) : null, dateTime: at, picture: pictureOf(item),
		href: route ? app.href(route) : undefined,
		unread: data?.unread === true || data?.marked_unread === true, count: Number(data?.unread_count) || 0,
		actions: actions.length > 0 ? () => app.actions.items(actions, { name: title }) : undefined,
		actionsLabel: words.frame.moreFor(title),
	});
}

// summaryOf returns the summary of an item. If it is a message, the text says whether the member wrote it.
function summaryOf({ words, store }, { summary, metadata: data, last_reply: last }) {
	return summary && data?.last_message_at && last?.actor?.member_id === store.memberId ? words.own(summary) : summary;
}

// isTime reports whether a value is the text of an instant.
function isTime(value) {
	return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

// pictureOf returns the avatar of the actor of an item, or its icon, or null.
export function pictureOf(item) {
	const { actor } = item;
	if (actor) {
		const { display_name: name, member_id: id, color, presence } = actor;
		return avatar({ name, id, color, image: actor.avatar?.url, presence: presence?.state ?? presence });
	}
	return item.icon ? el("span", { class: "row-icon" }, icon(item.icon)) : null;
}
