// The surfaces in the side column.

import { button, el, icon, uid } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { itemRow } from "../generic/item.js";
import { keepFocus } from "./focus.js";
import { routeOfPanel } from "./routes.js";
import { problem } from "./problem.js";
import { moveItems } from "./workspace.js";

const MAX_ROWS = 6; // maximum number of rows of a section

// surfaceSection returns the section of a surface in the side column: its title, and the items of its
// panel. For a surface without a panel, it shows the details of its state. The panel is read until the scope ends.
export function surfaceSection(app, surface, scope) {
	const { words } = app;
	const id = uid("rail");
	const route = (surface.content_source?.url && routeOfPanel(app.store.session, surface.content_source.url))
		?? { kind: "on", id: surface.surface_id };
	const isRemovable = surface.removable && surface.commands?.remove_surface;
	const menuItems = isRemovable ? moveItems(app, surface) : [];
	const head = el("div", { class: "rail-head" },
		el("h2", { id, dir: "auto" }, el("a", { href: app.href(route), text: surface.title })),
		menuItems.length > 0 && menuButton(
			button({ label: words.frame.moreFor(surface.title), icon: "more", iconOnly: true, kind: "plain s" }),
			() => menuItems, { label: words.frame.moreFor(surface.title), end: true },
		),
		isRemovable && button({
			label: words.frame.letGoOf(surface.title), icon: "close", iconOnly: true, kind: "plain s",
			run: () => app.actions.perform({ method: "POST", url: surface.commands.remove_surface, body: {} }),
		}));
	const body = el("div", {}, skeleton({ words, rows: 3 }));
	const url = surface.content_source?.url;
	if (!url) body.replaceChildren(details(surface, words));
	else {
		scope.panel(
			url, [surface.service_binding?.service_id ?? ""],
			(panel) => keepFocus(body, () => body.replaceChildren(...contents(app, panel, words))),
			(error, _, retry) => body.replaceChildren(problem(error, words, retry)),
		);
	}
	return el("section", { "aria-labelledby": id, class: "beside" }, head, body);
}

// contents returns the nodes of the sections of a panel.
function contents(app, panel, words) {
	const sections = (panel.sections ?? []).filter(({ items }) => items?.length > 0);
	if (sections.length === 0) return [el("p", { class: "quiet small", text: words.nothingYet() })];
	return sections.map(({ title, items }, i) => el("div", {},
		i > 0 && el("h3", { class: "quiet tiny", dir: "auto", text: title }),
		el("ul", { class: "rows" }, items.slice(0, MAX_ROWS).map((item) => el("li", {}, itemRow(app, item, { brief: true }))))));
}

// details returns the node with the summary and the details of a surface without a panel.
function details(surface, words) {
	const stateDetails = surface.runtime_state?.details;
	const list = Array.isArray(stateDetails) ? stateDetails : [];
	const lines = list.map((line) => [line].flat().filter(Boolean).join(": ")); // a text or [name, value]
	const texts = [surface.runtime_state?.summary, ...lines].filter(Boolean);
	return texts.length > 0
		? el("div", { class: "stack-s small" }, texts.map((text) => el("p", { dir: "auto", text })))
		: el("p", { class: "quiet small line" }, icon("puzzle", "i-s"), words.nothingYet());
}
