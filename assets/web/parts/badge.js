// Badges, which count, and tags, which name a state.

import { el, icon, spoken } from "./el.js";
import { countText } from "./person.js";

// badge returns a count, or null if it is 0. Options: words; soft, for counts that call
// for nothing; others are said as "3 new".
export function badge(count, { words, soft = false } = {}) {
	if (!count) return null;
	const text = countText(count);
	return el("span", { class: `badge${soft ? " soft" : ""}` }, soft ? text : [el("span", { "aria-hidden": "true", text }), spoken(words ? words.newCount(count) : text)]);
}

// tag returns a state in a word. Tone is "", "accent", "good", "warn" or "bad".
export function tag(text, { tone = "", icon: name } = {}) {
	return el("span", { class: `tag ${tone}`, dir: "auto" }, name && icon(name, "i-s"), text);
}
