// Modal dialogs. On a phone the same dialog is a sheet from below (parts.css).

import { button, el, uid } from "./el.js";
import { leaveDialog } from "./toast.js";

// DIALOG_OPENED is the type of the event of the document after a dialog was opened.
export const DIALOG_OPENED = "dialogopened";

// openDialog shows a dialog.
//
// Options: words; title; hideTitle, to say it to screen readers only; body and foot, lists of
// nodes; form, an HTMLFormElement that contains them; kind, a class such as "edit" or
// "ask"; isChanged, which returns whether closing would lose something; discarded(), called if
// the member has confirmed that; onClose(result).
//
// It returns { element, close(result), closed }: close does not ask, closed is a promise of the
// result, undefined if the member has closed the dialog.
export function openDialog({ words, title, hideTitle = false, body = [], foot = [], form, kind = "", isChanged = () => false, discarded = () => {}, onClose = () => {} }) {
	const opener = document.activeElement;
	const heading = el("h2", { id: uid("dialog"), text: title, class: hideTitle && "sr", tabindex: "-1", dir: "auto" });
	const parts = [
		el("div", { class: "dialog-head" }, heading, button({ label: words.close(), icon: "close", only: true, kind: "plain s", run: () => ask() })),
		el("div", { class: "dialog-body" }, body),
		foot.length > 0 && el("div", { class: "dialog-foot" }, foot),
	].filter(Boolean);
	const element = el("dialog", { class: `dialog ${kind}`, "aria-labelledby": heading.id });
	if (form) {
		form.replaceChildren(...parts);
		element.append(form);
	} else {
		element.append(...parts);
	}

	let result;
	let asking = false;
	let finish;
	const closed = new Promise((resolve) => (finish = resolve));

	// ask closes the dialog, after a question if something would be lost.
	async function ask() {
		if (asking) return;
		asking = true;
		const asks = isChanged();
		const leaves = !asks || (await confirm({ words, title: words.discardTitle(), text: words.discardText(), act: words.discard(), cancel: words.keepEditing(), bad: true }));
		asking = false;
		if (!leaves) return;
		if (asks) discarded();
		close(undefined);
	}

	function close(value) {
		result = value;
		if (element.open) element.close();
	}

	element.addEventListener("cancel", (event) => {
		event.preventDefault();
		if (event.target === element) ask();
	});
	let pressedOutside = false;
	element.addEventListener("pointerdown", (event) => (pressedOutside = event.target === element && !isInside(event, element)));
	element.addEventListener("click", (event) => {
		// The second click of a double click that opened the dialog does not close it.
		if (pressedOutside && event.detail < 2 && event.target === element && !isInside(event, element)) ask();
	});
	element.addEventListener("close", (event) => {
		if (event.target !== element) return;
		leaveDialog(element);
		element.remove();
		(opener?.isConnected ? opener : document.querySelector("main"))?.focus();
		onClose(result);
		finish(result);
	});

	document.body.append(element);
	element.showModal();
	document.dispatchEvent(new Event(DIALOG_OPENED));
	(element.querySelector("[autofocus]") ?? heading).focus();
	return { element, close, closed };
}

function isInside({ clientX, clientY }, element) {
	const box = element.getBoundingClientRect();
	return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}

// confirm asks before something that cannot be undone. The button is named by act, such as
// "Delete the community"; bad says that it destroys. It returns a promise of a boolean.
export async function confirm({ words, title, text, act, cancel = words.cancel(), bad = false }) {
	const no = button({ label: cancel, autofocus: true, run: () => dialog.close(false) });
	const yes = button({ label: act, kind: bad ? "primary bad" : "primary", run: () => dialog.close(true) });
	const dialog = openDialog({ words, title, body: text ? [el("p", { text })] : [], foot: [no, yes], kind: "ask" });
	return (await dialog.closed) === true;
}
