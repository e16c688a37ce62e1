// Lists that change while they are shown: a node stays as long as what it shows does.

// Keyed shows a list of records as the children of a node.
export class Keyed {
	#nodes = new Map(); // key → { mark, node }

	// make(record) returns the node of a record.
	constructor(parent, make) {
		Object.assign(this, { parent, make });
	}

	// show shows records in their order: [key, mark, record] each. A record gets a new node
	// only when its mark differs from before.
	show(records) {
		const nodes = new Map();
		for (const [key, mark, record] of records) {
			const before = this.#nodes.get(key);
			nodes.set(key, before?.mark === mark ? before : { mark, node: this.make(record) });
		}
		this.#nodes = nodes;
		let at = this.parent.firstChild;
		for (const { node } of nodes.values()) {
			if (node === at) at = at.nextSibling;
			else this.parent.insertBefore(node, at);
		}
		while (at) {
			const next = at.nextSibling;
			at.remove();
			at = next;
		}
	}

	// node returns the node of a key, or undefined.
	node(key) {
		return this.#nodes.get(key)?.node;
	}
}

// replaceChildren replaces the children of a node and returns the focus to the link or the
// control that is now where it was.
export function replaceChildren(node, ...children) {
	const active = node.contains(document.activeElement) ? document.activeElement : null;
	const focusable = () => [...node.querySelectorAll("a[href], button, input, textarea")];
	const href = active?.getAttribute("href");
	const index = active ? focusable().indexOf(active) : -1;
	node.replaceChildren(...children.flat().filter(Boolean));
	if (!active) return;
	const all = focusable();
	(all.find((other) => href && other.getAttribute("href") === href) ?? all[index] ?? document.querySelector("main h1"))?.focus({ preventScroll: true });
}
