import assert from "node:assert/strict";
import { test } from "node:test";
import { showImport } from "../../../assets/web/settings/importreport.js";
import { openPage } from "../dom.js";

// show shows a report, and returns its toasts and the texts of its dialog.
function show(report) {
	const document = openPage();
	const toasts = [];
	const settings = {
		notImported: () => "Not imported", fileLine: (line) => `Line ${line}`, moreRefused: (count) => `${count} more`,
	};
	const app = {
		words: { settings, close: () => "Close", dayAndYear: (day) => `on ${day}` }, toasts: { show: (text) => toasts.push(text) },
	};
	showImport(app, "Import", { sentences: [], refused: [], refused_count: 0, ...report });
	return { toasts, texts: [...document.querySelectorAll("dialog p, dialog li span")].map(({ textContent }) => textContent) };
}

test("a report that has only numbers is a toast", () => {
	assert.deepEqual(show({ sentences: ["Imported: 2."] }), { toasts: ["Imported: 2."], texts: [] });
});

test("a report with a note is a dialog", () => {
	assert.deepEqual(show({ sentences: ["Imported: 2.", "No UID."] }), { toasts: [], texts: ["Imported: 2.", "No UID."] });
});

test("an entry that was not imported has the parts of its place that are known", () => {
	const refused = [{ line: 7, date: "2026-12-04", uid: "a", reason: "Bad." }, { line: 0, date: "", uid: "", reason: "Empty." }];
	assert.deepEqual(show({ sentences: ["Imported: 0."], refused, refused_count: 2 }).texts, [
		"Imported: 0.", "on 2026-12-04 · Line 7", "Bad.", "Empty.",
	]);
});

test("the dialog lists a limited number of entries and counts the others", () => {
	const refused = Array.from({ length: 120 }, (_, line) => ({ line, date: "", uid: "a", reason: "Bad." }));
	const { texts } = show({ sentences: ["Imported: 0."], refused, refused_count: 1500 });
	assert.equal(texts.filter((text) => text === "Bad.").length, 100);
	assert.equal(texts.at(-1), "1400 more");
});
