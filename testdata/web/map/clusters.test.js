import assert from "node:assert/strict";
import { test } from "node:test";
import { Clusters } from "../../../assets/web/map/clusters.js";
import { project } from "../../../assets/web/map/projection.js";

const mark = (id, latitude, longitude, more) => ({ id, latitude, longitude, label: id, icon: "food", ...more });

test("marks in one cell form a cluster at their mean", () => {
	const clusters = new Clusters([mark("a", 0.001, 0.001), mark("b", 0.001, 0.003)]);
	const [item] = clusters.at(10);
	assert.equal(item.count, 2);
	assert.deepEqual(item.marks.map((m) => m.id), ["a", "b"]);
	const a = project(mark("a", 0.001, 0.001));
	const b = project(mark("b", 0.001, 0.003));
	assert.ok(Math.abs(item.x - (a.x + b.x) / 2) < 1e-12);
	assert.deepEqual([item.box.left, item.box.right], [a.x, b.x]);
});

test("clusters contain all marks, and are not larger than two cells", () => {
	const marks = Array.from({ length: 500 }, (_, n) => mark(`m${n}`, 35 + ((n * 37) % 100) / 1000, 14 + ((n * 61) % 100) / 1000));
	const clusters = new Clusters(marks);
	for (const zoom of [0, 8, 12, 16, 19]) {
		const items = clusters.at(zoom);
		assert.equal(items.reduce((sum, item) => sum + item.count, 0), 500);
		for (const { box } of items) assert.ok((box.right - box.left) * 2 ** zoom < 112 && (box.bottom - box.top) * 2 ** zoom < 112);
	}
	assert.ok(clusters.at(8).length < clusters.at(12).length);
	assert.equal(clusters.at(0).length, 1);
});

test("clusters nearer than half a cell to another one are merged across the border of their cells", () => {
	const border = (56 * 40) / 256 / 2 ** 12; // part of the world
	const at = (pixels) => (border + pixels / (256 * 2 ** 12) - 0.5) * 360;
	const near = new Clusters([mark("a", 0.001, at(-10)), mark("b", 0.001, at(10))]);
	assert.deepEqual(near.at(12).map((item) => item.count), [2]);
	const far = new Clusters([mark("a", 0.001, at(-20)), mark("b", 0.001, at(20))]);
	assert.deepEqual(far.at(12).map((item) => item.count), [1, 1]);
});

test("no two items overlap by more than half of a cell", () => {
	const marks = Array.from({ length: 300 }, (_, n) => mark(`m${n}`, 35 + ((n * 37) % 100) / 1000, 14 + ((n * 61) % 97) / 1000));
	const items = new Clusters(marks).at(13);
	let close = 0;
	for (const [n, a] of items.entries()) for (const b of items.slice(n + 1)) if (Math.hypot(a.x - b.x, a.y - b.y) * 2 ** 13 < 28) close++;
	assert.ok(close * 20 < items.length, `${close} of ${items.length} items are near another one`);
});

test("items have the order of their first marks", () => {
	const clusters = new Clusters([mark("north", 50, 0), mark("south", -50, 0), mark("north 2", 50.0001, 0), mark("east", 0, 90)]);
	assert.deepEqual(clusters.at(8).map((item) => item.marks[0].id), ["north", "south", "east"]);
});

test("items of a zoom are cached", () => {
	const clusters = new Clusters([mark("a", 1, 1)]);
	assert.equal(clusters.at(9), clusters.at(9));
	assert.notEqual(clusters.at(9), clusters.at(10));
});

test("keys differ between a mark and a cluster, and are stable", () => {
	const clusters = new Clusters([mark("a", 0.001, 0.001), mark("b", 0.001, 0.05)]);
	assert.deepEqual(clusters.at(4).map((item) => item.key), ["cluster a"]);
	assert.deepEqual(clusters.at(14).map((item) => item.key), ["mark a", "mark b"]);
	assert.deepEqual(new Clusters([mark("c", 0, 0, { count: 9 })]).at(3).map((item) => item.key), ["cluster c"]);
});

test("marks that stand for several places weigh more and extend the box", () => {
	const bounds = { south: -0.01, west: -0.01, north: 0.02, east: 0.02 };
	const [item] = new Clusters([mark("a", 0.001, 0.001, { count: 3, bounds }), mark("b", 0.001, 0.005)]).at(10);
	assert.equal(item.count, 4);
	const [a, b] = item.marks.map(project);
	assert.ok(Math.abs(item.x - (3 * a.x + b.x) / 4) < 1e-12);
	assert.equal(item.box.left, project({ latitude: 0, longitude: -0.01 }).x);
});

test("splitZoom is the lowest zoom that separates the marks", () => {
	const clusters = new Clusters([mark("a", 0.001, 0.001), mark("b", 0.001, 0.0012)]);
	const [item] = clusters.at(10);
	const zoom = clusters.splitZoom(item, 11, 22);
	assert.equal(clusters.at(zoom).length, 2);
	assert.equal(clusters.at(zoom - 1).length, 1);
	assert.equal(clusters.splitZoom(item, 11, zoom - 1), null);
});

test("marks at the same position never separate", () => {
	const clusters = new Clusters([mark("a", 10, 10), mark("b", 10, 10)]);
	assert.equal(clusters.splitZoom(clusters.at(3)[0], 4, 22), null);
});

test("cells far from the origin do not collide at high zooms", () => {
	const corner = [mark("a", -85, 179.99), mark("b", -85, 179.98), mark("c", -84.999, 179.99), mark("d", 85, -179.99)];
	assert.equal(new Clusters(corner).at(22).length, 4);
});

test("the size of a cell can be changed", () => {
	const marks = [mark("a", 0.001, 0.001), mark("b", 0.001, 0.008)];
	assert.equal(new Clusters(marks, 8).at(12).length, 2);
	assert.equal(new Clusters(marks, 112).at(12).length, 1);
});
