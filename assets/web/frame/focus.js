// The focus while a part of the page is made again.

const FOCUSABLE = "a[href], button, summary, input, select, textarea, [tabindex]";
const RECORDS = "li, .wait";

// keepFocus runs a function that makes the content of a node again. If the focus was inside, it
// returns to the element with the same data-id, or the same address or name in the same record, or
// else to the one at the same position.
export function keepFocus(node, run) {
	const active = node.contains(document.activeElement) && document.activeElement !== node ? document.activeElement : null;
	const name = active && nameOf(active);
	const index = active ? [...node.querySelectorAll(FOCUSABLE)].indexOf(active) : -1;
	run();
	if (!active || active.isConnected) return;
	const all = [...node.querySelectorAll(FOCUSABLE)];
	(all.find((other) => nameOf(other) === name) ?? all[Math.min(index, all.length - 1)])?.focus({ preventScroll: true });
}

// returnFocus focuses the element of a node that stands for one that was made again while a
// dialog was open: the one that keepFocus would find by its name.
export function returnFocus(node, opener) {
	if (!opener || opener.isConnected) return;
	const name = nameOf(opener);
	[...node.querySelectorAll(FOCUSABLE)].find((other) => nameOf(other) === name)?.focus({ preventScroll: true });
}

function nameOf(node) {
	if (node.dataset.id) return node.dataset.id;
	return [node.tagName, node.getAttribute("href") ?? "", node.getAttribute("aria-label") ?? node.textContent, recordOf(node)].join(" ");
}

// recordOf returns what names the record around an element, such as an invitation: its data-id, its
// link or its title. Each of several invitations has a button "Accept".
function recordOf(node) {
	for (let record = node.closest(RECORDS); record; record = record.parentElement.closest(RECORDS)) {
		const name = record.dataset.id ?? record.querySelector("a[href]")?.getAttribute("href") ?? record.querySelector("[dir=auto]")?.textContent;
		if (name) return name;
	}
	return "";
}
