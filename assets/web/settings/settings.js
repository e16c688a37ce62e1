// The settings of the member: the list of the pages, and one page.

import { withQuery } from "../world/dispatch.js";
import { appearanceParts } from "./appearance.js";
import { Block } from "./block.js";
import { calendarParts } from "./calendars.js";
import { deviceParts } from "./devices.js";
import { factorParts } from "./factor.js";
import { passwordParts, profileParts, sessionParts } from "./profile.js";
import { pageView, signOutButton } from "./shell.js";
import { blockedParts, dataParts, otherParts } from "./datapages.js";

const WATCHED_SERVICES = ["identity", "time", "social"]; // the panel is read again when one of these changes

// PAGE_PARTS are the pages by the id of their route: functions (app, panel, block) that return the parts
// for Slots.
const PAGE_PARTS = {
	profile: profileParts, appearance: appearanceParts, calendars: calendarParts, devices: deviceParts,
	sessions: sessionParts, password: passwordParts, second_factor: factorParts, blocks: blockedParts, data: dataParts,
};

// open returns the view of a route. Without an id, a phone shows the list of the pages, and a larger
// screen the list beside the first page.
export function open(app, route, match) {
	const { words } = app;
	const scope = app.scope();
	const isList = route.id === "";
	const id = route.id || "profile";
	const show = PAGE_PARTS[id] ?? otherParts;
	const block = new Block(app, scope, {
		url: withQuery(match.url, { ...route.query, view: id }), services: WATCHED_SERVICES, isPage: !isList, parts: (panel) => {
			if (!isList) view.setTitle(panel.title);
			return show(app, panel, block);
		},
	});
	const view = pageView(app, {
		route: { ...route, id }, scope, title: words.frame.settings(), content: block.element, list: isList,
		back: isList ? { kind: "today" } : { kind: "settings" },
		end: () => [signOutButton(app, isList ? "" : "not-phone")],
	});
	scope.on(["objects", "actions", "member"], () => block.show());
	return view;
}
