// Views for content that is loading, missing or in progress.

import { button, el } from "./el.js";

const SVG = "http://www.w3.org/2000/svg";

// ART are the drawings on 96 by 72: the light, and the lines.
const ART = {
	cup: { light: [48, 34, 26], lines: ["M28,34 h34 v14 a12,12 0 0 1 -12,12 h-10 a12,12 0 0 1 -12,-12z M62,38 h5 a7,7 0 0 1 0,14 h-6", "M38,26 c-3,-4 3,-6 0,-11 M46,26 c-3,-4 3,-6 0,-11 M54,26 c-3,-4 3,-6 0,-11 M20,64 h52"] },
	chair: { light: [52, 30, 24], lines: ["M34,10 v32 h26 M60,42 v22 M34,42 v22 M34,42 h26 M34,20 h-4 M60,42 l4,-4 M26,64 h44", "M34,16 h16 v14 h-16"] },
	lamp: { light: [48, 38, 25], lines: ["M40,26 h16 l5,28 h-26z M44,26 v-6 h8 v6 M48,20 v-10 M35,58 h26 M48,36 c5,6 5,10 0,13 c-5,-3 -5,-7 0,-13z"] },
};

// DELAY is the time before a skeleton appears, in milliseconds.
const DELAY = 200;

function drawing(name) {
	const { light, lines } = ART[name] ?? ART.cup;
	const make = (tag, attributes) => {
		const node = document.createElementNS(SVG, tag);
		for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
		return node;
	};
	const svg = make("svg", { class: "art", viewBox: "0 0 96 72", "aria-hidden": "true" });
	svg.append(make("circle", { class: "lit", cx: light[0], cy: light[1], r: light[2] }), ...lines.map((d) => make("path", { d })));
	return svg;
}

// empty returns a drawing with an explanation and one first step. Options: art, "cup",
// "chair" or "lamp"; title; text; action, { label, icon, run }; level, of the heading.
export function empty({ art = "cup", title, text, action, level = 3 }) {
	return el("div", { class: "empty" }, drawing(art), el(`h${level}`, { text: title, dir: "auto" }), text && el("p", { text, dir: "auto" }),
		action && button({ label: action.label, icon: action.icon, kind: "s primary", run: action.run }));
}

// skeleton returns placeholder rows for content that is loading. They appear after 200 ms.
export function skeleton({ words, rows = 3, delay = DELAY }) {
	const widths = [["w-45", "w-80"], ["w-30", "w-60"], ["w-60", "w-45"]];
	const node = el("div", { class: "stack", role: "status", "aria-label": words.loading() }, Array.from({ length: rows }, (_, i) => el("div", { class: "line line-3" },
		el("span", { class: "skel round" }), el("span", { class: "grow stack-s" }, widths[i % 3].map((width) => el("span", { class: `skel ${width}` }))))));
	if (delay > 0) {
		node.classList.add("waiting");
		setTimeout(() => node.classList.remove("waiting"), delay);
	}
	return node;
}

// progress returns a bar with words. Options: label; text, what is said instead of the
// percentage. It returns { element, set(part, text) }: part is from 0 to 1.
export function progress({ label, part = 0, text = "" }) {
	const bar = el("i");
	const track = el("div", { class: "progress", role: "progressbar", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "100" }, bar);
	const caption = el("span", { class: "quiet small num" });
	const set = (next, words = "") => {
		const percent = Math.round(Math.max(0, Math.min(1, next)) * 100);
		track.setAttribute("aria-valuenow", percent);
		if (words) track.setAttribute("aria-valuetext", words);
		bar.style.setProperty("width", `${percent}%`);
		caption.textContent = words;
	};
	set(part, text);
	return { element: el("div", { class: "stack-s" }, track, caption), set };
}
