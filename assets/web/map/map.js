// A map that the member moves: raster tiles of a layer of service.map.runtime, marks,
// the own position and a circle.

import * as camera from "./camera.js";
import { Gesture, LONG_PRESS, glide } from "./gesture.js";
import { MarkLayer, newIcon } from "./marklayer.js";
import { Overlay } from "./overlay.js";
import { clamp, nearestCopy, project, toBounds, toBox, unproject } from "./projection.js";
import { TileLayer } from "./tilelayer.js";

const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP = 80; // pixels of an arrow key
const SHORT = 160; // ms of a step
const LONG = 260; // ms of other movements
const REST = 150; // ms without a movement until it has ended
const MARK_MARGIN = 56; // pixels between a mark that is shown and the border

// MapView fills a positioned container. Options:
//
//   words      functions that return texts: map(), zoomIn(), zoomOut(), here(),
//              cluster(count), distance(metres)
//   icon       function (name): URL of a symbol for <use>
//   url        function (path): URL of a published path; by default the path
//   layer      layer of service.map.runtime, or null for a map without tiles
//   viewport   viewport of service.map.runtime: {center, zoom, bounds}
//   minZoom, maxZoom, bounds    limits; by default those of the layer, and none
//   onMoveEnd  function (view); see view
//   onChoose   function (mark): a mark has been activated
//   onCluster  function (marks, zooms): a cluster has been activated. zooms is false if no
//              zoom separates the marks. To keep the map as it is, return false.
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
	#gesture;
	#layer = null;
	#zoomButtons;
	#size = { width: 0, height: 0 };
	#padding = camera.noPadding;
	#camera = { x: 128, y: 128, zoom: 0 };
	#pending = []; // movements for when the size is known
	#motion = null; // function (time of a frame) that returns a camera, or null at its end
	#goal = null; // camera at the end of the motion
	#request = 0; // of an animation frame
	#restTimer = 0;
	#pressTimer = 0;
	#resting = false;
	#shown = false; // whether the map has rested: movements before that are not animated
	#rect = null; // of the container, during a gesture
	#gestureZoom = 0; // at the begin of a gesture of a trackpad
	#listening = new AbortController();
	#pointers = null; // AbortController of the listeners during a gesture
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
			number: numberFormat(),
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

	// Shows another layer, or null for none, with its attribution or another one.
	setLayer(layer, attribution = layer?.attribution ?? []) {
		this.#layer = layer;
		this.#tiles.setLayer(layer, isDark());
		this.#overlay.setAttribution(attribution);
		this.#move(this.#camera);
	}

	// Shows marks {id, latitude, longitude, label, icon, count, bounds}, in the order of the list; see clusters.js.
	setMarks(marks) {
		this.#marks.set(marks);
		this.#schedule();
	}

	// Chooses a mark by its id, or null for none. If position is given, the map moves to show it.
	choose(id, position = null) {
		this.#marks.choose(id);
		if (position) this.#reveal(project(position));
		this.#schedule();
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
		const from = this.#goal ?? this.#camera;
		const zoom = levels > 0 ? Math.floor(from.zoom + 1e-3) + levels : Math.ceil(from.zoom - 1e-3) + levels;
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		this.#go(camera.zoomAbout(from, this.#size, pixel, clamp(zoom, low, high)), duration);
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
		const { minZoom, maxZoom, bounds } = this.#options;
		return { minZoom: minZoom ?? this.#layer?.min_zoom ?? 0, maxZoom: maxZoom ?? this.#layer?.max_zoom ?? 19, box: bounds ? toBox(bounds) : null };
	}

	#centred(point, zoom) {
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		return camera.showAt(point, this.#size, camera.freeMiddle(this.#size, this.#padding), clamp(zoom, low, high));
	}

	#fitted(box, maxZoom) {
		const { zoom } = camera.fit(box, this.#size, this.#padding, maxZoom);
		return this.#centred({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, zoom);
	}

	#reveal(point) {
		this.#whenSized(() => {
			const from = this.#goal ?? this.#camera;
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
		let start = null;
		this.#goal = to;
		this.#animate((time) => {
			start ??= time;
			const t = Math.min((time - start) / duration, 1);
			return t < 1 ? camera.between(from, to, 1 - (1 - t) ** 3) : this.#end(to);
		});
	}

	// glide continues a drag with the velocity of its end.
	#glide(velocity) {
		if (isStill() || !velocity || (!velocity.vx && !velocity.vy)) return;
		let before = null;
		this.#animate((time) => {
			const { dx, dy, velocity: left } = glide(velocity, Math.min(time - (before ?? time), 50));
			before = time;
			const next = camera.panBy(this.#camera, dx, dy);
			if (!left) return this.#end(next);
			velocity = left;
			return next;
		});
	}

	// approach changes the zoom about a pixel in the way of a wheel: fast, then slower.
	#approach(zoom, pixel) {
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		const to = camera.zoomAbout(this.#camera, this.#size, pixel, clamp(zoom, low, high));
		if (isStill()) return this.#move(to);
		let before = null;
		this.#goal = to;
		this.#animate((time) => {
			const left = 0.75 ** ((time - (before ?? time - 16)) / 16);
			before = time;
			const difference = this.#camera.zoom - to.zoom;
			return Math.abs(difference) < 0.004 ? this.#end(to) : camera.zoomAbout(this.#camera, this.#size, pixel, to.zoom + difference * left);
		});
	}

	#animate(motion) {
		this.#motion = motion;
		this.#schedule();
	}

	#end(next) {
		this.#motion = null;
		this.#goal = null;
		return next;
	}

	// stop ends a motion where it is.
	#stop() {
		this.#motion = null;
		this.#goal = null;
	}

	// halt ends a motion at its goal, and gestures and frames.
	#halt() {
		if (this.#goal) this.#move(this.#goal);
		this.#gesture.reset();
		this.#stop();
		clearTimeout(this.#pressTimer);
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
		if (this.#motion) this.#move(this.#motion(time));
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
		if (this.#motion || this.#gesture.active || !this.#size.width) return;
		this.#zoomAt(camera.freeMiddle(this.#size, this.#padding), camera.snapZoom(this.#camera.zoom, devicePixelRatio));
		this.#tiles.setLayer(this.#layer, isDark()); // the window may be on another display
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
		this.#tiles.setLayer(this.#layer, isDark());
		this.#schedule();
	}

	#listen() {
		this.#gesture = new Gesture({
			start: () => this.#stop(),
			drag: (id) => this.#canvas.hasPointerCapture(id) || this.#canvas.setPointerCapture(id),
			pan: (dx, dy) => this.#move(camera.panBy(this.#camera, dx, dy)),
			zoom: (change, x, y) => this.#zoomAt({ x, y }, this.#camera.zoom + change),
			doubleTap: (x, y) => this.zoomBy(1, { x, y }, LONG),
			twoFingerTap: (x, y) => this.zoomBy(-1, { x, y }, LONG),
			longPress: (x, y) => this.#press({ x, y }),
			end: (velocity) => {
				this.#endGesture();
				this.#glide(velocity);
			},
		});
		const { signal } = this.#listening;
		for (const element of [this.#canvas, this.#marks.element]) {
			element.addEventListener("pointerdown", (event) => this.#pointerDown(event), { signal });
			element.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
			element.addEventListener("keydown", (event) => this.#key(event), { signal });
			element.addEventListener("contextmenu", (event) => this.#contextMenu(event), { signal });
			element.addEventListener("gesturestart", (event) => this.#trackpad(event), { signal });
			element.addEventListener("gesturechange", (event) => this.#trackpad(event), { signal });
			element.addEventListener("click", (event) => {
				if (event.detail && this.#gesture.consumed) event.stopPropagation();
			}, { signal, capture: true });
		}
		this.#marks.element.addEventListener("focusin", ({ target }) => {
			const item = this.#marks.itemOf(target);
			if (item && target.matches(":focus-visible")) this.#reveal(item);
		}, { signal });
	}

	#zoomAt(pixel, zoom) {
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		this.#move(camera.zoomAbout(this.#camera, this.#size, pixel, clamp(zoom, low, high)));
	}

	#pixelOf({ clientX, clientY }) {
		const { left, top } = this.#rect ?? this.#container.getBoundingClientRect();
		return { x: clientX - left - this.#container.clientLeft, y: clientY - top - this.#container.clientTop };
	}

	#pointerDown(event) {
		if (event.pointerType === "mouse" && (event.button !== 0 || event.ctrlKey)) return;
		if (!this.#pointers) this.#startGesture();
		const { x, y } = this.#pixelOf(event);
		const onMark = this.#marks.element.contains(event.target);
		if (!onMark) this.#canvas.setPointerCapture(event.pointerId);
		this.#gesture.down(event.pointerId, x, y, event.timeStamp, { type: event.pointerType, onMark });
		clearTimeout(this.#pressTimer);
		this.#pressTimer = setTimeout(() => this.#gesture.hold(performance.now() + 1), LONG_PRESS);
	}

	// startGesture listens to all pointers, also after a mark has been removed under one.
	#startGesture() {
		this.#rect = this.#container.getBoundingClientRect();
		this.#pointers = new AbortController();
		const { signal } = this.#pointers;
		document.addEventListener("pointermove", (event) => {
			const { x, y } = this.#pixelOf(event);
			this.#gesture.move(event.pointerId, x, y, event.timeStamp);
		}, { signal });
		document.addEventListener("pointerup", (event) => this.#gesture.up(event.pointerId, event.timeStamp), { signal });
		document.addEventListener("pointercancel", (event) => this.#gesture.cancel(event.pointerId), { signal });
	}

	#endGesture() {
		clearTimeout(this.#pressTimer);
		this.#pointers?.abort();
		this.#pointers = null;
		this.#rect = null;
		this.#schedule();
	}

	#wheel(event) {
		event.preventDefault();
		if (this.#gesture.active) return;
		const unit = [1, 20, this.#size.height][event.deltaMode];
		const change = clamp((-event.deltaY * unit) / (event.ctrlKey ? 100 : 280), -1, 1);
		this.#approach((this.#goal ?? this.#camera).zoom + change, this.#pixelOf(event));
	}

	// trackpad handles the gesture events of Safari, which sends no wheel events for a pinch.
	#trackpad(event) {
		event.preventDefault();
		if (this.#gesture.active) return;
		this.#stop();
		if (event.type === "gesturestart") this.#gestureZoom = this.#camera.zoom;
		else this.#zoomAt(this.#pixelOf(event), this.#gestureZoom + Math.log2(event.scale));
	}

	#key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const arrow = ARROWS[event.key];
		if (arrow) this.#go(camera.panBy(this.#goal ?? this.#camera, arrow[0] * STEP, arrow[1] * STEP), SHORT);
		else if (event.key === "+" || event.key === "=") this.zoomBy(1);
		else if (event.key === "-" || event.key === "_") this.zoomBy(-1);
		else if (event.key !== "Escape" || !this.#options.onDismiss || this.#options.onDismiss() === false) return;
		event.preventDefault();
		event.stopPropagation();
	}

	#contextMenu(event) {
		event.preventDefault();
		if (this.#gesture.active || event.pointerType === "touch") return;
		const byPointer = event.button === 2 || event.ctrlKey;
		this.#press(byPointer ? this.#pixelOf(event) : camera.freeMiddle(this.#size, this.#padding));
	}

	#press(pixel) {
		this.#options.onPress?.(unproject(camera.toPoint(this.#camera, this.#size, pixel)), pixel);
	}

	#activate(item) {
		if (item.count === 1) return this.#options.onChoose?.(item.marks[0]);
		const { high } = camera.zoomRange(this.#size, this.#limits);
		const current = (this.#goal ?? this.#camera).zoom;
		const whole = item.marks.length === 1; // a mark that stands for several places
		const split = whole ? Math.min(Math.floor(current) + 2, high) : this.#marks.clusters.splitZoom(item, Math.floor(current) + 1, high);
		const zooms = split !== null && split > current;
		if (this.#options.onCluster?.(item.marks, zooms) === false || !zooms) return;
		const { zoom } = this.#fitted(item.box, whole ? split + 2 : high);
		const wide = Math.floor(zoom - 0.25); // with some space around the marks
		this.#go(this.#centred({ x: (item.box.left + item.box.right) / 2, y: (item.box.top + item.box.bottom) / 2 }, Math.max(split, wide)));
	}
}

function newElement(name, className = "") {
	const element = document.createElement(name);
	element.className = className;
	return element;
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function isDark() {
	const theme = document.documentElement.dataset.theme;
	return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

// numberFormat returns a function for short numbers, such as 1.2K.
function numberFormat() {
	const format = new Intl.NumberFormat(document.documentElement.lang || undefined, { notation: "compact" });
	return (number) => format.format(number);
}
