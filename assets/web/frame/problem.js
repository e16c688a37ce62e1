// Texts and notices for errors.

import { notice } from "../parts/notice.js";

// textOf returns the text for a RequestError: the message of the server, or a text for its code.
export function textOf(error, words) {
	if (error.status === 429 && error.retryAfter) return words.frame.tooMany(waitText(error.retryAfter, words));
	if (error.message && error.status) return error.message;
	if (error.code === "intercepted") return words.frame.intercepted();
	if (error.code === "timeout") return words.frame.timeout();
	if (error.status === 0 && (error.code === "network" || !error.code)) return words.frame.network();
	return words.frame.failed();
}

// reasonOf returns the reason why a write of the queue has not been sent: the text of its error, or
// that it is too old to be sent without a confirmation. A write that a proxy has intercepted fails only if the
// proxy lets other requests pass.
export function reasonOf(error, words) {
	if (error?.code === "intercepted") return words.frame.refusedInFront();
	return error ? textOf(error, words) : words.frame.pendingAsks();
}

// problem returns the notice that replaces content which could not be loaded. retry is the function
// of its button "Try again"; without it there is no button.
export function problem(error, words, retry) {
	const requestID = error.status >= 500 ? error.requestId : null;
	const actions = retry ? [{ label: words.tryAgain(), run: retry }] : [];
	return notice({ kind: "bad", text: textOf(error, words), requestID, actions, words });
}

function waitText(seconds, words) {
	return seconds < 120 ? words.frame.seconds(seconds) : words.minutes(Math.ceil(seconds / 60));
}
