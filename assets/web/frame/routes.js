// Parses the addresses of the app into routes, and finds the area that shows a route. An address contains
// ids of the session and the dataset, for example of an item of the dock or of an object, but no paths of
// World.

// parseRoute returns the route of an address below the app, such as "/in/time?view=month", as
// { kind, id, query }. id is the rest of the path, decoded, or ""; query contains the parameters. The
// kinds are:
//
//   today, find, settings, operator  id is a view of the settings or of the operator, or ""
//   in       id is the id of an item of the dock
//   on       id is the id of a surface
//   at       id is the id of an object
//   unknown  the address is not one of the app
export function parseRoute(address) {
	const [path, search = ""] = address.split("#")[0].split("?");
	const query = Object.fromEntries(new URLSearchParams(search));
	const [kind, ...rest] = path.split("/").filter(Boolean);
	const id = decodePath(rest.join("/"));
	if (!kind) return { kind: "today", id: "", query };
	const needsId = ["in", "on", "at"].includes(kind);
	const isKnown = needsId ? id !== "" : ["find", "settings", "operator"].includes(kind);
	return isKnown ? { kind, id, query } : { kind: "unknown", id: "", query };
}

// formatRoute returns the address of a route below the app. Parameters that are "", null or undefined are
// left out; the address of Today has none.
export function formatRoute({ kind, id = "", query = {} }) {
	if (kind === "today") return "/";
	const parameters = new URLSearchParams(
		Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined),
	);
	const path = `/${kind}${id ? `/${encodeURIComponent(id)}` : ""}`;
	const text = String(parameters);
	return text ? `${path}?${text}` : path;
}

// decodePath returns a part of a path without percent-encoding, or unchanged if its encoding is invalid.
function decodePath(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

// SERVICE_AREAS are the areas that show the panel of a service. The area "generic" shows the other panels.
const SERVICE_AREAS = {
	time: "calendar", messages: "messages", social: "social", identity: "social", find: "around", maps: "around",
	settings: "settings", operator: "operator",
};

// OBJECT_AREAS are the areas that show the objects of a type. The area "generic" shows the other objects.
const OBJECT_AREAS = {
	calendar_event: "calendar", task: "calendar", message_thread: "messages", social_dm: "messages", community: "social",
	conversation: "social", event: "social", profile: "people", place: "around", web_resource: "read",
};

// SURFACE_AREAS are functions that return the area of a surface of a type, which does not depend on the
// object of the surface.
const SURFACE_AREAS = {
	map_surface: () => "around",
	finding_surface: ({ service_binding: binding }) => (binding?.resource_type === "place" ? "around" : "read"),
};

const PEOPLE_VIEWS = ["people", "circles", "profile", "blocks"]; // views of the panel of Social in the area "people"

// movedRoute returns the route that shows the content of an earlier one, or null: the blocks of Social are a page
// of the settings. match is the result of matchRoute.
export function movedRoute(route, match, store) {
	const view = route.query.view ?? parametersOf(match?.url ?? "").view;
	const isMoved = match?.area === "people" && view === "blocks" && !route.query.id && store.service("settings");
	return isMoved ? { kind: "settings", id: "blocks", query: {} } : null;
}

// matchRoute returns the content of a route, or null if it does not exist:
//
//   area     the name of the area that shows it
//   dock     the id of the current item of the dock, or undefined
//   surface, object  the records of the session and the dataset, or undefined
//   url      the path of the panel, or undefined
//   title    the label of an item of the dock that opens neither a panel nor a surface
export function matchRoute(route, store) {
	const match = matchAny(route, store);
	const entry = DOCK_SERVICES[match?.area] && store.service(DOCK_SERVICES[match.area])?.entry_surface_id;
	const item = entry && itemOfSurface(store.session, entry);
	return item ? { ...match, dock: item.id, surface: store.surface(entry) } : match;
}

// DOCK_SERVICES are the services whose item of the dock is current in an area, also for routes of other
// services: direct messages of Social are in the list of Messages.
const DOCK_SERVICES = { messages: "messages" };

// matchAny returns the content of a route as matchRoute does, without DOCK_SERVICES.
function matchAny(route, store) {
	const { session } = store;
	switch (route.kind) {
		case "today":
			return session.shell?.today ? { area: "today", url: session.shell.today, dock: "today" } : null;
		case "find":
		case "settings":
		case "operator": {
			const service = store.service(route.kind);
			const dock = itemOfPanel(session, service?.content_source);
			return service ? { area: SERVICE_AREAS[route.kind], url: service.content_source, dock: dock?.id } : null;
		}
		case "in":
			return matchItem(session.shell?.dock?.items?.find((item) => item.id === route.id), route, store);
		case "on":
			return matchSurface(store.surface(route.id), route, store);
		case "at":
			return matchObject(store.object(route.id), store);
	}
	return null;
}

// matchItem returns the content of an item of the dock, which may be undefined.
function matchItem(item, route, store) {
	if (!item) return null;
	const { type, url, body } = item.action;
	if (type === "open_field") return { area: "around", dock: item.id };
	if (type === "focus_surface") {
		const surface = store.surface(body?.surface_id);
		return surface ? { ...matchSurface(surface, route, store), dock: item.id } : null;
	}
	if (!url) return { area: "generic", dock: item.id, title: item.label };
	return { area: areaOfPanel(store.session, url, route.query) ?? "generic", dock: item.id, url };
}

// matchSurface returns the content of a surface, which may be undefined. The current item of the dock is
// the one that focuses the surface.
function matchSurface(surface, route, store) {
	if (!surface) return null;
	const dock = itemOfSurface(store.session, surface.surface_id)?.id;
	const url = surface.content_source?.url;
	if (surface.surface_type?.startsWith("web_")) return { area: "read", dock, surface, url };
	const area = url ? areaOfPanel(store.session, url, route.query) : null;
	const object = objectOf(surface, store);
	const surfaceArea = SURFACE_AREAS[surface.surface_type]?.(surface);
	return {
		area: area ?? surfaceArea ?? (object ? OBJECT_AREAS[object.object_type] : null) ?? "generic", dock, surface, object, url,
	};
}

// objectOf returns the object to which a surface is bound, or undefined.
export function objectOf({ service_binding: binding }, store) {
	if (!binding?.resource_id) return undefined;
	return store.dataset?.objects?.find(({ source }) => (
		source?.service === binding.service_id && source.resource_id === binding.resource_id
	));
}

// matchObject returns { area, object, dock } for an object: its area, and the id of the dock item of its
// service, or undefined. It returns null if object is undefined.
function matchObject(object, store) {
	if (!object) return null;
	const area = OBJECT_AREAS[object.object_type] ?? "generic";
	const service = store.service(object.source?.service);
	return {
		area, object,
		dock: itemOfPanel(store.session, service?.content_source)?.id ?? itemOfSurface(store.session, service?.entry_surface_id)?.id,
	};
}

// itemOfSurface returns the item of the dock that focuses a surface, or undefined.
function itemOfSurface(session, surfaceId) {
	return session.shell?.dock?.items?.find(({ action }) => action.type === "focus_surface" && action.body?.surface_id === surfaceId);
}

// itemOfPanel returns the item of the dock that opens a panel, or undefined. url may be undefined.
function itemOfPanel(session, url) {
	return url && session.shell?.dock?.items?.find(({ action }) => action.type === "open_panel" && pathOf(action.url) === pathOf(url));
}

// areaOfPanel returns the area that shows a panel, or null if the panel has no specialized area. The view
// in query takes precedence over the view in url.
function areaOfPanel(session, url, query = {}) {
	const service = session.services?.find(({ content_source: source }) => source && pathOf(source) === pathOf(url));
	const area = SERVICE_AREAS[service?.id] ?? null;
	const view = query.view ?? parametersOf(url).view;
	if (area !== "social") return area;
	if (view === "dms") return "messages";
	return PEOPLE_VIEWS.includes(view) ? "people" : "social";
}

// routeOfPanel returns the route that shows the panel of a service, or null. url is the path of the panel
// with its parameters, for example of the action "open" of an item.
export function routeOfPanel(session, url) {
	if (!url) return null;
	const query = parametersOf(url);
	if (pathOf(url) === pathOf(session.shell?.today ?? "")) return { kind: "today", id: "", query: {} };
	const service = session.services?.find(({ content_source: source }) => source && pathOf(source) === pathOf(url));
	if (!service) return null;
	if (service.id === "settings" || service.id === "operator") {
		const { view = "", ...others } = query;
		return { kind: service.id, id: view, query: others };
	}
	if (service.id === "find") return { kind: "find", id: "", query };
	const item = itemOfSurface(session, service.entry_surface_id) ?? itemOfPanel(session, url);
	if (item) return { kind: "in", id: item.id, query };
	return service.entry_surface_id ? { kind: "on", id: service.entry_surface_id, query } : null;
}

// pathOf returns the part of a path before its query.
export function pathOf(url) {
	return url.split("?")[0];
}

// parametersOf returns the parameters in the query of a path as an object.
export function parametersOf(url) {
	return Object.fromEntries(new URLSearchParams(url.split("?")[1] ?? ""));
}
