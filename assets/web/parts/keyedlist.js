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
		const previousNodes = rendered;
		const focus = focusIn(parent, previousNodes);
		rendered = new Map();
		for (const item of items) rendered.set(key(item), item);
		for (const [id, { node }] of previousNodes) if (!rendered.has(id)) node.remove();
		let next = parent.firstChild;
		for (const [id, item] of rendered) {
			const text = signature(item);
			const oldEntry = previousNodes.get(id);
			const node = oldEntry?.text === text ? oldEntry.node : make(item);
			if (oldEntry && oldEntry.node !== node) {
				if (next === oldEntry.node) next = node;
				oldEntry.node.replaceWith(node);
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
function focusIn(parent, rendered) {
	const focusedNode = document.activeElement;
	if (!focusedNode || !parent.contains(focusedNode)) return undefined;
	const [id, { node } = {}] = [...rendered].find(([, entry]) => entry.node.contains(focusedNode)) ?? [];
	if (!node) return undefined;
	const at = focusable(node).indexOf(focusedNode);
	return (next) => {
		if (document.activeElement === focusedNode) return;
		const target = focusedNode.isConnected ? focusedNode : focusable(next.get(id)?.node)[at];
		target?.focus({ preventScroll: true });
	};
}

// focusable returns the links and buttons of an element.
function focusable(node) {
	return node ? [...(node.matches("a, button") ? [node] : []), ...node.querySelectorAll("a, button")] : [];
}
