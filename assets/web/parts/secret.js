// Secrets, which the server returns once: passwords, links, recovery codes.

import { copyButton, copyField } from "./copy.js";
import { openDialog } from "./dialog.js";
import { button, el } from "./el.js";
import { notice } from "./notice.js";
import { qr } from "./qr.js";

// openSecret shows secrets in a dialog, and nowhere else. Options: words; title; text, what
// they are for; entries, a list of { label, value }; codes, a list of texts that are copied
// as one; file, the name under which the codes can be stored; code, a QR code, and codeLabel;
// note, a warning; more, nodes below; isSecret, false for a text that can be seen again. It returns a promise that is resolved when the dialog
// is closed.
export async function openSecret({ words, title, text, entries = [], codes = [], file, code, codeLabel = title, note, more = [], isSecret = true }) {
	const picture = qr(code, codeLabel);
	const body = el("div", { class: "stack secret" },
		text && el("p", { text }), note && notice({ kind: "warn", text: note }), picture && el("div", { class: "qr-wrap" }, picture),
		entries.map(({ label, value }) => el("div", { class: "field" }, el("span", { class: "label", text: label }), copyField(value, { label, words }))),
		codes.length > 0 && codeList(codes, { words, title, file }), more,
		isSecret && el("p", { class: "quiet small", text: words.shownOnce() }));
	const done = button({ label: words.close(), kind: "primary", run: () => dialog.close() });
	const dialog = openDialog({ words, title, body: [body], foot: [done] });
	await dialog.closed;
}

function codeList(codes, { words, title, file }) {
	const text = codes.join("\n");
	const save = file && el("a", { class: "btn s", href: `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`, download: file, text: words.download() });
	return el("div", { class: "stack-s" },
		el("ol", { class: "codes well", "aria-label": title, dir: "ltr" }, codes.map((value) => el("li", {}, el("code", { text: value })))),
		el("div", { class: "line wrap" }, copyButton(text, { label: title, words }), save));
}
