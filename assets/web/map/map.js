// A map that the member moves: raster tiles of a layer of service.map.runtime, marks,
// the own position and a circle.

import * as camera from "./camera.js";
import { Input } from "./input.js";
import { MarkLayer, newIcon } from "./marklayer.js";
import { inertia, travel, zoomTo } from "./motion.js";
import { Overlay, newElement } from "./overlay.js";
import { clamp, nearestCopy, project, toBounds, toBox, unproject } from "./projection.js";
import { TileLayer } from "./tilelayer.js";

const SHORT = 160; // ms of a step
const LONG = 260; // ms of other movements
const REST = 150; // ms without a movement until it has ended
const MARK_MARGIN = 56; // pixels between a mark that is shown and the border

// MapView fills a positioned container. Options:
//
//   words      functions that return texts: map(), zoomIn(), zoomOut(), here(),
//              cluster(count), number(count), distance(metres)
//   icon       function (name): URL of a symbol for <use>
//   url        function (path): URL of a published path; by default the path
//   layer      layer of service.map.runtime, or null for a map without tiles
//   viewport   viewport of service.map.runtime: {center, zoom, bounds}
//   onMoveEnd  function (view); see view
//   onChoose   function (mark): a mark has been activated
//   onTap      function (): a tap or a click beside the marks
//   onPress    function ({latitude, longitude}, {x, y}): a long press, a secondary click or
//              the menu key; x and y are pixels of the container
//   onDismiss  function (): Escape. To let it act elsewhere, return false.
export class MapView {
	// Element of the buttons; further groups can be appended.
	tools = newElement("div", "map-tools");

	#container;
	#options;
	#canvas = newElement("div", "mapcanvas");
	#tiles;
	#marks;
	#overlay;
	#input;
	#layer = null;
	#zoomButtons;
	#size = { width: 0, height: 0 };
	#padding = camera.noPadding;
	#camera = { x: 128, y: 128, zoom: 0 };
	#pending = []; // movements for when the size is known
	#motion = null; // see motion.js
	#request = 0; // of an animation frame
	#restTimer = 0;
	#resting = false;
	#shown = false; // whether the map has rested: movements before that are not animated
	#listening = new AbortController();
	#observers = [];

	constructor(container, options) {
		this.#container = container;
		this.#options = options;
		this.#tiles = new TileLayer(options.url ?? ((path) => path), () => this.#schedule());
		this.#overlay = new Overlay(options.words);
		this.#marks = new MarkLayer({
			cell: 56 * (parseFloat(getComputedStyle(document.documentElement).fontSize) / 16),
			icon: options.icon,
			words: options.words,
			onActivate: (item) => this.#activate(item),
			onFocusLost: () => this.#canvas.focus({ preventScroll: true }),
		});
		this.#build();
		this.#listen();
		this.setLayer(options.layer ?? null);
		if (options.viewport) this.show(options.viewport);
		this.#observe();
	}

	// ------------------------------------------------------------------ content

	// Shows another layer, or null for none.
	setLayer(layer) {
		this.#layer = layer;
		this.#tiles.setLayer(layer);
		this.#overlay.setAttribution(layer?.attribution ?? []);
		this.#move(this.#camera);
	}

	// Shows marks {id, latitude, longitude, label, icon, count, bounds}, in the order of the list; see clusters.js.
	setMarks(marks) {
		this.#marks.set(marks);
		this.#schedule();
	}

	// Chooses a mark by its id, or null for none.
	choose(id) {
		this.#marks.choose(id);
		this.#schedule();
	}

	// Points out the mark with an id, or the cluster that contains it; null for none.
	pointOut(id) {
		this.#marks.pointOut(id);
	}

	// Moves the map to show a position beside the covered parts, if it is not there.
	reveal(position) {
		this.#reveal(project(position));
	}

	// Shows the own position {latitude, longitude, accuracy}, accuracy in metres, or null for none.
	setPosition(position) {
		this.#overlay.setPosition(position);
		this.#schedule();
	}

	// Shows a circle {latitude, longitude, radius}, radius in metres, or null for none.
	setField(field) {
		this.#overlay.setField(field);
		this.#schedule();
	}

	// ----------------------------------------------------------------- movement

	// What is shown: {latitude, longitude, zoom, bounds}. The position is that in the middle
	// of the part without padding; the bounds are those of the whole map.
	get view() {
		const middle = camera.toPoint(this.#camera, this.#size, camera.freeMiddle(this.#size, this.#padding));
		return { ...unproject(middle), zoom: this.#camera.zoom, bounds: toBounds(camera.viewBox(this.#camera, this.#size)) };
	}

	// Sets the pixels {top, right, bottom, left} that other parts cover. Attribution and scale are outside of them.
	setPadding(padding) {
		this.#padding = { ...camera.noPadding, ...padding };
		const { right, bottom, left } = this.#padding;
		const mirrored = getComputedStyle(this.#container).direction === "rtl";
		const sides = { bottom, start: mirrored ? right : left, end: mirrored ? left : right };
		for (const [side, pixels] of Object.entries(sides)) this.#container.style.setProperty(`--map-${side}`, `${pixels}px`);
		this.#schedule();
	}

	// Shows a viewport of service.map.runtime: its bounds, or its center at its zoom.
	show({ center, zoom, bounds }) {
		if (bounds) return this.fit(bounds);
		this.#whenSized(() => this.#go(this.#centred(project(center), zoom)));
	}

	// Shows bounds, at most at a zoom.
	fit(bounds, maxZoom = Infinity) {
		this.#whenSized(() => this.#go(this.#fitted(toBox(bounds), maxZoom)));
	}

	// Moves to a position, at a zoom or without a change of it.
	moveTo(position, zoom = null) {
		this.#whenSized(() => this.#go(this.#centred(project(position), zoom ?? this.#camera.zoom)));
	}

	// Changes the zoom by a number of integer levels, about the middle or a pixel.
	zoomBy(levels, pixel = camera.freeMiddle(this.#size, this.#padding), duration = SHORT) {
		const from = this.#goal;
		const zoom = levels > 0 ? Math.floor(from.zoom + 1e-3) + levels : Math.ceil(from.zoom - 1e-3) + levels;
		this.#go(this.#zoomed(from, pixel, zoom), duration);
	}

	// Removes the map and everything that it has started.
	destroy() {
		this.#halt();
		clearTimeout(this.#restTimer);
		this.#listening.abort();
		for (const observer of this.#observers) observer.disconnect();
		this.#tiles.destroy();
		for (const element of [this.#canvas, this.#marks.element, this.tools, this.#overlay.attribution, this.#overlay.scale]) element.remove();
		for (const side of ["bottom", "start", "end"]) this.#container.style.removeProperty(`--map-${side}`);
	}

	get #limits() {
		return { minZoom: this.#layer?.min_zoom ?? 0, maxZoom: this.#layer?.max_zoom ?? 19 };
	}

	// zoomed returns a camera with another zoom, within the limits, about a pixel.
	#zoomed(from, pixel, zoom) {
		return camera.zoomAbout(from, this.#size, pixel, this.#withinRange(zoom));
	}

	#centred(point, zoom) {
		return camera.showAt(point, this.#size, camera.freeMiddle(this.#size, this.#padding), this.#withinRange(zoom));
	}

	#withinRange(zoom) {
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		return clamp(zoom, low, high);
	}

	#fitted(box, maxZoom) {
		const { zoom } = camera.fit(box, this.#size, this.#padding, maxZoom);
		return this.#centred({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, zoom);
	}

	#reveal(point) {
		this.#whenSized(() => {
			const from = this.#goal;
			const { dx, dy } = camera.reveal(camera.toPixel(from, this.#size, point), this.#size, this.#padding, MARK_MARGIN);
			if (Math.abs(dx) > this.#size.width || Math.abs(dy) > this.#size.height) this.#go(this.#centred(point, from.zoom));
			else if (dx || dy) this.#go(camera.panBy(from, dx, dy));
		});
	}

	#whenSized(move) {
		if (this.#size.width) move();
		else this.#pending.push(move);
	}

	// move sets the camera at once.
	#move(next) {
		const before = this.#camera;
		this.#camera = camera.limit(next, this.#size, this.#limits);
		const { x, y, zoom } = this.#camera;
		if (x !== before.x || y !== before.y || zoom !== before.zoom) this.#wake();
		this.#schedule();
	}

	// wake begins a movement.
	#wake() {
		this.#resting = false;
		clearTimeout(this.#restTimer);
		this.#restTimer = 0;
	}

	// go moves the camera within some ms, or at once if it is far away or without motion.
	#go(next, duration = LONG) {
		const from = this.#camera;
		const to = camera.limit({ ...next, x: nearestCopy(next.x, from.x) }, this.#size, this.#limits);
		this.#stop();
		if (!this.#shown || isStill() || !camera.isNear(from, to, this.#size)) return this.#move(to);
		this.#start(travel(from, to, duration));
	}

	// approach changes the zoom about a pixel in the way of a wheel.
	#approach(zoom, pixel) {
		const to = this.#zoomed(this.#camera, pixel, zoom);
		if (isStill()) this.#move(to);
		else this.#start(zoomTo(to, this.#size, pixel));
	}

	#start(motion) {
		this.#motion = motion;
		this.#schedule();
	}

	// stop ends a motion where it is.
	#stop() {
		this.#motion = null;
	}

	// goal is the camera at the end of the motion, or the present one.
	get #goal() {
		return this.#motion?.goal ?? this.#camera;
	}

	// halt ends a motion at its goal, and gestures and frames.
	#halt() {
		this.#move(this.#goal);
		this.#input.reset();
		this.#stop();
		cancelAnimationFrame(this.#request);
		this.#request = 0;
	}

	// ------------------------------------------------------------------ drawing

	#schedule() {
		if (this.#request || !this.#size.width || document.hidden || this.#listening.signal.aborted) return;
		this.#request = requestAnimationFrame((time) => this.#draw(time));
	}

	#draw(time) {
		this.#request = 0;
		if (this.#motion) {
			const { camera: next, isLast } = this.#motion.next(time, this.#camera);
			if (isLast) this.#stop();
			this.#move(next);
		}
		this.#tiles.place(this.#camera, this.#size, this.#resting);
		this.#marks.place(this.#camera, this.#size);
		this.#overlay.place(this.#camera, this.#size, this.#padding, this.#tiles.empty);
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		this.#zoomButtons[0].setAttribute("aria-disabled", String(this.#camera.zoom >= high - 1e-3));
		this.#zoomButtons[1].setAttribute("aria-disabled", String(this.#camera.zoom <= low + 1e-3));
		if (this.#motion) this.#schedule();
		else if (!this.#resting) this.#restTimer ||= setTimeout(() => this.#rest(), REST);
	}

	// rest ends a movement.
	#rest() {
		this.#restTimer = 0;
		if (this.#motion || this.#input.active || !this.#size.width) return;
		this.#zoomAt(camera.freeMiddle(this.#size, this.#padding), camera.snapZoom(this.#camera.zoom, devicePixelRatio));
		this.#tiles.setLayer(this.#layer); // the window may be on another display
		this.#resting = true;
		this.#shown = true;
		this.#schedule();
		this.#options.onMoveEnd?.(this.view);
	}

	#resize() {
		const { clientWidth: width, clientHeight: height } = this.#container;
		if (width === this.#size.width && height === this.#size.height) return;
		if (!width || !height) {
			this.#halt();
			this.#size = { width: 0, height: 0 };
			return;
		}
		this.#size = { width, height };
		for (const move of this.#pending.splice(0)) move();
		this.#move(this.#camera);
		this.#wake();
	}

	// -------------------------------------------------------------------- input

	#build() {
		const { words } = this.#options;
		this.#canvas.tabIndex = 0;
		this.#canvas.setAttribute("role", "application");
		this.#canvas.setAttribute("aria-label", words.map());
		this.#canvas.append(this.#tiles.element, this.#overlay.drawing, this.#overlay.here);
		this.#zoomButtons = [["plus", words.zoomIn(), 1], ["minus", words.zoomOut(), -1]].map(([icon, label, levels]) => {
			const button = newElement("button");
			button.type = "button";
			button.setAttribute("aria-label", label);
			button.append(newIcon(this.#options.icon(icon)));
			button.addEventListener("click", () => this.zoomBy(levels));
			return button;
		});
		const group = newElement("div", "tool-group");
		group.append(...this.#zoomButtons);
		this.tools.append(group);
		this.#container.append(this.#canvas, this.#marks.element, this.tools, this.#overlay.attribution, this.#overlay.scale);
	}

	#observe() {
		const resize = new ResizeObserver(() => this.#resize());
		resize.observe(this.#container);
		const theme = new MutationObserver(() => this.#restyle());
		theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
		this.#observers.push(resize, theme);
		const { signal } = this.#listening;
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#restyle(), { signal });
		window.addEventListener("online", () => {
			this.#tiles.retry();
			this.#schedule();
		}, { signal });
		document.addEventListener("visibilitychange", () => (document.hidden ? this.#halt() : this.#schedule()), { signal });
		this.#resize();
	}

	#restyle() {
		this.#tiles.setLayer(this.#layer);
		this.#schedule();
	}

	#listen() {
		const { onTap, onPress, onDismiss } = this.#options;
		this.#input = new Input({ container: this.#container, canvas: this.#canvas, marks: this.#marks.element }, {
			start: () => this.#stop(),
			pan: (dx, dy) => this.#move(camera.panBy(this.#camera, dx, dy)),
			zoom: (change, pixel) => this.#zoomAt(pixel, this.#camera.zoom + change),
			wheel: (change, pixel) => this.#approach(this.#goal.zoom + change, pixel),
			step: (dx, dy) => this.#go(camera.panBy(this.#goal, dx, dy), SHORT),
			level: (levels, pixel) => this.zoomBy(levels, pixel, pixel ? LONG : SHORT),
			tap: () => onTap?.(),
			press: (pixel = camera.freeMiddle(this.#size, this.#padding)) => onPress?.(unproject(camera.toPoint(this.#camera, this.#size, pixel)), pixel),
			dismiss: () => (onDismiss ? onDismiss() : false),
			end: (velocity) => {
				this.#schedule();
				if (velocity && !isStill() && (velocity.vx || velocity.vy)) this.#start(inertia(velocity));
			},
		}, this.#listening.signal);
		this.#marks.element.addEventListener("focusin", ({ target }) => {
			const item = this.#marks.itemOf(target);
			if (item && target.matches(":focus-visible")) this.#reveal(item);
		}, { signal: this.#listening.signal });
	}

	#zoomAt(pixel, zoom) {
		this.#move(this.#zoomed(this.#camera, pixel, zoom));
	}

	#activate(item) {
		if (item.count === 1) return this.#options.onChoose?.(item.marks[0]);
		const { high } = camera.zoomRange(this.#size, this.#limits);
		const current = this.#goal.zoom;
		const whole = item.marks.length === 1; // a mark that stands for several places
		const split = whole ? Math.min(Math.floor(current) + 2, high) : this.#marks.clusters.splitZoom(item, Math.floor(current) + 1, high);
		if (split === null || split <= current) return whole || this.#options.onChoose?.(item.marks[0]); // several at one position
		const { zoom } = this.#fitted(item.box, whole ? split + 2 : high);
		const wide = Math.floor(zoom - 0.25); // with some space around the marks
		return this.#go(this.#centred({ x: (item.box.left + item.box.right) / 2, y: (item.box.top + item.box.bottom) / 2 }, Math.max(split, wide)));
	}
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
