// The images of map tiles. The transform of the element that contains all images moves and scales them.

import { WORLD } from "./projection.js";
import { LRU, chooseTemplate, inRange, findSubstitutes, tileKey, tileLevel, tileRange, tileURL, tilesIn } from "./tiles.js";

const TILE_MARGIN = 2; // tiles on each side of the visible tiles that are loaded when the map is at rest
const MAX_IMAGES = 200; // maximum number of images, shown or cached
const RETRY_DELAY = 10_000; // time after which failed tiles are loaded again, in milliseconds; doubled after each failure
const MAX_RETRY_DELAY = 300_000; // maximum of that time

// TileLayer loads and shows the tiles of a layer of service.map.runtime, see tiles.js. It caches the
// images of tiles that are not in view any more.
export class TileLayer {
	// element contains the images. The caller adds it to the document.
	element = document.createElement("div");

	#layer = null;
	#url;
	#onLoad;
	#template = null; // URL template of the tiles
	#tiles = new Map(); // key → {z, x, y, url, image, state, time}: see #add and #load
	#previousTiles = []; // loaded tiles of the previous template, shown until the new ones are loaded
	#cache = new LRU(); // URL → loaded image that is not shown

	// #origin is a point in units and a level. Images are placed relative to the point, at the scale at
	// which images of the level have their natural size. The transform of the element is relative to it too.
	#origin = { x: 0, y: 0, z: 0 };
	#selection = ""; // range and resting of the latest selection, "" if tiles must be selected again
	#retryTimer = 0; // timer of the next retry
	#retryDelay = RETRY_DELAY;

	// url returns the URL of a published path. onLoad is called after a tile is loaded or has failed.
	constructor(url, onLoad) {
		this.#url = url;
		this.#onLoad = onLoad;
		this.element.className = "map-tiles";
		this.element.setAttribute("aria-hidden", "true");
	}

	// hasNoTiles reports whether there is no layer, or no tile is loaded and at least one has failed.
	get hasNoTiles() {
		if (!this.#layer) return true;
		const tiles = [...this.#tiles.values()];
		return !tiles.some((tile) => tile.state === "loaded") && tiles.some((tile) => tile.state === "failed");
	}

	// setLayer sets the layer, or none for null. It chooses the URL template for the present theme and
	// device pixel ratio. If the template changes, the old tiles are shown until the new ones are loaded.
	setLayer(layer) {
		this.#layer = layer;
		const { template, filtered } = layer ? chooseTemplate(layer, isDark(), devicePixelRatio) : { template: null, filtered: false };
		this.element.classList.toggle("is-filtered", filtered);
		if (template === this.#template) return;
		this.#template = template;
		const previous = [...this.#tiles.values()];
		this.#tiles.clear();
		this.#selection = "";
		for (const tile of previous) {
			if (template && tile.state === "loaded") this.#previousTiles.push(tile);
			else this.#discard(tile);
		}
		if (!template) this.#discardOutdated();
	}

	// place shows the tiles for a camera and a size. resting is true if the map is at rest; while it moves,
	// only visible tiles are loaded.
	place(camera, size, resting) {
		if (!this.#template) return;
		const level = tileLevel(camera.zoom, this.#layer);
		const scale = 2 ** camera.zoom;
		const isFar = Math.max(Math.abs(camera.x - this.#origin.x), Math.abs(camera.y - this.#origin.y)) * scale > 1e5;
		if (level !== this.#origin.z || isFar) this.#setOrigin(camera, level);
		const leftEdge = snap((this.#origin.x - camera.x) * scale + size.width / 2);
		const topEdge = snap((this.#origin.y - camera.y) * scale + size.height / 2);
		const tileScale = (WORLD / 2 ** level / this.#side) * scale;
		this.element.style.setProperty("transform", `translate3d(${leftEdge}px,${topEdge}px,0) scale(${tileScale})`);
		this.#select(camera, size, level, resting);
	}

	// retry loads failed tiles again at the next call of place.
	retry() {
		clearTimeout(this.#retryTimer);
		for (const [key, tile] of this.#tiles) if (tile.state === "failed") this.#remove(key, tile);
		this.#selection = "";
	}

	// destroy removes the element and cancels the requests.
	destroy() {
		clearTimeout(this.#retryTimer);
		this.setLayer(null);
		this.#cache.trim(0);
		this.element.remove();
	}

	// #side is the width and height of a tile of the layer, in CSS pixels.
	get #side() {
		return this.#layer.tile_size || WORLD;
	}

	// #setOrigin sets the origin to the corner of a tile near the camera, and places all images again.
	#setOrigin(camera, level) {
		const side = WORLD / 2 ** level;
		this.#origin = { x: Math.floor(camera.x / side) * side, y: Math.floor(camera.y / side) * side, z: level };
		for (const tile of this.#tiles.values()) this.#position(tile);
		for (const tile of this.#previousTiles) this.#position(tile);
	}

	// #position places the image of a tile relative to the origin. Images of the level of the origin are
	// above images of other levels.
	#position({ z, x, y, image }) {
		const { z: level, ...origin } = this.#origin;
		const side = this.#side * 2 ** (level - z);
		const pixels = (tile, start) => (tile * WORLD / 2 ** z - start) * 2 ** level / WORLD * this.#side;
		image.style.setProperty("transform", `translate(${pixels(x, origin.x)}px,${pixels(y, origin.y)}px)`);
		image.style.setProperty("width", `${side}px`);
		image.style.setProperty("height", `${side}px`);
		image.style.setProperty("z-index", String(100 - Math.abs(level - z)));
	}

	// #select adds the missing tiles, and removes the tiles that are neither near the view nor substitutes
	// for missing ones.
	#select(camera, size, level, resting) {
		const visible = tileRange(camera, size, level);
		const range = Object.values(visible).join() + resting;
		if (range === this.#selection) return;
		this.#selection = range;
		const nearRange = tileRange(camera, size, level, TILE_MARGIN);
		if (resting) this.#removeFailed();
		const states = new Map(tilesIn(visible).map((tile) => [tile, this.#add(tile)]));
		const isLoading = [...states.values()].includes("loading");
		if (resting && !isLoading) for (const tile of tilesIn(nearRange)) this.#add(tile);
		const missingTiles = [...states.keys()].filter((tile) => states.get(tile) !== "loaded");
		const substituteKeys = findSubstitutes(missingTiles, (tile) => this.#tiles.get(tileKey(tile))?.state === "loaded");
		for (const [key, tile] of this.#tiles) if (!inRange(nearRange, tile) && !substituteKeys.has(key)) this.#remove(key, tile);
		if (!isLoading) this.#discardOutdated();
		this.#cache.trim(Math.max(MAX_IMAGES - this.#tiles.size, 0));
	}

	// #add adds a tile, unless it exists, and returns its state: "loading", "loaded" or "failed".
	#add({ z, x, y }) {
		const key = tileKey({ z, x, y });
		let tile = this.#tiles.get(key);
		if (tile) return tile.state;
		const url = this.#url(tileURL(this.#template, { z, x, y }));
		const cachedImage = this.#cache.take(url);
		tile = { z, x, y, url, image: cachedImage ?? newImage(), state: cachedImage ? "loaded" : "loading" };
		this.#tiles.set(key, tile);
		this.#position(tile);
		if (!cachedImage) this.#load(key, tile);
		this.element.append(tile.image);
		return tile.state;
	}

	// #load loads the image of a tile. It sets time to the end of the request, for #removeFailed. After a failure
	// it schedules a retry, because a map at rest selects no tiles: after a restart of the server, for example,
	// its tiles would be missing until the member moves it.
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
		this.#selection = "";
		if (state === "failed") this.#scheduleRetry();
		else this.#retryDelay = RETRY_DELAY;
		this.#onLoad();
	}

	// #scheduleRetry schedules a call of retry, in place of an earlier one.
	#scheduleRetry() {
		clearTimeout(this.#retryTimer);
		this.#retryTimer = setTimeout(() => {
			this.#retryDelay = Math.min(2 * this.#retryDelay, MAX_RETRY_DELAY);
			this.retry();
			this.#onLoad();
		}, this.#retryDelay);
	}

	// #removeFailed removes the tiles that failed more than RETRY_DELAY ago, so that they are loaded again.
	#removeFailed() {
		for (const [key, tile] of this.#tiles) {
			if (tile.state === "failed" && Date.now() - tile.time > RETRY_DELAY) this.#remove(key, tile);
		}
	}

	// #remove removes a tile, and caches its image if it is loaded.
	#remove(key, tile) {
		this.#tiles.delete(key);
		if (tile.state === "loaded") this.#cache.set(tile.url, tile.image);
		this.#discard(tile);
	}

	#discardOutdated() {
		for (const tile of this.#previousTiles.splice(0)) this.#discard(tile);
	}

	// #discard removes an image from the document, and cancels its request if it is loading.
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

// isDark reports whether the theme is dark: the one that the page sets, or that of the system.
function isDark() {
	const theme = document.documentElement.dataset.theme;
	return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

// snap rounds CSS pixels to whole pixels of the device, so that images are sharp.
const snap = (pixels) => Math.round(pixels * devicePixelRatio) / devicePixelRatio;
