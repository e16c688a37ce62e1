// The text of a page: blocks of plain text as elements.

import { el } from "../parts/el.js";
import { languageOf, minutesToRead } from "./page.js";
import { textSize } from "./textsize.js";
import { list, pictureURL, plain, short, webURL } from "./safe.js";

const WIDTH = 608; // pixels of the reading column
const MOST = 2000; // blocks

// articleNodes returns the nodes of an article: above the title, the title, the text.
export function articleNodes(app, { title, content }) {
	const { words } = app;
	const minutes = minutesToRead(content.word_count);
	const authors = list(content.authors).map(short).filter(Boolean);
	const kicker = [authors.length > 0 && words.read.by(words.list(authors)), publishedText(content.published, words), minutes && words.minutes(minutes)].filter(Boolean).join(" · ");
	const headline = short(content.headline) || title;
	const blocks = list(content.blocks).slice(0, MOST);
	const review = content.review?.rating && ratingText(content.review, words);
	return el("article", { class: `prose ${textSize()}`, dir: "auto", lang: languageOf(content.language) },
		kicker && el("p", { class: "kicker", dir: "auto", text: kicker }), el("h1", { tabindex: "-1", dir: "auto", text: headline }),
		review && el("p", { class: "kicker", dir: "auto", text: review }),
		blocks.map((block, i) => blockNode(app, block, i === 0 && isLede(block, blocks))),
		content.truncated === true && el("p", { class: "kicker", text: words.read.truncated() }),
		blocks.length === 0 && el("p", { class: "kicker", text: words.read.noText() }));
}

// publishedText returns the day on which a page says that it was published, or "".
export function publishedText(published, words) {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(typeof published === "string" ? published : "")?.[0];
	return day && !Number.isNaN(Date.parse(day)) ? words.read.day(day) : "";
}

function ratingText({ item, rating }, words) {
	return words.read.rating(plain(rating.value), plain(rating.best) || "5", 0, plain(item));
}

// isLede reports whether a first paragraph is short enough to stand out.
function isLede({ type, text }, blocks) {
	return type === "paragraph" && blocks.length > 1 && plain(text).length < 240;
}

// blockNode returns the element of a block, or null for an unknown or empty one. Headings begin
// below the title.
export function blockNode(app, block, lede = false) {
	const text = plain(block?.text);
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
			return el(block.ordered === true ? "ol" : "ul", {}, list(block.items).map(plain).filter(Boolean).map((item) => el("li", { dir: "auto", text: item })));
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

function tableNode({ rows, header }) {
	const all = list(rows).map((row) => list(row).map(plain));
	if (all.length === 0) return null;
	const cells = (row, tag) => el("tr", {}, row.map((text) => el(tag, { dir: "auto", scope: tag === "th" ? "col" : null, text })));
	const [first, ...rest] = all;
	return el("div", { class: "prose-table", tabindex: "0", role: "group" }, el("table", {}, header === true && el("thead", {}, cells(first, "th")), el("tbody", {}, (header === true ? rest : all).map((row) => cells(row, "td")))));
}

function linkNode({ url }, text) {
	const href = webURL(url);
	if (!href) return text ? el("p", { dir: "auto", text }) : null;
	return el("p", {}, el("a", { class: "link", href, target: "_blank", rel: "noopener noreferrer", dir: "auto", text: text || href }));
}

// pictureNode returns a picture of a page with its caption, or null if the server does not
// provide it. A picture that does not load leaves its caption.
export function pictureNode(app, image, caption = "") {
	const src = pictureURL(image?.url, (path) => app.client.address(path), app.paths.session);
	const text = plain(caption || image?.caption);
	const credit = [image?.credit, image?.license].map(plain).filter(Boolean).join(", ");
	if (!src) return null;
	const { width, height } = sizeOf(image);
	const picture = el("img", { src, alt: text, width, height, loading: "lazy", decoding: "async", sizes: `(max-width: 47.99rem) 100vw, ${WIDTH}px` });
	const figure = el("figure", {}, picture, (text || credit) && el("figcaption", { dir: "auto", text: [text, credit].filter(Boolean).join(" · ") }));
	picture.addEventListener("error", () => (text ? picture.replaceWith(el("p", { class: "no-picture", text: app.words.read.noPicture() })) : figure.remove()), { once: true });
	return figure;
}

// sizeOf returns the stated size of a picture, which reserves its place, or none if it is not
// plausible.
export function sizeOf(image) {
	const [width, height] = [image?.width, image?.height].map((value) => (Number.isInteger(value) && value > 0 && value < 20_000 ? value : null));
	return width && height && width / height < 20 && height / width < 20 ? { width, height } : {};
}
