import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../dom.js";
import { createGrid } from "../../../assets/web/grid/grid.js";
import { loadWords } from "../words.js";

const NOW = Date.parse("2026-11-26T12:42:10Z");

// openGrid shows a grid in a page of its own, and returns { grid, host, document }.
async function openGrid(t, { locale = "en-GB", zone = "Europe/Berlin", ...options } = {}) {
	const document = openPage();
	t.mock.timers.enable({ apis: ["setTimeout"] }); // otherwise the grid would draw itself every minute
	const words = await loadWords({ locale, zone, areas: ["calendar"] });
	const host = document.createElement("div");
	document.body.append(host);
	const grid = createGrid(host, { locale, zone, now: NOW, words: words.calendar.grid, on: { open() {} }, ...options });
	return { grid, host, document };
}

test("the number of the week has the digits of the locale", async (t) => {
	for (const [locale, want] of [["en-GB", "W 48"], ["de", "KW 48"], ["fa", "W ۴۸"], ["ar-EG", "W ٤٨"]]) {
		const { host } = await openGrid(t, { view: "week", locale });
		assert.equal(host.querySelector(".wk-no").textContent, want);
		t.mock.timers.reset();
	}
});

test("a new entry is suggested at the next full hour of the clocks of the zone", async (t) => {
	const { grid } = await openGrid(t, { view: "week", zone: "Asia/Kolkata" });
	assert.equal(grid.suggest().start, Date.parse("2026-11-26T13:30:00Z"), "19:00 in Kolkata");
});

test("the focus stays in the grid when another view replaces the focused day", async (t) => {
	const { grid, host, document } = await openGrid(t, { view: "month" });
	grid.focus();
	assert.equal(document.activeElement.dataset.day, "20783", "the present day");
	grid.update({ view: "day" });
	assert.ok(host.contains(document.activeElement));
	assert.equal(document.activeElement.dataset.day, "20783");
});

test("views that are shown again have one element in the tab order, and the present entries", async (t) => {
	const entry = (id, title) => ({ id, title, start: "2026-11-26T09:00:00Z", end: "2026-11-26T10:00:00Z", href: `/${id}` });
	const { grid, host } = await openGrid(t, { view: "month", entries: [entry("a", "Breakfast")] });
	const names = () => [...host.querySelectorAll("[data-entry]")].map((node) => (node.querySelector(".clip") ?? node.querySelector(".slot-title")).textContent + node.querySelector(".sr").textContent);
	assert.deepEqual(names(), ["Breakfast, 10:00–11:00, Thursday 26 November"]);
	grid.update({ view: "week" });
	grid.update({ entries: [entry("a", "Lunch")] });
	for (const view of ["month", "week", "month"]) {
		grid.update({ view });
		assert.equal(host.querySelectorAll('[tabindex="0"]').length, 1, view);
		assert.deepEqual(names(), ["Lunch, 10:00–11:00, Thursday 26 November"], view);
	}
});
