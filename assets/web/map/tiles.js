// Selection of map tiles, without DOM. A tile is {z, x, y}; x can be outside 0 to 2^z - 1
// in the copies of the world beyond the antimeridian.

import { WORLD, clamp } from "./projection.js";
import { viewBox } from "./camera.js";

export const tileKey = ({ z, x, y }) => `${z}/${x}/${y}`;

// Returns {template, filtered} for a layer of service.map.runtime. filtered is true if
// dark tiles are wanted but the layer has none. ratio is the device pixel ratio.
export function chooseTemplate(layer, dark, ratio) {
	const { variants = {} } = layer;
	const double = ratio >= 1.5;
	const darkTemplate = (double && variants.dark_2x) || variants.dark;
	if (dark && darkTemplate) return { template: darkTemplate, filtered: false };
	return { template: (double && variants["2x"]) || layer.url_template, filtered: dark };
}

export function tileURL(template, { z, x, y }) {
	const count = 2 ** z;
	const values = { z, x: ((x % count) + count) % count, y };
	return template.replace(/\{([zxy])\}/g, (_, name) => values[name]);
}

// Returns the level of the tiles for a zoom: the integer below, so that tiles are never scaled down.
export function tileLevel(zoom, layer) {
	const level = Math.floor(zoom - Math.log2((layer.tile_size || WORLD) / WORLD) + 1e-6);
	return clamp(level, layer.min_zoom ?? 0, layer.max_zoom ?? 19);
}

// Returns the range {z, left, top, right, bottom} of tiles in view, inclusive, extended by rings of tiles.
export function tileRange(camera, size, z, rings = 0) {
	const side = WORLD / 2 ** z;
	const box = viewBox(camera, size);
	const last = 2 ** z - 1;
	return {
		z,
		left: Math.floor(box.left / side) - rings,
		top: clamp(Math.floor(box.top / side) - rings, 0, last),
		right: Math.ceil(box.right / side) - 1 + rings,
		bottom: clamp(Math.ceil(box.bottom / side) - 1 + rings, 0, last),
	};
}

export const inRange = (range, { z, x, y }) =>
	z === range.z && x >= range.left && x <= range.right && y >= range.top && y <= range.bottom;

// Returns the tiles of a range, those nearest to its middle first.
export function tilesIn({ z, left, top, right, bottom }) {
	const tiles = [];
	for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) tiles.push({ z, x, y });
	const distance = ({ x, y }) => (2 * x - left - right) ** 2 + (2 * y - top - bottom) ** 2;
	return tiles.sort((a, b) => distance(a) - distance(b));
}

// Returns the keys of tiles of other levels that stay in place of missing ones: of each,
// the nearest loaded ancestor, up to 5 levels above, else its loaded descendants, up to
// 2 levels below.
export function substitutes(missing, isLoaded) {
	const keys = new Set();
	const addDescendants = ({ z, x, y }, depth) => {
		for (let n = 0; n < 4; n++) {
			const child = { z: z + 1, x: 2 * x + (n & 1), y: 2 * y + (n >> 1) };
			if (isLoaded(child)) keys.add(tileKey(child));
			else if (depth > 1) addDescendants(child, depth - 1);
		}
	};
	for (const tile of missing) {
		let found = false;
		for (let up = 1; up <= 5 && !found; up++) {
			const parent = { z: tile.z - up, x: Math.floor(tile.x / 2 ** up), y: Math.floor(tile.y / 2 ** up) };
			found = parent.z >= 0 && isLoaded(parent);
			if (found) keys.add(tileKey(parent));
		}
		if (!found) addDescendants(tile, 2);
	}
	return keys;
}

// A cache that drops the entries that have not been taken for the longest time.
export class LRU {
	#entries = new Map();

	get size() {
		return this.#entries.size;
	}

	set(key, value) {
		this.#entries.delete(key);
		this.#entries.set(key, value);
	}

	// Removes an entry and returns its value, or undefined.
	take(key) {
		const value = this.#entries.get(key);
		this.#entries.delete(key);
		return value;
	}

	// Drops the oldest entries above a number.
	trim(limit) {
		for (const key of this.#entries.keys()) {
			if (this.#entries.size <= limit) return;
			this.#entries.delete(key);
		}
	}
}
