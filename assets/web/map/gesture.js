// Recognition of gestures of pointers, and their inertia, without DOM. Times are in milliseconds,
// distances in CSS pixels, velocities {vx, vy} in CSS pixels per millisecond.

const VELOCITY_WINDOW = 80; // duration of the movement that determines the velocity
const DECAY = 0.94; // factor of the velocity for each FRAME of inertia
const FRAME = 1000 / 60;
const STOP_SPEED = 0.02; // speed below which inertia ends
const DRAG_THRESHOLD = { mouse: 4, other: 8 }; // minimum length of a drag, by pointerType
const TAP_DISTANCE = 30; // maximum distance of the taps of a double tap

// LONG_PRESS is the minimum duration of a long press.
export const LONG_PRESS = 500;

// TAP_TIME is the maximum duration of a tap, and the maximum time between the taps of a double tap.
export const TAP_TIME = 300;

// glide returns the movement of inertia during a time, {dx, dy, velocity}. velocity is the velocity at
// the end of that time, or null if the movement ends.
export function glide({ vx, vy }, elapsed) {
	const factor = DECAY ** (elapsed / FRAME);
	const time = (FRAME * (1 - factor)) / -Math.log(DECAY);
	const velocity = { vx: vx * factor, vy: vy * factor };
	return { dx: vx * time, dy: vy * time, velocity: Math.hypot(velocity.vx, velocity.vy) < STOP_SPEED ? null : velocity };
}

// velocityOf returns the mean velocity during the last VELOCITY_WINDOW of samples {x, y, time}. It is
// zero if the last sample is older than VELOCITY_WINDOW, or if the samples have less than two times.
export function velocityOf(samples, now) {
	const last = samples.at(-1);
	const first = samples.find((sample) => last.time - sample.time <= VELOCITY_WINDOW);
	const time = last && now - last.time <= VELOCITY_WINDOW ? last.time - first.time : 0;
	return time > 0 ? { vx: (last.x - first.x) / time, vy: (last.y - first.y) / time } : { vx: 0, vy: 0 };
}

// Gesture recognizes drags, pinches, taps and long presses, and calls handlers:
//
//   start()               the first pointer is down
//   drag(id)              a drag, a pinch or a zoom begins; called for each of its pointers
//   pan(dx, dy)           the content moves, in a drag or a pinch
//   zoom(change, x, y)    the zoom changes by a fractional number of levels, about the pixel (x, y)
//   tap(x, y)             a tap, which can be the first one of a double tap
//   doubleTap(x, y)       the second tap of a double tap
//   twoFingerTap(x, y)    a tap with two pointers; (x, y) is their midpoint
//   longPress(x, y)       a press of at least LONG_PRESS
//   end(velocity)         the last pointer is up or cancelled; velocity is null unless a drag ends
export class Gesture {
	#handlers;
	#pointers = new Map(); // id → {x, y, startX, startY, type}, at most two

	// The state is one of:
	//
	//   "idle"      no pointer is down
	//   "pressed"   one pointer is down, and has not moved by DRAG_THRESHOLD
	//   "dragging"  one pointer pans
	//   "pinching"  two pointers are down
	//   "zooming"   the pointer of the second tap of a double tap zooms by vertical movement
	//   "done"      the gesture is recognized or cancelled; the remaining pointer has no effect
	#state = "idle";
	#samples = []; // {x, y, time} of the latest movement of a drag
	#onMark = false; // whether the first pointer is on a mark
	#startTime = 0; // time at which the first pointer was down
	#consumed = false; // see consumed
	#lastTap = null; // {x, y, time} of a tap that can be the first one of a double tap

	constructor(handlers) {
		this.#handlers = handlers;
	}

	// isActive reports whether a pointer is down.
	get isActive() {
		return this.#pointers.size > 0;
	}

	// isConsumed reports whether the latest gesture was a drag, a pinch, a zoom, a two-finger tap or a long
	// press. The caller must then ignore the click event that follows it.
	get isConsumed() {
		return this.#consumed;
	}

	// down handles a pointer that is pressed at (x, y). A third pointer is ignored. type is the
	// pointerType of the event. onMark is true if the pointer is on a mark. A gesture that begins on a
	// mark is not recognized as a tap or a long press, because the mark is a button that handles clicks.
	down(id, x, y, time, { type = "mouse", onMark = false } = {}) {
		if (this.#pointers.size >= 2) return;
		this.#pointers.set(id, { x, y, startX: x, startY: y, type });
		if (this.#pointers.size === 1) {
			this.#state = "pressed";
			this.#startTime = time;
			this.#onMark = onMark;
			this.#consumed = false;
			this.#samples = [{ x, y, time }];
			if (this.#lastTap && (time - this.#lastTap.time > TAP_TIME || distance(this.#lastTap, { x, y }) > TAP_DISTANCE)) this.#lastTap = null;
			this.#handlers.start();
			return;
		}
		this.#state = "pinching";
		this.#lastTap = null;
		for (const [pointerId, pointer] of this.#pointers) {
			Object.assign(pointer, { startX: pointer.x, startY: pointer.y });
			this.#handlers.drag(pointerId);
		}
	}

	// move handles the movement of a pointer to (x, y).
	move(id, x, y, time) {
		const pointer = this.#pointers.get(id);
		if (!pointer) return;
		const previous = { x: pointer.x, y: pointer.y };
		const previousPinch = this.#state === "pinching" ? this.#pinch() : null;
		pointer.x = x;
		pointer.y = y;
		if (this.#state === "pinching") this.#movePinch(previousPinch);
		else if (this.#state === "pressed") this.#movePressed(id, pointer);
		else if (this.#state === "dragging") this.#handlers.pan(x - previous.x, y - previous.y);
		else if (this.#state === "zooming") this.#handlers.zoom((y - previous.y) / 100, this.#lastTap.x, this.#lastTap.y);
		if (this.#state === "dragging") this.#sample(x, y, time);
	}

	// #movePressed begins a drag, or a zoom after a tap, when the pointer has moved by DRAG_THRESHOLD.
	#movePressed(id, pointer) {
		const start = { x: pointer.startX, y: pointer.startY };
		if (distance(start, pointer) < (DRAG_THRESHOLD[pointer.type] ?? DRAG_THRESHOLD.other)) return;
		this.#consumed = true;
		this.#state = this.#lastTap && !this.#onMark ? "zooming" : "dragging";
		this.#handlers.drag(id);
		if (this.#state === "dragging") {
			this.#lastTap = null;
			this.#handlers.pan(pointer.x - start.x, pointer.y - start.y);
		}
	}

	// #pinch returns the midpoint of the two pointers and their distance, {x, y, span}.
	#pinch() {
		const [a, b] = this.#pointers.values();
		return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span: Math.max(distance(a, b), 1) };
	}

	// #movePinch pans and zooms by the change since the previous result of #pinch.
	#movePinch(previous) {
		const pinch = this.#pinch();
		const hasMoved = (pointer) => distance(pointer, { x: pointer.startX, y: pointer.startY }) >= DRAG_THRESHOLD.other;
		this.#consumed ||= [...this.#pointers.values()].some(hasMoved);
		this.#handlers.pan(pinch.x - previous.x, pinch.y - previous.y);
		this.#handlers.zoom(Math.log2(pinch.span / previous.span), pinch.x, pinch.y);
	}

	// #sample adds a sample for velocityOf and drops the old ones.
	#sample(x, y, time) {
		this.#samples.push({ x, y, time });
		while (time - this.#samples[0].time > 2 * VELOCITY_WINDOW) this.#samples.shift();
	}

	// hold recognizes a long press, and reports whether the gesture is one. The caller calls it LONG_PRESS
	// after a pointer is down.
	hold(time) {
		if (this.#state !== "pressed" || this.#onMark || time - this.#startTime < LONG_PRESS) return false;
		const [{ startX, startY }] = this.#pointers.values();
		this.#state = "done";
		this.#consumed = true;
		this.#lastTap = null;
		this.#handlers.longPress(startX, startY);
		return true;
	}

	// up handles the release of a pointer.
	up(id, time) {
		const pointer = this.#pointers.get(id);
		if (!pointer) return;
		const pinch = this.#state === "pinching" ? this.#pinch() : null;
		this.#pointers.delete(id);
		if (this.#pointers.size) {
			this.#leavePinch(pinch, time);
			return;
		}
		const state = this.#state;
		this.#state = "idle";
		if (state === "pressed") this.#tap(pointer, time);
		else this.#lastTap = null;
		this.#handlers.end(state === "dragging" ? velocityOf(this.#samples, time) : null);
	}

	// #leavePinch handles the release of one of two pointers. pinch is the last result of #pinch, or null
	// if the gesture was not a pinch any more. After a pinch that has moved, the remaining pointer drags;
	// a short one without movement is a two-finger tap.
	#leavePinch(pinch, time) {
		if (!pinch) return;
		const [remaining] = this.#pointers.values();
		if (this.#consumed) {
			this.#state = "dragging";
			this.#samples = [{ x: remaining.x, y: remaining.y, time }];
			return;
		}
		this.#state = "done";
		this.#consumed = true;
		if (time - this.#startTime <= TAP_TIME) this.#handlers.twoFingerTap(pinch.x, pinch.y);
	}

	// #tap recognizes a tap or a double tap when the pointer is released.
	#tap({ x, y }, time) {
		if (this.#onMark || time - this.#startTime > TAP_TIME) {
			this.#lastTap = null;
			return;
		}
		const isSecond = this.#lastTap !== null;
		this.#lastTap = isSecond ? null : { x, y, time };
		if (isSecond) this.#handlers.doubleTap(x, y);
		else this.#handlers.tap(x, y);
	}

	// cancel removes a pointer without recognizing a gesture, for example on pointercancel. The pointer that
	// remains has no further effect.
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

	// reset cancels all pointers.
	reset() {
		for (const id of [...this.#pointers.keys()]) this.cancel(id);
	}
}

// distance returns the distance of two pixels.
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
