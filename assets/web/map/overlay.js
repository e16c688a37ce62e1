// What the map shows over the tiles besides marks: circles, the own position, the scale
// and the attribution.

import { freeMiddle, toPixel, viewBox } from "./camera.js";
import { WORLD, clamp, metresPerPixel, nearestCopy, project, ringRadii, scaleBar, unproject } from "./projection.js";

const RING_SPACING = 110; // pixels at least between rings
const SCALE_WIDTH = 120; // pixels of the scale at most
const MAX_RADIUS = 1e5; // pixels of the greatest circle that is drawn

export class Overlay {
	// Circles and the own position, to be placed over the tiles.
	drawing = newSVG("svg");
	here = newElement("span", "here");
	scale = newElement("div", "map-scale");
	attribution = newElement("p", "map-att");

	#words;
	#position = null; // {latitude, longitude, accuracy}
	#field = null; // {latitude, longitude, radius}
	#accuracy = newSVG("circle", "map-accuracy");
	#circle = newSVG("circle", "map-field");
	#rings = newSVG("g", "map-rings");

	// words: here() and distance(metres).
	constructor(words) {
		this.#words = words;
		this.drawing.setAttribute("class", "map-drawing");
		this.drawing.setAttribute("aria-hidden", "true");
		this.drawing.append(this.#rings, this.#circle, this.#accuracy);
		this.here.setAttribute("role", "img");
		this.here.setAttribute("aria-label", words.here());
		this.here.hidden = true;
		this.scale.setAttribute("aria-hidden", "true");
	}

	setPosition(position) {
		this.#position = position;
		this.here.hidden = !position;
	}

	setField(field) {
		this.#field = field;
	}

	// Shows attributions {label, url}.
	setAttribution(list) {
		this.attribution.replaceChildren();
		for (const { label, url } of list) {
			if (this.attribution.firstChild) this.attribution.append(" · ");
			const element = newElement(isWeb(url) ? "a" : "span");
			element.textContent = label;
			if (isWeb(url)) Object.assign(element, { href: url, target: "_blank", rel: "noopener noreferrer" });
			this.attribution.append(element);
		}
		this.attribution.hidden = !list.length;
	}

	// withRings is true for a map without tiles.
	place(camera, size, padding, withRings) {
		const field = this.#field;
		const position = this.#position;
		placeCircle(this.#circle, camera, size, field, field?.radius);
		placeCircle(this.#accuracy, camera, size, position, position?.accuracy);
		if (position) {
			const { x, y } = toPixel(camera, size, project(position));
			const pixel = { x: clamp(x, -100, size.width + 100), y: clamp(y, -100, size.height + 100) };
			this.here.style.setProperty("translate", `${pixel.x}px ${pixel.y}px`);
		}
		this.#placeRings(camera, size, withRings ? field ?? position : null);
		this.#placeScale(camera, size, padding);
	}

	#placeScale(camera, size, padding) {
		const { y } = freeMiddle(size, padding);
		const { latitude } = unproject({ x: 0, y: clamp(camera.y + (y - size.height / 2) / 2 ** camera.zoom, 0, WORLD) });
		const { metres, width } = scaleBar(metresPerPixel(latitude, camera.zoom), SCALE_WIDTH);
		this.scale.style.setProperty("width", `${width}px`);
		const text = this.#words.distance(metres);
		if (this.scale.textContent !== text) this.scale.textContent = text;
	}

	#placeRings(camera, size, centre) {
		if (!centre) return this.#rings.replaceChildren();
		const point = project(centre);
		const pixel = toPixel(camera, size, point);
		const perPixel = metresPerPixel(centre.latitude, camera.zoom);
		const { near, far } = reach(camera, size, point);
		const radii = ringRadii(perPixel, RING_SPACING, near, Math.min(far, MAX_RADIUS));
		while (this.#rings.childElementCount > 2 * radii.length) this.#rings.lastChild.remove();
		while (this.#rings.childElementCount < 2 * radii.length) this.#rings.append(newSVG("circle"), newSVG("text"));
		radii.forEach((metres, n) => {
			const radius = metres / perPixel;
			setAttributes(this.#rings.children[2 * n], { cx: pixel.x, cy: pixel.y, r: radius });
			const text = this.#rings.children[2 * n + 1];
			setAttributes(text, { x: pixel.x, y: pixel.y - radius });
			text.textContent = this.#words.distance(metres);
		});
	}
}

// reach returns the distances of the nearest and the farthest point of the view, in pixels.
function reach(camera, size, point) {
	const box = viewBox(camera, size);
	const x = nearestCopy(point.x, camera.x);
	const scale = 2 ** camera.zoom;
	const near = Math.hypot(x - clamp(x, box.left, box.right), point.y - clamp(point.y, box.top, box.bottom));
	const far = Math.hypot(Math.max(x - box.left, box.right - x), Math.max(point.y - box.top, box.bottom - point.y));
	return { near: near * scale, far: far * scale };
}

// placeCircle places a circle of some metres around a position. It is hidden without a
// radius, and when it is so large that the view is likely to be inside.
function placeCircle(circle, camera, size, position, metres) {
	const radius = position && metres > 0 ? metres / metresPerPixel(position.latitude, camera.zoom) : 0;
	const shown = radius > 0 && radius < MAX_RADIUS;
	circle.toggleAttribute("hidden", !shown);
	if (!shown) return;
	const { x, y } = toPixel(camera, size, project(position));
	setAttributes(circle, { cx: x, cy: y, r: radius });
}

function setAttributes(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value.toFixed(1));
}

function newSVG(name, className) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	if (className) element.setAttribute("class", className);
	return element;
}

// newElement returns an element of a class.
export function newElement(name, className = "") {
	const element = document.createElement(name);
	element.className = className;
	return element;
}

const isWeb = (url) => /^https?:\/\//i.test(url ?? "");
