// Views for missing content, for loading content and for progress.

import { button, el } from "./el.js";

const SVG = "http://www.w3.org/2000/svg";

// ART are the drawings, 96 units wide and 72 high: the center and the radius of a filled circle, and
// the paths in front of it.
const ART = {
	cup: {
		light: [48, 34, 26],
		lines: [
			"M28,34 h34 v14 a12,12 0 0 1 -12,12 h-10 a12,12 0 0 1 -12,-12z M62,38 h5 a7,7 0 0 1 0,14 h-6",
			"M38,26 c-3,-4 3,-6 0,-11 M46,26 c-3,-4 3,-6 0,-11 M54,26 c-3,-4 3,-6 0,-11 M20,64 h52",
		],
	},
	chair: {
		light: [52, 30, 24],
		lines: ["M34,10 v32 h26 M60,42 v22 M34,42 v22 M34,42 h26 M34,20 h-4 M60,42 l4,-4 M26,64 h44", "M34,16 h16 v14 h-16"],
	},
	lamp: {
		light: [48, 38, 25],
		lines: ["M40,26 h16 l5,28 h-26z M44,26 v-6 h8 v6 M48,20 v-10 M35,58 h26 M48,36 c5,6 5,10 0,13 c-5,-3 -5,-7 0,-13z"],
	},
};

const SKELETON_DELAY = 200; // milliseconds before a skeleton appears

// drawing returns the drawing with a name of ART.
function drawing(name) {
	const { light, lines } = ART[name] ?? ART.cup;
	const newSVG = (tag, attributes) => {
		const node = document.createElementNS(SVG, tag);
		for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
		return node;
	};
	const svg = newSVG("svg", { class: "art", viewBox: "0 0 96 72", "aria-hidden": "true" });
	svg.append(
		newSVG("circle", { class: "lit", cx: light[0], cy: light[1], r: light[2] }), ...lines.map((d) => newSVG("path", { d })));
	return svg;
}

// emptyView returns a view for a list or page without content. Options: art, the drawing, "cup", "chair"
// or "lamp"; title, the heading, and level, its level from 1 to 6; text, an explanation; action, the
// button for a first step, { label, icon, run }. text and action may be undefined.
export function emptyView({ art = "cup", title, text, action, level = 3 }) {
	return el("div", { class: "empty" }, drawing(art), el(`h${level}`, { text: title, dir: "auto" }), text && el("p", { text, dir: "auto" }),
		action && button({ label: action.label, icon: action.icon, kind: "s primary", run: action.run }));
}

// skeleton returns placeholder rows for content that is loading. Options: rows, their number; delay,
// the milliseconds before they appear, so that they do not flicker if the content loads fast.
export function skeleton({ words, rows = 3, delay = SKELETON_DELAY }) {
	const widths = [["w-45", "w-80"], ["w-30", "w-60"], ["w-60", "w-45"]];
	const node = el("div", { class: "stack", role: "status", "aria-label": words.loading() },
		Array.from({ length: rows }, (_, i) => el("div", { class: "line line-3" },
			el("span", { class: "skel round" }),
			el("span", { class: "grow stack-s" }, widths[i % 3].map((width) => el("span", { class: `skel ${width}` }))))));
	if (delay > 0) {
		node.classList.add("waiting");
		setTimeout(() => node.classList.remove("waiting"), delay);
	}
	return node;
}

// progressBar returns { element, set(part, text) }, a progress bar and a text. Options: label; part,
// the filled fraction, from 0 to 1; text, which screen readers present instead of the percentage.
// set changes part and text.
export function progressBar({ label, part = 0, text = "" }) {
	const bar = el("i");
	const track = el("div", {
		class: "progress", role: "progressbar", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "100",
	}, bar);
	const caption = el("span", { class: "quiet small num" });
	const set = (nextPart, nextText = "") => {
		const percent = Math.round(Math.max(0, Math.min(1, nextPart)) * 100);
		track.setAttribute("aria-valuenow", percent);
		if (nextText) track.setAttribute("aria-valuetext", nextText);
		bar.style.setProperty("width", `${percent}%`);
		caption.textContent = nextText;
	};
	set(part, text);
	return { element: el("div", { class: "stack-s" }, track, caption), set };
}
