// Shares or copies the address of the present page.

import { copyText } from "../parts/copy.js";
import { isTouch } from "../parts/el.js";

// linkItem returns the item of a menu that shares the address, or that copies it if the device has
// no touch screen or the browser no share dialog.
export function linkItem(app) {
	const { words } = app;
	const canShare = isTouch() && Boolean(navigator.share);
	const label = canShare ? words.frame.shareLink() : words.frame.copyLink();
	return { label, icon: "link", run: () => (canShare ? shareLink(app) : copyLink(app)) };
}

async function shareLink(app) {
	try {
		await navigator.share({ title: document.title, url: location.href });
	} catch (error) {
		if (error.name !== "AbortError") await copyLink(app); // AbortError: the member has closed the dialog
	}
}

// copyLink copies the address to the clipboard, or shows it if the browser does not permit that.
async function copyLink({ words, toasts }) {
	if (await copyText(location.href, document.activeElement)) toasts.show(words.frame.linkCopied());
	else toasts.show(location.href, { duration: 20_000 });
}
