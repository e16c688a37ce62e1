// The sheet over the map on a phone, which has three heights.

import { velocityOf } from "../map/gesture.js";
import { button } from "../parts/el.js";

const SIZES = ["low", "half", "full"];
const HANDLE_SELECTOR = ".grip, .place-top, .finder-sum"; // the elements by which the sheet can be dragged
const DRAG_THRESHOLD = 6; // minimum length of a drag, in CSS pixels
const FLICK_SPEED = 0.4; // minimum speed of a flick, in CSS pixels per millisecond

// Sheet makes an element a sheet. It adds a grip, a button that changes the height, also with the
// arrow keys. The grip and the head of the element can be dragged. Wider screens show the element
// without a grip.
export class Sheet {
	#drag = null; // { id, y, height, samples, hasMoved }
	#ignoresClick = false; // true between a drag and the click event that follows it

	// label is the name of the content for screen readers, size the initial height. changed is
	// called after each change of the height.
	constructor(element, { words, label, size = "half", changed = () => {} }) {
		Object.assign(this, { element, words, label, changed });
		this.grip = button({ kind: "grip", "aria-label": "" });
		this.grip.addEventListener("click", () => this.#ignoresClick || this.step(1, true));
		this.grip.addEventListener("keydown", (event) => this.#onKey(event));
		element.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
		element.addEventListener("pointermove", (event) => this.#onPointerMove(event));
		for (const type of ["pointerup", "pointercancel"]) element.addEventListener(type, (event) => this.#onPointerUp(event));
		element.classList.add("sheet");
		element.prepend(this.grip);
		this.set(size);
	}

	// set sets the height: "low", "half" or "full".
	set(size) {
		this.size = size;
		this.element.dataset.size = size;
		this.grip.setAttribute("aria-label", this.words.around.sheet(this.label, size));
		this.element.style.removeProperty("height");
		this.changed();
	}

	// step changes the height by a number of steps. If wraps is true, the lowest height follows the
	// highest one.
	step(count, wraps = false) {
		const next = SIZES.indexOf(this.size) + count;
		const index = Math.max(0, Math.min(SIZES.length - 1, next));
		this.set(SIZES[wraps ? (next + SIZES.length) % SIZES.length : index]);
	}

	#onKey(event) {
		const count = { ArrowUp: 1, ArrowDown: -1 }[event.key];
		if (!count) return;
		event.preventDefault();
		this.step(count);
	}

	#onPointerDown(event) {
		const { target } = event;
		const isHandle = target.closest(HANDLE_SELECTOR) && !target.closest("a, button:not(.grip)");
		if (event.button !== 0 || !isHandle || !this.grip.offsetParent) return; // the grip is hidden on wide screens
		target.closest(HANDLE_SELECTOR).setPointerCapture(event.pointerId);
		this.#drag = { id: event.pointerId, y: event.clientY, height: this.element.offsetHeight, samples: [], hasMoved: false };
		this.#ignoresClick = false;
	}

	#onPointerMove({ pointerId, clientX: x, clientY: y, timeStamp: time }) {
		const drag = this.#drag;
		if (drag?.id !== pointerId) return;
		const distance = drag.y - y;
		drag.samples.push({ x, y, time });
		if (Math.abs(distance) < DRAG_THRESHOLD && !drag.hasMoved) return;
		drag.hasMoved = true;
		this.element.classList.add("is-dragged");
		this.element.style.setProperty("height", `${Math.max(0, drag.height + distance)}px`);
	}

	#onPointerUp({ pointerId, timeStamp }) {
		const drag = this.#drag;
		if (drag?.id !== pointerId) return;
		this.#drag = null;
		this.element.classList.remove("is-dragged");
		if (!drag.hasMoved) return;
		const part = this.element.offsetHeight / (this.element.offsetParent?.offsetHeight || innerHeight);
		this.set(sizeAfter(part, velocityOf(drag.samples, timeStamp).vy));
		this.#ignoresClick = true;
		setTimeout(() => (this.#ignoresClick = false)); // after the click that ends the drag
	}
}

// sizeAfter returns the height after a drag: the next one in the direction of a flick, or else the
// nearest one. part is the height of the sheet as a fraction of the screen height. velocity is the
// velocity of the drag in CSS pixels per millisecond, positive downwards.
export function sizeAfter(part, velocity) {
	if (velocity < -FLICK_SPEED) return part < 0.5 ? "half" : "full";
	if (velocity > FLICK_SPEED) return part > 0.5 ? "half" : "low";
	return part < 0.28 ? "low" : part < 0.66 ? "half" : "full";
}
