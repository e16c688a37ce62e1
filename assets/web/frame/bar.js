// The bar at the top of a view.

import { button, el, icon } from "../parts/el.js";

// bar returns the bar of a view. Options:
//
//   title      the text of the h1, which gets the focus; null if the content has an h1
//   hideTitle  whether only screen readers get the title
//   sub        a line below the title
//   picture    a node before the title
//   back       the route to which the arrow on a phone leads if the history has no earlier view
//   start      nodes after the title
//   end        nodes at the end of the bar
//   kind       a CSS class
export function bar(app, { title, sub, picture, back, start = [], end = [], hideTitle = false, kind = "" }) {
	const heading = title !== null && el("h1", { class: hideTitle ? "sr" : "clip", tabindex: "-1", dir: "auto", text: title });
	const goBack = () => app.router.back(back);
	const toBack = back && button({ label: app.words.frame.back(), icon: "back", iconOnly: true, kind: "plain s only-phone", run: goBack });
	const titles = sub ? el("div", { class: "bar-titles" }, heading, el("p", { class: "quiet tiny clip", dir: "auto" }, sub)) : heading;
	return el("header", { class: `bar ${kind}` }, toBack, picture, titles, start, el("span", { class: "grow" }), end);
}

// selfButton returns the button with the picture of the member in the bar of a phone. It opens the
// sheet with the items that the dock of a phone has no room for.
export function selfButton(app, picture) {
	const label = app.words.frame.ownMenuOf(app.signedInMember().name);
	const attributes = { type: "button", class: "only-phone self-btn", "aria-label": label, "aria-haspopup": "dialog" };
	return el("button", { ...attributes, on: { click: () => app.openMemberSheet() } }, picture);
}

// bellLink returns the link to the notifications. count is the number of unread items.
export function bellLink(app, count) {
	const label = app.words.frame.notifications(count);
	const dot = count > 0 && el("span", { class: "bell-dot", "aria-hidden": "true" });
	const href = app.href(app.notificationsRoute());
	return el("a", { class: "btn plain icon bell", href, "aria-label": label, title: label }, icon("bell"), dot);
}
