// Errors of requests to the server.

// RequestError is an error response, or the lack of a response. `message` is the text of the
// server for the member; without one it is empty, and the caller selects a text by `code`.
export class RequestError extends Error {
	constructor({ status = 0, code, message = "", cause, retryAfter = 0, detail = {} }) {
		super(message, { cause });
		this.name = "RequestError";
		this.status = status; // 0 if there was no response
		this.code = code; // the code of the server, or network, timeout, intercepted, not_json, not_stream, other_member or http
		this.retryAfter = retryAfter; // seconds to wait; 0 if the server did not say
		this.fields = detail.fields ?? []; // { name, pointer, code, message, max, candidates } of each invalid value
		this.guidance = detail.guidance?.actions ?? []; // alternative actions for the member
		this.current = detail.current ?? null; // the present record, after a version conflict
		this.secondFactor = detail.second_factor ?? null; // { challenge, methods, passkey_options } if the sign-in requires one
		this.requestId = detail.request_id ?? ""; // identifies the request in the log of the server
		// A request with a retryable error may succeed if it is sent again later.
		this.retryable = detail.retryable ?? (status === 0 || status === 429 || status >= 500);
	}

	// hasResponse reports whether the server has responded. If not, it is unknown whether a write
	// has been performed.
	get hasResponse() {
		return this.status !== 0;
	}
}

const SIGN_IN_STATUSES = [401, 403, 511]; // statuses of a proxy that requires a sign-in

// interception returns the RequestError of a response of a proxy that requires a sign-in of its own: a
// redirect, which World never sends, an error without the error object of the server, or a page. The
// server has not responded, so the request is sent again later.
export function interception(cause) {
	return new RequestError({ code: "intercepted", cause });
}

// isIntercepted reports whether a successful response has a type that the server never sends to this client.
export function isIntercepted(response) {
	return response.ok && /^text\/html\b/i.test(response.headers.get("Content-Type") ?? "");
}

// errorOf returns the RequestError of a response without success.
export async function errorOf(response) {
	const retryAfter = secondsOf(response.headers.get("Retry-After"));
	if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) return interception();
	const answer = await response.json().catch(() => null); // error responses of proxies are HTML
	const detail = typeof answer?.error === "object" && answer.error ? answer.error : {};
	if (SIGN_IN_STATUSES.includes(response.status) && !detail.code) return interception();
	return new RequestError({ status: response.status, code: detail.code ?? "http", message: detail.message ?? "", retryAfter, detail });
}

// secondsOf returns the seconds to wait that a Retry-After header states, a number or a date
// (RFC 9110, section 10.2.3); 0 without one.
export function secondsOf(header, now = Date.now()) {
	if (!header) return 0;
	const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
	return seconds > 0 ? seconds : 0;
}
