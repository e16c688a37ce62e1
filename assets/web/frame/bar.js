// The bar above a view.

import { button, el, icon } from "../parts/el.js";

// bar returns the bar of a view. Options: title; sub, one quiet line below; picture; back, a
// route to which the arrow on a phone leads if there is nothing to go back to; start and end,
// lists of nodes; hideTitle, to say the title to screen readers only; kind, a class. The title
// is the h1 that gets the focus; null if the content has one.
export function bar(app, { title, sub, picture, back, start = [], end = [], hideTitle = false, kind = "" }) {
	const heading = title !== null && el("h1", { class: hideTitle ? "sr" : "clip", tabindex: "-1", dir: "auto", text: title });
	const toBack = back && button({ label: app.words.frame.back(), icon: "back", only: true, kind: "plain s only-phone", run: () => app.router.back(back) });
	const titles = sub ? el("div", { class: "bar-titles" }, heading, el("p", { class: "quiet tiny clip", dir: "auto" }, sub)) : heading;
	return el("header", { class: `bar ${kind}` }, toBack, picture, titles, start, el("span", { class: "grow" }), end);
}

// selfButton returns the picture of the member for the bar of a phone: it opens what the dock
// has no room for.
export function selfButton(app, picture) {
	return el("button", { type: "button", class: "only-phone self-btn", "aria-label": app.words.frame.ownMenuOf(app.self().name), "aria-haspopup": "dialog", on: { click: () => app.openOwnSheet() } }, picture);
}

// bellLink returns the link to the activity with the number of what is new.
export function bellLink(app, count) {
	const label = app.words.frame.activity(count);
	return el("a", { class: "btn plain icon bell", href: app.href(app.activityRoute()), "aria-label": label, title: label }, icon("bell"), count > 0 && el("span", { class: "bell-dot", "aria-hidden": "true" }));
}
