// Selection of map tiles, without DOM. A tile is {z, x, y}: its level, column and row in the scheme of
// OpenStreetMap. x can be outside of the range from 0 to 2^z - 1, in the copies of the world beyond the
// antimeridian.

import { WORLD, clamp } from "./projection.js";
import { viewBox } from "./camera.js";

// tileKey returns a text that identifies a tile.
export const tileKey = ({ z, x, y }) => `${z}/${x}/${y}`;

// chooseTemplate returns the URL template of a layer of service.map.runtime for a dark or light theme, as
// {template, filtered}. filtered is true if the theme is dark but the layer has no dark tiles: then a
// CSS filter must darken the tiles. ratio is the device pixel ratio.
export function chooseTemplate(layer, dark, ratio) {
	const { variants = {} } = layer;
	const isDense = ratio >= 1.5;
	const darkTemplate = (isDense && variants.dark_2x) || variants.dark;
	if (dark && darkTemplate) return { template: darkTemplate, filtered: false };
	return { template: (isDense && variants["2x"]) || layer.url_template, filtered: dark };
}

// tileURL returns the URL of a tile. It maps copies of the world to the original.
export function tileURL(template, { z, x, y }) {
	const count = 2 ** z;
	const values = { z, x: ((x % count) + count) % count, y };
	return template.replace(/\{([zxy])\}/g, (_, name) => values[name]);
}

// tileLevel returns the level of the tiles for a zoom: the highest one at which tiles are not scaled down,
// limited to the levels of the layer.
export function tileLevel(zoom, layer) {
	const level = Math.floor(zoom - Math.log2((layer.tile_size || WORLD) / WORLD) + 1e-6);
	return clamp(level, layer.min_zoom ?? 0, layer.max_zoom ?? 19);
}

// tileRange returns the range {z, left, top, right, bottom} of the tiles of a level in view, extended by
// margin tiles on each side. All ends are inclusive. The range does not extend beyond the poles.
export function tileRange(camera, size, z, margin = 0) {
	const side = WORLD / 2 ** z;
	const box = viewBox(camera, size);
	const last = 2 ** z - 1;
	return {
		z,
		left: Math.floor(box.left / side) - margin,
		top: clamp(Math.floor(box.top / side) - margin, 0, last),
		right: Math.ceil(box.right / side) - 1 + margin,
		bottom: clamp(Math.ceil(box.bottom / side) - 1 + margin, 0, last),
	};
}

// inRange reports whether a tile is in the result of tileRange.
export const inRange = (range, { z, x, y }) =>
	z === range.z && x >= range.left && x <= range.right && y >= range.top && y <= range.bottom;

// tilesIn returns the tiles of a range, ordered by their distance from its centre.
export function tilesIn({ z, left, top: topEdge, right, bottom }) {
	const tiles = [];
	for (let y = topEdge; y <= bottom; y++) for (let x = left; x <= right; x++) tiles.push({ z, x, y });
	const distance = ({ x, y }) => (2 * x - left - right) ** 2 + (2 * y - topEdge - bottom) ** 2;
	return tiles.sort((a, b) => distance(a) - distance(b));
}

// findSubstitutes returns the keys of the tiles of other levels that are shown in place of missing tiles: for
// each one its nearest loaded ancestor, up to 5 levels above, or else its loaded descendants, up to 2
// levels below. isLoaded reports whether a tile is loaded.
export function findSubstitutes(missingTiles, isLoaded) {
	const keys = new Set();
	const addDescendants = ({ z, x, y }, depth) => {
		for (let n = 0; n < 4; n++) {
			const child = { z: z + 1, x: 2 * x + (n & 1), y: 2 * y + (n >> 1) };
			if (isLoaded(child)) keys.add(tileKey(child));
			else if (depth > 1) addDescendants(child, depth - 1);
		}
	};
	for (const tile of missingTiles) {
		let isFound = false;
		for (let up = 1; up <= 5 && !isFound; up++) {
			const parent = { z: tile.z - up, x: Math.floor(tile.x / 2 ** up), y: Math.floor(tile.y / 2 ** up) };
			isFound = parent.z >= 0 && isLoaded(parent);
			if (isFound) keys.add(tileKey(parent));
		}
		if (!isFound) addDescendants(tile, 2);
	}
	return keys;
}

// LRU is a cache whose size is limited by trim. An entry is in the cache only until it is taken.
export class LRU {
	#entries = new Map();

	get size() {
		return this.#entries.size;
	}

	// set adds an entry as the newest one.
	set(key, value) {
		this.#entries.delete(key);
		this.#entries.set(key, value);
	}

	// take removes an entry and returns its value, or undefined.
	take(key) {
		const value = this.#entries.get(key);
		this.#entries.delete(key);
		return value;
	}

	// trim removes the oldest entries, so that at most limit entries remain.
	trim(limit) {
		for (const key of this.#entries.keys()) {
			if (this.#entries.size <= limit) return;
			this.#entries.delete(key);
		}
	}
}
