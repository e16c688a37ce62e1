// The images of map tiles. One element contains them all; its transform moves and
// scales them.

import { WORLD } from "./projection.js";
import { LRU, chooseTemplate, inRange, substitutes, tileKey, tileLevel, tileRange, tileURL, tilesIn } from "./tiles.js";

const RINGS = 2; // of tiles around the visible ones, loaded when the map rests
const KEPT = 200; // images, visible or not
const RETRY = 10_000; // ms after a failure

export class TileLayer {
	element = document.createElement("div");

	#layer = null;
	#url;
	#onLoad;
	#template = null;
	#tiles = new Map(); // by key: {z, x, y, url, image, state}; state is "loading", "loaded" or "failed"
	#outdated = []; // loaded tiles of the previous template, shown until the new ones are loaded
	#cache = new LRU(); // of loaded images that are not shown, by URL
	#origin = { x: 0, y: 0, z: 0 }; // point in units and level at which images are placed unscaled
	#seen = ""; // range of the latest selection

	// url returns the URL of a published path; onLoad is called after a tile is loaded or has failed.
	constructor(url, onLoad) {
		this.#url = url;
		this.#onLoad = onLoad;
		this.element.className = "map-tiles";
		this.element.setAttribute("aria-hidden", "true");
	}

	// Whether there is nothing to show: no layer, or all its tiles have failed.
	get empty() {
		if (!this.#layer) return true;
		const tiles = [...this.#tiles.values()];
		return !tiles.some((tile) => tile.state === "loaded") && tiles.some((tile) => tile.state === "failed");
	}

	// Sets the layer, or null for none, with the tiles for the present theme and display. The old
	// tiles stay until the new ones are loaded.
	setLayer(layer) {
		this.#layer = layer;
		const { template, filtered } = layer ? chooseTemplate(layer, isDark(), devicePixelRatio) : { template: null, filtered: false };
		this.element.classList.toggle("is-filtered", filtered);
		if (template === this.#template) return;
		this.#template = template;
		const old = [...this.#tiles.values()];
		this.#tiles.clear();
		this.#seen = "";
		for (const tile of old) {
			if (template && tile.state === "loaded") this.#outdated.push(tile);
			else this.#discard(tile);
		}
		if (!template) this.#discardOutdated();
	}

	// Shows the tiles of a camera. resting is false while the map moves: then only visible tiles are requested.
	place(camera, size, resting) {
		if (!this.#template) return;
		const level = tileLevel(camera.zoom, this.#layer);
		const scale = 2 ** camera.zoom;
		const far = Math.max(Math.abs(camera.x - this.#origin.x), Math.abs(camera.y - this.#origin.y)) * scale > 1e5;
		if (level !== this.#origin.z || far) this.#setOrigin(camera, level);
		const left = snap((this.#origin.x - camera.x) * scale + size.width / 2);
		const top = snap((this.#origin.y - camera.y) * scale + size.height / 2);
		const zoomed = (WORLD / 2 ** level / this.#side) * scale;
		this.element.style.setProperty("transform", `translate3d(${left}px,${top}px,0) scale(${zoomed})`);
		this.#select(camera, size, level, resting);
	}

	// Tries failed tiles again.
	retry() {
		for (const [key, tile] of this.#tiles) if (tile.state === "failed") this.#remove(key, tile);
		this.#seen = "";
	}

	destroy() {
		this.setLayer(null);
		this.#cache.trim(0);
		this.element.remove();
	}

	get #side() {
		return this.#layer.tile_size || WORLD;
	}

	#setOrigin(camera, level) {
		const side = WORLD / 2 ** level;
		this.#origin = { x: Math.floor(camera.x / side) * side, y: Math.floor(camera.y / side) * side, z: level };
		for (const tile of this.#tiles.values()) this.#position(tile);
		for (const tile of this.#outdated) this.#position(tile);
	}

	#position({ z, x, y, image }) {
		const { z: level, ...origin } = this.#origin;
		const side = this.#side * 2 ** (level - z);
		const pixels = (tile, start) => (tile * WORLD / 2 ** z - start) * 2 ** level / WORLD * this.#side;
		image.style.setProperty("transform", `translate(${pixels(x, origin.x)}px,${pixels(y, origin.y)}px)`);
		image.style.setProperty("width", `${side}px`);
		image.style.setProperty("height", `${side}px`);
		image.style.setProperty("z-index", String(100 - Math.abs(level - z)));
	}

	// select adds the missing tiles and removes those that are neither near nor substitutes.
	#select(camera, size, level, resting) {
		const visible = tileRange(camera, size, level);
		const range = Object.values(visible).join() + resting;
		if (range === this.#seen) return;
		this.#seen = range;
		const near = tileRange(camera, size, level, RINGS);
		if (resting) this.#removeFailed();
		const states = new Map(tilesIn(visible).map((tile) => [tile, this.#add(tile)]));
		const loading = [...states.values()].includes("loading");
		if (resting && !loading) for (const tile of tilesIn(near)) this.#add(tile);
		const missing = [...states.keys()].filter((tile) => states.get(tile) !== "loaded");
		const kept = substitutes(missing, (tile) => this.#tiles.get(tileKey(tile))?.state === "loaded");
		for (const [key, tile] of this.#tiles) if (!inRange(near, tile) && !kept.has(key)) this.#remove(key, tile);
		if (!loading) this.#discardOutdated();
		this.#cache.trim(Math.max(KEPT - this.#tiles.size, 0));
	}

	// add shows a tile and returns its state.
	#add({ z, x, y }) {
		const key = tileKey({ z, x, y });
		let tile = this.#tiles.get(key);
		if (tile) return tile.state;
		const url = this.#url(tileURL(this.#template, { z, x, y }));
		const cached = this.#cache.take(url);
		tile = { z, x, y, url, image: cached ?? newImage(), state: cached ? "loaded" : "loading" };
		this.#tiles.set(key, tile);
		this.#position(tile);
		if (!cached) this.#load(key, tile);
		this.element.append(tile.image);
		return tile.state;
	}

	async #load(key, tile) {
		tile.image.src = tile.url;
		let state = "loaded";
		try {
			await tile.image.decode();
		} catch {
			state = "failed";
		}
		if (this.#tiles.get(key) !== tile) return;
		tile.state = state;
		tile.image.classList.toggle("is-failed", state === "failed");
		tile.time = Date.now();
		this.#seen = "";
		this.#onLoad();
	}

	#removeFailed() {
		for (const [key, tile] of this.#tiles) if (tile.state === "failed" && Date.now() - tile.time > RETRY) this.#remove(key, tile);
	}

	#remove(key, tile) {
		this.#tiles.delete(key);
		if (tile.state === "loaded") this.#cache.set(tile.url, tile.image);
		this.#discard(tile);
	}

	#discardOutdated() {
		for (const tile of this.#outdated.splice(0)) this.#discard(tile);
	}

	// discard takes an image out of the document and cancels its request.
	#discard({ image, state }) {
		image.remove();
		if (state === "loading") image.removeAttribute("src");
	}
}

function newImage() {
	const image = document.createElement("img");
	image.alt = "";
	image.decoding = "async";
	image.draggable = false;
	return image;
}

function isDark() {
	const theme = document.documentElement.dataset.theme;
	return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

// snap rounds pixels to pixels of the device, so that images are sharp.
const snap = (pixels) => Math.round(pixels * devicePixelRatio) / devicePixelRatio;
