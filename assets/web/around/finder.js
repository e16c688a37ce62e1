// The finder: the search text, the scope, the filters and the list of results.

import { avatar } from "../parts/avatar.js";
import { button, el, icon, isTouch } from "../parts/el.js";
import { attachList } from "../parts/list.js";
import { notice } from "../parts/notice.js";
import { chips, segmented } from "../parts/tabs.js";
import { selfButton } from "../frame/bar.js";
import { problem } from "../frame/problem.js";
import { carried } from "../frame/workspace.js";
import { sectionOf } from "../parts/panel.js";
import { suggestions } from "./goto.js";
import { openTag } from "./openness.js";

const RECENT = 8; // questions that are shown

// finderTop returns the field, the scopes and the categories, as { element, input, show(state) }.
// ask(query, scope) is called when the member searches; filter(ids) when they choose categories;
// known(), for suggestions, returns { recent, places } of goto.js.
export function finderTop(app, { ask, filter, known }) {
	const { words } = app;
	const text = words.around;
	const input = el("input", { class: "bare-input", type: "search", enterkeyhint: "search", maxlength: "400", "aria-label": text.findOrGo(), placeholder: text.placeholder() });
	const clear = button({ label: text.clear(), icon: "close", only: true, kind: "plain s", hidden: true, run: () => { input.value = ""; clear.hidden = true; ask("", null); input.focus(); } });
	const self = el("span", { class: "only-phone" }, selfButton(app, avatar({ ...app.self(), size: "s" })));
	const scopes = el("div", { class: "finder-scopes" });
	const categories = el("div", { class: "finder-cats" });
	const form = el("form", { class: "finder-top stack-s", role: "search", on: { submit: onSubmit } },
		el("div", { class: "line" }, el("div", { class: "input big" }, icon("search"), input, clear), self), scopes);
	let scope = null;
	let asked = null; // the question that was shown last

	const offers = attachList(input, { words, label: text.goTo(), openOnFocus: true, quiet: true, search: (wanted) => offered(app, wanted, known()), pick: ({ route }) => { input.value = route.query?.q ?? ""; app.go(route); } });
	input.addEventListener("input", () => (clear.hidden = input.value === ""));
	input.addEventListener("keydown", (event) => {
		if (event.key !== "Escape" || !input.value || event.defaultPrevented) return;
		event.preventDefault();
		input.value = "";
		clear.hidden = true;
	});

	function onSubmit(event) {
		event.preventDefault();
		offers.close();
		const query = input.value.trim();
		if (query && isTouch()) input.blur(); // the keyboard of a phone covers the results
		ask(query, scope);
	}

	// show shows the present question and the filters. state: { query, scope, scopes, control };
	// scopes is null while they are being read, for which their place is kept free. What the member
	// has typed and not sent stays until there is another question.
	function show(state) {
		scope = state.scope;
		if (document.activeElement !== input && state.query !== asked) input.value = state.query;
		asked = state.query;
		clear.hidden = input.value === "";
		const items = (state.scopes ?? []).map(({ value, label, available }) => ({ value, label, icon: value === "nearby" ? "locate" : "globe", disabled: available === false }));
		scopes.hidden = state.scopes !== null && items.length < 2;
		scopes.replaceChildren(...(items.length > 1 ? [segmented(items, { label: text.where(), value: scope, full: true, choose: (next) => { scope = next; ask(input.value.trim(), next); } }).element] : []));
		showCategories(state.control);
	}

	let shown = null;
	function showCategories(control) {
		const selected = (control?.items ?? []).filter((item) => item.selected).map(({ id }) => id);
		if (JSON.stringify([control?.label, selected]) === shown) return;
		shown = JSON.stringify([control?.label, selected]);
		const left = categories.firstChild?.scrollLeft ?? 0;
		const focused = [...categories.querySelectorAll("button")].indexOf(document.activeElement);
		if (!control) return categories.replaceChildren();
		const all = selected.length === control.items.length; // then none is marked: a press shows that category alone
		const list = chips(control.items.map((item) => ({ value: item.id, label: item.label, icon: item.icon || item.id })), {
			label: control.label, values: all ? [] : selected, change: (on) => filter(on.length === 0 ? control.items.map(({ id }) => id) : on),
		});
		list.element.classList.add("scroll");
		categories.replaceChildren(list.element);
		list.element.scrollLeft = left;
		categories.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
		return undefined;
	}

	return { element: el("div", { class: "finder-head" }, form, categories), input, show };
}

// offered returns the destinations of the app and the known places whose name contains a text, and
// the latest searches.
function offered(app, wanted, { recent, places }) {
	const { store, words } = app;
	const kinds = words.around.kind;
	return suggestions(wanted, { dock: store.session.shell?.dock?.items, carried: carried(app), objects: store.dataset?.objects, places, recent })
		.map(({ label, kind, route }) => ({ value: app.href(route), label, detail: kinds(kind), route }));
}

// resultRow returns the row of an item: a link to its card or page. Options: href, current;
// replaces, whether it replaces the current entry of the history.
export function resultRow(app, item, { href, current, replaces }) {
	const { words } = app;
	const distance = item.distance === null ? null : words.around.distance(item.distance);
	const sub = item.kind === "page" ? [item.detail, item.summary].filter(Boolean).join(" · ") : [item.detail, item.address].filter(Boolean).join(" · ");
	return el("a", { class: "row", href, "data-id": item.id, "data-replace": replaces ? "" : null, "aria-current": current ? "true" : null },
		el("span", { class: "place-ic" }, icon(item.icon)),
		el("span", { class: "row-main" },
			el("span", { class: "row-title" }, el("span", { class: "clip strong", dir: "auto", text: item.title }), distance && el("span", { class: "end num", text: distance })),
			sub && el("span", { class: "row-sub clip", dir: "auto", text: sub })),
		item.kind === "place" && openTag(item, words));
}

// summaryText returns the number of results and the area of a search, for the line above the list.
export function summaryText(search, items, words) {
	const text = words.around;
	const { applied } = search.outcome ?? {};
	const places = items.filter(({ kind }) => kind === "place").length;
	const pages = items.filter(({ kind }) => kind === "page").length;
	const found = places + pages === 0 ? text.nothingFound() : [places > 0 && text.places(places), pages > 0 && text.pages(pages)].filter(Boolean);
	const where = applied?.place ? text.nearPlace(applied.place, words.around.distance(applied.radius_meters)) : applied?.scope === "nearby" ? text.within(text.distance(applied.radius_meters)) : text.everywhere();
	return { found: Array.isArray(found) ? words.list(found) : found, where };
}

// searchNotices returns what the member has to know about a search: providers that did not
// answer, and the error of one that failed. again asks once more.
export function searchNotices(app, search, again) {
	const { words } = app;
	if (search.status === "failed") return [problem(search.error, words, again)];
	const { outcome } = search;
	if (!outcome) return [];
	const nodes = [];
	if (outcome.status === "provider_error") nodes.push(notice({ kind: "bad", text: outcome.message || words.around.noProvider(), actions: [{ label: words.tryAgain(), run: again }] }));
	else for (const { message, retryable } of outcome.provider_errors ?? []) nodes.push(notice({ kind: "warn", text: message, actions: retryable ? [{ label: words.tryAgain(), run: again }] : [] }));
	return nodes;
}

// recentItems returns the items of the latest questions, each question once.
export function recentItems(panel) {
	const items = sectionOf(panel, "recent")?.items ?? [];
	const keyOf = ({ title, metadata }) => `${metadata?.scope} ${title}`;
	return items.filter((item, i) => items.findIndex((other) => keyOf(other) === keyOf(item)) === i);
}

// recentSection returns the latest questions, and the way to delete them; null without any.
export function recentSection(app, panel) {
	const { words } = app;
	const shown = recentItems(panel).slice(0, RECENT);
	if (shown.length === 0) return null;
	const clear = panel.action_descriptors?.find(({ id }) => id === "clear_history");
	return el("section", { class: "finder-recent", "aria-label": words.around.recent() },
		el("div", { class: "section-head" }, el("h2", { class: "small", text: words.around.recent() }), clear && button({ label: clear.label, kind: "plain s", run: () => app.acts.act(clear, { ask: true, done: words.around.historyDeleted() }) })),
		el("ul", { class: "rows flat" }, shown.map((item) => el("li", {}, el("a", { class: "row", href: app.href({ kind: "find", query: { q: item.title, scope: item.metadata?.scope } }) },
			icon("clock"), el("span", { class: "row-main" }, el("span", { class: "clip", dir: "auto", text: item.title }), el("span", { class: "row-sub clip", text: item.summary })))))));
}
