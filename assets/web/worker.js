// The service worker of the web app. It responds with the stored page, files and pictures, so
// that the app opens at once on a slow connection and also without one. It stores no data of
// a member: world/cache.js does. The server puts a constant before this text, with paths of
// the current version:
//
//   APP = { version, base, page, assets, files }

/* global APP */

const MEMBER = new URL(location.href).searchParams.get("member"); // id of the member whose pictures are stored
const FILES = `app ${APP.base} `; // names of caches begin with this and end with the version
const PICTURES = `pictures ${APP.base} `; // and these with the id of the member
const LIMIT = 50 << 20; // bytes of all pictures
const UNKNOWN_SIZE = 32 << 10; // bytes of a picture without Content-Length
const TRIM_AFTER = 100; // stored pictures

let stored = 0; // pictures since the last trim
let isOld = false; // whether the server has another version
const used = new Set(); // URLs of pictures that have been marked as used

addEventListener("install", (event) => {
	addRoutes(event);
	event.waitUntil(install());
});
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
	const response = respond(event);
	if (response) event.respondWith(response);
});

// A page of this version has found out that the server has another one.
addEventListener("message", ({ data }) => {
	if (data?.kind === "old" && data.assets === APP.assets) isOld = true;
});

// install stores the page and all files. It fails if the server has another version by now:
// the browser then finds another worker, too.
async function install() {
	const cache = await caches.open(FILES + APP.version);
	const page = await fetch(APP.page, { cache: "no-cache" });
	const html = await page.text();
	if (!page.ok || !html.includes(APP.assets)) throw new Error("The version of the page is another one");
	await cache.addAll(APP.files);
	const headers = new Headers(page.headers);
	for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
	await cache.put(APP.page, new Response(paintedFirst(html), { headers }));
	await skipWaiting();
}

// paintedFirst returns the page without the requests that do not concern its first paint:
// early.js sends them after it.
function paintedFirst(html) {
	return html.replace(/<link rel="((?:module)?preload)"/g, '<link data-rel="$1"').replace('<script type="module" src=', '<script type="module" data-src=');
}

// addRoutes lets the browser read the stored files of this version without this worker.
function addRoutes(event) {
	const urlPattern = `${APP.assets.replace(/[^\w/.-]/g, "\\$&")}*`;
	// optional: without routes, the browser asks this worker for the files, which takes longer
	event.addRoutes?.({ condition: { urlPattern, requestMethod: "get" }, source: { cacheName: FILES + APP.version } })?.catch(() => {});
}

// activate tells the open pages which version the next page has. It deletes the other
// versions except the latest, which open pages may have, and the pictures of other members.
async function activate() {
	const names = await caches.keys();
	const versions = names.filter((name) => name.startsWith(FILES) && name !== FILES + APP.version);
	const others = names.filter((name) => name.startsWith(PICTURES) && name !== PICTURES + MEMBER);
	await Promise.all([...versions.slice(0, -1), ...others].map((name) => caches.delete(name)));
	await clients.claim();
	for (const client of await clients.matchAll()) client.postMessage({ kind: "version", assets: APP.assets });
}

// respond returns a promise of the response to a request, or undefined if the browser is to
// send the request as without a worker.
function respond(event) {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== "GET" || origin !== location.origin) return undefined;
	if (request.mode === "navigate") return pathname.startsWith(APP.page) ? page(request) : undefined;
	if (pathname.startsWith(`${APP.base}/assets/app/`)) return storedOr(request, request);
	if (request.destination === "image" && MEMBER) return picture(event);
	return undefined;
}

// page returns the stored page. While another version is being stored, it returns that of the
// server, if there is a connection.
async function page(request) {
	const response = isOld ? await fetch(request).catch(() => null) : null;
	return response?.ok ? response : storedOr(APP.page, request, FILES + APP.version);
}

// storedOr returns the stored response for a key, in one cache or in all, or else the response
// of the server to a request.
async function storedOr(key, request, cacheName) {
	return (await caches.match(key, { ignoreVary: true, ...(cacheName && { cacheName }) })) ?? fetch(request);
}

// picture returns a picture, such as a map tile: the stored one while it is fresh, or if there
// is no response.
async function picture(event) {
	const { request } = event;
	const cache = await caches.open(PICTURES + MEMBER);
	const known = await cache.match(request, { ignoreVary: true });
	if (known && isFresh(known)) return use(event, cache, known);
	let response;
	try {
		response = await fetch(request);
	} catch (error) {
		if (known) return use(event, cache, known);
		throw error;
	}
	if (response.status >= 500 && known) return use(event, cache, known);
	if (isStorable(response)) event.waitUntil(store(cache, request, response.clone()));
	else if (known) event.waitUntil(cache.delete(request, { ignoreVary: true }));
	return response;
}

// use returns a stored picture, and marks it as used: a cache is in the order of writes.
function use(event, cache, response) {
	if (!used.has(event.request.url)) {
		used.add(event.request.url);
		event.waitUntil(store(cache, event.request, response.clone()));
	}
	return response;
}

// store stores a picture. If the browser has no space, it is not stored.
async function store(cache, request, response) {
	try {
		await cache.put(request, response);
		if (++stored % TRIM_AFTER === 0) await trim(cache);
	} catch {
		// as above
	}
}

// trim deletes the least recently used pictures beyond the limit.
async function trim(cache) {
	const [requests, responses] = await Promise.all([cache.keys(), cache.matchAll()]);
	let size = 0;
	for (let n = requests.length - 1; n >= 0; n--) {
		size += Number(responses[n]?.headers.get("Content-Length")) || UNKNOWN_SIZE;
		if (size > LIMIT) await cache.delete(requests[n], { ignoreVary: true });
	}
}

// isFresh reports whether a response is younger than its Cache-Control permits.
function isFresh({ headers }) {
	const seconds = Number(/max-age=(\d+)/.exec(headers.get("Cache-Control"))?.[1] ?? 0);
	const age = Date.now() - Date.parse(headers.get("Date"));
	return age >= 0 && age < seconds * 1000;
}

// isStorable reports whether a response is a picture that may be stored.
function isStorable({ ok, type, headers }) {
	return ok && type === "basic" && headers.get("Content-Type")?.startsWith("image/") && !headers.get("Cache-Control")?.includes("no-store");
}
