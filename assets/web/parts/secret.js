// Shows secrets that the server returns only once: passwords, links and recovery codes.

import { copyButton, copyField } from "./copy.js";
import { openDialog } from "./dialog.js";
import { button, el } from "./el.js";
import { notice } from "./notice.js";
import { qrCode } from "./qrcode.js";

// openSecret shows secrets in a dialog. It returns a promise that is resolved when the dialog is
// closed. Options:
//
//   words, title
//   text       the purpose of the secrets
//   note       a warning
//   code       a QR code, see qrcode.js; codeLabel is its text for screen readers
//   entries    a list of { label, value }, each with a button that copies it
//   codes      a list of recovery codes with one button that copies all
//   file       the name of the file for the download of the codes; without one, there is no link
//   more       nodes below
//   isSecret   whether the dialog says that the text is shown only once
export async function openSecret({
	words, title, text, entries = [], codes = [], file, code, codeLabel = title, note, more = [], isSecret = true,
}) {
	const picture = qrCode(code, codeLabel);
	const body = el("div", { class: "stack secret" },
		text && el("p", { text }), note && notice({ kind: "warn", text: note }), picture && el("div", { class: "qr-wrap" }, picture),
		entries.map(({ label, value }) =>
			el("div", { class: "field" }, el("span", { class: "label", text: label }), copyField(value, { label, words }))),
		codes.length > 0 && codeList(codes, { words, title, file }), more,
		isSecret && el("p", { class: "quiet small", text: words.shownOnce() }));
	const closeButton = button({ label: words.close(), kind: "primary", run: () => dialog.close() });
	const dialog = openDialog({ words, title, body: [body], foot: [closeButton] });
	await dialog.closed;
}

function codeList(codes, { words, title, file }) {
	const text = codes.join("\n");
	const url = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
	const save = file && el("a", { class: "btn s", href: url, download: file, text: words.download() });
	return el("div", { class: "stack-s" },
		el("ol", { class: "codes well", "aria-label": title, dir: "ltr" }, codes.map((value) => el("li", {}, el("code", { text: value })))),
		el("div", { class: "line wrap" }, copyButton(text, { label: title, words }), save));
}
