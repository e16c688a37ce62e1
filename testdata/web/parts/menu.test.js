import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../dom.js";
import { button, el } from "../../../assets/web/parts/el.js";
import { menuButton, openMenu } from "../../../assets/web/parts/menu.js";

// openMenuOver opens the menu of the second of two rows, and returns { draw, menu, document, run }. draw renders
// the rows again, and run has the focused row when the item of the menu is run.
function openMenuOver() {
	const document = openPage();
	const main = el("main", { tabindex: "-1" });
	document.body.append(main);
	const run = [];
	const focusedRow = () => document.activeElement.closest("li")?.dataset.id;
	const items = () => [{ label: "Remove", run: () => run.push(focusedRow()) }];
	const row = (id) => el("li", { "data-id": id }, menuButton(button({ label: "More", iconOnly: true }), items));
	const list = el("ul", {});
	main.append(list);
	const draw = () => list.replaceChildren(row("a"), row("b"));
	draw();
	list.querySelectorAll("button")[1].focus();
	list.querySelectorAll("button")[1].click();
	return { draw, document, run, focusedRow, menu: () => document.querySelector(".menu") };
}

test("a menu returns the focus to its button before the item is run", () => {
	const { menu, run } = openMenuOver();
	menu().querySelector("button").click();
	assert.deepEqual(run, ["b"]);
});

test("a menu returns the focus to the button that has replaced its own", () => {
	for (const end of ["click", "Escape", "Tab"]) {
		const { draw, menu, run, focusedRow } = openMenuOver();
		draw();
		if (end === "click") menu().querySelector("button").click();
		else menu().querySelector("button").press(end);
		assert.equal(end === "click" ? run[0] : focusedRow(), "b", end);
		assert.equal(menu(), null);
	}
});

test("a menu has a line only between two groups, and no items that are left out", () => {
	const document = openPage();
	const anchor = document.createElement("button");
	document.body.append(anchor);
	const item = (label) => ({ label });
	for (const [items, want] of [
		[[null, item("a"), null, undefined, null, item("b"), false, null], ["a", "-", "b"]],
		[[item("a"), item("b")], ["a", "b"]],
		[[undefined, null, item("a")], ["a"]],
	]) {
		const hide = openMenu(anchor, items, { label: "More" });
		const shown = document.querySelector(".menu").children.map((node) => (node.tagName === "HR" ? "-" : node.textContent));
		assert.deepEqual(shown, want);
		hide();
	}
});
