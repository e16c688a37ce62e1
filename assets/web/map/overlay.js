// The overlay of a map: circles, the position of the device, the scale and the attribution.

import { freeMiddle, toPixel, viewBox } from "./camera.js";
import { WORLD, clamp, metresPerPixel, nearestCopy, project, ringRadii, scaleBar, unproject } from "./projection.js";

const RING_SPACING = 110; // minimum distance of the distance rings, in CSS pixels
const MAX_SCALE_WIDTH = 120; // in CSS pixels
const MAX_RADIUS = 1e5; // maximum radius of a circle that is drawn, in CSS pixels

// Overlay has the elements of the overlay of a map, which the caller adds to the document. drawing and
// positionMark belong over the tiles.
export class Overlay {
	drawing = newSVG("svg"); // the circles
	positionMark = newElement("span", "here");
	scale = newElement("div", "map-scale");
	attribution = newElement("p", "map-att");

	#words;
	#position = null; // {latitude, longitude, accuracy}
	#field = null; // {latitude, longitude, radius}
	#accuracyCircle = newSVG("circle", "map-accuracy");
	#fieldCircle = newSVG("circle", "map-field");
	#distanceRings = newSVG("g", "map-rings"); // alternating circle and text elements

	// words has functions that return texts: here(), the label of the position, and distance(metres).
	constructor(words) {
		this.#words = words;
		this.drawing.setAttribute("class", "map-drawing");
		this.drawing.setAttribute("aria-hidden", "true");
		this.drawing.append(this.#distanceRings, this.#fieldCircle, this.#accuracyCircle);
		this.positionMark.setAttribute("role", "img");
		this.positionMark.setAttribute("aria-label", words.here());
		this.positionMark.hidden = true;
		this.scale.setAttribute("aria-hidden", "true");
	}

	// setPosition sets the position of the device, {latitude, longitude, accuracy} with the accuracy in
	// metres, or none for null. place shows it.
	setPosition(position) {
		this.#position = position;
		this.positionMark.hidden = !position;
	}

	// setField sets the circle {latitude, longitude, radius} with the radius in metres, or none for null.
	// place shows it.
	setField(field) {
		this.#field = field;
	}

	// setAttribution shows a list of attributions {label, url}. A url that is not HTTP is not linked.
	setAttribution(list) {
		this.attribution.replaceChildren();
		for (const { label, url } of list) {
			if (this.attribution.firstChild) this.attribution.append(" · ");
			const element = newElement(isHTTP(url) ? "a" : "span");
			element.textContent = label;
			if (isHTTP(url)) Object.assign(element, { href: url, target: "_blank", rel: "noopener noreferrer" });
			this.attribution.append(element);
		}
		this.attribution.hidden = !list.length;
	}

	// place updates all elements for a camera, a size and padding, see camera.js. hasRings shows distance
	// rings around the centre of the field, or without a field around the position; they give orientation
	// on a map without tiles.
	place(camera, size, padding, hasRings) {
		const field = this.#field;
		const position = this.#position;
		placeCircle(this.#fieldCircle, camera, size, field, field?.radius);
		placeCircle(this.#accuracyCircle, camera, size, position, position?.accuracy);
		if (position) {
			const { x, y } = toPixel(camera, size, project(position));
			const pixel = { x: clamp(x, -100, size.width + 100), y: clamp(y, -100, size.height + 100) };
			this.positionMark.style.setProperty("translate", `${pixel.x}px ${pixel.y}px`);
		}
		this.#updateDistanceRings(camera, size, hasRings ? field ?? position : null);
		this.#updateScale(camera, size, padding);
	}

	// #updateScale sets the width and the text of the scale for the latitude of the centre of the uncovered part of the map.
	#updateScale(camera, size, padding) {
		const { y } = freeMiddle(size, padding);
		const { latitude } = unproject({ x: 0, y: clamp(camera.y + (y - size.height / 2) / 2 ** camera.zoom, 0, WORLD) });
		const { metres, width } = scaleBar(metresPerPixel(latitude, camera.zoom), MAX_SCALE_WIDTH);
		this.scale.style.setProperty("width", `${width}px`);
		const text = this.#words.distance(metres);
		if (this.scale.textContent !== text) this.scale.textContent = text;
	}

	// #updateDistanceRings draws the distance rings around the position centre, or none for null.
	#updateDistanceRings(camera, size, centre) {
		if (!centre) return this.#distanceRings.replaceChildren();
		const point = project(centre);
		const pixel = toPixel(camera, size, point);
		const perPixel = metresPerPixel(centre.latitude, camera.zoom);
		const { near, far } = distanceRange(camera, size, point);
		const radii = ringRadii(perPixel, RING_SPACING, near, Math.min(far, MAX_RADIUS));
		while (this.#distanceRings.childElementCount > 2 * radii.length) this.#distanceRings.lastChild.remove();
		while (this.#distanceRings.childElementCount < 2 * radii.length) this.#distanceRings.append(newSVG("circle"), newSVG("text"));
		radii.forEach((metres, n) => {
			const radius = metres / perPixel;
			setAttributes(this.#distanceRings.children[2 * n], { cx: pixel.x, cy: pixel.y, r: radius });
			const text = this.#distanceRings.children[2 * n + 1];
			setAttributes(text, { x: pixel.x, y: pixel.y - radius });
			text.textContent = this.#words.distance(metres);
		});
	}
}

// distanceRange returns the minimum and the maximum distance of the visible area from a point, in pixels.
function distanceRange(camera, size, point) {
	const box = viewBox(camera, size);
	const x = nearestCopy(point.x, camera.x);
	const scale = 2 ** camera.zoom;
	const minDistance = Math.hypot(x - clamp(x, box.left, box.right), point.y - clamp(point.y, box.top, box.bottom));
	const far = Math.hypot(Math.max(x - box.left, box.right - x), Math.max(point.y - box.top, box.bottom - point.y));
	return { near: minDistance * scale, far: far * scale };
}

// placeCircle places a circle around a position, with a radius in metres. It hides the circle if there is
// no position or no radius, or if the radius is at least MAX_RADIUS, because such a circle is rarely in view.
function placeCircle(circle, camera, size, position, metres) {
	const radius = position && metres > 0 ? metres / metresPerPixel(position.latitude, camera.zoom) : 0;
	const isShown = radius > 0 && radius < MAX_RADIUS;
	circle.toggleAttribute("hidden", !isShown);
	if (!isShown) return;
	const { x, y } = toPixel(camera, size, project(position));
	setAttributes(circle, { cx: x, cy: y, r: radius });
}

// setAttributes sets attributes to numbers, rounded to one decimal.
function setAttributes(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value.toFixed(1));
}

// newSVG returns a new SVG element with a class.
function newSVG(name, className) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	if (className) element.setAttribute("class", className);
	return element;
}

// newElement returns a new HTML element with a class.
export function newElement(name, className = "") {
	const element = document.createElement(name);
	element.className = className;
	return element;
}

const isHTTP = (url) => /^https?:\/\//i.test(url ?? "");
