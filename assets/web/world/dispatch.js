// Performs the actions that the server declares.

import { newKey } from "./client.js";
import { RequestError } from "./errors.js";

const MAX_ATTEMPTS = 3; // maximum number of requests for one write, if there is no response
const FORM_TYPE = "application/x-www-form-urlencoded";
const STALE_STATUSES = [403, 404, 409]; // statuses which show that the data of the page is out of date

// Dispatcher performs actions and applies their responses to the store.
export class Dispatcher {
	#ordered = new Map(); // path → promise of the latest write of #inOrder, which is never rejected; removed when it is settled

	// isLive returns whether the stream reports changes. signedIn returns the id of the member who
	// has signed in to the browser, or null if it is unknown. textOf returns the message for an error
	// without one, such as a lost connection. wait is the time before the first retry of a request,
	// in milliseconds.
	constructor({ client, store, reader, isLive = () => false, signedIn = () => null, textOf = () => "", wait = 1000, random = Math.random }) {
		Object.assign(this, { client, store, reader, isLive, signedIn, textOf, wait, random });
	}

	// expectMember reports whether the page shows the data of the member who has signed in to the
	// browser. If another member has signed in, in another tab, it calls store.onOtherMember.
	expectMember() {
		const [signedIn, pageMember] = [this.signedIn(), this.store.memberId];
		const isExpected = signedIn === null || pageMember === null || String(signedIn) === String(pageMember);
		if (!isExpected) this.store.onOtherMember();
		return isExpected;
	}

	// perform sends the request of an action and returns the data of the response. Forms and buttons
	// of a panel, items of the dock and undos are actions too. `values` has the values of the
	// controls by id; a control without a value has its default. Options:
	//
	//   fields    other fields of the body, such as the start and end of a move, or the scope
	//   etag      the ETag of the record that the page shows; the server rejects the write if the
	//             record has another one (If-Match)
	//   key       the Idempotency-Key, the same one for a retry by the member
	//   signal    aborts the request
	//   ordered   whether the request sets a state, so that it must not overtake an earlier one with the same path:
	//             of two fast clicks, the second one must win. Requests with PATCH and PUT always do
	//   attempts  the maximum number of requests, if there is no response
	async perform(action, values = {}, { fields = {}, etag, key = newKey(), signal, ordered = false, attempts = MAX_ATTEMPTS } = {}) {
		const request = requestOf(action, values, fields);
		if (request.method === "GET") return (await this.client.request("GET", request.path, { signal })).data;
		if (!this.expectMember()) throw new RequestError({ status: 401, code: "other_member" });
		try {
			const options = { body: request.body, headers: { ...request.headers, ...(etag && { "If-Match": etag }) }, key, signal };
			const send = () => this.#write(request, options, isRepeatable(action, request) ? attempts : 1);
			return await (ordered || request.method === "PATCH" || request.method === "PUT" ? this.#inOrder(request.path, send) : send());
		} catch (error) {
			// After an interception, the reads show whether only this request is intercepted.
			if (STALE_STATUSES.includes(error.status) || error.code === "intercepted") this.reader.refreshParts();
			if (error instanceof RequestError) error.message ||= this.textOf(error);
			throw error;
		}
	}

	// post sends a POST request with the fields of its body, as perform does.
	post(url, fields = {}, options = {}) {
		return this.perform({ method: "POST", url, body: fields }, {}, options);
	}

	// #inOrder calls send after the earlier write with the same path, and returns its promise.
	#inOrder(path, send) {
		const earlierWrite = this.#ordered.get(path);
		const write = earlierWrite ? earlierWrite.then(send) : send();
		const writeEnd = write.catch(() => {}).then(() => {
			if (this.#ordered.get(path) === writeEnd) this.#ordered.delete(path);
		});
		this.#ordered.set(path, writeEnd);
		return write;
	}

	// #write sends a write, applies its response and returns the data of the response.
	async #write({ method, path, isFile }, options, attempts) {
		options.signal?.throwIfAborted();
		const fullPath = isFile || !this.store.changesURL ? path : withDataset(path, this.store.changesURL);
		const { revision } = this.store;
		const { data } = await this.#send(method, fullPath, options, attempts);
		this.#apply(data, revision);
		return data;
	}

	// #send sends a write, and again after a growing wait if there was no response.
	async #send(method, path, options, attempts) {
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.client.write(method, path, options);
			} catch (error) {
				const isRetried = attempt < attempts && error instanceof RequestError && !error.hasResponse;
				if (!isRetried || options.signal?.aborted) throw error;
			}
			await new Promise((done) => setTimeout(done, this.wait * 2 ** (attempt - 1) * (0.75 + this.random() / 2)));
			options.signal?.throwIfAborted();
		}
	}

	// #apply stores the surfaces and the dataset of a response, and reads the other changes unless
	// the stream reports them. revision is the revision of the dataset when the request was sent.
	#apply(data, revision) {
		if (data?.surface_runtime) this.store.setSurfaces(data.surface_runtime);
		const isApplied = data?.dataset ? this.#applyDataset(data.dataset, revision) : false;
		if (!this.isLive()) this.reader.refreshParts();
		else if (!isApplied && (data?.dataset || data?.refresh)) this.reader.refreshParts({ services: [] });
	}

	// #applyDataset applies the dataset of a response and returns whether it did. It ignores a whole
	// dataset if the present one has changed since the request and may be newer, or if the field of
	// the response has another origin than the field of the present dataset.
	#applyDataset(dataset, revision) {
		const originOf = (other) => JSON.stringify(other?.field?.origin ?? null);
		const isCurrent = this.store.revision === revision && originOf(dataset) === originOf(this.store.dataset);
		return (dataset.delta || isCurrent) && this.store.setDataset(dataset);
	}
}

// requestOf returns the request of an action with the values of its controls: { method, path,
// body, headers, isFile }. Actions of the dataset contain the request as `command`; the others
// have its fields themselves.
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
	const isForm = !encodings.includes("application/json") && encodings.includes(FORM_TYPE);
	if (isForm) return { method, path: url, body: formOf(content).toString(), headers: { "Content-Type": FORM_TYPE } };
	return { method, path: url, body: content, headers: {} };
}

// controlValues returns the values of the controls by id: the given value, or the default unless
// it is empty. It throws for a value without a control.
function controlValues(controls, values) {
	const unknownId = Object.keys(values).find((id) => !controls.some((control) => control.id === id));
	if (unknownId) throw new TypeError(`There is no control ${unknownId}`);
	const result = {};
	for (const { id, default: value } of controls) {
		if (values[id] !== undefined) result[id] = values[id];
		else if (value !== null && value !== undefined && value !== "") result[id] = value;
	}
	return result;
}

// withQuery returns a path whose query contains the values, encoded as an HTML form with the
// method GET does. A value replaces the parameters with its name; a list becomes several
// parameters, and null or undefined none.
export function withQuery(path, values) {
	const [start, query] = path.split("?");
	const parameters = new URLSearchParams(query);
	for (const name of Object.keys(values)) parameters.delete(name);
	for (const [name, value] of formOf(values)) parameters.append(name, value);
	const text = parameters.toString();
	return text ? `${start}?${text}` : start;
}

// formOf returns the values as fields of an HTML form: a list as repeated fields, an object as
// fields with its keys in brackets.
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

// withDataset adds the parameters of changesURL to the path of a write, so that the response
// contains the changes of the dataset.
function withDataset(path, changesURL) {
	const [start, query] = path.split("?");
	const parameters = new URLSearchParams(query);
	for (const [name, value] of new URLSearchParams(changesURL.split("?")[1])) parameters.append(name, value);
	parameters.set("return", "dataset");
	return `${start}?${parameters}`;
}

// mediaTypeOf returns the media type of a file: the type of the browser if the control accepts it, or
// else the accepted type that the file name extension suggests. Browsers do not know all types.
function mediaTypeOf(file, accept = []) {
	if (accept.length === 0 || accept.includes(file.type)) return file.type || "application/octet-stream";
	const extension = /\.([a-z0-9]+)$/i.exec(file.name ?? "")?.[1]?.toLowerCase() ?? "";
	const subtypes = { ics: "calendar", jpg: "jpeg" };
	return accept.find((type) => extension && type.endsWith(`/${subtypes[extension] ?? extension}`)) ?? (file.type || accept[0]);
}

// isRepeatable reports whether the server performs a request only once if it arrives twice with
// the same Idempotency-Key. The server does not store the responses to operations of accounts and
// of the server, to operations on links of calendars, and to uploads.
function isRepeatable({ type = "" }, { isFile }) {
	return !isFile && !/^(member|admin)\.|_feed$/.test(type);
}
