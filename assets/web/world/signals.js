// Signals and waits. AbortSignal.any is missing in some of the supported browsers.

// linked returns an AbortController that is also aborted with a signal.
export function linked(signal) {
	const controller = new AbortController();
	if (signal?.aborted) controller.abort(signal.reason);
	else signal?.addEventListener("abort", () => controller.abort(signal.reason), { signal: controller.signal });
	return controller;
}

// ended returns a promise that is resolved when a signal is aborted.
export function ended(signal) {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", resolve, { once: true });
	});
}

// Waiter is one wait at a time, which can be ended early.
export class Waiter {
	wake = () => {}; // ends the present wait

	// wait returns a promise that is resolved after a time in milliseconds, by wake, or when
	// the signal is aborted.
	async wait(time, signal) {
		const early = linked(signal);
		this.wake = () => early.abort();
		const timer = setTimeout(this.wake, time);
		await ended(early.signal);
		clearTimeout(timer);
	}
}
