// Tabs, segmented controls and chips.

import { badge } from "./badge.js";
import { el, icon } from "./el.js";

// tabs returns a navigation with links, the tabs of a view. items is a list of { label, href, icon,
// badge, current }: badge is a count, and current is true for the tab of the present view. Options:
// label, the label of the navigation; open(item, event), called when the member clicks on a tab;
// words, required with badges.
export function tabs(items, { label, open, words }) {
	const nav = el("nav", { class: "tabs", "aria-label": label });
	nav.append(...items.map((item) => el("a",
		{ href: item.href, "aria-current": item.current ? "page" : null, on: open && { click: (event) => open(item, event) } },
		item.icon && icon(item.icon), el("span", { dir: "auto", text: item.label }),
		item.badge ? badge(item.badge, { words, soft: true }) : null)));
	trackOverflow(nav);
	return nav;
}

// trackOverflow sets the classes more-before and more-after of a row that scrolls horizontally, while
// a part of the row is hidden at its start or end. When the row is first displayed, it also scrolls
// to the element with aria-current, unless the row has been scrolled.
export function trackOverflow(nav) {
	let isNew = true; // whether the row has not been displayed yet
	const update = () => {
		const hiddenBefore = Math.abs(nav.scrollLeft); // scrollLeft is negative in text from right to left
		nav.classList.toggle("more-before", hiddenBefore > 1);
		nav.classList.toggle("more-after", nav.scrollWidth - nav.clientWidth - hiddenBefore > 1);
	};
	nav.addEventListener("scroll", update, { passive: true });
	new ResizeObserver(() => {
		if (isNew && nav.scrollLeft === 0) nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
		isNew = false;
		update();
	}).observe(nav);
}

// segmented returns { element, value, set(value) }, a segmented control, which has a button for each
// of two to five values. set changes the value, without a call of choose. items is a list of
// { value, label, icon, disabled }. Options:
//
//   label          the label of the control
//   value          the selected value, or null
//   full           whether the control is as wide as its container
//   answer         whether the values are answers to an invitation: a check marks the selected value
//   choose(value)  called when the member has selected another value
export function segmented(items, { label, value = null, full = false, answer = false, choose = () => {} }) {
	const element = el("div", {
		class: ["seg", full && "full", answer && "answer"].filter(Boolean).join(" "), role: "group", "aria-label": label,
	});
	const buttons = items.map((item) => (
		el("button", { type: "button", disabled: Boolean(item.disabled), on: { click: () => pick(item.value) } })));
	element.append(...buttons);
	element.addEventListener("keydown", (event) => {
		const rtl = getComputedStyle(element).direction === "rtl";
		const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key];
		if (!step) return;
		event.preventDefault();
		const enabled = buttons.filter((node) => !node.disabled);
		enabled[(enabled.indexOf(document.activeElement) + step + enabled.length) % enabled.length]?.focus();
	});

	const control = { element, value, set };

	function pick(next) {
		if (next === control.value) return;
		set(next);
		choose(next);
	}

	function set(next) {
		control.value = next;
		items.forEach((item, i) => {
			const pressed = item.value === next;
			buttons[i].setAttribute("aria-pressed", String(pressed));
			const iconName = answer && pressed ? "check" : item.icon;
			buttons[i].replaceChildren(...[iconName && icon(iconName, "i-s"), el("span", { dir: "auto", text: item.label })].filter(Boolean));
		});
	}
	set(value);
	return control;
}

// chips returns { element, values() }, a group of toggle buttons, for example filters. values
// returns the values of the pressed buttons. items is a list of { value, label, icon }. Options:
// label, the label of the group; values, the list of the values that are on at first;
// change(values), called when the member has pressed a button.
export function chips(items, { label, values = [], change = () => {} }) {
	const selected = new Set(values);
	const element = el("div", { class: "chips", role: "group", "aria-label": label });
	for (const item of items) {
		const node = el("button", { type: "button", class: "chip", "aria-pressed": String(selected.has(item.value)) },
			item.icon && icon(item.icon, "i-s"), el("span", { dir: "auto", text: item.label }));
		node.addEventListener("click", () => {
			if (!selected.delete(item.value)) selected.add(item.value);
			node.setAttribute("aria-pressed", String(selected.has(item.value)));
			change([...selected]);
		});
		element.append(node);
	}
	return { element, values: () => items.map(({ value }) => value).filter((value) => selected.has(value)) };
}
