// The Web Mercator projection. At zoom z the world is a square of 256·2^z pixels, whose origin is the
// north-west corner. Points are stored in units, which are the pixels of zoom 0: {x, y} from 0 to
// 256. Multiplied by 2^z, units are pixels. An x outside of that range is in a copy of the world
// beyond the antimeridian.

// WORLD is the size of the world in units.
export const WORLD = 256;

// MAX_LATITUDE is the latitude of the northern edge of the projection, in degrees.
export const MAX_LATITUDE = 85.05112877980659;

const EQUATOR = 2 * Math.PI * 6378137; // circumference of the earth, in metres
const RADIAN = Math.PI / 180;

// clamp limits a value to the range from low to high.
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// project returns the point of a position {latitude, longitude} in degrees.
export function project({ latitude, longitude }) {
	const radians = clamp(latitude, -MAX_LATITUDE, MAX_LATITUDE) * RADIAN;
	return {
		x: (longitude / 360 + 0.5) * WORLD,
		y: (0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * WORLD,
	};
}

// unproject returns the position {latitude, longitude} of a point. Its longitude is from -180 to below 180.
export function unproject({ x, y }) {
	return {
		latitude: Math.atan(Math.sinh((0.5 - y / WORLD) * 2 * Math.PI)) / RADIAN,
		longitude: (x / WORLD - Math.floor(x / WORLD) - 0.5) * 360,
	};
}

// nearestCopy returns the x coordinate that differs from x by a multiple of WORLD and is nearest to target,
// in units.
export const nearestCopy = (x, target) => x + WORLD * Math.round((target - x) / WORLD);

// toBox converts bounds {south, west, north, east} in degrees to a box {left, top, right, bottom} in
// units. If the bounds cross the antimeridian, right is greater than 256.
export function toBox({ south, west, north, east }) {
	const start = project({ latitude: north, longitude: west });
	const end = project({ latitude: south, longitude: east < west ? east + 360 : east });
	return { left: start.x, top: start.y, right: end.x, bottom: end.y };
}

// toBounds converts a box to bounds. A box that is as wide as the world has all longitudes.
export function toBounds(box) {
	const northWest = unproject({ x: box.left, y: box.top });
	const southEast = unproject({ x: box.right, y: box.bottom });
	const whole = box.right - box.left >= WORLD;
	return {
		south: southEast.latitude,
		west: whole ? -180 : northWest.longitude,
		north: northWest.latitude,
		east: whole ? 180 : southEast.longitude,
	};
}

// metresPerPixel returns the distance on the ground that one pixel covers, in metres.
export const metresPerPixel = (latitude, zoom) =>
	(Math.cos(clamp(latitude, -MAX_LATITUDE, MAX_LATITUDE) * RADIAN) * EQUATOR) / (WORLD * 2 ** zoom);

// roundDown returns the greatest number of the form 1, 2 or 5 times a power of ten that does not
// exceed a value.
export function roundDown(value) {
	const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
	const digit = value / power;
	return (digit >= 5 - 1e-9 ? 5 : digit >= 2 - 1e-9 ? 2 : 1) * power;
}

// scaleBar returns {metres, width}: a round distance, and its width in pixels, at most maxWidth.
// perPixel is the result of metresPerPixel.
export function scaleBar(perPixel, maxWidth) {
	const metres = roundDown(perPixel * maxWidth);
	return { metres, width: metres / perPixel };
}

// ringRadii returns the radii of rings around a centre, in metres: multiples of a round distance of
// at least spacing pixels. near and far are the minimum and maximum distance of the visible area from
// the centre, in pixels; there are no rings outside of it, and at most 20 inside.
export function ringRadii(perPixel, spacing, near, far) {
	let step = roundDown(perPixel * spacing);
	while (step / perPixel < spacing) step = roundDown(step * 2.5);
	const radii = [];
	const first = Math.max(1, Math.ceil((near * perPixel) / step));
	for (let n = first; n * step <= far * perPixel && radii.length < 20; n++) radii.push(n * step);
	return radii;
}
