// Parts that the screens of Social share: the bar, the tabs of World, and new records.

import { button, el } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { tabs } from "../parts/tabs.js";
import { bar, bellLink } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { routeOfPanel } from "../frame/routes.js";
import { routeOf } from "./data.js";

const NEW = ["social.conversation.create", "social.community.create", "social.event.create"];
const VIEWS = { community: "communities", conversation: "conversations", event: "events" };

// newActions returns the actions that create a record of Social, of the whole server.
export function newActions(app) {
	const { store } = app;
	return NEW.map((type) => store.actionsOn("workspace").find((action) => action.type === type)).filter(Boolean);
}

// create opens the form of a new record and shows the record that it has created. community is
// the name of the one whose members see it, if the form belongs to one.
export async function create(app, action, { community } = {}) {
	const hints = community ? { title: app.words.social.seenByCommunity(community) } : {};
	const data = await app.acts.form(action, { hints, group: [["start", "end"]] });
	const [name] = Object.keys(VIEWS).filter((key) => data?.[key]?.id);
	if (name) app.go(routeOf(app.store, { view: VIEWS[name], id: data[name].id }));
}

// change opens the form that changes a record. It returns false if the member may not.
export function change(app, form, options = {}) {
	return form ? void app.acts.form(form, { submit: app.words.save(), ...options }) : false;
}

// invite opens the form of an invitation.
export function invite(app, form) {
	return app.acts.form(form, { done: app.words.social.invited() });
}

// firstAction returns the first step of an empty list: to create what it lists.
export function firstAction(app, form, options) {
	return form && { label: form.label, icon: "plus", run: () => create(app, form, options) };
}

// newButton returns the button for a new record: a menu if there are several kinds.
export function newButton(app, actions = newActions(app)) {
	const { words } = app;
	if (actions.length === 0) return null;
	const [first] = actions;
	if (actions.length === 1) return shortOnPhone(button({ label: first.label, icon: "plus", kind: "primary new-btn", run: () => create(app, first) }), words.isNew());
	return menuButton(button({ label: words.isNew(), icon: "plus", kind: "primary new-btn" }), () => actions.map((action) => ({ label: action.label, run: () => create(app, action) })), { label: words.isNew(), end: true });
}

// shortOnPhone shows another label on a phone, where the bar has no room for a long one.
function shortOnPhone(node, short) {
	const label = node.lastChild.textContent;
	node.setAttribute("aria-label", label);
	node.lastChild.replaceWith(el("span", { class: "not-phone", text: label }), el("span", { class: "only-phone", text: short }));
	return node;
}

// socialBar returns the bar of a view that is a tab of Social.
export function socialBar(app, panel, { title = panel?.title ?? "", actions, end = [] } = {}) {
	const unread = panel?.nav?.find(({ id }) => id === "notifications")?.badge?.count ?? 0;
	return bar(app, { title, back: { kind: "today" }, end: [...end, bellLink(app, unread), newButton(app, actions)].filter(Boolean) });
}

// socialTabs returns the views of World as tabs. Links to further pages are not among them.
export function socialTabs(app, panel) {
	const nav = (panel?.nav ?? []).filter(({ id }) => id !== "more");
	const items = nav.map((entry) => ({ label: entry.label, current: entry.selected, badge: entry.badge?.count, route: routeOfPanel(app.store.session, entry.action) })).filter(({ route }) => route);
	return tabs(items.map((item) => ({ ...item, href: app.href(item.route) })), { label: app.words.social.title(), words: app.words });
}

// moreButton returns the button that opens a menu, or null if it is empty. items may have false
// and undefined, which are left out, and null for a line.
export function moreButton(app, items, label = app.words.frame.more()) {
	const shown = items.filter((item) => item || item === null);
	return shown.some(Boolean) ? menuButton(button({ label, icon: "more", only: true, kind: "plain" }), () => shown, { label, end: true }) : null;
}

// page returns the nodes of a view with the tabs of World above its content.
export function page(head, nav, ...content) {
	return [head, nav, el("div", { class: "pane" }, content)];
}

// showGone says in a view that its record no longer exists.
export function showGone(app, head, body) {
	const { words } = app;
	const title = words.frame.gone();
	head.replaceChildren(bar(app, { title, hideTitle: true, back: routeOf(app.store, { view: "dashboard" }) }));
	body.replaceChildren(empty({ art: "lamp", title, text: words.frame.goneText(), level: 2, action: { label: words.frame.toToday(), icon: "house", run: () => app.go({ kind: "today" }) } }));
}

// replaceChildren replaces the children of a node, and keeps the focus in it and the position of
// its tabs.
export function replaceChildren(node, ...children) {
	const position = node.querySelector(".tabs")?.scrollLeft;
	keepFocus(node, () => node.replaceChildren(...children.flat().filter(Boolean)));
	if (position) node.querySelector(".tabs")?.scrollTo(position, 0);
}
