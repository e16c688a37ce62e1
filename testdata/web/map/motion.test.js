import assert from "node:assert/strict";
import { test } from "node:test";
import { inertiaAnimation, moveAnimation, zoomAnimation } from "../../../assets/web/map/motion.js";

const FRAME = 1000 / 60;
const START = { x: 128, y: 128, zoom: 10 };
const SIZE = { width: 400, height: 300 };

// run returns the cameras of all frames of a motion.
function run(motion, camera = START) {
	const cameras = [];
	for (let frame = 0; frame < 1000; frame++) {
		const next = motion.next(frame * FRAME, camera);
		cameras.push((camera = next.camera));
		if (next.isLast) return cameras;
	}
	return assert.fail("the motion does not end");
}

test("a journey ends at its goal, in its time", () => {
	const goal = { x: 128.1, y: 128, zoom: 10 };
	const motion = moveAnimation(START, goal, 260);
	assert.deepEqual(motion.goal, goal);
	const cameras = run(motion);
	assert.deepEqual(cameras.at(-1), goal);
	assert.equal(cameras.length, Math.ceil(260 / FRAME) + 1);
});

test("inertia moves on in the direction of the drag, and ends", () => {
	const cameras = run(inertiaAnimation({ vx: 1, vy: 0 }));
	const steps = cameras.map(({ x }, i) => (i ? cameras[i - 1].x : START.x) - x);
	assert.ok(steps[1] > 0, `got the step ${steps[1]}`);
	assert.ok(steps.slice(2).every((step, i) => step < steps[i + 1]), "each step is shorter than the one before");
	assert.ok(cameras.every(({ y, zoom }) => y === START.y && zoom === START.zoom));
});

test("a pause of the browser does not throw the map far away", () => {
	const motion = inertiaAnimation({ vx: 1, vy: 0 });
	motion.next(0, START);
	const { camera } = motion.next(5000, START);
	assert.ok((START.x - camera.x) * 2 ** START.zoom <= 50, `got ${(START.x - camera.x) * 2 ** START.zoom} pixels`);
});

test("the zoom of a wheel keeps its point and comes to its goal", () => {
	const pixel = { x: 200, y: 150 }; // the middle
	const cameras = run(zoomAnimation({ ...START, zoom: 11 }, SIZE, pixel));
	assert.equal(cameras.at(-1).zoom, 11);
	assert.ok(cameras.every(({ x, y }) => Math.abs(x - START.x) < 1e-9 && Math.abs(y - START.y) < 1e-9));
});
