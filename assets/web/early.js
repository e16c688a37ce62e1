// Runs before the first paint, as a classic script in the head of the page.

// Applies the theme that the member has chosen for this device, "light" or "dark". Without a choice
// the theme is that of the system.
{
	const theme = localStorage.getItem("theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

// In the page that the service worker has stored, the modules of the app have the attributes
// data-rel and data-src, so that the first paint does not wait for them. They are requested after
// the first paint, or at once in a background tab, which is not painted.
addEventListener("DOMContentLoaded", () => {
	const request = () => {
		for (const node of document.querySelectorAll("[data-rel]")) node.rel = node.dataset.rel;
		for (const node of document.querySelectorAll("[data-src]")) node.src = node.dataset.src;
	};
	if (document.hidden) request();
	else requestAnimationFrame(() => setTimeout(request));
});
