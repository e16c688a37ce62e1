// Errors of requests.

// RequestError is a response with an error, or the lack of a response. `message` can be
// shown to the member; it is empty if it does not come from the server, and the caller
// words it by `code`.
export class RequestError extends Error {
	constructor({ status = 0, code, message = "", cause, retryAfter = 0, detail = {} }) {
		super(message, { cause });
		this.name = "RequestError";
		this.status = status; // 0 if there was no response
		this.code = code; // that of the server; or network, timeout, not_json, redirected, http
		this.retryAfter = retryAfter; // seconds to wait; 0 if the server did not say
		this.fields = detail.fields ?? []; // { name, pointer, code, message, max, candidates } of wrong values
		this.guidance = detail.guidance?.actions ?? []; // actions to offer instead
		this.current = detail.current ?? null; // the present record, after a conflict of versions
		this.secondFactor = detail.second_factor ?? null; // { challenge, methods, passkey_options }, which the sign-in asks for
		this.requestId = detail.request_id ?? ""; // for the operator
		this.retryable = detail.retryable ?? (status === 0 || status === 429 || status >= 500); // whether the same request can succeed later
	}

	// hasResponse reports whether the server has answered. If not, a write may or may not
	// have been performed.
	get hasResponse() {
		return this.status !== 0;
	}
}

// errorOf returns the error of a response that is no success.
export async function errorOf(response) {
	const retryAfter = secondsOf(response.headers.get("Retry-After"));
	if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
		return new RequestError({ status: response.status || 302, code: "redirected", retryAfter }); // browsers hide the status
	}
	const answer = await response.json().catch(() => null); // a proxy answers with a page
	const detail = typeof answer?.error === "object" && answer.error ? answer.error : {};
	return new RequestError({ status: response.status, code: detail.code ?? "http", message: detail.message ?? "", retryAfter, detail });
}

// secondsOf returns the seconds of a Retry-After header: a number or a date (RFC 9110
// §10.2.3).
export function secondsOf(header, now = Date.now()) {
	if (!header) return 0;
	const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
	return seconds > 0 ? seconds : 0;
}
