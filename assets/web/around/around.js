// Around and Find: a map, the finder over it, and the card of a place.

import { button, el, icon, isPhone, uid } from "../parts/el.js";
import { openMenu } from "../parts/menu.js";
import { MapView } from "../map/map.js";
import { withQuery } from "../world/dispatch.js";
import { Field, askPosition, canAskPosition } from "./field.js";
import { finderTop, summaryText } from "./finder.js";
import { boundsAround, boundsOf, filterItems, isFar, itemOfField, itemOfFinding, itemOfObject, itemOfSurface, itemsOfArea, marksOf, padded, withDistance } from "./items.js";
import { keepFocus } from "../frame/focus.js";
import { placeCard } from "./placecard.js";
import { showResults } from "./results.js";
import { Search } from "./search.js";
import { Sheet } from "./sheet.js";

const CLOSE = 16; // zoom at which a place is shown
const FAR = 12; // zoom below which a place that is opened cannot be told from its surroundings
const AREA_WAIT = 350; // ms after a movement before the places of the area are read

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
	area = null; // answer for the visible area
	home = null; // what the map shows of the latest answer, before the member moves it
	#reading = null; // AbortController of a read of the area
	#timer = 0;
	#near = null; // the id of the place that the map shows as chosen
	#hasApproached = false;
	#shownKey = ""; // what the map was fitted to
	#opener = null; // id of the row from which the card was opened

	constructor(app, route, located, { field, search, scroll, camera }) {
		Object.assign(this, { app, field, search, scroll, route, located });
		this.scope = app.scope();
		this.keys = { n: () => this.card.querySelector(".primary")?.click(), Escape: () => this.#dismiss() };
		this.#build(camera);
		const find = app.store.service("find");
		this.hasFind = Boolean(find?.content_source) && find.status !== "unavailable";
		if (this.hasFind) this.scope.panel(withQuery(find.content_source, { sections: "recent,providers" }), ["find"], (panel) => this.#onPanel(panel), () => this.#onPanel(null));
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
		memory.get(this.app).camera = this.map ? { center: this.map.view, zoom: this.map.view.zoom } : null;
		clearTimeout(this.#timer);
		this.#reading?.abort();
		this.map?.destroy();
		this.scope.end();
	}

	// ------------------------------------------------------------------ elements

	#build(camera) {
		const { app } = this;
		const { words } = app;
		this.heading = el("h1", { class: "sr", id: uid("finder"), tabindex: "-1", text: words.around.find() });
		this.top = finderTop(app, { ask: (query, scope) => this.onAsk(query, scope), filter: (ids) => this.#do(this.field.chooseCategories(ids.length === (this.field.filter?.items.length ?? 0) ? null : ids)) });
		this.summary = el("p", { class: "finder-sum", role: "status" });
		this.list = el("div", { class: "finder-list" });
		this.body = el("div", { class: "finder-body" }, this.summary, this.list);
		this.finder = el("section", { class: "finder card", "aria-labelledby": this.heading.id }, this.heading, this.top.element, this.body);
		this.cardTitle = uid("place");
		this.card = el("section", { class: "place card", "aria-labelledby": this.cardTitle, hidden: true });
		this.look = button({ label: words.around.lookHere(), icon: "search", kind: "look-here", hidden: true, run: () => this.lookAround(this.map.view) });
		this.element = el("div", { class: "mapview" });
		this.listSheet = new Sheet(this.body, { words, label: words.around.results(), size: "half", changed: () => this.#layout() });
		this.cardSheet = new Sheet(this.card, { words, label: words.around.place(), size: "half", changed: () => this.#layout() });
		this.element.append(this.finder);
		const observer = new ResizeObserver(() => this.#layout()); // before that of the map, which needs to know what covers it
		for (const node of [this.finder, this.top.element, this.card, this.element]) observer.observe(node);
		this.scope.add(() => observer.disconnect());
		if (this.field.layer || this.field.origin) this.#addMap(camera);
		else this.element.classList.add("no-map");
		this.element.append(this.look, this.card);
		this.list.addEventListener("click", ({ target }) => (this.#opener = target.closest("[data-id]")?.dataset.id ?? null));
	}

	#addMap(camera) {
		const { app } = this;
		const { words } = app;
		const text = words.around;
		this.map = new MapView(this.element, {
			words: { map: text.map, zoomIn: text.zoomIn, zoomOut: text.zoomOut, here: text.here, cluster: text.cluster, distance: text.distance },
			icon: (name) => icon(name).firstChild.getAttribute("href"), url: (path) => app.client.address(path),
			layer: this.field.layer, viewport: camera ?? app.store.session.field_runtime?.map?.viewport,
			onMoveEnd: () => this.#onMoveEnd(), onChoose: ({ id }) => this.#choose(id), onPress: (position, pixel) => this.#onPress(position, pixel),
			onDismiss: () => this.#dismiss(),
		});
		if (camera) this.#shownKey = "kept";
		const tool = (name, label, run) => el("button", { type: "button", "aria-label": label, title: label, on: { click: run } }, icon(name));
		const locate = tool("locate", text.whereAmI(), () => this.usePosition());
		const layers = tool("layers", text.layers(), () => openMenu(layers, this.#radiusItems(), { label: text.layers(), end: true }));
		this.map.tools.append(el("div", { class: "tool-group" }, locate, layers));
	}

	#radiusItems() {
		const { field } = this;
		const { words } = this.app;
		const items = field.radii.map(({ value, selected }) => ({ label: words.around.distance(value), checked: selected, run: () => this.#do(field.chooseRadius(value)) }));
		if (field.origin) items.push(null, { label: words.around.forget(), icon: "close", run: () => { field.forget(); this.#readArea(); this.show(); } });
		return items;
	}

	// #layout tells the map what covers it.
	#layout() {
		if (!this.map) return undefined;
		const inside = this.element.getBoundingClientRect();
		const mirrored = getComputedStyle(this.element).direction === "rtl";
		if (isPhone()) {
			this.element.style.setProperty("--head", `${this.top.element.offsetHeight}px`);
			const sheet = this.card.hidden ? this.body : this.card;
			const height = Math.min(inside.bottom - sheet.getBoundingClientRect().top, inside.height * 0.55);
			return this.map.setPadding({ top: this.top.element.offsetHeight, bottom: Math.max(0, height) });
		}
		const start = this.finder.offsetWidth + 24;
		const end = this.card.hidden || inside.width < 900 ? 56 : this.card.offsetWidth + 72;
		return this.map.setPadding(mirrored ? { left: end, right: start } : { left: start, right: end });
	}

	// ------------------------------------------------------------------- content

	// items are the places and pages that are listed: those of the search, or those around.
	get items() {
		const { field, search, app } = this;
		if (this.query) {
			const all = search.findings.map(itemOfFinding).map((item) => withDistance(item, search.outcome?.applied?.origin ?? field.origin));
			return filterItems(all, field.categories);
		}
		if (field.origin) return (field.runtime.objects ?? []).map(itemOfField);
		return this.area ? itemsOfArea(this.area) : [];
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
		const scopes = this.hasFind ? this.panel?.composer?.scopes ?? [] : [];
		this.heading.textContent = this.query ? words.around.find() : words.around.around();
		this.top.show({ query: route.query.q ?? "", scope: this.scopeValue, scopes, control: field.filter });
		this.top.element.querySelector("form").hidden = !this.hasFind;
		const { items, chosen } = this;
		showResults(this, items, chosen);
		this.#showCard(chosen);
		this.#showMarks(items, chosen);
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

	#showMarks(items, chosen) {
		if (!this.map) return;
		const shown = chosen && !items.some(({ id }) => id === chosen.id) ? [chosen, ...items] : items;
		const marks = marksOf(shown).map((mark) => ({ ...mark, label: mark.label || this.app.words.around.placesOnMap() }));
		this.map.setMarks(marks);
		this.#layout();
		const { field } = this;
		this.map.setField(field.origin && !this.query ? { ...field.origin, radius: field.runtime.radius_meters } : null);
		this.map.setPosition(field.position);
		this.#fit(items, chosen);
		const has = chosen && chosen.latitude !== null;
		this.map.choose(has ? chosen.id : null, has ? chosen : null);
		this.#approach(items, has ? chosen : null);
		this.#showLook();
	}

	// #approach moves the map to a place that is opened while the map shows a large area, and
	// back to the answer when the place is closed.
	#approach(items, chosen) {
		if (this.#near === (chosen?.id ?? null)) return;
		this.#near = chosen?.id ?? null;
		if (chosen && this.map.view.zoom < FAR) {
			this.#hasApproached = true;
			this.map.moveTo(chosen, CLOSE);
		} else if (!chosen && this.#hasApproached) {
			this.#hasApproached = false;
			this.#shownKey = "";
			this.#fit(items, null);
		}
	}

	// #fit moves the map to a new answer: once, so that it stays where the member moves it.
	#fit(items, chosen) {
		const { field, search } = this;
		const key = this.query ? (search.status === "done" ? `search ${search.key}` : "") : field.origin ? `field ${JSON.stringify([field.origin, field.runtime.radius_meters])}` : chosen ? `place ${chosen.id}` : "";
		if (!key || key === this.#shownKey) return;
		const isKept = this.#shownKey === "kept" && !chosen;
		this.#shownKey = key;
		this.home = null;
		if (isKept) return;
		if (!this.query && field.origin) return this.map.fit(boundsAround(field.origin, field.runtime.radius_meters), CLOSE);
		const bounds = boundsOf(items.filter(({ kind }) => kind === "place").slice(0, 20));
		if (this.query && bounds) this.map.fit(padded(bounds), CLOSE);
		else if (chosen && chosen.latitude !== null) this.map.moveTo(chosen, CLOSE);
		return undefined;
	}

	// #showLook offers to look where the member has moved the map.
	#showLook() {
		const { field, home } = this;
		const isNearby = this.query ? this.scopeValue === "nearby" : true;
		if (!field.origin || !isNearby || !home || this.chosen) return (this.look.hidden = true);
		const { view } = this.map;
		const hasMoved = isFar(view, home, field.runtime.radius_meters) || view.zoom < home.zoom - 1.5;
		return (this.look.hidden = !(hasMoved && isFar(view, field.origin, field.runtime.radius_meters)));
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

	#choose(id) {
		this.#opener = id;
		this.app.go(this.#routeOf(id, this.route));
	}

	#closeCard() {
		if (this.route.query.place || this.route.kind === "at" || this.route.kind === "on") this.app.router.back(this.#routeOf(null, this.route));
	}

	#dismiss() {
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
		await this.#do(this.field.lookAround(position, { name }));
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
			this.map?.moveTo(position);
		} catch (error) {
			app.toasts.show(text.positionFailed(error.code));
		}
		return undefined;
	}

	#onPress(position, { x, y }) {
		const anchor = el("span", { class: "press", tabindex: "-1", vars: { "--x": `${x}px`, "--y": `${y}px` } });
		this.element.append(anchor);
		const run = () => this.lookAround(position);
		openMenu(anchor, [{ label: this.app.words.around.lookHere(), icon: "search", run }], { label: this.app.words.around.lookHere() });
		setTimeout(() => document.addEventListener("pointerup", () => setTimeout(() => document.querySelector(".menu.popup") || anchor.remove(), 500), { once: true }));
	}

	async #readPage(surface, node) {
		node.setAttribute("aria-busy", "true");
		await this.app.acts.act({ method: "POST", url: surface.commands.translate_surface, body: {} });
		node.removeAttribute("aria-busy");
		this.show();
	}

	// #do waits for a change of the field and shows it.
	async #do(change) {
		try {
			await change;
		} catch (error) {
			if (error.name !== "AbortError") this.app.acts.showError(error);
		}
		if (this.scope.signal.aborted) return;
		if (!this.field.origin) this.#readArea();
		if (!this.map && this.field.origin) this.#addMapLater();
		this.show();
	}

	#addMapLater() {
		this.element.classList.remove("no-map");
		this.#addMap(null);
		this.element.append(this.look, this.card);
	}

	#onMoveEnd() {
		if (this.#shownKey) this.home ??= this.map.view;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			if (!this.field.origin && !this.query) this.#readArea();
			this.#showLook();
		}, AREA_WAIT);
	}

	// #readArea reads the places of the visible area, while no position is chosen.
	async #readArea() {
		if (!this.map || this.field.origin || this.query) return;
		this.#reading?.abort();
		const reading = (this.#reading = new AbortController());
		try {
			const area = await this.field.readArea(this.map.view.bounds, reading.signal);
			if (reading.signal.aborted || this.scope.signal.aborted) return;
			this.area = area;
			this.show();
		} catch (error) {
			if (error.status && error.status !== 401 && error.status !== 422) this.app.acts.showError(error);
		}
	}

	get scrollKey() {
		return this.search.key || this.route.kind;
	}

	#keepScroll() {
		this.scroll.set(this.scrollKey, { top: this.list.scrollTop, opener: this.#opener });
	}
}
