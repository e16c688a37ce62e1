// Renders parts of a page, and keeps the nodes whose data has not changed.

import { keepFocus } from "../frame/focus.js";

// Slots renders parts into an element. A part whose data has not changed keeps its node, with its
// open menus, the values of its fields and the focus.
export class Slots {
	#rendered = new Map(); // key → { json, node } of each part

	constructor(element) {
		this.element = element;
	}

	// show renders the parts, a list of { key, data, make }, and removes all others. make returns the
	// node of the part; it is called if the JSON of data has changed.
	show(parts) {
		keepFocus(this.element, () => this.#show(parts));
	}

	#show(parts) {
		const visibleParts = parts.filter(Boolean);
		const keys = new Set(visibleParts.map(({ key }) => key));
		for (const [key, { node }] of this.#rendered) {
			if (keys.has(key)) continue;
			node.remove();
			this.#rendered.delete(key);
		}
		visibleParts.forEach((part, i) => this.#place(this.#nodeOf(part), i));
		while (this.element.childNodes.length > visibleParts.length) this.element.lastChild.remove();
	}

	#nodeOf({ key, data, make }) {
		const json = JSON.stringify(data) ?? "";
		const previous = this.#rendered.get(key);
		if (previous?.json === json) return previous.node;
		const node = make();
		if (previous?.node.parentNode === this.element) previous.node.replaceWith(node);
		this.#rendered.set(key, { json, node });
		return node;
	}

	// #place puts a node at an index. It does not move a node that is there, which would lose the
	// focus.
	#place(node, index) {
		const presentNode = this.element.childNodes[index];
		if (presentNode !== node) this.element.insertBefore(node, presentNode ?? null);
	}
}
