// The start view of Social: communities, conversations, upcoming events and invitations.

import { el } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { communityRow, conversationRow, invitationCard, list, nextEvents, section } from "./rows.js";
import { ownCommunities, routeOf, sectionOf } from "./data.js";
import { firstAction, creationActions } from "./frame.js";
import { listView } from "./lists.js";

// startView returns the start view.
export function startView(app) {
	return listView(app, { view: "dashboard" }, { kind: "", actions: () => creationActions(app), content: (panel) => contents(app, panel) });
}

function contents(app, panel) {
	const { words, store } = app;
	const communities = ownCommunities(store.dataset.objects);
	const conversations = sectionOf(panel, "latest_conversations").items;
	const events = sectionOf(panel, "upcoming_events").items;
	const invitations = sectionOf(panel, "invitations").items;
	const link = (view) => el("a", { class: "quiet small", href: app.href(routeOf(store, { view })), text: words.social.all() });
	if (communities.length + conversations.length + events.length + invitations.length === 0) {
		const create = creationActions(app).find(({ type }) => type === "social.community.create");
		const action = firstAction(app, create);
		return [emptyView({ art: "chair", title: words.nothingYet(), text: words.social.noCommunitiesText(), action })];
	}
	const listOr = (rows, text) => (rows.length > 0 ? list(rows) : el("p", { class: "quiet", text }));
	const communityRows = communities.map((entry) => ownRow(app, entry));
	const conversationRows = conversations.map((item) => conversationRow(app, item, { where: true }));
	const invitedIds = new Set(invitations.map(({ context }) => context?.id));
	const noEvents = () => el("p", { class: "quiet", text: words.social.noEvents() });
	return [el("div", { class: "two wide-start" },
		el("div", { class: "stack-l" },
			section(words.social.yourCommunities(), link("communities"), listOr(communityRows, words.social.noCommunities())),
			section(words.social.conversations(), link("conversations"), listOr(conversationRows, words.social.noConversations()))),
		el("div", { class: "stack-l" },
			invitations.length > 0 && invitationSection(app, invitations, link("invitations")),
			section(words.social.nextEvents(), link("events"), events.length > 0 ? nextEvents(app, events, invitedIds) : noEvents())))];
}

// invitationSection returns the section of the invitations, which a phone shows first.
function invitationSection(app, invitations, link) {
	const cards = el("div", { class: "stack-s" }, invitations.map((item) => invitationCard(app, item)));
	const node = section(app.words.waitingForYou(), link, cards);
	node.classList.add("phone-first");
	return node;
}

// ownRow returns the row of a community that the member has joined or has asked to join.
function ownRow(app, { object, unread }) {
	const { words } = app;
	const { state } = object;
	const isRequested = state.membership.state === "requested";
	const sub = isRequested ? words.social.requested() : words.social.communityFacts(state.visibility, state.member_count);
	const { title, source } = object;
	return communityRow(app, { id: source.resource_id, title, color: state.color, picture: state.avatar, sub, unread });
}
