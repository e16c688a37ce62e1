// Notices, which are visible as long as their cause exists. See toast.js for temporary messages.

import { button, el, icon } from "./el.js";

const ICONS = { info: "info", good: "check", warn: "warning", bad: "warning", offline: "offline" };

// notice returns a notice. Options:
//
//   kind       "info", "good", "warn", "bad" or "offline"; only "bad" interrupts screen readers
//   title, text
//   actions    its buttons, a list of { label, run }
//   requestID  identifies a failed request in the log of the server; requires words
export function notice({ kind = "info", title, text, actions = [], requestID, words }) {
	const tone = kind === "offline" ? "warn" : kind === "info" ? "" : kind;
	return el("div", { class: `note ${tone}`, role: kind === "bad" ? "alert" : "status" },
		icon(ICONS[kind] ?? "info"),
		el("span", { class: "grow" },
			title && el("strong", { dir: "auto", text: title }),
			text && el("span", { dir: "auto", text }),
			requestID && el("span", { class: "note-id", text: words.requestID(requestID) })),
		actions.map(({ label, run }) => button({ label, kind: "s", run })));
}
