// The link to the page that is shown.

import { copyText } from "../parts/copy.js";
import { isTouch } from "../parts/el.js";

// linkItem returns the entry of a menu that shares the address of the page, or copies it where the
// browser cannot share.
export function linkItem(app) {
	const { words } = app;
	const shares = isTouch() && Boolean(navigator.share);
	return { label: shares ? words.frame.shareLink() : words.frame.copyLink(), icon: "link", run: () => (shares ? shareLink(app) : copyLink(app)) };
}

async function shareLink(app) {
	try {
		await navigator.share({ title: document.title, url: location.href });
	} catch (error) {
		if (error.name !== "AbortError") await copyLink(app); // AbortError: the member has closed the sheet
	}
}

// copyLink copies the address. If the browser does not permit that, it shows it.
async function copyLink({ words, toasts }) {
	if (await copyText(location.href, document.activeElement)) toasts.show(words.frame.linkCopied());
	else toasts.show(location.href, { duration: 20_000 });
}
