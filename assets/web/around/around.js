// The view of Around and Find: a map, the finder with the list of places and results, and the card of a place.

import { el, isPhone, uid } from "../parts/el.js";
import { withQuery } from "../world/dispatch.js";
import { Field, askPosition, canAskPosition } from "./field.js";
import { finderHead, recentItems, summaryText } from "./finder.js";
import { filterItems, itemOfField, itemOfFinding, itemOfObject, itemOfSurface, itemsOfArea, withDistance } from "./items.js";
import { keepFocus } from "../frame/focus.js";
import { MapPane } from "./mappane.js";
import { carriedPlace, placeCard } from "./placecard.js";
import { showResults } from "./results.js";
import { Search } from "./search.js";
import { Sheet } from "./sheet.js";

// states maps each app to the state that is kept while other views are open: { field, search,
// scrollPositions, camera }.
const states = new WeakMap();

// open returns the view of a route of Around or Find, or of a place. match is the result of matchRoute for the
// route.
export function open(app, route, match) {
	if (!states.has(app)) states.set(app, { field: new Field(app), search: new Search(app), scrollPositions: new Map(), camera: null });
	return new AroundView(app, route, match, states.get(app));
}

// AroundView shows the results of a search if the route has a query, and otherwise the places of the field.
class AroundView {
	usesFullWidth = true;
	kind = "mapbody";
	panel = null; // panel of Find
	failure = null; // { error, retry } if the panel of Find could not be read; retry() reads it again
	#openerId = null; // id of the item whose row or mark was activated last, or null

	// scrollPositions maps scrollKey to { scrollTop, openerId }.
	constructor(app, route, match, { field, search, scrollPositions, camera }) {
		Object.assign(this, { app, field, search, scrollPositions, route, match });
		this.scope = app.scope();
		this.keys = { n: () => this.card.querySelector(".primary")?.click(), Escape: () => this.dismiss() };
		this.#build(camera);
		const find = app.store.service("find"); // without it, the search input still suggests what this page knows
		this.hasFind = Boolean(find?.content_source) && find.status !== "unavailable";
		if (this.hasFind) {
			const url = withQuery(find.content_source, { sections: "recent,providers" });
			this.scope.panel(url, ["find"], (panel) => this.#onPanel(panel), (error, _, retry) => this.#onPanel(null, { error, retry }));
		}
		this.scope.on(["session", "objects", "actions", "findings"], () => this.show());
		this.show();
	}

	// title is the title of the page: the name of the chosen place, "Find" or "Around".
	get title() {
		const { words } = this.app;
		return this.chosen?.title || (this.route.kind === "find" || this.query ? words.around.find() : words.around.around());
	}

	// query is the query of the search, or "".
	get query() {
		return (this.route.query.q ?? "").trim();
	}

	// searchScope is the scope of the search, by default "nearby" if the field has a position, or else "everywhere".
	get searchScope() {
		return this.route.query.scope ?? (this.field.origin ? "nearby" : "everywhere");
	}

	// update shows another route of this area in the same view, and returns true.
	update(route, match) {
		const previous = this.route.query.place ?? this.route.id;
		Object.assign(this, { route, match });
		this.runSearch();
		this.show();
		if ((route.query.place ?? route.id) !== previous || this.app.isFindWanted) this.focus();
		return true;
	}

	// focus moves the focus: to the search input if the member has opened Find, to the heading of an open card,
	// to the row from which the closed card was opened, or to the heading of the finder.
	focus() {
		const { app } = this;
		const wantsInput = app.isFindWanted;
		app.isFindWanted = false;
		if (wantsInput || (this.route.kind === "find" && !this.query && !this.chosen && !isPhone())) {
			this.head.input.focus();
			this.head.input.select();
		} else if (this.chosen) {
			this.card.querySelector("h2")?.focus({ preventScroll: true });
		} else {
			this.#openerId ??= this.scrollPositions.get(this.scrollKey)?.openerId ?? null;
			const row = this.#openerId && this.list.querySelector(`[data-id="${CSS.escape(this.#openerId)}"]`);
			(row || this.heading).focus({ preventScroll: true });
		}
	}

	// close ends the view, and stores its scroll position and the camera of the map.
	close() {
		this.#saveScrollPosition();
		states.get(this.app).camera = this.pane.close();
		this.scope.end();
	}

	// ------------------------------------------------------------------ elements

	#build(camera) {
		const { app } = this;
		const { words } = app;
		this.heading = el("h1", { class: "sr", id: uid("finder"), tabindex: "-1", text: words.around.find() });
		this.head = finderHead(app, {
			onSearch: (query, scope) => this.submitSearch(query, scope), onFilter: (ids) => this.#filter(ids),
			sources: () => this.#suggestionSources(),
		});
		this.summary = el("p", { class: "finder-sum", role: "status" });
		this.list = el("div", { class: "finder-list" });
		this.body = el("div", { class: "finder-body" }, this.summary, this.list);
		this.finder = el("section", { class: "finder card", "aria-labelledby": this.heading.id }, this.heading, this.head.element, this.body);
		this.cardTitle = uid("place");
		this.card = el("section", { class: "place card", "aria-labelledby": this.cardTitle, hidden: true });
		this.element = el("div", { class: "mapview" });
		this.listSheet = new Sheet(this.body, { words, label: words.around.results(), changed: () => this.pane?.onSheet() });
		this.cardSheet = new Sheet(this.card, { words, label: words.around.place(), changed: () => this.pane?.onSheet() });
		this.element.append(this.finder);
		this.pane = new MapPane(this, camera);
		this.element.append(this.pane.searchHereButton, this.card);
		const idOf = ({ target }) => target.closest("[data-id]")?.dataset.id ?? null;
		for (const type of ["pointerover", "focusin"]) this.list.addEventListener(type, (event) => this.pane.map?.highlight(idOf(event)));
		for (const type of ["pointerleave", "focusout"]) this.list.addEventListener(type, () => this.pane.map?.highlight(null));
		this.list.addEventListener("click", (event) => (this.#openerId = idOf(event)));
	}

	// ------------------------------------------------------------------- content

	// items are the items of the list and the map: the results of the search, the places of the field or, without
	// a position, the places and areas of the visible part of the map.
	get items() {
		const { field, search } = this;
		if (this.query) {
			const origin = search.outcome?.applied?.origin ?? field.origin;
			return filterItems(search.findings.map(itemOfFinding).map((item) => withDistance(item, origin)), field.categories);
		}
		if (field.origin) return (field.runtime.objects ?? []).map(itemOfField);
		return this.pane?.area ? itemsOfArea(this.pane.area) : [];
	}

	// #suggestionSources returns the recent searches and the listed places for the suggestions of the search
	// input. While the input is empty, the list of Find shows the recent searches instead.
	#suggestionSources() {
		const isListed = this.route.kind === "find" && !this.query && !this.head.input.value.trim();
		return {
			recent: isListed ? [] : recentItems(this.panel).map(({ title, metadata }) => ({ title, scope: metadata?.scope })),
			places: this.items.filter(({ kind }) => kind === "place").map(({ id, title }) => ({ title, route: this.#routeOf(id, this.route) })),
		};
	}

	// item is the item that the route names, whose card is shown, or null.
	get chosen() {
		const { route, match, app } = this;
		const shownItem = match.surface && itemOfSurface(match.surface);
		if (shownItem) return withDistance(shownItem, this.field.origin);
		if (route.kind === "at" && match.object) return withDistance(itemOfObject(match.object), this.field.origin);
		const id = route.query.place;
		if (!id) return null;
		const listedItem = this.items.find((item) => item.id === id);
		if (listedItem) return listedItem;
		const finding = app.store.finding(id);
		const object = carriedPlace(app.store, id);
		return finding ? itemOfFinding(finding) : object ? itemOfObject(object) : null;
	}

	// show shows the present route and data.
	show() {
		const { app, field, route } = this;
		const { words } = app;
		const isSettled = !this.hasFind || this.panel || this.failure;
		const scopes = isSettled ? this.panel?.composer?.scopes ?? [] : null;
		this.heading.textContent = this.query ? words.around.find() : words.around.around();
		this.head.show({ query: route.query.q ?? "", scope: this.searchScope, scopes, control: field.filter });
		const { items, chosen } = this;
		showResults(this, items, chosen);
		this.#showCard(chosen);
		this.pane.show(items, chosen);
		if (app.frame.view === this) app.frame.refresh();
	}

	// #showCard shows the card of an item, or no card for null. If the item is the same one, it keeps the focus,
	// the scroll position and the expanded opening hours.
	#showCard(item) {
		const isOpen = Boolean(item);
		const wasHidden = this.card.hidden;
		this.card.hidden = !isOpen;
		this.element.classList.toggle("has-place", isOpen);
		if (!isOpen) return this.card.replaceChildren(this.cardSheet.grip);
		const hasOpenHours = this.card.querySelector(".hours")?.open;
		const scrollTop = this.card.querySelector(".place-body")?.scrollTop ?? 0;
		const isSame = this.card.dataset.id === item.id;
		const canSearchAround = item.latitude !== null && this.field.action("set_field_origin");
		const searchAround = () => this.searchAround(item, { name: item.title, showsAll: true });
		const render = () => this.card.replaceChildren(this.cardSheet.grip, ...placeCard(this.app, item, {
			titleId: this.cardTitle, close: () => this.#closeCard(), searchAround: canSearchAround ? searchAround : null,
			read: (surface, node) => this.#readPage(surface, node),
		}).filter(Boolean));
		this.card.dataset.id = item.id;
		if (isSame) keepFocus(this.card, render);
		else render();
		if (isSame && hasOpenHours) this.card.querySelector(".hours")?.setAttribute("open", "");
		if (isSame) this.card.querySelector(".place-body").scrollTop = scrollTop;
		if (wasHidden && isPhone()) this.cardSheet.set("half");
		return undefined;
	}

	// ------------------------------------------------------------------- actions

	// hrefOf returns the path of an item: the path of the surface of a page, or else of the card.
	hrefOf(item) {
		const { app, route } = this;
		if (item.kind === "page") {
			const surface = app.store.session.surface_runtime?.surfaces
				?.find(({ surface_type: type, service_binding: binding }) => type === "finding_surface" && binding?.resource_id === item.id);
			const ids = surface?.runtime_state?.translated_surface_ids?.filter((id) => app.store.surface(id));
			const first = ids?.find((id) => id.includes("_article_")) ?? ids?.[0];
			if (surface) return app.href({ kind: "on", id: first ?? surface.surface_id });
		}
		return app.href(this.#routeOf(item.id, route));
	}

	// #routeOf returns the route that shows the card of the place with an id over the list of a route, or only
	// the list if the id is null.
	#routeOf(id, { kind, id: routeId, query }) {
		const base = kind === "find" || (kind === "in" && !query.q) ? { kind, id: routeId } : { kind: "find", id: "" };
		const { place, ...rest } = query;
		return { ...base, query: id ? { ...rest, place: id } : rest };
	}

	// openCard opens the card of the item with an id.
	openCard(id) {
		this.#openerId = id;
		this.app.go(this.#routeOf(id, this.route), { replace: this.hasPlace });
	}

	// hasPlace reports whether the query of the route names a place. Then the route of another place replaces
	// the entry of the history, so that closing the card shows the list.
	get hasPlace() {
		return Boolean(this.route.query.place);
	}

	#closeCard() {
		const { route } = this;
		if (route.query.place || route.kind === "at" || route.kind === "on") this.app.router.back(this.#routeOf(null, route));
	}

	// dismiss closes the card and reports whether it was open.
	dismiss() {
		if (this.card.hidden) return false;
		this.#closeCard();
		return true;
	}

	// submitSearch shows the route of a search, or repeats the search if the route is the present one. scope is
	// null for the present scope. An empty query removes the search; without a search, it only changes the
	// scope in the address.
	submitSearch(query, scope) {
		if (!query) return this.query ? this.app.go({ kind: "find" }) : scope && this.#setScope(scope);
		const isSame = query === this.query && (scope ?? this.searchScope) === this.searchScope;
		if (isSame) return this.runSearch({ again: true });
		return this.app.go({ kind: "find", query: { q: query, scope: scope ?? this.searchScope } }, { replace: query === this.query });
	}

	// #setScope sets the scope in the route and in the address, for the next search.
	#setScope(scope) {
		this.route = { ...this.route, query: { ...this.route.query, scope } };
		this.app.router.set(this.route);
	}

	#onPanel(panel, failure = null) {
		const isFirst = !this.panel;
		Object.assign(this, { panel, failure });
		if (isFirst) this.runSearch();
		this.show();
	}

	// runSearch runs the search of the route, see Search.run, or clears the results if the route has no query. It
	// does nothing if the panel of Find, or the position for a search nearby, is missing.
	runSearch({ again = false } = {}) {
		const { query, searchScope: scope, panel } = this;
		const { origin } = this.field;
		if (!query) return this.search.clear();
		if (!panel || (scope === "nearby" && !origin)) return undefined;
		return this.search.run({ query, scope, origin }, { panel, again, changed: () => this.#onSearchChange() });
	}

	// #onSearchChange shows the state of the search, announces the number of results to screen readers, and
	// raises the sheet with the list on a phone.
	#onSearchChange() {
		if (this.scope.signal.aborted) return;
		this.show();
		const { found, where } = this.search.status === "done" ? summaryText(this.search, this.items, this.app.words) : {};
		if (found) this.app.say(`${found} ${where}`);
		if (this.search.status === "done" && isPhone() && this.listSheet.size === "low") this.listSheet.set("half");
	}

	// searchAround moves the field to a position, and searches there for the present query. name is the name of
	// the place at the position, "" for a point of the map. showsAll shows all places of the field instead of
	// searching.
	async searchAround(position, { name = "", showsAll = false } = {}) {
		const { app, query } = this;
		const hasMoved = await this.applyChange(this.field.lookAround(position, { name }));
		if (!hasMoved || this.scope.signal.aborted || !this.field.origin) return undefined;
		const fieldItem = app.store.session.shell?.dock?.items?.find(({ action }) => action.type === "open_field");
		if (showsAll && fieldItem) return app.go({ kind: "in", id: fieldItem.id });
		if (query && this.searchScope !== "nearby") return app.go({ kind: "find", query: { q: query, scope: "nearby" } });
		return query ? this.runSearch() : undefined;
	}

	// usePosition requests the position of the device and searches around it.
	async usePosition() {
		const { app, field } = this;
		const text = app.words.around;
		if (!canAskPosition()) return app.toasts.show(text.noHTTPS());
		app.say(text.locating());
		try {
			const position = await askPosition();
			field.position = position;
			await this.searchAround(position);
			this.pane.map?.moveTo(position);
		} catch (error) {
			app.toasts.show(text.positionFailed(error.code));
		}
		return undefined;
	}

	// #readPage lets the server read the website of a place. node is the button that was activated.
	async #readPage(surface, node) {
		node.setAttribute("aria-busy", "true");
		await this.app.actions.perform({ method: "POST", url: surface.commands.translate_surface, body: {} });
		node.removeAttribute("aria-busy");
		this.show();
	}

	// #filter limits the places to the categories with some ids.
	#filter(ids) {
		const hasAll = ids.length === (this.field.filter?.items.length ?? 0);
		return this.applyChange(this.field.chooseCategories(hasAll ? null : ids));
	}

	// applyChange waits for a change of the field, a promise, and shows the new places or the error. It returns a
	// promise of whether the change has succeeded.
	async applyChange(change) {
		const error = await change.then(() => null, (failure) => failure);
		if (error && error.name !== "AbortError") this.app.actions.showError(error);
		if (this.scope.signal.aborted) return false;
		this.pane.onField();
		this.show();
		return error === null;
	}

	// scrollKey identifies the content of the list.
	get scrollKey() {
		return this.search.key || this.route.kind;
	}

	#saveScrollPosition() {
		this.scrollPositions.set(this.scrollKey, { scrollTop: this.list.scrollTop, openerId: this.#openerId });
	}
}
