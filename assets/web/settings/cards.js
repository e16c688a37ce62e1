// Components of the pages of the settings and of the operator.

import { button, el, icon, uid } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { routeOfPanel } from "../frame/routes.js";

// section returns a section with its title. Options: end, nodes beside the title; lead, a text below
// the title.
export function section(title, { end = [], lead } = {}, ...content) {
	const heading = el("h2", { id: uid("part"), dir: "auto", text: title });
	const nodes = end.filter(Boolean);
	return el("section", { "aria-labelledby": heading.id },
		nodes.length > 0 ? el("div", { class: "section-head" }, heading, el("span", { class: "line" }, nodes)) : heading,
		lead && el("p", { class: "quiet lead", dir: "auto", text: lead }), content);
}

// card returns a card that contains the nodes of content.
export function card(...content) {
	return el("div", { class: "card" }, el("div", { class: "card-body stack" }, content));
}

// setting returns a line with a label, a value and a hint below it, and a control at its end. id is
// the id of the element with the label.
export function setting(label, { hint, value, control, id } = {}) {
	return el("div", { class: "setting" },
		el("div", { class: "setting-text" },
			el("p", { id, text: label, dir: "auto" }),
			value && el("p", { class: "quiet", dir: "auto", text: value }),
			hint && el("p", { class: "quiet small", dir: "auto", text: hint })),
		control);
}

// changeButton returns a button that opens a form. label is the name of the setting, which is added to the
// accessible name of the button unless it is its text.
export function changeButton(words, label, run, text = words.change()) {
	return button({
		label: text, kind: "s", "aria-label": text === label ? text : `${text}: ${label}`, "aria-haspopup": "dialog", run,
	});
}

// roundMark returns a round mark with an icon. tone is "", "ok" or "no".
export function roundMark(name, tone = "") {
	return el("span", { class: `place-ic ${tone}` }, icon(name));
}

// line returns a row of a card. Options:
//
//   picture   a node before the title
//   title
//   tags      nodes beside the title
//   sub       a text below the title
//   time      the text of a time
//   dateTime  the same time for the attribute datetime
//   href      the path to which the title leads
//   end       nodes at the end of the row
export function line({ picture, title, tags = [], sub, time, dateTime, href, end = [] }) {
	const name = href
		? el("a", { class: "clip line-link", href, dir: "auto", text: title })
		: el("span", { class: "clip", dir: "auto", text: title });
	return el("div", { class: "row" }, picture,
		el("span", { class: "row-main" },
			el("span", { class: "line" }, name, tags), sub && el("span", { class: "row-sub", dir: "auto", text: sub })),
		time && el("time", { class: "quiet tiny line-time", datetime: dateTime, text: time }), el("span", { class: "row-acts" }, end));
}

// listCard returns a card with rows. Without rows, it returns the text `empty`, or null if there is no
// such text. label is the accessible name of the list; flat is whether it has the CSS class flat.
export function listCard(rows, { label, empty = "", flat = false } = {}) {
	if (rows.length === 0) return empty ? el("p", { class: "quiet", dir: "auto", text: empty }) : null;
	return el("ul", { class: `rows card list-card${flat ? " flat" : ""}`, "aria-label": label }, rows.map((node) => el("li", {}, node)));
}

// buttonOf returns a button that performs an action with block.perform(action, options), as a Block does.
// Options:
//
//   label       a part of the label of the action, to show in its place
//   name        the name of the record, for the accessible name and the confirmation
//   doneText    a text to show afterwards
//   then(data)  called after the action, with the data of the response
//   kind        CSS classes
//   icon        the name of an icon to show in place of the label
export function buttonOf(block, action, { label = action.label, name, doneText, then, kind = "s plain", icon: symbol } = {}) {
	const accessibleName = label === action.label && name ? `${label}: ${name}` : action.label;
	const node = button({
		label: symbol ? accessibleName : label, icon: symbol, iconOnly: Boolean(symbol), kind: action.destructive ? `${kind} bad` : kind,
		"aria-label": accessibleName, run: async () => {
			if (node.getAttribute("aria-busy") === "true") return;
			node.setAttribute("aria-busy", "true");
			const data = await block.perform(action, { name, doneText });
			node.removeAttribute("aria-busy");
			if (data !== null) then?.(data);
		},
	});
	return node;
}

// moreButton returns a button with a menu for a record. name is the name of the record; items() returns the
// items when the menu opens.
export function moreButton(words, name, items) {
	const label = words.frame.moreFor(name);
	return menuButton(button({ label, icon: "more", iconOnly: true, kind: "plain s" }), items, { label, end: true });
}

// hrefOf returns the path of the route that shows a panel, or undefined. url is the path of the panel.
export function hrefOf(app, url) {
	const route = routeOfPanel(app.store.session, url);
	return route ? app.href(route) : undefined;
}

// downloadLink returns a link that downloads the response of an action as a file.
export function downloadLink(app, action, { kind = "s", label = action.label } = {}) {
	return el("a", { class: `btn ${kind}`, href: app.client.address(urlOf(action)), download: true }, icon("download"), label);
}

// urlOf returns the path of an action of the dataset or of a panel.
export function urlOf(action) {
	return (action.command ?? action).url;
}
