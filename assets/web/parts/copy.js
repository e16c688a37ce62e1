// Copies texts, such as addresses, links and secrets, to the clipboard.

import { button, el, icon } from "./el.js";

const CONFIRMATION = 3000; // milliseconds for which a button shows that the text has been copied

// copyField returns a text with a button that copies it. label is the name of the text.
export function copyField(text, { label, words }) {
	const value = el("code", {
		class: "copy-text", dir: "ltr", tabindex: "0", text, role: "textbox", "aria-readonly": "true", "aria-label": label,
		on: { focus: () => select(value) },
	});
	return el("div", { class: "copy" }, value, copyButton(text, { label, words, node: value }));
}

// copyButton returns a button that copies a text and confirms it. node is an element that contains
// the text, if there is one; it is selected if the browser does not permit copying.
export function copyButton(text, { label, words, node, kind = "s" }) {
	const status = el("span", { class: "sr", role: "status" });
	const copy = button({ label: words.copy(), icon: "copy", kind, "aria-label": words.copyItem(label), run });
	let timer = 0;
	async function run() {
		const isCopied = await copyText(text, copy);
		if (!isCopied && node) select(node);
		const message = isCopied ? words.copied() : words.notCopied();
		copy.replaceChildren(icon(isCopied ? "check" : "copy"), message);
		status.textContent = message;
		clearTimeout(timer);
		timer = setTimeout(() => {
			copy.replaceChildren(icon("copy"), words.copy());
			status.textContent = "";
		}, CONFIRMATION);
	}
	return el("span", { class: "copy-act" }, copy, status);
}

// copyText copies a text and returns a promise of whether it succeeded. Browsers have the clipboard
// API only with HTTPS; without it, the text is copied from a temporary field after the element
// `sibling`.
export async function copyText(text, sibling) {
	try {
		if (navigator.clipboard) {
			await navigator.clipboard.writeText(text);
			return true;
		}
	} catch {
		// NotAllowedError: copying from a field needs no permission
	}
	const field = el("textarea", { class: "sr", value: text, readonly: true, tabindex: "-1", "aria-hidden": "true" });
	sibling.after(field); // inside an open dialog, because all elements outside of it are inert
	field.select();
	const isCopied = document.execCommand("copy");
	field.remove();
	sibling.focus();
	return isCopied;
}

// select selects the text of an element.
function select(node) {
	getSelection().selectAllChildren(node);
}
