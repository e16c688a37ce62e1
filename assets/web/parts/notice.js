// Notices, which stay until their cause has changed.

import { button, el, icon } from "./el.js";

const ICON = { info: "info", good: "check", warn: "warning", bad: "warning", offline: "offline" };

// notice returns a notice. Options: kind, "info", "good", "warn", "bad" or "offline"; title;
// text; actions, a list of { label, run }; requestID, for the operator; words, needed with
// requestID. Errors interrupt screen readers, all others do not.
export function notice({ kind = "info", title, text, actions = [], requestID, words }) {
	const tone = kind === "offline" ? "warn" : kind === "info" ? "" : kind;
	return el("div", { class: `note ${tone}`, role: kind === "bad" ? "alert" : "status" },
		icon(ICON[kind] ?? "info"),
		el("span", { class: "grow" }, title && el("strong", { dir: "auto", text: title }), text && el("span", { dir: "auto", text }), requestID && el("span", { class: "note-id", text: words.requestID(requestID) })),
		actions.map(({ label, run }) => button({ label, kind: "s", run })));
}
