// A page of the web that the server has read: its parts are surfaces. Without DOM.

import { list, plain, short, webURL } from "./safe.js";

// KINDS are the kinds of parts in the order in which they are offered.
export const KINDS = ["article", "business", "hours", "menu", "events", "gallery", "contact"];

const MIXED = new Set(["resource"]); // objects of pages without typed content are read as articles

// partOf returns the part that a surface shows, as { id, kind, title, summary, content, surface },
// or null if it shows none.
export function partOf(surface) {
	const object = surface.runtime_state?.surface_object;
	if (!object || typeof object.content !== "object" || object.content === null) return null;
	const named = /^web_(\w+)_surface$/.exec(surface.surface_type ?? "")?.[1] ?? object.object_type;
	const kind = MIXED.has(named) ? "article" : named;
	if (!KINDS.includes(kind)) return null;
	return { id: surface.surface_id, kind, title: short(object.title || surface.title), summary: plain(object.summary), content: object.content, surface };
}

// pageOf returns the page to which a surface belongs: { surface, parts, isRead, source, url,
// title, summary, failure, language }. surface is that of the finding, undefined if it is gone;
// source says when the page was read; failure is { reason, code, at } if the latest read failed.
export function pageOf(session, surface) {
	const id = surface.service_binding?.resource_id;
	const all = surfacesOf(session).filter(({ service_binding: binding }) => id && binding?.resource_id === id);
	return build(all.length > 0 ? all : [surface]);
}

// pageOfAddress returns the page with an address, or null if no surface has it.
export function pageOfAddress({ session }, address) {
	const url = webURL(address);
	if (!url) return null;
	const isIt = (surface) => {
		const { finding, surface_object: object } = surface.runtime_state ?? {};
		return isWeb(surface) && (webURL(finding?.source_url) === url || webURL(object?.primary_url) === url);
	};
	const found = surfacesOf(session).find(isIt);
	return found ? pageOf(session, found) : null;
}

// pageOfObject returns the page of a saved web_resource, with its parts if their surfaces still
// exist.
export function pageOfObject({ session }, { source, state = {}, title, summary }) {
	const all = surfacesOf(session).filter(({ service_binding: binding }) => binding?.resource_id === source?.resource_id);
	const page = all.length > 0 ? build(all) : { surface: undefined, parts: [], isRead: false, source: null, failure: null };
	return { ...page, title: page.title || short(title), summary: page.summary || plain(summary), url: page.url || webURL(state.source_url ?? state.canonical_url), source: page.source ?? state.source ?? null, saved: list(state.parts) };
}

function build(surfaces) {
	const parts = surfaces.map(partOf).filter(Boolean).sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
	const surface = surfaces.find(({ surface_type: type }) => type === "finding_surface");
	const [first = surface ?? surfaces[0]] = parts.map((part) => part.surface);
	const state = (surface ?? first).runtime_state ?? {};
	const failed = state.translation?.status === "failed" ? state.translation : null;
	return {
		surface, parts, isRead: parts.length > 0, source: first.runtime_state?.source ?? state.source ?? null,
		url: webURL(state.finding?.source_url) || webURL(first.runtime_state?.surface_object?.primary_url),
		title: short(parts[0]?.title || surface?.title || first.title), summary: plain(state.finding?.summary ?? state.summary),
		failure: failed && { reason: plain(failed.reason), code: failed.code, at: failed.failed_at },
	};
}

function surfacesOf(session) {
	return session?.surface_runtime?.surfaces ?? [];
}

function isWeb({ surface_type: type, service_binding: binding }) {
	return type?.startsWith("web_") || (type === "finding_surface" && binding?.resource_type !== "place");
}

// translateOf returns the action that reads the page of a finding, or null. refresh reads it
// again.
export function translateOf(surface, { refresh = false } = {}) {
	const url = surface?.commands?.translate_surface;
	return url ? { method: "POST", url, body: refresh ? { refresh: true } : {} } : null;
}

// firstPart returns the id of the surface that is shown after the page has been read.
export function firstPart(page) {
	return page.parts[0]?.id ?? page.surface?.surface_id ?? null;
}

// minutesToRead returns how long a text takes, or null if that is unknown.
export function minutesToRead(words) {
	return typeof words === "number" && words > 0 ? Math.max(1, Math.round(words / 220)) : null;
}

// languageOf returns a language tag that is safe as an attribute, or null.
export function languageOf(tag) {
	return typeof tag === "string" && /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null;
}
