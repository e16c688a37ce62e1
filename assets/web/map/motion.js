// Motions of the camera, without DOM. A motion is {goal, next(time, camera)}: goal is the
// camera at its end, or null if that is not known; next returns {camera, isLast} for the time
// of a frame and the present camera.

import { between, panBy, zoomAbout } from "./camera.js";
import { glide } from "./gesture.js";

const LONGEST_FRAME = 50; // ms of inertia that one frame shows, after a pause of the browser

// Returns the motion to a camera within some ms: fast, then slower.
export function travel(from, to, duration) {
	let start = null;
	return {
		goal: to,
		next(time) {
			start ??= time;
			const t = Math.min((time - start) / duration, 1);
			return { camera: between(from, to, 1 - (1 - t) ** 3), isLast: t === 1 };
		},
	};
}

// Returns the motion that continues a drag with the velocity of its end.
export function inertia(velocity) {
	let before = null;
	return {
		goal: null,
		next(time, camera) {
			const { dx, dy, velocity: left } = glide(velocity, Math.min(time - (before ?? time), LONGEST_FRAME));
			before = time;
			velocity = left ?? velocity;
			return { camera: panBy(camera, dx, dy), isLast: !left };
		},
	};
}

// Returns the motion to a camera with another zoom that shows the same point at a pixel. It can
// be replaced at each event of a wheel without a change of its speed.
export function zoomTo(to, size, pixel) {
	let before = null;
	return {
		goal: to,
		next(time, camera) {
			const left = 0.75 ** ((time - (before ?? time - 16)) / 16);
			before = time;
			const difference = camera.zoom - to.zoom;
			if (Math.abs(difference) < 0.004) return { camera: to, isLast: true };
			return { camera: zoomAbout(camera, size, pixel, to.zoom + difference * left), isLast: false };
		},
	};
}
