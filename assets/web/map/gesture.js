// Gestures of pointers, without DOM. Times are milliseconds, distances pixels.

const VELOCITY_WINDOW = 80; // ms of movement that determine the velocity
const DECAY = 0.94; // of the velocity, per frame of 1/60 s
const FRAME = 1000 / 60;
const STOP_SPEED = 0.02; // px/ms
const DRAG_THRESHOLD = { mouse: 4, other: 8 };
const TAP_DISTANCE = 30;

// Time until a press is a long one, ms.
export const LONG_PRESS = 500;

// Longest time of a tap, and between the taps of a double tap, ms.
export const TAP_TIME = 300;

// Returns the movement {dx, dy} of inertia during some milliseconds, and the velocity
// (vx, vy) in px/ms after it: null when the movement ends.
export function glide({ vx, vy }, elapsed) {
	const left = DECAY ** (elapsed / FRAME);
	const time = (FRAME * (1 - left)) / -Math.log(DECAY);
	const velocity = { vx: vx * left, vy: vy * left };
	return { dx: vx * time, dy: vy * time, velocity: Math.hypot(velocity.vx, velocity.vy) < STOP_SPEED ? null : velocity };
}

// Returns the velocity {vx, vy} in px/ms of the last 80 ms of samples {x, y, time}, or no
// velocity if they ended earlier than 80 ms before now.
export function velocityOf(samples, now) {
	const last = samples.at(-1);
	const first = samples.find((sample) => last.time - sample.time <= VELOCITY_WINDOW);
	const time = last && now - last.time <= VELOCITY_WINDOW ? last.time - first.time : 0;
	return time > 0 ? { vx: (last.x - first.x) / time, vy: (last.y - first.y) / time } : { vx: 0, vy: 0 };
}

// Gesture recognizes drags, pinches, taps and long presses, and calls handlers:
//
//   start()               the first pointer is down
//   drag(id)              a drag or a pinch begins; called for each of its pointers
//   pan(dx, dy)
//   zoom(change, x, y)    by levels, about a pixel
//   tap(x, y)             may be the first of a double tap
//   doubleTap(x, y), twoFingerTap(x, y), longPress(x, y)
//   end(velocity)         the last pointer is up; velocity is null unless a drag ends
export class Gesture {
	#handlers;
	#pointers = new Map(); // by id: {x, y, startX, startY, type}
	#state = "idle"; // "idle", "pressed", "dragging", "pinching", "zooming" (second tap of a double tap that moves), "done"
	#samples = [];
	#onMark = false;
	#startTime = 0;
	#moved = false;
	#lastTap = null;

	constructor(handlers) {
		this.#handlers = handlers;
	}

	get active() {
		return this.#pointers.size > 0;
	}

	// Whether the latest gesture moved the map or was a long press: the click that follows it is to be ignored.
	get consumed() {
		return this.#moved;
	}

	// onMark is true for a pointer on a mark, which has taps of its own. type is the pointerType.
	down(id, x, y, time, { type = "mouse", onMark = false } = {}) {
		if (this.#pointers.size >= 2) return;
		this.#pointers.set(id, { x, y, startX: x, startY: y, type });
		if (this.#pointers.size === 1) {
			this.#state = "pressed";
			this.#startTime = time;
			this.#onMark = onMark;
			this.#moved = false;
			this.#samples = [{ x, y, time }];
			if (this.#lastTap && (time - this.#lastTap.time > TAP_TIME || distance(this.#lastTap, { x, y }) > TAP_DISTANCE)) this.#lastTap = null;
			this.#handlers.start();
			return;
		}
		this.#state = "pinching";
		this.#lastTap = null;
		for (const [pointer, at] of this.#pointers) {
			Object.assign(at, { startX: at.x, startY: at.y });
			this.#handlers.drag(pointer);
		}
	}

	move(id, x, y, time) {
		const pointer = this.#pointers.get(id);
		if (!pointer) return;
		const before = { x: pointer.x, y: pointer.y };
		const previous = this.#state === "pinching" ? this.#pinch() : null;
		pointer.x = x;
		pointer.y = y;
		if (this.#state === "pinching") this.#movePinch(previous);
		else if (this.#state === "pressed") this.#movePressed(id, pointer);
		else if (this.#state === "dragging") this.#handlers.pan(x - before.x, y - before.y);
		else if (this.#state === "zooming") this.#handlers.zoom((y - before.y) / 100, this.#lastTap.x, this.#lastTap.y);
		if (this.#state === "dragging") this.#sample(x, y, time);
	}

	#movePressed(id, pointer) {
		const start = { x: pointer.startX, y: pointer.startY };
		if (distance(start, pointer) < (DRAG_THRESHOLD[pointer.type] ?? DRAG_THRESHOLD.other)) return;
		this.#moved = true;
		this.#state = this.#lastTap && !this.#onMark ? "zooming" : "dragging";
		this.#handlers.drag(id);
		if (this.#state === "dragging") {
			this.#lastTap = null;
			this.#handlers.pan(pointer.x - start.x, pointer.y - start.y);
		}
	}

	// pinch returns the middle of two pointers and their distance.
	#pinch() {
		const [a, b] = this.#pointers.values();
		return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span: Math.max(distance(a, b), 1) };
	}

	#movePinch(previous) {
		const now = this.#pinch();
		const isFar = (p) => distance(p, { x: p.startX, y: p.startY }) >= DRAG_THRESHOLD.other;
		this.#moved ||= [...this.#pointers.values()].some(isFar);
		this.#handlers.pan(now.x - previous.x, now.y - previous.y);
		this.#handlers.zoom(Math.log2(now.span / previous.span), now.x, now.y);
	}

	#sample(x, y, time) {
		this.#samples.push({ x, y, time });
		while (time - this.#samples[0].time > 2 * VELOCITY_WINDOW) this.#samples.shift();
	}

	// To be called LONG_PRESS after the first pointer is down. Returns whether this is a long press.
	hold(time) {
		if (this.#state !== "pressed" || this.#onMark || time - this.#startTime < LONG_PRESS) return false;
		const [{ startX, startY }] = this.#pointers.values();
		this.#state = "done";
		this.#moved = true;
		this.#lastTap = null;
		this.#handlers.longPress(startX, startY);
		return true;
	}

	up(id, time) {
		const pointer = this.#pointers.get(id);
		if (!pointer) return;
		const middle = this.#state === "pinching" ? this.#pinch() : null;
		this.#pointers.delete(id);
		if (this.#pointers.size) {
			this.#leavePinch(middle, time);
			return;
		}
		const state = this.#state;
		this.#state = "idle";
		if (state === "pressed") this.#tap(pointer, time);
		else this.#lastTap = null;
		this.#handlers.end(state === "dragging" ? velocityOf(this.#samples, time) : null);
	}

	// leavePinch continues with the remaining pointer, as a drag if the pinch moved.
	#leavePinch(middle, time) {
		if (!middle) return;
		const [rest] = this.#pointers.values();
		if (this.#moved) {
			this.#state = "dragging";
			this.#samples = [{ x: rest.x, y: rest.y, time }];
			return;
		}
		this.#state = "done";
		this.#moved = true;
		if (time - this.#startTime <= TAP_TIME) this.#handlers.twoFingerTap(middle.x, middle.y);
	}

	#tap({ x, y }, time) {
		if (this.#onMark || time - this.#startTime > TAP_TIME) {
			this.#lastTap = null;
			return;
		}
		const second = this.#lastTap;
		this.#lastTap = second ? null : { x, y, time };
		if (second) this.#handlers.doubleTap(x, y);
		else this.#handlers.tap(x, y);
	}

	// Ends a pointer without an effect, for pointercancel.
	cancel(id) {
		if (!this.#pointers.delete(id)) return;
		this.#lastTap = null;
		if (this.#pointers.size) {
			this.#state = "done";
			return;
		}
		this.#state = "idle";
		this.#handlers.end(null);
	}

	// Ends all pointers.
	reset() {
		for (const id of [...this.#pointers.keys()]) this.cancel(id);
	}
}

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
