// The latest activity, on Today.

import { el } from "../parts/el.js";
import { row } from "../parts/row.js";
import { openRoute, pictureOf } from "../generic/item.js";
import { newestOf } from "../social/feed.js";

const MOST = 6;

// latelyRows returns the list of the latest entries of other members, one for each record:
// conversations with unread replies first.
export function latelyRows(app, items) {
	const { words, store } = app;
	const others = newestOf(items.filter(({ actor }) => actor?.member_id !== store.memberId));
	const entries = others.map((item) => ({ item, unread: unreadOf(store, item) }));
	entries.sort((a, b) => Number(b.unread > 0) - Number(a.unread > 0));
	if (entries.length === 0) return el("p", { class: "quiet", text: words.day.nothingLately() });
	return el("ul", { class: "rows" }, entries.slice(0, MOST).map(({ item, unread }) => el("li", {}, latelyRow(app, item, unread))));
}

// unreadOf returns the number of unread replies in the conversation of an entry, at least 1 if
// it is marked as unread.
function unreadOf(store, { context }) {
	const { state } = store.dataset.objects?.find(({ source }) => source?.resource_id === context?.id) ?? {};
	return state?.unread_count || (state?.marked_unread ? 1 : 0);
}

// latelyRow returns the row of an entry: the latest reply, if it is about one, or else what
// happened.
function latelyRow(app, item, unread) {
	const { words } = app;
	const { last_reply: last, context, metadata: data } = item;
	const isTalk = last && ["conversation.started", "reply.posted"].includes(data.kind);
	const route = openRoute(app, item);
	const at = isTalk ? last.created_at : data.created_at;
	return row({
		words, title: context?.title ?? item.title, sub: isTalk ? words.day.says(last.actor.display_name, last.excerpt) : item.title, time: words.when(at), dateTime: at,
		picture: pictureOf(isTalk ? last : item), href: route ? app.href(route) : undefined, count: unread,
	});
}
