// Places and pages as the screen shows them, without DOM: from the field, from findings and
// from objects of the workspace.

import { hostOf, webURL } from "../read/safe.js";

const EARTH = 6_371_008; // mean radius in metres
const SOON = 60 * 60_000; // ms before a change of the opening state that is worth a warning
const WALK = 80; // metres per minute

// An item is { id, kind, title, detail, icon, distance, latitude, longitude, address, phone,
// website, open, hours, zone, attribution }. kind is "place", "page" or "area", a number of
// places that are too many to list; open is { now, change }; unknown values are null or "".

// itemOfField returns the item of a place of the field.
export function itemOfField(object) {
	const { latitude, longitude, distance } = object.location ?? {};
	return place(object.id, object, {
		latitude, longitude, distance, detail: object.kind, address: object.address, phone: object.telephone, website: object.source_url,
		hours: object.opening_hours?.text, zone: object.opening_hours?.timezone, request: object.actions?.find(({ type }) => type === "open_place"),
	});
}

// itemOfFinding returns the item of a result of Find.
export function itemOfFinding(finding) {
	const payload = finding.service_payload ?? {};
	if (finding.object_type !== "place") {
		const website = webURL(finding.source_url);
		return { id: finding.finding_id, kind: "page", title: finding.title || hostOf(website), detail: hostOf(website), summary: finding.summary ?? "", icon: "article", website, latitude: null, longitude: null, distance: null };
	}
	const { latitude, longitude } = finding.location ?? payload;
	return place(finding.finding_id, { ...finding, ...payload }, {
		latitude, longitude, distance: payload.distance_meters, detail: payload.kind, address: payload.address, phone: payload.telephone, website: finding.source_url,
		hours: payload.opening_hours, zone: payload.timezone,
	});
}

// itemOfObject returns the item of a place of the workspace.
export function itemOfObject({ title, source, state = {} }) {
	return place(source?.resource_id, { ...state, title }, {
		...state.location, detail: state.kind, address: state.address, phone: state.telephone, website: state.source_url, hours: state.opening_hours, zone: state.timezone,
	});
}

// itemOfSurface returns the item of a map surface, or null if it shows no place.
export function itemOfSurface({ title, service_binding: binding, runtime_state: state = {} }) {
	const { content } = state.surface_object ?? {};
	if (!content?.location) return state.finding ? itemOfFinding(state.finding) : null;
	const item = itemOfObject({ title, source: { resource_id: binding?.resource_id }, state: { ...content, source_url: state.surface_object.primary_url } });
	return { ...item, phone: item.phone || String(state.finding?.service_payload?.telephone ?? "") };
}

// itemsOfArea returns the items of an answer of the action read_field_area.
export function itemsOfArea({ objects = [], clusters = [] } = {}) {
	const areas = clusters.filter(({ count }) => count > 0).map(({ count, latitude, longitude, bounds }) => ({ id: `area ${latitude} ${longitude}`, kind: "area", title: "", icon: "pin", count, latitude, longitude, bounds, distance: null }));
	return [...objects.map(itemOfField), ...areas];
}

function place(id, { title, category, open_now: now, next_change: change, attribution }, { latitude, longitude, distance, detail, address, phone, website, hours, zone, request }) {
	return {
		id, kind: "place", title: title ?? "", icon: category || "pin", detail: detail ?? "", address: address ?? "", phone: phone ?? "", website: webURL(website),
		latitude: isNumber(latitude) ? latitude : null, longitude: isNumber(longitude) ? longitude : null, distance: isNumber(distance) ? distance : null,
		open: { now: typeof now === "boolean" ? now : null, change: change ?? null }, hours: hours ?? "", zone: zone ?? "", category: category ?? "",
		attribution: attribution?.label ? attribution : null, request: request ?? null,
	};
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// withDistance returns an item with its distance from an origin, which may be null.
export function withDistance(item, origin) {
	if (!origin || item.distance !== null || item.latitude === null) return item;
	return { ...item, distance: metresBetween(origin, item) };
}

// marksOf returns the marks of the items for MapView.
export function marksOf(items) {
	return items.filter(({ latitude, longitude }) => latitude !== null && longitude !== null)
		.map(({ id, title, icon, latitude, longitude, count, bounds }) => ({ id, label: title, icon, latitude, longitude, ...(count > 1 && { count }), ...(bounds && { bounds }) }));
}

// boundsOf returns the bounds of positions, or null for none: the smallest ones, which can cross
// the antimeridian. East is then above 180.
export function boundsOf(items) {
	const all = items.filter(({ latitude, longitude }) => isNumber(latitude) && isNumber(longitude));
	if (all.length === 0) return null;
	const latitudes = all.map(({ latitude }) => latitude);
	const longitudes = all.map(({ longitude }) => longitude).sort((a, b) => a - b);
	const gaps = longitudes.map((longitude, i) => (longitudes[i + 1] ?? longitudes[0] + 360) - longitude); // to the next one in the east
	const widest = gaps.indexOf(Math.max(...gaps));
	const west = longitudes[(widest + 1) % longitudes.length];
	return { south: Math.min(...latitudes), west, north: Math.max(...latitudes), east: longitudes[widest] < west ? longitudes[widest] + 360 : longitudes[widest] };
}

// metresBetween returns the distance of two positions.
export function metresBetween(a, b) {
	const radians = (degrees) => (degrees * Math.PI) / 180;
	const half = (degrees) => Math.sin(radians(degrees) / 2) ** 2;
	const part = half(b.latitude - a.latitude) + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(b.longitude - a.longitude);
	return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(part)));
}

// isFar reports whether a view of the map shows another area than the one around an origin.
export function isFar(view, origin, radius) {
	return !origin || metresBetween(view, origin) > Math.max(radius * 0.6, 150);
}

// minutesOnFoot returns how long a walk takes, or null if it is too long for one.
export function minutesOnFoot(metres) {
	return metres === null || metres > 4000 ? null : Math.max(1, Math.round((metres * 1.25) / WALK)); // streets are longer than the straight line
}

// openState returns whether a place is open: { state, change }, with the state "open",
// "closing" for one that closes within the hour, "closed" or "unknown".
export function openState({ open }, now = Date.now()) {
	if (!open || open.now === null) return { state: "unknown", change: null };
	const change = open.change ? Date.parse(open.change) : NaN;
	const isPast = change <= now; // the answer is older than the change
	const isOpen = isPast ? !open.now : open.now;
	const next = isPast || Number.isNaN(change) ? null : open.change;
	if (!isOpen) return { state: "closed", change: next };
	return { state: next && change - now <= SOON ? "closing" : "open", change: next };
}

// filterItems returns the items of the chosen categories: pages, and places without a category,
// always.
export function filterItems(items, categories) {
	return categories ? items.filter(({ category }) => !category || categories.has(category)) : items;
}

// boundsAround returns the bounds of a circle.
export function boundsAround({ latitude, longitude }, radius) {
	const high = radius / 111_000;
	const wide = high / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
	return { south: latitude - high, north: latitude + high, west: longitude - wide, east: longitude + wide };
}

// padded returns bounds with space around them.
export function padded({ south, north, west, east }) {
	const high = Math.max((north - south) * 0.15, 0.0008);
	const wide = Math.max((east - west) * 0.15, 0.0008);
	return { south: south - high, north: north + high, west: west - wide, east: east + wide };
}
