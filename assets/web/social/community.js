// A community: its bar, its members, its events and its description.

import { avatar, avatars } from "../parts/avatar.js";
import { button, el } from "../parts/el.js";
import { empty, skeleton } from "../parts/empty.js";
import { details, row } from "../parts/row.js";
import { bar } from "../frame/bar.js";
import { destroys } from "../frame/acts.js";
import { scrollsAside } from "../parts/tabs.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { dayIn } from "../parts/day.js";
import { actionOf, formOf, objectOf, panelURL, routeOf, sectionOf } from "./data.js";
import { change, create, firstAction, invite, moreButton, replaceChildren, showGone } from "./frame.js";
import { linkItem } from "../frame/link.js";
import { eventRow, list, lockIcon, nextEvents, section, thumb } from "./rows.js";

const PARTS = ["talk", "events", "members", "about"];

// aboutOf returns the item of the community of a panel.
export function aboutOf(panel) {
	return sectionOf(panel, "about").items[0] ?? { metadata: {}, actions: [] };
}

// communityBar returns the bar of a community.
export function communityBar(app, panel) {
	const { words, store } = app;
	const item = aboutOf(panel);
	const { metadata: data } = item;
	const others = sectionOf(panel, "members").items.filter(({ actor, metadata }) => actor?.member_id !== store.memberId && metadata.state === "active");
	const form = formOf(panel, "invite");
	const join = actionOf(item, "join");
	const sub = [data.visibility === "private" && lockIcon(), " ", el("span", { text: panel.summary })];
	return bar(app, {
		kind: "comm-bar", title: panel.title, sub, back: routeOf(store, { view: "dashboard" }),
		picture: avatar({ name: panel.title, id: item.id, color: data.color, image: thumb(data), square: true }),
		end: [
			others.length > 0 && el("span", { class: "not-phone" }, avatars(others.map(({ actor }) => ({ name: actor.display_name, id: actor.member_id, color: actor.color, image: thumb(actor) })), { words })),
			join && app.acts.button(join, { kind: "s primary" }),
			form && button({ label: form.label, icon: "invite", kind: "s not-phone", run: () => invite(app, form) }),
			moreButton(app, menuOf(app, panel, item)),
		].filter(Boolean),
	});
}

// menuOf returns the actions of the member on a community.
function menuOf(app, panel, item) {
	const forms = ["invite", "update", "color", "set_avatar"].map((id) => formOf(panel, id)).filter(Boolean);
	const actions = (item.actions ?? []).filter(({ id }) => id !== "join");
	return [
		...forms.map((form) => ({ label: form.label, icon: { invite: "invite", update: "edit" }[form.id], run: () => (form.id === "invite" ? invite(app, form) : change(app, form)) })),
		linkItem(app),
		actions.length > 0 && null,
		...actions.map((action) => ({ label: action.label, bad: destroys(action), run: () => leaveOr(app, action, panel.title) })),
	];
}

// leaveOr performs an action on a community. After it is deleted or left, the start of Social
// is shown if the community is not there any more.
async function leaveOr(app, action, name) {
	const data = await app.acts.act(action, { name });
	if (data !== null && /\.(delete|leave)$/.test(action.type)) app.go(routeOf(app.store, { view: "communities" }), { replace: true });
}

// communityTabs returns the tabs of a community with part as the present one.
export function communityTabs(app, panel, part) {
	const { words, store } = app;
	const item = aboutOf(panel);
	const unread = sectionOf(panel, "latest_conversations").items.filter(({ metadata: data }) => data.unread_count > 0 || data.marked_unread).length;
	const counts = { events: sectionOf(panel, "upcoming_events").items.length, members: item.metadata.member_count };
	const label = { talk: words.social.talk(), events: words.social.events(), members: words.social.members(), about: words.social.about() };
	const nav = el("nav", { class: "tabs comm-tabs", "aria-label": panel.title }, PARTS.map((name) => el("a", { href: app.href(routeOf(store, { view: "communities", id: item.id, part: name === "talk" ? "" : name })), "aria-current": name === part ? "page" : null },
		el("span", { text: label[name] }), name === "talk" && unread > 0 && el("span", { class: "badge soft", text: String(unread) }), counts[name] > 0 && el("span", { class: "quiet", text: words.number(counts[name]) }))));
	scrollsAside(nav);
	return nav;
}

// sideOf returns the column beside the conversations of a community.
export function sideOf(app, panel) {
	const { words } = app;
	const items = sectionOf(panel, "upcoming_events").items;
	const form = formOf(panel, "create_event");
	const about = aboutOf(panel).summary;
	const add = form && button({ label: form.label, icon: "plus", only: true, kind: "plain s", run: () => create(app, form, { community: panel.title }) });
	return [
		section(words.social.nextEvents(), add, items.length > 0 ? nextEvents(app, items.slice(0, 4)) : el("p", { class: "quiet small", text: words.social.noEvents() })),
		about && section(words.social.about(), [], el("p", { class: "quiet said", dir: "auto", text: about })),
	].filter(Boolean);
}

// partView returns the view of a tab of a community: events, members or about.
export function partView(app, { community, part }) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: "comm-head" });
	const body = el("div", { class: "measure stack-l comm-part" }, skeleton({ words, rows: 5 }));
	const pages = Object.fromEntries(["members", "upcoming_events", "past_events"].map((id) => [id, new Pages(app, id, scope, () => show())]));
	let panel = null;
	const show = () => {
		replaceChildren(head, communityBar(app, panel), communityTabs(app, panel, part));
		const parts = { events: () => eventsPart(app, panel, pages), members: () => membersPart(app, panel, pages.members), about: () => aboutPart(app, panel) };
		replaceChildren(body, parts[part]());
		app.frame.refresh();
	};
	head.append(bar(app, { kind: "comm-bar", title: words.social.title(), back: routeOf(store, { view: "communities" }) }));
	scope.panel(panelURL(store, { view: "communities", id: community }), ["social"], (found) => {
		panel = found;
		for (const list of Object.values(pages)) list.setFirst(found);
		show();
	}, (error) => {
		if (error.status === 404) showGone(app, head, body);
		else if (!panel) body.replaceChildren(problem(error, words, () => app.show()));
	});
	return {
		title: () => panel?.title ?? "", element: [head, el("div", { class: "pane" }, body)], noRail: true, close: () => scope.end(),
		keys: { n: () => (formOf(panel, "create_event") ? void create(app, formOf(panel, "create_event"), { community: panel.title }) : false), e: () => change(app, formOf(panel, "update")) },
	};
}

function eventsPart(app, panel, { upcoming_events: upcoming, past_events: past }) {
	const { words } = app;
	const more = words.social.more();
	const form = formOf(panel, "create_event");
	const add = form && button({ label: form.label, icon: "plus", kind: "s", run: () => create(app, form, { community: panel.title }) });
	return [
		section(words.social.nextEvents(), add, upcoming.items.length > 0 ? nextEvents(app, upcoming.items) : empty({ art: "cup", title: words.social.noEvents(), text: words.social.noEventsText(), action: firstAction(app, form, { community: panel.title }) }), upcoming.more(more)),
		past.items.length > 0 && section(sectionOf(panel, "past_events").title, [], list(past.items.map((item) => eventRow(app, item))), past.more(more)),
	];
}

function membersPart(app, panel, pages) {
	const { words } = app;
	const all = pages.items;
	const requests = all.filter(({ metadata }) => metadata.state === "requested");
	const members = all.filter(({ metadata }) => metadata.state !== "requested");
	const pending = sectionOf(panel, "invitations").items.filter(({ metadata }) => metadata.state === "pending");
	const form = formOf(panel, "invite");
	const add = form && button({ label: form.label, icon: "invite", kind: "s", run: () => invite(app, form) });
	return [
		requests.length > 0 && section(words.social.requests(), [], list(requests.map((item) => requestRow(app, item)))),
		section(words.social.members(), add, members.length > 0 ? list(members.map((item) => memberRow(app, item))) : el("p", { class: "quiet", text: sectionOf(panel, "members").summary || words.social.membersHidden() }),
			pages.more(words.social.more())),
		pending.length > 0 && section(words.social.pendingInvitations(), [], list(pending.map((item) => memberRow(app, item)))),
	];
}

function memberPicture({ actor, title }) {
	return avatar({ name: title, id: actor?.member_id, color: actor?.color, image: thumb(actor), presence: actor?.presence?.state });
}

// memberRoute returns the route of the profile of a member, or null.
function memberRoute(app, id) {
	return id ? routeOf(app.store, { view: "people", id: String(id) }) : null;
}

function memberRow(app, item) {
	const { words, store } = app;
	const { actor, metadata: data } = item;
	const isSelf = actor?.member_id === store.memberId;
	const isInvitation = data.object_type === "invitation";
	const since = data.joined_at ? words.social.memberSince(words.dayShort(dayIn(words.zone, Date.parse(data.joined_at)))) : "";
	const sub = isInvitation ? words.social.until(words.dayShort(dayIn(words.zone, Date.parse(data.expires_at)))) : [isSelf && words.social.you(), item.summary, since].filter(Boolean).join(" · ");
	const route = memberRoute(app, actor?.member_id);
	const actions = item.actions ?? [];
	return row({
		words, title: item.title, sub, picture: memberPicture(item), href: route ? app.href(route) : undefined,
		actions: actions.length > 0 ? () => app.acts.items(actions, { name: item.title }) : undefined, actionsLabel: words.frame.moreFor(item.title),
	});
}

function requestRow(app, item) {
	return el("div", { class: "row" }, memberPicture(item), el("span", { class: "row-main" }, el("span", { class: "clip strong", dir: "auto", text: item.title }), el("span", { class: "row-sub clip", text: item.summary })),
		el("span", { class: "line wrap" }, (item.actions ?? []).map((action, i) => app.acts.button(action, { kind: i === 0 ? "s primary" : "s", name: item.title, ask: false }))));
}

function aboutPart(app, panel) {
	const { words, store } = app;
	const item = aboutOf(panel);
	const { metadata: data } = item;
	const object = objectOf(store, item.id);
	const created = object?.state?.created_at;
	const forms = ["update", "color", "set_avatar"].map((id) => formOf(panel, id)).filter(Boolean);
	const actions = (item.actions ?? []).filter(({ id }) => id !== "join");
	return [
		el("div", { class: "line line-3 top" }, avatar({ name: panel.title, id: item.id, color: data.color, image: data.avatar?.url, square: true, size: "l" }),
			el("p", { class: `grow read said${item.summary ? "" : " quiet"}`, dir: "auto", text: item.summary || words.social.noAbout() })),
		section(words.social.facts(), [], details([
			[words.social.visibility(), data.visibility === "private" ? words.social.private() : words.social.public()],
			[words.social.whoJoins(), words.social.joinPolicy(data.join_policy)],
			[words.social.members(), words.number(data.member_count ?? 0)],
			created && [words.social.since(), words.date(dayIn(words.zone, Date.parse(created)))],
		].filter(Boolean))),
		forms.length + actions.length > 0 && el("div", { class: "line wrap" },
			forms.map((form) => button({ label: form.label, run: () => change(app, form) })),
			actions.map((action) => button({ label: action.label, kind: destroys(action) ? "bad" : "", run: () => leaveOr(app, action, panel.title) }))),
	];
}
