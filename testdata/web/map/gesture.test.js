import assert from "node:assert/strict";
import { test } from "node:test";
import { Gesture, LONG_PRESS, glide, velocityOf } from "../../../assets/web/map/gesture.js";

// record returns a gesture and the list of its calls.
function record() {
	const calls = [];
	const handlers = {};
	for (const name of ["start", "drag", "pan", "zoom", "tap", "doubleTap", "twoFingerTap", "longPress", "end"]) {
		handlers[name] = (...args) => calls.push([name, ...args]);
	}
	return { gesture: new Gesture(handlers), calls, named: (name) => calls.filter(([called]) => called === name).map(([, ...args]) => args) };
}

const touch = { type: "touch" };

test("a drag pans by all pixels, also those before the threshold", () => {
	const { gesture, calls } = record();
	gesture.down(1, 100, 100, 0);
	gesture.move(1, 102, 100, 10);
	assert.deepEqual(calls, [["start"]]);
	gesture.move(1, 110, 100, 20);
	gesture.move(1, 115, 90, 30);
	gesture.up(1, 40);
	assert.deepEqual(calls.slice(0, 4), [["start"], ["drag", 1], ["pan", 10, 0], ["pan", 5, -10]]);
	assert.equal(calls[4][0], "end");
	assert.ok(gesture.isConsumed);
	assert.ok(!gesture.isActive);
});

test("a touch needs 8 pixels to be a drag, a mouse 4", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.move(1, 7, 0, 10);
	assert.equal(named("pan").length, 0);
	gesture.move(1, 8, 0, 20);
	assert.equal(named("pan").length, 1);
});

test("a click consumes nothing", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0);
	gesture.up(1, 100);
	assert.ok(!gesture.isConsumed);
	assert.deepEqual(named("end"), [[null]]);
});

test("the velocity is that of the last 80 ms", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0);
	for (let n = 1; n <= 10; n++) gesture.move(1, n * 100, 0, n * 16); // fast
	for (let n = 1; n <= 10; n++) gesture.move(1, 1000 + n * 8, 0, 160 + n * 16); // slow
	gesture.up(1, 320);
	const [[velocity]] = named("end");
	assert.ok(Math.abs(velocity.vx - 0.5) < 1e-9, `got ${velocity.vx}, want 0.5`);
	assert.equal(velocity.vy, 0);
});

test("a pointer that rests before it is released has no velocity", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0);
	gesture.move(1, 100, 0, 16);
	gesture.move(1, 200, 0, 32);
	gesture.up(1, 300);
	assert.deepEqual(named("end"), [[{ vx: 0, vy: 0 }]]);
});

test("velocityOf has no velocity for less than two times", () => {
	assert.deepEqual(velocityOf([], 0), { vx: 0, vy: 0 });
	assert.deepEqual(velocityOf([{ x: 1, y: 1, time: 5 }, { x: 9, y: 9, time: 5 }], 5), { vx: 0, vy: 0 });
});

test("inertia loses 6 % of its velocity per frame", () => {
	const { velocity } = glide({ vx: 1, vy: -2 }, 1000 / 60);
	assert.ok(Math.abs(velocity.vx - 0.94) < 1e-9);
	assert.ok(Math.abs(velocity.vy + 1.88) < 1e-9);
});

test("inertia does not depend on the frame rate", () => {
	const run = (frame) => {
		let velocity = { vx: 2, vy: 0 };
		let distance = 0;
		for (let time = 0; time < 1000 - 1e-9; time += frame) {
			const step = glide(velocity, frame);
			distance += step.dx;
			velocity = step.velocity;
		}
		return distance;
	};
	assert.ok(Math.abs(run(1000 / 60) - run(1000 / 120)) < 1e-6);
	assert.ok(Math.abs(run(1000 / 60) - run(50)) < 1e-6);
});

test("inertia ends", () => {
	let velocity = { vx: 5, vy: 5 };
	let frames = 0;
	while (velocity && frames < 1000) {
		({ velocity } = glide(velocity, 1000 / 60));
		frames++;
	}
	assert.ok(frames < 120, `${frames} frames`);
});

test("a pinch zooms about the middle and pans with it", () => {
	const { gesture, named } = record();
	gesture.down(1, 100, 100, 0, touch);
	gesture.down(2, 200, 100, 10, touch);
	gesture.move(2, 300, 100, 20);
	assert.deepEqual(named("zoom"), [[1, 200, 100]]);
	assert.deepEqual(named("pan"), [[50, 0]]);
	assert.deepEqual(named("drag"), [[1], [2]]);
});

test("a pinch of two fingers that move apart by the factor 4 zooms by 2", () => {
	const { gesture, named } = record();
	gesture.down(1, 180, 200, 0, touch);
	gesture.down(2, 220, 200, 0, touch);
	for (let n = 1; n <= 60; n++) {
		gesture.move(1, 180 - n, 200, n * 16);
		gesture.move(2, 220 + n, 200, n * 16 + 1);
	}
	const total = named("zoom").reduce((sum, [change]) => sum + change, 0);
	const panned = named("pan").reduce((sum, [dx]) => sum + dx, 0);
	assert.ok(Math.abs(total - 2) < 1e-9, `got ${total}, want 2`);
	assert.ok(Math.abs(panned) < 1e-9, `got ${panned}, want 0`);
});

test("the finger that remains after a pinch drags, without a jump", () => {
	const { gesture, calls, named } = record();
	gesture.down(1, 100, 100, 0, touch);
	gesture.down(2, 200, 100, 0, touch);
	gesture.move(2, 300, 100, 20);
	gesture.up(1, 30);
	calls.length = 0;
	gesture.move(2, 305, 100, 40);
	assert.deepEqual(calls, [["pan", 5, 0]]);
	gesture.up(2, 200);
	assert.deepEqual(named("end"), [[{ vx: 0, vy: 0 }]]);
});

test("a second finger during a drag begins a pinch", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.move(1, 50, 0, 10);
	gesture.down(2, 150, 0, 20, touch);
	gesture.move(2, 250, 0, 30);
	assert.deepEqual(named("zoom"), [[1, 150, 0]]);
});

test("a third finger is ignored", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.down(2, 100, 0, 0, touch);
	gesture.down(3, 500, 500, 0, touch);
	gesture.move(3, 900, 900, 10);
	gesture.up(3, 20);
	assert.equal(named("zoom").length, 0);
	assert.ok(gesture.isActive);
});

test("fingers at the same pixel do not zoom infinitely", () => {
	const { gesture, named } = record();
	gesture.down(1, 50, 50, 0, touch);
	gesture.down(2, 50, 50, 0, touch);
	gesture.move(2, 150, 50, 10);
	assert.ok(named("zoom").every(([change]) => Number.isFinite(change)));
});

test("two taps within 300 ms are a double tap", () => {
	const { gesture, named } = record();
	gesture.down(1, 50, 50, 0, touch);
	gesture.up(1, 80);
	gesture.down(2, 55, 52, 250, touch);
	gesture.up(2, 320);
	assert.deepEqual(named("doubleTap"), [[55, 52]]);
	gesture.down(3, 55, 52, 400, touch);
	gesture.up(3, 450);
	assert.equal(named("doubleTap").length, 1, "a third tap is not another double tap");
});

test("taps that are late, far apart, long, or on a mark are no double tap", () => {
	const cases = [
		[[0, 80], [500, 560], 50, {}],
		[[0, 80], [200, 260], 150, {}],
		[[0, 350], [400, 450], 50, {}],
		[[0, 80], [200, 260], 50, { onMark: true }],
	];
	for (const [first, second, x, options] of cases) {
		const { gesture, named } = record();
		gesture.down(1, 50, 50, first[0], { ...touch, ...options });
		gesture.up(1, first[1]);
		gesture.down(2, x, 50, second[0], { ...touch, ...options });
		gesture.up(2, second[1]);
		assert.equal(named("doubleTap").length, 0, JSON.stringify([first, second, x, options]));
	}
});

test("the second tap of a double tap zooms if it moves, about the first tap", () => {
	const { gesture, named } = record();
	gesture.down(1, 50, 50, 0, touch);
	gesture.up(1, 80);
	gesture.down(2, 50, 50, 200, touch);
	gesture.move(2, 50, 60, 220);
	gesture.move(2, 50, 160, 240);
	gesture.up(2, 260);
	assert.deepEqual(named("zoom"), [[1, 50, 50]]);
	assert.deepEqual(named("pan"), []);
	assert.deepEqual(named("end").at(-1), [null]);
});

test("a tap with two fingers is reported once, at their middle", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.down(2, 100, 100, 20, touch);
	gesture.up(1, 120);
	gesture.up(2, 130);
	assert.deepEqual(named("twoFingerTap"), [[50, 50]]);
	assert.deepEqual(named("end"), [[null]]);
});

test("a slow tap with two fingers does nothing", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.down(2, 100, 100, 20, touch);
	gesture.up(1, 900);
	gesture.up(2, 910);
	assert.equal(named("twoFingerTap").length, 0);
});

test("a pointer that stays down is a long press", () => {
	const { gesture, named } = record();
	gesture.down(1, 30, 40, 1000, touch);
	gesture.move(1, 33, 40, 1100);
	assert.equal(gesture.hold(1000 + LONG_PRESS - 1), false);
	assert.equal(gesture.hold(1000 + LONG_PRESS), true);
	assert.equal(gesture.hold(1000 + LONG_PRESS + 1), false);
	assert.deepEqual(named("longPress"), [[30, 40]]);
	gesture.move(1, 200, 200, 1600);
	gesture.up(1, 1700);
	assert.equal(named("pan").length, 0);
	assert.ok(gesture.isConsumed);
});

test("drags, pinches and pointers on marks are no long press", () => {
	for (const prepare of [
		(gesture) => { gesture.down(1, 0, 0, 0, touch); gesture.move(1, 20, 0, 10); },
		(gesture) => { gesture.down(1, 0, 0, 0, touch); gesture.down(2, 50, 0, 10, touch); },
		(gesture) => gesture.down(1, 0, 0, 0, { ...touch, onMark: true }),
		(gesture) => { gesture.down(1, 0, 0, 0, touch); gesture.up(1, 10); },
	]) {
		const { gesture, named } = record();
		prepare(gesture);
		assert.equal(gesture.hold(1000), false);
		assert.equal(named("longPress").length, 0);
	}
});

test("a mark can be dragged", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, { onMark: true });
	gesture.move(1, 10, 0, 10);
	assert.deepEqual(named("pan"), [[10, 0]]);
	assert.ok(gesture.isConsumed);
});

test("a cancelled pointer ends the gesture without inertia", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.move(1, 50, 0, 10);
	gesture.cancel(1);
	gesture.cancel(1);
	assert.deepEqual(named("end"), [[null]]);
	assert.ok(!gesture.isActive);
});

test("reset ends all pointers", () => {
	const { gesture, named } = record();
	gesture.down(1, 0, 0, 0, touch);
	gesture.down(2, 50, 0, 0, touch);
	gesture.reset();
	assert.deepEqual(named("end"), [[null]]);
	assert.ok(!gesture.isActive);
});

test("unknown pointers are ignored", () => {
	const { gesture, calls } = record();
	gesture.move(7, 0, 0, 0);
	gesture.up(7, 0);
	assert.deepEqual(calls, []);
});
