// The drawing of the circles: the member in the middle, and a ring for each circle.

import { hueOf, initials, isColor } from "../parts/person.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 320;
const MIDDLE = SIZE / 2;
const OUTER = 146; // radius of the outer ring
const MOST = [7, 12, 16, 20]; // pictures of a ring
const GAP = 22; // pixels beside the middle of a title in which there is no picture
const SHIFT = [0.5, 0.3, 0.7, 0.4]; // part of a step by which the first picture of a ring is shifted
const ORDER = [1, 2, 3, 0]; // depths from the inside

// ringsOf returns the positions of the members: [{ depth, radius, shown: [{ person, x, y }], rest }].
// The pictures of a ring have the same distance, with room for its title at the top. The ring of
// those outside of the circles is left out if it is empty.
export function ringsOf(people) {
	const depths = ORDER.filter((depth) => depth !== 0 || people.some((person) => person.depth === 0));
	const first = depths.length === 3 ? 58 : 46;
	return depths.map((depth, ring) => {
		const radius = Math.round(first + ((OUTER - first) / (depths.length - 1)) * ring);
		const all = people.filter((person) => person.depth === depth);
		const shown = all.slice(0, MOST[ring]);
		const gap = GAP / radius;
		const angle = (i) => -Math.PI / 2 + gap + ((2 * Math.PI - 2 * gap) * (i + SHIFT[ring])) / Math.max(shown.length, 1);
		return {
			depth, radius, rest: all.length - shown.length,
			shown: shown.map((person, i) => ({ person, x: round(MIDDLE + radius * Math.cos(angle(i))), y: round(MIDDLE + radius * Math.sin(angle(i))) })),
		};
	});
}

function round(value) {
	return Math.round(value * 10) / 10;
}

// rings returns the drawing. Options: self, as app.self(); label, its text; titleOf(depth), the
// name of a circle; more(count), the text for members that have no room.
export function rings(people, { self, label, titleOf, more }) {
	const list = ringsOf(people);
	const root = svg("svg", { class: "rings", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label });
	const circles = list.map(({ depth, radius }) => svg("circle", { class: `ring r${depth}`, cx: MIDDLE, cy: MIDDLE, r: radius })).reverse();
	const pictures = list.flatMap(({ shown }) => shown.map(({ person, x, y }) => picture({ ...person.actor, name: person.name, id: person.id }, x, y, 13)));
	const titles = list.map(({ depth, radius, rest }) => text("ring-l", MIDDLE, MIDDLE - radius - 5, rest > 0 ? `${titleOf(depth)} (${more(rest)})` : titleOf(depth)));
	root.append(...circles, ...titles, ...pictures, picture({ ...self, display_name: self.name }, MIDDLE, MIDDLE, 17));
	return root;
}

function picture({ name, display_name: displayName, id, color, avatar, image }, x, y, radius) {
	const hue = hueOf(color, id);
	const group = svg("g", { class: hue ? `c-${hue}` : "" });
	if (isColor(color)) group.style.setProperty("--c", color);
	group.append(svg("circle", { class: "ring-av", cx: x, cy: y, r: radius }));
	const source = image ?? avatar?.url;
	if (source) group.append(svg("image", { class: "ring-img", href: source, x: x - radius + 1.5, y: y - radius + 1.5, width: 2 * radius - 3, height: 2 * radius - 3, preserveAspectRatio: "xMidYMid slice" }));
	else group.append(text(radius > 14 ? "ring-t big" : "ring-t", x, y + (radius > 14 ? 5.5 : 4.2), initials(displayName ?? name, 1)));
	return group;
}

function text(className, x, y, content) {
	const node = svg("text", { class: className, x, y });
	node.textContent = content;
	return node;
}

function svg(tag, attributes) {
	const node = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes)) if (value !== "") node.setAttribute(name, value);
	return node;
}
