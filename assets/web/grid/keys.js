// The keyboard in a grid. One element of the grid is in the tab order; from it:
//
//   ← →            the day before or after
//   ↑ ↓            through the day and its entries; at its end in a month the week before or after
//   Ctrl+↑ ↓       in a month the week before or after
//   Home End       the first or last day of the week; with Ctrl of the grid
//   PgUp PgDn      the month, week or day before or after
//   Enter, space   opens what is focused
//   Alt+arrows     move an entry by a step or a day, in a month by a day or a week
//   Alt+Shift+arrows  move its end; releasing Alt saves, Esc cancels

import { itemOfNode } from "./entry.js";
import { itemOf, moveBy, moveDays, resizeBy, resizeTo } from "./layout.js";
import { weekOf } from "./zone.js";

// createKeys handles the keys of a host. The functions of env, from grid.js:
//   context(), view()  what is shown
//   stop()             the element in the tab order
//   focusDay()         its day
//   focusOn(day, node) moves the focus, to a day that is not shown if node is undefined
//   openDay(day)       as a click on the number of a day
//   lift, commit       see createDrag; follow(item) shows the day of a moved item
// Returns { cancel, destroy }.
export function createKeys(host, env) {
	let nudge; // { item, range } while Alt is held

	function key(event) {
		if (!event.target.closest(".mo, .wk") || event.defaultPrevented) return undefined;
		if (nudge && !event.altKey && event.key !== "Escape") { // Alt was released elsewhere
			event.preventDefault(); // the key must not answer a question that the move asks
			return save();
		}
		if (event.key === "Escape" && nudge) {
			event.stopPropagation();
			cancel();
		} else if (event.altKey && /^Arrow/.test(event.key)) {
			if (!push(event)) return undefined;
		} else if (event.altKey || !walk(event)) {
			return undefined;
		}
		return event.preventDefault();
	}

	// walk moves the focus and reports whether the key does so.
	function walk({ key: name, ctrlKey, metaKey, target }) {
		const { view: kind, options, isRightToLeft } = env.context();
		const view = env.view();
		const day = env.focusDay();
		const nodes = view.stops(day);
		const index = Math.max(0, nodes.indexOf(env.stop()));
		const isMonth = kind === "month";
		const control = ctrlKey || metaKey;
		const week = weekOf(day, options.weekStart);
		const isWeekly = kind !== "day";
		const forward = isRightToLeft ? -1 : 1;
		switch (name) {
			case "ArrowLeft": return toDay(day - forward, index);
			case "ArrowRight": return toDay(day + forward, index);
			case "ArrowUp":
				if (index > 0 && !control) return toNode(day, nodes[index - 1]);
				return isMonth ? toDay(day - 7, control ? 0 : Infinity) : true;
			case "ArrowDown":
				if (index + 1 < nodes.length && !control) return toNode(day, nodes[index + 1]);
				return isMonth ? toDay(day + 7, 0) : true;
			case "Home": return toDay(control ? view.first() : isWeekly ? week : day, 0);
			case "End": return toDay(control ? view.last() : isWeekly ? week + 6 : day, 0);
			case "PageUp": return toDay(view.step(day, -1), 0);
			case "PageDown": return toDay(view.step(day, 1), 0);
			case "Enter":
			case " ":
				if (target.dataset.day) env.openDay(day);
				else if (name === " " && target.href) target.click(); // as on a button
				else return false;
				return true;
		}
		return false;
	}

	function toDay(day, index) {
		const nodes = env.view().stops(day);
		env.focusOn(day, nodes[Math.min(index, nodes.length - 1)]);
		return true;
	}

	function toNode(day, node) {
		env.focusOn(day, node);
		return true;
	}

	// push moves the focused entry, or its end with Shift, and reports whether it may move.
	function push({ key: name, shiftKey, target }) {
		const { zone, format, words, options } = env.context();
		const item = nudge?.item ?? itemOfNode(target);
		if (!item || !options.on.move || !(shiftKey ? item.entry.resizable : item.entry.movable)) return false;
		const now = nudge ? itemOf(nudge.range, zone, item.entry) : item;
		const range = pushed(now, name, shiftKey) ?? nudge?.range;
		if (!range) return true;
		nudge = { item, range };
		env.lift(item, range);
		const moved = itemOf(range, zone, item.entry);
		env.follow(moved);
		options.on.announce?.(words.moving({ title: item.entry.title, date: format.date(moved.first), time: env.timesOf(moved) }));
		return true;
	}

	function pushed(item, name, isEnd) {
		const { zone, step, view, isRightToLeft } = env.context();
		const isVertical = name === "ArrowUp" || name === "ArrowDown";
		const isForward = name === "ArrowDown" || name === (isRightToLeft ? "ArrowLeft" : "ArrowRight");
		const sign = isForward ? 1 : -1;
		const isTimed = !item.long && view !== "month";
		if (isEnd) {
			if (isTimed) return isVertical ? resizeBy(item, sign * step, step) : null;
			return item.long && !isVertical ? resizeTo(item, item.last + sign, zone) : null;
		}
		if (!isVertical) return moveDays(item, sign, zone);
		if (isTimed) return moveBy(item, sign * step, step);
		return view === "month" ? moveDays(item, sign * 7, zone) : null;
	}

	function release(event) {
		if (event.key !== "Alt" || !nudge) return;
		event.preventDefault();
		save();
	}

	function save() {
		const { item, range } = nudge;
		nudge = undefined;
		env.commit(item, range, item.start === itemOf(range, env.context().zone).start ? "resize" : "move");
	}

	function cancel() {
		if (!nudge) return;
		nudge = undefined;
		env.lift(null, null);
	}

	// leave cancels when the focus leaves the grid, but not while the grid is drawn anew.
	function leave({ relatedTarget }) {
		if (!env.isDrawing() && !host.contains(relatedTarget)) cancel();
	}

	const listeners = [["keydown", key], ["keyup", release], ["focusout", leave]];
	for (const [type, listener] of listeners) host.addEventListener(type, listener);
	return {
		cancel,
		destroy() {
			for (const [type, listener] of listeners) host.removeEventListener(type, listener);
		},
	};
}
