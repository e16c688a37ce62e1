// Nodes that stay in the page while their data is the same.

import { keepFocus } from "../frame/focus.js";

// Slots shows parts in an element. A part whose data has not changed keeps its node, so that
// menus, fields and the focus in it stay.
export class Slots {
	#kept = new Map(); // key → { json, node }

	constructor(element) {
		this.element = element;
	}

	// show shows parts in their order: { key, data, make }. make returns the node. data is what
	// the node shows.
	show(parts) {
		keepFocus(this.element, () => this.#show(parts));
	}

	#show(parts) {
		const wanted = parts.filter(Boolean);
		const keys = new Set(wanted.map(({ key }) => key));
		for (const [key, { node }] of this.#kept) {
			if (keys.has(key)) continue;
			node.remove();
			this.#kept.delete(key);
		}
		wanted.forEach((part, i) => this.#place(this.#nodeOf(part), i));
		while (this.element.childNodes.length > wanted.length) this.element.lastChild.remove();
	}

	#nodeOf({ key, data, make }) {
		const json = JSON.stringify(data) ?? "";
		const kept = this.#kept.get(key);
		if (kept?.json === json) return kept.node;
		const node = make();
		if (kept?.node.parentNode === this.element) kept.node.replaceWith(node);
		this.#kept.set(key, { json, node });
		return node;
	}

	// #place moves a node only if it is elsewhere, because a moved node loses the focus.
	#place(node, index) {
		const present = this.element.childNodes[index];
		if (present !== node) this.element.insertBefore(node, present ?? null);
	}
}
