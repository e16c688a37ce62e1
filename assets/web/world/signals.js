// Abort signals, and waits that can be ended early.

// linkedController returns an AbortController that is also aborted when a signal is. AbortSignal.any does
// the same, but some supported browsers lack it.
export function linkedController(signal) {
	const controller = new AbortController();
	if (signal?.aborted) controller.abort(signal.reason);
	else signal?.addEventListener("abort", () => controller.abort(signal.reason), { signal: controller.signal });
	return controller;
}

// whenAborted returns a promise that is resolved when a signal is aborted.
export function whenAborted(signal) {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", resolve, { once: true });
	});
}

// Waiter waits, one time after the other.
export class Waiter {
	wake = () => {}; // ends the present wait, if there is one

	// wait returns a promise that is resolved after a time in milliseconds, when wake is called, or
	// when the signal is aborted.
	async wait(time, signal) {
		const early = linkedController(signal);
		this.wake = () => early.abort();
		const timer = setTimeout(this.wake, time);
		await whenAborted(early.signal);
		clearTimeout(timer);
	}
}
