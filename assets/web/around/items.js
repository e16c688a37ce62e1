// Items of the list and the map of Around, without DOM: places and pages from the field, from findings
// and from objects of the workspace.
//
// An item is { id, kind, title, detail, icon, distance, latitude, longitude, address, phone, website,
// open, hours, zone, category, attribution, request }. Its kind is "place", "page" or "area"; an area
// represents the places of a cluster, and also has count and bounds; a page also has summary. Items of
// pages and areas lack the fields of places. distance is in metres. open is { now, change }: whether the
// place is open, and the time of the next change. hours are opening hours in the form of OpenStreetMap.
// zone is the time zone of the place. request is the action that opens the place in the workspace.
// Unknown values are null or "".

import { hostOf, webURL } from "../read/untrusted.js";

const EARTH_RADIUS = 6_371_008; // mean radius, in metres
const CLOSING_TIME = 60 * 60_000; // time before its closing in which a place is shown as closing, in milliseconds
const WALKING_SPEED = 80; // in metres per minute

// itemOfField returns the item of a place of the field.
export function itemOfField(object) {
	const { latitude, longitude, distance } = object.location ?? {};
	return itemOfPlace(object.id, object, {
		latitude, longitude, distance, detail: object.kind, address: object.address, phone: object.telephone, website: object.source_url,
		hours: object.opening_hours?.text, zone: object.opening_hours?.timezone,
		request: object.actions?.find(({ type }) => type === "open_place"),
	});
}

// itemOfFinding returns the item of a finding, a place or a page.
export function itemOfFinding(finding) {
	const payload = finding.service_payload ?? {};
	if (finding.object_type !== "place") {
		const website = webURL(finding.source_url);
		return {
			id: finding.finding_id, kind: "page", title: finding.title || hostOf(website), detail: hostOf(website),
			summary: finding.summary ?? "", icon: "article", website, latitude: null, longitude: null, distance: null,
		};
	}
	const { latitude, longitude } = finding.location ?? payload;
	return itemOfPlace(finding.finding_id, { ...finding, ...payload }, {
		latitude, longitude, distance: payload.distance_meters, detail: payload.kind,
		address: payload.address, phone: payload.telephone, website: finding.source_url,
		hours: payload.opening_hours, zone: payload.timezone,
	});
}

// itemOfObject returns the item of a place that is an object of the workspace.
export function itemOfObject({ title, source, state = {} }) {
	return itemOfPlace(source?.resource_id, { ...state, title }, {
		...state.location, detail: state.kind, address: state.address, phone: state.telephone, website: state.source_url,
		hours: state.opening_hours, zone: state.timezone,
	});
}

// itemOfSurface returns the item of a surface, or null if the surface shows neither a place nor a finding.
export function itemOfSurface({ title, service_binding: binding, runtime_state: state = {} }) {
	const { content } = state.surface_object ?? {};
	if (!content?.location) return state.finding ? itemOfFinding(state.finding) : null;
	const placeState = { ...content, source_url: state.surface_object.primary_url };
	const item = itemOfObject({ title, source: { resource_id: binding?.resource_id }, state: placeState });
	return { ...item, phone: item.phone || String(state.finding?.service_payload?.telephone ?? "") };
}

// itemsOfArea returns the items of a response of the action read_field_area.
export function itemsOfArea({ objects = [], clusters = [] } = {}) {
	const areas = clusters.filter(({ count }) => count > 0).map(({ count, latitude, longitude, bounds }) => ({
		id: `area ${latitude} ${longitude}`, kind: "area", title: "", icon: "pin", count, latitude, longitude, bounds, distance: null,
	}));
	return [...objects.map(itemOfField), ...areas];
}

// itemOfPlace returns the item of a place. source is the record, whose title, category, open_now, next_change
// and attribution have the same names in all sources. values are the other fields of the item. A value that
// must be a number or a boolean and is not becomes null.
function itemOfPlace(id, source, values) {
	const { title, category, open_now: now, next_change: change, attribution } = source;
	const { latitude, longitude, distance, detail, address, phone, website, hours, zone, request } = values;
	return {
		id, kind: "place", title: title ?? "", icon: category || "pin", detail: detail ?? "", address: address ?? "", phone: phone ?? "",
		website: webURL(website), latitude: isNumber(latitude) ? latitude : null, longitude: isNumber(longitude) ? longitude : null,
		distance: isNumber(distance) ? distance : null, open: { now: typeof now === "boolean" ? now : null, change: change ?? null },
		hours: hours ?? "", zone: zone ?? "", category: category ?? "", attribution: attribution?.label ? attribution : null,
		request: request ?? null,
	};
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// withDistance returns an item with its distance from an origin, unless it has one. Without an origin, null,
// it returns the item.
export function withDistance(item, origin) {
	if (!origin || item.distance !== null || item.latitude === null) return item;
	return { ...item, distance: metresBetween(origin, item) };
}

// marksOf returns the marks for MapView of the items that have a position.
export function marksOf(items) {
	return items.filter(({ latitude, longitude }) => latitude !== null && longitude !== null)
		.map(({ id, title, icon, latitude, longitude, count, bounds }) => ({
			id, label: title, icon, latitude, longitude, ...(count > 1 && { count }), ...(bounds && { bounds }),
		}));
}

// boundsOf returns the smallest bounds { south, west, north, east } of the items that have a position, or
// null if none has. If the bounds cross the antimeridian, east is above 180.
export function boundsOf(items) {
	const positioned = items.filter(({ latitude, longitude }) => isNumber(latitude) && isNumber(longitude));
	if (positioned.length === 0) return null;
	const latitudes = positioned.map(({ latitude }) => latitude);
	const longitudes = positioned.map(({ longitude }) => longitude).sort((a, b) => a - b);
	const gaps = longitudes.map((longitude, i) => (longitudes[i + 1] ?? longitudes[0] + 360) - longitude); // to the next one in the east
	const widest = gaps.indexOf(Math.max(...gaps)); // the bounds are the complement of the widest gap
	const west = longitudes[(widest + 1) % longitudes.length];
	const east = longitudes[widest] < west ? longitudes[widest] + 360 : longitudes[widest];
	return { south: Math.min(...latitudes), west, north: Math.max(...latitudes), east };
}

// metresBetween returns the great-circle distance of two positions, by the haversine formula.
export function metresBetween(a, b) {
	const radians = (degrees) => (degrees * Math.PI) / 180;
	const haversine = (degrees) => Math.sin(radians(degrees) / 2) ** 2;
	const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
	const central = haversine(b.latitude - a.latitude) + cosines * haversine(b.longitude - a.longitude);
	return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(central)));
}

// isFar reports whether the centre of a view of the map is farther from an origin than 60 % of the radius of
// the field, in metres, and than 150 m. Without an origin, null, it returns true.
export function isFar(view, origin, radius) {
	return !origin || metresBetween(view, origin) > Math.max(radius * 0.6, 150);
}

// minutesOnFoot returns the walking time for a distance, which may be null, or null above 4 km. It assumes
// that the way along streets is 25 % longer than the straight line.
export function minutesOnFoot(metres) {
	return metres === null || metres > 4000 ? null : Math.max(1, Math.round((metres * 1.25) / WALKING_SPEED));
}

// openState returns the opening state of an item, { state, change }: the state "open", "closing" (within
// CLOSING_TIME), "closed" or "unknown", and the time of the next change or null. If the change that the
// item names is in the past, the data of the item is out of date and the state is the opposite one. now is
// in milliseconds since 1970.
export function openState({ open }, now = Date.now()) {
	if (!open || open.now === null) return { state: "unknown", change: null };
	const change = open.change ? Date.parse(open.change) : NaN;
	const isPast = change <= now;
	const isOpen = isPast ? !open.now : open.now;
	const next = isPast || Number.isNaN(change) ? null : open.change;
	if (!isOpen) return { state: "closed", change: next };
	return { state: next && change - now <= CLOSING_TIME ? "closing" : "open", change: next };
}

// filterItems returns the items whose category is in a Set, and the items without a category, such as pages.
// It returns all items if categories is null.
export function filterItems(items, categories) {
	return categories ? items.filter(({ category }) => !category || categories.has(category)) : items;
}

// boundsAround returns the bounds of a circle with a radius in metres. A degree of latitude is about 111 km.
export function boundsAround({ latitude, longitude }, radius) {
	const latitudeOffset = radius / 111_000;
	const longitudeOffset = latitudeOffset / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
	return {
		south: latitude - latitudeOffset, north: latitude + latitudeOffset,
		west: longitude - longitudeOffset, east: longitude + longitudeOffset,
	};
}

// withMargin returns bounds that are enlarged on each side by 15 %, and by at least 0.0008 degrees.
export function withMargin({ south, north, west, east }) {
	const vertical = Math.max((north - south) * 0.15, 0.0008);
	const horizontal = Math.max((east - west) * 0.15, 0.0008);
	return { south: south - vertical, north: north + vertical, west: west - horizontal, east: east + horizontal };
}
