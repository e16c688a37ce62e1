// The list of results or places, and the notices shown instead of it.

import { button, el } from "../parts/el.js";
import { empty, skeleton } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { canAskPosition } from "./field.js";
import { recentSection, resultRow, searchNotices, summaryText } from "./finder.js";
import { keepFocus } from "../frame/focus.js";

// showResults shows what is found or around in the list of a view, and says above it what and
// where that is.
export function showResults(view, items, chosen) {
	const { app, search } = view;
	const { words } = app;
	const scroll = view.list.scrollTop;
	const listed = items.filter(({ kind }) => kind !== "area");
	const row = (item) => el("li", {}, resultRow(app, item, { href: view.hrefOf(item), current: item.id === chosen?.id, replaces: view.hasPlace && item.kind === "place" }));
	const places = listed.filter(({ kind }) => kind === "place");
	const pages = listed.filter(({ kind }) => kind === "page");
	const group = (title, all) => all.length > 0 && [places.length > 0 && pages.length > 0 && el("h2", { class: "finder-group", text: title }), el("ul", { class: "rows", "aria-label": title }, all.map(row))];
	view.summary.replaceChildren(...summaryNodes(view, items));
	view.summary.hidden = view.summary.childNodes.length === 0;
	const make = () => view.list.replaceChildren(...[
		view.query ? searchNotices(app, search, () => view.ask({ again: true })) : [],
		before(view, listed), group(words.around.placesHead(), places), group(words.around.pagesHead(), pages),
		!view.query && view.route.kind === "find" && recentSection(app, view.panel),
	].flat(2).filter(Boolean));
	keepFocus(view.list, make);
	const left = view.list.isConnected ? view.scroll.get(view.scrollKey) : null; // where the member left the list
	view.list.scrollTop = left?.top ?? scroll;
	if (left) view.scroll.delete(view.scrollKey);
}

// before returns what stands before the list: what is missing for one.
function before(view, listed) {
	const { field, search } = view;
	const { words } = view.app;
	const text = words.around;
	if (!view.hasFind && view.route.kind === "find") return notice({ kind: "warn", text: text.off() });
	if (view.query && view.scopeValue === "nearby" && !field.origin) return positionNeeded(view, text.needPositionSearch(), true);
	if (view.query) {
		if (view.hasFailed && !view.panel) return notice({ kind: "warn", text: text.noProvider() });
		if (search.status === "running" || search.status === "idle") return skeleton({ words, rows: 4 });
		if (search.outcome?.status === "location_required") return positionNeeded(view, text.needPositionSearch(), true);
		if (listed.length === 0 && search.status === "done" && search.outcome?.status !== "provider_error") return empty({ art: "lamp", title: text.nothingFound(), text: text.tryOther(), level: 2, action: view.scopeValue === "nearby" ? { label: text.searchEverywhere(), icon: "globe", run: () => view.onAsk(view.query, "everywhere") } : undefined });
		return null;
	}
	if (field.problem) return notice({ kind: "warn", text: field.problem });
	if (field.origin) return listed.length === 0 ? empty({ art: "lamp", title: text.nothingHere(), text: text.nothingHereText(), level: 2 }) : null;
	return positionNeeded(view, view.pane.map ? text.needPositionText() : text.noMap(), false);
}

// positionNeeded returns the ways to choose a position.
function positionNeeded(view, why, forSearch) {
	const { words } = view.app;
	const text = words.around;
	const { field } = view;
	if (!field.action("set_field_origin")) return null;
	return el("div", { class: "finder-need stack-s" }, el("h2", { class: "small", text: text.needPosition() }), el("p", { class: "quiet small", text: why }),
		el("div", { class: "line wrap" },
			canAskPosition() && button({ label: text.whereAmI(), icon: "locate", kind: "s", run: () => view.usePosition() }),
			view.pane.map && button({ label: text.pointOfMap(), icon: "pin", kind: "s", run: () => view.lookAround(view.pane.map.view) }),
			forSearch && button({ label: text.searchEverywhere(), icon: "globe", kind: "s", run: () => view.onAsk(view.query, "everywhere") })),
		!canAskPosition() && el("p", { class: "quiet tiny", text: text.noHTTPS() }));
}

// summaryNodes returns the line above the list.
function summaryNodes(view, items) {
	const { field, search } = view;
	const { words } = view.app;
	const text = words.around;
	const strong = (content) => el("span", { class: "strong", text: content });
	const quiet = (content) => el("span", { class: "quiet", text: ` ${content}` });
	if (view.query) {
		const isWaiting = search.status === "idle" && view.hasFind && !view.hasFailed && (view.scopeValue !== "nearby" || field.origin);
		if (isWaiting || search.status === "running") return [strong(text.searching())];
		if (search.status !== "done" || search.outcome?.status !== "ok") return [];
		const { found, where } = summaryText(search, items, words);
		return [strong(found), quiet(where)];
	}
	if (field.origin) {
		const count = field.runtime.count ?? items.length;
		const distance = text.distance(field.runtime.radius_meters);
		const found = field.runtime.truncated ? text.nearestOf(items.length, count) : text.places(count);
		return [strong(found), quiet(field.name ? text.withinOf(distance, field.name) : text.within(distance))];
	}
	if (view.pane.isReading) return [el("span", { class: "quiet", text: text.readingPlaces() })];
	if (!Number.isFinite(view.pane.area?.count)) return [];
	return [strong(text.places(view.pane.area.count)), quiet(text.inView()), ...(items.some(({ kind }) => kind === "area") ? [el("span", { class: "quiet block", text: text.zoomForList() })] : [])];
}
