// The field: the places around a position, read with the actions that the session publishes. The
// position is only in the memory of this page.

// Field is the state of the field of the app, which outlives its views. Its actions are
// requests with the method GET, which change nothing on the server.
export class Field {
	position = null; // of the device, { latitude, longitude, accuracy }, after the member has asked for it
	name = ""; // of the place around which the member looks, "" for a point of the map
	categories = null; // the chosen ones, a set; null for all
	#radius = null; // the chosen one, in metres
	#runtime = null; // field of the latest answer, null for that of the session
	#reading = null; // AbortController of a read in progress

	constructor(app) {
		this.app = app;
	}

	// runtime is the published field: with the member's position and filters, if they have chosen any.
	get runtime() {
		return this.#runtime ?? this.app.store.session?.field_runtime ?? null;
	}

	get origin() {
		return this.runtime?.origin ?? null;
	}

	get radius() {
		return this.#radius ?? this.runtime?.radius_meters ?? 0;
	}

	set radius(metres) {
		this.#radius = metres;
	}

	// problem is the reason why no places can be read, "" for none.
	get problem() {
		const { status = "ready", message = "" } = this.runtime?.source ?? {};
		return status === "ready" ? "" : message;
	}

	get layer() {
		return this.app.store.session?.field_runtime?.map?.layers?.[0] ?? null;
	}

	// radii are the published choices of a radius, as { value, label, selected }.
	get radii() {
		return (this.#control("radius")?.items ?? []).map(({ value, label }) => ({ value, label, selected: value === this.radius }));
	}

	// filter has the published categories, as { label, items }; those that are chosen are selected.
	get filter() {
		const control = this.#control("categories");
		return control && { label: control.label, items: control.items.map(({ id, label, icon }) => ({ id, label, icon, selected: !this.categories || this.categories.has(id) })) };
	}

	// action returns an action on the field by its type, or undefined.
	action(type) {
		return this.runtime?.actions?.find((action) => action.type === type);
	}

	// lookAround moves the field to a position. name is that of a place there.
	async lookAround({ latitude, longitude }, { name = "" } = {}) {
		await this.#read({ latitude, longitude });
		this.name = name;
	}

	// chooseRadius changes the radius.
	async chooseRadius(radius) {
		this.radius = radius;
		if (this.origin) await this.#read(this.origin);
	}

	// chooseCategories shows the places of some categories only, of all with null.
	async chooseCategories(ids) {
		this.categories = ids && new Set(ids);
		if (this.origin) await this.#read(this.origin);
	}

	// forget returns to a field without a position.
	forget() {
		this.#reading?.abort();
		this.#runtime = null;
		this.position = null;
		this.name = "";
	}

	// readArea returns the places between four borders.
	readArea({ south, west, north, east }, signal) {
		const action = this.action("read_field_area");
		if (!action || this.problem) return Promise.resolve(null);
		const within = (value, limit) => round(Math.max(-limit, Math.min(limit, value)));
		const values = { south: within(south, 85), west: within(west, 180), north: within(north, 85), east: within(east, 180) };
		return this.app.dispatcher.perform(unfiltered(action), values, { fields: this.#fields(), signal });
	}

	#control(id) {
		return this.app.store.session?.field_runtime?.controls?.find((control) => control.id === id);
	}

	// #fields are the parameters besides the controls.
	#fields() {
		return this.categories ? { categories: [...this.categories].join(",") } : {};
	}

	async #read({ latitude, longitude }) {
		const action = this.action("set_field_origin");
		if (!action) return;
		this.#reading?.abort();
		const reading = (this.#reading = new AbortController());
		const values = { lat: round(latitude), lon: round(longitude), ...(this.radius && { radius: this.radius }) };
		const session = await this.app.dispatcher.perform(unfiltered(action), values, { fields: this.#fields(), signal: reading.signal });
		if (!reading.signal.aborted && session?.field_runtime) this.#runtime = session.field_runtime;
	}
}

// unfiltered returns an action without the categories of the answer that published it.
function unfiltered(action) {
	const { categories, ...body } = action.body ?? {};
	return { ...action, body };
}

// round limits a coordinate to about 10 metres, which is precise enough for a search.
const round = (degrees) => Math.round(degrees * 1e4) / 1e4;

// canAskPosition reports whether the browser gives its position to this page: only over HTTPS.
export function canAskPosition() {
	return window.isSecureContext && "geolocation" in navigator;
}

// askPosition asks the browser for the position, after a press. The promise is rejected with
// { code }: "denied", "unavailable" or "timeout".
export function askPosition() {
	return new Promise((done, fail) => {
		navigator.geolocation.getCurrentPosition(
			({ coords: { latitude, longitude, accuracy } }) => done({ latitude, longitude, accuracy }),
			({ code }) => fail({ code: { 1: "denied", 3: "timeout" }[code] ?? "unavailable" }),
			{ timeout: 15_000, maximumAge: 60_000 },
		);
	});
}
