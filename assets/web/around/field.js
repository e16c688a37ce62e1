// The field of the session: the places around a position.

// Field has the state of the field, which the views of Around and Find share. It reads places with
// the actions of the field, which are GET requests and change no data on the server. The position is
// only stored in the memory of this page.
export class Field {
	position = null; // position of the device, { latitude, longitude, accuracy in metres }; null until the member requests it
	name = ""; // name of the place at the origin, "" for a point of the map
	categories = null; // Set of the ids of the chosen categories, null for all
	#radius = null; // chosen radius in metres, null for the radius of the runtime
	#runtime = null; // field_runtime of the latest response, null for the one of the session
	#readController = null; // AbortController of the latest read of the field
	#target = null; // { latitude, longitude, name } of the read in progress

	constructor(app) {
		this.app = app;
	}

	// runtime is the field_runtime for the chosen origin, radius and categories or, if no origin is
	// chosen, that of the session; null without a session.
	get runtime() {
		return this.#runtime ?? this.app.store.session?.field_runtime ?? null;
	}

	// origin is the centre of the field, { latitude, longitude }, or null if it has no position.
	get origin() {
		return this.runtime?.origin ?? null;
	}

	// radius is the radius for the next read in metres, by default that of the runtime, 0 if it is unknown.
	get radius() {
		return this.#radius ?? this.runtime?.radius_meters ?? 0;
	}

	set radius(metres) {
		this.#radius = metres;
	}

	// isOff reports whether the server provides no places.
	get isOff() {
		return this.runtime?.source?.status === "unavailable";
	}

	// problem is the message of the server if it cannot provide all places, or "".
	get problem() {
		const { status = "ready", message = "" } = this.runtime?.source ?? {};
		return status === "ready" ? "" : message;
	}

	// layer is the layer of the map with the tiles, or null.
	get layer() {
		return this.app.store.session?.field_runtime?.map?.layers?.[0] ?? null;
	}

	// radii are the radii that the server offers, as { value, label, selected } with the value in metres.
	get radii() {
		return (this.#control("radius")?.items ?? []).map(({ value, label }) => ({ value, label, selected: value === this.radius }));
	}

	// filter has the categories that the server offers, as { label, items } with the items
	// { id, label, icon, selected }. It is undefined if the server offers none.
	get filter() {
		const control = this.#control("categories");
		const isSelected = (id) => !this.categories || this.categories.has(id);
		return control && {
			label: control.label,
			items: control.items.map(({ id, label, icon }) => ({ id, label, icon, selected: isSelected(id) })),
		};
	}

	// action returns the action of the field with a type, or undefined.
	action(type) {
		return this.runtime?.actions?.find((action) => action.type === type);
	}

	// lookAround reads the field around a position. name is the name of the place there, if it is one.
	async lookAround({ latitude, longitude }, { name = "" } = {}) {
		await this.#read({ latitude, longitude, name });
	}

	// chooseRadius sets the radius, in metres, and reads the field again if it has an origin. If the read fails, the
	// earlier radius remains.
	async chooseRadius(radius) {
		const previousRadius = this.#radius;
		this.radius = radius;
		await this.#readAgain(() => { if (this.#radius === radius) this.#radius = previousRadius; });
	}

	// chooseCategories limits the places to the categories with some ids, or removes the limit with null. It
	// reads the field again if it has an origin. If the read fails, the earlier categories remain.
	async chooseCategories(ids) {
		const previousCategories = this.categories;
		const categories = ids && new Set(ids);
		this.categories = categories;
		await this.#readAgain(() => { if (this.categories === categories) this.categories = previousCategories; });
	}

	// forget removes the position of the device and the chosen origin.
	forget() {
		this.#readController?.abort();
		this.#target = null;
		this.#runtime = null;
		this.position = null;
		this.name = "";
	}

	// readArea returns the places within bounds in degrees, a response of the action read_field_area, or
	// null if the server provides none. The bounds are limited to the extent of the map.
	readArea({ south, west, north, east }, signal) {
		const action = this.action("read_field_area");
		if (!action || this.isOff) return Promise.resolve(null);
		const within = (value, limit) => round(Math.max(-limit, Math.min(limit, value)));
		const values = { south: within(south, 85), west: within(west, 180), north: within(north, 85), east: within(east, 180) };
		return this.app.dispatcher.perform(withoutCategories(action), values, { fields: this.#filterFields(), signal });
	}

	// #control returns the control of the field with an id, or undefined.
	#control(id) {
		return this.app.store.session?.field_runtime?.controls?.find((control) => control.id === id);
	}

	// #filterFields returns the parameters of a request for the chosen categories.
	#filterFields() {
		return this.categories ? { categories: [...this.categories].join(",") } : {};
	}

	// #readAgain reads the field around its origin or, while it is read around another position, around that one. It
	// does nothing without an origin. restore is called if the read fails.
	async #readAgain(restore) {
		const target = this.#target ?? (this.origin && { ...this.origin, name: this.name });
		if (!target) return;
		try {
			await this.#read(target);
		} catch (error) {
			if (error.name !== "AbortError") restore();
			throw error;
		}
	}

	// #read reads the field around a position with a name, and aborts an earlier read.
	async #read({ latitude, longitude, name }) {
		const action = this.action("set_field_origin");
		if (!action) return;
		this.#readController?.abort();
		this.#target = { latitude, longitude, name };
		const { signal } = (this.#readController = new AbortController());
		const values = { lat: round(latitude), lon: round(longitude), ...(this.radius && { radius: this.radius }) };
		try {
			const session = await this.app.dispatcher.perform(withoutCategories(action), values, { fields: this.#filterFields(), signal });
			if (signal.aborted) return;
			if (session?.field_runtime) this.#runtime = session.field_runtime;
			this.name = name;
		} finally {
			if (!signal.aborted) this.#target = null;
		}
	}
}

// withoutCategories returns an action without the categories in its body, which are those of the
// request whose response contained the action.
function withoutCategories(action) {
	const { categories, ...body } = action.body ?? {};
	return { ...action, body };
}

// round rounds a coordinate to about 10 metres, which is precise enough for a search, and does not
// disclose the exact position.
const round = (degrees) => Math.round(degrees * 1e4) / 1e4;

// canAskPosition reports whether the page may request the position of the device: browsers permit it
// only in a secure context, such as a page with HTTPS.
export function canAskPosition() {
	return window.isSecureContext && "geolocation" in navigator;
}

// askPosition requests the position of the device, { latitude, longitude, accuracy in metres }, and is
// called only after an activation by the member. The promise is rejected with { code }: "denied",
// "unavailable" or "timeout".
export function askPosition() {
	return new Promise((resolve, reject) => {
		navigator.geolocation.getCurrentPosition(
			({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
			({ code }) => reject({ code: { 1: "denied", 3: "timeout" }[code] ?? "unavailable" }),
			{ timeout: 15_000, maximumAge: 60_000 },
		);
	});
}
