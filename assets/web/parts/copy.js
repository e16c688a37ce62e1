// Texts to copy: addresses, links, secrets.

import { button, el, icon } from "./el.js";

// SAID is the time for which a button shows that the text is copied, in milliseconds.
const SAID = 3000;

// copyField returns a text with a button that copies it. Options: label, what the text is;
// words.
export function copyField(text, { label, words }) {
	const value = el("code", { class: "copy-text", dir: "ltr", tabindex: "0", text, role: "textbox", "aria-readonly": "true", "aria-label": label, on: { focus: () => select(value) } });
	return el("div", { class: "copy" }, value, copyButton(text, { label, words, node: value }));
}

// copyButton returns a button that copies a text, and says so. node is an element with the
// text: it is selected if the browser does not permit to copy.
export function copyButton(text, { label, words, node, kind = "s" }) {
	const status = el("span", { class: "sr", role: "status" });
	const copy = button({ label: words.copy(), icon: "copy", kind, "aria-label": words.copyItem(label), run });
	let timer = 0;
	async function run() {
		const isCopied = await copyText(text, copy);
		if (!isCopied && node) select(node);
		const said = isCopied ? words.copied() : words.notCopied();
		copy.replaceChildren(icon(isCopied ? "check" : "copy"), said);
		status.textContent = said;
		clearTimeout(timer);
		timer = setTimeout(() => {
			copy.replaceChildren(icon("copy"), words.copy());
			status.textContent = "";
		}, SAID);
	}
	return el("span", { class: "copy-act" }, copy, status);
}

// copyText copies a text and returns a promise of whether that worked. Browsers have the
// clipboard API with HTTPS only; without it, the text of a field beside the button is copied.
export async function copyText(text, beside) {
	try {
		if (navigator.clipboard) {
			await navigator.clipboard.writeText(text);
			return true;
		}
	} catch {
		// NotAllowedError: the other way needs no permission
	}
	const field = el("textarea", { class: "sr", value: text, readonly: true, tabindex: "-1", "aria-hidden": "true" });
	beside.after(field); // a dialog makes everything outside of it inert
	field.select();
	const isCopied = document.execCommand("copy");
	field.remove();
	beside.focus();
	return isCopied;
}

function select(node) {
	getSelection().selectAllChildren(node);
}
