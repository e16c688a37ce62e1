// Pictures of members and communities.

import { el, screenReaderText } from "./el.js";
import { PRESENCES, hueOf, initials, isColor } from "./person.js";

// avatar returns the picture of a member or a community. Options:
//
//   name       for the initials
//   id, color  for the hue, see hueOf
//   image      the URL of the picture; without one, the initials are shown
//   square     whether the picture is square, for communities, or round
//   size       "s", "" or "l"
//   presence   the presence state, which the picture shows by a shape
//   words      gives the picture a text for screen readers: the name and the presence
//
// Without words, screen readers ignore the picture: show the name, and presenceText, beside it.
export function avatar({ name, id, color, image, square = false, size = "", presence, words }) {
	const hue = hueOf(color, id);
	const shownPresence = PRESENCES.includes(presence) ? presence : null;
	const node = el("span", {
		class: ["av", square && "sq", size, hue && `c-${hue}`].filter(Boolean).join(" "), "data-at": shownPresence,
		vars: isColor(color) ? { "--c": color } : {},
		...(words
			? { role: "img", "aria-label": [name, shownPresence && words.presence(shownPresence)].filter(Boolean).join(", ") }
			: { "aria-hidden": "true" }),
	});
	const letters = initials(name, square || size === "s" ? 1 : 2);
	if (!image) {
		node.textContent = letters;
		return node;
	}
	const picture = el("img", { src: image, alt: "", loading: "lazy", decoding: "async" });
	// The server replies 404 if the member may no longer see the picture.
	picture.addEventListener("error", () => picture.replaceWith(letters), { once: true });
	node.append(picture);
	return node;
}

// avatars returns up to `limit` overlapping pictures, and the number of the remaining ones of `count`.
export function avatars(list, { limit = 4, count = list.length, words }) {
	const hiddenCount = count - limit;
	return el("span", { class: "line" },
		el("span", { class: "avs" }, list.slice(0, limit).map((item) => avatar({ size: "s", ...item }))),
		screenReaderText(words.list(list.slice(0, limit).map(({ name }) => name))),
		hiddenCount > 0 && el("span", { class: "quiet small", text: words.more(hiddenCount) }));
}

// presenceText returns the text of a presence state, by default only for screen readers.
export function presenceText(presence, words, { visible = false } = {}) {
	return visible ? el("span", { class: "quiet small", text: words.presence(presence) }) : screenReaderText(words.presence(presence));
}
