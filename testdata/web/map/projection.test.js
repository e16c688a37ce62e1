import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_LATITUDE, metresPerPixel, nearestCopy, project, ringRadii, roundDown, scaleBar, toBounds, toBox, unproject } from "../../../assets/web/map/projection.js";

const near = (got, want, tolerance = 1e-9) => assert.ok(Math.abs(got - want) <= tolerance, `got ${got}, want ${want}`);

test("project maps the corners and the middle of the world", () => {
	assert.deepEqual(project({ latitude: 0, longitude: 0 }), { x: 128, y: 128 });
	const corner = project({ latitude: MAX_LATITUDE, longitude: -180 });
	near(corner.x, 0);
	near(corner.y, 0);
	near(project({ latitude: -MAX_LATITUDE, longitude: 180 }).y, 256);
});

test("project limits latitudes at the poles", () => {
	assert.equal(project({ latitude: 90, longitude: 0 }).y, project({ latitude: MAX_LATITUDE, longitude: 0 }).y);
	assert.equal(project({ latitude: -90, longitude: 0 }).y, project({ latitude: -MAX_LATITUDE, longitude: 0 }).y);
});

test("project agrees with the tile numbers of OpenStreetMap", () => {
	for (const [latitude, longitude] of [[35.8989, 14.5146], [-33.8568, 151.2153], [71.17, -156.79]]) {
		const { x, y } = project({ latitude, longitude });
		const radians = (latitude * Math.PI) / 180;
		const column = ((longitude + 180) / 360) * 2 ** 19;
		const row = ((1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2) * 2 ** 19;
		assert.equal(Math.floor((x / 256) * 2 ** 19), Math.floor(column));
		assert.equal(Math.floor((y / 256) * 2 ** 19), Math.floor(row));
	}
});

test("unproject is the inverse of project", () => {
	for (const latitude of [-85, -33.9, 0, 1e-9, 52.52, 85]) {
		for (const longitude of [-180, -179.999, -0.1, 0, 14.5, 179.999]) {
			const got = unproject(project({ latitude, longitude }));
			near(got.latitude, latitude);
			near(got.longitude, longitude);
		}
	}
});

test("unproject keeps longitudes between -180 and 180", () => {
	near(unproject({ x: 260, y: 128 }).longitude, -180 + (4 / 256) * 360);
	near(unproject({ x: -4, y: 128 }).longitude, 180 - (4 / 256) * 360);
	assert.equal(unproject({ x: 256, y: 128 }).longitude, -180);
	near(unproject({ x: 128 - 3 * 256, y: 128 }).longitude, 0);
});

test("nearestCopy chooses the copy across the antimeridian", () => {
	assert.equal(nearestCopy(1, 255), 257);
	assert.equal(nearestCopy(255, 1), -1);
	assert.equal(nearestCopy(100, 120), 100);
	assert.equal(nearestCopy(1, 1000), 1025);
});

test("toBox and toBounds handle bounds across the antimeridian", () => {
	const fiji = { south: -21, west: 176, north: -12, east: -178 };
	const box = toBox(fiji);
	assert.ok(box.right > 256 && box.right - box.left < 5);
	assert.ok(box.top < box.bottom);
	const back = toBounds(box);
	for (const side of Object.keys(fiji)) near(back[side], fiji[side]);
});

test("toBounds returns all longitudes for a box as wide as the world", () => {
	const bounds = toBounds({ left: -100, top: 10, right: 200, bottom: 240 });
	assert.equal(bounds.west, -180);
	assert.equal(bounds.east, 180);
});

test("metresPerPixel follows the latitude and the zoom", () => {
	near(metresPerPixel(0, 0), 156543.03392804097, 1e-6);
	near(metresPerPixel(60, 1), 156543.03392804097 / 4, 1e-6);
	assert.ok(metresPerPixel(90, 0) > 0);
});

test("roundDown returns 1, 2 or 5 times a power of ten", () => {
	const cases = { 0.3: 0.2, 1: 1, 1.9: 1, 2: 2, 4.99: 2, 5: 5, 9.9: 5, 10: 10, 999: 500, 1000: 1000, 1e6: 1e6 };
	for (const [value, want] of Object.entries(cases)) near(roundDown(Number(value)), want, want * 1e-9);
});

test("scaleBar is at most as wide as its limit and more than a third of it", () => {
	for (let zoom = 0; zoom <= 20; zoom += 0.13) {
		const { metres, width } = scaleBar(metresPerPixel(48, zoom), 96);
		assert.ok(width <= 96.001 && width > 96 / 2.6, `zoom ${zoom}: ${metres} m, ${width} px`);
	}
});

test("ringRadii keeps its spacing and leaves out rings that are not visible", () => {
	assert.deepEqual(ringRadii(1, 110, 0, 700), [200, 400, 600]);
	assert.deepEqual(ringRadii(1, 100, 0, 350), [100, 200, 300]);
	assert.deepEqual(ringRadii(1, 100, 250, 450), [300, 400]);
	assert.equal(ringRadii(1, 100, 0, 1e9).length, 20);
});
