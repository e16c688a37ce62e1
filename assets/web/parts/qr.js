// QR codes that the server has drawn.

import { el } from "./el.js";

const SVG = "http://www.w3.org/2000/svg";

// qr returns the picture of a QR code, or null without one. code is { size, path }: the path
// data of its dark modules in a square with sides of size units, which includes the white edge
// that readers need. It may also be a data: URL. label says what it contains.
export function qr(code, label) {
	if (typeof code === "string") return code.startsWith("data:image/") ? el("img", { class: "qr", src: code, alt: label }) : null;
	if (!(code?.size > 0) || typeof code.path !== "string") return null;
	const make = (tag, attributes) => {
		const node = document.createElementNS(SVG, tag);
		for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
		return node;
	};
	const svg = make("svg", { class: "qr", viewBox: `0 0 ${code.size} ${code.size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
	svg.append(make("rect", { class: "qr-bg", width: code.size, height: code.size }), make("path", { class: "qr-fg", d: code.path }));
	return svg;
}
