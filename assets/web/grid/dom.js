// Functions that update elements with as few changes as possible.

// make returns a new element.
export function make(tag, className, attributes = {}) {
	const node = document.createElement(tag);
	if (className) node.className = className;
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	return node;
}

// span returns a new element that contains a text.
export function span(className, text, tag = "span") {
	const node = make(tag, className);
	node.textContent = text;
	return node;
}

// setText, setClass, setAttribute and setStyle write a value only if it has changed, because a write
// may cause a layout. undefined, null or false removes an attribute or a property.
export function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

export function setClass(node, ...names) {
	const value = names.filter(Boolean).join(" ");
	if (node.className !== value) node.className = value;
}

export function setAttribute(node, name, value) {
	if (value === undefined || value === null || value === false) {
		if (node.hasAttribute(name)) node.removeAttribute(name);
	} else if (node.getAttribute(name) !== String(value)) {
		node.setAttribute(name, value);
	}
}

export function setStyle(node, name, value) {
	const text = value === undefined || value === null || value === false ? "" : String(value);
	if (node.style.getPropertyValue(name) !== text) node.style.setProperty(name, text);
}

const children = new WeakMap(); // parent → Map of key → node

// reconcile updates the children of a parent. childSpecs is the list of the children in order, as
// [key, kind, data]: kind.create(data) returns the node for a new key, then kind.update(node, data)
// is called for each node. A key is unique within a parent and always has the same kind. Nodes that
// other code has appended stay at the end.
export function reconcile(parent, childSpecs) {
	const oldNodes = children.get(parent) ?? new Map();
	const keptNodes = new Map();
	for (const [key, kind, data] of childSpecs) {
		keptNodes.set(key, oldNodes.get(key) ?? kind.create(data));
		oldNodes.delete(key);
	}
	for (const node of oldNodes.values()) node.remove();
	let at = parent.firstChild;
	for (const [key, kind, data] of childSpecs) {
		const node = keptNodes.get(key);
		if (node === at) at = at.nextSibling;
		else parent.insertBefore(node, at);
		kind.update?.(node, data);
	}
	children.set(parent, keptNodes);
}
