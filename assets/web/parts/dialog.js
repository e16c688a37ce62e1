// Modal dialogs. On narrow screens, parts.css shows a dialog at the bottom edge.

import { button, el, uid } from "./el.js";
import { leaveDialog } from "./toast.js";
import { returnFocus } from "../frame/focus.js";

// DIALOG_OPENED is the type of the event that openDialog dispatches on the document.
export const DIALOG_OPENED = "dialogopened";

// openDialog shows a dialog and returns { element, close(result), closed }. close closes the dialog
// without a confirmation. closed is a promise of the result, undefined if the member has closed the
// dialog. When it closes, the element that had the focus before is focused again, or the one that has
// replaced it meanwhile. Options:
//
//   title, hideTitle  the heading, and whether only screen readers present it
//   body, foot        lists of nodes
//   form              an HTMLFormElement, which then contains the heading, body and foot
//   kind              a class such as "edit" or "ask"
//   isChanged()       whether the dialog has unsaved changes: the member must confirm that they are
//                     discarded, and then discarded() is called
//   onClose(result)   called when the dialog has been closed
export function openDialog({
	words, title, hideTitle = false, body = [], foot = [], form, kind = "", isChanged = () => false, discarded = () => {}, onClose = () => {},
}) {
	const opener = document.activeElement;
	const heading = el("h2", { id: uid("dialog"), text: title, class: hideTitle && "sr", tabindex: "-1", dir: "auto" });
	const parts = [
		el("div", { class: "dialog-head" },
			heading, button({ label: words.close(), icon: "close", iconOnly: true, kind: "plain s", run: () => closeIfConfirmed() })),
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
	let isConfirming = false; // whether closeIfConfirmed waits for the confirmation of the member
	let resolveClosed;
	const closed = new Promise((resolve) => (resolveClosed = resolve));

	// closeIfConfirmed closes the dialog. If there are unsaved changes, the member must confirm it.
	async function closeIfConfirmed() {
		if (isConfirming) return;
		isConfirming = true;
		const hasChanges = isChanged();
		const isConfirmed = !hasChanges || (await confirm({
			words, title: words.discardTitle(), text: words.discardText(), confirmLabel: words.discard(), cancel: words.keepEditing(), bad: true,
		}));
		isConfirming = false;
		if (!isConfirmed) return;
		if (hasChanges) discarded();
		close(undefined);
	}

	function close(value) {
		result = value;
		if (element.open) element.close();
	}

	element.addEventListener("cancel", (event) => {
		event.preventDefault();
		if (event.target === element) closeIfConfirmed();
	});
	let pressedOutside = false; // whether the latest pointerdown event was outside of the dialog
	element.addEventListener("pointerdown", (event) => (pressedOutside = event.target === element && !isInside(event, element)));
	element.addEventListener("click", (event) => {
		// The second click of a double click that has opened the dialog must not close it.
		if (pressedOutside && event.detail < 2 && event.target === element && !isInside(event, element)) closeIfConfirmed();
	});
	element.addEventListener("close", (event) => {
		if (event.target !== element) return;
		leaveDialog(element);
		element.remove();
		if (!opener?.isConnected) document.querySelector("main")?.focus();
		if (opener) returnFocus(opener);
		onClose(result);
		resolveClosed(result);
	});

	document.body.append(element);
	element.showModal();
	document.dispatchEvent(new Event(DIALOG_OPENED));
	(element.querySelector("[autofocus]") ?? heading).focus();
	return { element, close, closed };
}

// isInside reports whether the position of an event is inside the box of an element.
function isInside({ clientX, clientY }, element) {
	const box = element.getBoundingClientRect();
	return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}

// confirm shows a dialog that asks the member to confirm an action, and returns a promise of whether
// the member has done so. Options: title; text; confirmLabel, the label of the button that confirms, such as
// "Delete the community"; cancel, the label of the other button; bad, whether the action is
// destructive.
export async function confirm({ words, title, text, confirmLabel, cancel = words.cancel(), bad = false }) {
	const cancelButton = button({ label: cancel, autofocus: true, run: () => dialog.close(false) });
	const confirmButton = button({ label: confirmLabel, kind: bad ? "primary bad" : "primary", run: () => dialog.close(true) });
	const dialog = openDialog({ words, title, body: text ? [el("p", { text })] : [], foot: [cancelButton, confirmButton], kind: "ask" });
	return (await dialog.closed) === true;
}
