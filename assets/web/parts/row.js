// Rows of lists.

import { badge } from "./badge.js";
import { button, el, screenReaderText } from "./el.js";
import { menuButton } from "./menu.js";

// row returns a row, which is a link, a button or only text. Options:
//
//   title, sub         the two lines
//   picture, mark      nodes at the start and at the end
//   time, dateTime     a time, and its value for the attribute datetime
//   href               the address of a link
//   run                the function of a button
//   unread, count      whether the row is unread, or the number of unread items
//   current            whether the row represents the present view
//   actions            a function that returns the items of a menu; actionsLabel is its label
//   words              required with unread, count and actions
export function row({
	title, sub, picture, time, dateTime, mark, href, run, unread = false, count = 0, current = false, actions, actionsLabel, words,
}) {
	const main = el("span", { class: "row-main" },
		el("span", { class: "row-title" },
			el("span", { class: "clip", dir: "auto", text: title }), time && el("time", { datetime: dateTime, text: time })),
		sub && el("span", { class: "row-sub clip", dir: "auto", text: sub }));
	const state = count ? badge(count, { words }) : unread && [el("span", { class: "unread" }), screenReaderText(words.unread())];
	const props = { class: `row${unread || count ? " is-unread" : ""}`, "aria-current": current ? "true" : null, on: run && { click: run } };
	const children = [picture, main, mark, state];
	const buttonOrText = () => (run ? el("button", { type: "button", ...props }, children) : el("div", props, children));
	const node = href ? el("a", { ...props, href }, children) : buttonOrText();
	if (!actions) return node;
	const opener = button({ label: actionsLabel, icon: "more", iconOnly: true, kind: "plain s" });
	const more = menuButton(opener, actions, { label: actionsLabel, end: true });
	return el("div", { class: "row-with-acts" }, node, el("span", { class: "row-acts" }, more));
}

// rows returns a list of rows: nodes, or options of row. Options: label, the label of the list;
// flat, whether the rows have no pictures.
export function rows(items, { label, flat = false } = {}) {
	const entries = items.map((item) => el("li", {}, item instanceof Node ? item : row(item)));
	return el("ul", { class: `rows${flat ? " flat" : ""}`, "aria-label": label }, entries);
}

// details returns a description list of [name, value] pairs.
export function details(pairs) {
	return el("dl", { class: "kv" }, pairs.map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { dir: "auto" }, value))));
}

// sectionHead returns the heading of a section, followed by the nodes end in the same line.
export function sectionHead(title, ...end) {
	return el("div", { class: "section-head" }, el("h2", { text: title, dir: "auto" }), end.length > 0 && el("span", { class: "line" }, end));
}
