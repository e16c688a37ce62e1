// Recognizes horizontal swipes, which show the previous or next period of the calendar.

const MIN_DISTANCE = 60; // minimum length of a swipe, in CSS pixels
const EDGE_WIDTH = 24; // width of the window edges where swipes belong to the browser (back, forward), in CSS pixels

// onSwipe calls step(count, target) after a swipe in an element. count is 1 for the next period, to
// which a swipe against the reading direction leads, and -1 for the previous one. target is the node
// on which the swipe began. Touches that scroll or drag are no swipes.
export function onSwipe(element, step) {
	let start = null;
	const begin = ({ touches: [touch, ...others], target }) => {
		const isInside = touch.clientX > EDGE_WIDTH && touch.clientX < innerWidth - EDGE_WIDTH;
		start = isInside && others.length === 0 ? { x: touch.clientX, y: touch.clientY, target } : null;
	};
	const move = (event) => {
		if (event.defaultPrevented) start = null;
	};
	const end = ({ changedTouches: [touch] }) => {
		if (!start) return;
		const [x, y, { target }] = [touch.clientX - start.x, touch.clientY - start.y, start];
		start = null;
		if (Math.abs(x) < MIN_DISTANCE || Math.abs(x) < 2 * Math.abs(y)) return;
		const isRightToLeft = getComputedStyle(element).direction === "rtl";
		step((x < 0) === isRightToLeft ? -1 : 1, target);
	};
	element.addEventListener("touchstart", begin, { passive: true });
	element.addEventListener("touchmove", move, { passive: true });
	element.addEventListener("touchend", end);
	element.addEventListener("touchcancel", () => (start = null));
}
