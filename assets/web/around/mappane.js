// The map of Around and Find: its marks, its padding, and the places of the visible area.

import { button, el, icon, isPhone } from "../parts/el.js";
import { menuButton, openMenu } from "../parts/menu.js";
import { MapView } from "../map/map.js";
import { boundsAround, boundsOf, isFar, marksOf, withMargin } from "./items.js";

const PLACE_ZOOM = 16; // zoom at which a place is shown
const SETTLEMENT_ZOOM = 12; // zoom at which a settlement is shown, a place without a category
const MAX_ZOOM_DIFFERENCE = 4; // maximum number of levels between the zoom of the map and the zoom for a chosen place
const AREA_DELAY = 350; // time from the end of a movement to the request for the places of the area, in milliseconds
const MAX_COVERED = 0.55; // maximum fraction of the height of the map that counts as covered by a sheet on a phone
const MAX_FITTED = 20; // maximum number of results to which the map is fitted

// MapPane has the map of an AroundView. It has no map if there are neither tiles nor a position.
export class MapPane {
	map = null; // MapView
	area = null; // response of read_field_area for the visible area; {} if the first request failed
	#fittedView = null; // view of the map after it was fitted to the content, null until it is at rest
	#readController = null; // AbortController of the latest request for the area
	#hasAreaFailed = false; // whether the latest request for the area has failed
	#areaTimer = 0; // timer of the next request for the area
	#closeMenu = () => {}; // closes the menu of #onPress and removes its anchor
	#chosen = null; // item of the chosen place, which the map shows
	#hasZoomedIn = false; // whether #choose has zoomed in on the chosen place
	#fittedKey = ""; // identifies the content to which the map was fitted; "restored" for the camera of an earlier view

	// camera is the result of close of an earlier pane, or null.
	constructor(view, camera) {
		this.view = view;
		const { field, app } = view;
		this.searchHereButton = button({
			label: app.words.around.lookHere(), icon: "search", kind: "look-here", hidden: true, run: () => view.searchAround(this.map.view),
		});
		// This observer is created before the observer of the map, so that it sets the padding before the map is fitted.
		const observer = new ResizeObserver(() => this.layout());
		for (const node of [view.finder, view.head.element, view.body, view.card, view.element]) observer.observe(node);
		view.scope.add(() => observer.disconnect());
		view.scope.add(app.connection.subscribe(({ state }) => state === "online" && this.#hasAreaFailed && this.#readArea()));
		view.card.addEventListener("transitionend", ({ target, propertyName }) => {
			if (target === view.card && propertyName === "height") this.onSheet();
		});
		if (field.layer || field.origin) this.#addMap(camera);
		else view.element.classList.add("no-map");
	}

	// isLoading reports whether the first request for the places of the area has no response yet.
	get isLoading() {
		const { field, query } = this.view;
		return Boolean(this.map && this.area === null && !query && !field.origin && !field.isOff && field.action("read_field_area"));
	}

	// close removes the map and returns its camera { center, zoom }, or null if there was no map.
	close() {
		const camera = this.map ? { center: this.map.view, zoom: this.map.view.zoom } : null;
		clearTimeout(this.#areaTimer);
		this.#readController?.abort();
		this.map?.destroy();
		return camera;
	}

	// #addMap adds the map to the view. camera is null for the viewport of the session.
	#addMap(camera) {
		const { view } = this;
		const { app, field } = view;
		const { words } = app;
		const text = words.around;
		this.map = new MapView(view.element, {
			words: {
				map: text.map, zoomIn: text.zoomIn, zoomOut: text.zoomOut, here: text.here, cluster: text.cluster, distance: text.distance,
				number: (count) => words.number(count, { notation: "compact" }),
			},
			icon: (name) => icon(name).firstChild.getAttribute("href"), url: (path) => app.client.address(path),
			layer: field.layer, viewport: camera ?? app.store.session.field_runtime?.map?.viewport,
			onMoveEnd: () => this.#onMoveEnd(), onChoose: (mark) => this.#onChoose(mark),
			onPress: (position, pixel) => this.#onPress(position, pixel), onTap: () => this.#onTap(), onDismiss: () => view.dismiss(),
		});
		if (camera) this.#fittedKey = "restored";
		const tool = (name, label, run) => (
			el("button", { type: "button", "aria-label": label, title: label, on: run && { click: run } }, icon(name))
		);
		const locate = tool("locate", text.whereAmI(), () => view.usePosition());
		const layers = menuButton(tool("layers", text.layers()), () => this.#radiusItems(), { label: text.layers(), end: true });
		this.map.tools.append(el("div", { class: "tool-group" }, locate, layers));
	}

	// #radiusItems returns the items of the menu for the radius and the position of the field.
	#radiusItems() {
		const { view } = this;
		const { field } = view;
		const { words } = view.app;
		const items = field.radii.map(({ value, selected }) => ({
			label: words.around.distance(value), checked: selected, run: () => view.applyChange(field.chooseRadius(value)),
		}));
		const forget = () => { field.forget(); this.#readArea(); view.show(); };
		if (field.origin) items.push(null, { label: words.around.forget(), icon: "close", run: forget });
		return items;
	}

	// layout sets the padding of the map: the widths of its borders that the finder, the card and the tools
	// cover.
	layout() {
		if (!this.map) return undefined;
		const { element, head, card, body, finder } = this.view;
		const rect = element.getBoundingClientRect();
		if (isPhone()) {
			element.style.setProperty("--head", `${head.element.offsetHeight}px`);
			const sheet = card.hidden ? body : card;
			const height = Math.min(rect.bottom - sheet.getBoundingClientRect().top, rect.height * MAX_COVERED);
			return this.map.setPadding({ top: head.element.offsetHeight, bottom: Math.max(0, height) });
		}
		const start = finder.offsetWidth + 24; // with margins; the other border has also the tools of the map
		const end = card.hidden || rect.width < 900 ? 56 : card.offsetWidth + 72;
		const isMirrored = getComputedStyle(element).direction === "rtl";
		return this.map.setPadding(isMirrored ? { left: end, right: start } : { left: start, right: end });
	}

	// onSheet keeps the chosen place in view after the height of a sheet has changed.
	onSheet() {
		this.layout();
		if (this.map && this.#chosen) this.map.reveal(this.#chosen);
	}

	// onField updates the view after a change of the field. Without a position it reads the places of the area.
	// The first position adds the map if there are no tiles.
	onField() {
		const { view } = this;
		if (!view.field.origin) return this.#readArea();
		if (this.map) return undefined;
		view.element.classList.remove("no-map");
		this.#addMap(null);
		return view.element.append(this.searchHereButton, view.card);
	}

	// show shows the items as marks. chosenItem is the item whose card is shown, or null; it gets a mark even if
	// the items do not contain it.
	show(items, chosenItem) {
		if (!this.map) return;
		const { field, query, app } = this.view;
		const shownItems = chosenItem && !items.some(({ id }) => id === chosenItem.id) ? [chosenItem, ...items] : items;
		this.map.setMarks(marksOf(shownItems).map((mark) => ({ ...mark, label: mark.label || app.words.around.placesOnMap() })));
		this.layout();
		this.map.setField(field.origin && !query ? { ...field.origin, radius: field.runtime.radius_meters } : null);
		this.map.setPosition(field.position);
		this.#fit(items, chosenItem);
		this.#choose(items, chosenItem && chosenItem.latitude !== null ? chosenItem : null);
		this.#updateSearchHere();
	}

	// #choose shows a place as the chosen one, or none for null, and moves the map so that the place is in view.
	// If the map shows an area that is too large to recognize the place, it zooms in, and is fitted to the
	// content again after the card is closed.
	#choose(items, chosenItem) {
		if (this.#chosen?.id === chosenItem?.id) return;
		this.#chosen = chosenItem;
		this.map.choose(chosenItem?.id ?? null);
		const zoom = chosenItem?.category ? PLACE_ZOOM : SETTLEMENT_ZOOM;
		if (chosenItem && this.map.view.zoom < zoom - MAX_ZOOM_DIFFERENCE) {
			this.#hasZoomedIn = true;
			this.map.moveTo(chosenItem, zoom);
		} else if (chosenItem) {
			this.map.reveal(chosenItem);
		} else if (this.#hasZoomedIn) {
			this.#hasZoomedIn = false;
			this.#fittedKey = "";
			this.#fit(items, null);
		}
	}

	// #fit fits the map to new content: the results of a search, the circle of the field or the chosen place. It
	// does so once for each content, so that it does not undo movements by the member.
	#fit(items, chosenItem) {
		const { field, query } = this.view;
		const key = this.#keyOf(chosenItem);
		if (!key || key === this.#fittedKey) return;
		const isRestored = this.#fittedKey === "restored" && !chosenItem;
		this.#fittedKey = key;
		this.#fittedView = null;
		if (isRestored) return;
		if (!query && field.origin) return this.map.fit(boundsAround(field.origin, field.runtime.radius_meters), PLACE_ZOOM);
		const bounds = boundsOf(items.filter(({ kind }) => kind === "place").slice(0, MAX_FITTED));
		if (query && bounds) this.map.fit(withMargin(bounds), PLACE_ZOOM);
		else if (chosenItem && chosenItem.latitude !== null) this.map.moveTo(chosenItem, chosenItem.category ? PLACE_ZOOM : SETTLEMENT_ZOOM);
		return undefined;
	}

	// #keyOf returns a text that identifies the present content of the map, or "" if there is none to fit to.
	#keyOf(chosenItem) {
		const { field, search, query } = this.view;
		if (query) return search.status === "done" ? `search ${search.key}` : "";
		if (field.origin) return `field ${JSON.stringify([field.origin, field.runtime.radius_meters])}`;
		return chosenItem ? `place ${chosenItem.id}` : "";
	}

	// #updateSearchHere shows the button that searches at the centre of the map, if the member has moved the map
	// away from the origin of the field.
	#updateSearchHere() {
		const { field, query, searchScope, chosen } = this.view;
		const fitted = this.#fittedView;
		const isNearby = query ? searchScope === "nearby" : true;
		if (!field.origin || !isNearby || !fitted || chosen) return (this.searchHereButton.hidden = true);
		const { view } = this.map;
		const hasMoved = isFar(view, fitted, field.runtime.radius_meters) || view.zoom < fitted.zoom - 1.5;
		return (this.searchHereButton.hidden = !(hasMoved && isFar(view, field.origin, field.runtime.radius_meters)));
	}

	#onMoveEnd() {
		const { field, query } = this.view;
		if (this.#fittedKey) this.#fittedView ??= this.map.view;
		clearTimeout(this.#areaTimer);
		this.#areaTimer = setTimeout(() => {
			if (!field.origin && !query) this.#readArea();
			this.#updateSearchHere();
		}, AREA_DELAY);
	}

	// #onTap closes the card or, on a phone without an open card, lowers the sheet with the list.
	#onTap() {
		const { view } = this;
		if (!view.dismiss() && isPhone()) view.listSheet.set("low");
	}

	// #onChoose opens the card of the place of a mark. For the mark of an area it zooms in or, at the highest zoom,
	// searches around the area: there may be more places in view than the server returns.
	#onChoose({ id, bounds, latitude, longitude }) {
		if (!bounds) return this.view.openCard(id);
		return this.map.canZoomIn ? this.map.fit(bounds) : this.view.searchAround({ latitude, longitude });
	}

	// #onPress opens a menu for a position at a pixel. The menu focuses its anchor when it closes: then the anchor is
	// removed, and the focus moves to the map, so that its keys work.
	#onPress(position, { x, y }) {
		const { view } = this;
		this.#closeMenu();
		const anchor = el("span", { class: "press", tabindex: "-1", vars: { "--x": `${x}px`, "--y": `${y}px` } });
		anchor.addEventListener("focus", () => {
			this.map.focus();
			anchor.remove();
		});
		view.element.append(anchor);
		const label = view.app.words.around.lookHere();
		const hide = openMenu(anchor, [{ label, icon: "search", run: () => view.searchAround(position) }], { label });
		this.#closeMenu = () => {
			hide();
			anchor.remove();
		};
	}

	// #readArea reads the places of the visible area, unless there is a position or a search. After a failure, the
	// area is read again when the map has moved, or when the server is reachable again.
	async #readArea() {
		const { view } = this;
		if (!this.map || view.field.origin || view.query) return;
		this.#readController?.abort();
		const { signal } = (this.#readController = new AbortController());
		try {
			const area = await view.field.readArea(this.map.view.bounds, signal);
			if (signal.aborted || view.scope.signal.aborted) return;
			this.area = area;
			this.#hasAreaFailed = false;
			view.show();
		} catch (error) {
			if (error.name === "AbortError") return;
			this.#hasAreaFailed = true;
			this.area ??= {};
			view.show();
			const isShown = view.field.problem; // the list shows why the server cannot read places
			if (error.status && error.status !== 401 && error.status !== 422 && !isShown) view.app.actions.showError(error);
		}
	}
}
