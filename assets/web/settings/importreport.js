// Shows the report of an import: how many entries were imported, and which were not.

import { openDialog } from "../parts/dialog.js";
import { button, el } from "../parts/el.js";
import { isDay } from "../parts/day.js";

// MAX_REFUSED is the maximum number of entries that the dialog lists.
const MAX_REFUSED = 100;

// showImport shows the report of an import, as the server returns it: in a toast if it contains only
// numbers, otherwise in a dialog. title is the title of the dialog.
export function showImport(app, title, report) {
	const [counts, ...notes] = report.sentences;
	if (notes.length === 0 && report.refused.length === 0) return app.toasts.show(counts);
	const { words } = app;
	const listed = report.refused.slice(0, MAX_REFUSED);
	const more = report.refused_count - listed.length;
	const body = el("div", { class: "stack" },
		el("p", { text: counts }),
		notes.map((text) => el("p", { text, dir: "auto" })),
		listed.length > 0 && el("div", { class: "stack-s" },
			el("h3", { text: words.settings.notImported() }),
			el("ul", { class: "stack-s" }, listed.map((entry) => el("li", {},
				el("span", { class: "quiet small", text: placeOf(words, entry), dir: "auto" }),
				el("p", { text: entry.reason, dir: "auto" })))),
			more > 0 && el("p", { class: "quiet", text: words.settings.moreRefused(more) })));
	const closeButton = button({ label: words.close(), kind: "primary", run: () => dialog.close() });
	const dialog = openDialog({ words, title, body: [body], foot: [closeButton] });
	return dialog.closed;
}

// placeOf returns the line of a refused entry in the file, its date and its UID.
function placeOf(words, { line, date, uid }) {
	return [line > 0 && words.settings.fileLine(line), isDay(date) && words.dayAndYear(date), uid].filter(Boolean).join(" · ");
}
