// The list of the finder: the results of a search or the places of the field, or a notice in their place.

import { button, el } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { problem } from "../frame/problem.js";
import { canAskPosition } from "./field.js";
import { recentSection, resultRow, searchNotices, summaryText } from "./finder.js";
import { keepFocus } from "../frame/focus.js";

// showResults shows the items in the list of an AroundView, and a summary above it. chosenItem is the item whose
// card is shown, or null. It keeps the focus and the scroll position or, if the member returns to the list,
// restores the scroll position.
export function showResults(view, items, chosenItem) {
	const { app, search } = view;
	const { words } = app;
	const { scrollTop } = view.list;
	const listedItems = items.filter(({ kind }) => kind !== "area");
	const row = (item) => el("li", {}, resultRow(app, item, {
		href: view.hrefOf(item), current: item.id === chosenItem?.id, replaces: view.hasPlace && item.kind === "place",
	}));
	const places = listedItems.filter(({ kind }) => kind === "place");
	const pages = listedItems.filter(({ kind }) => kind === "page");
	const hasHeadings = places.length > 0 && pages.length > 0;
	const group = (title, members) => members.length > 0 && [
		hasHeadings && el("h2", { class: "finder-group", text: title }),
		el("ul", { class: "rows", "aria-label": title }, members.map(row)),
	];
	const summary = summaryNodes(view, items);
	const text = summary.map((node) => node.textContent).join("");
	if (view.summary.textContent !== text) view.summary.replaceChildren(...summary); // otherwise it would be presented again
	view.summary.hidden = view.summary.childNodes.length === 0;
	const render = () => view.list.replaceChildren(...[
		view.query ? searchNotices(app, search, () => view.runSearch({ again: true })) : [],
		leadingNodes(view, listedItems), group(words.around.placesHead(), places), group(words.around.pagesHead(), pages),
		!view.query && view.route.kind === "find" && recentSection(app, view.panel),
	].flat(2).filter(Boolean));
	keepFocus(view.list, render);
	const savedPosition = view.list.isConnected ? view.scrollPositions.get(view.scrollKey) : null;
	view.list.scrollTop = savedPosition?.scrollTop ?? scrollTop;
	if (savedPosition) view.scrollPositions.delete(view.scrollKey);
}

// leadingNodes returns the node or nodes above the rows of the list, or null: a request for a position, a skeleton
// while the results are loading, or the reason why rows are missing.
function leadingNodes(view, listedItems) {
	const { field, search } = view;
	const { words } = view.app;
	const text = words.around;
	if (!view.hasFind && view.route.kind === "find") {
		return notice({ kind: "warn", text: view.app.store.service("find")?.message || text.off() });
	}
	if (view.query && view.searchScope === "nearby" && !field.origin) return positionRequest(view, text.needPositionSearch(), true);
	if (view.query) {
		if (view.failure) return problem(view.failure.error, view.app.words, view.failure.retry);
		if (search.status === "running" || search.status === "idle") return skeleton({ words, rows: 4 });
		if (search.outcome?.status === "location_required") return positionRequest(view, text.needPositionSearch(), true);
		const isEmpty = listedItems.length === 0 && search.status === "done" && search.outcome?.status !== "provider_error";
		return isEmpty ? nothingFound(view) : null;
	}
	const problemNotice = field.problem && notice({ kind: "warn", text: field.problem });
	if (field.isOff || (field.origin && problemNotice)) return problemNotice;
	if (field.origin) {
		return listedItems.length === 0 ? emptyView({ art: "lamp", title: text.nothingHere(), text: text.nothingHereText(), level: 2 }) : null;
	}
	return [problemNotice, positionRequest(view, view.pane.map ? text.needPositionText() : text.noMap(), false)];
}

// nothingFound returns the view of a search without results. After a search nearby, it offers one everywhere.
function nothingFound(view) {
	const text = view.app.words.around;
	const searchEverywhere = { label: text.searchEverywhere(), icon: "globe", run: () => view.submitSearch(view.query, "everywhere") };
	return emptyView({
		art: "lamp", title: text.nothingFound(), text: text.tryOther(), level: 2,
		action: view.searchScope === "nearby" ? searchEverywhere : undefined,
	});
}

// positionRequest returns the request to choose a position, with buttons for the possible ways, or null if
// the field cannot have a position. reason is a text. isSearch adds a button to search everywhere instead.
function positionRequest(view, reason, isSearch) {
	const { words } = view.app;
	const text = words.around;
	const { field } = view;
	if (!field.action("set_field_origin")) return null;
	const searchEverywhere = () => view.submitSearch(view.query, "everywhere");
	return el("div", { class: "finder-need stack-s" },
		el("h2", { class: "small", text: text.needPosition() }), el("p", { class: "quiet small", text: reason }),
		el("div", { class: "line wrap" },
			canAskPosition() && button({ label: text.whereAmI(), icon: "locate", kind: "s", run: () => view.usePosition() }),
			view.pane.map && button({ label: text.pointOfMap(), icon: "pin", kind: "s", run: () => view.searchAround(view.pane.map.view) }),
			isSearch && button({ label: text.searchEverywhere(), icon: "globe", kind: "s", run: searchEverywhere })),
		!canAskPosition() && el("p", { class: "quiet tiny", text: text.noHTTPS() }));
}

// summaryNodes returns the nodes of the summary above the list: the number of items and their area. It returns
// [] if these are unknown, as while the server loads the places.
function summaryNodes(view, items) {
	const { field, search } = view;
	const { words } = view.app;
	const text = words.around;
	const strong = (content) => el("span", { class: "strong", text: content });
	const quiet = (content) => el("span", { class: "quiet", text: ` ${content}` });
	if (view.query) {
		const canSearch = view.hasFind && !view.failure && (view.searchScope !== "nearby" || field.origin);
		const isWaiting = search.status === "idle" && canSearch; // for the panel of Find
		if (isWaiting || search.status === "running") return [strong(text.searching())];
		if (search.status !== "done" || search.outcome?.status !== "ok") return [];
		const { found, where } = summaryText(search, items, words);
		return [strong(found), quiet(where)];
	}
	if (field.origin) {
		const count = field.runtime.count ?? items.length;
		const distance = text.distance(field.runtime.radius_meters);
		if (count === 0 && field.problem) return []; // the number is unknown
		const countText = field.runtime.truncated ? text.nearestOf(items.length, count) : text.places(count);
		return [strong(countText), quiet(field.name ? text.withinOf(distance, field.name) : text.within(distance))];
	}
	if (view.pane.isLoading) return [el("span", { class: "quiet", text: text.readingPlaces() })];
	const areaCount = view.pane.area?.count;
	if (!Number.isFinite(areaCount) || (areaCount === 0 && field.problem)) return [];
	const hasAreas = items.some(({ kind }) => kind === "area");
	const hint = hasAreas ? [el("span", { class: "quiet block", text: text.zoomForList() })] : [];
	return [strong(text.places(areaCount)), quiet(text.inView()), ...hint];
}
