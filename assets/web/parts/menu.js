// Menus of actions.

import { el, icon } from "./el.js";
import { catchEscape, showPopup } from "./popup.js";
import { fold } from "./fold.js";

// TYPE_AHEAD is the time after which a letter begins a new word, in milliseconds.
const TYPE_AHEAD = 700;

// openMenu shows a menu beside the button that opens it.
//
// items is a list of { label, icon, keys, run, href, bad, checked, disabled }, and of null for
// a line between groups. keys is the shortcut to show; checked makes the item a choice.
// Options: label, the name of the menu; end, whether it is aligned with the end of the button.
export function openMenu(anchor, items, { label, end = false } = {}) {
	const menu = el("div", { class: "menu", role: "menu", "aria-label": label, tabindex: "-1" });
	menu.append(...items.map((item) => (item ? menuItem(item, run) : el("hr", { role: "separator" }))));
	const entries = [...menu.querySelectorAll("[role^=menuitem]")];
	const opener = anchor;
	let returnFocus = true;
	const hide = showPopup(menu, anchor, {
		end,
		close: () => {
			anchor.setAttribute("aria-expanded", "false");
			if (returnFocus && (document.activeElement === document.body || document.activeElement === null)) opener.focus();
		},
	});
	anchor.setAttribute("aria-haspopup", "menu");
	anchor.setAttribute("aria-expanded", "true");

	function run(item) {
		close();
		item.run?.();
	}

	// close returns the focus before the item acts, so that what it opens knows the opener.
	function close() {
		opener.focus();
		hide();
	}

	const focus = (index) => entries[(index + entries.length) % entries.length]?.focus();
	let typed = "";
	let typedAt = 0;
	menu.addEventListener("keydown", (event) => {
		if (catchEscape(event, close)) return;
		const at = entries.indexOf(document.activeElement);
		const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
		if (event.key in steps) {
			event.preventDefault();
			focus(steps[event.key]);
		} else if (event.key === "Tab") {
			returnFocus = false;
			opener.focus();
			hide();
		} else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
			typed = event.timeStamp - typedAt < TYPE_AHEAD ? typed + event.key : event.key;
			typedAt = event.timeStamp;
			const found = typeAhead(entries.map((entry) => entry.dataset.name), typed, at);
			if (found >= 0) focus(found);
		}
	});
	menu.addEventListener("pointermove", (event) => event.target.closest("[role^=menuitem]")?.focus({ preventScroll: true }));
	(entries.find((entry) => entry.getAttribute("aria-checked") === "true") ?? entries[0] ?? menu).focus();
	return hide;
}

function menuItem(item, run) {
	const isChoice = item.checked !== undefined;
	const props = {
		class: item.bad && "bad", role: isChoice ? "menuitemradio" : "menuitem", tabindex: "-1", "data-name": item.label,
		"aria-checked": isChoice ? String(Boolean(item.checked)) : null, "aria-disabled": item.disabled ? "true" : null,
		"aria-keyshortcuts": item.keys,
		on: { click: (event) => (item.disabled ? event.preventDefault() : run(item)) },
	};
	const mark = item.icon ?? (item.checked ? "check" : null);
	const children = [mark && icon(mark), el("span", { class: "grow", dir: "auto", text: item.label }), item.keys && el("kbd", { "aria-hidden": "true", text: item.keys })];
	return item.href ? el("a", { ...props, href: item.href }, children) : el("button", { type: "button", ...props }, children);
}

// typeAhead returns the index of the next name that starts with the typed letters, or -1. One
// letter, also repeated, goes on from the present name.
export function typeAhead(names, typed, at) {
	const repeated = [...typed].every((letter) => letter === typed[0]);
	const wanted = fold(repeated ? typed[0] : typed);
	for (let i = repeated ? 1 : 0; i <= names.length; i++) {
		const index = (Math.max(at, repeated ? -1 : 0) + i) % names.length;
		if (fold(names[index]).startsWith(wanted)) return index;
	}
	return -1;
}

// menuButton makes a button open a menu. items returns the items when it opens.
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
