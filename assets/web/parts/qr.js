// QR codes that the server has drawn.

import { el } from "./el.js";

const SVG = "http://www.w3.org/2000/svg";
const QUIET = 4; // modules around a code that stay white (ISO/IEC 18004)

// qr returns the picture of a QR code, or null without one. code is { size, path }, the
// path data of an SVG on size × size modules, or a data: URL. label says what it contains.
export function qr(code, label) {
	if (typeof code === "string") return code.startsWith("data:image/") ? el("img", { class: "qr", src: code, alt: label }) : null;
	if (!(code?.size > 0) || typeof code.path !== "string") return null;
	const make = (tag, attributes) => {
		const node = document.createElementNS(SVG, tag);
		for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
		return node;
	};
	const side = code.size + 2 * QUIET;
	const svg = make("svg", { class: "qr", viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
	svg.append(make("rect", { class: "qr-bg", x: -QUIET, y: -QUIET, width: side, height: side }), make("path", { class: "qr-fg", d: code.path }));
	return svg;
}
