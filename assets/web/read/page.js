// The model of a page of the web that the server has read, without DOM. World has a surface of the type
// finding_surface for the page, and a surface of a type such as web_article_surface for each part.

import { listOf, plainText, shortText, webURL } from "./untrusted.js";

// KINDS are the kinds of parts in the order in which a page shows them.
export const KINDS = ["article", "business", "hours", "menu", "events", "gallery", "contact"];

const ARTICLE_TYPES = new Set(["resource"]); // types of pages without typed content, which are shown as articles

// partOf returns the part that a surface contains, as { id, kind, title, summary, content, surface }, or
// null if it contains none. kind is one of KINDS; content has the fields of that kind, and is untrusted,
// see untrusted.js.
export function partOf(surface) {
	const object = surface.runtime_state?.surface_object;
	if (!object || typeof object.content !== "object" || object.content === null) return null;
	const type = /^web_(\w+)_surface$/.exec(surface.surface_type ?? "")?.[1] ?? object.object_type;
	const kind = ARTICLE_TYPES.has(type) ? "article" : type;
	if (!KINDS.includes(kind)) return null;
	return {
		id: surface.surface_id, kind, title: shortText(object.title || surface.title), summary: plainText(object.summary),
		content: object.content, surface,
	};
}

// pageOf returns the page to which a surface belongs:
//
//   surface         the surface of the finding, undefined if it does not exist any more
//   parts           the parts in the order of KINDS
//   isRead          whether there are parts
//   source          { host, read_at, language, word_count } of the latest read, or null
//   url             the URL of the page, or ""
//   title, summary
//   failure         { reason, code, at } if the latest read failed, or null
export function pageOf(session, surface) {
	const id = surface.service_binding?.resource_id;
	const surfaces = surfacesOf(session).filter(({ service_binding: binding }) => id && binding?.resource_id === id);
	return pageOfSurfaces(surfaces.length > 0 ? surfaces : [surface]);
}

// pageOfAddress returns the page with an address, or null if no surface has it.
export function pageOfAddress({ session }, address) {
	const url = webURL(address);
	if (!url) return null;
	const hasAddress = (surface) => {
		const { finding, surface_object: object } = surface.runtime_state ?? {};
		return isWeb(surface) && (webURL(finding?.source_url) === url || webURL(object?.primary_url) === url);
	};
	const surface = surfacesOf(session).find(hasAddress);
	return surface ? pageOf(session, surface) : null;
}

// pageOfObject returns the page of a saved object of the type web_resource, as pageOf does, with one more
// field: saved, a list of { kind, title, summary, details } of its parts, which the object contains even
// if their surfaces do not exist any more.
export function pageOfObject({ session }, { source, state = {}, title, summary }) {
	const surfaces = surfacesOf(session).filter(({ service_binding: binding }) => binding?.resource_id === source?.resource_id);
	const page = surfaces.length > 0
		? pageOfSurfaces(surfaces)
		: { surface: undefined, parts: [], isRead: false, source: null, failure: null };
	return {
		...page, title: page.title || shortText(title), summary: page.summary || plainText(summary),
		url: page.url || webURL(state.source_url ?? state.canonical_url), source: page.source ?? state.source ?? null,
		saved: listOf(state.parts),
	};
}

// pageOfSurfaces returns the page whose finding and parts the surfaces show. surfaces is a list that
// is not empty; its surfaces have the same binding.
function pageOfSurfaces(surfaces) {
	const parts = surfaces.map(partOf).filter(Boolean).sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
	const surface = surfaces.find(({ surface_type: type }) => type === "finding_surface");
	const [first = surface ?? surfaces[0]] = parts.map((part) => part.surface);
	const state = (surface ?? first).runtime_state ?? {};
	const failure = state.translation?.status === "failed" ? state.translation : null;
	return {
		surface, parts, isRead: parts.length > 0, source: first.runtime_state?.source ?? state.source ?? null,
		url: webURL(state.finding?.source_url) || webURL(first.runtime_state?.surface_object?.primary_url),
		title: shortText(parts[0]?.title || surface?.title || first.title), summary: plainText(state.finding?.summary ?? state.summary),
		failure: failure && { reason: plainText(failure.reason), code: failure.code, at: failure.failed_at },
	};
}

function surfacesOf(session) {
	return session?.surface_runtime?.surfaces ?? [];
}

// isWeb reports whether a surface shows a page of the web or one of its parts. The surface of a found
// place has the same type as the surface of a found page.
function isWeb({ surface_type: type, service_binding: binding }) {
	return type?.startsWith("web_") || (type === "finding_surface" && binding?.resource_type !== "place");
}

// translateOf returns the action with which the server reads the page of a finding, or null. refresh is
// whether the server reads a page again that it has read before.
export function translateOf(surface, { refresh = false } = {}) {
	const url = surface?.commands?.translate_surface;
	return url ? { method: "POST", url, body: refresh ? { refresh: true } : {} } : null;
}

// firstPart returns the id of the surface to show after a page has been read: the surface of its first part, or
// of its finding if the page has no parts, or null.
export function firstPart(page) {
	return page.parts[0]?.id ?? page.surface?.surface_id ?? null;
}

// minutesToRead returns the reading time of a text in minutes, or null if the number of its words is
// unknown.
export function minutesToRead(words) {
	return typeof words === "number" && words > 0 ? Math.max(1, Math.round(words / 220)) : null;
}

// languageOf returns a language tag, or null if it is not valid for the attribute lang.
export function languageOf(tag) {
	return typeof tag === "string" && /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null;
}
