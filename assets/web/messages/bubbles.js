// The messages of a thread in the page.

import { button, el, spoken } from "../parts/el.js";
import { keyed } from "../parts/keyed.js";
import { textNodes } from "../parts/text.js";

// bubbles returns { element, show(entries) }: the log of a thread, and a function that shows
// what timeline returns. Options: words; label, the name of the log; mention(memberId), the
// address of the page of a member; again(message) and takeBack(message), for a message that
// was not sent; foundId, of a message to mark.
export function bubbles({ words, label, mention, again, takeBack, foundId }) {
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
		if (entry.kind === "meta") return `${entry.message.state ?? ""} ${entry.at}`;
		if (entry.kind !== "message") return entry.name ?? "";
		const { message, isMore } = entry;
		return JSON.stringify([message.body, message.entities, message.state === "failed", isMore]);
	}

	// bubble says the sender to screen readers at the start of each group.
	function bubble({ message, isMine, isMore }) {
		const kind = [isMine && "mine", isMore && "more", message.state === "failed" && "failed", message.id && message.id === foundId && "found"].filter(Boolean).join(" ");
		return el("p", { class: `bub ${kind}`, dir: "auto", "data-message": message.id ?? "" },
			!isMore && spoken(`${isMine ? words.messages.you() : message.name}: `), textNodes(message.body, { entities: message.entities, mention }));
	}

	function meta({ at, isMine, message }) {
		const kind = `bub-meta${isMine ? " mine" : ""}`;
		if (message.state === "waiting") return el("p", { class: kind, text: words.frame.pendingWaits() });
		if (message.state === "sending") return el("p", { class: kind, text: words.messages.sending() });
		if (message.state !== "failed") return el("p", { class: kind }, el("time", { datetime: at, text: words.time(at) }));
		return el("p", { class: `${kind} bad` }, el("span", { text: words.notSent() }),
			button({ label: words.messages.sendAgain(), kind: "plain s", run: () => again(message) }), button({ label: words.takeBack(), kind: "plain s", run: () => takeBack(message) }));
	}

	// show shows the entries. Earlier messages are not said by screen readers.
	function show(entries, { isEarlier = false } = {}) {
		if (isEarlier) element.setAttribute("aria-live", "off");
		update(entries);
		if (isEarlier) setTimeout(() => element.removeAttribute("aria-live"), 1000);
	}

	return { element, show };
}
