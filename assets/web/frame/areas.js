// The areas of the app, which are loaded when they are first shown.

import { el } from "../parts/el.js";

// AREAS have a module with open(app, place, located), which returns a view or null if the area
// has none for the place; words, the name of the part of the catalogue; and style, the path of
// a style sheet. words and style can be lists.
const AREAS = {
	generic: { module: () => import("../generic/generic.js") },
	around: { module: () => import("../around/around.js"), words: ["around", "read"], style: ["map/map.css", "around/around.css"] },
	read: { module: () => import("../read/read.js"), words: ["read", "around"], style: "read/read.css" },
	today: { module: () => import("../today/today.js"), words: "day" },
};

const loaded = new Map(); // name of an area → promise of its module

// hasArea reports whether there is an area with a name.
export function hasArea(name) {
	return name in AREAS;
}

// loadArea returns a promise of the module of an area, with its words and style loaded. An area
// that cannot be loaded, such as without a network, is tried again the next time.
export function loadArea(name, words, assets) {
	if (!loaded.has(name)) {
		const { module, words: part, style } = AREAS[name];
		const all = Promise.all([module(), ...[style ?? []].flat().map((path) => loadStyle(assets + path)), ...[part ?? []].flat().map((name) => words.load(name))]);
		loaded.set(name, all.then(([area]) => area));
		all.catch(() => loaded.delete(name));
	}
	return loaded.get(name);
}

function loadStyle(href) {
	return new Promise((done) => {
		const link = el("link", { rel: "stylesheet", href, on: { load: done, error: done } });
		document.head.append(link);
	});
}
