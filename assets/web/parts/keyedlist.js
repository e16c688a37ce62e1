// Renders lists, and keeps the elements of unchanged items, so that the focus and the selection stay
// and a live region announces only new elements.

// createKeyedList returns a function that renders a list of items as the children of a node. Options:
//
//   key(item)        identifies an item
//   signature(item)  returns a text; the element of an item is made again when it changes
//   make(item)       returns the element of an item
export function createKeyedList(parent, { key, signature, make }) {
	let rendered = new Map(); // key → { text, node }

	return (items) => {
		const before = rendered;
		const focus = focusIn(parent, before);
		rendered = new Map();
		for (const item of items) rendered.set(key(item), item);
		for (const [id, { node }] of before) if (!rendered.has(id)) node.remove();
		let next = parent.firstChild;
		for (const [id, item] of rendered) {
			const text = signature(item);
			const old = before.get(id);
			const node = old?.text === text ? old.node : make(item);
			if (old && old.node !== node) {
				if (next === old.node) next = node;
				old.node.replaceWith(node);
			}
			if (node === next) next = next.nextSibling;
			else parent.insertBefore(node, next);
			rendered.set(id, { text, node });
		}
		focus?.(rendered);
	};
}

// focusIn returns a function that restores the focus after a change: it focuses the present
// element, or its counterpart in the new element of the item. It returns undefined if no element of
// the list has the focus.
function focusIn(parent, known) {
	const active = document.activeElement;
	if (!active || !parent.contains(active)) return undefined;
	const [id, { node } = {}] = [...known].find(([, entry]) => entry.node.contains(active)) ?? [];
	if (!node) return undefined;
	const at = focusable(node).indexOf(active);
	return (next) => {
		if (document.activeElement === active) return;
		const target = active.isConnected ? active : focusable(next.get(id)?.node)[at];
		target?.focus({ preventScroll: true });
	};
}

// focusable returns the links and buttons of an element.
function focusable(node) {
	return node ? [...(node.matches("a, button") ? [node] : []), ...node.querySelectorAll("a, button")] : [];
}
