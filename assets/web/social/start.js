// The start of Social: communities, conversations, next events, and invitations that wait.

import { el } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { communityRow, conversationRow, invitationCard, list, nextEvents, section } from "./rows.js";
import { ownCommunities, routeOf, sectionOf } from "./data.js";
import { firstAction, newActions } from "./frame.js";
import { listView } from "./lists.js";

// startView returns the view of the start.
export function startView(app) {
	return listView(app, { view: "dashboard" }, { kind: "", actions: () => newActions(app), content: (panel) => contents(app, panel) });
}

function contents(app, panel) {
	const { words, store } = app;
	const own = ownCommunities(store.dataset.objects);
	const conversations = sectionOf(panel, "latest_conversations").items;
	const events = sectionOf(panel, "upcoming_events").items;
	const invitations = sectionOf(panel, "invitations").items;
	const link = (view) => el("a", { class: "quiet small", href: app.href(routeOf(store, { view })), text: words.social.all() });
	if (own.length + conversations.length + events.length + invitations.length === 0) return [empty({ art: "chair", title: words.nothingYet(), text: words.social.noCommunitiesText(), action: firstAction(app, newActions(app).find(({ type }) => type === "social.community.create")) })];
	return [el("div", { class: "two wide-start" },
		el("div", { class: "stack-l" },
			section(words.social.yourCommunities(), link("communities"), own.length > 0 ? list(own.map((entry) => ownRow(app, entry))) : el("p", { class: "quiet", text: words.social.noCommunities() })),
			section(words.social.conversations(), link("conversations"), conversations.length > 0 ? list(conversations.map((item) => conversationRow(app, item, { where: true }))) : el("p", { class: "quiet", text: words.social.noConversations() }))),
		el("div", { class: "stack-l" },
			invitations.length > 0 && mark(section(words.waitingForYou(), link("invitations"), el("div", { class: "stack-s" }, invitations.map((item) => invitationCard(app, item))))),
			section(words.social.nextEvents(), link("events"), events.length > 0 ? nextEvents(app, events, new Set(invitations.map(({ context }) => context?.id))) : el("p", { class: "quiet", text: words.social.noEvents() }))))];
}

function mark(node) {
	node.classList.add("phone-first");
	return node;
}

function ownRow(app, { object, unread }) {
	const { words } = app;
	const { state } = object;
	const sub = state.membership.state === "requested" ? words.social.requested() : words.social.communityFacts(state.visibility, state.member_count);
	return communityRow(app, { id: object.source.resource_id, title: object.title, color: state.color, picture: state.avatar, sub, unread });
}
