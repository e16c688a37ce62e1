// Dragging: moving and resizing entries, and making new ones. A mouse drags after 4 px, a
// finger or pen after a press of 300 ms; before that it scrolls. A click of the mouse on an
// empty part makes an entry there.

import { itemOfNode } from "./entry.js";
import { createAt, createBetween, itemOf, moveBy, moveDays, rangeOfDays, resizeBy, resizeTo } from "./layout.js";

const DISTANCE = 4; // px
const JITTER = 10; // px that a finger moves while it presses
const PRESS = 300; // ms
const EDGE = 40; // px from an edge, in which dragging scrolls
const SPEED = 14; // px per frame at an edge

// createDrag makes the entries and the empty parts of a host draggable. The functions of
// env, from grid.js:
//   context(), view()  what is shown
//   lift(item, range)  shows an item in a range; range null ends that
//   commit(item, range, kind)  kind is "move", "resize" or "create"
// Returns { cancel, destroy }.
export function createDrag(host, env) {
	let press; // of the pointer that is down: see start
	let hasPopup = false; // whether the press closes a menu and therefore makes no entry
	let isSwallowing = false; // the click that follows a drag

	function start(event) {
		isSwallowing = false;
		if (press) return cancel();
		if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
		const found = find(event);
		if (!found) return;
		const isTouch = event.pointerType !== "mouse";
		press = { ...found, id: event.pointerId, isTouch, x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY, time: event.timeStamp, isActive: false };
		if (isTouch) press.timer = setTimeout(activate, PRESS);
	}

	// find returns the target of a press: { kind, item, from } with the hit of the point.
	function find({ target, clientX, clientY }) {
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

	function activate() {
		press.isActive = true;
		host.setPointerCapture(press.id);
		if (press.isTouch) navigator.vibrate?.(10);
		getSelection()?.removeAllRanges();
		press.scroller = scrollerOf(env.view().scroller());
		press.frame = requestAnimationFrame(frame);
		document.addEventListener("keydown", key, true);
	}

	function move(event) {
		if (!press || event.pointerId !== press.id) return;
		press.x = event.clientX;
		press.y = event.clientY;
		// A busy page gets a movement late: its time decides, even if the timer has ended before.
		const scrolls = press.isTouch && event.timeStamp - press.time < PRESS;
		if ((press.isActive && !scrolls) || isStill()) return;
		if (press.isTouch) cancel();
		else activate();
	}

	function frame() {
		if (!press?.isActive) return;
		scrollAtEdge();
		const range = currentRange();
		const text = JSON.stringify(range);
		if (text !== press.text) env.lift(press.item ?? itemOf(range, env.context().zone), range);
		press.text = text;
		press.frame = requestAnimationFrame(frame);
	}

	function currentRange() {
		const { zone, step, options } = env.context();
		const to = env.view().hit(press.x, press.y, press.from.area);
		const { kind, item, from } = press;
		if (kind === "create") {
			if (from.area === "days") return rangeOfDays(from.day, to.day);
			return isStill() ? createAt(from.instant, options.length, press.isActive ? step : 2 * step, zone) : createBetween(from.instant, to.instant, step, zone);
		}
		if (from.area === "days") return kind === "resize" ? resizeTo(item, item.last + to.day - from.day, zone) : moveDays(item, to.day - from.day, zone);
		return (kind === "resize" ? resizeBy : moveBy)(item, to.instant - from.instant, step);
	}

	const isStill = () => Math.hypot(press.x - press.startX, press.y - press.startY) < (press.isTouch ? JITTER : DISTANCE);

	function scrollAtEdge() {
		const { scroller, y, x } = press;
		const isPage = scroller === document.scrollingElement;
		const covered = parseFloat(getComputedStyle(env.view().scroller()).scrollPaddingBottom) || 0; // such as by a bar at the bottom
		const box = isPage ? { top: 0, bottom: innerHeight - covered, left: 0, right: innerWidth } : scroller.getBoundingClientRect();
		const head = scroller.querySelector(".wk-top")?.getBoundingClientRect().bottom ?? box.top;
		const upper = press.from.area === "time" ? Math.max(box.top, head) : box.top;
		const speed = (distance) => Math.ceil(SPEED * Math.min(1, 1 - distance / EDGE));
		let by = 0;
		if (y < upper + EDGE) by = -speed(y - upper);
		else if (y > box.bottom - EDGE) by = speed(box.bottom - y);
		if (by) scroller.scrollTop += by;
		if (isPage) return;
		if (x < box.left + EDGE / 2) scroller.scrollLeft -= 4;
		else if (x > box.right - EDGE / 2) scroller.scrollLeft += 4;
	}

	function end(event) {
		if (!press || event.pointerId !== press.id) return;
		press.x = event.clientX;
		press.y = event.clientY;
		const { isActive, isTouch, item, kind } = press;
		const isClick = kind === "create" && !isActive && !isTouch && !hasPopup;
		const range = isClick || (isActive && (kind === "create" || !isStill())) ? currentRange() : null;
		isSwallowing = isActive;
		stop();
		if (range) env.commit(item, range, kind);
		else if (isActive) env.lift(null, null);
	}

	function stop() {
		clearTimeout(press.timer);
		cancelAnimationFrame(press.frame);
		document.removeEventListener("keydown", key, true);
		if (host.hasPointerCapture(press.id)) host.releasePointerCapture(press.id);
		press = undefined;
	}

	function cancel() {
		if (!press) return;
		isSwallowing = press.isActive;
		stop();
		if (isSwallowing) env.lift(null, null);
	}

	function key(event) {
		if (event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		cancel();
	}

	function click(event) {
		if (!isSwallowing || event.detail === 0) return; // 0: by the keyboard
		isSwallowing = false;
		event.preventDefault();
		event.stopPropagation();
	}

	const prevent = (event) => {
		if (press?.isActive || (press?.isTouch && event.type === "contextmenu")) event.preventDefault();
	};
	const preventAlways = (event) => event.preventDefault();
	const notePopup = () => (hasPopup = document.querySelector("[aria-haspopup][aria-expanded=true]") !== null);
	const pointerCancel = (event) => event.pointerId === press?.id && cancel();
	const listeners = [
		["pointerdown", start], ["pointermove", move], ["pointerup", end], ["pointercancel", pointerCancel], ["click", click, true],
		["touchmove", prevent, { passive: false }], ["contextmenu", prevent], ["dragstart", preventAlways],
	];
	for (const [type, listener, options] of listeners) host.addEventListener(type, listener, options);
	addEventListener("pointerdown", notePopup, true); // before the menu closes

	return {
		cancel,
		destroy() {
			cancel();
			removeEventListener("pointerdown", notePopup, true);
			for (const [type, listener, options] of listeners) host.removeEventListener(type, listener, options);
		},
	};
}

// scrollerOf returns the nearest element that scrolls vertically, or the page.
export function scrollerOf(node) {
	for (; node && node !== document.body; node = node.parentElement) {
		if (/auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight) return node;
	}
	return document.scrollingElement;
}
