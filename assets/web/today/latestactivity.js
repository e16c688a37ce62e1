// The latest activity of other members on Today.

import { el } from "../parts/el.js";
import { row } from "../parts/row.js";
import { openRoute, pictureOf } from "../generic/item.js";
import { newestOf } from "../social/feed.js";

const MAX_ENTRIES = 6; // maximum number of entries

// latestActivityRows returns the list of the latest entries, at most one for each conversation or other
// record. Conversations with unread replies come first.
export function latestActivityRows(app, items) {
	const { words, store } = app;
	const others = newestOf(items.filter(({ actor }) => actor?.member_id !== store.memberId));
	const entries = others.map((item) => ({ item, unread: unreadOf(store, item) }));
	entries.sort((a, b) => Number(b.unread > 0) - Number(a.unread > 0));
	if (entries.length === 0) return el("p", { class: "quiet", text: words.day.nothingLately() });
	return el("ul", { class: "rows" }, entries.slice(0, MAX_ENTRIES).map(({ item, unread }) => el("li", {}, activityRow(app, item, unread))));
}

// unreadOf returns the number of unread replies in the conversation of an entry, or 1 if the member
// has marked it as unread.
function unreadOf(store, { context }) {
	const { state } = store.objectOfRecord(context?.id) ?? {};
	return state?.unread_count || (state?.marked_unread ? 1 : 0);
}

// activityRow returns the row of an entry. That of a conversation shows its latest reply, any other
// one the text of the entry.
function activityRow(app, item, unread) {
	const { words } = app;
	const { last_reply: last, context, metadata: data } = item;
	const hasReply = last && ["conversation.started", "reply.posted"].includes(data.kind);
	const route = openRoute(app, item);
	const at = hasReply ? last.created_at : data.created_at;
	return row({
		words, title: context?.title ?? item.title, time: words.when(at), dateTime: at,
		sub: hasReply ? words.day.says(last.actor.display_name, last.excerpt) : item.title,
		picture: pictureOf(hasReply ? last : item), href: route ? app.href(route) : undefined, count: unread,
	});
}
