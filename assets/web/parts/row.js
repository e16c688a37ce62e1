// Rows of lists: a picture, a title, a time, one line, a mark. A row is one link.

import { badge } from "./badge.js";
import { button, el, spoken } from "./el.js";
import { menuButton } from "./menu.js";

// row returns a row. Options: title; sub, one line; picture, a node; time and dateTime, which
// is for machines; mark, a node at the end; href, or run for a button; unread; count, of
// what is unread; current; actions, a function that returns the items of a menu; actionsLabel;
// words.
export function row({ title, sub, picture, time, dateTime, mark, href, run, unread = false, count = 0, current = false, actions, actionsLabel, words }) {
	const main = el("span", { class: "row-main" },
		el("span", { class: "row-title" }, el("span", { class: "clip", dir: "auto", text: title }), time && el("time", { datetime: dateTime, text: time })),
		sub && el("span", { class: "row-sub clip", dir: "auto", text: sub }));
	const state = count ? badge(count, { words }) : unread && [el("span", { class: "unread" }), spoken(words.unread())];
	const props = { class: `row${unread || count ? " is-unread" : ""}`, "aria-current": current ? "true" : null, on: run && { click: run } };
	const children = [picture, main, mark, state];
	const node = href ? el("a", { ...props, href }, children) : run ? el("button", { type: "button", ...props }, children) : el("div", props, children);
	if (!actions) return node;
	const more = menuButton(button({ label: actionsLabel, icon: "more", only: true, kind: "plain s" }), actions, { label: actionsLabel, end: true });
	return el("div", { class: "row-with-acts" }, node, el("span", { class: "row-acts" }, more));
}

// rows returns a list of rows. Options: label, the name of the list; flat, for rows without
// pictures.
export function rows(items, { label, flat = false } = {}) {
	return el("ul", { class: `rows${flat ? " flat" : ""}`, "aria-label": label }, items.map((item) => el("li", {}, item instanceof Node ? item : row(item))));
}

// details returns a list of names and values: [name, value] each.
export function details(pairs) {
	return el("dl", { class: "kv" }, pairs.map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { dir: "auto" }, value))));
}

// sectionHead returns the title of a section with the nodes at its end.
export function sectionHead(title, ...end) {
	return el("div", { class: "section-head" }, el("h2", { text: title, dir: "auto" }), end.length > 0 && el("span", { class: "line" }, end));
}
