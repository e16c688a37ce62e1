// Keeps the focus when a part of the page is rendered again.

const FOCUSABLE = "a[href], button, summary, input, select, textarea, [tabindex]";
const RECORDS = "li, .wait"; // elements that contain one record, such as an invitation

// keepFocus runs a function that renders the content of a node again. If the focused element was
// replaced, it focuses the element with the same name, see nameOf, or else the one at the same
// position among the focusable elements.
export function keepFocus(node, run) {
	const { activeElement } = document;
	const focusedNode = activeElement !== node && node.contains(activeElement) ? activeElement : null;
	const name = focusedNode && nameOf(focusedNode);
	const index = focusedNode ? [...node.querySelectorAll(FOCUSABLE)].indexOf(focusedNode) : -1;
	run();
	if (!focusedNode || focusedNode.isConnected) return;
	const focusableNodes = [...node.querySelectorAll(FOCUSABLE)];
	const sameName = focusableNodes.find((other) => nameOf(other) === name);
	(sameName ?? focusableNodes[Math.min(index, focusableNodes.length - 1)])?.focus({ preventScroll: true });
}

// returnFocus focuses the element from which a dialog or a menu was opened, or the one with the same name,
// if that has replaced it meanwhile.
export function returnFocus(opener) {
	if (opener.isConnected) return opener.focus();
	const name = nameOf(opener);
	return [...document.querySelectorAll(FOCUSABLE)].find((other) => nameOf(other) === name)?.focus({ preventScroll: true });
}

// nameOf returns a text that identifies an element in its view: its data-id, or its tag, address and
// label together with its record.
function nameOf(node) {
	if (node.dataset.id) return node.dataset.id;
	const label = node.getAttribute("aria-label") ?? node.textContent;
	return [node.tagName, node.getAttribute("href") ?? "", label, recordOf(node)].join(" ");
}

// recordOf returns a text that identifies the record around an element: the data-id, the link or the
// title of the record, or "". Several records may have buttons with the same label.
function recordOf(node) {
	for (let record = node.closest(RECORDS); record; record = record.parentElement.closest(RECORDS)) {
		const link = record.querySelector("a[href]")?.getAttribute("href");
		const name = record.dataset.id ?? link ?? record.querySelector("[dir=auto]")?.textContent;
		if (name) return name;
	}
	return "";
}
