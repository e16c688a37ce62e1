// Removes what the web app has stored of members in this browser, on the sign-in page after a
// sign-out: drafts, responses, pictures and writes that have not been sent. Browsers do it by
// themselves only with HTTPS (Clear-Site-Data). The attribute data-base of the script is the path of
// the server.
"use strict";

{
	const { base } = document.currentScript.dataset;
	const isSignedIn = () => /(?:^|; )service_member=\d/.test(document.cookie); // in another tab meanwhile
	const clear = async () => {
		if (isSignedIn()) return;
		for (const key of Object.keys(localStorage)) if (key.startsWith(`drafts ${base} `)) localStorage.removeItem(key);
		sessionStorage.clear();
		indexedDB.deleteDatabase(`world ${base}`); // waits for the tabs that use it
		if (!globalThis.caches) return; // without HTTPS, except on the machine of the server
		const names = await caches.keys();
		await Promise.all(names.filter((name) => name.startsWith(`pictures ${base} `)).map((name) => caches.delete(name)));
	};
	clear().catch(() => {}); // without storage nothing is stored
}
