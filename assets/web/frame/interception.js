// The notice about a proxy in front of the server that requires a sign-in of its own.

const REPLY_TIMEOUT = 1000; // maximum milliseconds that loadFromServer waits for the service worker

// interceptionNotice returns the options of the notice. Its button opens the page of the proxy.
export function interceptionNotice(words) {
	const { frame } = words;
	return {
		kind: "warn", title: frame.intercepted(), text: frame.interceptedText(),
		actions: [{ label: frame.openSignIn(), run: loadFromServer }],
	};
}

// loadFromServer loads the page from the server in place of the service worker, so that a proxy can show its
// page. The service worker forwards one load.
async function loadFromServer() {
	const worker = navigator.serviceWorker?.controller;
	if (worker) {
		const { port1, port2 } = new MessageChannel();
		const reply = new Promise((resolve) => (port1.onmessage = resolve));
		worker.postMessage({ kind: "forward" }, [port2]);
		await Promise.race([reply, new Promise((resolve) => setTimeout(resolve, REPLY_TIMEOUT))]);
	}
	location.reload();
}
