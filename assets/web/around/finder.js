// Parts of the finder, the panel beside the map: the search form, the category filter, the rows of results,
// and the recent searches.

import { avatar } from "../parts/avatar.js";
import { button, el, icon, isTouch } from "../parts/el.js";
import { attachList } from "../parts/list.js";
import { notice } from "../parts/notice.js";
import { chips, segmented } from "../parts/tabs.js";
import { selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { problem } from "../frame/problem.js";
import { carriedEntries } from "../frame/workspace.js";
import { sectionOf } from "../parts/panel.js";
import { suggestions } from "./suggestions.js";
import { openTag } from "./openinghours.js";

const MAX_RECENT = 8; // maximum number of recent searches that are shown

// finderHead returns the head of the finder with the search form, the scopes and the categories, as
// { element, input, show }; see show below. Options:
//
//   onSearch  function (query, scope), called when the member searches or chooses a scope, and with ("", null)
//             when the member clears the query
//   onFilter  function (ids), called when the member chooses categories
//   sources   function () that returns { recent, places } for the suggestions, see suggestions.js
export function finderHead(app, { onSearch, onFilter, sources }) {
	const { words } = app;
	const text = words.around;
	const input = el("input", {
		class: "bare-input", type: "search", enterkeyhint: "search", maxlength: "400",
		"aria-label": text.findOrGo(), placeholder: text.placeholder(),
	});
	const clear = button({ label: text.clear(), icon: "close", iconOnly: true, kind: "plain s", hidden: true, run: onClear });
	const self = el("span", { class: "only-phone" }, selfButton(app, avatar({ ...app.signedInMember(), size: "s" })));
	const scopes = el("div", { class: "finder-scopes" });
	const categories = el("div", { class: "finder-cats" });
	const form = el("form", { class: "finder-top stack-s", role: "search", on: { submit: onSubmit } },
		el("div", { class: "line" }, el("div", { class: "input big" }, icon("search"), input, clear), self), scopes);
	let scope = null; // selected scope
	let shownQuery = null; // query of the latest call of show

	const suggestionList = attachList(input, {
		words, label: text.goTo(), openOnFocus: true, hidesEmpty: true,
		search: (searchText) => suggestionsOf(app, searchText, sources()),
		pick: ({ route }) => { input.value = route.query?.q ?? ""; app.go(route); },
	});
	input.addEventListener("input", () => (clear.hidden = input.value === ""));
	input.addEventListener("keydown", (event) => {
		if (event.key !== "Escape" || !input.value || event.defaultPrevented) return;
		event.preventDefault();
		input.value = "";
		clear.hidden = true;
	});

	function onClear() {
		input.value = "";
		clear.hidden = true;
		onSearch("", null);
		input.focus();
	}

	function onSubmit(event) {
		event.preventDefault();
		suggestionList.close();
		const query = input.value.trim();
		if (query && isTouch()) input.blur(); // the keyboard of a phone covers the results
		onSearch(query, scope);
	}

	function onScope(next) {
		scope = next;
		onSearch(input.value.trim(), next);
	}

	// show shows a state { query, scope, scopes, control }. control is Field.filter. scopes is null until the
	// panel of Find is loaded; then the space for the scopes is kept free, so that the layout does not
	// shift. A text that the member has typed is replaced only by another query, and not while the input
	// has the focus.
	function show(state) {
		scope = state.scope;
		if (document.activeElement !== input && state.query !== shownQuery) input.value = state.query;
		shownQuery = state.query;
		clear.hidden = input.value === "";
		const items = (state.scopes ?? []).map(({ value, label, available }) => ({
			value, label, icon: value === "nearby" ? "locate" : "globe", disabled: available === false,
		}));
		scopes.hidden = state.scopes !== null && items.length < 2;
		const options = { label: text.where(), value: scope, full: true, choose: onScope };
		keepFocus(scopes, () => scopes.replaceChildren(...(items.length > 1 ? [segmented(items, options).element] : [])));
		showCategories(state.control);
	}

	let shownCategories = null; // JSON of the label and the selected ids that are shown, null after a change by the member

	// showCategories shows the categories of Field.filter, if they have changed. It keeps the focus and the
	// scroll position. If all categories are selected, no chip is pressed, and pressing a chip selects only
	// its category.
	function showCategories(control) {
		const selected = (control?.items ?? []).filter((item) => item.selected).map(({ id }) => id);
		const json = JSON.stringify([control?.label, selected]);
		if (json === shownCategories) return;
		shownCategories = json;
		const scrollPosition = categories.firstChild?.scrollLeft ?? 0;
		const focusedIndex = [...categories.querySelectorAll("button")].indexOf(document.activeElement);
		if (!control) return categories.replaceChildren();
		const hasAll = selected.length === control.items.length;
		const list = chips(control.items.map((item) => ({ value: item.id, label: item.label, icon: item.icon || item.id })), {
			label: control.label, values: hasAll ? [] : selected,
			change: (ids) => {
				shownCategories = null; // the chips differ from the control until onFilter has succeeded
				onFilter(ids.length === 0 ? control.items.map(({ id }) => id) : ids);
			},
		});
		list.element.classList.add("scroll");
		categories.replaceChildren(list.element);
		list.element.scrollLeft = scrollPosition;
		categories.querySelectorAll("button")[focusedIndex]?.focus({ preventScroll: true });
		return undefined;
	}

	return { element: el("div", { class: "finder-head" }, form, categories), input, show };
}

// suggestionsOf returns the suggestions for a text as options of attachList.
function suggestionsOf(app, searchText, { recent, places }) {
	const { store, words } = app;
	const { session, dataset } = store;
	const entries = suggestions(searchText, {
		dock: session.shell?.dock?.items, carried: carriedEntries(app), objects: dataset?.objects, places, recent, zone: words.zone,
	});
	return entries.map(({ label, kind, route, day }) => ({
		value: app.href(route), label, detail: [words.around.kind(kind), day && words.dayShort(day)].filter(Boolean).join(" · "), route,
	}));
}

// resultRow returns the row of an item: a link to its card or page. Options: href; current, whether the card
// of the item is shown; replaces, whether the link replaces the current entry of the history.
export function resultRow(app, item, { href, current, replaces }) {
	const { words } = app;
	const distance = item.distance === null ? null : words.around.distance(item.distance);
	const sub = [item.detail, item.kind === "page" ? item.summary : item.address].filter(Boolean).join(" · ");
	return el("a", { class: "row", href, "data-id": item.id, "data-replace": replaces ? "" : null, "aria-current": current ? "true" : null },
		el("span", { class: "place-ic" }, icon(item.icon)),
		el("span", { class: "row-main" },
			el("span", { class: "row-title" },
				el("span", { class: "clip strong", dir: "auto", text: item.title }), distance && el("span", { class: "end num", text: distance })),
			sub && el("span", { class: "row-sub clip", dir: "auto", text: sub })),
		item.kind === "place" && openTag(item, words));
}

// summaryText returns the texts for the numbers of results and for the area of a search, { found, where }.
// items are the listed results.
export function summaryText(search, items, words) {
	const text = words.around;
	const { applied } = search.outcome ?? {};
	const places = items.filter(({ kind }) => kind === "place").length;
	const pages = items.filter(({ kind }) => kind === "page").length;
	const counts = [places > 0 && text.places(places), pages > 0 && text.pages(pages)].filter(Boolean);
	return { found: counts.length === 0 ? text.nothingFound() : words.list(counts), where: areaText(applied, text) };
}

// areaText returns the text for the area in which the server has searched. applied has the area, and may
// be undefined.
function areaText(area, text) {
	if (area?.place) return text.nearPlace(area.place, text.distance(area.radius_meters));
	return area?.scope === "nearby" ? text.within(text.distance(area.radius_meters)) : text.everywhere();
}

// searchNotices returns the notices about the errors of a search: the request failed, or providers of
// results did. retry is the function of the button "Try again".
export function searchNotices(app, search, retry) {
	const { words } = app;
	if (search.status === "failed") return [problem(search.error, words, retry)];
	const { outcome } = search;
	if (!outcome) return [];
	const actions = [{ label: words.tryAgain(), run: retry }];
	if (outcome.status === "provider_error") return [notice({ kind: "bad", text: outcome.message || words.around.noProvider(), actions })];
	return (outcome.provider_errors ?? [])
		.map(({ message, retryable }) => notice({ kind: "warn", text: message, actions: retryable ? actions : [] }));
}

// recentItems returns the recent searches in a panel of Find, which may be null, without repetitions.
export function recentItems(panel) {
	const items = sectionOf(panel, "recent")?.items ?? [];
	const keyOf = ({ title, metadata }) => `${metadata?.scope} ${title}`;
	return items.filter((item, i) => items.findIndex((other) => keyOf(other) === keyOf(item)) === i);
}

// recentSection returns the section with the recent searches and the button that deletes them, or null if
// there are none.
export function recentSection(app, panel) {
	const { words } = app;
	const items = recentItems(panel).slice(0, MAX_RECENT);
	if (items.length === 0) return null;
	const clearHistory = panel.action_descriptors?.find(({ id }) => id === "clear_history");
	const onClear = () => app.actions.perform(clearHistory, { doneText: words.around.historyDeleted() });
	const row = ({ title, summary, metadata }) => el("a", {
		class: "row", href: app.href({ kind: "find", query: { q: title, scope: metadata?.scope } }),
	}, icon("clock"), el("span", { class: "row-main" },
		el("span", { class: "clip", dir: "auto", text: title }), el("span", { class: "row-sub clip", text: summary })));
	return el("section", { class: "finder-recent", "aria-label": words.around.recent() },
		el("div", { class: "section-head" },
			el("h2", { class: "small", text: words.around.recent() }),
			clearHistory && button({ label: clearHistory.label, kind: "plain s", run: onClear })),
		el("ul", { class: "rows flat" }, items.map((item) => el("li", {}, row(item)))));
}
