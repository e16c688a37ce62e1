// Tabs, segmented controls and chips.

import { badge } from "./badge.js";
import { el, icon } from "./el.js";

// tabs returns the tabs of a view as links; the present one is marked with aria-current.
// items is a list of { label, href, icon, badge, current }. Options: label, the name of the
// navigation; open(item, event), called at a press.
export function tabs(items, { label, open, words }) {
	const nav = el("nav", { class: "tabs", "aria-label": label });
	nav.append(...items.map((item) => el("a", { href: item.href, "aria-current": item.current ? "page" : null, on: open && { click: (event) => open(item, event) } },
		item.icon && icon(item.icon), el("span", { dir: "auto", text: item.label }), item.badge ? badge(item.badge, { words, soft: true }) : null)));
	scrollsAside(nav);
	return nav;
}

// scrollsAside shows the present one of the tabs of a new row as soon as it is on the page, unless
// the row has a position, and marks the row on the sides on which it continues.
export function scrollsAside(nav) {
	let isNew = true;
	const update = () => {
		const before = Math.abs(nav.scrollLeft);
		nav.classList.toggle("more-before", before > 1);
		nav.classList.toggle("more-after", nav.scrollWidth - nav.clientWidth - before > 1);
	};
	nav.addEventListener("scroll", update, { passive: true });
	new ResizeObserver(() => {
		if (isNew && nav.scrollLeft === 0) nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
		isNew = false;
		update();
	}).observe(nav);
}

// segmented returns a control for one of two to five values.
//
// items is a list of { value, label, icon, disabled }. Options: label; value; full, to fill the
// width; answer, for answers to an invitation, of which none may be chosen and which are marked
// with a check; choose(value). It returns { element, value, set(value) }; set does not
// call choose.
export function segmented(items, { label, value = null, full = false, answer = false, choose = () => {} }) {
	const element = el("div", { class: ["seg", full && "full", answer && "answer"].filter(Boolean).join(" "), role: "group", "aria-label": label });
	const buttons = items.map((item) => el("button", { type: "button", disabled: Boolean(item.disabled), on: { click: () => pick(item.value) } }));
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
			const mark = answer && pressed ? "check" : item.icon;
			buttons[i].replaceChildren(...[mark && icon(mark, "i-s"), el("span", { dir: "auto", text: item.label })].filter(Boolean));
		});
	}
	set(value);
	return control;
}

// chips returns filters that are on or off. items is a list of { value, label, icon }.
// Options: label; values, a list of those that are on; change(values). It returns { element,
// values() }.
export function chips(items, { label, values = [], change = () => {} }) {
	const on = new Set(values);
	const element = el("div", { class: "chips", role: "group", "aria-label": label });
	for (const item of items) {
		const node = el("button", { type: "button", class: "chip", "aria-pressed": String(on.has(item.value)) }, item.icon && icon(item.icon, "i-s"), el("span", { dir: "auto", text: item.label }));
		node.addEventListener("click", () => {
			if (!on.delete(item.value)) on.add(item.value);
			node.setAttribute("aria-pressed", String(on.has(item.value)));
			change([...on]);
		});
		element.append(node);
	}
	return { element, values: () => items.map(({ value }) => value).filter((value) => on.has(value)) };
}
