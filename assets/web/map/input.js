// The input of a map: events of pointers, of the wheel, of the trackpad and of the keyboard.

import { Gesture, LONG_PRESS, TAP_TIME } from "./gesture.js";
import { clamp } from "./projection.js";

const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }; // movement of the content
const ARROW_STEP = 80; // CSS pixels by which an arrow key moves the content

// Input turns the events of a map into calls of handlers. A pixel is {x, y} in CSS pixels, relative to
// the container.
//
//   start()               the first pointer is down, or a gesture of a trackpad begins
//   end(velocity)         the last pointer is up; velocity is null unless a drag ends
//   pan(dx, dy)           a drag or a pinch moves the content
//   zoom(change, pixel)   a pinch, or a drag after a tap, changes the zoom by a fractional number of
//                         levels, about the pixel
//   wheel(change, pixel)  the same for the wheel
//   step(dx, dy)          an arrow key moves the content
//   level(levels, pixel)  a double tap, a two-finger tap or a key changes the zoom by integer levels,
//                         about the pixel; a key has no pixel
//   tap(pixel)            a tap on the canvas that is not part of a double tap
//   press(pixel)          a long press, a secondary click or the menu key, which has no pixel
//   dismiss()             Escape; if it returns false, the event keeps its default action and bubbles
export class Input {
	#container;
	#canvas;
	#marks;
	#handlers;
	#gesture;
	#pointerListeners = null; // AbortController of the listeners during a gesture
	#rect = null; // bounding rectangle of the container, cached during a gesture
	#scale = 1; // scale of the latest gesture event of a trackpad
	#pressTimer = 0; // timer of a long press
	#tapTimer = 0; // timer that delays a tap until it cannot become a double tap

	// canvas and marks are the elements that receive the events. They fill the container. When
	// signal is aborted, the listeners are removed and the gesture is cancelled.
	constructor({ container, canvas, marks }, handlers, signal) {
		this.#container = container;
		this.#canvas = canvas;
		this.#marks = marks;
		this.#handlers = handlers;
		this.#gesture = new Gesture({
			start: () => {
				clearTimeout(this.#tapTimer);
				handlers.start();
			},
			drag: (id) => canvas.hasPointerCapture(id) || canvas.setPointerCapture(id),
			pan: handlers.pan,
			zoom: (change, x, y) => handlers.zoom(change, { x, y }),
			tap: (x, y) => (this.#tapTimer = setTimeout(() => handlers.tap({ x, y }), TAP_TIME)),
			doubleTap: (x, y) => handlers.level(1, { x, y }),
			twoFingerTap: (x, y) => handlers.level(-1, { x, y }),
			longPress: (x, y) => handlers.press({ x, y }),
			end: (velocity) => {
				this.#endGesture();
				handlers.end(velocity);
			},
		});
		for (const element of [canvas, marks]) this.#listen(element, signal);
		signal.addEventListener("abort", () => this.reset(), { once: true });
	}

	// isActive reports whether a pointer is down.
	get isActive() {
		return this.#gesture.isActive;
	}

	// reset cancels the gesture and its timers.
	reset() {
		clearTimeout(this.#tapTimer);
		clearTimeout(this.#pressTimer);
		this.#gesture.reset();
	}

	#listen(element, signal) {
		element.addEventListener("pointerdown", (event) => this.#pointerDown(event), { signal });
		element.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
		element.addEventListener("keydown", (event) => this.#key(event), { signal });
		element.addEventListener("contextmenu", (event) => this.#contextMenu(event), { signal });
		element.addEventListener("gesturestart", (event) => this.#trackpad(event), { signal });
		element.addEventListener("gesturechange", (event) => this.#trackpad(event), { signal });
		// The click after a drag or a long press must not activate a mark. Clicks by the keyboard have detail 0.
		element.addEventListener("click", (event) => {
			if (event.detail && this.#gesture.isConsumed) event.stopPropagation();
		}, { signal, capture: true });
	}

	// #pixelOf returns the pixel of an event.
	#pixelOf({ clientX, clientY }) {
		const { left, top: topEdge } = this.#rect ?? this.#container.getBoundingClientRect();
		return { x: clientX - left - this.#container.clientLeft, y: clientY - topEdge - this.#container.clientTop };
	}

	#pointerDown(event) {
		if (event.pointerType === "mouse" && (event.button !== 0 || event.ctrlKey)) return;
		if (!this.#pointerListeners) this.#startGesture();
		const { x, y } = this.#pixelOf(event);
		const onMark = this.#marks.contains(event.target);
		if (!onMark) this.#canvas.setPointerCapture(event.pointerId);
		this.#gesture.down(event.pointerId, x, y, event.timeStamp, { type: event.pointerType, onMark });
		clearTimeout(this.#pressTimer);
		this.#pressTimer = setTimeout(() => this.#gesture.hold(performance.now() + 1), LONG_PRESS);
	}

	// #startGesture listens to the events of pointers on the document, because the mark under a pointer can
	// be removed during the gesture.
	#startGesture() {
		this.#rect = this.#container.getBoundingClientRect();
		this.#pointerListeners = new AbortController();
		const { signal } = this.#pointerListeners;
		document.addEventListener("pointermove", (event) => {
			const { x, y } = this.#pixelOf(event);
			this.#gesture.move(event.pointerId, x, y, event.timeStamp);
		}, { signal });
		document.addEventListener("pointerup", (event) => this.#gesture.up(event.pointerId, event.timeStamp), { signal });
		document.addEventListener("pointercancel", (event) => this.#gesture.cancel(event.pointerId), { signal });
	}

	#endGesture() {
		clearTimeout(this.#pressTimer);
		this.#pointerListeners?.abort();
		this.#pointerListeners = null;
		this.#rect = null;
	}

	// #wheel handles the wheel, and the pinch of a trackpad in browsers that report it as a wheel event
	// with ctrlKey.
	#wheel(event) {
		event.preventDefault();
		if (this.isActive) return;
		const unit = [1, 20, this.#container.clientHeight][event.deltaMode]; // CSS pixels of a pixel, a line, a page
		this.#handlers.wheel(clamp((-event.deltaY * unit) / (event.ctrlKey ? 100 : 280), -1, 1), this.#pixelOf(event));
	}

	// #trackpad handles the gesture events of Safari, which sends no wheel events for a pinch.
	#trackpad(event) {
		event.preventDefault();
		if (this.isActive) return;
		if (event.type === "gesturestart") this.#handlers.start();
		else this.#handlers.zoom(Math.log2(event.scale / this.#scale), this.#pixelOf(event));
		this.#scale = event.scale;
	}

	#key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const arrow = ARROWS[event.key];
		if (arrow) this.#handlers.step(arrow[0] * ARROW_STEP, arrow[1] * ARROW_STEP);
		else if (event.key === "+" || event.key === "=") this.#handlers.level(1);
		else if (event.key === "-" || event.key === "_") this.#handlers.level(-1);
		else if (event.key !== "Escape" || this.#handlers.dismiss() === false) return;
		event.preventDefault();
		event.stopPropagation();
	}

	// #contextMenu handles the secondary click and the menu key. Gesture recognizes long presses by touch.
	#contextMenu(event) {
		event.preventDefault();
		if (this.isActive || event.pointerType === "touch") return;
		const isClick = event.button === 2 || event.ctrlKey; // a click with Control is a secondary click on a Mac
		this.#handlers.press(isClick ? this.#pixelOf(event) : undefined);
	}
}
