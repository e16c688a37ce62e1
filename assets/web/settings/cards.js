// What the pages of the settings and of the operator are made of.

import { button, el, icon, uid } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { routeOfPanel } from "../frame/routes.js";

// section returns a section with its title. Options: end, nodes beside the title; lead, a
// text below it.
export function section(title, { end = [], lead } = {}, ...content) {
	const heading = el("h2", { id: uid("part"), dir: "auto", text: title });
	const nodes = end.filter(Boolean);
	return el("section", { "aria-labelledby": heading.id }, nodes.length > 0 ? el("div", { class: "section-head" }, heading, el("span", { class: "line" }, nodes)) : heading,
		lead && el("p", { class: "quiet lead", dir: "auto", text: lead }), content);
}

// card returns a card with its content.
export function card(...content) {
	return el("div", { class: "card" }, el("div", { class: "card-body stack" }, content));
}

// setting returns a line with a name, a value or hint below it, and a control at its end.
export function setting(label, { hint, value, control, id } = {}) {
	return el("div", { class: "setting" }, el("div", { class: "setting-text" }, el("p", { id, text: label, dir: "auto" }), value && el("p", { class: "quiet", dir: "auto", text: value }), hint && el("p", { class: "quiet small", dir: "auto", text: hint })), control);
}

// change returns a button that opens a form. label names what it changes.
export function change(words, label, run, text = words.change()) {
	return button({ label: text, kind: "s", "aria-label": text === label ? text : `${text}: ${label}`, "aria-haspopup": "dialog", run });
}

// mark returns a round mark with an icon. tone is "", "ok" or "no".
export function mark(name, tone = "") {
	return el("span", { class: `place-ic ${tone}` }, icon(name));
}

// line returns a row of a card. Options: picture; title; tags, nodes beside it; sub; time, a
// text, and dateTime, which is for machines; href, where the title leads; end, nodes.
export function line({ picture, title, tags = [], sub, time, dateTime, href, end = [] }) {
	const name = href ? el("a", { class: "clip line-link", href, dir: "auto", text: title }) : el("span", { class: "clip", dir: "auto", text: title });
	return el("div", { class: "row" }, picture, el("span", { class: "row-main" }, el("span", { class: "line" }, name, tags), sub && el("span", { class: "row-sub", dir: "auto", text: sub })),
		time && el("time", { class: "quiet tiny line-time", datetime: dateTime, text: time }), el("span", { class: "row-acts" }, end));
}

// listCard returns a card with rows, or a text if there are none.
export function listCard(rows, { label, empty = "", flat = false } = {}) {
	if (rows.length === 0) return empty ? el("p", { class: "quiet", dir: "auto", text: empty }) : null;
	return el("ul", { class: `rows card list-card${flat ? " flat" : ""}`, "aria-label": label }, rows.map((node) => el("li", {}, node)));
}

// buttonOf returns a button for an action of an item of a block. Options: label, a shorter
// one than that of the action, which it has to contain; name, of what the action is about;
// done, a text to show afterwards; then(data); kind; icon, which is then shown alone.
export function buttonOf(block, action, { label = action.label, name, done, then, kind = "s plain", ask, icon: symbol } = {}) {
	const said = label === action.label && name ? `${label}: ${name}` : action.label;
	const node = button({
		label: symbol ? said : label, icon: symbol, only: Boolean(symbol), kind, "aria-label": said, run: async () => {
			if (node.getAttribute("aria-busy") === "true") return;
			node.setAttribute("aria-busy", "true");
			const data = await block.act(action, { name, done, ...(ask !== undefined && { ask }) });
			node.removeAttribute("aria-busy");
			if (data !== null) then?.(data);
		},
	});
	return node;
}

// more returns a button with a menu. items returns the items when it opens.
export function more(words, name, items) {
	const label = words.frame.moreFor(name);
	return menuButton(button({ label, icon: "more", only: true, kind: "plain s" }), items, { label, end: true });
}

// hrefOf returns the path of the route that shows a panel, or undefined.
export function hrefOf(app, url) {
	const route = routeOfPanel(app.store.session, url);
	return route ? app.href(route) : undefined;
}

// download returns a link that stores what a path of the server returns.
export function download(app, action, { kind = "s", label = action.label } = {}) {
	return el("a", { class: `btn ${kind}`, href: app.client.address(urlOf(action)), download: true }, icon("download"), label);
}

// urlOf returns the path of an action of the dataset or of a panel.
export function urlOf(action) {
	return (action.command ?? action).url;
}
