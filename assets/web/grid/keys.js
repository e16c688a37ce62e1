// The keyboard in a grid. One element of the grid is in the tab order (roving tabindex). Its keys:
//
//   ← →               focus the previous or next day
//   ↑ ↓               focus the previous or next element of a day; from its first or last one, in a
//                     month, the same weekday of the previous or next week
//   Ctrl+↑ ↓          in a month, focus the same weekday of the previous or next week
//   Home End          focus the first or last day of the week; with Ctrl, of the grid
//   PgUp PgDn         focus the same day of the previous or next month, week or day
//   Enter, Space      open the focused element
//   Alt+arrows        move an entry by a step or a day; in a month, by a day or a week
//   Alt+Shift+arrows  move the end of an entry; releasing Alt saves the change, Esc cancels it

import { itemOfNode } from "./entry.js";
import { itemOf, moveBy, moveDays, resizeBy, resizeTo } from "./layout.js";
import { weekOf } from "./zone.js";

// createKeys handles the keys of the grid in a host element. It returns { cancel, destroy }. env has the
// functions of grid.js:
//
//   context(), view()   see createDrag
//   setPreview, commit  see createDrag
//   tabStop()           the element in the tab order
//   focusDay()          its day
//   isDrawing()         whether the grid is being drawn
//   focusOn(day, node)  focuses an element of a visible day; without node, it shows another day
//   openDay(day)        opens a day, as a click on its number does
//   revealItem(item)    makes an item the focused one, and shows its day
//   timeText(item)      the text of the time of an item
export function createKeys(host, env) {
	let pendingChange; // { item, range } of a change that is not saved, while Alt is pressed

	function onKeyDown(event) {
		if (!event.target.closest(".mo, .wk") || event.defaultPrevented) return undefined;
		if (pendingChange && !event.altKey && event.key !== "Escape") { // the grid did not receive the release of Alt
			event.preventDefault(); // the key must not act on a dialog that the change opens
			return save();
		}
		if (event.key === "Escape" && pendingChange) {
			event.stopPropagation();
			cancel();
		} else if (event.altKey && /^Arrow/.test(event.key)) {
			if (!changeEntry(event)) return undefined;
		} else if (event.altKey || !moveFocus(event)) {
			return undefined;
		}
		return event.preventDefault();
	}

	// moveFocus moves the focus or opens the focused element, and reports whether the key does either.
	function moveFocus({ key: name, ctrlKey, metaKey, target }) {
		const { view: kind, options, isRightToLeft } = env.context();
		const view = env.view();
		const day = env.focusDay();
		const nodes = view.focusables(day);
		const index = Math.max(0, nodes.indexOf(env.tabStop()));
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
				else if (name === " " && target.href) target.click(); // Space activates buttons, but not links
				else return false;
				return true;
		}
		return false;
	}

	// toDay focuses the element with an index in a day, or its last element.
	function toDay(day, index) {
		const nodes = env.view().focusables(day);
		env.focusOn(day, nodes[Math.min(index, nodes.length - 1)]);
		return true;
	}

	function toNode(day, node) {
		env.focusOn(day, node);
		return true;
	}

	// changeEntry moves the focused entry or, with Shift, its end, and reports whether the entry is
	// movable or resizable.
	function changeEntry({ key: name, shiftKey, target }) {
		const { zone, format, words, options } = env.context();
		const item = pendingChange?.item ?? itemOfNode(target);
		if (!item || !options.on.move || !(shiftKey ? item.entry.resizable : item.entry.movable)) return false;
		const currentItem = pendingChange ? itemOf(pendingChange.range, zone, item.entry) : item;
		const range = rangeAfter(currentItem, name, shiftKey) ?? pendingChange?.range;
		if (!range) return true;
		pendingChange = { item, range };
		env.setPreview(item, range);
		const movedItem = itemOf(range, zone, item.entry);
		env.revealItem(movedItem);
		options.on.announce?.(words.moving({ title: item.entry.title, date: format.date(movedItem.first), time: env.timeText(movedItem) }));
		return true;
	}

	// rangeAfter returns the range of an item after an arrow key has moved the item or, if isEnd, its
	// end, or null if the key does not apply.
	function rangeAfter(item, name, isEnd) {
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

	function onKeyUp(event) {
		if (event.key !== "Alt" || !pendingChange) return;
		event.preventDefault();
		save();
	}

	// save applies the pending change.
	function save() {
		const { item, range } = pendingChange;
		pendingChange = undefined;
		env.commit(item, range, item.start === itemOf(range, env.context().zone).start ? "resize" : "move");
	}

	// cancel discards the pending change.
	function cancel() {
		if (!pendingChange) return;
		pendingChange = undefined;
		env.setPreview(null, null);
	}

	// onFocusOut cancels when the focus leaves the grid, but not while the grid replaces the focused
	// element.
	function onFocusOut({ relatedTarget }) {
		if (!env.isDrawing() && !host.contains(relatedTarget)) cancel();
	}

	const listeners = [["keydown", onKeyDown], ["keyup", onKeyUp], ["focusout", onFocusOut]];
	for (const [type, listener] of listeners) host.addEventListener(type, listener);
	return {
		cancel,
		destroy() {
			for (const [type, listener] of listeners) host.removeEventListener(type, listener);
		},
	};
}
