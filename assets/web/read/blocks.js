// Renders the text of a page: an article, and its blocks of plain text.

import { el } from "../parts/el.js";
import { languageOf, minutesToRead } from "./page.js";
import { textSize } from "./textsize.js";
import { listOf, pictureURL, plainText, shortText, webURL } from "./untrusted.js";

const COLUMN_WIDTH = 608; // width of the reading column, in CSS pixels
const MAX_BLOCKS = 2000; // maximum number of blocks

// articleNodes returns the element of an article: a line with the authors, the day of publication and
// the reading time; the title; the rating of a review; and the text. The second parameter is a part, see
// partOf.
export function articleNodes(app, { title, content }) {
	const { words } = app;
	const minutes = minutesToRead(content.word_count);
	const authors = listOf(content.authors).map(shortText).filter(Boolean);
	const byline = [
		authors.length > 0 && words.read.by(words.list(authors)), publishedText(content.published, words),
		minutes && words.minutes(minutes),
	].filter(Boolean).join(" · ");
	const headline = shortText(content.headline) || title;
	const blocks = listOf(content.blocks).slice(0, MAX_BLOCKS);
	const review = content.review?.rating && ratingText(content.review, words);
	return el("article", { class: `prose ${textSize()}`, dir: "auto", lang: languageOf(content.language) },
		byline && el("p", { class: "kicker", dir: "auto", text: byline }), el("h1", { tabindex: "-1", dir: "auto", text: headline }),
		review && el("p", { class: "kicker", dir: "auto", text: review }),
		blocks.map((block, i) => blockNode(app, block, i === 0 && isLede(block, blocks))),
		content.truncated === true && el("p", { class: "kicker", text: words.read.truncated() }),
		blocks.length === 0 && el("p", { class: "kicker", text: words.read.noText() }));
}

// publishedText returns the day of publication that a page states, or "" without a valid one.
export function publishedText(published, words) {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(typeof published === "string" ? published : "")?.[0];
	return day && !Number.isNaN(Date.parse(day)) ? words.read.day(day) : "";
}

// ratingText returns the rating of a review. The best value is 5, unless the page states another one.
function ratingText({ item, rating }, words) {
	return words.read.rating(plainText(rating.value), plainText(rating.best) || "5", 0, plainText(item));
}

// isLede reports whether the first block of an article is a paragraph that is short enough to be
// emphasized as a lede.
function isLede({ type, text }, blocks) {
	return type === "paragraph" && blocks.length > 1 && plainText(text).length < 240;
}

// blockNode returns the element of a block, or a falsy value for a block without a text, a picture or
// rows. A block of an unknown type becomes a paragraph. Headings have the levels 2 to 6, because the
// title is the h1.
export function blockNode(app, block, lede = false) {
	const text = plainText(block?.text);
	switch (block?.type) {
		case "heading":
			return text && el(`h${Math.min(6, Math.max(2, Number(block.level) || 2))}`, { dir: "auto", text });
		case "paragraph":
			return text && el("p", { class: lede ? "lede" : null, dir: "auto", text });
		case "quote":
			return text && el("blockquote", { dir: "auto" }, el("p", { text }));
		case "code":
			return text && el("pre", { dir: "ltr", tabindex: "0" }, el("code", { text }));
		case "list":
			return el(block.ordered === true ? "ol" : "ul", {},
				listOf(block.items).map(plainText).filter(Boolean).map((item) => el("li", { dir: "auto", text: item })));
		case "table":
			return tableNode(block);
		case "image":
			return pictureNode(app, block.image, text);
		case "link":
			return linkNode(block, text);
		default:
			return text ? el("p", { dir: "auto", text }) : null;
	}
}

// tableNode returns a table in a container that can be scrolled with the keyboard, or null if it has no
// rows. header is whether the first row contains the headings of the columns.
function tableNode({ rows, header }) {
	const cellRows = listOf(rows).map((row) => listOf(row).map(plainText));
	if (cellRows.length === 0) return null;
	const rowNode = (row, tag) => el("tr", {}, row.map((text) => el(tag, { dir: "auto", scope: tag === "th" ? "col" : null, text })));
	const [first, ...rest] = cellRows;
	return el("div", { class: "prose-table", tabindex: "0", role: "group" },
		el("table", {},
			header === true && el("thead", {}, rowNode(first, "th")),
			el("tbody", {}, (header === true ? rest : cellRows).map((row) => rowNode(row, "td")))));
}

// linkNode returns a paragraph with a link, with the text alone if the URL is not accepted, or null if
// it has neither.
function linkNode({ url }, text) {
	const href = webURL(url);
	if (!href) return text ? el("p", { dir: "auto", text }) : null;
	return el("p", {}, el("a", { class: "link", href, target: "_blank", rel: "noopener noreferrer", dir: "auto", text: text || href }));
}

// pictureNode returns a picture of a page with its caption and credit, or null if the server has no copy
// of it. If the picture fails to load, a text replaces it; without a caption, the figure is removed.
export function pictureNode(app, image, caption = "") {
	const src = pictureURL(image?.url, (path) => app.client.address(path), app.paths.session);
	const text = plainText(caption || image?.caption);
	const credit = [image?.credit, image?.license].map(plainText).filter(Boolean).join(", ");
	if (!src) return null;
	const { width, height } = sizeOf(image);
	const picture = el("img", {
		src, alt: text, width, height, loading: "lazy", decoding: "async", sizes: `(max-width: 47.99rem) 100vw, ${COLUMN_WIDTH}px`,
	});
	const figure = el("figure", {},
		picture, (text || credit) && el("figcaption", { dir: "auto", text: [text, credit].filter(Boolean).join(" · ") }));
	picture.addEventListener("error", () => (
		text ? picture.replaceWith(el("p", { class: "no-picture", text: app.words.read.noPicture() })) : figure.remove()
	), { once: true });
	return figure;
}

// sizeOf returns the size of a picture that the page states, { width, height } in pixels, which prevents
// a layout shift when the picture loads. It returns {} if the size is not plausible.
export function sizeOf(image) {
	const [width, height] = [image?.width, image?.height]
		.map((value) => (Number.isInteger(value) && value > 0 && value < 20_000 ? value : null));
	return width && height && width / height < 20 && height / width < 20 ? { width, height } : {};
}
