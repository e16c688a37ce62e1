// The field in which a message or a reply is written.

import { button, el, isTouch, uid } from "./el.js";

const LINES = 6; // up to which the field grows
const PREFIX = "draft:text:"; // of the keys of drafts

// composer returns { element, focus, text() }: a form with a field that grows with its text
// and a button to send it. Enter sends on keyboards that are not on the screen, Shift+Enter
// breaks the line. What is written is stored as a draft until it is sent.
//
// Options: words; label, of the field; send(text); sendLabel, of the button; storage and key
// of the draft; maxLength; kind, a class.
export function composer({ words, label, sendLabel, send, storage, key, maxLength, kind = "" }) {
	const id = uid("composer");
	const field = el("textarea", { class: "input", id, rows: "1", placeholder: label, dir: "auto", maxlength: maxLength, enterkeyhint: isTouch() ? null : "send" });
	const element = el("form", { class: `composer ${kind}`, on: { submit: onSubmit } },
		el("label", { class: "sr", for: id, text: label }), field, button({ label: sendLabel, icon: "send", only: true, kind: "primary", type: "submit" }));
	field.value = load();

	function grow() {
		field.style.setProperty("block-size", "auto");
		const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(field);
		const most = parseFloat(lineHeight) * LINES + parseFloat(paddingBlockStart) + parseFloat(paddingBlockEnd);
		field.style.setProperty("block-size", `${Math.min(field.scrollHeight + 2, most)}px`);
		field.classList.toggle("is-full", field.scrollHeight > most);
	}

	function onSubmit(event) {
		event.preventDefault();
		const text = field.value.trim();
		field.focus();
		if (!text) return;
		field.value = "";
		store();
		grow();
		send(text);
	}

	function load() {
		try {
			return storage?.getItem(PREFIX + key) ?? "";
		} catch {
			return ""; // a storage that is forbidden
		}
	}

	function store() {
		try {
			if (field.value.trim()) storage?.setItem(PREFIX + key, field.value);
			else storage?.removeItem(PREFIX + key);
		} catch {
			// QuotaExceededError, SecurityError
		}
	}

	field.addEventListener("input", () => { store(); grow(); });
	field.addEventListener("keydown", (event) => {
		if (event.key === "Escape" && !event.isComposing) field.blur();
		if (event.key !== "Enter" || event.shiftKey || event.isComposing || isTouch()) return;
		event.preventDefault();
		element.requestSubmit();
	});
	requestAnimationFrame(() => field.isConnected && grow());
	return { element, focus: () => field.focus({ preventScroll: true }), text: () => field.value };
}
