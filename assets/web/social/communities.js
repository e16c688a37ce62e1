// The view of the communities: invitations, the communities of the member, and others that the member may join.

import { avatar } from "../parts/avatar.js";
import { badge, tag } from "../parts/badge.js";
import { el, icon } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { actionOf, formOf, latestTalks, ownCommunities, routeOf, sectionOf } from "./data.js";
import { firstAction } from "./frame.js";
import { listView } from "./lists.js";
import { invitationCard, section, startText } from "./rows.js";
import { nextEvents } from "./times.js";

// communitiesView returns the view.
export function communitiesView(app) {
	return listView(app, { view: "communities" }, {
		kind: "communities", actions: (panel) => [formOf(panel, "create_community")].filter(Boolean), sectionId: "communities",
		content: (panel, { items, more }) => contents(app, panel, items, more),
	});
}

// contents returns the nodes of the view. items are the items of the communities, more is the button of the next page
// or null.
function contents(app, panel, items, more) {
	const { words, store } = app;
	const invitations = sectionOf(panel, "invitations").items;
	if (items.length + invitations.length === 0) {
		const action = firstAction(app, formOf(panel, "create_community"));
		return [emptyView({ art: "chair", title: words.social.noCommunities(), text: words.social.noCommunitiesText(), action })];
	}
	const { objects } = store.dataset;
	const unreadById = new Map(ownCommunities(objects).map(({ object, unread }) => [object.source.resource_id, unread]));
	const events = nextEvents(objects, Date.now(), words.zone);
	const talks = latestTalks(objects);
	const invitedIds = new Set(invitations.map(({ context }) => context?.id));
	const joinedCommunities = items.filter(({ metadata }) => metadata.membership === "active");
	const others = items.filter(({ id, metadata }) => metadata.membership !== "active" && !invitedIds.has(id));
	const ownCard = (item) => communityCard(app, item, {
		mark: badge(unreadById.get(item.id) ?? 0, { words }),
		lines: [eventLine(app, events.get(item.id)), talkLine(app, talks.get(item.id))],
	});
	const cards = (title, nodes) => nodes.length > 0 && section(title, [], el("div", { class: "comm-cards" }, nodes));
	return [
		cards(words.social.isInvited(), invitations.map((item) => invitationCard(app, item))),
		cards(words.social.yourCommunities(), joinedCommunities.map(ownCard)),
		cards(words.social.otherCommunities(), others.map((item) => otherCard(app, item))), more,
	];
}

// communityCard returns the card of a community. mark is a node at the end of its first line, lines are the nodes below
// it; null is left out.
function communityCard(app, item, { mark, lines }) {
	const { metadata: data, title } = item;
	const href = app.href(routeOf(app.store, { view: "communities", id: item.id }));
	const image = data.avatar?.thumb_url ?? data.avatar?.url;
	const shown = lines.filter(Boolean);
	return el("article", { class: "card comm-card" },
		el("div", { class: "line line-3" },
			el("a", { class: "line line-3 grow", href },
				avatar({ name: title, id: item.id, color: data.color, image, square: true }),
				el("span", { class: "grow" },
					el("span", { class: "strong clip", dir: "auto", text: title }),
					el("span", { class: "quiet small", text: item.summary }))),
			mark),
		shown.length > 0 && el("ul", {}, shown.map((line) => el("li", {}, line))));
}

// eventLine returns the link to the next event of a community, or null.
function eventLine(app, event) {
	if (!event) return null;
	const text = app.words.social.says(startText(app, event), event.title);
	return el("a", { href: app.href(routeOf(app.store, { view: "events", id: event.id })) }, icon("calendar", "i-s"),
		el("span", { dir: "auto", text }));
}

// talkLine returns the link to the latest conversation of a community, or null.
function talkLine(app, object) {
	if (!object) return null;
	const { words, store } = app;
	const text = [object.title, object.state.unread_count > 0 && words.newCount(object.state.unread_count)].filter(Boolean).join(" · ");
	return el("a", { href: app.href(routeOf(store, { view: "conversations", id: object.source.resource_id })) }, icon("talk", "i-s"),
		el("span", { dir: "auto", text }));
}

// otherCard returns the card of a community of which the member is no member, with its description and the action
// that joins it.
function otherCard(app, item) {
	const { words, store } = app;
	const join = actionOf(item, "join");
	const about = store.objectOfRecord(item.id)?.summary;
	return communityCard(app, item, {
		mark: item.metadata.membership === "requested" ? tag(words.social.requested())
			: join && app.actions.button(join, { kind: "s", name: item.title }),
		lines: [about && el("span", { class: "line top" }, icon("info", "i-s"), el("span", { dir: "auto", text: about }))],
	});
}
