// Elements of the page: made from plain values, never from markup.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "hidden", "multiple", "open"]);

// el returns a new element. In props, `class` is the class attribute, `text` the text, `on`
// maps types of events to listeners, `vars` maps custom properties such as --c to values;
// all others are attributes. Children and values that are null, undefined or false are left
// out, true stands for an attribute without a value.
export function el(tag, props = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(props ?? {})) {
		if (value === null || value === undefined || value === false) continue;
		if (name === "text") node.textContent = value;
		else if (name === "on") for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
		else if (name === "vars") for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
		else if (PROPERTIES.has(name)) node[name] = value;
		else node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
	return node;
}

let sprite = "";

// setSprite sets the URL of the file with the icons, whose ids are their names. Without it they
// are in the page itself, with the prefix "i-".
export function setSprite(url) {
	sprite = url;
}

// ICONS are the names of the icons. An unknown name is drawn as a puzzle piece.
export const ICONS = new Set(("house today search people person calendar message talk map pin plus minus close check more left right up down back bell gear "
	+ "clock repeat alarm lock globe reply send edit trash undo link out phone star menu article gallery mail food coffee groceries shops services health "
	+ "transit parks culture lodging layers locate warning info offline shield key device laptop tablet backup pulse download upload sun moon keyboard grip "
	+ "eye eye-off filter carry task circles invite leave sliders print feed block help copy walk puzzle spark columns server").split(" "));

const DIRECTIONAL = new Set(["left", "right", "back", "reply", "send", "undo", "out", "leave"]);

// icon returns an icon, which screen readers leave out. Those that point aside are mirrored
// from right to left.
export function icon(name, className = "") {
	const node = document.createElementNS(SVG, "svg");
	node.setAttribute("class", ["i", DIRECTIONAL.has(name) && "i-flip", className].filter(Boolean).join(" "));
	node.setAttribute("aria-hidden", "true");
	const use = document.createElementNS(SVG, "use");
	use.setAttribute("href", (sprite ? `${sprite}#` : "#i-") + (ICONS.has(name) ? name : "puzzle"));
	node.append(use);
	return node;
}

// button returns a button. Options: label; icon; kind, classes such as "primary" or "plain
// s"; only, to show the icon alone; run, the listener; and attributes.
export function button({ label, icon: name, kind = "", only = false, run, ...attributes }) {
	return el("button", { type: "button", class: `btn ${kind}${only ? " icon" : ""}`, "aria-label": only && label, title: only && label, on: run && { click: run }, ...attributes },
		name && icon(name), !only && label);
}

// setBusy marks a button whose action is running. It keeps its width and its focus.
export function setBusy(node, busy) {
	if (busy) node.setAttribute("aria-busy", "true");
	else node.removeAttribute("aria-busy");
}

let count = 0;

// uid returns an id that no other element of the page has.
export function uid(prefix = "u") {
	return `${prefix}-${++count}`;
}

// spoken returns a text for screen readers only.
export function spoken(text) {
	return el("span", { class: "sr", text });
}

// isTouch reports whether the main pointer is a finger.
export function isTouch() {
	return matchMedia("(pointer: coarse)").matches;
}

// isPhone reports whether the page is as narrow as on a phone (see app.css).
export function isPhone() {
	return matchMedia("(max-width: 47.99rem)").matches;
}

// layerOf returns the element to which a pop-up of a node belongs: the dialog that contains
// it, because the rest of the page is inert then, or the content of the page, or the body.
export function layerOf(node) {
	return node?.closest("dialog, main") ?? document.body;
}
