// Loads the areas of the app: their modules, texts and style sheets, when they are first shown.

import { el } from "../parts/el.js";

// AREAS are the areas by name:
//
//   module()  loads the module of the area. It exports open(app, route, match), which returns a view,
//             or null if the area has none for the route; and, if a visit without a connection needs
//             panels, panels(app, match), see panelsOf
//   words     the parts of the catalog that the area needs
//   styles    the paths of its style sheets
const AREAS = {
	generic: { module: () => import("../generic/generic.js") },
	today: { module: () => import("../today/today.js"), words: ["day"] },
	calendar: {
		module: () => import("../calendar/calendar.js"), words: ["calendar"], styles: ["grid/grid.css", "calendar/calendar.css"],
	},
	messages: { module: () => import("../messages/messages.js"), words: ["messages"], styles: ["messages/messages.css"] },
	people: { module: () => import("../people/people.js"), words: ["people", "social"], styles: ["social/social.css", "people/people.css"] },
	social: { module: () => import("../social/social.js"), words: ["social"], styles: ["social/social.css"] },
	around: { module: () => import("../around/around.js"), words: ["around", "read"], styles: ["map/map.css", "around/around.css"] },
	read: { module: () => import("../read/read.js"), words: ["read", "around"], styles: ["read/read.css"] },
	settings: { module: () => import("../settings/settings.js"), words: ["settings"], styles: ["settings/settings.css"] },
	operator: {
		module: () => import("../operator/operator.js"), words: ["settings", "operator"], styles: ["settings/settings.css"],
	},
};

// MODULES are the areas and, in addition, the editor, which has no view: see withEditor.
const MODULES = { ...AREAS, editor: { module: () => import("../editor/editor.js"), words: ["editor"], styles: ["editor/editor.css"] } };

const areaModules = new Map(); // name of an area → promise of its module
const styleSheets = new Map(); // path of a style sheet → promise that is resolved when it is loaded or has failed

// hasArea reports whether there is an area with a name.
export function hasArea(name) {
	return Object.hasOwn(AREAS, name);
}

// loadArea returns a promise of the module of an area, or of the editor, which is resolved when its words and style sheets
// are loaded too. After a failure, for example without a connection, the next call tries again. words is
// the catalog of the app, assets the path of its files.
export function loadArea(name, words, assets) {
	if (!areaModules.has(name)) {
		const files = Promise.all([...filesOf(name, assets), ...(MODULES[name].words ?? []).map((part) => words.load(part))]);
		areaModules.set(name, files.then(([area]) => area));
		files.catch(() => areaModules.delete(name));
	}
	return areaModules.get(name);
}

// panelsOf returns a promise of the paths of the panels that must be stored for a visit of an area
// without a connection. match is the result of matchRoute.
export async function panelsOf(app, match) {
	const { panels } = (await AREAS[match.area]?.module()) ?? {};
	return panels?.(app, match) ?? [];
}

// loadFrame loads the style sheets of the frame, which the HTML page only preloads. It returns a promise
// that is resolved when they are loaded or have failed.
export function loadFrame() {
	return Promise.all([...document.querySelectorAll('link[rel="preload"]')].map(({ href }) => loadStyle(href)));
}

// prepareArea begins to load the files of an area before loadArea is called, and ignores failures.
// readWords returns a promise of a part of the catalog, assets is the path of the files of the app.
export function prepareArea(name, readWords, assets) {
	Promise.all([...filesOf(name, assets), ...(AREAS[name].words ?? []).map(readWords)]).catch(() => {});
}

// filesOf returns the promise of the module of an area, followed by the promises of its style sheets.
function filesOf(name, assets) {
	const { module, styles: sheets = [] } = MODULES[name];
	return [module(), ...sheets.map((path) => loadStyle(assets + path))];
}

// loadStyle adds a style sheet to the page. The promise is also resolved after a failure, so that a view
// is shown without its styles; the next call tries again.
function loadStyle(href) {
	if (!styleSheets.has(href)) {
		styleSheets.set(href, new Promise((done) => {
			const onError = () => {
				styleSheets.delete(href);
				link.remove();
				done();
			};
			const link = el("link", { rel: "stylesheet", href, on: { load: done, error: onError } });
			document.head.append(link);
		}));
	}
	return styleSheets.get(href);
}
