// Creates elements from values, without parsing markup, and describes the page and the device.

const SVG = "http://www.w3.org/2000/svg";

// PROPERTIES has the names of the props that el sets as properties instead of attributes.
const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "hidden", "multiple", "open"]);

// el returns a new element with a tag name. children are nodes and texts, or lists of them. props
// are attributes, or properties if PROPERTIES has their names, except:
//
//   text  the text content
//   on    maps types of events to listeners
//   vars  maps custom properties of CSS, such as --c, to values
//
// Props and children that are null, undefined or false are ignored. true sets an attribute to "".
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

let sprite = ""; // URL that setSprite has set

// setSprite sets the URL of the SVG file with the icons, whose ids are their names. Without it, icon
// refers to elements of the page whose ids are the names with the prefix "i-".
export function setSprite(url) {
	sprite = url;
}

// ICONS are the names of the icons, which are in icons.svg.
export const ICONS = new Set((
	"house today search people person calendar message talk map pin plus minus close check more left right up down back bell gear "
	+ "clock repeat alarm lock globe reply send edit trash undo link out phone star menu article gallery mail food coffee groceries "
	+ "shops services health transit parks culture lodging layers locate warning info offline shield key device laptop tablet backup "
	+ "pulse download upload sun moon keyboard grip eye eye-off filter carry task circles invite leave sliders print feed block help "
	+ "copy walk puzzle spark columns server"
).split(" "));

// MIRRORED_ICONS has the icons that are mirrored in languages with text from right to left.
const MIRRORED_ICONS = new Set(["left", "right", "back", "reply", "send", "undo", "out", "leave"]);

// icon returns the icon with a name, or a puzzle piece if ICONS does not have the name. It is hidden
// from screen readers.
export function icon(name, className = "") {
	const node = document.createElementNS(SVG, "svg");
	node.setAttribute("class", ["i", MIRRORED_ICONS.has(name) && "i-flip", className].filter(Boolean).join(" "));
	node.setAttribute("aria-hidden", "true");
	const use = document.createElementNS(SVG, "use");
	use.setAttribute("href", (sprite ? `${sprite}#` : "#i-") + (ICONS.has(name) ? name : "puzzle"));
	node.append(use);
	return node;
}

// button returns a button. Options: label; icon, the name of an icon; kind, classes such as
// "primary" or "plain s"; iconOnly, whether the button shows only the icon; run, the listener of clicks.
// Other options are props of el.
export function button({ label, icon: name, kind = "", iconOnly = false, run, ...attributes }) {
	return el("button", {
		type: "button", class: `btn ${kind}${iconOnly ? " icon" : ""}`, "aria-label": iconOnly && label, title: iconOnly && label,
		on: run && { click: run }, ...attributes,
	}, name && icon(name), !iconOnly && label);
}

// setBusy marks a button whose action is in progress, or removes the mark. The button is not
// disabled, because it would lose the focus.
export function setBusy(node, busy) {
	if (busy) node.setAttribute("aria-busy", "true");
	else node.removeAttribute("aria-busy");
}

let idCount = 0; // number of ids that uid has returned

// uid returns a new id for an element, unique in the page.
export function uid(prefix = "u") {
	return `${prefix}-${++idCount}`;
}

// screenReaderText returns an element with a text that only screen readers present.
export function screenReaderText(text) {
	return el("span", { class: "sr", text });
}

// isComposing reports whether a keydown event is part of the composition of an input method, such as the
// Enter that ends it. For that one, Safari sets only keyCode.
export function isComposing({ isComposing: isPart, keyCode }) {
	return Boolean(isPart) || keyCode === 229;
}

// isTouch reports whether the primary pointer is imprecise, as on touch screens.
export function isTouch() {
	return matchMedia("(pointer: coarse)").matches;
}

// isPhone reports whether the viewport is narrower than 48 rem, the breakpoint of the style sheets.
export function isPhone() {
	return matchMedia("(max-width: 47.99rem)").matches;
}

// layerOf returns the element to which a pop-up of a node must be appended: the dialog that contains
// the node, because the rest of the page is inert then, or else the main element, or the body.
export function layerOf(node) {
	return node?.closest("dialog, main") ?? document.body;
}
