// The messages of a thread in the page.

import { reasonOf } from "../frame/problem.js";
import { button, el, spoken } from "../parts/el.js";
import { keyed } from "../parts/keyed.js";
import { textNodes } from "../parts/text.js";
import { isEmoji, split } from "./matches.js";

// bubbles returns { element, show(entries) }: the log of a thread, and a function that shows
// what timeline returns. Options: words; label, the name of the log; mention(memberId), the
// address of the page of a member; again(message) and takeBack(message), for a message that
// was not sent.
export function bubbles({ words, label, mention, again, takeBack }) {
	let found = {}; // { id, pattern }
	const element = el("div", { class: "msgs", role: "log", "aria-label": label, tabindex: "0" });
	const make = {
		day: ({ day }) => el("p", { class: "day", text: words.relativeDay(day) }),
		new: () => el("p", { class: "new-line" }, el("span", { text: words.isNew() })),
		name: ({ name }) => el("p", { class: "bub-name tiny quiet", dir: "auto", text: name }),
		message: bubble,
		meta,
	};
	const update = keyed(element, { key: ({ key }) => key, signature, make: (entry) => make[entry.kind](entry) });

	function signature(entry) {
		if (entry.kind === "day") return words.relativeDay(entry.day);
		if (entry.kind === "meta") return `${entry.message.state ?? ""} ${entry.at} ${entry.message.error?.message ?? ""}`;
		if (entry.kind !== "message") return entry.name ?? "";
		const { message, isMore } = entry;
		return JSON.stringify([message.body, message.entities, message.state === "failed", isMore, isFound(message), found.pattern && message.body.match(found.pattern)]);
	}

	function isFound({ id }) {
		return Boolean(id) && id === found.id;
	}

	// bubble says the sender to screen readers at the start of each group.
	function bubble({ message, isMine, isMore }) {
		const kind = [isMine && "mine", isMore && "more", message.state === "failed" && "failed", isFound(message) && "found", isEmoji(message.body) && "emoji"].filter(Boolean).join(" ");
		return el("p", { class: `bub ${kind}`, dir: "auto", "data-message": message.id ?? "" },
			!isMore && spoken(`${isMine ? words.messages.you() : message.name}: `), marked(textNodes(message.body, { entities: message.entities, mention }), found.pattern));
	}

	function meta({ at, isMine, message }) {
		const kind = `bub-meta${isMine ? " mine" : ""}`;
		if (message.state === "waiting") return el("p", { class: kind, text: words.frame.pendingWaits() });
		if (message.state === "sending") return el("p", { class: kind, text: words.messages.sending() });
		if (message.state !== "failed") return el("p", { class: kind }, el("time", { datetime: at, text: words.time(at) }));
		return el("p", { class: `${kind} bad` }, el("span", { text: words.notSent() }), el("span", { class: "quiet", dir: "auto", text: reasonOf(message.error, words) }),
			button({ label: words.messages.sendAgain(), kind: "plain s", run: () => again(message) }), button({ label: words.takeBack(), kind: "plain s", run: () => takeBack(message) }));
	}

	// show shows the entries. Options: foundId, of a message to outline; pattern, of texts to mark;
	// isQuiet, so that screen readers do not say what has changed.
	function show(entries, { foundId, pattern, isQuiet = false } = {}) {
		found = { id: foundId, pattern };
		if (isQuiet) element.setAttribute("aria-live", "off");
		update(entries);
		if (isQuiet) setTimeout(() => element.removeAttribute("aria-live"), 1000);
	}

	return { element, show };
}

// marked returns the nodes with the texts that match a pattern in <mark>.
function marked(nodes, pattern) {
	if (!pattern) return nodes;
	return nodes.map((node) => {
		const parts = split(node.textContent, pattern).map(({ text, isMatch }) => (isMatch ? el("mark", { text }) : text));
		if (node.nodeType === Node.TEXT_NODE) return parts;
		node.replaceChildren(...parts);
		return node;
	});
}
