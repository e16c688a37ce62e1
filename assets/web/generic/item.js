// Items of panels, of any service.

import { avatar } from "../parts/avatar.js";
import { el, icon } from "../parts/el.js";
import { sectionOf } from "../parts/panel.js";
import { row } from "../parts/row.js";
import { routeOfPanel } from "../frame/routes.js";

// itemsOf returns the items of a section of a panel.
export function itemsOf(panel, id) {
	return sectionOf(panel, id)?.items ?? [];
}

// openRoute returns the route to which an item leads, or null: by its action with the method
// GET that opens a panel, or by the object of the dataset with the same id.
export function openRoute(app, item) {
	const open = (item.actions ?? []).find(({ type, method }) => method === "GET" && type === "open_panel") ?? (item.actions ?? []).find(({ id, method }) => id === "open" && method === "GET");
	const route = open && routeOfPanel(app.store.session, open.url);
	if (route) return route;
	const object = objectOfItem(app.store, item);
	if (!object) return null;
	const occurrence = item.metadata?.recurrence_id;
	return { kind: "at", id: object.world_object_id, query: occurrence ? { occurrence } : {} };
}

// objectOfItem returns the object of the dataset that an item shows, or undefined. The id of an
// occurrence has the time after "@".
export function objectOfItem(store, item) {
	const id = String(item.id ?? "").split("@")[0];
	return id ? store.dataset?.objects?.find(({ source }) => source?.resource_id === id) : undefined;
}

// itemRow returns the row of an item: its picture, its title, its time, its summary and
// a menu of its actions. Options: brief, without the menu; sub, another second line.
export function itemRow(app, item, { brief = false, sub = item.summary } = {}) {
	const { words } = app;
	const route = openRoute(app, item);
	const at = item.last_reply?.created_at ?? item.metadata?.last_message_at ?? item.metadata?.created_at ?? item.metadata?.updated_at;
	const actions = brief ? [] : (item.actions ?? []).filter((action) => action.method !== "GET" || !routeOfPanel(app.store.session, action.url));
	return row({
		words, title: item.title, sub, time: at && isTime(at) ? words.when(at) : null, dateTime: at, picture: pictureOf(item), href: route ? app.href(route) : undefined,
		unread: item.metadata?.unread === true || item.metadata?.marked_unread === true, count: Number(item.metadata?.unread_count) || 0,
		actions: actions.length > 0 ? () => app.acts.items(actions, { name: item.title }) : undefined, actionsLabel: words.frame.moreFor(item.title),
	});
}

function isTime(value) {
	return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

// pictureOf returns the picture of the person of an item, or an icon.
export function pictureOf(item) {
	const { actor } = item;
	if (actor) return avatar({ name: actor.display_name, id: actor.member_id, color: actor.color, image: actor.avatar?.url, presence: actor.presence?.state ?? actor.presence });
	return item.icon ? el("span", { class: "row-icon" }, icon(item.icon)) : null;
}
