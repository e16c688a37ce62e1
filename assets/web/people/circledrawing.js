// Draws the circles of a member: the member in the middle, and a ring for each circle.

import { hueOf, initials, isColor } from "../parts/person.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 320; // width and height of the drawing, in its units
const CENTER = SIZE / 2;
const OUTER_RADIUS = 146; // radius of the outermost ring
const MAX_PICTURES = [7, 12, 16, 20]; // maximum number of pictures on each ring, from the inside
const TITLE_GAP = 22; // space without pictures on each side of the middle of a title
const PICTURE_OFFSETS = [0.5, 0.3, 0.7, 0.4]; // offset of the first picture of each ring, as a fraction of the distance of two pictures
const RING_DEPTHS = [1, 2, 3, 0]; // depths of the circles from the inside; 0 is outside of all circles

// ringsOf returns the layout of the rings, from the inside: { depth, radius, shown, rest }. shown
// contains the visible members as { person, x, y }, rest is the number of the others. The pictures
// of a ring are equidistant, except for the gap for its title at the top. There is no ring of depth
// 0 without members in it.
export function ringsOf(people) {
	const depths = RING_DEPTHS.filter((depth) => depth !== 0 || people.some((person) => person.depth === 0));
	const first = depths.length === 3 ? 58 : 46;
	return depths.map((depth, ring) => {
		const radius = Math.round(first + ((OUTER_RADIUS - first) / (depths.length - 1)) * ring);
		const members = people.filter((person) => person.depth === depth);
		const visibleMembers = members.slice(0, MAX_PICTURES[ring]);
		const gap = TITLE_GAP / radius;
		const angle = (i) => -Math.PI / 2 + gap + ((2 * Math.PI - 2 * gap) * (i + PICTURE_OFFSETS[ring])) / Math.max(visibleMembers.length, 1);
		const place = (person, i) => ({
			person, x: round(CENTER + radius * Math.cos(angle(i))), y: round(CENTER + radius * Math.sin(angle(i))),
		});
		return { depth, radius, rest: members.length - visibleMembers.length, shown: visibleMembers.map(place) };
	});
}

// round rounds to one decimal.
function round(value) {
	return Math.round(value * 10) / 10;
}

// drawCircles returns the drawing, an SVG element. Options: self, the result of app.signedInMember(); label,
// the text for screen readers; titleOf(depth), the name of a circle; more(count), the text for the
// members of a circle that are not visible.
export function drawCircles(people, { self, label, titleOf, more }) {
	const layout = ringsOf(people);
	const root = newSVG("svg", { class: "rings", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label });
	const circleOf = ({ depth, radius }) => newSVG("circle", { class: `ring r${depth}`, cx: CENTER, cy: CENTER, r: radius });
	const pictureOf = ({ person, x, y }) => picture({ ...person.actor, name: person.name, id: person.id }, x, y, 13);
	const titleText = ({ depth, rest }) => (rest > 0 ? `${titleOf(depth)} (${more(rest)})` : titleOf(depth));
	const circles = layout.map(circleOf).reverse(); // an inner circle covers the outer ones
	const pictures = layout.flatMap(({ shown }) => shown.map(pictureOf));
	const titles = layout.map((ring) => text("ring-l", CENTER, CENTER - ring.radius - 5, titleText(ring)));
	root.append(...circles, ...titles, ...pictures, picture({ ...self, display_name: self.name }, CENTER, CENTER, 17));
	return root;
}

// picture returns the picture or the initial of a member in a circle.
function picture({ name, display_name: displayName, id, color, avatar, image }, x, y, radius) {
	const hue = hueOf(color, id);
	const group = newSVG("g", { class: hue ? `c-${hue}` : "" });
	if (isColor(color)) group.style.setProperty("--c", color);
	group.append(newSVG("circle", { class: "ring-av", cx: x, cy: y, r: radius }));
	const source = image ?? avatar?.url;
	const [half, size] = [radius - 1.5, 2 * radius - 3];
	const box = { x: x - half, y: y - half, width: size, height: size, preserveAspectRatio: "xMidYMid slice" };
	if (source) group.append(newSVG("image", { class: "ring-img", href: source, ...box }));
	else group.append(text(radius > 14 ? "ring-t big" : "ring-t", x, y + (radius > 14 ? 5.5 : 4.2), initials(displayName ?? name, 1)));
	return group;
}

function text(className, x, y, content) {
	const node = newSVG("text", { class: className, x, y });
	node.textContent = content;
	return node;
}

// newSVG returns a new SVG element with attributes; empty ones are left out.
function newSVG(tag, attributes) {
	const node = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes)) if (value !== "") node.setAttribute(name, value);
	return node;
}
