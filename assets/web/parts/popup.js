// Pop-ups that are anchored to an element: menus, lists of suggestions and the date picker.

import { layerOf } from "./el.js";

const GAP = 4; // distance of the pop-up from the element, in CSS pixels
const MARGIN = 8; // minimum distance of the pop-up from the edges of the window, in CSS pixels

// showPopup shows a pop-up below an element, or above it if there is more space, and moves it with
// the element. The pop-up closes when the member presses outside of it, and when the element is
// removed from the page, at once if it already has been. showPopup returns a function that closes it.
// Options: width, whether the pop-up is at least as wide as the element; end, whether their ends are
// aligned instead of their starts; close, called when the pop-up has been removed.
export function showPopup(popup, anchor, { width = false, end = false, close = () => {} } = {}) {
	let isHidden = false; // not the same as isConnected: a view or a dialog may have been removed with the pop-up
	popup.classList.add("popup");
	layerOf(anchor).append(popup);
	const update = () => (anchor.isConnected ? positionPopup(popup, anchor, { width, end }) : hide());
	const observer = new ResizeObserver(update);
	observer.observe(popup);
	const onPointerDown = (event) => {
		if (!popup.contains(event.target) && !anchor.contains(event.target)) hide();
	};
	const onScroll = (event) => {
		if (!popup.contains(event.target)) update();
	};
	document.addEventListener("pointerdown", onPointerDown, true);
	addEventListener("resize", update);
	addEventListener("scroll", onScroll, true);
	update();

	function hide() {
		if (isHidden) return;
		isHidden = true;
		observer.disconnect();
		document.removeEventListener("pointerdown", onPointerDown, true);
		removeEventListener("resize", update);
		removeEventListener("scroll", onScroll, true);
		popup.remove();
		close();
	}
	return hide;
}

// positionPopup sets the position of a pop-up, and its maximum size within the window.
function positionPopup(popup, anchor, { width, end }) {
	const box = anchor.getBoundingClientRect();
	const [windowWidth, windowHeight] = [document.documentElement.clientWidth, innerHeight];
	const style = (name, value) => popup.style.setProperty(name, value);
	if (width) style("min-width", `${Math.min(box.width, windowWidth - 2 * MARGIN)}px`);
	const [below, above] = [windowHeight - box.bottom - GAP - MARGIN, box.top - GAP - MARGIN];
	style("max-width", `${windowWidth - 2 * MARGIN}px`);
	style("max-height", "var(--most, none)");
	const size = popup.getBoundingClientRect();
	const isAbove = size.height > below && above > below;
	style("max-height", `min(${Math.max(96, isAbove ? above : below)}px, var(--most, 100vh))`);
	const height = Math.min(size.height, Math.max(96, isAbove ? above : below));
	style("top", `${Math.max(MARGIN, isAbove ? box.top - GAP - height : box.bottom + GAP)}px`);
	const fromLeft = (getComputedStyle(anchor).direction === "rtl") === end;
	const left = fromLeft ? box.left : box.right - size.width;
	style("left", `${Math.max(MARGIN, Math.min(left, windowWidth - MARGIN - size.width))}px`);
}

// catchEscape closes a pop-up with the Escape key, before that key closes the dialog around it.
export function catchEscape(event, run) {
	if (event.key !== "Escape") return false;
	event.preventDefault();
	event.stopPropagation();
	run();
	return true;
}
