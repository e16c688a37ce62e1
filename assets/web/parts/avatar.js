// Pictures of members and communities.

import { el, spoken } from "./el.js";
import { PRESENCES, hueOf, initials, isColor } from "./person.js";

// avatar returns the picture of a member, which is round, or of a community, which is square.
//
// Options: name; id and color, for the hue; image, a URL, or nothing for initials; square;
// size, "s", "" or "l"; presence, which is shown by a shape. Screen readers leave it out,
// because the name stands beside it: put presenceText there too. If nothing does, pass words:
// then the picture has the name and the presence as its text.
export function avatar({ name, id, color, image, square = false, size = "", presence, words }) {
	const hue = hueOf(color, id);
	const shown = PRESENCES.includes(presence) ? presence : null;
	const node = el("span", {
		class: ["av", square && "sq", size, hue && `c-${hue}`].filter(Boolean).join(" "), "data-at": shown,
		vars: isColor(color) ? { "--c": color } : {},
		...(words ? { role: "img", "aria-label": [name, shown && words.presence(shown)].filter(Boolean).join(", ") } : { "aria-hidden": "true" }),
	});
	const letters = initials(name, square || size === "s" ? 1 : 2);
	if (!image) {
		node.textContent = letters;
		return node;
	}
	const picture = el("img", { src: image, alt: "", loading: "lazy", decoding: "async" });
	// A picture that the member may no longer see is 404.
	picture.addEventListener("error", () => picture.replaceWith(letters), { once: true });
	node.append(picture);
	return node;
}

// avatars returns up to `most` pictures that overlap, and the number of the others.
export function avatars(list, { most = 4, words }) {
	const rest = list.length - most;
	return el("span", { class: "line" },
		el("span", { class: "avs" }, list.slice(0, most).map((item) => avatar({ size: "s", ...item }))),
		spoken(words.list(list.slice(0, most).map(({ name }) => name))),
		rest > 0 && el("span", { class: "quiet small", text: words.more(rest) }));
}

// presenceText returns the presence in words, for screen readers or to be seen.
export function presenceText(presence, words, { visible = false } = {}) {
	return visible ? el("span", { class: "quiet small", text: words.presence(presence) }) : spoken(words.presence(presence));
}
