// The views of operators: the overview of the server, and the pages of its administration.

import { Block } from "../settings/block.js";
import { pageView } from "../settings/shell.js";
import { withQuery } from "../world/dispatch.js";
import { backUpButton, inviteButton, keepCurrent } from "./actions.js";
import { auditParts } from "./audit.js";
import { memberParts } from "./member.js";
import { membersParts } from "./members.js";
import { openOverview } from "./overview.js";
import { backupParts, invitationParts, providerParts, regionParts, serviceParts } from "./server.js";

// PAGES are the pages by the id of their route. show(app, panel, block) returns the parts for Slots,
// lists has the names of the paginated lists of the panel, and end(app, block) returns the nodes at
// the end of the bar.
const PAGES = {
	members: { show: membersParts, lists: ["members"], end: (app, block) => [inviteButton(app, block)] },
	invitations: { show: invitationParts, end: (app, block) => [inviteButton(app, block)] },
	backups: { show: backupParts, end: (app, block) => [backUpButton(app, block, "primary")] },
	services: { show: serviceParts },
	regions: { show: regionParts },
	providers: { show: providerParts },
	audit: { show: auditParts, lists: ["audit"] },
};

// open returns the view of a route, or null if there is no such page.
export function open(app, route, match) {
	const id = route.id || "overview";
	if (id === "overview") return openOverview(app, route, match);
	const scope = app.scope();
	const part = id === "members" && route.query.member ? { show: memberParts } : PAGES[id];
	if (!part) return null;
	const block = new Block(app, scope, {
		url: withQuery(match.url, { ...route.query, view: id }), lists: part.lists ?? [], isPage: true,
		gone: () => app.go({ kind: "operator", id }, { replace: true }),
		parts: (panel) => {
			view.setTitle(panel.title);
			return part.show(app, panel, block);
		},
	});
	const back = route.query.member ? { kind: "operator", id } : { kind: "settings" };
	const view = pageView(app, {
		route: { ...route, id }, scope, title: app.words.frame.operator(), back, content: block.element,
		wide: part.show === membersParts, end: () => part.end?.(app, block) ?? [],
	});
	keepCurrent(scope, block);
	return view;
}
