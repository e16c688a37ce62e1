// Badges, which show a count, and tags, which show a state.

import { el, icon, screenReaderText } from "./el.js";
import { countText } from "./person.js";

// badge returns a badge with a count, or null if the count is 0. Screen readers say "3 new" if words is
// given. With the option soft, the badge is gray.
export function badge(count, { words, soft = false } = {}) {
	if (!count) return null;
	const text = countText(count);
	return el("span", { class: `badge${soft ? " soft" : ""}` },
		el("span", { "aria-hidden": "true", text }), screenReaderText(words ? words.newCount(count) : text));
}

// tag returns a tag. tone is "", "accent", "good", "warn" or "bad"; icon is the name of an icon.
export function tag(text, { tone = "", icon: name } = {}) {
	return el("span", { class: `tag ${tone}`, dir: "auto" }, name && icon(name, "i-s"), text);
}
