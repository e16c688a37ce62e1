// An interactive map: raster tiles of a layer of service.map.runtime, marks, the position of the device
// and a circle.

import * as camera from "./camera.js";
import { Input } from "./input.js";
import { MarkLayer, newIcon } from "./marklayer.js";
import { inertiaAnimation, moveAnimation, zoomAnimation } from "./motion.js";
import { Overlay, newElement } from "./overlay.js";
import { clamp, nearestCopy, project, toBounds, toBox, unproject } from "./projection.js";
import { TileLayer } from "./tilelayer.js";

const STEP_DURATION = 160; // duration of the animation of a step by a key or a button, in milliseconds
const MOVE_DURATION = 260; // duration of the other animations, in milliseconds
const REST_DELAY = 150; // time without movement after which the map is at rest, in milliseconds
const MARK_MARGIN = 56; // minimum distance of a revealed mark from the border, in CSS pixels

// MapView is a map that fills a positioned container. A position is {latitude, longitude} in degrees.
// Bounds are {south, west, north, east} in degrees; if they cross the antimeridian, east is less than
// west or greater than 180. Pixels are CSS pixels, relative to the container. Options:
//
//   words      functions that return texts: map(), zoomIn(), zoomOut(), here(),
//              cluster(count), number(count), distance(metres)
//   icon       function (name) that returns the URL of a symbol for <use>
//   url        function (path) that returns the URL of a published path; by default the path
//   layer      layer of service.map.runtime, or null for a map without tiles
//   viewport   viewport of service.map.runtime: {center, zoom, bounds}
//   onMoveEnd  function (view), called when the map comes to rest; see view
//   onChoose   function (mark), called when a mark is activated
//   onTap      function (), called after a tap or a click beside the marks
//   onPress    function (position, {x, y}), called on a long press, a secondary click or the menu key,
//              with the position and the pixel; for the menu key they are at the centre
//   onDismiss  function (), called on Escape; if it returns false, the event keeps its default action
//              and bubbles
export class MapView {
	// tools is the element that contains the buttons. The caller can append groups of buttons.
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
	#pendingMoves = []; // functions that move the camera, called when the size is known
	#animation = null; // see motion.js
	#frame = 0; // id of the requested animation frame, 0 for none
	#restTimer = 0;
	#isAtRest = false; // whether the map is at rest
	#hasRested = false; // whether the map has been at rest once; movements before that are not animated
	#listeners = new AbortController(); // removes all event listeners
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
			onFocusLost: () => this.focus(),
		});
		this.#build();
		this.#listen();
		this.setLayer(options.layer ?? null);
		if (options.viewport) this.show(options.viewport);
		this.#observe();
	}

	// ------------------------------------------------------------------ content

	// setLayer shows the tiles of another layer, or none for null.
	setLayer(layer) {
		this.#layer = layer;
		this.#tiles.setLayer(layer);
		this.#overlay.setAttribution(layer?.attribution ?? []);
		this.#setCamera(this.#camera);
	}

	// setMarks shows marks {id, latitude, longitude, label, icon, count, bounds}, see clusters.js. The focus
	// order is the order of the list.
	setMarks(marks) {
		this.#marks.set(marks);
		this.#schedule();
	}

	// choose shows the mark with an id as the current one, or none for null.
	choose(id) {
		this.#marks.choose(id);
		this.#schedule();
	}

	// highlight highlights the mark with an id or the cluster that contains it, or none for null.
	highlight(id) {
		this.#marks.highlight(id);
	}

	// reveal moves the map so that a position is visible in the uncovered part: by the minimum distance, or
	// to the centre if the position is far away.
	reveal(position) {
		this.#reveal(project(position));
	}

	// setPosition shows the position of the device, {latitude, longitude, accuracy} with the accuracy in
	// metres, or none for null.
	setPosition(position) {
		this.#overlay.setPosition(position);
		this.#schedule();
	}

	// setField shows a circle {latitude, longitude, radius} with the radius in metres, or none for null.
	setField(field) {
		this.#overlay.setField(field);
		this.#schedule();
	}

	// ----------------------------------------------------------------- movement

	// view is the visible area, {latitude, longitude, zoom, bounds}. The position is at the centre of the
	// uncovered part of the map. The bounds are those of the whole map, including the covered parts.
	get view() {
		const centre = camera.toPoint(this.#camera, this.#size, camera.freeMiddle(this.#size, this.#padding));
		return { ...unproject(centre), zoom: this.#camera.zoom, bounds: toBounds(camera.viewBox(this.#camera, this.#size)) };
	}

	// setPadding sets the widths of the covered borders, see camera.js. The padding may lack sides without
	// a covered border. Attribution, scale and buttons are placed outside of the covered borders.
	setPadding(padding) {
		this.#padding = { ...camera.noPadding, ...padding };
		const { right, bottom, left } = this.#padding;
		const isMirrored = getComputedStyle(this.#container).direction === "rtl";
		const sides = { bottom, start: isMirrored ? right : left, end: isMirrored ? left : right };
		for (const [side, pixels] of Object.entries(sides)) this.#container.style.setProperty(`--map-${side}`, `${pixels}px`);
		this.#schedule();
	}

	// show shows a viewport of service.map.runtime: its bounds or, without bounds, its center and zoom.
	show({ center, zoom, bounds }) {
		if (bounds) return this.fit(bounds);
		this.#whenSized(() => this.#animateTo(this.#cameraAtPoint(project(center), zoom)));
	}

	// fit shows bounds, at the highest possible zoom up to maxZoom.
	fit(bounds, maxZoom = Infinity) {
		this.#whenSized(() => this.#animateTo(this.#cameraForBox(toBox(bounds), maxZoom)));
	}

	// moveTo shows a position at the centre of the uncovered part. The zoom null keeps the present one.
	moveTo(position, zoom = null) {
		this.#whenSized(() => this.#animateTo(this.#cameraAtPoint(project(position), zoom ?? this.#camera.zoom)));
	}

	// zoomBy changes the zoom by a number of levels, to an integer zoom, and keeps the point at the pixel in
	// place. The default pixel is the centre of the uncovered part. duration is in milliseconds.
	zoomBy(levels, pixel = camera.freeMiddle(this.#size, this.#padding), duration = STEP_DURATION) {
		const from = this.#goalCamera;
		this.#animateTo(this.#cameraAtZoom(from, pixel, camera.stepZoom(from.zoom, levels)), duration);
	}

	// destroy removes the elements, listeners, observers, timers and requests of the map.
	destroy() {
		this.#pauseDrawing();
		clearTimeout(this.#restTimer);
		this.#listeners.abort();
		for (const observer of this.#observers) observer.disconnect();
		this.#tiles.destroy();
		for (const element of [this.#canvas, this.#marks.element, this.tools, this.#overlay.attribution, this.#overlay.scale]) element.remove();
		for (const side of ["bottom", "start", "end"]) this.#container.style.removeProperty(`--map-${side}`);
	}

	// canZoomIn reports whether the zoom is below the highest one.
	get canZoomIn() {
		return camera.canStep(this.#goalCamera.zoom, camera.zoomRange(this.#size, this.#limits)).closer;
	}

	// focus focuses the map, so that the keys move it.
	focus() {
		this.#canvas.focus({ preventScroll: true });
	}

	// #limits are the limits of the zoom for camera.js. The highest zoom is that of the layer after snapZoom.
	get #limits() {
		return { minZoom: this.#layer?.min_zoom ?? 0, maxZoom: camera.snapZoom(this.#layer?.max_zoom ?? 19, devicePixelRatio) };
	}

	// #cameraAtZoom returns the camera with another zoom, within the limits, that shows the same point at a pixel.
	#cameraAtZoom(from, pixel, zoom) {
		return camera.zoomAbout(from, this.#size, pixel, this.#withinRange(zoom));
	}

	// #cameraAtPoint returns the camera that shows a point at the centre of the uncovered part.
	#cameraAtPoint(point, zoom) {
		return camera.showAt(point, this.#size, camera.freeMiddle(this.#size, this.#padding), this.#withinRange(zoom));
	}

	// #withinRange limits a zoom to the range of possible zooms.
	#withinRange(zoom) {
		const { low, high } = camera.zoomRange(this.#size, this.#limits);
		return clamp(zoom, low, high);
	}

	// #cameraForBox returns the camera that shows a box in the uncovered part.
	#cameraForBox(box, maxZoom) {
		const { zoom } = camera.fitBox(box, this.#size, this.#padding, maxZoom);
		return this.#cameraAtPoint({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, zoom);
	}

	// #reveal is reveal for a point.
	#reveal(point) {
		this.#whenSized(() => {
			const from = this.#goalCamera;
			const { dx, dy } = camera.revealOffset(camera.toPixel(from, this.#size, point), this.#size, this.#padding, MARK_MARGIN);
			if (Math.abs(dx) > this.#size.width || Math.abs(dy) > this.#size.height) this.#animateTo(this.#cameraAtPoint(point, from.zoom));
			else if (dx || dy) this.#animateTo(camera.panBy(from, dx, dy));
		});
	}

	// #whenSized calls move now, or when the size of the map is known.
	#whenSized(move) {
		if (this.#size.width) move();
		else this.#pendingMoves.push(move);
	}

	// #setCamera sets the camera, within the limits, without an animation.
	#setCamera(next) {
		const previous = this.#camera;
		this.#camera = camera.limitCamera(next, this.#size, this.#limits);
		const { x, y, zoom } = this.#camera;
		if (x !== previous.x || y !== previous.y || zoom !== previous.zoom) this.#beginMovement();
		this.#schedule();
	}

	// #beginMovement marks the map as moving. The movement ends REST_DELAY after the last change.
	#beginMovement() {
		this.#isAtRest = false;
		clearTimeout(this.#restTimer);
		this.#restTimer = 0;
	}

	// #animateTo moves the camera with an animation of a duration in milliseconds. A long distance, and a
	// member who prefers reduced motion, get no animation.
	#animateTo(next, duration = MOVE_DURATION) {
		const from = this.#camera;
		const to = camera.limitCamera({ ...next, x: nearestCopy(next.x, from.x) }, this.#size, this.#limits);
		this.#stopAnimation();
		if (!this.#hasRested || reducesMotion() || !camera.isNear(from, to, this.#size)) return this.#setCamera(to);
		this.#startAnimation(moveAnimation(from, to, duration));
	}

	// #zoomSmoothly changes the zoom about a pixel for a wheel, whose events come in fast succession.
	#zoomSmoothly(zoom, pixel) {
		const to = this.#cameraAtZoom(this.#camera, pixel, zoom);
		if (reducesMotion()) this.#setCamera(to);
		else this.#startAnimation(zoomAnimation(to, this.#size, pixel));
	}

	#startAnimation(animation) {
		this.#animation = animation;
		this.#schedule();
	}

	// #stopAnimation ends the animation at the present camera.
	#stopAnimation() {
		this.#animation = null;
	}

	// #goalCamera is the camera at the end of the animation, or the present camera if that is unknown.
	get #goalCamera() {
		return this.#animation?.goal ?? this.#camera;
	}

	// #pauseDrawing ends the animation at its goal, cancels the gesture, and draws nothing until #schedule is
	// called.
	#pauseDrawing() {
		this.#setCamera(this.#goalCamera);
		this.#input.reset();
		this.#stopAnimation();
		cancelAnimationFrame(this.#frame);
		this.#frame = 0;
	}

	// ------------------------------------------------------------------ drawing

	// #schedule requests an animation frame, unless the map is hidden or destroyed.
	#schedule() {
		if (this.#frame || !this.#size.width || document.hidden || this.#listeners.signal.aborted) return;
		this.#frame = requestAnimationFrame((time) => this.#draw(time));
	}

	// #draw draws a frame. time is the time of the animation frame, in milliseconds.
	#draw(time) {
		this.#frame = 0;
		if (this.#animation) {
			const { camera: next, isLast } = this.#animation.next(time, this.#camera);
			if (isLast) this.#stopAnimation();
			this.#setCamera(next);
		}
		this.#tiles.place(this.#camera, this.#size, this.#isAtRest);
		this.#marks.place(this.#camera, this.#size);
		this.#overlay.place(this.#camera, this.#size, this.#padding, this.#tiles.hasNoTiles);
		const { closer, farther } = camera.canStep(this.#camera.zoom, camera.zoomRange(this.#size, this.#limits));
		this.#zoomButtons[0].setAttribute("aria-disabled", String(!closer));
		this.#zoomButtons[1].setAttribute("aria-disabled", String(!farther));
		if (this.#animation) this.#schedule();
		else if (!this.#isAtRest) this.#restTimer ||= setTimeout(() => this.#enterRest(), REST_DELAY);
	}

	// #enterRest is called REST_DELAY after the last movement. It snaps the zoom, so that tiles have no gaps,
	// and calls onMoveEnd. It does nothing while an animation or an input is active.
	#enterRest() {
		this.#restTimer = 0;
		if (this.#animation || this.#input.active || !this.#size.width) return;
		this.#zoomAt(camera.freeMiddle(this.#size, this.#padding), camera.snapZoom(this.#camera.zoom, devicePixelRatio));
		this.#tiles.setLayer(this.#layer); // the device pixel ratio changes when the window moves to another display
		this.#isAtRest = true;
		this.#hasRested = true;
		this.#schedule();
		this.#options.onMoveEnd?.(this.view);
	}

	// #resize updates the size of the map. A hidden container has the size 0.
	#resize() {
		const { clientWidth: width, clientHeight: height } = this.#container;
		if (width === this.#size.width && height === this.#size.height) return;
		if (!width || !height) {
			this.#pauseDrawing();
			this.#size = { width: 0, height: 0 };
			return;
		}
		this.#size = { width, height };
		for (const move of this.#pendingMoves.splice(0)) move();
		this.#setCamera(this.#camera);
		this.#beginMovement();
	}

	// -------------------------------------------------------------------- input

	// #build adds the elements of the map to the container.
	#build() {
		const { words } = this.#options;
		this.#canvas.tabIndex = 0;
		this.#canvas.setAttribute("role", "application");
		this.#canvas.setAttribute("aria-label", words.map());
		this.#canvas.append(this.#tiles.element, this.#overlay.drawing, this.#overlay.positionMark);
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

	// #observe listens for changes of the size, the theme, the network and the visibility of the page.
	#observe() {
		const resize = new ResizeObserver(() => this.#resize());
		resize.observe(this.#container);
		const theme = new MutationObserver(() => this.#restyle());
		theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
		this.#observers.push(resize, theme);
		const { signal } = this.#listeners;
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#restyle(), { signal });
		window.addEventListener("online", () => {
			this.#tiles.retry();
			this.#schedule();
		}, { signal });
		document.addEventListener("visibilitychange", () => (document.hidden ? this.#pauseDrawing() : this.#schedule()), { signal });
		this.#resize();
	}

	// #restyle shows the tiles of the present theme.
	#restyle() {
		this.#tiles.setLayer(this.#layer);
		this.#schedule();
	}

	// #listen listens for input.
	#listen() {
		const { onTap, onPress, onDismiss } = this.#options;
		this.#input = new Input({ container: this.#container, canvas: this.#canvas, marks: this.#marks.element }, {
			start: () => this.#stopAnimation(),
			pan: (dx, dy) => this.#setCamera(camera.panBy(this.#camera, dx, dy)),
			zoom: (change, pixel) => this.#zoomAt(pixel, this.#camera.zoom + change),
			wheel: (change, pixel) => this.#zoomSmoothly(this.#goalCamera.zoom + change, pixel),
			step: (dx, dy) => this.#animateTo(camera.panBy(this.#goalCamera, dx, dy), STEP_DURATION),
			level: (levels, pixel) => this.zoomBy(levels, pixel, pixel ? MOVE_DURATION : STEP_DURATION),
			tap: () => onTap?.(),
			press: (pixel = camera.freeMiddle(this.#size, this.#padding)) => {
				onPress?.(unproject(camera.toPoint(this.#camera, this.#size, pixel)), pixel);
			},
			dismiss: () => (onDismiss ? onDismiss() : false),
			end: (velocity) => {
				this.#schedule();
				if (velocity && !reducesMotion() && (velocity.vx || velocity.vy)) this.#startAnimation(inertiaAnimation(velocity));
			},
		}, this.#listeners.signal);
		this.#marks.element.addEventListener("focusin", ({ target }) => {
			const item = this.#marks.itemOf(target);
			if (item && target.matches(":focus-visible")) this.#reveal(item);
		}, { signal: this.#listeners.signal });
	}

	#zoomAt(pixel, zoom) {
		this.#setCamera(this.#cameraAtZoom(this.#camera, pixel, zoom));
	}

	// #activate handles the activation of a mark or a cluster. A mark of one place is reported to onChoose.
	// For a cluster, the map zooms in until at least two of its marks are separate; for a mark that
	// represents several places, by two levels; and further as long as the box of the item fits. If the map
	// cannot zoom in, or no zoom separates the marks, for example of one position, it reports the first mark
	// to onChoose.
	#activate(item) {
		if (item.count === 1) return this.#options.onChoose?.(item.marks[0]);
		const { high } = camera.zoomRange(this.#size, this.#limits);
		const currentZoom = this.#goalCamera.zoom;
		const isSingleMark = item.marks.length === 1; // a mark that represents several places
		const nextZoom = Math.floor(currentZoom) + 1;
		const split = isSingleMark ? Math.min(nextZoom + 1, high) : this.#marks.clusters.splitZoom(item, nextZoom, high);
		if (split === null || split <= currentZoom) return this.#options.onChoose?.(item.marks[0]);
		const { zoom } = this.#cameraForBox(item.box, isSingleMark ? split + 2 : high);
		const zoomWithMargin = Math.floor(zoom - 0.25);
		const centre = { x: (item.box.left + item.box.right) / 2, y: (item.box.top + item.box.bottom) / 2 };
		return this.#animateTo(this.#cameraAtPoint(centre, Math.max(split, zoomWithMargin)));
	}
}

// reducesMotion reports whether the member prefers reduced motion.
const reducesMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
