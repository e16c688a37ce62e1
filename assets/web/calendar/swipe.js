// Swipes of a finger to the time before or after.

const DISTANCE = 60; // px of a swipe
const EDGE = 24; // px from the edges of the window, from which browsers go back or forward

// onSwipe calls step(count, target) after a horizontal swipe in an element: count is 1 for the
// direction of reading, and target the node on which the swipe began. A finger that scrolls or
// drags does not swipe.
export function onSwipe(element, step) {
	let start = null;
	const begin = ({ touches: [touch, ...others], target }) => {
		const isInside = touch.clientX > EDGE && touch.clientX < innerWidth - EDGE;
		start = isInside && others.length === 0 ? { x: touch.clientX, y: touch.clientY, target } : null;
	};
	const move = (event) => {
		if (event.defaultPrevented) start = null;
	};
	const end = ({ changedTouches: [touch] }) => {
		if (!start) return;
		const [x, y, { target }] = [touch.clientX - start.x, touch.clientY - start.y, start];
		start = null;
		if (Math.abs(x) < DISTANCE || Math.abs(x) < 2 * Math.abs(y)) return;
		const isRightToLeft = getComputedStyle(element).direction === "rtl";
		step((x < 0) === isRightToLeft ? -1 : 1, target);
	};
	element.addEventListener("touchstart", begin, { passive: true });
	element.addEventListener("touchmove", move, { passive: true });
	element.addEventListener("touchend", end);
	element.addEventListener("touchcancel", () => (start = null));
}
