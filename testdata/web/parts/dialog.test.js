import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../dom.js";
import { openDialog } from "../../../assets/web/parts/dialog.js";
import { el } from "../../../assets/web/parts/el.js";

// openOver opens a dialog from the second of two buttons with the same label, and returns { dialog, draw }.
// draw renders the buttons again.
function openOver() {
	const document = openPage();
	const main = el("main", { tabindex: "-1" });
	document.body.append(main);
	const draw = () => main.replaceChildren(el("ul", {}, ["Bins", "Taxes"].map((title) => (
		el("li", { "data-id": title }, el("button", { type: "button", "aria-label": "Edit" }))))));
	draw();
	main.querySelectorAll("button")[1].focus();
	return { dialog: openDialog({ words: { close: () => "Close" }, title: "Edit" }), draw, main, document };
}

test("the focus returns to the opener of a dialog", () => {
	const { dialog, document } = openOver();
	assert.equal(document.activeElement.tagName, "H2");
	dialog.close();
	assert.equal(document.activeElement.closest("li").dataset.id, "Taxes");
});

test("the focus returns to the element that has replaced the opener of a dialog", () => {
	const { dialog, draw, document } = openOver();
	draw();
	dialog.close();
	assert.equal(document.activeElement.closest("li")?.dataset.id, "Taxes");
});

test("the focus moves to the content if the opener of a dialog was removed", () => {
	const { dialog, main, document } = openOver();
	main.replaceChildren();
	dialog.close();
	assert.equal(document.activeElement, main);
});
