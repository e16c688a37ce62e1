// The frame of the settings and of the operator's pages: the list of all parts, and one part.

import { button, el, icon } from "../parts/el.js";
import { bar } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { problem } from "../frame/problem.js";
import { routeOfPanel } from "../frame/routes.js";

// ICONS are the icons of the parts, by the ids of World's views.
const ICONS = {
	profile: "person", appearance: "sun", calendars: "calendar", devices: "device", sessions: "globe", password: "key", second_factor: "shield", blocks: "block", data: "download",
	overview: "pulse", members: "people", invitations: "invite", backups: "backup", services: "server", regions: "map", providers: "layers", audit: "eye",
};

const AREAS = ["settings", "operator"];
const known = {}; // navigation of each area that was last read

// shell returns the view of a part. Options: route; title; back, where the arrow on a phone
// leads; end, which returns the nodes at the end of the bar; content, the nodes of the part; wide, whether
// it uses the whole width. `list` shows the list of the parts on a phone.
export function shell(app, { route, title, back, scope, content, end = () => [], wide = false, list = false }) {
	const { words } = app;
	const nav = el("nav", { class: "set-nav", "aria-label": words.frame.settings() });
	const body = el("div", { class: `set-body${wide ? " wide" : ""}` }, content);
	const view = { title, noRail: true, kind: list ? "set-list" : "set-part", close: () => scope.end() };
	const head = el("div", {});
	const acts = el("span", { class: "line" });
	const showEnd = () => keepFocus(acts, () => acts.replaceChildren(...end().filter(Boolean)));
	const failures = new Map(); // area → { error, again } of its navigation, which could not be read
	const showNav = () => nav.replaceChildren(el("div", { class: "set-nav-in" }, AREAS.flatMap((area) => group(app, area, route)), navProblem(app.words, failures)));
	Object.assign(view, {
		element: [head, el("div", { class: "pane flush" }, el("div", { class: "set" }, nav, body))],
		// setTitle shows another title, such as that of the panel.
		setTitle(next) {
			if (!next || next === view.title) return;
			view.title = next;
			head.querySelector("h1").textContent = next;
			app.frame.refresh();
		},
	});
	head.append(bar(app, { title, back, end: [acts] }));
	showEnd();
	scope.on(["actions"], showEnd);
	showNav();
	for (const area of AREAS) readNav(app, scope, area, { failures, show: showNav });
	return view;
}

// readNav reads the navigation of an area, which the panel of its default view has.
function readNav(app, scope, area, { failures, show }) {
	const service = app.store.service(area);
	if (!service || known[area]) return;
	scope.panel(service.content_source, [], (panel) => {
		known[area] = (panel.nav ?? []).map(({ id, label, action }) => ({ id, label, action }));
		failures.delete(area);
		show();
	}, (error, wasShown, again) => {
		if (!known[area]) failures.set(area, { error, again });
		show();
	});
}

// navProblem says that a part of the navigation is missing, or returns undefined. "Try again" reads
// all that is.
function navProblem(words, failures) {
	const [first] = failures.values();
	return first && problem(first.error, words, () => failures.forEach(({ again }) => again()));
}

function group(app, area, { kind, id }) {
	const { words, store } = app;
	const entries = store.service(area) ? known[area] ?? [] : [];
	if (entries.length === 0) return [];
	const server = store.session.shell?.server?.name ?? "";
	const title = area === "settings" ? el("p", { class: "side-head", text: words.settings.you() }) : el("p", { class: "side-head" }, el("span", { class: "clip", dir: "auto", text: server }), el("span", { class: "tag", text: words.settings.operator() }));
	const links = entries.map((entry) => {
		const route = routeOfPanel(store.session, entry.action) ?? { kind: area, id: entry.id, query: {} };
		const isCurrent = kind === area && (id || entries[0].id) === entry.id;
		return el("a", { class: "nav-item", href: app.href(route), "aria-current": isCurrent ? "page" : null }, icon(ICONS[entry.id] ?? "puzzle"), el("span", { class: "clip", dir: "auto", text: entry.label }), icon("right", "only-phone"));
	});
	return [title, el("div", { class: "nav" }, links)];
}

// signOutButton returns the button that ends the session, or null.
export function signOutButton(app, kind = "") {
	const action = app.store.session.shell?.actions?.find(({ type }) => type === "member.sign_out");
	return action ? button({ label: action.label, icon: "leave", kind: `s plain ${kind}`, run: () => app.signOut(action) }) : null;
}
