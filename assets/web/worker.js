// The service worker of the web app. It responds with the stored page, files and pictures, so that the app opens
// at once on a slow connection, and also without a connection. The other data of a member is stored by
// world/cache.js. The server inserts a constant before the first line, with paths of this version:
//
//   APP = { version, base, page, assets, files }

/* global APP */

const MEMBER_ID = new URL(location.href).searchParams.get("member"); // the member whose pictures are stored, or null
const FILE_CACHES = `app ${APP.base} `; // prefix of the names of the caches with the page and the files, before the version
const PICTURE_CACHES = `pictures ${APP.base} `; // prefix of the names of the caches with pictures, before the id of the member
const PICTURE_LIMIT = 50 << 20; // maximum size of all pictures, in bytes
const DEFAULT_SIZE = 32 << 10; // assumed size of a picture without Content-Length, in bytes
const TRIM_INTERVAL = 100; // number of stored pictures between two calls of trim

let storedCount = 0; // number of pictures that this worker has stored
let isOld = false; // whether the server has another version
let forwardsNext = false; // whether the next load of the page is forwarded to the server
const usedURLs = new Set(); // URLs of the pictures that useStored has stored again

addEventListener("install", (event) => {
	addRoutes(event);
	event.waitUntil(install());
});
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
	const response = respond(event);
	if (response) event.respondWith(response);
});

// The message "old" comes from a page of this version, which has detected that the server has another one. The
// message "forward" comes from a page that is about to be loaded again, to show the page of a proxy.
addEventListener("message", ({ data, ports }) => {
	if (data?.kind === "old" && data.assets === APP.assets) isOld = true;
	if (data?.kind === "forward") {
		forwardsNext = true;
		ports[0]?.postMessage(null);
	}
});

// install stores the page and all files. It fails if the server already has another version: the browser then
// installs the worker of that version.
async function install() {
	const cache = await caches.open(FILE_CACHES + APP.version);
	const page = await fetch(APP.page, { cache: "no-cache" });
	const html = await page.text();
	if (!page.ok || !html.includes(APP.assets)) throw new Error("The version of the page is another one");
	await cache.addAll(APP.files);
	const headers = new Headers(page.headers);
	for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
	await cache.put(APP.page, new Response(deferRequests(html), { headers }));
	await skipWaiting();
}

// deferRequests returns the page with data attributes in place of the attributes that cause requests for the module
// and preloaded style sheets, so that the first paint does not wait for them. early.js sets the attributes
// afterwards.
function deferRequests(html) {
	return html.replaceAll('<link rel="preload"', '<link data-rel="preload"')
		.replace('<script type="module" src=', '<script type="module" data-src=');
}

// addRoutes adds a static route, by which the browser reads the stored files of this version without a fetch
// event. In browsers without static routes, respond returns the files, which takes longer.
function addRoutes(event) {
	const urlPattern = `${APP.assets.replace(/[^\w/.-]/g, "\\$&")}*`;
	event.addRoutes?.({
		condition: { urlPattern, requestMethod: "get" }, source: { cacheName: FILE_CACHES + APP.version },
	})?.catch(() => {});
}

// activate deletes the files of other versions except the latest of them, which open pages may use, and the
// pictures of other members. Then it sends the path of the files of this version to all open pages.
async function activate() {
	const names = await caches.keys();
	const versions = names.filter((name) => name.startsWith(FILE_CACHES) && name !== FILE_CACHES + APP.version);
	const others = names.filter((name) => name.startsWith(PICTURE_CACHES) && name !== PICTURE_CACHES + MEMBER_ID);
	await Promise.all([...versions.slice(0, -1), ...others].map((name) => caches.delete(name)));
	await clients.claim();
	for (const client of await clients.matchAll()) client.postMessage({ kind: "version", assets: APP.assets });
}

// respond returns a promise of the response to a request, or undefined if the worker does not handle the request.
function respond(event) {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== "GET" || origin !== location.origin) return undefined;
	if (request.mode === "navigate") {
		const forwards = forwardsNext;
		forwardsNext = false;
		return pathname.startsWith(APP.page) && !forwards ? respondWithPage(request) : undefined;
	}
	if (pathname.startsWith(`${APP.base}/assets/app/`)) return storedOrFetched(request, request);
	if (request.destination === "image" && MEMBER_ID) return respondWithPicture(event);
	return undefined;
}

// respondWithPage returns the stored page or, if the server has another version and responds, the page of the
// server.
async function respondWithPage(request) {
	const response = isOld ? await fetch(request).catch(() => null) : null;
	return response?.ok ? response : storedOrFetched(APP.page, request, FILE_CACHES + APP.version);
}

// storedOrFetched returns the response that is stored with a key, or else the response of the server to a request.
// It searches the cache with a name, or all caches without one.
async function storedOrFetched(key, request, cacheName) {
	return (await caches.match(key, { ignoreVary: true, ...(cacheName && { cacheName }) })) ?? fetch(request);
}

// respondWithPicture returns a picture, for example a map tile. A stored picture is returned while it is fresh,
// and also afterwards if the server does not respond or responds with a status of 500 or more.
async function respondWithPicture(event) {
	const { request } = event;
	const cache = await caches.open(PICTURE_CACHES + MEMBER_ID);
	const storedPicture = await cache.match(request, { ignoreVary: true });
	if (storedPicture && isFresh(storedPicture)) return useStored(event, cache, storedPicture);
	let response;
	try {
		response = await fetch(request);
	} catch (error) {
		if (storedPicture) return useStored(event, cache, storedPicture);
		throw error;
	}
	if (response.status >= 500 && storedPicture) return useStored(event, cache, storedPicture);
	if (isStorable(response)) event.waitUntil(store(cache, request, response.clone()));
	else if (storedPicture) event.waitUntil(cache.delete(request, { ignoreVary: true }));
	return response;
}

// useStored returns a stored picture. On its first use by this worker, it stores the picture again, which moves it
// to the end of the cache: trim deletes pictures from the start.
function useStored(event, cache, response) {
	if (!usedURLs.has(event.request.url)) {
		usedURLs.add(event.request.url);
		event.waitUntil(store(cache, event.request, response.clone()));
	}
	return response;
}

// store stores a picture, and calls trim after the first one, and after every TRIM_INTERVAL pictures: browsers end a
// worker after a short time, so that few workers store TRIM_INTERVAL pictures. It ignores errors, for example if
// the storage is full.
async function store(cache, request, response) {
	try {
		await cache.put(request, response);
		if (++storedCount === 1 || storedCount % TRIM_INTERVAL === 0) await trim(cache);
	} catch {
		// The picture is not stored.
	}
}

// trim deletes the least recently used pictures beyond PICTURE_LIMIT. A cache is in the order of the writes.
async function trim(cache) {
	const [requests, responses] = await Promise.all([cache.keys(), cache.matchAll()]);
	let size = 0;
	for (let i = requests.length - 1; i >= 0; i--) {
		size += Number(responses[i]?.headers.get("Content-Length")) || DEFAULT_SIZE;
		if (size > PICTURE_LIMIT) await cache.delete(requests[i], { ignoreVary: true });
	}
}

// isFresh reports whether the age of a response is less than the max-age of its Cache-Control.
function isFresh({ headers }) {
	const seconds = Number(/max-age=(\d+)/.exec(headers.get("Cache-Control"))?.[1] ?? 0);
	const age = Date.now() - Date.parse(headers.get("Date"));
	return age >= 0 && age < seconds * 1000;
}

// isStorable reports whether a response is a picture that may be stored.
function isStorable({ ok, type, headers }) {
	return ok && type === "basic" && headers.get("Content-Type")?.startsWith("image/")
		&& !headers.get("Cache-Control")?.includes("no-store");
}
