// Routes: the parsed addresses of the app. An address names things of the data, such as an
// item of the dock or an object; the paths of World stay inside the app.

// parseRoute returns the route of an address below the app, such as "/in/time?view=month":
// { kind, id, query }. kind is "today", "in", "on", "at", "find", "settings", "operator" or
// "unknown"; id is the rest of the path, "" for none; query has the parameters.
export function parseRoute(address) {
	const [path, search = ""] = address.split("#")[0].split("?");
	const query = Object.fromEntries(new URLSearchParams(search));
	const [kind, ...rest] = path.split("/").filter(Boolean);
	const id = decoded(rest.join("/"));
	if (!kind) return { kind: "today", id: "", query };
	const needsId = ["in", "on", "at"].includes(kind);
	const isKnown = needsId ? id !== "" : ["find", "settings", "operator"].includes(kind);
	return isKnown ? { kind, id, query } : { kind: "unknown", id: "", query };
}

// formatRoute returns the address of a route below the app. Empty parameters are left out.
export function formatRoute({ kind, id = "", query = {} }) {
	if (kind === "today") return "/";
	const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined));
	const path = `/${kind}${id ? `/${encodeURIComponent(id)}` : ""}`;
	const text = String(parameters);
	return text ? `${path}?${text}` : path;
}

function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

// OF_SERVICE are the areas that show the panel of a service. All others are shown as any panel.
const OF_SERVICE = { time: "calendar", messages: "messages", social: "social", identity: "social", find: "around", maps: "around", settings: "settings", operator: "operator" };

// OF_OBJECT are the areas that show an object of a type. All others are shown as any object.
const OF_OBJECT = {
	calendar_event: "calendar", task: "calendar", message_thread: "messages", social_dm: "messages", community: "social", conversation: "social", event: "social",
	profile: "people", place: "around", web_resource: "read",
};

// OF_SURFACE are the areas that show a surface of a type, whether or not its object exists.
const OF_SURFACE = {
	map_surface: () => "around",
	finding_surface: ({ service_binding: binding }) => (binding?.resource_type === "place" ? "around" : "read"),
};

const PEOPLE = ["people", "circles", "profile", "blocks"]; // views of Social that the area of people shows

// locate returns what a route shows, or null if it does not exist: { area, dock, surface,
// object, url }. area is the name of the area; dock the id of the item of the dock that is
// current; surface, object and url, the path of the panel, are given if there is one.
export function locate(route, store) {
	const located = locateAny(route, store);
	const entry = OF_AREA[located?.area] && store.service(OF_AREA[located.area])?.entry_surface_id;
	const item = entry && itemOfSurface(store.session, entry);
	return item ? { ...located, dock: item.id, surface: store.surface(entry) } : located;
}

// OF_AREA are the services whose item of the dock is current in an area, whatever service the
// route belongs to: direct messages of Social are in the list of Messages.
const OF_AREA = { messages: "messages" };

function locateAny(route, store) {
	const { session } = store;
	switch (route.kind) {
		case "today":
			return session.shell?.today ? { area: "today", url: session.shell.today, dock: "today" } : null;
		case "find":
		case "settings":
		case "operator": {
			const service = store.service(route.kind);
			const dock = itemOfPanel(session, service?.content_source);
			return service ? { area: OF_SERVICE[route.kind], url: service.content_source, dock: dock?.id } : null;
		}
		case "in":
			return locateItem(session.shell?.dock?.items?.find((item) => item.id === route.id), route, store);
		case "on":
			return locateSurface(store.surface(route.id), route, store);
		case "at":
			return locateObject(store.object(route.id), store);
	}
	return null;
}

function locateItem(item, route, store) {
	if (!item) return null;
	const { type, url, body } = item.action;
	if (type === "open_field") return { area: "around", dock: item.id };
	if (type === "focus_surface") {
		const surface = store.surface(body?.surface_id);
		return surface ? { ...locateSurface(surface, route, store), dock: item.id } : null;
	}
	if (!url) return { area: "generic", dock: item.id, title: item.label };
	return { area: areaOfPanel(store.session, url, route.query) ?? "generic", dock: item.id, url };
}

// locateSurface returns what shows a surface. The item of the dock that focuses the same
// surface is current.
function locateSurface(surface, route, store) {
	if (!surface) return null;
	const dock = itemOfSurface(store.session, surface.surface_id)?.id;
	const url = surface.content_source?.url;
	if (surface.surface_type?.startsWith("web_")) return { area: "read", dock, surface, url };
	const area = url ? areaOfPanel(store.session, url, route.query) : null;
	const object = objectOf(surface, store);
	const own = OF_SURFACE[surface.surface_type]?.(surface);
	return { area: area ?? own ?? (object ? OF_OBJECT[object.object_type] : null) ?? "generic", dock, surface, object, url };
}

// objectOf returns the object to which a surface is bound, or undefined.
export function objectOf({ service_binding: binding }, store) {
	if (!binding?.resource_id) return undefined;
	return store.dataset?.objects?.find(({ source }) => source?.service === binding.service_id && source.resource_id === binding.resource_id);
}

function locateObject(object, store) {
	if (!object) return null;
	const area = OF_OBJECT[object.object_type] ?? "generic";
	const service = store.service(object.source?.service);
	return { area, object, dock: itemOfPanel(store.session, service?.content_source)?.id ?? itemOfSurface(store.session, service?.entry_surface_id)?.id };
}

function itemOfSurface(session, surfaceId) {
	return session.shell?.dock?.items?.find(({ action }) => action.type === "focus_surface" && action.body?.surface_id === surfaceId);
}

function itemOfPanel(session, url) {
	return url && session.shell?.dock?.items?.find(({ action }) => action.type === "open_panel" && pathOf(action.url) === pathOf(url));
}

// areaOfPanel returns the area that shows a panel, or null if none is made for it.
function areaOfPanel(session, url, query = {}) {
	const service = session.services?.find(({ content_source: source }) => source && pathOf(source) === pathOf(url));
	const area = OF_SERVICE[service?.id] ?? null;
	const view = query.view ?? parametersOf(url).view;
	if (area !== "social") return area;
	if (view === "dms") return "messages";
	return PEOPLE.includes(view) ? "people" : "social";
}

// routeOfPanel returns the route that shows a published panel, or null: the one to which a
// link leads, such as the action "Open" of an item.
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

// pathOf returns a URL without its query.
export function pathOf(url) {
	return url.split("?")[0];
}

// parametersOf returns the parameters of a URL as an object.
export function parametersOf(url) {
	return Object.fromEntries(new URLSearchParams(url.split("?")[1] ?? ""));
}
