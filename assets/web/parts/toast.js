// Toasts: temporary messages, for example about the success of an action. One toast is visible at a
// time. See notice.js for messages that stay.

import { el, icon } from "./el.js";

const DEFAULT_DURATION = 6000; // default time after which a toast is removed, in milliseconds

// createToasts returns { element, show(text, options), dismiss() }. element is a live region, which
// must be in the page. show shows a toast in place of the previous one, and dismiss removes it.
// Options of show: action, a button such as Undo, { label, run }; duration, the milliseconds after
// which the toast is removed, without the time while it has the focus or contains the pointer.
export function createToasts({ words }) {
	const region = el("div", { class: "toasts", role: "status", "aria-live": "polite" });
	let timer = 0; // timer of dismiss, or 0 while it is paused
	let remainingTime = 0; // milliseconds before the toast is removed, when the timer was last started
	let startedAt = 0; // time when the timer was last started, in milliseconds since 1970
	let opener = null; // element that had the focus before the toast

	function show(text, { action, duration = DEFAULT_DURATION } = {}) {
		dismiss();
		moveToTopLayer(region);
		const closeButton = el("button", {
			type: "button", class: "toast-close", "aria-label": words.close(), on: { click: dismiss },
		}, icon("close", "i-s"));
		const actionButton = action && el("button", { type: "button", text: action.label, on: { click: () => { dismiss(); action.run(); } } });
		const toast = el("div", { class: "toast" }, el("span", { class: "grow", dir: "auto", text }), actionButton, closeButton);
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
		remainingTime = duration;
		resume();
	}

	function pause() {
		if (!timer) return;
		clearTimeout(timer);
		timer = 0;
		remainingTime -= Date.now() - startedAt;
	}

	// resume starts the timer with the remaining time, but with at least a second.
	function resume() {
		if (timer || !region.firstChild) return;
		startedAt = Date.now();
		timer = setTimeout(dismiss, Math.max(remainingTime, 1000));
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

// moveToTopLayer moves the region into the modal dialog that was last added to the page, because the
// rest of the page is inert and covered. Without a dialog it moves the region into the body.
function moveToTopLayer(region) {
	const layer = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
	if (region.parentNode !== layer) layer.append(region);
}

// leaveDialog moves the region out of a dialog that is closed and will be removed from the page.
export function leaveDialog(dialog) {
	const region = dialog.querySelector(".toasts");
	if (region) moveToTopLayer(region);
}
