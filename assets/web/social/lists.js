// The views of the lists of events and invitations, and of one invitation.

import { el } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { formOf, panelURL, sectionOf } from "./data.js";
import { firstAction, creationActions, page, replaceChildren, showGone, socialBar, socialTabs, tabKeys } from "./frame.js";
import { eventRow, invitationCard, list, nextEvents, section, waitingCards } from "./rows.js";

// listView returns a view that shows a panel of Social below its tabs. query contains the parameters
// of the panel. Options:
//
//   content    a function that returns the nodes of the view; its parameters are the panel and
//              { items, more }: the items of the section, and the button of its next page or null
//   actions    a function that returns the actions of the panel that create a record
//   sectionId  the id of the section that has several pages; undefined for none
//   kind       CSS classes of the content
//   sections   the sections of the dataset whose changes render the view again
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
	head.append(socialBar(app, null, { actions: [] }));
	scope.panel(panelURL(app.store, query), ["social"], (newPanel) => {
		panel = newPanel;
		pages.setFirst(newPanel);
		show();
	}, (error) => {
		if (error.status === 404) showGone(app, head, body);
		else if (!panel) body.replaceChildren(problem(error, words, () => app.show()));
	});
	scope.on(sections, () => panel && show());
	return {
		title: () => panel?.title ?? words.social.title(), element: page(head, nav, body), close: () => scope.end(),
		keys: { n: () => head.querySelector(".new-btn")?.click(), ...tabKeys(app, () => panel) },
	};
}

// eventsView returns the view of upcoming and past events.
export function eventsView(app) {
	const { words } = app;
	return listView(app, { view: "events" }, {
		actions: (panel) => [formOf(panel, "create_event")].filter(Boolean), sectionId: "upcoming_events",
		content: (panel, { items: upcoming, more }) => {
			const pastSection = sectionOf(panel, "past_events");
			const noEvents = () => {
				const action = firstAction(app, formOf(panel, "create_event"));
				return emptyView({ art: "cup", title: words.social.noEvents(), text: words.social.noEventsText(), action });
			};
			const waiting = sectionOf(panel, "waiting").items;
			const waitingIds = new Set(waiting.flatMap(({ id, context }) => [id, context?.id]));
			const next = upcoming.filter(({ id }) => !waitingIds.has(id));
			const cards = waitingCards(app, waiting);
			return [
				cards.length > 0 && section(words.waitingForYou(), [], el("div", { class: "stack-s" }, cards)),
				next.length > 0 || more ? section(words.social.nextEvents(), [], nextEvents(app, next), more) : waiting.length === 0 && noEvents(),
				pastSection.items.length > 0 && section(pastSection.title, [], list(pastSection.items.map((item) => eventRow(app, item)))),
			];
		},
	});
}

// invitationsView returns the view of the invitations of the member.
export function invitationsView(app) {
	const { words } = app;
	return listView(app, { view: "invitations" }, {
		actions: () => creationActions(app), sectionId: "received",
		content: (panel, { items, more }) => {
			const pendingSection = sectionOf(panel, "pending");
			const closedItems = items.filter(({ metadata }) => metadata.state !== "pending");
			const cards = pendingSection.items.map((item) => invitationCard(app, item));
			const noInvitations = () => el("p", { class: "quiet", text: pendingSection.summary || words.social.noInvitations() });
			return [
				section(words.waitingForYou(), [], cards.length > 0 ? el("div", { class: "stack-s" }, cards) : noInvitations()),
				closedItems.length > 0 && section(words.social.earlier(), [], list(closedItems.map((item) => invitationRow(item)), "flat"), more),
			];
		},
	});
}

// invitationRow returns the row of an invitation that is no longer pending.
function invitationRow(item) {
	return el("div", { class: "row" }, el("span", { class: "row-main" },
		el("span", { class: "clip", dir: "auto", text: item.title }), el("span", { class: "row-sub clip", dir: "auto", text: item.summary })));
}

// invitationView returns the view of one invitation, which a notification opens. view and id are the
// parameters of its panel.
export function invitationView(app, view, id) {
	return listView(app, { view, id }, {
		actions: () => [], content: (panel) => {
			const [item] = sectionOf(panel, "invitation").items;
			return item ? [item.metadata.state === "pending" ? invitationCard(app, item) : list([invitationRow(item)], "flat")] : [];
		},
	});
}
