// Animations of the camera, without DOM. An animation is {goal, next(time, camera)}: goal is the
// camera at its end, or null if that is unknown; next returns {camera, isLast} for the time of a
// frame, in milliseconds, and the present camera.

import { interpolate, panBy, zoomAbout } from "./camera.js";
import { glide } from "./gesture.js";

const MAX_FRAME_TIME = 50; // maximum milliseconds of inertia in a frame, in case that the browser has paused

// moveAnimation returns the animation from one camera to another, with a duration in milliseconds. It
// slows down towards the end (cubic ease-out).
export function moveAnimation(from, to, duration) {
	let start = null;
	return {
		goal: to,
		next(time) {
			start ??= time;
			const t = Math.min((time - start) / duration, 1);
			return { camera: interpolate(from, to, 1 - (1 - t) ** 3), isLast: t === 1 };
		},
	};
}

// inertiaAnimation returns the animation that continues a drag with its last velocity, see glide.
export function inertiaAnimation(velocity) {
	let previousTime = null;
	return {
		goal: null,
		next(time, camera) {
			const { dx, dy, velocity: left } = glide(velocity, Math.min(time - (previousTime ?? time), MAX_FRAME_TIME));
			previousTime = time;
			velocity = left ?? velocity;
			return { camera: panBy(camera, dx, dy), isLast: !left };
		},
	};
}

// zoomAnimation returns the animation to the zoom of a camera that keeps the point at a pixel in place. The
// remaining difference decreases exponentially, so that a new animation for each wheel event
// continues the previous one smoothly.
export function zoomAnimation(to, size, pixel) {
	let previousTime = null;
	return {
		goal: to,
		next(time, camera) {
			const remainder = 0.75 ** ((time - (previousTime ?? time - 16)) / 16);
			previousTime = time;
			const difference = camera.zoom - to.zoom;
			if (Math.abs(difference) < 0.004) return { camera: to, isLast: true };
			return { camera: zoomAbout(camera, size, pixel, to.zoom + difference * remainder), isLast: false };
		},
	};
}
