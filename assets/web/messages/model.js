// Threads of the panels of Messages and of the direct messages of Social, in one form. A thread is
// identified by its kind, "messages" or "dms", and its id.

import { parametersOf } from "../frame/routes.js";
import { fold } from "../parts/fold.js";
import { withQuery } from "../world/dispatch.js";

// panelsOf returns the paths of the panels with the lists of threads, by kind. A kind whose service the
// server does not have is left out.
export function panelsOf(store) {
	const messages = store.service("messages")?.content_source;
	const social = store.service("social")?.content_source;
	return {
		...(messages && { messages: withQuery(messages, { sections: "threads" }) }),
		...(social && { dms: withQuery(social, { view: "dms", sections: "direct_messages" }) }),
	};
}

// panelOf returns the path of the panel of a thread, or null if the server does not have its service.
export function panelOf(store, { kind, id }) {
	const { [kind]: url } = panelsOf(store);
	if (!url) return null;
	return withQuery(url, kind === "messages" ? { thread: id, sections: "messages" } : { id, sections: "direct_message,messages" });
}

// SECTIONS maps a kind to the id of the section with the threads.
export const SECTIONS = { messages: "threads", dms: "direct_messages" };

// SERVICE_OF maps a kind to the id of its service.
export const SERVICE_OF = { messages: "messages", dms: "social" };

// threadOfRoute returns the thread that a route shows, { kind, id }, or null for the list. Its second
// parameter is the result of matchRoute for the route.
export function threadOfRoute(route, { object, url }) {
	if (route.kind === "at" && object) {
		return { kind: object.object_type === "message_thread" ? "messages" : "dms", id: object.source.resource_id };
	}
	const query = { ...parametersOf(url ?? ""), ...route.query };
	if (query.view === "dms") return query.id ? { kind: "dms", id: query.id } : null;
	return query.thread ? { kind: "messages", id: query.thread } : null;
}

// keyOf returns a text that identifies a thread.
export function keyOf({ kind, id }) {
	return `${kind} ${id}`;
}

// draftKeyOf returns the key of the draft of a thread.
export function draftKeyOf(thread) {
	return `message ${keyOf(thread)}`;
}

// threadOfItem returns the thread of an item of a list: { kind, id, title, actor, excerpt, senderId, at,
// count, isMarked, actions, item }. excerpt and senderId belong to the last message, `at` is its time
// or null, count is the number of unread messages, and isMarked is whether the member has marked the
// thread as unread.
export function threadOfItem(item, kind) {
	const data = item.metadata ?? {};
	const { last_reply: last } = item;
	return {
		kind, id: item.id, title: item.title, actor: item.actor ?? null,
		excerpt: last?.excerpt ?? item.summary ?? "", senderId: last?.actor?.member_id ?? null,
		at: data.last_message_at ?? null, count: Number(data.unread_count) || 0, isMarked: data.marked_unread === true,
		actions: item.actions ?? [], item,
	};
}

// sortThreads returns threads without duplicates, sorted by the time of the last message, the latest first.
// Of threads with the same key, it returns the last one.
export function sortThreads(threads) {
	const byKey = new Map(threads.map((thread) => [keyOf(thread), thread]));
	return [...byKey.values()].sort((a, b) => (Date.parse(b.at) || 0) - (Date.parse(a.at) || 0));
}

// matchingThreads returns the threads that contain all words of a text in their title or excerpt. It ignores
// case and diacritics.
export function matchingThreads(threads, text) {
	const words = fold(text).split(/\s+/).filter(Boolean);
	return threads.filter(({ title, excerpt }) => {
		const content = fold(`${title} ${excerpt}`);
		return words.every((word) => content.includes(word));
	});
}

// threadOfPanel returns the thread of a panel, or null if the panel has none:
//
//   title, actor   the title and the other member
//   others         the names of the other participants
//   readUpTo       the id of the last message that the member has read, or null
//   count          the number of unread messages
//   isMarked       whether the member has marked the thread as unread
//   reason         the reason why the member cannot reply, or null
//   page           the latest messages, see pageOf
//   send, markRead, markUnread  actions, or undefined
export function threadOfPanel(panel, kind) {
	const thread = kind === "messages" ? fromThread(panel.selected_thread) : fromDirectMessages(panel);
	if (!thread) return null;
	const send = panel.action_descriptors?.find(({ id }) => id === "send_message");
	return { ...thread, send, page: pageOf(panel) };
}

// fromThread returns the fields that Messages provides.
function fromThread(thread) {
	if (!thread) return null;
	const action = (name) => thread.actions?.[name] && { type: name, method: "POST", url: thread.actions[name], body: {} };
	const isUnread = thread.unread_count > 0 || thread.marked_unread;
	const others = (thread.participants ?? []).filter((person) => !person.is_self);
	return {
		title: thread.title, actor: thread.actor, others: others.map(({ display_name: name }) => name),
		readUpTo: thread.read_up_to ?? null, count: thread.unread_count, isMarked: thread.marked_unread === true,
		reason: thread.can_reply ? null : thread.can_reply_reason ?? "",
		markRead: isUnread ? action("mark_read") : undefined, markUnread: isUnread ? undefined : action("mark_unread"),
	};
}

// fromDirectMessages returns the fields that a panel of direct messages provides.
function fromDirectMessages(panel) {
	const item = panel.sections?.find(({ id }) => id === "direct_message")?.items?.[0];
	if (!item) return null;
	const data = item.metadata ?? {};
	const action = (name) => item.actions?.find(({ id }) => id === name);
	return {
		title: item.title, actor: item.actor ?? null, others: [item.title],
		readUpTo: data.read_up_to ?? null, count: Number(data.unread_count) || 0, isMarked: data.marked_unread === true,
		reason: data.can_reply_reason ?? null, markRead: action("mark_read"), markUnread: action("mark_unread"),
	};
}

// pageOf returns the messages of a panel, { messages, previous }: the messages in the form of
// timeline.js, and the path of the previous page, or null.
export function pageOf(panel) {
	const section = panel.sections?.find(({ id }) => id === "messages");
	return {
		messages: (section?.items ?? []).map((item) => ({
			id: item.id, senderId: item.actor?.member_id ?? item.metadata?.sender_identity_user_id ?? null, name: item.title,
			body: item.body ?? item.summary ?? "", entities: item.entities ?? [], at: item.metadata?.created_at ?? "",
		})),
		previous: section?.page?.previous ?? null,
	};
}
