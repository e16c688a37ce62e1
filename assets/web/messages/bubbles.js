// The log of a thread: renders the entries of its timeline.

import { reasonOf } from "../frame/problem.js";
import { button, el, screenReaderText } from "../parts/el.js";
import { createKeyedList } from "../parts/keyedlist.js";
import { textNodes } from "../parts/text.js";
import { isEmoji, split } from "./matches.js";

// createLog returns { element, show }: the element of a log, and a function that renders entries of
// timeline. Options:
//
//   words      the texts
//   label      the label of the log
//   mention    a function that returns the address of the profile of a member with an id
//   sendAgain  called with a failed message that the member sends again
//   takeBack   called with a failed message that the member takes back into the composer
//
// show(entries, options) renders the entries. Options:
//
//   foundId  the id of the message that is outlined as the result of a search
//   pattern  the regular expression of the texts that are marked
//   isQuiet  whether screen readers do not announce new elements
export function createLog({ words, label, mention, sendAgain, takeBack }) {
	let searchMatch = {}; // { id, pattern }, options of the latest call of show
	const element = el("div", { class: "msgs", role: "log", "aria-label": label, tabindex: "0" });
	const make = {
		day: ({ day }) => el("p", { class: "day", text: words.relativeDay(day) }),
		new: () => el("p", { class: "new-line" }, el("span", { text: words.isNew() })),
		name: ({ name }) => el("p", { class: "bub-name tiny quiet", dir: "auto", text: name }),
		message: bubble,
		meta,
	};
	const update = createKeyedList(element, { key: ({ key }) => key, signature, make: (entry) => make[entry.kind](entry) });

	function signature(entry) {
		if (entry.kind === "day") return words.relativeDay(entry.day);
		if (entry.kind === "meta") return `${entry.message.state ?? ""} ${entry.at} ${entry.message.error?.message ?? ""}`;
		if (entry.kind !== "message") return entry.name ?? "";
		const { message, isMore } = entry;
		return JSON.stringify([
			message.body, message.entities, message.state === "failed", isMore, isFound(message),
			searchMatch.pattern && message.body.match(searchMatch.pattern),
		]);
	}

	function isFound({ id }) {
		return Boolean(id) && id === searchMatch.id;
	}

	// bubble returns the element of a message. The first message of a group has the name of its sender
	// for screen readers.
	function bubble({ message, isMine, isMore }) {
		const kind = [
			isMine && "mine", isMore && "more", message.state === "failed" && "failed", isFound(message) && "found",
			isEmoji(message.body) && "emoji",
		].filter(Boolean).join(" ");
		const nodes = textNodes(message.body, { entities: message.entities, mention });
		return el("p", { class: `bub ${kind}`, dir: "auto", "data-message": message.id ?? "" },
			!isMore && screenReaderText(`${isMine ? words.messages.you() : message.name}: `), markMatches(nodes, searchMatch.pattern));
	}

	// meta returns the line below a group: the time or the state of its last message, and buttons if that
	// has failed.
	function meta({ at, isMine, message }) {
		const kind = `bub-meta${isMine ? " mine" : ""}`;
		if (message.state === "waiting") return el("p", { class: kind, text: words.frame.pendingWaits() });
		if (message.state === "sending") return el("p", { class: kind, text: words.messages.sending() });
		if (message.state !== "failed") return el("p", { class: kind }, el("time", { datetime: at, text: words.time(at) }));
		return el("p", { class: `${kind} bad` },
			el("span", { text: words.notSent() }), el("span", { class: "quiet", dir: "auto", text: reasonOf(message.error, words) }),
			button({ label: words.messages.sendAgain(), kind: "plain s", run: () => sendAgain(message) }),
			button({ label: words.takeBack(), kind: "plain s", run: () => takeBack(message) }));
	}

	function show(entries, { foundId, pattern, isQuiet = false } = {}) {
		searchMatch = { id: foundId, pattern };
		if (isQuiet) element.setAttribute("aria-live", "off");
		update(entries);
		if (isQuiet) setTimeout(() => element.removeAttribute("aria-live"), 1000);
	}

	return { element, show };
}

// markMatches returns the nodes of a text in which mark elements contain the matches of a pattern; the nodes
// themselves without a pattern. It changes nodes that are elements.
function markMatches(nodes, pattern) {
	if (!pattern) return nodes;
	return nodes.map((node) => {
		const parts = split(node.textContent, pattern).map(({ text, isMatch }) => (isMatch ? el("mark", { text }) : text));
		if (node.nodeType === Node.TEXT_NODE) return parts;
		node.replaceChildren(...parts);
		return node;
	});
}
