// The pointers, the wheel and the keys of a map.

import { Gesture, LONG_PRESS, TAP_TIME } from "./gesture.js";
import { clamp } from "./projection.js";

const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP = 80; // pixels of an arrow key

// Input turns the events of a map into calls of handlers. A pixel is {x, y} in the container:
//
//   start()               the first pointer is down
//   end(velocity)         the last pointer is up; velocity is null unless a drag ends
//   pan(dx, dy)           of a drag
//   zoom(change, pixel)   of a pinch, by levels, about a pixel
//   wheel(change, pixel)  the same, of a wheel
//   step(dx, dy)          of an arrow key
//   level(levels, pixel)  to an integer zoom, about a pixel or, without one, the middle
//   tap(pixel)            on the map, unless it begins a double tap
//   press(pixel)          a long press, a secondary click or the menu key, which has no pixel
//   dismiss()             Escape; returns false to let it act elsewhere
export class Input {
	#container;
	#canvas;
	#marks;
	#on;
	#gesture;
	#pointers = null; // AbortController of the listeners during a gesture
	#rect = null; // of the container, during a gesture
	#scale = 1; // of the latest gesture event of a trackpad
	#pressTimer = 0;
	#tapTimer = 0;

	// canvas and marks are the elements that take the input. signal ends it.
	constructor({ container, canvas, marks }, handlers, signal) {
		this.#container = container;
		this.#canvas = canvas;
		this.#marks = marks;
		this.#on = handlers;
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

	// Whether a pointer is down.
	get active() {
		return this.#gesture.active;
	}

	// Ends what the pointers have begun.
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
		element.addEventListener("click", (event) => {
			if (event.detail && this.#gesture.consumed) event.stopPropagation();
		}, { signal, capture: true });
	}

	#pixelOf({ clientX, clientY }) {
		const { left, top } = this.#rect ?? this.#container.getBoundingClientRect();
		return { x: clientX - left - this.#container.clientLeft, y: clientY - top - this.#container.clientTop };
	}

	#pointerDown(event) {
		if (event.pointerType === "mouse" && (event.button !== 0 || event.ctrlKey)) return;
		if (!this.#pointers) this.#startGesture();
		const { x, y } = this.#pixelOf(event);
		const onMark = this.#marks.contains(event.target);
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
	}

	#wheel(event) {
		event.preventDefault();
		if (this.active) return;
		const unit = [1, 20, this.#container.clientHeight][event.deltaMode];
		this.#on.wheel(clamp((-event.deltaY * unit) / (event.ctrlKey ? 100 : 280), -1, 1), this.#pixelOf(event));
	}

	// trackpad handles the gesture events of Safari, which sends no wheel events for a pinch.
	#trackpad(event) {
		event.preventDefault();
		if (this.active) return;
		if (event.type === "gesturestart") this.#on.start();
		else this.#on.zoom(Math.log2(event.scale / this.#scale), this.#pixelOf(event));
		this.#scale = event.scale;
	}

	#key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const arrow = ARROWS[event.key];
		if (arrow) this.#on.step(arrow[0] * STEP, arrow[1] * STEP);
		else if (event.key === "+" || event.key === "=") this.#on.level(1);
		else if (event.key === "-" || event.key === "_") this.#on.level(-1);
		else if (event.key !== "Escape" || this.#on.dismiss() === false) return;
		event.preventDefault();
		event.stopPropagation();
	}

	#contextMenu(event) {
		event.preventDefault();
		if (this.active || event.pointerType === "touch") return;
		const byPointer = event.button === 2 || event.ctrlKey;
		this.#on.press(byPointer ? this.#pixelOf(event) : undefined);
	}
}
