// Badges, which show a count, and tags, which show a state.

import { el, icon, screenReaderText } from "./el.js";
import { countText } from "./person.js";

// badge returns a badge with a count, or null if the count is 0. A badge draws attention to unread
// items, and screen readers say "3 new"; with the option soft it does neither.
export function badge(count, { words, soft = false } = {}) {
	if (!count) return null;
	const text = countText(count);
	const unread = () => [el("span", { "aria-hidden": "true", text }), screenReaderText(words ? words.newCount(count) : text)];
	return el("span", { class: `badge${soft ? " soft" : ""}` }, soft ? text : unread());
}

// tag returns a tag. tone is "", "accent", "good", "warn" or "bad"; icon is the name of an icon.
export function tag(text, { tone = "", icon: name } = {}) {
	return el("span", { class: `tag ${tone}`, dir: "auto" }, name && icon(name, "i-s"), text);
}
