// The lists of communities, events and invitations, and one invitation.

import { el } from "../parts/el.js";
import { empty, skeleton } from "../parts/empty.js";
import { tag } from "../parts/badge.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { formOf, ownCommunities, panelURL, sectionOf } from "./data.js";
import { firstAction, newActions, page, replaceChildren, showGone, socialBar, socialTabs } from "./frame.js";
import { communityRow, eventRow, invitationCard, list, nextEvents, section } from "./rows.js";

// listView returns a view that shows a panel of Social below its tabs. sectionId names the section
// with pages. content(panel, { items, more }) returns the nodes: items are those of the section,
// `more` is a button for the next page, or null.
export function listView(app, query, { content, actions, sectionId, kind = "soc-list", sections = ["objects", "actions"] }) {
	const { words } = app;
	const scope = app.scope();
	const head = el("div", { class: "soc-head" });
	const nav = el("div", { class: "soc-tabs" });
	const body = el("div", { class: `measure stack-l home ${kind}` }, skeleton({ words, rows: 5 }));
	const pages = new Pages(app, sectionId, scope, () => show());
	let panel = null;
	const show = () => {
		replaceChildren(head, socialBar(app, panel, { actions: actions?.(panel) }));
		replaceChildren(nav, socialTabs(app, panel));
		replaceChildren(body, content(panel, { items: pages.items, more: pages.more(words.social.more()) }));
		app.frame.refresh();
	};
	head.append(socialBar(app, null, { title: words.social.title(), actions: [] }));
	scope.panel(panelURL(app.store, query), ["social"], (found) => {
		panel = found;
		pages.setFirst(found);
		show();
	}, (error) => {
		if (error.status === 404) showGone(app, head, body);
		else if (!panel) body.replaceChildren(problem(error, words, () => app.show()));
	});
	scope.on(sections, () => panel && show());
	return { title: () => panel?.title ?? words.social.title(), element: page(head, nav, body), close: () => scope.end(), keys: { n: () => head.querySelector(".new-btn")?.click() } };
}

// communitiesView returns the view of all communities: those of the member, and others to join.
export function communitiesView(app) {
	const { words } = app;
	const rowOf = (item, unread) => {
		const { metadata: data } = item;
		const state = { requested: words.social.requested(), invited: words.social.isInvited() }[data.membership];
		return communityRow(app, { id: item.id, title: item.title, color: data.color, picture: data.avatar, sub: item.summary, unread, mark: state && tag(state) });
	};
	return listView(app, { view: "communities" }, {
		actions: (panel) => [formOf(panel, "create_community")].filter(Boolean), sectionId: "communities",
		content: (panel, { items: all, more }) => {
			const unread = new Map(ownCommunities(app.store.dataset.objects).map((own) => [own.object.source.resource_id, own.unread]));
			const own = all.filter(({ metadata }) => metadata.membership === "active");
			const others = all.filter(({ metadata }) => metadata.membership !== "active");
			if (all.length === 0) return [empty({ art: "chair", title: words.social.noCommunities(), text: words.social.noCommunitiesText(), action: firstAction(app, formOf(panel, "create_community")) })];
			return [
				own.length > 0 && section(words.social.yourCommunities(), [], list(own.map((item) => rowOf(item, unread.get(item.id) ?? 0)))),
				others.length > 0 && section(words.social.otherCommunities(), [], list(others.map((item) => rowOf(item, 0)))), more,
			];
		},
	});
}

// eventsView returns the view of upcoming and past events.
export function eventsView(app) {
	const { words } = app;
	return listView(app, { view: "events" }, {
		actions: (panel) => [formOf(panel, "create_event")].filter(Boolean), sectionId: "upcoming_events",
		content: (panel, { items: upcoming, more }) => {
			const past = sectionOf(panel, "past_events");
			return [
				upcoming.length > 0 ? section(words.social.nextEvents(), [], nextEvents(app, upcoming), more) : empty({ art: "cup", title: words.social.noEvents(), text: words.social.noEventsText(), action: firstAction(app, formOf(panel, "create_event")) }),
				past.items.length > 0 && section(past.title, [], list(past.items.map((item) => eventRow(app, item)))),
			];
		},
	});
}

// invitationsView returns the view of the invitations of the member.
export function invitationsView(app) {
	const { words } = app;
	return listView(app, { view: "invitations" }, {
		actions: () => newActions(app), sectionId: "received",
		content: (panel, { items, more }) => {
			const pending = sectionOf(panel, "pending");
			const received = items.filter(({ metadata }) => metadata.state !== "pending");
			return [
				section(words.waitingForYou(), [], pending.items.length > 0 ? el("div", { class: "stack-s" }, pending.items.map((item) => invitationCard(app, item))) : el("p", { class: "quiet", text: pending.summary || words.social.noInvitations() })),
				received.length > 0 && section(words.social.earlier(), [], list(received.map((item) => oldInvitation(item)), "flat"), more),
			];
		},
	});
}

function oldInvitation(item) {
	return el("div", { class: "row" }, el("span", { class: "row-main" }, el("span", { class: "clip", dir: "auto", text: item.title }), el("span", { class: "row-sub clip", dir: "auto", text: item.summary })));
}

// invitationView returns the view of one invitation, to which a notification leads.
export function invitationView(app, view, id) {
	return listView(app, { view, id }, {
		actions: () => [], content: (panel) => {
			const [item] = sectionOf(panel, "invitation").items;
			return item ? [item.metadata.state === "pending" ? invitationCard(app, item) : list([oldInvitation(item)], "flat")] : [];
		},
	});
}
