// Settings of the member: the list of the parts, and one part.

import { withQuery } from "../world/dispatch.js";
import { appearanceParts } from "./appearance.js";
import { Block } from "./block.js";
import { calendarParts } from "./calendars.js";
import { deviceParts } from "./devices.js";
import { factorParts } from "./factor.js";
import { passwordParts, profileParts, sessionParts } from "./profile.js";
import { shell, signOutButton } from "./shell.js";
import { blockedParts, dataParts, otherParts } from "./stored.js";

const SERVICES = ["identity", "time", "social"]; // whose changes the panel shows

// PARTS are the functions that show the views of the panel: each returns parts for Slots.
const PARTS = {
	profile: profileParts, appearance: appearanceParts, calendars: calendarParts, devices: deviceParts, sessions: sessionParts, password: passwordParts,
	second_factor: factorParts, blocks: blockedParts, data: dataParts,
};

// open returns the view of a part. Without a part, a phone shows the list of them, and a large
// screen the first one.
export function open(app, route, located) {
	const { words } = app;
	const scope = app.scope();
	const isList = route.id === "";
	const id = route.id || "profile";
	const show = PARTS[id] ?? otherParts;
	const block = new Block(app, scope, {
		url: withQuery(located.url, { ...route.query, view: id }), services: SERVICES, isPage: !isList, parts: (panel) => {
			if (!isList) view.setTitle(panel.title);
			return show(app, panel, block);
		},
	});
	const view = shell(app, {
		route: { ...route, id }, scope, title: words.frame.settings(), back: isList ? { kind: "today" } : { kind: "settings" }, content: block.element, list: isList,
		end: () => [signOutButton(app, isList ? "" : "not-phone")],
	});
	scope.on(["objects", "actions", "member"], () => block.show());
	return view;
}
