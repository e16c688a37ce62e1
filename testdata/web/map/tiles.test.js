import assert from "node:assert/strict";
import { test } from "node:test";
import { project } from "../../../assets/web/map/projection.js";
import { LRU, chooseTemplate, inRange, findSubstitutes, tileKey, tileLevel, tileRange, tileURL, tilesIn } from "../../../assets/web/map/tiles.js";

const layer = {
	url_template: "/t/base/{z}/{x}/{y}.png?v=1",
	variants: { "2x": "/t/base/{z}/{x}/{y}@2x.png?v=1", dark: "/t/dark/{z}/{x}/{y}.png?v=1", dark_2x: "/t/dark/{z}/{x}/{y}@2x.png?v=1" },
	tile_size: 256, min_zoom: 0, max_zoom: 19,
};
const size = { width: 1000, height: 700 };

test("chooseTemplate follows the density and the theme", () => {
	const { variants } = layer;
	assert.deepEqual(chooseTemplate(layer, false, 1), { template: layer.url_template, filtered: false });
	assert.deepEqual(chooseTemplate(layer, false, 2), { template: variants["2x"], filtered: false });
	assert.deepEqual(chooseTemplate(layer, true, 1.25), { template: variants.dark, filtered: false });
	assert.deepEqual(chooseTemplate(layer, true, 3), { template: variants.dark_2x, filtered: false });
});

test("chooseTemplate prefers dark tiles to dense ones", () => {
	const got = chooseTemplate({ ...layer, variants: { "2x": "double", dark: "dark" } }, true, 2);
	assert.deepEqual(got, { template: "dark", filtered: false });
});

test("chooseTemplate asks for a filter without dark tiles", () => {
	assert.deepEqual(chooseTemplate({ ...layer, variants: { "2x": "double" } }, true, 2), { template: "double", filtered: true });
	assert.deepEqual(chooseTemplate({ url_template: "plain" }, true, 1), { template: "plain", filtered: true });
});

test("tileURL inserts the tile and wraps x", () => {
	assert.equal(tileURL(layer.url_template, { z: 3, x: 5, y: 2 }), "/t/base/3/5/2.png?v=1");
	assert.equal(tileURL(layer.url_template, { z: 3, x: -1, y: 0 }), "/t/base/3/7/0.png?v=1");
	assert.equal(tileURL(layer.url_template, { z: 3, x: 17, y: 0 }), "/t/base/3/1/0.png?v=1");
	assert.equal(tileURL("https://a.example/{x}/{y}?z={z}&s={s}", { z: 1, x: 0, y: 1 }), "https://a.example/0/1?z=1&s={s}");
});

test("tileLevel is the integer below the zoom, within the levels of the layer", () => {
	assert.equal(tileLevel(14, layer), 14);
	assert.equal(tileLevel(14.999, layer), 14);
	assert.equal(tileLevel(13.9999999, layer), 14);
	assert.equal(tileLevel(21.5, layer), 19);
	assert.equal(tileLevel(0.5, { ...layer, min_zoom: 2 }), 2);
	assert.equal(tileLevel(14.5, { ...layer, tile_size: 512 }), 13);
});

test("tileRange covers the view and its rings", () => {
	const camera = { ...project({ latitude: 35.9, longitude: 14.5 }), zoom: 15.5 };
	const range = tileRange(camera, size, 15);
	const side = 256 / 2 ** 15;
	assert.ok(range.left * side <= camera.x - 500 / 2 ** 15.5 && (range.right + 1) * side >= camera.x + 500 / 2 ** 15.5);
	assert.ok(range.top * side <= camera.y - 350 / 2 ** 15.5 && (range.bottom + 1) * side >= camera.y + 350 / 2 ** 15.5);
	const rings = tileRange(camera, size, 15, 2);
	assert.deepEqual([rings.left, rings.top, rings.right, rings.bottom], [range.left - 2, range.top - 2, range.right + 2, range.bottom + 2]);
});

test("tileRange ends at the poles and continues beyond the antimeridian", () => {
	const range = tileRange({ x: 0, y: 30, zoom: 3 }, size, 3, 2);
	assert.ok(range.left < 0);
	assert.equal(range.top, 0);
	const south = tileRange({ x: 0, y: 226, zoom: 3 }, size, 3, 2);
	assert.equal(south.bottom, 7);
});

test("a view whose border is that of a tile does not request the next tile", () => {
	const range = tileRange({ x: 128, y: 128, zoom: 2 }, { width: 512, height: 512 }, 2);
	assert.deepEqual(range, { z: 2, left: 1, top: 1, right: 2, bottom: 2 });
});

test("tilesIn begins with the middle and contains each tile once", () => {
	const range = { z: 5, left: -2, top: 3, right: 2, bottom: 5 };
	const tiles = tilesIn(range);
	assert.deepEqual(tiles[0], { z: 5, x: 0, y: 4 });
	assert.equal(new Set(tiles.map(tileKey)).size, 15);
	assert.ok(tiles.every((tile) => inRange(range, tile)));
	assert.ok(!inRange(range, { z: 4, x: 0, y: 4 }));
});

const loaded = (...keys) => (tile) => keys.includes(tileKey(tile));

test("substitutes are the nearest loaded ancestors", () => {
	assert.deepEqual([...findSubstitutes([{ z: 5, x: 9, y: 6 }], loaded("4/4/3", "3/2/1"))], ["4/4/3"]);
	assert.deepEqual([...findSubstitutes([{ z: 9, x: 0, y: 0 }], loaded("4/0/0"))], ["4/0/0"]);
	assert.deepEqual([...findSubstitutes([{ z: 9, x: 0, y: 0 }], loaded("3/0/0"))], []);
});

test("substitutes are loaded descendants if there is no ancestor", () => {
	const got = findSubstitutes([{ z: 5, x: 9, y: 6 }], loaded("6/18/12", "7/38/26", "7/36/24"));
	assert.deepEqual([...got].sort(), ["6/18/12", "7/38/26"]);
});

test("substitutes exist in the copies of the world", () => {
	assert.deepEqual([...findSubstitutes([{ z: 3, x: -1, y: 2 }], loaded("2/-1/1"))], ["2/-1/1"]);
});

test("LRU drops the entries that have not been used for the longest time", () => {
	const cache = new LRU();
	for (const key of ["a", "b", "c"]) cache.set(key, key.toUpperCase());
	cache.set("a", "A");
	cache.trim(2);
	assert.equal(cache.take("b"), undefined);
	assert.equal(cache.take("a"), "A");
	assert.equal(cache.take("a"), undefined);
	assert.equal(cache.size, 1);
	cache.trim(0);
	assert.equal(cache.size, 0);
});
