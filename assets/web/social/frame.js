// Parts that the views of Social share: the bar, the tabs, menus, and the forms of records.

import { button, el } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { tabs } from "../parts/tabs.js";
import { bar, bellLink } from "../frame/bar.js";
import { EVENT_TYPE, openEditor } from "../frame/editor.js";
import { keepFocus } from "../frame/focus.js";
import { routeOfPanel } from "../frame/routes.js";
import { placesOf, routeOf } from "./data.js";

// CREATE_TYPES are the types of the actions that create a record, in the order of the menu.
const CREATE_TYPES = ["social.conversation.create", "social.community.create", EVENT_TYPE];

// VIEWS maps the name of a record in the response of an action to the view that shows the record.
const VIEWS = { community: "communities", conversation: "conversations", event: "events" };

// creationActions returns the actions of the workspace that create a record of Social.
export function creationActions(app) {
	const { store } = app;
	return CREATE_TYPES.map((type) => store.actionsOn("workspace").find((action) => action.type === type)).filter(Boolean);
}

// create opens the form of an action that creates a record, and then shows the new record. community
// is the name of the community whose members will see the record, which the form displays; undefined
// or a falsy value for none.
export async function create(app, action, { community } = {}) {
	const hints = community ? { title: app.words.social.seenByCommunity(community) } : {};
	const isEvent = action.id === "create_event" || action.type === EVENT_TYPE;
	const data = await (isEvent ? openEditor(app, { ...action, type: EVENT_TYPE }) : app.actions.openForm(action, { hints }));
	const [name] = Object.keys(VIEWS).filter((key) => data?.[key]?.id);
	if (name) app.go(routeOf(app.store, { view: VIEWS[name], id: data[name].id }));
}

// change opens the form that changes a record. options are those of app.actions.openForm. It returns false
// if form is undefined, because the member may not change the record.
export function change(app, form, options = {}) {
	return form ? void app.actions.openForm(form, { submit: app.words.save(), ...options }) : false;
}

// invite opens the form of an invitation.
export function invite(app, form) {
	return app.actions.openForm(form, { doneText: app.words.social.invited() });
}

// firstAction returns the action for an empty list, which creates a record, or undefined if form is
// undefined. options are those of create.
export function firstAction(app, form, options) {
	return form && { label: form.label, icon: "plus", run: () => create(app, form, options) };
}

// newButton returns the button that creates a record: it opens the form of the action, or a menu
// if there are several actions, or null if there is none.
export function newButton(app, actions = creationActions(app)) {
	const { words } = app;
	if (actions.length === 0) return null;
	const [first] = actions;
	if (actions.length === 1) {
		const node = button({ label: first.label, icon: "plus", kind: "primary new-btn", run: () => create(app, first) });
		return hideLabelOnPhone(node);
	}
	const opener = button({ label: words.isNew(), icon: "plus", kind: "primary new-btn" });
	const items = () => actions.map((action) => ({ label: action.label, run: () => create(app, action) }));
	return menuButton(hideLabelOnPhone(opener), items, { label: words.isNew(), end: true });
}

// hideLabelOnPhone shows only the icon of a button on a phone. Screen readers get the label.
function hideLabelOnPhone(node) {
	const label = node.lastChild.textContent;
	node.setAttribute("aria-label", label);
	node.lastChild.replaceWith(el("span", { class: "not-phone", text: label }));
	return node;
}

// socialBar returns the bar of a view that is a tab of Social. panel is null until it has arrived.
// Options: actions, the actions that create a record, by default the result of creationActions; end, nodes
// before the link to the notifications.
export function socialBar(app, panel, { actions, end = [] } = {}) {
	const unread = panel?.nav?.find(({ id }) => id === "notifications")?.badge?.count ?? 0;
	return bar(app, { title: app.words.social.title(), end: [...end, bellLink(app, unread), newButton(app, actions)].filter(Boolean) });
}

// socialTabs returns the tabs of Social, see placesOf, without those that no route shows.
export function socialTabs(app, panel) {
	const nav = tabs(tabItems(app, panel), { label: app.words.social.title(), words: app.words });
	nav.classList.add("places");
	return nav;
}

// tabItems returns the tabs of a panel in the form that tabs takes, with their routes.
function tabItems(app, panel) {
	return placesOf(panel?.nav).map(({ id, entry, isCurrent }) => ({
		label: app.words.social.place(id) || entry.label, current: isCurrent, badge: entry.badge?.count,
		route: routeOfPanel(app.store.session, entry.action),
	})).filter(({ route }) => route).map((item) => ({ ...item, href: app.href(item.route) }));
}

// tabKeys returns the keys that open the tab before and after the current one. panel is a function that
// returns the panel, or null before it has arrived.
export function tabKeys(app, panel) {
	const open = (step) => {
		const items = tabItems(app, panel());
		const next = items[items.findIndex(({ current }) => current) + step];
		return next ? void app.go(next.route) : false;
	};
	return { "[": () => open(-1), "]": () => open(1) };
}

// moreButton returns the button that opens a menu with the items of openMenu, or null if there are none.
export function moreButton(app, items, label = app.words.frame.more()) {
	if (!items.some(Boolean)) return null;
	return menuButton(button({ label, icon: "more", iconOnly: true, kind: "plain" }), () => items, { label, end: true });
}

// page returns the nodes of a view: the nodes of its bar and its tabs, and a pane with the content.
export function page(head, nav, ...content) {
	return [head, nav, el("div", { class: "pane" }, content)];
}

// showGone shows in a view that its record no longer exists. head and body are the nodes of the bar
// and the content.
export function showGone(app, head, body) {
	const { words } = app;
	const title = words.frame.gone();
	const action = { label: words.frame.toToday(), icon: "house", run: () => app.go({ kind: "today" }) };
	head.replaceChildren(bar(app, { title, hideTitle: true, back: routeOf(app.store, { view: "dashboard" }) }));
	body.replaceChildren(emptyView({ art: "lamp", title, text: words.frame.goneText(), level: 2, action }));
}

// replaceChildren replaces the children of a node. It keeps the focus within the node, see keepFocus,
// and the scroll position of tabs in it. Falsy children are left out.
export function replaceChildren(node, ...children) {
	const position = node.querySelector(".tabs")?.scrollLeft;
	keepFocus(node, () => node.replaceChildren(...children.flat().filter(Boolean)));
	if (position) node.querySelector(".tabs")?.scrollTo(position, 0);
}
