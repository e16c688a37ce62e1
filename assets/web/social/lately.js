// The first view of Social: requests that wait for the member, the latest activity by day, and the next events.

import { avatar } from "../parts/avatar.js";
import { badge } from "../parts/badge.js";
import { el, icon } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { openRoute } from "../generic/item.js";
import { communityOf, routeOf, sectionOf } from "./data.js";
import { ICONS, groupItems, newestOf } from "./feed.js";
import { firstAction, creationActions } from "./frame.js";
import { listView } from "./lists.js";
import { entryText } from "./notifications.js";
import { eventRow, list, ownAnswerText, section, startText, thumbURL, waitingCards } from "./rows.js";
import { eventOf, sortByNext } from "./times.js";

const MAX_CARDS = 4; // maximum number of cards that wait for an answer

// latelyView returns the first view.
export function latelyView(app) {
	return listView(app, { view: "dashboard" }, {
		kind: "lately", sectionId: "latest", actions: () => creationActions(app),
		content: (panel, { items, more }) => contents(app, panel, newestOf(items), more),
	});
}

// contents returns the nodes of the view. items are the latest entries of the activity, at most one for each record.
function contents(app, panel, items, more) {
	const { words, store } = app;
	const waiting = sectionOf(panel, "waiting").items;
	const events = sortByNext(sectionOf(panel, "upcoming_events").items, Date.now(), words.zone);
	const link = (view) => el("a", { class: "quiet small", href: app.href(routeOf(store, { view })), text: words.social.all() });
	if (items.length + events.length + waiting.length === 0) return [nothingYet(app)];
	const cards = waitingCards(app, waiting.slice(0, MAX_CARDS));
	const allView = waiting.slice(MAX_CARDS).some(({ metadata }) => metadata?.object_type === "event") ? "events" : "invitations";
	const waitingIds = new Set(waiting.flatMap(({ id, context }) => [id, context?.id]));
	const others = events.filter(({ id }) => !waitingIds.has(id));
	const groups = groupItems(items, words.zone).map(({ id, items: entries }) => (
		section(words.relativeDay(id), [], list(entries.map((item) => latelyRow(app, item))))));
	const noActivity = () => el("p", { class: "quiet", text: words.nothingYet() });
	return [el("div", { class: `two wide-start${cards.length > 0 ? " waits-first" : ""}` },
		cards.length > 0 && section(words.waitingForYou(), link(allView), el("div", { class: "stack-s" }, cards)),
		el("div", { class: "stack days" }, groups.length > 0 ? groups : noActivity(), more),
		others.length > 0 && el("div", { class: "not-phone" },
			section(words.social.nextEvents(), link("events"), list(others.map((event) => eventRow(app, event)), "plain-rows"))))];
}

function nothingYet(app) {
	const { words } = app;
	const create = creationActions(app).find(({ type }) => type === "social.community.create");
	return emptyView({
		art: "chair", title: words.nothingYet(), text: words.social.noCommunitiesText(), action: firstAction(app, create),
	});
}

// latelyRow returns the row of an entry of the activity. That of a conversation shows its latest reply.
function latelyRow(app, item) {
	const { words, store } = app;
	const { metadata: data, context, last_reply: last } = item;
	const isTalk = last && ["conversation.started", "reply.posted"].includes(data.kind);
	const actor = isTalk ? last.actor : item.actor;
	const at = isTalk ? last.created_at : data.created_at;
	const { state } = store.objectOfRecord(context?.id) ?? {};
	const unread = state?.unread_count || (state?.marked_unread ? 1 : 0);
	const route = openRoute(app, item);
	const picture = avatar({
		name: actor?.display_name ?? item.title, id: actor?.member_id, color: actor?.color, image: thumbURL(actor),
		presence: actor?.presence?.state,
	});
	const sub = isTalk ? talkText(app, context, last) : eventText(app, context);
	const title = isTalk ? el(unread > 0 ? "b" : "span", { dir: "auto", text: context?.title ?? item.title })
		: entryText(app, item, { isActorStrong: false });
	return el(route ? "a" : "div", { class: `row act${unread > 0 ? " is-unread" : ""}`, href: route ? app.href(route) : null },
		el("span", { class: "av-ic" }, picture, el("span", { class: "ic" }, icon(ICONS[data.kind] ?? "bell"))),
		el("span", { class: "row-main" },
			el("span", { class: "act-t" }, title),
			sub && el("span", { class: "row-sub clip", dir: "auto", text: sub })),
		el("time", { class: "quiet tiny", datetime: at, text: words.time(at) }), badge(unread, { words }));
}

// talkText returns the community of a conversation and its latest reply.
function talkText(app, context, last) {
	const { words, store } = app;
	const community = store.objectOfRecord(communityOf(store.objectOfRecord(context?.id)));
	const name = last.actor?.member_id === store.memberId ? words.social.you() : last.actor?.display_name;
	return [community?.title, words.social.says(name, last.excerpt)].filter(Boolean).join(" · ");
}

// eventText returns the time of the next occurrence of an event and the answer of the member, or "" for another
// record.
function eventText(app, context) {
	const object = context?.type === "event" && app.store.objectOfRecord(context.id);
	if (!object) return "";
	const event = eventOf(object, Date.now(), app.words.zone);
	const answer = ownAnswerText(app, { metadata: { rsvp: object.state.rsvp?.mine } });
	return [startText(app, event), answer].filter(Boolean).join(" · ");
}
