// The generic view of a panel: its navigation, its sections and its forms.

import { button, el } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { sectionHead } from "../parts/row.js";
import { segmented, tabs } from "../parts/tabs.js";
import { bar } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { Pages } from "../frame/pages.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { itemRow } from "./item.js";

const MAX_SEGMENTS = 5; // maximum number of entries for which the navigation is a segmented control

// panelView returns the view of a panel without a specialized view. url is the path of the panel, to which
// the query of the route is added.
export function panelView(app, route, match, url = match.url) {
	const { words } = app;
	const scope = app.scope();
	const head = el("div", {});
	const body = el("div", { class: "measure stack-l" }, skeleton({ words }));
	const view = {
		title: match.surface?.title ?? dockItem(app, match)?.label ?? "", match,
		element: [head, el("div", { class: "pane" }, body)], close: () => scope.end(),
	};
	const path = withQuery(url, route.query);
	const pages = new Map(); // id of a paginated section → Pages
	const pagesOf = ({ id }) => pages.get(id) ?? pages.set(id, new Pages(app, id, scope, () => show(panel))).get(id);
	let panel;
	const show = (next) => {
		panel = next;
		for (const section of panel.sections ?? []) if (section.page) pagesOf(section).setFirst(panel);
		view.title = panel.title || view.title;
		keepFocus(head, () => head.replaceChildren(bar(app, {
			title: view.title, sub: panel.summary || null, back: { kind: "today" }, end: formButtons(app, panel),
		})));
		keepFocus(body, () => body.replaceChildren(
			...[navOf(app, route, panel), ...sectionsOf(app, panel, pagesOf)].filter(Boolean),
		));
		app.frame.refresh();
	};
	head.replaceChildren(bar(app, { title: view.title || words.loading(), back: { kind: "today" } }));
	scope.panel(
		path, [match.surface?.service_binding?.service_id ?? serviceIdOf(app, url)],
		show, (error) => body.replaceChildren(problem(error, words, () => app.show())),
	);
	return view;
}

// dockItem returns the item of the dock in the result of matchRoute, or undefined.
function dockItem(app, { dock }) {
	return app.store.session.shell?.dock?.items?.find(({ id }) => id === dock);
}

// serviceIdOf returns the id of the service whose panel has the path url, or "".
function serviceIdOf(app, url) {
	return app.store.session.services?.find(({ content_source: source }) => source && source.split("?")[0] === url.split("?")[0])?.id ?? "";
}

// formButtons returns the buttons that open the forms of a panel: the primary button for the first form, and
// a button with a menu for the other forms.
function formButtons(app, panel) {
	const { words } = app;
	const [first, ...others] = panel.action_descriptors ?? [];
	if (!first) return [];
	const items = () => others.map((action) => ({ label: action.label, run: () => app.actions.openForm(action) }));
	const more = others.length > 0 && menuButton(
		button({ label: words.frame.more(), icon: "more", iconOnly: true, kind: "plain" }), items, { label: words.frame.more(), end: true },
	);
	return [button({ label: first.label, kind: "primary", run: () => app.actions.openForm(first) }), more].filter(Boolean);
}

// navOf returns the navigation of a panel, a segmented control or tabs, or null if it has fewer than two
// entries.
function navOf(app, route, panel) {
	const { words } = app;
	const nav = (panel.nav ?? []).filter(({ action, selected }) => action || selected); // action is the path of a panel
	if (nav.length < 2) return null;
	const routeOf = (entry) => routeOfPanel(app.store.session, entry.action)
		?? { ...route, query: Object.fromEntries(new URLSearchParams(String(entry.action).split("?")[1])) };
	if (nav.length > MAX_SEGMENTS) {
		return tabs(nav.map((entry) => (
			{ label: entry.label, href: app.href(routeOf(entry)), current: entry.selected, badge: entry.badge?.count }
		)), { label: panel.title, words });
	}
	return segmented(nav.map((entry) => ({ value: entry.id, label: entry.label })), {
		label: panel.title, value: nav.find(({ selected }) => selected)?.id,
		choose: (id) => app.go(routeOf(nav.find((entry) => entry.id === id))),
	}).element;
}

// sectionsOf returns the nodes of the sections of a panel that are not empty, with the items of all pages
// that have been read. If all sections are empty, it returns an empty view. pagesOf returns the Pages of a
// paginated section.
function sectionsOf(app, panel, pagesOf) {
	const { words } = app;
	const sections = (panel.sections ?? []).filter(({ items }) => Array.isArray(items) && items.length > 0);
	if (sections.length === 0) return [emptyView({ title: words.nothingYet(), text: panel.summary })];
	return sections.map((section) => {
		const pages = section.page && pagesOf(section);
		return el("section", {}, sectionHead(section.title),
			section.summary && el("p", { class: "quiet small", dir: "auto", text: section.summary }),
			el("ul", { class: "rows" }, (pages?.items ?? section.items).map((item) => el("li", {}, itemRow(app, item)))),
			pages?.more(words.frame.more()));
	});
}
