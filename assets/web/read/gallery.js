// The gallery of a page, and the dialog that shows its pictures one at a time.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { sizeOf } from "./blocks.js";
import { listOf, pictureURL, plainText } from "./untrusted.js";

// picturesOf returns those pictures of a gallery of which the server has a copy, as { src, thumb,
// caption, credit, width, height }. content is the content of a part, see partOf. address and session are
// the parameters of pictureURL.
export function picturesOf(content, address, session) {
	return listOf(content?.images).map((image) => {
		const src = pictureURL(image?.url, address, session);
		return src && {
			src, thumb: pictureURL(image.thumb, address, session) || src, caption: plainText(image.caption),
			credit: [image.credit, image.license].map(plainText).filter(Boolean).join(", "), ...sizeOf(image),
		};
	}).filter(Boolean);
}

// galleryNode returns the pictures as a grid of buttons that open the viewer, or a text without pictures.
export function galleryNode(app, content) {
	const { words } = app;
	const pictures = picturesOf(content, (path) => app.client.address(path), app.paths.session);
	if (pictures.length === 0) return el("p", { class: "quiet", text: words.read.noPictures() });
	return el("ul", { class: "gallery" }, pictures.map((picture, i) => {
		const image = el("img", { src: picture.thumb, alt: "", loading: "lazy", decoding: "async" });
		const label = picture.caption ? words.read.showPicture(picture.caption) : words.read.pictureNumber(i + 1, pictures.length);
		const node = el("button",
			{ type: "button", class: "gallery-item", "aria-label": label, on: { click: () => openViewer(app, pictures, i) } },
			image, picture.caption && el("span", { class: "clip small", dir: "auto", "aria-hidden": "true", text: picture.caption }));
		image.addEventListener("error", () => (
			image.replaceWith(el("span", { class: "no-picture small", text: words.read.noPicture() }))
		), { once: true });
		return el("li", {}, node);
	}));
}

// openViewer opens a dialog with the picture at an index. Buttons, arrow keys and swipes show the
// previous and the next picture; the first one follows the last one.
function openViewer(app, pictures, start) {
	const { words } = app;
	let currentIndex = start; // index of the shown picture
	const image = el("img", { class: "viewer-picture", decoding: "async" });
	const caption = el("p", { class: "small", role: "status" });
	const previous = button({ label: words.read.previousPicture(), icon: "left", iconOnly: true, run: () => show(currentIndex - 1) });
	const next = button({ label: words.read.nextPicture(), icon: "right", iconOnly: true, run: () => show(currentIndex + 1) });
	const body = [el("div", { class: "viewer" }, image), caption];
	const dialog = openDialog({
		words, title: words.read.part("gallery"), hideTitle: true, kind: "viewer-dialog", body,
		foot: pictures.length > 1 ? [previous, el("span", { class: "grow" }), next] : [],
	});

	function show(index) {
		currentIndex = (index + pictures.length) % pictures.length;
		const picture = pictures[currentIndex];
		image.src = picture.src;
		image.alt = picture.caption || words.read.pictureNumber(currentIndex + 1, pictures.length);
		for (const name of ["width", "height"]) if (picture[name]) image.setAttribute(name, picture[name]); else image.removeAttribute(name);
		caption.replaceChildren(
			el("span", { dir: "auto", text: [picture.caption, picture.credit].filter(Boolean).join(" · ") }), " ",
			el("span", { class: "quiet num", text: words.read.pictureNumber(currentIndex + 1, pictures.length) }),
		);
	}

	image.addEventListener("error", () => caption.append(" ", words.read.noPicture()));
	let startX = null; // clientX of the pointerdown event
	image.addEventListener("pointerdown", ({ clientX }) => (startX = clientX));
	image.addEventListener("pointerup", ({ clientX }) => {
		if (startX !== null && Math.abs(clientX - startX) > 40) show(clientX < startX ? currentIndex + 1 : currentIndex - 1);
		startX = null;
	});
	dialog.element.addEventListener("keydown", (event) => {
		const isRTL = getComputedStyle(dialog.element).direction === "rtl";
		const step = { ArrowRight: isRTL ? -1 : 1, ArrowLeft: isRTL ? 1 : -1 }[event.key];
		if (!step || pictures.length < 2) return;
		event.preventDefault();
		show(currentIndex + step);
	});
	show(start);
}
