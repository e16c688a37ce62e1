// QR codes, which the server encodes.

import { el } from "./el.js";

const SVG = "http://www.w3.org/2000/svg";

// qrCode returns the image of a QR code, or null if code is invalid. code is a data: URL or
// { size, path }: the SVG path data of the dark modules in a square of size units, which includes
// the quiet zone. label is the text for screen readers.
export function qrCode(code, label) {
	if (typeof code === "string") return code.startsWith("data:image/") ? el("img", { class: "qr", src: code, alt: label }) : null;
	if (!(code?.size > 0) || typeof code.path !== "string") return null;
	const newSVG = (tag, attributes) => {
		const node = document.createElementNS(SVG, tag);
		for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
		return node;
	};
	const viewBox = `0 0 ${code.size} ${code.size}`;
	const svg = newSVG("svg", { class: "qr", viewBox, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
	svg.append(newSVG("rect", { class: "qr-bg", width: code.size, height: code.size }), newSVG("path", { class: "qr-fg", d: code.path }));
	return svg;
}
