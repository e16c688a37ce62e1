// The map of Around: its marks, what covers it, and the places of the area that it shows.

import { button, el, icon, isPhone } from "../parts/el.js";
import { openMenu } from "../parts/menu.js";
import { MapView } from "../map/map.js";
import { boundsAround, boundsOf, isFar, marksOf, padded } from "./items.js";

const CLOSE = 16; // zoom at which a place is shown
const TOWN = 12; // the same for a settlement, which has no category
const FAR = 4; // levels below which a place that is opened cannot be told from its surroundings
const AREA_WAIT = 350; // ms after a movement before the places of the area are read
const MOST_COVERED = 0.55; // part of the map of a phone that a sheet can cover before places are shown under it

// MapPane is the map of a view of Around. Without tiles and without a position there is none.
export class MapPane {
	map = null;
	area = null; // answer for the visible area
	#home = null; // what the map shows of the latest answer, before the member moves it
	#reading = null; // AbortController of a read of the area
	#timer = 0;
	#chosen = null; // the place that the map shows as chosen
	#hasApproached = false;
	#shownKey = ""; // what the map was fitted to

	// camera is { center, zoom } of an earlier view, or null.
	constructor(view, camera) {
		this.view = view;
		const { field, app } = view;
		this.look = button({ label: app.words.around.lookHere(), icon: "search", kind: "look-here", hidden: true, run: () => view.lookAround(this.map.view) });
		const observer = new ResizeObserver(() => this.layout()); // before that of the map, which needs to know what covers it
		for (const node of [view.finder, view.top.element, view.body, view.card, view.element]) observer.observe(node);
		view.scope.add(() => observer.disconnect());
		view.card.addEventListener("transitionend", ({ target, propertyName }) => target === view.card && propertyName === "height" && this.onSheet());
		if (field.layer || field.origin) this.#addMap(camera);
		else view.element.classList.add("no-map");
	}

	// isReading reports whether places of the area are to come, although none are known yet.
	get isReading() {
		const { field, query } = this.view;
		return Boolean(this.map && this.area === null && !query && !field.origin && !field.problem && field.action("read_field_area"));
	}

	// close removes the map and returns its camera, or null.
	close() {
		const camera = this.map ? { center: this.map.view, zoom: this.map.view.zoom } : null;
		clearTimeout(this.#timer);
		this.#reading?.abort();
		this.map?.destroy();
		return camera;
	}

	#addMap(camera) {
		const { view } = this;
		const { app, field } = view;
		const { words } = app;
		const text = words.around;
		this.map = new MapView(view.element, {
			words: { map: text.map, zoomIn: text.zoomIn, zoomOut: text.zoomOut, here: text.here, cluster: text.cluster, distance: text.distance, number: (count) => words.number(count, { notation: "compact" }) },
			icon: (name) => icon(name).firstChild.getAttribute("href"), url: (path) => app.client.address(path),
			layer: field.layer, viewport: camera ?? app.store.session.field_runtime?.map?.viewport,
			onMoveEnd: () => this.#onMoveEnd(), onChoose: ({ id, bounds }) => (bounds ? this.map.fit(bounds) : view.choose(id)), onPress: (position, pixel) => this.#onPress(position, pixel),
			onTap: () => this.#onTap(), onDismiss: () => view.dismiss(),
		});
		if (camera) this.#shownKey = "kept";
		const tool = (name, label, run) => el("button", { type: "button", "aria-label": label, title: label, on: { click: run } }, icon(name));
		const locate = tool("locate", text.whereAmI(), () => view.usePosition());
		const layers = tool("layers", text.layers(), () => openMenu(layers, this.#radiusItems(), { label: text.layers(), end: true }));
		this.map.tools.append(el("div", { class: "tool-group" }, locate, layers));
	}

	#radiusItems() {
		const { view } = this;
		const { field } = view;
		const { words } = view.app;
		const items = field.radii.map(({ value, selected }) => ({ label: words.around.distance(value), checked: selected, run: () => view.do(field.chooseRadius(value)) }));
		if (field.origin) items.push(null, { label: words.around.forget(), icon: "close", run: () => { field.forget(); this.#readArea(); view.show(); } });
		return items;
	}

	// layout tells the map what covers it.
	layout() {
		if (!this.map) return undefined;
		const { element, top, card, body, finder } = this.view;
		const inside = element.getBoundingClientRect();
		if (isPhone()) {
			element.style.setProperty("--head", `${top.element.offsetHeight}px`);
			const sheet = card.hidden ? body : card;
			const height = Math.min(inside.bottom - sheet.getBoundingClientRect().top, inside.height * MOST_COVERED);
			return this.map.setPadding({ top: top.element.offsetHeight, bottom: Math.max(0, height) });
		}
		const start = finder.offsetWidth + 24;
		const end = card.hidden || inside.width < 900 ? 56 : card.offsetWidth + 72;
		const isMirrored = getComputedStyle(element).direction === "rtl";
		return this.map.setPadding(isMirrored ? { left: end, right: start } : { left: start, right: end });
	}

	// onSheet keeps the chosen place in view after a sheet has changed its height.
	onSheet() {
		this.layout();
		if (this.map && this.#chosen) this.map.reveal(this.#chosen);
	}

	// onField shows a field that has changed.
	onField() {
		const { view } = this;
		if (!view.field.origin) return this.#readArea();
		if (this.map) return undefined;
		view.element.classList.remove("no-map");
		this.#addMap(null);
		return view.element.append(this.look, view.card);
	}

	// show shows the items as marks, and one of them as chosen, or none.
	show(items, chosen) {
		if (!this.map) return;
		const { field, query, app } = this.view;
		const shown = chosen && !items.some(({ id }) => id === chosen.id) ? [chosen, ...items] : items;
		this.map.setMarks(marksOf(shown).map((mark) => ({ ...mark, label: mark.label || app.words.around.placesOnMap() })));
		this.layout();
		this.map.setField(field.origin && !query ? { ...field.origin, radius: field.runtime.radius_meters } : null);
		this.map.setPosition(field.position);
		this.#fit(items, chosen);
		this.#choose(items, chosen && chosen.latitude !== null ? chosen : null);
		this.#showLook();
	}

	// #choose shows a place as chosen, and moves the map to it: close to it if the map shows a
	// large area, and back to the answer when the place is closed.
	#choose(items, chosen) {
		if (this.#chosen?.id === chosen?.id) return;
		this.#chosen = chosen;
		this.map.choose(chosen?.id ?? null);
		const zoom = chosen?.category ? CLOSE : TOWN;
		if (chosen && this.map.view.zoom < zoom - FAR) {
			this.#hasApproached = true;
			this.map.moveTo(chosen, zoom);
		} else if (chosen) {
			this.map.reveal(chosen);
		} else if (this.#hasApproached) {
			this.#hasApproached = false;
			this.#shownKey = "";
			this.#fit(items, null);
		}
	}

	// #fit moves the map to a new answer: once, so that it stays where the member moves it.
	#fit(items, chosen) {
		const { field, search, query } = this.view;
		const key = query ? (search.status === "done" ? `search ${search.key}` : "") : field.origin ? `field ${JSON.stringify([field.origin, field.runtime.radius_meters])}` : chosen ? `place ${chosen.id}` : "";
		if (!key || key === this.#shownKey) return;
		const isKept = this.#shownKey === "kept" && !chosen;
		this.#shownKey = key;
		this.#home = null;
		if (isKept) return;
		if (!query && field.origin) return this.map.fit(boundsAround(field.origin, field.runtime.radius_meters), CLOSE);
		const bounds = boundsOf(items.filter(({ kind }) => kind === "place").slice(0, 20));
		if (query && bounds) this.map.fit(padded(bounds), CLOSE);
		else if (chosen && chosen.latitude !== null) this.map.moveTo(chosen, chosen.category ? CLOSE : TOWN);
		return undefined;
	}

	// #showLook offers to look where the member has moved the map.
	#showLook() {
		const { field, query, scopeValue, chosen } = this.view;
		const home = this.#home;
		const isNearby = query ? scopeValue === "nearby" : true;
		if (!field.origin || !isNearby || !home || chosen) return (this.look.hidden = true);
		const { view } = this.map;
		const hasMoved = isFar(view, home, field.runtime.radius_meters) || view.zoom < home.zoom - 1.5;
		return (this.look.hidden = !(hasMoved && isFar(view, field.origin, field.runtime.radius_meters)));
	}

	#onMoveEnd() {
		const { field, query } = this.view;
		if (this.#shownKey) this.#home ??= this.map.view;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			if (!field.origin && !query) this.#readArea();
			this.#showLook();
		}, AREA_WAIT);
	}

	// #onTap closes the card of a place, or lowers the list of a phone.
	#onTap() {
		const { view } = this;
		if (!view.dismiss() && isPhone()) view.listSheet.set("low");
	}

	#onPress(position, { x, y }) {
		const { view } = this;
		const anchor = el("span", { class: "press", tabindex: "-1", vars: { "--x": `${x}px`, "--y": `${y}px` } });
		view.element.append(anchor);
		const label = view.app.words.around.lookHere();
		openMenu(anchor, [{ label, icon: "search", run: () => view.lookAround(position) }], { label });
		setTimeout(() => document.addEventListener("pointerup", () => setTimeout(() => document.querySelector(".menu.popup") || anchor.remove(), 500), { once: true }));
	}

	// #readArea reads the places of the visible area, while no position is chosen.
	async #readArea() {
		const { view } = this;
		if (!this.map || view.field.origin || view.query) return;
		this.#reading?.abort();
		const reading = (this.#reading = new AbortController());
		try {
			const area = await view.field.readArea(this.map.view.bounds, reading.signal);
			if (reading.signal.aborted || view.scope.signal.aborted) return;
			this.area = area;
			view.show();
		} catch (error) {
			if (error.name === "AbortError") return;
			this.area ??= {};
			view.show();
			if (error.status && error.status !== 401 && error.status !== 422) view.app.acts.showError(error);
		}
	}
}
