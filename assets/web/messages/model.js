// Threads as the panels of Messages and of direct messages have them. Both look the same to
// the member. A thread is named by its kind, "messages" or "dms", and its id.

import { parametersOf } from "../frame/routes.js";
import { withQuery } from "../world/dispatch.js";

// panelsOf returns the paths of the panels with the lists of threads, by kind, as far as the
// server has them.
export function panelsOf(store) {
	const messages = store.service("messages")?.content_source;
	const social = store.service("social")?.content_source;
	return {
		...(messages && { messages: withQuery(messages, { sections: "threads" }) }),
		...(social && { dms: withQuery(social, { view: "dms", sections: "direct_messages" }) }),
	};
}

// panelOf returns the path of the panel of a thread.
export function panelOf(store, { kind, id }) {
	const { [kind]: url } = panelsOf(store);
	if (!url) return null;
	return withQuery(url, kind === "messages" ? { thread: id, sections: "messages" } : { id, sections: "direct_message,messages" });
}

// SECTIONS are the sections of the panels that have threads, by kind.
export const SECTIONS = { messages: "threads", dms: "direct_messages" };

// SERVICE_OF is the service of each kind.
export const SERVICE_OF = { messages: "messages", dms: "social" };

// threadOfRoute returns the thread that a route shows, { kind, id }, or null for the list.
export function threadOfRoute(route, { object, url }) {
	if (route.kind === "at" && object) return { kind: object.object_type === "message_thread" ? "messages" : "dms", id: object.source.resource_id };
	const query = { ...parametersOf(url ?? ""), ...route.query };
	if (query.view === "dms") return query.id ? { kind: "dms", id: query.id } : null;
	return query.thread ? { kind: "messages", id: query.thread } : null;
}

export function keyOf({ kind, id }) {
	return `${kind} ${id}`;
}

// draftKeyOf returns the key of the draft of a thread.
export function draftKeyOf(thread) {
	return `message ${keyOf(thread)}`;
}

// threadOfItem returns the thread of an item of a panel with a list.
export function threadOfItem(item, kind) {
	const data = item.metadata ?? {};
	return {
		kind, id: item.id, title: item.title, actor: item.actor ?? null, excerpt: item.last_reply?.excerpt ?? item.summary ?? "", senderId: item.last_reply?.actor?.member_id ?? null,
		at: data.last_message_at ?? null, count: Number(data.unread_count) || 0, isMarked: data.marked_unread === true, actions: item.actions ?? [], item,
	};
}

// sorted returns threads without repetitions, the latest first.
export function sorted(threads) {
	const byKey = new Map(threads.map((thread) => [keyOf(thread), thread]));
	return [...byKey.values()].sort((a, b) => (Date.parse(b.at) || 0) - (Date.parse(a.at) || 0));
}

// matching returns the threads whose title or last message contains all words of a text.
export function matching(threads, text) {
	const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
	return threads.filter(({ title, excerpt }) => {
		const within = `${title} ${excerpt}`.toLocaleLowerCase();
		return wanted.every((word) => within.includes(word));
	});
}

// threadOfPanel returns the thread of a panel: { title, actor, others, readUpTo, count,
// isMarked, reason, page, send, markRead, markUnread }. page has its latest messages, as
// timeline.js wants them; reason says why the member cannot reply, or is null; the last three
// are actions, or undefined.
export function threadOfPanel(panel, kind) {
	const thread = kind === "messages" ? ofThread(panel.selected_thread) : ofDirectMessage(panel);
	if (!thread) return null;
	const send = panel.action_descriptors?.find(({ id }) => id === "send_message");
	return { ...thread, send, page: pageOf(panel) };
}

function ofThread(thread) {
	if (!thread) return null;
	const action = (name) => thread.actions?.[name] && { type: name, method: "POST", url: thread.actions[name], body: {} };
	const isUnread = thread.unread_count > 0 || thread.marked_unread;
	return {
		title: thread.title, actor: thread.actor, others: (thread.participants ?? []).filter((person) => !person.is_self).map(({ display_name: name }) => name),
		readUpTo: thread.read_up_to ?? null, count: thread.unread_count, isMarked: thread.marked_unread === true, reason: thread.can_reply ? null : thread.can_reply_reason ?? "",
		markRead: isUnread ? action("mark_read") : undefined, markUnread: isUnread ? undefined : action("mark_unread"),
	};
}

function ofDirectMessage(panel) {
	const item = panel.sections?.find(({ id }) => id === "direct_message")?.items?.[0];
	if (!item) return null;
	const data = item.metadata ?? {};
	const action = (name) => item.actions?.find(({ id }) => id === name);
	return {
		title: item.title, actor: item.actor ?? null, others: [item.title], readUpTo: data.read_up_to ?? null, count: Number(data.unread_count) || 0, isMarked: data.marked_unread === true,
		reason: data.can_reply_reason ?? null, markRead: action("mark_read"), markUnread: action("mark_unread"),
	};
}

// pageOf returns the messages of a panel and the path of the page before.
export function pageOf(panel) {
	const section = panel.sections?.find(({ id }) => id === "messages");
	return {
		messages: (section?.items ?? []).map((item) => ({
			id: item.id, senderId: item.actor?.member_id ?? item.metadata?.sender_identity_user_id ?? null, name: item.title, body: item.body ?? item.summary ?? "",
			entities: item.entities ?? [], at: item.metadata?.created_at ?? "",
		})),
		previous: section?.page?.previous ?? null,
	};
}
