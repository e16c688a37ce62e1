// Surfaces beside the content.

import { button, el, icon, uid } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { itemRow } from "../generic/item.js";
import { keepFocus } from "./focus.js";
import { routeOfPanel } from "./routes.js";
import { problem } from "./problem.js";
import { moves } from "./workspace.js";

const MOST = 6; // rows of one section

// besideSurface returns the section of a surface in the column at the end: its title, and the
// items of its panel.
export function besideSurface(app, surface, scope) {
	const { words } = app;
	const id = uid("rail");
	const route = (surface.content_source?.url && routeOfPanel(app.store.session, surface.content_source.url)) ?? { kind: "on", id: surface.surface_id };
	const removable = surface.removable && surface.commands?.remove_surface;
	const others = removable ? moves(app, surface) : [];
	const head = el("div", { class: "rail-head" }, el("h2", { id, dir: "auto" }, el("a", { href: app.href(route), text: surface.title })),
		others.length > 0 && menuButton(button({ label: words.frame.moreFor(surface.title), icon: "more", only: true, kind: "plain s" }), () => others, { label: words.frame.moreFor(surface.title), end: true }),
		removable && button({ label: words.frame.letGoOf(surface.title), icon: "close", only: true, kind: "plain s", run: () => app.acts.act({ method: "POST", url: surface.commands.remove_surface, body: {} }) }));
	const body = el("div", {}, skeleton({ words, rows: 3 }));
	const url = surface.content_source?.url;
	if (!url) body.replaceChildren(details(surface, words));
	else scope.panel(url, [surface.service_binding?.service_id ?? ""], (panel) => keepFocus(body, () => body.replaceChildren(...contents(app, panel, words))), (error) => body.replaceChildren(problem(error, words)));
	return el("section", { "aria-labelledby": id, class: "beside" }, head, body);
}

function contents(app, panel, words) {
	const sections = (panel.sections ?? []).filter(({ items }) => items?.length > 0);
	if (sections.length === 0) return [el("p", { class: "quiet small", text: words.nothingYet() })];
	return sections.map(({ title, items }, i) => el("div", {}, i > 0 && el("h3", { class: "quiet tiny", dir: "auto", text: title }),
		el("ul", { class: "rows" }, items.slice(0, MOST).map((item) => el("li", {}, itemRow(app, item, { brief: true }))))));
}

function details(surface, words) {
	const given = surface.runtime_state?.details;
	const lines = (Array.isArray(given) ? given : []).map((line) => [line].flat().filter(Boolean).join(": ")); // [name, value] each
	const text = [surface.runtime_state?.summary, ...lines].filter(Boolean);
	return text.length > 0 ? el("div", { class: "stack-s small" }, text.map((line) => el("p", { dir: "auto", text: line }))) : el("p", { class: "quiet small line" }, icon("puzzle", "i-s"), words.nothingYet());
}
