// Short messages about what has just happened, one at a time.

import { el, icon } from "./el.js";

// DURATION is the time after which a toast is removed, in milliseconds. It does not pass while the
// toast has the focus or the pointer.
const DURATION = 6000;

// createToasts returns { element, show, dismiss }. The element is a polite region, which the
// app puts into the page once.
//
// show(text, { action, duration }) replaces the toast before it. action is { label, run }, such
// as Undo. dismiss removes the toast.
export function createToasts({ words }) {
	const region = el("div", { class: "toasts", role: "status", "aria-live": "polite" });
	let timer = 0;
	let left = 0; // milliseconds that the toast stays
	let since = 0;
	let opener = null; // where the focus was before it came to the toast

	function show(text, { action, duration = DURATION } = {}) {
		dismiss();
		enterTopLayer(region);
		const close = el("button", { type: "button", class: "toast-close", "aria-label": words.close(), on: { click: dismiss } }, icon("close", "i-s"));
		const act = action && el("button", { type: "button", text: action.label, on: { click: () => { dismiss(); action.run(); } } });
		const toast = el("div", { class: "toast" }, el("span", { class: "grow", dir: "auto", text }), act, close);
		toast.addEventListener("focusin", (event) => {
			if (!toast.contains(event.relatedTarget)) opener = event.relatedTarget;
			pause();
		});
		toast.addEventListener("focusout", (event) => toast.contains(event.relatedTarget) || resume());
		toast.addEventListener("pointerenter", pause);
		toast.addEventListener("pointerleave", () => toast.contains(document.activeElement) || resume());
		toast.addEventListener("keydown", (event) => {
			if (event.key !== "Escape") return;
			event.preventDefault();
			event.stopPropagation();
			dismiss();
		});
		region.append(toast);
		left = duration;
		resume();
	}

	function pause() {
		if (!timer) return;
		clearTimeout(timer);
		timer = 0;
		left -= Date.now() - since;
	}

	function resume() {
		if (timer || !region.firstChild) return;
		since = Date.now();
		timer = setTimeout(dismiss, Math.max(left, 1000));
	}

	function dismiss() {
		clearTimeout(timer);
		timer = 0;
		const hadFocus = region.contains(document.activeElement);
		region.replaceChildren();
		if (hadFocus && opener?.isConnected) opener.focus();
		opener = null;
	}

	return { element: region, show, dismiss };
}

// enterTopLayer moves the region into the uppermost modal dialog, which would cover it and
// make it inert, or back into the body.
function enterTopLayer(region) {
	const layer = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
	if (region.parentNode !== layer) layer.append(region);
}

// leaveDialog moves the region out of a dialog that closes.
export function leaveDialog(dialog) {
	const region = dialog.querySelector(".toasts");
	if (region) enterTopLayer(region);
}
