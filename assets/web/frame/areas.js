// The areas of the app, which are loaded when they are first shown.

import { el } from "../parts/el.js";
import { importWords } from "../words.js";

// AREAS have a module with open(app, route, located), which returns a view or null if the area
// has none for the route, and panels(app, located), which panelsOf describes; words, the parts of the catalogue that it needs; and styles, the paths
// of its style sheets.
const AREAS = {
	generic: { module: () => import("../generic/generic.js") },
	today: { module: () => import("../today/today.js"), words: ["day"] },
	calendar: { module: () => import("../calendar/calendar.js"), words: ["calendar"], styles: ["grid/grid.css", "calendar/calendar.css"] },
	messages: { module: () => import("../messages/messages.js"), words: ["messages"], styles: ["messages/messages.css"] },
	people: { module: () => import("../people/people.js"), words: ["people", "social"], styles: ["people/people.css"] },
	social: { module: () => import("../social/social.js"), words: ["social"], styles: ["social/social.css"] },
	around: { module: () => import("../around/around.js"), words: ["around", "read"], styles: ["map/map.css", "around/around.css"] },
	read: { module: () => import("../read/read.js"), words: ["read", "around"], styles: ["read/read.css"] },
	settings: { module: () => import("../settings/settings.js"), words: ["settings"], styles: ["settings/settings.css"] },
	operator: { module: () => import("../operator/operator.js"), words: ["settings", "operator"], styles: ["settings/settings.css"] },
};

const loaded = new Map(); // name of an area → promise of its module
const styles = new Map(); // path of a style sheet → promise that it is loaded

// hasArea reports whether there is an area with a name.
export function hasArea(name) {
	return Object.hasOwn(AREAS, name);
}

// loadArea returns a promise of the module of an area, with its words and styles loaded. An area
// that cannot be loaded, such as without a network, is tried again the next time.
export function loadArea(name, words, assets) {
	if (!loaded.has(name)) {
		const all = Promise.all([...filesOf(name, assets), ...(AREAS[name].words ?? []).map((part) => words.load(part))]);
		loaded.set(name, all.then(([area]) => area));
		all.catch(() => loaded.delete(name));
	}
	return loaded.get(name);
}

// panelsOf returns a promise of the paths of the panels that an area has to have stored for a
// visit without a connection.
export async function panelsOf(app, located) {
	const { panels } = (await AREAS[located.area]?.module()) ?? {};
	return panels?.(app, located) ?? [];
}

// loadFrame loads the style sheets of the frame, which the page only preloads.
export function loadFrame() {
	return Promise.all([...document.querySelectorAll('link[rel="preload"]')].map(({ href }) => loadStyle(href)));
}

// prepareArea begins to load what loadArea needs for an area that is about to be shown.
export function prepareArea(name, language, assets) {
	Promise.all([...filesOf(name, assets), importWords(language, AREAS[name].words ?? [])]).catch(() => {});
}

// filesOf returns promises of the module of an area, first, and of its style sheets.
function filesOf(name, assets) {
	const { module, styles: sheets = [] } = AREAS[name];
	return [module(), ...sheets.map((path) => loadStyle(assets + path))];
}

function loadStyle(href) {
	if (!styles.has(href)) {
		styles.set(href, new Promise((done) => {
			const failed = () => { // the next view tries again
				styles.delete(href);
				link.remove();
				done();
			};
			const link = el("link", { rel: "stylesheet", href, on: { load: done, error: failed } });
			document.head.append(link);
		}));
	}
	return styles.get(href);
}
