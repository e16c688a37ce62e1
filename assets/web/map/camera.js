// The camera: {x, y, zoom}, the point in the middle of the map in units (see
// projection.js) and the fractional zoom. A size is {width, height} in pixels, padding
// is {top, right, bottom, left}: the pixels of the map that other parts cover.

import { WORLD, clamp, nearestCopy } from "./projection.js";

export const noPadding = { top: 0, right: 0, bottom: 0, left: 0 };

// Returns the pixel of the map that shows a point. The copy of the world nearest to the camera counts.
export function toPixel(camera, size, point) {
	const scale = 2 ** camera.zoom;
	return {
		x: (nearestCopy(point.x, camera.x) - camera.x) * scale + size.width / 2,
		y: (point.y - camera.y) * scale + size.height / 2,
	};
}

// Returns the point at a pixel of the map.
export function toPoint(camera, size, pixel) {
	const scale = 2 ** camera.zoom;
	return { x: camera.x + (pixel.x - size.width / 2) / scale, y: camera.y + (pixel.y - size.height / 2) / scale };
}

// Returns the visible box in units.
export function viewBox(camera, size) {
	const { x: left, y: top } = toPoint(camera, size, { x: 0, y: 0 });
	const { x: right, y: bottom } = toPoint(camera, size, { x: size.width, y: size.height });
	return { left, top, right, bottom };
}

// Returns the pixel in the middle of the part of the map that is not covered.
export const freeMiddle = (size, padding) => ({
	x: (padding.left + size.width - padding.right) / 2,
	y: (padding.top + size.height - padding.bottom) / 2,
});

// Returns the lowest and the highest zoom within limits {minZoom, maxZoom}. The world
// always covers the map, so that there is nothing beyond the poles and each point is
// visible once.
export function zoomRange(size, limits) {
	const low = Math.max(limits.minZoom, Math.log2(Math.max(size.width, size.height, 1) / WORLD));
	return { low, high: Math.max(low, limits.maxZoom) };
}

// Returns the camera within limits {minZoom, maxZoom} and the poles.
export function limit(camera, size, limits) {
	const { low, high } = zoomRange(size, limits);
	const zoom = clamp(camera.zoom, low, high);
	const scale = 2 ** zoom;
	const half = size.height / scale / 2;
	return { x: camera.x, y: half >= WORLD / 2 ? WORLD / 2 : clamp(camera.y, half, WORLD - half), zoom };
}

// Returns the nearest zoom at which a tile of 256 pixels has a whole number of device
// pixels, so that no lines are visible between tiles.
export function snapZoom(zoom, ratio) {
	const level = Math.floor(zoom + 1e-6);
	const side = WORLD * ratio;
	return level + Math.log2(Math.round(side * 2 ** (zoom - level)) / side);
}

// Returns the camera moved so that the content of the map follows (dx, dy) pixels.
export function panBy(camera, dx, dy) {
	const scale = 2 ** camera.zoom;
	return { ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale };
}

// Returns the camera with another zoom that shows the same point at a pixel.
export function zoomAbout(camera, size, pixel, zoom) {
	return showAt(toPoint(camera, size, pixel), size, pixel, zoom);
}

// Returns the camera with a zoom that shows a point at a pixel.
export function showAt(point, size, pixel, zoom) {
	const scale = 2 ** zoom;
	return { x: point.x - (pixel.x - size.width / 2) / scale, y: point.y - (pixel.y - size.height / 2) / scale, zoom };
}

// Returns the camera with the highest zoom, up to maxZoom, that shows a box outside the padding.
export function fit(box, size, padding, maxZoom) {
	const width = Math.max(size.width - padding.left - padding.right, 1);
	const height = Math.max(size.height - padding.top - padding.bottom, 1);
	const zoom = Math.log2(Math.min(width / Math.max(box.right - box.left, 1e-9), height / Math.max(box.bottom - box.top, 1e-9)));
	const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
	return showAt(middle, size, freeMiddle(size, padding), Math.min(zoom, maxZoom));
}

// Returns the pixels (dx, dy) by which content must move so that a pixel is margin away from the covered parts.
export function reveal(pixel, size, padding, margin) {
	const shift = (at, low, high) => (low > high ? (low + high) / 2 : clamp(at, low, high)) - at;
	return {
		dx: shift(pixel.x, padding.left + margin, size.width - padding.right - margin),
		dy: shift(pixel.y, padding.top + margin, size.height - padding.bottom - margin),
	};
}

// Returns the camera at part t (0 to 1) of a movement. The zoom changes evenly, and the
// point that is at the same pixel before and after, if there is one, stays there.
export function between(from, to, t) {
	if (t >= 1) return to;
	const zoom = from.zoom + (to.zoom - from.zoom) * t;
	const start = 2 ** from.zoom;
	const end = 2 ** to.zoom;
	const part = Math.abs(from.zoom - to.zoom) < 1e-6 ? t : (1 - start / 2 ** zoom) / (1 - start / end);
	return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part, zoom };
}

// Returns whether a movement is short enough to be shown as one: up to 2 maps in the zoom farther out.
export function isNear(from, to, size) {
	const scale = 2 ** Math.min(from.zoom, to.zoom);
	return Math.abs(from.x - to.x) * scale <= 2 * size.width && Math.abs(from.y - to.y) * scale <= 2 * size.height && Math.abs(from.zoom - to.zoom) <= 5;
}
