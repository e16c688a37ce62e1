// The geometry of the camera of a map, without DOM. A camera is {x, y, zoom}: the point at the centre
// of the map, in units (see projection.js), and the fractional zoom. A size is {width, height}. A pixel
// is {x, y}, relative to the top left corner of the map. Padding is {top, right, bottom, left}: the
// widths of the borders of the map that are covered by other elements. Lengths without another unit
// are CSS pixels.

import { WORLD, clamp, nearestCopy } from "./projection.js";

// noPadding is the padding of a map without covered borders.
export const noPadding = { top: 0, right: 0, bottom: 0, left: 0 };

// toPixel returns the pixel that shows a point, in the copy of the world that is nearest to the camera.
export function toPixel(camera, size, point) {
	const scale = 2 ** camera.zoom;
	return {
		x: (nearestCopy(point.x, camera.x) - camera.x) * scale + size.width / 2,
		y: (point.y - camera.y) * scale + size.height / 2,
	};
}

// toPoint returns the point at a pixel.
export function toPoint(camera, size, pixel) {
	const scale = 2 ** camera.zoom;
	return { x: camera.x + (pixel.x - size.width / 2) / scale, y: camera.y + (pixel.y - size.height / 2) / scale };
}

// viewBox returns the visible box {left, top, right, bottom} in units.
export function viewBox(camera, size) {
	const { x: left, y: topEdge } = toPoint(camera, size, { x: 0, y: 0 });
	const { x: right, y: bottom } = toPoint(camera, size, { x: size.width, y: size.height });
	return { left, top: topEdge, right, bottom };
}

// freeMiddle returns the pixel at the centre of the uncovered part of the map.
export const freeMiddle = (size, padding) => ({
	x: (padding.left + size.width - padding.right) / 2,
	y: (padding.top + size.height - padding.bottom) / 2,
});

// zoomRange returns the lowest and the highest zoom, {low, high}, within limits {minZoom, maxZoom}. At
// the lowest zoom the world still covers the map, so that no empty area is visible beyond the poles and
// no point is visible twice. This rule has priority over maxZoom.
export function zoomRange(size, limits) {
	const low = Math.max(limits.minZoom, Math.log2(Math.max(size.width, size.height, 1) / WORLD));
	return { low, high: Math.max(low, limits.maxZoom) };
}

// limitCamera returns the camera with its zoom in the zoomRange of limits {minZoom, maxZoom}, and moved so
// that the visible area does not extend beyond the poles. It does not change x.
export function limitCamera(camera, size, limits) {
	const { low, high } = zoomRange(size, limits);
	const zoom = clamp(camera.zoom, low, high);
	const scale = 2 ** zoom;
	const half = size.height / scale / 2;
	return { x: camera.x, y: half >= WORLD / 2 ? WORLD / 2 : clamp(camera.y, half, WORLD - half), zoom };
}

// SNAP_TOLERANCE exceeds the difference between an integer zoom and the result of snapZoom for it, which is
// below 0.012 for all device pixel ratios from 0.25.
const SNAP_TOLERANCE = 0.02;

// snapZoom returns the nearest zoom at which the width of a tile, 256 CSS pixels at integer zooms, is
// an integer number of device pixels, so that no gaps are visible between tiles. ratio is the device
// pixel ratio, which is a fraction if the browser scales the page. The result is not below an integer zoom
// to which it belongs: tiles of the next lower level, at twice their size, would be blurred.
export function snapZoom(zoom, ratio) {
	const level = Math.floor(zoom + 1e-6);
	const side = WORLD * ratio;
	const pixels = Math.max(Math.round(side * 2 ** (zoom - level)), Math.ceil(side - 1e-6));
	return level + Math.log2(pixels / side);
}

// stepZoom returns the integer zoom that is a number of levels above a zoom, or below it for a negative
// number. A zoom that snapZoom has moved counts as the integer zoom.
export function stepZoom(zoom, levels) {
	return levels > 0 ? Math.floor(zoom + SNAP_TOLERANCE) + levels : Math.ceil(zoom - SNAP_TOLERANCE) + levels;
}

// canStep returns whether a zoom can be increased and decreased within the result of zoomRange, as
// { closer, farther }.
export const canStep = (zoom, { low, high }) => ({ closer: zoom < high - SNAP_TOLERANCE, farther: zoom > low + SNAP_TOLERANCE });

// panBy returns the camera that shows the content of the map (dx, dy) pixels further right and down.
export function panBy(camera, dx, dy) {
	const scale = 2 ** camera.zoom;
	return { ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale };
}

// zoomAbout returns the camera with another zoom that shows the same point at a pixel.
export function zoomAbout(camera, size, pixel, zoom) {
	return showAt(toPoint(camera, size, pixel), size, pixel, zoom);
}

// showAt returns the camera with a zoom that shows a point at a pixel.
export function showAt(point, size, pixel, zoom) {
	const scale = 2 ** zoom;
	return { x: point.x - (pixel.x - size.width / 2) / scale, y: point.y - (pixel.y - size.height / 2) / scale, zoom };
}

// fitBox returns the camera with the highest zoom, at most maxZoom, that shows a box {left, top, right,
// bottom} in the uncovered part of the map.
export function fitBox(box, size, padding, maxZoom) {
	const width = Math.max(size.width - padding.left - padding.right, 1);
	const height = Math.max(size.height - padding.top - padding.bottom, 1);
	const zoom = Math.log2(Math.min(width / Math.max(box.right - box.left, 1e-9), height / Math.max(box.bottom - box.top, 1e-9)));
	const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
	return showAt(middle, size, freeMiddle(size, padding), Math.min(zoom, maxZoom));
}

// revealOffset returns the distance {dx, dy} by which the content must move, so that the content at a pixel
// is in the uncovered part of the map, at least margin from its border. In a direction without enough
// space, the content moves to the centre.
export function revealOffset(pixel, size, padding, margin) {
	const shift = (value, low, high) => (low > high ? (low + high) / 2 : clamp(value, low, high)) - value;
	return {
		dx: shift(pixel.x, padding.left + margin, size.width - padding.right - margin),
		dy: shift(pixel.y, padding.top + margin, size.height - padding.bottom - margin),
	};
}

// interpolate returns the camera at the fraction t, from 0 to 1, of a movement. The zoom is interpolated
// linearly. A point that both cameras show at the same pixel stays at this pixel.
export function interpolate(from, to, t) {
	if (t >= 1) return to;
	const zoom = from.zoom + (to.zoom - from.zoom) * t;
	const startScale = 2 ** from.zoom;
	const endScale = 2 ** to.zoom;
	const fraction = Math.abs(from.zoom - to.zoom) < 1e-6 ? t : (1 - startScale / 2 ** zoom) / (1 - startScale / endScale);
	return { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - from.y) * fraction, zoom };
}

// isNear reports whether a movement is short enough for an animation: at most twice the width and
// height of the map, at the lower of both zooms, and at most 5 levels of zoom.
export function isNear(from, to, size) {
	const scale = 2 ** Math.min(from.zoom, to.zoom);
	return Math.abs(from.x - to.x) * scale <= 2 * size.width &&
		Math.abs(from.y - to.y) * scale <= 2 * size.height &&
		Math.abs(from.zoom - to.zoom) <= 5;
}
