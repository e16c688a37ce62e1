// The layout of the pages of the settings and of the operator: the navigation beside the page.

import { button, el, icon } from "../parts/el.js";
import { bar } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { problem } from "../frame/problem.js";
import { routeOfPanel } from "../frame/routes.js";

// ICONS are the icons of the pages, by the ids of World's views.
const ICONS = {
	profile: "person", appearance: "sun", calendars: "calendar", devices: "device", sessions: "globe", password: "key",
	second_factor: "shield", blocks: "block", data: "download",
	overview: "pulse", members: "people", invitations: "invite", backups: "backup", services: "server", regions: "map",
	providers: "layers", audit: "eye",
};

const AREAS = ["settings", "operator"]; // ids of the services whose pages the navigation contains
const navByArea = {}; // the navigation of each area that has been read in this visit

// pageView returns the view of a page. Options:
//
//   route    the route of the page; its kind and its id mark the current item of the navigation
//   title    the title, until setTitle is called
//   back     the route to which the arrow on a phone leads
//   scope    the scope of the view
//   content  the nodes of the page
//   end()    returns the nodes at the end of the bar
//   wide     whether the page uses the whole width
//   list     whether a phone shows the navigation in place of the page
export function pageView(app, { route, title, back, scope, content, end = () => [], wide = false, list = false }) {
	const { words } = app;
	const nav = el("nav", { class: "set-nav", "aria-label": words.frame.settings() });
	const body = el("div", { class: `set-body${wide ? " wide" : ""}` }, content);
	const view = { title, usesFullWidth: true, kind: list ? "set-list" : "set-part", close: () => scope.end() };
	const head = el("div", {});
	const barEnd = el("span", { class: "line" });
	const showEnd = () => keepFocus(barEnd, () => barEnd.replaceChildren(...end().filter(Boolean)));
	const failures = new Map(); // area whose navigation could not be read → { error, retry }; retry() reads it again
	const showNav = () => nav.replaceChildren(el("div", { class: "set-nav-in" },
		AREAS.flatMap((area) => navGroup(app, area, route)), navProblem(app.words, failures)));
	Object.assign(view, {
		element: [head, el("div", { class: "pane flush" }, el("div", { class: "set" }, nav, body))],
		// setTitle replaces the title, for example by the title of the panel. It ignores an empty title.
		setTitle(next) {
			if (!next || next === view.title) return;
			view.title = next;
			head.querySelector("h1").textContent = next;
			app.frame.refresh();
		},
	});
	head.append(bar(app, { title, back, end: [barEnd] }));
	showEnd();
	scope.on(["actions"], showEnd);
	showNav();
	for (const area of AREAS) readNav(app, scope, area, { failures, show: showNav });
	return view;
}

// readNav reads the navigation of an area, a field of the panel of its default view, and calls show.
// It does nothing if the session has no such service, or if the navigation is known.
function readNav(app, scope, area, { failures, show }) {
	const service = app.store.service(area);
	if (!service || navByArea[area]) return;
	scope.panel(service.content_source, [], (panel) => {
		navByArea[area] = (panel.nav ?? []).map(({ id, label, action }) => ({ id, label, action }));
		failures.delete(area);
		show();
	}, (error, wasShown, retry) => {
		if (!navByArea[area]) failures.set(area, { error, retry });
		show();
	});
}

// navProblem returns a notice with the first failure, or undefined if there is none. Its button reads
// the navigation of all areas that have failed.
function navProblem(words, failures) {
	const [first] = failures.values();
	return first && problem(first.error, words, () => failures.forEach(({ retry }) => retry()));
}

// navGroup returns the heading and the links of an area, or [] if its navigation is not known. kind and
// id belong to the present route.
function navGroup(app, area, { kind, id }) {
	const { words, store } = app;
	const entries = store.service(area) ? navByArea[area] ?? [] : [];
	if (entries.length === 0) return [];
	const server = store.session.shell?.server?.name ?? "";
	const title = area === "settings"
		? el("p", { class: "side-head", text: words.settings.you() })
		: el("p", { class: "side-head" },
			el("span", { class: "clip", dir: "auto", text: server }), el("span", { class: "tag", text: words.settings.operator() }));
	const links = entries.map((entry) => {
		const route = routeOfPanel(store.session, entry.action) ?? { kind: area, id: entry.id, query: {} };
		const isCurrent = kind === area && (id || entries[0].id) === entry.id;
		return el("a", { class: "nav-item", href: app.href(route), "aria-current": isCurrent ? "page" : null },
			icon(ICONS[entry.id] ?? "puzzle"), el("span", { class: "clip", dir: "auto", text: entry.label }), icon("right", "only-phone"));
	});
	return [title, el("div", { class: "nav" }, links)];
}

// signOutButton returns the button that ends the session, or null. kind adds CSS classes.
export function signOutButton(app, kind = "") {
	const action = app.store.session.shell?.actions?.find(({ type }) => type === "member.sign_out");
	return action ? button({ label: action.label, icon: "leave", kind: `s plain ${kind}`, run: () => app.signOut(action) }) : null;
}
