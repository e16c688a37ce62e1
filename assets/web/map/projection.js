// Web Mercator in world pixels. At zoom z the world is a square of 256·2^z pixels, with
// its origin at the north-west corner. Points are stored at zoom 0, as {x, y} from 0 to
// 256 ("units"), and multiplied by 2^z for pixels. An x outside that range is a copy of
// the world beyond the antimeridian.

// Size of the world in units.
export const WORLD = 256;

// Latitude of the northern border of the projection, in degrees.
export const MAX_LATITUDE = 85.05112877980659;

const EQUATOR = 2 * Math.PI * 6378137; // metres
const RADIAN = Math.PI / 180;

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Returns the point of a position {latitude, longitude} in degrees.
export function project({ latitude, longitude }) {
	const radians = clamp(latitude, -MAX_LATITUDE, MAX_LATITUDE) * RADIAN;
	return {
		x: (longitude / 360 + 0.5) * WORLD,
		y: (0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * WORLD,
	};
}

// Returns the position of a point. Its longitude is from -180 to below 180.
export function unproject({ x, y }) {
	return {
		latitude: Math.atan(Math.sinh((0.5 - y / WORLD) * 2 * Math.PI)) / RADIAN,
		longitude: (x / WORLD - Math.floor(x / WORLD) - 0.5) * 360,
	};
}

// Returns the copy of x that is nearest to another x, in units.
export const nearestCopy = (x, to) => x + WORLD * Math.round((to - x) / WORLD);

// Returns bounds {south, west, north, east} in degrees as a box {left, top, right,
// bottom} in units. If the bounds cross the antimeridian, right is greater than 256.
export function toBox({ south, west, north, east }) {
	const start = project({ latitude: north, longitude: west });
	const end = project({ latitude: south, longitude: east < west ? east + 360 : east });
	return { left: start.x, top: start.y, right: end.x, bottom: end.y };
}

// Returns a box as bounds: the whole circle of longitudes if it is as wide as the world.
export function toBounds({ left, top, right, bottom }) {
	const northWest = unproject({ x: left, y: top });
	const southEast = unproject({ x: right, y: bottom });
	const whole = right - left >= WORLD;
	return {
		south: southEast.latitude,
		west: whole ? -180 : northWest.longitude,
		north: northWest.latitude,
		east: whole ? 180 : southEast.longitude,
	};
}

// Returns the metres on the ground that one pixel covers.
export const metresPerPixel = (latitude, zoom) =>
	(Math.cos(clamp(latitude, -MAX_LATITUDE, MAX_LATITUDE) * RADIAN) * EQUATOR) / (WORLD * 2 ** zoom);

// Returns the greatest of 1, 2, 5, 10, 20, 50 … that is not above a value, or below 1 the same in tenths.
export function roundDown(value) {
	const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
	const digit = value / power;
	return (digit >= 5 - 1e-9 ? 5 : digit >= 2 - 1e-9 ? 2 : 1) * power;
}

// Returns a scale bar {metres, width} of a round distance that is at most maxWidth pixels wide.
export function scaleBar(perPixel, maxWidth) {
	const metres = roundDown(perPixel * maxWidth);
	return { metres, width: metres / perPixel };
}

// Returns radii in metres of rings at round distances, at least spacing pixels apart.
// near and far are the distances of the visible area from the centre of the rings, in
// pixels; rings that do not cross it are left out.
export function ringRadii(perPixel, spacing, near, far) {
	let step = roundDown(perPixel * spacing);
	while (step / perPixel < spacing) step = roundDown(step * 2.5);
	const radii = [];
	for (let n = Math.max(1, Math.ceil((near * perPixel) / step)); n * step <= far * perPixel && radii.length < 20; n++) radii.push(n * step);
	return radii;
}
