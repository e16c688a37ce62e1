import assert from "node:assert/strict";
import { test } from "node:test";
import {
	interpolate, canStep, fitBox, freeMiddle, isNear, limitCamera, noPadding, panBy, revealOffset, showAt, snapZoom, stepZoom, toPixel, toPoint, viewBox,
	zoomAbout, zoomRange,
} from "../../../assets/web/map/camera.js";
import { project, toBounds, toBox } from "../../../assets/web/map/projection.js";

const size = { width: 800, height: 600 };
const free = { minZoom: 0, maxZoom: 19 };
const near = (got, want, tolerance = 1e-6) => assert.ok(Math.abs(got - want) <= tolerance, `got ${got}, want ${want}`);

test("toPixel and toPoint are inverse", () => {
	const camera = { ...project({ latitude: 52.5, longitude: 13.4 }), zoom: 17.3 };
	const pixel = { x: 123.4, y: 567.8 };
	const got = toPixel(camera, size, toPoint(camera, size, pixel));
	near(got.x, pixel.x);
	near(got.y, pixel.y);
	assert.deepEqual(toPixel(camera, size, camera), { x: 400, y: 300 });
});

test("toPixel shows a point beyond the antimeridian beside the camera", () => {
	const camera = { ...project({ latitude: 0, longitude: 179.9 }), zoom: 10 };
	const { x } = toPixel(camera, size, project({ latitude: 0, longitude: -179.9 }));
	near(x, 400 + (0.2 / 360) * 256 * 1024, 1e-3);
});

test("limit keeps the zoom in its range", () => {
	assert.equal(limitCamera({ x: 128, y: 128, zoom: 25 }, size, free).zoom, 19);
	assert.equal(limitCamera({ x: 128, y: 128, zoom: -3 }, size, free).zoom, Math.log2(800 / 256));
	assert.equal(limitCamera({ x: 128, y: 128, zoom: 1 }, size, { ...free, minZoom: 3 }).zoom, 3);
});

test("the world covers the map at the lowest zoom, even above the highest zoom of the layer", () => {
	const { low, high } = zoomRange({ width: 2560, height: 1440 }, { minZoom: 0, maxZoom: 2 });
	near(256 * 2 ** low, 2560);
	assert.equal(high, low);
});

test("limit shows nothing beyond the poles", () => {
	for (const y of [-1000, 0, 256, 1000]) {
		const camera = limitCamera({ x: 128, y, zoom: 4 }, size, free);
		const box = viewBox(camera, size);
		assert.ok(box.top >= -1e-9 && box.bottom <= 256 + 1e-9, `y ${y}: ${box.top} to ${box.bottom}`);
	}
});

test("limit does not restrict movement across the antimeridian", () => {
	assert.equal(limitCamera({ x: 300, y: 128, zoom: 5 }, size, free).x, 300);
	assert.equal(limitCamera({ x: -700, y: 128, zoom: 5 }, size, free).x, -700);
});

test("panBy moves the content by pixels", () => {
	const camera = { x: 130, y: 90, zoom: 12.5 };
	const pixel = toPixel(panBy(camera, 30, -20), size, { x: 130, y: 90 });
	near(pixel.x, 430);
	near(pixel.y, 280);
});

test("zoomAbout keeps the point under the pixel", () => {
	const camera = { x: 130, y: 90, zoom: 12 };
	const pixel = { x: 700, y: 50 };
	const before = toPoint(camera, size, pixel);
	const after = toPoint(zoomAbout(camera, size, pixel, 15.7), size, pixel);
	near(after.x, before.x, 1e-9);
	near(after.y, before.y, 1e-9);
});

test("showAt shows a point at a pixel", () => {
	const pixel = toPixel(showAt({ x: 100, y: 100 }, size, { x: 10, y: 590 }, 9), size, { x: 100, y: 100 });
	near(pixel.x, 10);
	near(pixel.y, 590);
});

test("fit shows a box as large as possible outside the padding", () => {
	const box = toBox({ south: 35.89, west: 14.5, north: 35.91, east: 14.53 });
	const padding = { top: 20, right: 300, bottom: 0, left: 100 };
	const camera = fitBox(box, size, padding, 19);
	const start = toPixel(camera, size, { x: box.left, y: box.top });
	const end = toPixel(camera, size, { x: box.right, y: box.bottom });
	assert.ok(start.x >= 100 - 1e-6 && end.x <= 500 + 1e-6 && start.y >= 20 - 1e-6 && end.y <= 600 + 1e-6);
	near((start.x + end.x) / 2, freeMiddle(size, padding).x);
	assert.ok(Math.abs(end.x - start.x - 400) < 1e-6 || Math.abs(end.y - start.y - 580) < 1e-6);
});

test("fit of a single point has the highest zoom, also if the padding covers the map", () => {
	const point = project({ latitude: 10, longitude: 10 });
	const box = { left: point.x, top: point.y, right: point.x, bottom: point.y };
	assert.equal(fitBox(box, size, noPadding, 16).zoom, 16);
	assert.ok(Number.isFinite(fitBox(box, size, { top: 400, right: 500, bottom: 400, left: 500 }, 16).x));
});

test("fit across the antimeridian is narrow", () => {
	const camera = fitBox(toBox({ south: -21, west: 176, north: -12, east: -178 }), size, noPadding, 19);
	assert.ok(camera.zoom > 6);
	const bounds = toBounds(viewBox(camera, size));
	assert.ok(bounds.west > 170 && bounds.east < -170);
});

test("reveal moves a pixel out of the covered part by the least distance", () => {
	const padding = { top: 0, right: 0, bottom: 0, left: 300 };
	assert.deepEqual(revealOffset({ x: 500, y: 300 }, size, padding, 50), { dx: 0, dy: 0 });
	assert.deepEqual(revealOffset({ x: 100, y: 580 }, size, padding, 50), { dx: 250, dy: -30 });
	assert.deepEqual(revealOffset({ x: 0, y: 300 }, { width: 100, height: 600 }, { ...padding, left: 80 }, 50), { dx: 90, dy: 0 });
});

test("between begins and ends at its cameras", () => {
	const from = { x: 10, y: 20, zoom: 3 };
	const to = { x: 12, y: 19, zoom: 6 };
	assert.deepEqual(interpolate(from, to, 0), from);
	assert.equal(interpolate(from, to, 1), to);
	assert.deepEqual(interpolate(from, { ...to, zoom: 3 }, 0.5), { x: 11, y: 19.5, zoom: 3 });
});

test("between keeps the pixel of a zoom about it", () => {
	const from = { x: 130, y: 90, zoom: 12 };
	const pixel = { x: 650, y: 120 };
	const point = toPoint(from, size, pixel);
	for (const zoom of [10, 13, 14.5]) {
		const to = zoomAbout(from, size, pixel, zoom);
		for (let t = 0; t <= 1; t += 0.1) {
			const at = toPixel(interpolate(from, to, t), size, point);
			near(at.x, pixel.x, 1e-3);
			near(at.y, pixel.y, 1e-3);
		}
	}
});

test("isNear is false for movements over more than two maps", () => {
	const from = { x: 128, y: 128, zoom: 10 };
	assert.ok(isNear(from, panBy(from, 1500, 0), size));
	assert.ok(!isNear(from, panBy(from, 1700, 0), size));
	assert.ok(!isNear(from, { ...from, zoom: 16 }, size));
});

test("snapZoom makes tiles a whole number of device pixels wide", () => {
	for (const ratio of [1, 1.25, 1.5, 2, 2.625, 3]) {
		for (let zoom = 2; zoom < 6; zoom += 0.0371) {
			const snapped = snapZoom(zoom, ratio);
			const side = 256 * ratio * 2 ** (snapped - Math.floor(zoom));
			near(side, Math.round(side), 1e-6);
			assert.ok(Math.abs(snapped - zoom) < 0.003);
		}
	}
	assert.equal(snapZoom(14, 1), 14);
});

test("each step reaches the next level, also at fractional device pixel ratios", () => {
	for (const ratio of [0.25, 0.3, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.35, 1.65, 2.2]) {
		const highest = snapZoom(19, ratio);
		let zoom = snapZoom(3, ratio);
		for (let level = 4; level <= 19; level++) {
			assert.ok(canStep(zoom, { low: 3, high: highest }).closer, `ratio ${ratio}, level ${level}`);
			zoom = snapZoom(stepZoom(zoom, 1), ratio);
			assert.equal(Math.floor(zoom + 1e-6), level, `ratio ${ratio}, up to ${zoom}`);
		}
		assert.equal(canStep(zoom, { low: 3, high: highest }).closer, false, `ratio ${ratio}`);
		for (let level = 18; level >= 3; level--) {
			assert.ok(canStep(zoom, { low: 3, high: highest }).farther, `ratio ${ratio}, level ${level}`);
			zoom = snapZoom(stepZoom(zoom, -1), ratio);
			assert.equal(Math.floor(zoom + 1e-6), level, `ratio ${ratio}, down to ${zoom}`);
		}
		assert.equal(canStep(zoom, { low: 3, high: highest }).farther, false, `ratio ${ratio}`);
	}
});

test("stepZoom moves a zoom between two levels to the next level", () => {
	assert.equal(stepZoom(14.5, 1), 15);
	assert.equal(stepZoom(14.5, -1), 14);
	assert.equal(stepZoom(14.5, 2), 16);
});
