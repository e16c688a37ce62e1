// Errors in words.

import { notice } from "../parts/notice.js";

// textOf returns the text of an error: the one of the server, or one for its code.
export function textOf(error, words) {
	if (error.status === 429 && error.retryAfter) return words.frame.tooMany(waitText(error.retryAfter, words));
	if (error.message && error.status) return error.message;
	if (error.code === "timeout") return words.frame.timeout();
	if (error.status === 0 && (error.code === "network" || !error.code)) return words.frame.network();
	return words.frame.failed();
}

// reasonOf returns why a write of the queue was not sent, from its error: without one, it is too
// old to be sent by itself.
export function reasonOf(error, words) {
	return error ? textOf(error, words) : words.frame.pendingAsks();
}

// problem returns a notice in the part that could not be shown. retry is called by "Try again".
export function problem(error, words, retry) {
	return notice({ kind: "bad", text: textOf(error, words), requestID: error.status >= 500 ? error.requestId : null, actions: retry ? [{ label: words.tryAgain(), run: retry }] : [], words });
}

function waitText(seconds, words) {
	return seconds < 120 ? words.frame.seconds(seconds) : words.minutes(Math.ceil(seconds / 60));
}
