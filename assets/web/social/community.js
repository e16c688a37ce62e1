// The views of a community: its bar and tabs, its events, its members and its description.

import { avatar, avatars } from "../parts/avatar.js";
import { button, el } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { details, row } from "../parts/row.js";
import { bar } from "../frame/bar.js";
import { trackOverflow } from "../parts/tabs.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { dayIn } from "../parts/day.js";
import { actionOf, formOf, panelURL, routeOf, sectionOf } from "./data.js";
import { change, create, firstAction, invite, moreButton, replaceChildren, showGone } from "./frame.js";
import { linkItem } from "../frame/link.js";
import { eventRow, list, lockIcon, nextEvents, section, thumbURL } from "./rows.js";

// TABS are the names of the tabs of a community. "talk" are its conversations.
const TABS = ["talk", "events", "members", "about"];

// communityItemOf returns the item that describes the community of a panel, or an item without data.
export function communityItemOf(panel) {
	return sectionOf(panel, "about").items[0] ?? { metadata: {}, actions: [] };
}

// communityBar returns the bar of a community: with the avatars of its members, the actions
// that join it and invite others, and a menu.
export function communityBar(app, panel) {
	const { words, store } = app;
	const item = communityItemOf(panel);
	const { metadata: data } = item;
	const isSelf = ({ actor }) => actor?.member_id === store.memberId;
	const members = sectionOf(panel, "members").items.filter(({ metadata }) => metadata.state === "active")
		.sort((a, b) => isSelf(a) - isSelf(b)); // the others first
	const pictures = members.map(({ actor }) => (
		{ name: actor.display_name, id: actor.member_id, color: actor.color, image: thumbURL(actor) }));
	const invitation = formOf(panel, "invite");
	const join = actionOf(item, "join");
	const sub = [data.visibility === "private" && lockIcon(), " ", el("span", { text: panel.summary })];
	return bar(app, {
		kind: "comm-bar", title: panel.title, sub, back: routeOf(store, { view: "dashboard" }),
		picture: avatar({ name: panel.title, id: item.id, color: data.color, image: thumbURL(data), square: true }),
		end: [
			members.length > 1 && el("span", { class: "not-phone" }, avatars(pictures, { count: data.member_count, words })),
			join && app.actions.button(join, { kind: "s primary" }),
			invitation && button({ label: invitation.label, icon: "invite", kind: "s not-phone", run: () => invite(app, invitation) }),
			moreButton(app, menuOf(app, panel, item)),
		].filter(Boolean),
	});
}

// menuOf returns the items of the menu of a community, as moreButton takes them: the forms, the link,
// and the actions that the member may perform.
function menuOf(app, panel, item) {
	const forms = ["invite", "update", "color", "set_avatar"].map((id) => formOf(panel, id)).filter(Boolean);
	const actions = (item.actions ?? []).filter(({ id }) => id !== "join");
	const runForm = (form) => (form.id === "invite" ? invite(app, form) : change(app, form));
	return [
		...forms.map((form) => ({ label: form.label, icon: { invite: "invite", update: "edit" }[form.id], run: () => runForm(form) })),
		linkItem(app),
		actions.length > 0 && null,
		...actions.map((action) => ({ label: action.label, bad: action.destructive, run: () => performAction(app, action, panel.title) })),
	];
}

// performAction performs an action on a community. It replaces the view by the list of communities
// after the member has deleted or left the community.
async function performAction(app, action, name) {
	const data = await app.actions.perform(action, { name });
	if (data !== null && /\.(delete|leave)$/.test(action.type)) app.go(routeOf(app.store, { view: "communities" }), { replace: true });
}

// communityTabs returns the tabs of a community; `part` is the present one, see TABS. They show the
// number of unread conversations, upcoming events and members.
export function communityTabs(app, panel, part) {
	const { words, store } = app;
	const item = communityItemOf(panel);
	const conversations = sectionOf(panel, "latest_conversations").items;
	const unread = conversations.filter(({ metadata: data }) => data.unread_count > 0 || data.marked_unread).length;
	const counts = { events: sectionOf(panel, "upcoming_events").items.length, members: item.metadata.member_count };
	const label = { talk: words.social.talk(), events: words.social.events(), members: words.social.members(), about: words.social.about() };
	const tabOf = (name) => {
		const route = routeOf(store, { view: "communities", id: item.id, part: name === "talk" ? "" : name });
		return el("a", { href: app.href(route), "aria-current": name === part ? "page" : null },
			el("span", { text: label[name] }),
			name === "talk" && unread > 0 && el("span", { class: "badge soft", text: String(unread) }),
			counts[name] > 0 && el("span", { class: "quiet", text: words.number(counts[name]) }));
	};
	const nav = el("nav", { class: "tabs comm-tabs", "aria-label": panel.title }, TABS.map(tabOf));
	trackOverflow(nav);
	return nav;
}

// sideColumn returns the nodes of the column beside the conversations of a community: its next events
// and its description.
export function sideColumn(app, panel) {
	const { words } = app;
	const items = sectionOf(panel, "upcoming_events").items;
	const form = formOf(panel, "create_event");
	const about = communityItemOf(panel).summary;
	const createEvent = () => create(app, form, { community: panel.title });
	const add = form && button({ label: form.label, icon: "plus", iconOnly: true, kind: "plain s", run: createEvent });
	const events = items.length > 0 ? nextEvents(app, items.slice(0, 4)) : el("p", { class: "quiet small", text: words.social.noEvents() });
	return [
		section(words.social.nextEvents(), add, events),
		about && section(words.social.about(), [], el("p", { class: "quiet said", dir: "auto", text: about })),
	].filter(Boolean);
}

// partView returns the view of a tab of a community: `part` is "events", "members" or "about",
// community the id of the community.
export function partView(app, { community, part }) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: "comm-head" });
	const body = el("div", { class: "measure stack-l comm-part" }, skeleton({ words, rows: 5 }));
	const pagesOf = (id) => new Pages(app, id, scope, () => show());
	const pages = Object.fromEntries(["members", "upcoming_events", "past_events"].map((id) => [id, pagesOf(id)]));
	let panel = null;
	const show = () => {
		replaceChildren(head, communityBar(app, panel), communityTabs(app, panel, part));
		const parts = {
			events: () => eventsPart(app, panel, pages), members: () => membersPart(app, panel, pages.members),
			about: () => aboutPart(app, panel),
		};
		replaceChildren(body, parts[part]());
		app.frame.refresh();
	};
	head.append(bar(app, { kind: "comm-bar", title: words.social.title(), back: routeOf(store, { view: "communities" }) }));
	scope.panel(panelURL(store, { view: "communities", id: community }), ["social"], (newPanel) => {
		panel = newPanel;
		for (const list of Object.values(pages)) list.setFirst(newPanel);
		show();
	}, (error) => {
		if (error.status === 404) showGone(app, head, body);
		else if (!panel) body.replaceChildren(problem(error, words, () => app.show()));
	});
	const createEvent = () => {
		const form = formOf(panel, "create_event");
		return form ? void create(app, form, { community: panel.title }) : false;
	};
	return {
		title: () => panel?.title ?? "", element: [head, el("div", { class: "pane" }, body)], usesFullWidth: true, close: () => scope.end(),
		keys: { n: createEvent, e: () => change(app, formOf(panel, "update")) },
	};
}

// eventsPart returns the nodes of the tab "events": the upcoming and the past events.
function eventsPart(app, panel, { upcoming_events: upcoming, past_events: past }) {
	const { words } = app;
	const more = words.social.more();
	const form = formOf(panel, "create_event");
	const add = form && button({ label: form.label, icon: "plus", kind: "s", run: () => create(app, form, { community: panel.title }) });
	const noEvents = () => {
		const action = firstAction(app, form, { community: panel.title });
		return emptyView({ art: "cup", title: words.social.noEvents(), text: words.social.noEventsText(), action });
	};
	const pastRows = past.items.map((item) => eventRow(app, item));
	return [
		section(words.social.nextEvents(), add, upcoming.items.length > 0 ? nextEvents(app, upcoming.items) : noEvents(), upcoming.more(more)),
		past.items.length > 0 && section(sectionOf(panel, "past_events").title, [], list(pastRows), past.more(more)),
	];
}

// membersPart returns the nodes of the tab "members": the requests to join, the members, and the
// pending invitations.
function membersPart(app, panel, pages) {
	const { words } = app;
	const items = pages.items;
	const requests = items.filter(({ metadata }) => metadata.state === "requested");
	const members = items.filter(({ metadata }) => metadata.state !== "requested");
	const pendingInvitations = sectionOf(panel, "invitations").items.filter(({ metadata }) => metadata.state === "pending");
	const form = formOf(panel, "invite");
	const add = form && button({ label: form.label, icon: "invite", kind: "s", run: () => invite(app, form) });
	const noMembers = () => el("p", { class: "quiet", text: sectionOf(panel, "members").summary || words.social.membersHidden() });
	return [
		requests.length > 0 && section(words.social.requests(), [], list(requests.map((item) => requestRow(app, item)))),
		section(words.social.members(), add,
			members.length > 0 ? list(members.map((item) => memberRow(app, item))) : noMembers(), pages.more(words.social.more())),
		pendingInvitations.length > 0
			&& section(words.social.pendingInvitations(), [], list(pendingInvitations.map((item) => memberRow(app, item)))),
	];
}

function memberPicture({ actor, title }) {
	return avatar({ name: title, id: actor?.member_id, color: actor?.color, image: thumbURL(actor), presence: actor?.presence?.state });
}

// memberRoute returns the route of the profile of a member, or null.
function memberRoute(app, id) {
	return id ? routeOf(app.store, { view: "people", id: String(id) }) : null;
}

// memberRow returns the row of a member or of a pending invitation.
function memberRow(app, item) {
	const { words, store } = app;
	const { actor, metadata: data } = item;
	const isSelf = actor?.member_id === store.memberId;
	const isInvitation = data.object_type === "invitation";
	const dayText = (at) => words.dayShort(dayIn(words.zone, Date.parse(at)));
	const since = data.joined_at ? words.social.memberSince(dayText(data.joined_at)) : "";
	const sub = isInvitation ? words.social.until(dayText(data.expires_at))
		: [isSelf && words.social.you(), item.summary, since].filter(Boolean).join(" · ");
	const route = memberRoute(app, actor?.member_id);
	const actions = item.actions ?? [];
	return row({
		words, title: item.title, sub, picture: memberPicture(item), href: route ? app.href(route) : undefined,
		actions: actions.length > 0 ? () => app.actions.items(actions, { name: item.title }) : undefined,
		actionsLabel: words.frame.moreFor(item.title),
	});
}

// requestRow returns the row of a request to join, with the buttons that answer it.
function requestRow(app, item) {
	const answerButton = (action, i) => app.actions.button(action, { kind: i === 0 ? "s primary" : "s", name: item.title });
	return el("div", { class: "row" }, memberPicture(item),
		el("span", { class: "row-main" },
			el("span", { class: "clip strong", dir: "auto", text: item.title }), el("span", { class: "row-sub clip", text: item.summary })),
		el("span", { class: "line wrap" }, (item.actions ?? []).map(answerButton)));
}

// aboutPart returns the nodes of the tab "about": the description, facts, and the actions on the
// community.
function aboutPart(app, panel) {
	const { words, store } = app;
	const item = communityItemOf(panel);
	const { metadata: data } = item;
	const object = store.objectOfRecord(item.id);
	const createdAt = object?.state?.created_at;
	const forms = ["update", "color", "set_avatar"].map((id) => formOf(panel, id)).filter(Boolean);
	const actions = (item.actions ?? []).filter(({ id }) => id !== "join");
	const picture = avatar({ name: panel.title, id: item.id, color: data.color, image: data.avatar?.url, square: true, size: "l" });
	const actionButton = (action) => (
		button({ label: action.label, kind: action.destructive ? "bad" : "", run: () => performAction(app, action, panel.title) }));
	return [
		el("div", { class: "line line-3 top" }, picture,
			el("p", { class: `grow read said${item.summary ? "" : " quiet"}`, dir: "auto", text: item.summary || words.social.noAbout() })),
		section(words.social.facts(), [], details([
			[words.social.visibility(), data.visibility === "private" ? words.social.private() : words.social.public()],
			[words.social.whoJoins(), words.social.joinPolicy(data.join_policy)],
			[words.social.members(), words.number(data.member_count ?? 0)],
			createdAt && [words.social.since(), words.date(dayIn(words.zone, Date.parse(createdAt)))],
		].filter(Boolean))),
		forms.length + actions.length > 0 && el("div", { class: "line wrap" },
			forms.map((form) => button({ label: form.label, run: () => change(app, form) })),
			actions.map(actionButton)),
	];
}
