// Actions: it performs the actions that the server declares, with the values of the controls.

import { newKey } from "./client.js";
import { RequestError } from "./errors.js";

const ATTEMPTS = 3; // requests for one write, if there is no response
const STALE = [403, 404, 409]; // after these, what the member sees is out of date

// Dispatcher performs actions and applies what their responses return.
export class Dispatcher {
	// isLive returns whether the stream reports changes; signedIn the id of the member who has
	// signed in to the browser, or null if it is unknown; textOf the message of an error to which
	// the server gave none, such as without a connection. wait is the time before the first
	// repetition of a request, in milliseconds.
	constructor({ client, store, reader, isLive = () => false, signedIn = () => null, textOf = () => "", wait = 1000, random = Math.random }) {
		Object.assign(this, { client, store, reader, isLive, signedIn, textOf, wait, random });
	}

	// expectMember reports whether the page is still that of the member who has signed in to the
	// browser. If another one has, in another tab, it tells the store.
	expectMember() {
		const [signedIn, own] = [this.signedIn(), this.store.memberId];
		const isExpected = signedIn === null || own === null || String(signedIn) === String(own);
		if (!isExpected) this.store.onOtherMember();
		return isExpected;
	}

	// perform sends the request of an action, of a form or a button of a panel, of an item of
	// the dock, or of an undo, and returns the data of the response. `values` are those of the
	// controls, by id; a control without a value has its default. Options:
	//
	//   fields    other fields of the body, such as the start and end of a move, or the scope
	//   etag      of the record that the member has seen: another version is not overwritten
	//   key       the Idempotency-Key: a new one for each action of the member, the same one if
	//             the member sends the same action again
	//   signal    ends the request
	//   attempts  limit of the requests, if there is no response
	async perform(action, values = {}, { fields = {}, etag, key = newKey(), signal, attempts = ATTEMPTS } = {}) {
		const request = requestOf(action, values, fields);
		if (request.method === "GET") return (await this.client.request("GET", request.path, { signal })).data;
		if (!this.expectMember()) throw new RequestError({ status: 401, code: "other_member" }); // the page is loaded again
		const path = request.isFile || !this.store.changesURL ? request.path : withDataset(request.path, this.store.changesURL);
		const { revision } = this.store;
		try {
			const options = { body: request.body, headers: { ...request.headers, ...(etag && { "If-Match": etag }) }, key, signal };
			const { data } = await this.#send(request.method, path, options, isRepeatable(action, request) ? attempts : 1);
			this.#apply(data, revision);
			return data;
		} catch (error) {
			if (STALE.includes(error.status)) this.reader.changed();
			if (error instanceof RequestError) error.message ||= this.textOf(error); // forms show it
			throw error;
		}
	}

	// post performs an action of a map of actions: a URL that accepts POST, with the fields of
	// its body.
	post(url, fields = {}, options = {}) {
		return this.perform({ method: "POST", url, body: fields }, {}, options);
	}

	async #send(method, path, options, attempts) {
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.client.write(method, path, options);
			} catch (error) {
				const again = attempt < attempts && error instanceof RequestError && !error.hasResponse;
				if (!again || options.signal?.aborted) throw error;
			}
			await new Promise((done) => setTimeout(done, this.wait * 2 ** (attempt - 1) * (0.75 + this.random() / 2)));
			options.signal?.throwIfAborted();
		}
	}

	// #apply replaces the state by what a response returns, and reads the rest unless the
	// stream reports it. revision is that of the dataset when the request was sent.
	#apply(data, revision) {
		if (data?.surface_runtime) this.store.setSurfaces(data.surface_runtime);
		const applied = data?.dataset ? this.#applyDataset(data.dataset, revision) : false;
		if (!this.isLive()) this.reader.changed();
		else if (!applied && (data?.dataset || data?.refresh)) this.reader.changed({ services: [] });
	}

	// #applyDataset applies the dataset of a response. A whole dataset is not applied if the
	// present one has changed meanwhile and may be newer, or if it is for another position: it
	// would replace the field.
	#applyDataset(answer, revision) {
		const position = (dataset) => JSON.stringify(dataset?.field?.origin ?? null);
		if (!answer.delta && (this.store.revision !== revision || position(answer) !== position(this.store.dataset))) return false;
		return this.store.setDataset(answer);
	}
}

// requestOf returns the request of an action with values: { method, path, body, headers,
// isFile }. Actions of the dataset have a command; others have its fields themselves.
export function requestOf(action, values = {}, fields = {}) {
	const { method = "POST", url, body = {}, encodings = action.encodings ?? [] } = action.command ?? action;
	const controls = action.controls ?? [];
	const content = { ...body, ...controlValues(controls, values), ...fields };
	if (method === "GET") return { method, path: withQuery(url, content) };
	const file = controls.find((control) => control.type === "file");
	if (file) {
		const { [file.id]: blob, ...others } = content;
		if (!(blob instanceof Blob)) throw new TypeError(`${file.id} is not a file`);
		return { method, path: withQuery(url, others), body: blob, headers: { "Content-Type": mediaTypeOf(blob, file.accept) }, isFile: true };
	}
	const isForm = encodings.length > 0 && !encodings.includes("application/json") && encodings.includes("application/x-www-form-urlencoded");
	if (isForm) return { method, path: url, body: formOf(content).toString(), headers: { "Content-Type": "application/x-www-form-urlencoded" } };
	return { method, path: url, body: content, headers: {} };
}

// controlValues returns the value of each control: the given one, or the default unless it
// is empty. It throws for a value without a control.
function controlValues(controls, values) {
	const unknown = Object.keys(values).find((id) => !controls.some((control) => control.id === id));
	if (unknown) throw new TypeError(`There is no control ${unknown}`);
	const result = {};
	for (const { id, default: value } of controls) {
		if (values[id] !== undefined) result[id] = values[id];
		else if (value !== null && value !== undefined && value !== "") result[id] = value;
	}
	return result;
}

// withQuery returns a path with values added to its query, as an HTML form with the method
// GET does. A list becomes several parameters, an empty value none.
export function withQuery(path, values) {
	const [start, query] = path.split("?");
	const parameters = new URLSearchParams(query);
	for (const name of Object.keys(values)) parameters.delete(name);
	for (const [name, value] of formOf(values)) parameters.append(name, value);
	const text = parameters.toString();
	return text ? `${start}?${text}` : start;
}

// formOf returns values as fields of an HTML form: a list as repeated fields, the keys of an
// object in brackets.
function formOf(values) {
	const form = new URLSearchParams();
	const add = (name, value) => {
		if (value === null || value === undefined) return;
		if (Array.isArray(value)) value.forEach((element) => add(name, element));
		else if (typeof value === "object") Object.entries(value).forEach(([key, part]) => add(`${name}[${key}]`, part));
		else form.append(name, String(value));
	};
	Object.entries(values).forEach(([name, value]) => add(name, value));
	return form;
}

// withDataset adds the parameters for the changes of the dataset to the path of a write, so
// that its response contains them. changesURL has those parameters.
function withDataset(path, changesURL) {
	const [start, query] = path.split("?");
	const parameters = new URLSearchParams(query);
	for (const [name, value] of new URLSearchParams(changesURL.split("?")[1])) parameters.append(name, value);
	parameters.set("return", "dataset");
	return `${start}?${parameters}`;
}

// mediaTypeOf returns the media type of a file: its own, if the control accepts it, or the
// accepted one that fits its name, because browsers do not know all types.
function mediaTypeOf(file, accept = []) {
	if (accept.length === 0 || accept.includes(file.type)) return file.type || "application/octet-stream";
	const extension = /\.([a-z0-9]+)$/i.exec(file.name ?? "")?.[1]?.toLowerCase() ?? "";
	const known = { ics: "calendar", jpg: "jpeg" };
	return accept.find((type) => extension && type.endsWith(`/${known[extension] ?? extension}`)) ?? (file.type || accept[0]);
}

// isRepeatable reports whether the server performs an action only once if the same request
// with the same key arrives twice. That does not hold for requests on the account and the
// server, links of calendars and files, whose responses it does not store.
function isRepeatable({ type = "" }, { isFile }) {
	return !isFile && !/^(member|admin)\.|_feed$/.test(type);
}
