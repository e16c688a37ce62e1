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
			el("ul", { class: "stack-s" }, listed.map((entry) => refusedLine(words, entry))),
			more > 0 && el("p", { class: "quiet", text: words.settings.moreRefused(more) })));
	const closeButton = button({ label: words.close(), kind: "primary", run: () => dialog.close() });
	const dialog = openDialog({ words, title, body: [body], foot: [closeButton] });
	return dialog.closed;
}

// refusedLine returns a list item with the title of a refused entry or else its UID, its date, its line in the
// file, and the reason.
function refusedLine(words, { title, line, date, uid, reason, detail }) {
	const place = [isDay(date) && words.dayAndYear(date), line > 0 && words.settings.fileLine(line)].filter(Boolean).join(" · ");
	const name = title || uid;
	return el("li", {},
		name && el("b", { text: name, dir: "auto" }), name && place && " ",
		place && el("span", { class: "quiet small", text: place }),
		el("p", { text: reason }), detail && el("p", { class: "quiet small", text: detail, lang: "en", dir: "auto" }));
}
