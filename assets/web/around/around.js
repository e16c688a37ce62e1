// Around and Find: a map, the finder over it, and the card of a place.

import { el, isPhone, uid } from "../parts/el.js";
import { withQuery } from "../world/dispatch.js";
import { Field, askPosition, canAskPosition } from "./field.js";
import { finderTop, recentItems, summaryText } from "./finder.js";
import { filterItems, itemOfField, itemOfFinding, itemOfObject, itemOfSurface, itemsOfArea, withDistance } from "./items.js";
import { keepFocus } from "../frame/focus.js";
import { MapPane } from "./mappane.js";
import { placeCard } from "./placecard.js";
import { showResults } from "./results.js";
import { Search } from "./search.js";
import { Sheet } from "./sheet.js";

// memory keeps the field and the search of an app while other screens are open.
const memory = new WeakMap();

// open returns the view of Around, of Find and of a place.
export function open(app, route, located) {
	if (!memory.has(app)) memory.set(app, { field: new Field(app), search: new Search(app), scroll: new Map(), camera: null });
	return new AroundView(app, route, located, memory.get(app));
}

// AroundView shows the places and pages of one search, or the places around a position.
class AroundView {
	noRail = true;
	kind = "mapbody";
	panel = null; // of Find
	hasFailed = false; // whether the panel could not be read
	#opener = null; // id of the row from which the card was opened

	constructor(app, route, located, { field, search, scroll, camera }) {
		Object.assign(this, { app, field, search, scroll, route, located });
		this.scope = app.scope();
		this.keys = { n: () => this.card.querySelector(".primary")?.click(), Escape: () => this.dismiss() };
		this.#build(camera);
		const find = app.store.service("find");
		this.hasFind = Boolean(find?.content_source) && find.status !== "unavailable";
		if (this.hasFind) this.scope.panel(withQuery(find.content_source, { sections: "recent,providers" }), ["find"], (panel) => this.#onPanel(panel), () => { this.hasFailed = true; this.#onPanel(null); });
		this.scope.on(["session", "objects", "actions", "findings"], () => this.show());
		this.show();
	}

	get title() {
		const { words } = this.app;
		return this.chosen?.title || (this.route.kind === "find" || this.query ? words.around.find() : words.around.around());
	}

	get query() {
		return (this.route.query.q ?? "").trim();
	}

	get scopeValue() {
		return this.route.query.scope ?? (this.field.origin ? "nearby" : "everywhere");
	}

	// update shows another route of this area in the same view.
	update(route, located) {
		const before = this.route.query.place ?? this.route.id;
		Object.assign(this, { route, located });
		this.ask();
		this.show();
		if ((route.query.place ?? route.id) !== before || this.app.isFindWanted) this.focus();
		return true;
	}

	// focus goes to the field if the member wants to find something, to the card of a place, to
	// the row from which it was opened, or to the title.
	focus() {
		const { app } = this;
		const wantsField = app.isFindWanted;
		app.isFindWanted = false;
		if (wantsField || (this.route.kind === "find" && !this.query && !this.chosen && !isPhone())) {
			this.top.input.focus();
			this.top.input.select();
		} else if (this.chosen) {
			this.card.querySelector("h2")?.focus({ preventScroll: true });
		} else {
			this.#opener ??= this.scroll.get(this.scrollKey)?.opener ?? null;
			const row = this.#opener && this.list.querySelector(`[data-id="${CSS.escape(this.#opener)}"]`);
			(row || this.heading).focus({ preventScroll: true });
		}
	}

	close() {
		this.#keepScroll();
		memory.get(this.app).camera = this.pane.close();
		this.scope.end();
	}

	// ------------------------------------------------------------------ elements

	#build(camera) {
		const { app } = this;
		const { words } = app;
		this.heading = el("h1", { class: "sr", id: uid("finder"), tabindex: "-1", text: words.around.find() });
		this.top = finderTop(app, { ask: (query, scope) => this.onAsk(query, scope), filter: (ids) => this.do(this.field.chooseCategories(ids.length === (this.field.filter?.items.length ?? 0) ? null : ids)), known: () => this.#known() });
		this.summary = el("p", { class: "finder-sum", role: "status" });
		this.list = el("div", { class: "finder-list" });
		this.body = el("div", { class: "finder-body" }, this.summary, this.list);
		this.finder = el("section", { class: "finder card", "aria-labelledby": this.heading.id }, this.heading, this.top.element, this.body);
		this.cardTitle = uid("place");
		this.card = el("section", { class: "place card", "aria-labelledby": this.cardTitle, hidden: true });
		this.element = el("div", { class: "mapview" });
		this.listSheet = new Sheet(this.body, { words, label: words.around.results(), changed: () => this.pane?.onSheet() });
		this.cardSheet = new Sheet(this.card, { words, label: words.around.place(), changed: () => this.pane?.onSheet() });
		this.element.append(this.finder);
		this.pane = new MapPane(this, camera);
		this.element.append(this.pane.look, this.card);
		for (const type of ["pointerover", "focusin"]) this.list.addEventListener(type, ({ target }) => this.pane.map?.pointOut(target.closest("[data-id]")?.dataset.id ?? null));
		for (const type of ["pointerleave", "focusout"]) this.list.addEventListener(type, () => this.pane.map?.pointOut(null));
		this.list.addEventListener("click", ({ target }) => (this.#opener = target.closest("[data-id]")?.dataset.id ?? null));
	}

	// ------------------------------------------------------------------- content

	// items are the places and pages that are listed: those of the search, or those around.
	get items() {
		const { field, search } = this;
		if (this.query) {
			const all = search.findings.map(itemOfFinding).map((item) => withDistance(item, search.outcome?.applied?.origin ?? field.origin));
			return filterItems(all, field.categories);
		}
		if (field.origin) return (field.runtime.objects ?? []).map(itemOfField);
		return this.pane?.area ? itemsOfArea(this.pane.area) : [];
	}

	// #known returns what the field suggests besides the destinations of the app. The list of Find
	// has the recent searches already while nothing is entered.
	#known() {
		const isListed = this.route.kind === "find" && !this.query && !this.top.input.value.trim();
		return {
			recent: isListed ? [] : recentItems(this.panel).map(({ title, metadata }) => ({ title, scope: metadata?.scope })),
			places: this.items.filter(({ kind }) => kind === "place").map(({ id, title }) => ({ title, route: this.#routeOf(id, this.route) })),
		};
	}

	// chosen is the item whose card is shown, or null.
	get chosen() {
		const { route, located, app } = this;
		if (located.surface && itemOfSurface(located.surface)) return withDistance(itemOfSurface(located.surface), this.field.origin);
		if (route.kind === "at" && located.object) return withDistance(itemOfObject(located.object), this.field.origin);
		const id = route.query.place;
		if (!id) return null;
		const listed = this.items.find((item) => item.id === id);
		if (listed) return listed;
		const finding = app.store.finding(id);
		const object = app.store.dataset?.objects?.find(({ object_type: type, source }) => type === "place" && source?.resource_id === id);
		return finding ? itemOfFinding(finding) : object ? itemOfObject(object) : null;
	}

	show() {
		const { app, field, route } = this;
		const { words } = app;
		const isRead = !this.hasFind || this.panel || this.hasFailed;
		const scopes = isRead ? this.panel?.composer?.scopes ?? [] : null;
		this.heading.textContent = this.query ? words.around.find() : words.around.around();
		this.top.show({ query: route.query.q ?? "", scope: this.scopeValue, scopes, control: field.filter });
		this.top.element.querySelector("form").hidden = !this.hasFind;
		const { items, chosen } = this;
		showResults(this, items, chosen);
		this.#showCard(chosen);
		this.pane.show(items, chosen);
		if (app.frame.view === this) app.frame.refresh();
	}

	#showCard(chosen) {
		const isOpen = Boolean(chosen);
		const wasHidden = this.card.hidden;
		this.card.hidden = !isOpen;
		this.element.classList.toggle("has-place", isOpen);
		if (!isOpen) return this.card.replaceChildren(this.cardSheet.grip);
		const hours = this.card.querySelector(".hours")?.open;
		const scroll = this.card.querySelector(".place-body")?.scrollTop ?? 0;
		const same = this.card.dataset.id === chosen.id;
		const make = () => this.card.replaceChildren(this.cardSheet.grip, ...placeCard(this.app, chosen, {
			titleId: this.cardTitle, close: () => this.#closeCard(), read: (surface, node) => this.#readPage(surface, node),
			lookHere: chosen.latitude !== null && this.field.action("set_field_origin") ? () => this.lookAround(chosen, { name: chosen.title, everything: true }) : null,
		}).filter(Boolean));
		this.card.dataset.id = chosen.id;
		if (same) keepFocus(this.card, make);
		else make();
		if (same && hours) this.card.querySelector(".hours")?.setAttribute("open", "");
		if (same) this.card.querySelector(".place-body").scrollTop = scroll;
		if (wasHidden && isPhone()) this.cardSheet.set("half");
		return undefined;
	}

	// ------------------------------------------------------------------- actions

	hrefOf(item) {
		const { app, route } = this;
		if (item.kind === "page") {
			const surface = app.store.session.surface_runtime?.surfaces?.find(({ surface_type: type, service_binding: binding }) => type === "finding_surface" && binding?.resource_id === item.id);
			const first = surface?.runtime_state?.translated_surface_ids?.find((id) => id.includes("_article_") && app.store.surface(id)) ?? surface?.runtime_state?.translated_surface_ids?.find((id) => app.store.surface(id));
			if (surface) return app.href({ kind: "on", id: first ?? surface.surface_id });
		}
		return app.href(this.#routeOf(item.id, route));
	}

	#routeOf(id, { kind, id: own, query }) {
		const base = kind === "find" || (kind === "in" && !query.q) ? { kind, id: own } : { kind: "find", id: "" };
		const { place, ...rest } = query;
		return { ...base, query: id ? { ...rest, place: id } : rest };
	}

	choose(id) {
		this.#opener = id;
		this.app.go(this.#routeOf(id, this.route), { replace: this.hasPlace });
	}

	// hasPlace is whether the address names a place. Then another place replaces it in the history,
	// so that closing the card of any place leads to the list.
	get hasPlace() {
		return Boolean(this.route.query.place);
	}

	#closeCard() {
		if (this.route.query.place || this.route.kind === "at" || this.route.kind === "on") this.app.router.back(this.#routeOf(null, this.route));
	}

	dismiss() {
		if (this.card.hidden) return false;
		this.#closeCard();
		return true;
	}

	onAsk(query, scope) {
		if (!query) return this.query ? this.app.go({ kind: "find" }) : this.app.router.set({ kind: "find", query: { scope } });
		const isSame = query === this.query && (scope ?? this.scopeValue) === this.scopeValue;
		if (isSame) return this.ask({ again: true });
		return this.app.go({ kind: "find", query: { q: query, scope: scope ?? this.scopeValue } }, { replace: query === this.query });
	}

	#onPanel(panel) {
		const isFirst = !this.panel;
		this.panel = panel;
		if (isFirst) this.ask();
		this.show();
	}

	// ask runs the search of the route.
	ask({ again = false } = {}) {
		if (!this.query) return this.search.clear();
		if (!this.panel || (this.scopeValue === "nearby" && !this.field.origin)) return undefined;
		return this.search.run({ query: this.query, scope: this.scopeValue, origin: this.field.origin }, { panel: this.panel, again, changed: () => this.#onSearch() });
	}

	#onSearch() {
		if (this.scope.signal.aborted) return;
		this.show();
		const { found, where } = this.search.status === "done" ? summaryText(this.search, this.items, this.app.words) : {};
		if (found) this.app.say(`${found} ${where}`);
		if (this.search.status === "done" && isPhone() && this.listSheet.size === "low") this.listSheet.set("half");
	}

	// lookAround searches around a position: for the text of the search, or for all places.
	async lookAround(position, { name = "", everything = false } = {}) {
		const { app, query } = this;
		await this.do(this.field.lookAround(position, { name }));
		if (this.scope.signal.aborted || !this.field.origin) return undefined;
		const own = app.store.session.shell?.dock?.items?.find(({ action }) => action.type === "open_field");
		if (everything && own) return app.go({ kind: "in", id: own.id });
		if (query && this.scopeValue !== "nearby") return app.go({ kind: "find", query: { q: query, scope: "nearby" } });
		return query ? this.ask() : undefined;
	}

	async usePosition() {
		const { app, field } = this;
		const text = app.words.around;
		if (!canAskPosition()) return app.toasts.show(text.noHTTPS());
		app.say(text.locating());
		try {
			const position = await askPosition();
			field.position = position;
			await this.lookAround(position);
			this.pane.map?.moveTo(position);
		} catch (error) {
			app.toasts.show(text.positionFailed(error.code));
		}
		return undefined;
	}

	async #readPage(surface, node) {
		node.setAttribute("aria-busy", "true");
		await this.app.acts.act({ method: "POST", url: surface.commands.translate_surface, body: {} });
		node.removeAttribute("aria-busy");
		this.show();
	}

	// #do waits for a change of the field and shows it.
	async do(change) {
		try {
			await change;
		} catch (error) {
			if (error.name !== "AbortError") this.app.acts.showError(error);
		}
		if (this.scope.signal.aborted) return;
		this.pane.onField();
		this.show();
	}

	get scrollKey() {
		return this.search.key || this.route.kind;
	}

	#keepScroll() {
		this.scroll.set(this.scrollKey, { top: this.list.scrollTop, opener: this.#opener });
	}
}
