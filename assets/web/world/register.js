// The registration of the service worker.

const CHECK = 3_600_000; // milliseconds between two checks for a new version

// registerWorker registers the service worker for a member and returns the registration. It
// returns null if the browser permits none, such as without HTTPS: the app then works without
// it. base is the path of base-url, assets the path of the files of this page. onNewVersion
// is called when another version is stored, which the next page that is loaded has.
export async function registerWorker({ base, assets, memberId, onNewVersion = () => {}, workers = globalThis.navigator?.serviceWorker }) {
	if (!globalThis.isSecureContext || !workers) return null;
	workers.addEventListener("message", ({ data }) => {
		if (data?.kind === "version" && data.assets !== assets) onNewVersion();
	});
	workers.startMessages();
	try {
		const registration = await workers.register(`${base}/app/worker.js?member=${memberId}`, { scope: `${base}/app/`, updateViaCache: "none" });
		setInterval(() => registration.update().catch(() => {}), CHECK); // for pages that stay open
		return registration;
	} catch {
		return null; // not permitted by the browser or by its settings
	}
}
