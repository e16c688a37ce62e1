// Dragging with a pointer: moves and resizes entries, and creates new ones. A mouse drags after
// DRAG_DISTANCE, a finger or pen after a press of PRESS_DURATION milliseconds; before that, it scrolls. A click of
// the mouse on an empty part creates an entry there.

import { itemOfNode } from "./entry.js";
import { createAt, createBetween, itemOf, moveBy, moveDays, rangeOfDays, resizeBy, resizeTo } from "./layout.js";

const DRAG_DISTANCE = 4; // movement of a mouse that starts a drag, in CSS pixels
const MAX_JITTER = 10; // movement of a finger that is ignored during a press, in CSS pixels
const PRESS_DURATION = 300; // duration of a press that starts a drag, in milliseconds
const EDGE_WIDTH = 40; // width of the area at an edge in which a drag scrolls, in CSS pixels
const MAX_SCROLL_SPEED = 14; // maximum speed of scrolling at an edge, in CSS pixels per frame

// createDrag makes the entries and the empty parts of the grid in a host element draggable. It returns
// { cancel, destroy }. env has the functions of grid.js:
//
//   context()   returns the context of the grid, see VIEWS in grid.js
//   view()      returns the present view, see VIEWS in grid.js
//   setPreview(item, range)  shows an item with a range until the next call, null and null for none
//   commit(item, range, kind)  applies a range; kind is "move", "resize" or "create"
export function createDrag(host, env) {
	let press; // state of the pressed pointer: see onPointerDown and activate
	let hasPopup = false; // whether a menu was open at the press, which then closes the menu and creates no entry
	let ignoresClick = false; // whether the next click is the end of a drag

	function onPointerDown(event) {
		ignoresClick = false;
		if (press) return cancel();
		if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
		const target = findTarget(event);
		if (!target) return;
		const isTouch = event.pointerType !== "mouse";
		press = {
			...target, id: event.pointerId, isTouch, x: event.clientX, y: event.clientY,
			startX: event.clientX, startY: event.clientY, time: event.timeStamp, isActive: false,
		};
		if (isTouch) press.timer = setTimeout(startDrag, PRESS_DURATION);
	}

	// findTarget returns the target of a press as { kind, item, from }, or null if it cannot be dragged.
	// from is the position of the press, the result of hit of the view.
	function findTarget({ target, clientX, clientY }) {
		const { phone, view, options: { on } } = env.context();
		if (phone && view === "month") return null;
		if (target.closest(".more-ev, .mo-n, .wk-head, .mo-head, .mo-day, .wk-hours")) return null;
		const item = itemOfNode(target);
		const from = env.view().hit(clientX, clientY, item && (item.long || view === "month" ? "days" : undefined));
		if (!item) return on.create && target.closest(".mo-week, .wk-cell, .wk-day") ? { kind: "create", item: null, from } : null;
		if (!on.move) return null;
		const isResize = Boolean(target.closest(".slot-end, .ev-end"));
		if (isResize ? !item.entry.resizable : !item.entry.movable) return null;
		return { kind: isResize ? "resize" : "move", item, from };
	}

	// activate starts a drag.
	function startDrag() {
		press.isActive = true;
		host.setPointerCapture(press.id);
		if (press.isTouch) navigator.vibrate?.(10);
		getSelection()?.removeAllRanges();
		press.scroller = scrollerOf(env.view().scroller());
		press.frame = requestAnimationFrame(onFrame);
		document.addEventListener("keydown", onKeyDown, true);
	}

	function onPointerMove(event) {
		if (!press || event.pointerId !== press.id) return;
		press.x = event.clientX;
		press.y = event.clientY;
		// On a busy page, the event may arrive after the end of the timer: its own time decides whether
		// the finger scrolls.
		const scrolls = press.isTouch && event.timeStamp - press.time < PRESS_DURATION;
		if ((press.isActive && !scrolls) || isStill()) return;
		if (press.isTouch) cancel();
		else startDrag();
	}

	// onFrame scrolls and draws the preview during a drag.
	function onFrame() {
		if (!press?.isActive) return;
		scrollAtEdge();
		const range = currentRange();
		const key = JSON.stringify(range);
		if (key !== press.rangeKey) env.setPreview(press.item ?? itemOf(range, env.context().zone), range);
		press.rangeKey = key;
		press.frame = requestAnimationFrame(onFrame);
	}

	// currentRange returns the range for the present position of the pointer.
	function currentRange() {
		const { zone, step, options } = env.context();
		const to = env.view().hit(press.x, press.y, press.from.area);
		const { kind, item, from } = press;
		if (kind === "create") {
			if (from.area === "days") return rangeOfDays(from.day, to.day);
			if (!isStill()) return createBetween(from.instant, to.instant, step, zone);
			return createAt(from.instant, options.length, press.isActive ? step : 2 * step, zone);
		}
		if (from.area === "days") {
			const days = to.day - from.day;
			return kind === "resize" ? resizeTo(item, item.last + days, zone) : moveDays(item, days, zone);
		}
		return (kind === "resize" ? resizeBy : moveBy)(item, to.instant - from.instant, step);
	}

	const isStill = () => Math.hypot(press.x - press.startX, press.y - press.startY) < (press.isTouch ? MAX_JITTER : DRAG_DISTANCE);

	// scrollAtEdge scrolls if the pointer is near an edge of the scrolling element.
	function scrollAtEdge() {
		const { scroller, y, x } = press;
		const isPage = scroller === document.scrollingElement;
		const bottomBarHeight = parseFloat(getComputedStyle(env.view().scroller()).scrollPaddingBottom) || 0; // height of a bar at the bottom
		const viewport = { top: 0, bottom: innerHeight - bottomBarHeight, left: 0, right: innerWidth };
		const box = isPage ? viewport : scroller.getBoundingClientRect();
		const head = scroller.querySelector(".wk-top")?.getBoundingClientRect().bottom ?? box.top;
		const topEdge = press.from.area === "time" ? Math.max(box.top, head) : box.top;
		const speed = (distance) => Math.ceil(MAX_SCROLL_SPEED * Math.min(1, 1 - distance / EDGE_WIDTH));
		let scrollDistance = 0;
		if (y < topEdge + EDGE_WIDTH) scrollDistance = -speed(y - topEdge);
		else if (y > box.bottom - EDGE_WIDTH) scrollDistance = speed(box.bottom - y);
		if (scrollDistance) scroller.scrollTop += scrollDistance;
		if (isPage) return;
		if (x < box.left + EDGE_WIDTH / 2) scroller.scrollLeft -= 4;
		else if (x > box.right - EDGE_WIDTH / 2) scroller.scrollLeft += 4;
	}

	function onPointerUp(event) {
		if (!press || event.pointerId !== press.id) return;
		press.x = event.clientX;
		press.y = event.clientY;
		const { isActive, isTouch, item, kind } = press;
		const isClick = kind === "create" && !isActive && !isTouch && !hasPopup;
		const range = isClick || (isActive && (kind === "create" || !isStill())) ? currentRange() : null;
		ignoresClick = isActive;
		endPress();
		if (range) env.commit(item, range, kind);
		else if (isActive) env.setPreview(null, null);
	}

	function endPress() {
		clearTimeout(press.timer);
		cancelAnimationFrame(press.frame);
		document.removeEventListener("keydown", onKeyDown, true);
		if (host.hasPointerCapture(press.id)) host.releasePointerCapture(press.id);
		press = undefined;
	}

	// cancel ends a press or a drag without a change.
	function cancel() {
		if (!press) return;
		ignoresClick = press.isActive;
		endPress();
		if (ignoresClick) env.setPreview(null, null);
	}

	function onKeyDown(event) {
		if (event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		cancel();
	}

	function onClick(event) {
		if (!ignoresClick || event.detail === 0) return; // 0: by the keyboard
		ignoresClick = false;
		event.preventDefault();
		event.stopPropagation();
	}

	const preventInDrag = (event) => {
		if (press?.isActive || (press?.isTouch && event.type === "contextmenu")) event.preventDefault();
	};
	const preventAlways = (event) => event.preventDefault();
	const notePopup = () => (hasPopup = document.querySelector("[aria-haspopup][aria-expanded=true]") !== null);
	const onPointerCancel = (event) => event.pointerId === press?.id && cancel();
	const listeners = [
		["pointerdown", onPointerDown], ["pointermove", onPointerMove], ["pointerup", onPointerUp], ["pointercancel", onPointerCancel],
		["click", onClick, true], ["touchmove", preventInDrag, { passive: false }], ["contextmenu", preventInDrag], ["dragstart", preventAlways],
	];
	for (const [type, listener, options] of listeners) host.addEventListener(type, listener, options);
	addEventListener("pointerdown", notePopup, true); // in the capture phase, before the menu closes

	return {
		cancel,
		destroy() {
			cancel();
			removeEventListener("pointerdown", notePopup, true);
			for (const [type, listener, options] of listeners) host.removeEventListener(type, listener, options);
		},
	};
}

// scrollerOf returns the nearest element that scrolls vertically and contains a node, or the scrolling element of
// the page.
export function scrollerOf(node) {
	for (; node && node !== document.body; node = node.parentElement) {
		if (/auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight) return node;
	}
	return document.scrollingElement;
}
