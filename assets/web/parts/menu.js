// Menus of actions.

import { el, icon } from "./el.js";
import { catchEscape, showPopup } from "./popup.js";
import { fold } from "./fold.js";
import { returnFocus } from "../frame/focus.js";

const TYPE_AHEAD_TIMEOUT = 700; // milliseconds after which a typed letter begins a new search

// openMenu shows a menu below the button that opens it, the anchor, and returns a function that
// closes it. Options: label, the label of the menu; end, see showPopup. items is a list of items,
// with null for a line between groups, and undefined or false for an item that is left out. A line
// without items before or after it is left out too:
//
//   label, icon  the text and the name of an icon
//   run          called when the member has selected the item and the menu is closed
//   href         the address of a link; without it, the item is a button
//   keys         the displayed keyboard shortcut
//   bad          whether the action is destructive
//   checked      whether a choice is selected; undefined if the item is not a choice
//   disabled     whether a click has no effect
export function openMenu(anchor, items, { label, end = false } = {}) {
	const menu = el("div", { class: "menu", role: "menu", "aria-label": label, tabindex: "-1" });
	menu.append(...withoutGaps(items).map((item) => (item ? menuItem(item, run) : el("hr", { role: "separator" }))));
	const entries = [...menu.querySelectorAll("[role^=menuitem]")];
	let returnsFocus = true; // whether the anchor is focused if closing the menu removes the focused item
	const hide = showPopup(menu, anchor, {
		end,
		close: () => {
			anchor.setAttribute("aria-expanded", "false");
			if (returnsFocus && (document.activeElement === document.body || document.activeElement === null)) returnFocus(anchor);
		},
	});
	anchor.setAttribute("aria-haspopup", "menu");
	anchor.setAttribute("aria-expanded", "true");

	function run(item) {
		close();
		item.run?.();
	}

	// close closes the menu and focuses the anchor. It precedes the action of an item, because a
	// dialog that the action opens will return the focus to the element that has it now.
	function close() {
		returnFocus(anchor);
		hide();
	}

	const focus = (index) => entries[(index + entries.length) % entries.length]?.focus();
	let letters = ""; // letters of the present search
	let typedAt = 0; // time stamp of the latest letter
	menu.addEventListener("keydown", (event) => {
		if (catchEscape(event, close)) return;
		const at = entries.indexOf(document.activeElement);
		const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
		if (event.key in steps) {
			event.preventDefault();
			focus(steps[event.key]);
		} else if (event.key === "Tab") {
			returnsFocus = false;
			returnFocus(anchor);
			hide();
		} else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
			letters = event.timeStamp - typedAt < TYPE_AHEAD_TIMEOUT ? letters + event.key : event.key;
			typedAt = event.timeStamp;
			const index = typeAhead(entries.map((entry) => entry.dataset.name), letters, at);
			if (index >= 0) focus(index);
		}
	});
	menu.addEventListener("pointermove", (event) => event.target.closest("[role^=menuitem]")?.focus({ preventScroll: true }));
	(entries.find((entry) => entry.getAttribute("aria-checked") === "true") ?? entries[0] ?? menu).focus();
	return hide;
}

// withoutGaps returns the items of openMenu that are shown.
function withoutGaps(items) {
	const visibleItems = items.filter((item) => item || item === null);
	return visibleItems.filter((item, i) => item || (i > 0 && visibleItems[i - 1] && visibleItems.slice(i).some(Boolean)));
}

// menuItem returns the element of an item. It calls run with the item when the member clicks on it.
function menuItem(item, run) {
	const isChoice = item.checked !== undefined;
	const props = {
		class: item.bad && "bad", role: isChoice ? "menuitemradio" : "menuitem", tabindex: "-1", "data-name": item.label,
		"aria-checked": isChoice ? String(Boolean(item.checked)) : null, "aria-disabled": item.disabled ? "true" : null,
		"aria-keyshortcuts": item.keys,
		on: { click: (event) => (item.disabled ? event.preventDefault() : run(item)) },
	};
	const iconName = item.icon ?? (item.checked ? "check" : null);
	const children = [
		iconName && icon(iconName), el("span", { class: "grow", dir: "auto", text: item.label }),
		item.keys && el("kbd", { "aria-hidden": "true", text: item.keys }),
	];
	return item.href ? el("a", { ...props, href: item.href }, children) : el("button", { type: "button", ...props }, children);
}

// typeAhead returns the index of the next name that starts with the typed letters, or -1. The search
// begins with the name at the index `at`, or after it if the typed letters are equal. Repetitions of
// a letter therefore return one name after another.
export function typeAhead(names, typed, at) {
	const isRepeated = [...typed].every((letter) => letter === typed[0]);
	const searchText = fold(isRepeated ? typed[0] : typed);
	for (let i = isRepeated ? 1 : 0; i <= names.length; i++) {
		const index = (Math.max(at, isRepeated ? -1 : 0) + i) % names.length;
		if (fold(names[index]).startsWith(searchText)) return index;
	}
	return -1;
}

// menuButton makes a button open and close a menu, and returns the button. items returns the items
// of the menu each time it is opened. options are those of openMenu.
export function menuButton(node, items, options = {}) {
	node.setAttribute("aria-haspopup", "menu");
	node.setAttribute("aria-expanded", "false");
	let hide;
	const toggle = () => {
		if (node.getAttribute("aria-expanded") === "true") hide?.();
		else hide = openMenu(node, items(), options);
	};
	node.addEventListener("click", toggle);
	node.addEventListener("keydown", (event) => {
		if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
		event.preventDefault();
		toggle();
	});
	return node;
}
