// Content that is made again while the member uses it.

const FOCUSABLE = "h1, h2, a, button, summary, input";

// keepFocus runs a function that makes the children of a node again, and returns the focus to
// the element at the same position.
export function keepFocus(node, run) {
	const at = node.contains(document.activeElement) ? [...node.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement) : -1;
	run();
	if (at >= 0) node.querySelectorAll(FOCUSABLE)[at]?.focus({ preventScroll: true });
}
