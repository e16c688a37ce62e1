// Texts of members: mentions and addresses of web pages in them.

import { el } from "./el.js";
import { pieces } from "./pieces.js";

// richText returns the nodes of a text. Mentions are marked, those of the member `self` more
// strongly; addresses are links. entities are those of World.
export function richText(text, entities = [], { self } = {}) {
	return pieces(text, entities).map(({ text: part, member, href }) => {
		if (member !== undefined) return el("span", { class: `ment${member === self ? " self" : ""}`, dir: "auto", text: part });
		if (href) return el("a", { class: "link", href, target: "_blank", rel: "noopener noreferrer", dir: "auto", text: part });
		return part;
	});
}
