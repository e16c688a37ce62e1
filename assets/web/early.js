// What runs before the first paint.

// The appearance that the member has chosen for this device: "light" or "dark". Without a
// choice, it is that of the system.
{
	const theme = localStorage.getItem("theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

// The page that the service worker has stored requests the app only after the first paint, which
// would wait for its many modules. A page in the background is not painted.
addEventListener("DOMContentLoaded", () => {
	const request = () => {
		for (const node of document.querySelectorAll("[data-rel]")) node.rel = node.dataset.rel;
		for (const node of document.querySelectorAll("[data-src]")) node.src = node.dataset.src;
	};
	if (document.hidden) request();
	else requestAnimationFrame(() => setTimeout(request));
});
